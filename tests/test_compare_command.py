"""``scrapy compare``: two crawls of a web that changed, and partly could not be seen."""

from __future__ import annotations

import csv
import shutil
from typing import TYPE_CHECKING

import pytest

from analysis.compare.tables import EDGE_COLUMNS, NODE_COLUMNS
from issuecrawl.demo.proxy import Proxy
from tests.conftest import Command, Crawl, LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Finished

A, B, C, D = (f"https://{name}.example/" for name in "abcd")
V, W, X, Y, Z = (f"https://{name}.example/" for name in "vwxyz")
STARTS = f"{A},{B},{C},{D}"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finished]:
    """Crawl a web twice; in between a link goes, and three sites hide theirs."""
    web = LoopbackWeb()
    for start in (A, B, C, D):
        web.page(start, V, W, X, Y, Z)
    for page in (V, W, X, Y):
        web.page(page, Z)
    web.page(Z, V)
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        crawl = Crawl(tmp_path_factory.mktemp("crawled"), web.environment)
        settings = {"RETRY_TIMES": 0}
        assert crawl(settings, seeds=STARTS).returncode == 0
        web.page(V)
        web.status(W, 503)
        web.robots("x.example", "User-agent: *\nDisallow: /")
        web.dead("y.example")
        done = crawl(settings, seeds=STARTS)
        assert done.returncode == 0, done.stderr
        yield done


@pytest.fixture
def scrapy(crawled: Finished) -> Command:
    return Command(crawled.folder, {})


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_removed_links_are_told_from_those_that_could_not_be_seen(
    scrapy: Command, crawled: Finished
) -> None:
    done = scrapy.scrapy("compare", 1, 2)

    assert (done.returncode, done.stderr) == (0, "")
    folder = crawled.folder / "comparisons" / "1_2"
    edges = rows(folder / "comparison_edges.csv")
    assert tuple(edges[0]) == EDGE_COLUMNS
    assert {
        (e["source"][0], e["target"][0]): (e["change"], e["reasons"]) for e in edges
    } == {
        ("v", "z"): ("went", "link removed: 1"),
        ("w", "z"): ("unseen", "HTTP 503: 1"),
        ("x", "z"): ("unseen", "robots.txt: 1"),
        ("y", "z"): ("unseen", "host does not answer: 1"),
        ("z", "v"): ("stayed", ""),
    }
    nodes = rows(folder / "comparison_nodes.csv")
    assert tuple(nodes[0]) == NODE_COLUMNS
    assert {node["change"] for node in nodes} == {"stayed"}
    assert "1 stayed, 0 came, 1 went, 3 unseen" in done.stdout
    assert "HTTP 503: 1" in done.stdout
    assert "z.example down" in done.stdout
    assert {"map.html", "map.svg", "map.png"} <= {
        file.name for file in folder.iterdir()
    }
    picture = (folder / "map.svg").read_text(encoding="utf-8")
    assert "not seen this time" in picture


def test_what_comes_back_may_not_be_new(scrapy: Command) -> None:
    done = scrapy.scrapy("compare", 2, 1, "--by", "inlinks_core", "--out", "back")

    assert done.returncode == 0
    assert "1 stayed, 4 came, 0 went, 0 unseen" in done.stdout
    assert "3 edges came where pages could not be seen before" in done.stdout


def test_crawls_and_files_may_be_mixed(scrapy: Command, crawled: Finished) -> None:
    shutil.copy(crawled.network(1) / "network.xml", crawled.folder / "from_before.xml")

    done = scrapy.scrapy("compare", "from_before.xml", 1, 2, "--against", "previous")

    assert done.returncode == 0, done.stderr
    assert "  from_before 5 core nodes" in done.stdout
    folder = crawled.folder / "comparisons" / "from_before_1_2"
    edges = rows(folder / "comparison_edges.csv")
    steps = [(edge["before"], edge["after"], edge["change"]) for edge in edges]
    assert steps.count(("from_before", "1", "stayed")) == 5
    assert steps.count(("1", "2", "unseen")) == 3
    assert edges[-1]["found_in"] == "from_before; 1; 2"


def test_top_of_the_ranks_with_the_periphery(
    scrapy: Command, crawled: Finished
) -> None:
    done = scrapy.scrapy("compare", 1, 2, "--periphery", "--top", 1, "--out", "top")

    assert done.returncode == 0
    nodes = rows(crawled.folder / "top" / "comparison_nodes.csv")
    assert {"z.example"} <= {node["node"] for node in nodes}
    assert "a.example" not in {node["node"] for node in nodes}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Expected two or more crawls"),
        (["1"], "got 1"),
        (["1", "9"], "crawl 9"),
        (["1", "2", "--top", "0"], "--top=0 cannot be used"),
        (["1", "2", "--top", 5000 * "9"], "--top=999"),
        (["1", "2", "--agianst", "first"], "did you mean --against?"),
        (["1", "nothing.xml"], "nothing.xml"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    arguments: list[str], sentence: str, scrapy: Command
) -> None:
    done = scrapy.scrapy("compare", *arguments)

    assert done.returncode == 2
    assert sentence.lower() in done.stderr.lower()
    assert "Traceback" not in done.stderr
