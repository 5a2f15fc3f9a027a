"""``scrapy stability``: a table on the terminal, files beside the network's."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from analysis.stability.tables import NODE_COLUMNS, VARIANT_COLUMNS
from issuecrawl.demo.proxy import Proxy
from tests.conftest import Command, Crawl, LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Finished

A, B, C, X, Y = (f"https://{name}.example/" for name in "abcxy")


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    """Serve a web in which X hangs on nobody, Y on A and B."""
    web = LoopbackWeb()
    web.page(A, X, Y)
    web.page(B, X, Y)
    web.page(C, X)
    web.page(X)
    web.page(Y)
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


@pytest.fixture(scope="module")
def crawled(web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    crawl = Crawl(tmp_path_factory.mktemp("crawled"), web.environment)
    line = crawl.arguments(seeds=f"{A},{B},{C}")
    done = crawl.scrapy(*line, "-O", "items.jsonl")
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def scrapy(web: LoopbackWeb, crawled: Finished) -> Command:
    return Command(crawled.folder, web.environment)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_stability_is_told_and_written_beside_the_network(
    scrapy: Command, crawled: Finished, web: LoopbackWeb
) -> None:
    asked = len(web.hits)

    done = scrapy.scrapy("stability", 1)

    assert (done.returncode, done.stderr) == (0, "")
    assert len(web.hits) == asked
    assert "2 nodes, 1 of them kept by all 7 variants" in done.stdout
    assert f"{A}: 1 of 2 go without it (50%)" in done.stdout
    nodes = rows(crawled.network() / "stability.csv")
    assert tuple(nodes[0]) == NODE_COLUMNS
    assert [(row["node"], row["kept"], row["share"]) for row in nodes] == [
        ("y.example", "4", "0.571429"),
        ("x.example", "7", "1"),
    ]
    variants = rows(crawled.network() / "stability_variants.csv")
    assert tuple(variants[0]) == VARIANT_COLUMNS
    assert [(row["change"], row["value"], row["lost"]) for row in variants] == [
        ("without", A, "1"),
        ("without", B, "1"),
        ("without", C, "0"),
        ("threshold", "1", "0"),
        ("threshold", "3", "1"),
        ("depth", "0", "0"),
        ("placement", "body", "0"),
    ]


def test_items_have_the_stability_of_their_crawl(
    scrapy: Command, crawled: Finished
) -> None:
    stored = scrapy.scrapy("stability", 1, "--out", "of-store")
    read = scrapy.scrapy("stability", "items.jsonl", "--out", "of-items")

    assert (stored.returncode, read.returncode) == (0, 0)
    for name in ("stability.csv", "stability_variants.csv"):
        of_store, of_items = (
            (crawled.folder / folder / name).read_bytes()
            for folder in ("of-store", "of-items")
        )
        assert of_store == of_items


def test_options_choose_the_network_that_is_varied(
    scrapy: Command, crawled: Finished
) -> None:
    done = scrapy.scrapy("stability", 1, "--threshold", 3, "--depth", 0)

    assert done.returncode == 0
    assert "1 node, none of them kept by all" in done.stdout
    assert "a smaller depth (it is 0)" in done.stdout
    folder = crawled.folder / "networks" / "1_depth-0_threshold-3"
    assert (folder / "stability.csv").exists()


def test_variants_are_counted_without_decisions_and_say_so(
    scrapy: Command, crawled: Finished
) -> None:
    (crawled.folder / "edits.csv").write_text("drop,y.example,,a service\n")

    done = scrapy.scrapy("stability", 1, "--edits", "edits.csv", "--out", "edited")

    assert (done.returncode, done.stderr) == (0, "")
    assert "mind       variants are counted without the decisions" in done.stdout
    assert "2 nodes, 1 of them kept by all 7 variants" in done.stdout
    report = (crawled.folder / "edited" / "report.html").read_text(encoding="utf-8")
    assert "without the decisions" in report


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["9"], "crawl 9"),
        (["nothing.jsonl"], "neither the number of a crawl nor a file"),
        (["1", "--threshold", "many"], "threshold=many"),
        ([], "Expected one crawl"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    arguments: list[str], sentence: str, scrapy: Command
) -> None:
    done = scrapy.scrapy("stability", *arguments)

    assert done.returncode == 2
    assert sentence.lower() in done.stderr.lower()
    assert "Traceback" not in done.stderr
