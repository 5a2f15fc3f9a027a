"""``scrapy export``: files of a network, from a crawl, its items or an old XML."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from analysis import issuenetwork
from tests.conftest import Command, Crawl
from tests.networks import small_network

if TYPE_CHECKING:
    from tests.conftest import LoopbackWeb

WALKTHROUGH = Path(__file__).parent / "data" / "walkthrough.xml"

OLD_CSV = {
    "nodes.csv",
    "edges.csv",
    "actors.csv",
    "matrix.csv",
    "pages.csv",
    "measures.csv",
}
"""What an old file can be told in."""

CRAWLED = {
    "network.xml",
    "network.gexf",
    "network.graphml",
    "network.json",
    "network.txt",
    *OLD_CSV,
    "starting_points.csv",
    "coverage.csv",
}
"""What tests have a crawl write."""


@pytest.fixture
def scrapy(tmp_path: Path) -> Command:
    issuenetwork.write(small_network(), tmp_path / "old.xml")
    return Command(tmp_path, {})


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_crawl_and_its_items_come_out_as_the_crawl_wrote_them(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.example/", "https://x.example/", "https://b.example/")
    web.page("https://b.example/", "https://x.example/")
    web.page("https://x.example/", "https://a.example/")
    line = crawl.arguments(
        seeds="https://a.example/,https://b.example/",
        title="Dikes & dams",
        author="A. <N.>",
        email="a@n.example",
        privilege=1,
        out="mine",
    )
    done = crawl.scrapy(*line, "-O", "items.jsonl")
    assert done.returncode == 0, done.stderr

    of_crawl = crawl.scrapy("export", 1, "--out", "from-crawl")
    of_items = crawl.scrapy("export", "items.jsonl", "--out", "from-items")
    crawl.scrapy("export", "0001", "--format", "txt")

    assert (of_crawl.returncode, of_items.returncode) == (0, 0)
    text = (done.folder / "mine" / "network.xml").read_text(encoding="utf-8")
    assert "<Title>Dikes &amp; dams</Title>" in text
    assert '<Author name="A. &lt;N.&gt;" email="a@n.example" />' in text
    assert "Starting crawl dbPrimaryKey: 1 SeriesID: 1 SeriesIndex: 1" in text
    assert "[INFO]Setting threshold: 2\n" in text
    assert names(done.folder / "mine") == CRAWLED
    assert names(done.network().parent) == {"1"}
    assert names(done.network()) == {"network.txt"}
    for name in CRAWLED:
        wanted = (done.folder / "mine" / name).read_bytes()
        assert (done.folder / "from-crawl" / name).read_bytes() == wanted
        assert (done.folder / "from-items" / name).read_bytes() == wanted


def test_old_file_comes_out_in_the_formats_asked_for(scrapy: Command) -> None:
    done = scrapy.scrapy("export", "old.xml", "--format", "gexf, csv", "--out", "old")

    assert (done.returncode, done.stderr) == (0, "")
    assert "written    old/\n" in done.stdout
    assert names(scrapy.folder / "old") == {"network.gexf", *OLD_CSV}
    graph = nx.read_gexf(scrapy.folder / "old" / "network.gexf")
    with (scrapy.folder / "old" / "nodes.csv").open(newline="") as lines:
        assert {row["id"] for row in csv.DictReader(lines)} == set(graph)


def test_file_of_our_own_comes_back_as_it_was(scrapy: Command) -> None:
    scrapy.scrapy("export", "old.xml", "--format", "issuenetwork")

    again = scrapy.folder / "networks" / "old" / "network.xml"
    assert again.read_bytes() == (scrapy.folder / "old.xml").read_bytes()


def test_file_that_is_read_is_not_written_over(scrapy: Command) -> None:
    path = scrapy.folder / "network.xml"
    path.write_bytes(WALKTHROUGH.read_bytes())

    for out in (".", scrapy.folder):
        done = scrapy.scrapy("export", path.name, "--out", out)
        assert done.returncode == 2
        assert done.stderr == (
            "network.xml would be written over; name another folder with --out\n"
        )
    done = scrapy.scrapy("export", path.name, "--out", ".", "--format", "txt")

    assert done.returncode == 0
    assert path.read_bytes() == WALKTHROUGH.read_bytes()
    assert names(scrapy.folder) == {"network.xml", "network.txt", "old.xml"}


def test_old_file_is_known_whatever_it_is_called(scrapy: Command) -> None:
    path = scrapy.folder / "7.txt"
    path.write_bytes(b"\xef\xbb\xbf" + WALKTHROUGH.read_bytes())

    done = scrapy.scrapy("export", path.name, "--format", "txt")

    assert done.returncode == 0, done.stderr
    # Not networks/7, where the network of crawl 7 may lie.
    assert names(scrapy.folder / "networks") == {"7-txt"}


def test_repairs_of_an_old_file_are_told(scrapy: Command) -> None:
    text = (scrapy.folder / "old.xml").read_text(encoding="utf-8")
    broken = text.replace("<Title>", "<Title>Dikes & ", 1)
    (scrapy.folder / "old.xml").write_text(broken, encoding="utf-8")

    done = scrapy.scrapy("export", "old.xml", "--format", "txt")

    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "&" in done.stderr


def test_check_says_that_a_file_is_valid_and_writes_nothing(scrapy: Command) -> None:
    done = scrapy.scrapy("export", "--check", "old.xml")

    assert done.returncode == 0
    assert done.stdout == "old.xml: valid IssueNetwork 0.1, all references resolve\n"
    assert names(scrapy.folder) == {"old.xml"}


def test_check_names_the_line_of_each_fault(scrapy: Command) -> None:
    text = (scrapy.folder / "old.xml").read_text(encoding="utf-8")
    broken = text.replace('TargetPageID="', 'TargetPageID="99', 1)
    (scrapy.folder / "old.xml").write_text(broken, encoding="utf-8")

    done = scrapy.scrapy("export", "--check", "old.xml")

    assert done.returncode == 2
    assert done.stdout.startswith("old.xml: ")
    assert "99" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            [],
            "Expected one crawl, by its number, one network.xml, or one file of items",
        ),
        (
            ["old.xml", "--format", "pdf"],
            "--format=pdf cannot be used; expected all, or some",
        ),
        (
            ["old.xml", "--format", ","],
            "--format=, cannot be used; expected all, or some of",
        ),
        (["old.xml", "--fromat", "gexf"], "--fromat is no option of this command; did"),
        (["none.xml"], "none.xml cannot be used (No such file or directory); check"),
        (
            ["--check", "none.xml"],
            "none.xml cannot be used (No such file or directory)",
        ),
        (
            ["--check", "old.xml", "--format", "gexf"],
            "--check makes no network; leave out --format",
        ),
        (["none"], "none is neither the number of a crawl nor a file of items"),
        ([7], "There is no store at "),
        (["old.xml", "--out", "old.xml"], "out=old.xml cannot be used; expected a"),
        (["page.html"], "page.html has the root element html instead of IssueNetwork"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    arguments: list[object], sentence: str, scrapy: Command
) -> None:
    (scrapy.folder / "page.html").write_text("<html></html>")

    done = scrapy.scrapy("export", *arguments)

    assert done.returncode == 2
    assert done.stderr.startswith(sentence), done.stderr
    assert done.stderr.count("\n") == 1
    assert not (scrapy.folder / "networks").exists()
