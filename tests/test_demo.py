"""The demo's network is known: ``issuecrawl/demo/README.md`` has it by hand."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from importlib.resources import as_file, files
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from issuecrawl.demo.__main__ import newest
from issuecrawl.demo.folder import web_from
from issuecrawl.demo.proxy import Proxy
from tests.conftest import Command, Crawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from issuecrawl.demo.web import Web
    from tests.conftest import Finished

DEMO = files("issuecrawl.demo")

CORE = {
    "energy-ministry.example": 3,
    "estuary-institute.example": 5,
    "gridwatch.example": 2,
    "savethevarn.example": 4,
    "seabird-count.example": 2,
    "shorehost.example": 2,
    "varn-archive.example": 2,
    "varn-forum.example": 2,
    "varn-herald.example": 3,
    "varnbarrage.example": 4,
    "varnfish.example": 2,
    "varntown.example": 2,
    "waters-commission.example": 3,
}
"""Sites of the core, with how many domains vote for each."""

WITH_FOUR_VOTES = {"estuary-institute.example", "savethevarn.example"}
FARM = {"best-tackle.example", "cheap-bait.example", "tackle-deals.example"}
SEEDS_KEPT = {
    "energy-ministry.example",
    "savethevarn.example",
    "varn-forum.example",
    "varn-herald.example",
    "varnfish.example",
}


@pytest.fixture(scope="module")
def sample() -> Iterator[tuple[Web, Proxy]]:
    """Serve the sample web."""
    web = web_from(DEMO / "sites")
    with Proxy(web) as proxy:
        yield web, proxy


@pytest.fixture(scope="module")
def crawled(
    sample: tuple[Web, Proxy], tmp_path_factory: pytest.TempPathFactory
) -> Finished:
    """Crawl the sample web once."""
    crawl = Crawl(tmp_path_factory.mktemp("demo"), sample[1].environment)
    with as_file(DEMO / "seeds.txt") as seeds:
        done = crawl(seeds=f"@{seeds}", title="The Varn barrage", timeout=90)
    assert done.returncode == 0, done.stderr
    return done


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def core(network: Path) -> dict[str, int]:
    return {
        row["site"]: int(row["voters"])
        for row in rows(network / "nodes.csv")
        if row["role"] == "core"
    }


def analyze(crawled: Finished, sample: tuple[Web, Proxy], *flags: str) -> Path:
    """Analyze the stored crawl with other parameters; return the network's folder."""
    out = crawled.folder / "-".join(["net", *(flag.strip("-") for flag in flags)])
    command = Command(crawled.folder, sample[1].environment)
    done = command.scrapy("analyze", 1, *flags, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


def test_core_and_voters_are_the_known_ones(crawled: Finished) -> None:
    assert core(crawled.network()) == CORE


def test_readme_of_the_demo_tells_the_same() -> None:
    text = (DEMO / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| (\S+\.example) \| (.+) \|$", text, re.MULTILINE)
    assert {site: len(re.split(", |; ", voters)) for site, voters in told} == CORE


def test_starting_points_are_told_from_what_was_found(crawled: Finished) -> None:
    started = {
        row["site"]
        for row in rows(crawled.network() / "nodes.csv")
        if row["role"] == "core" and row["starting_point"] in ("1", "true", "True")
    }
    assert started == SEEDS_KEPT


def test_no_edge_leaves_the_core_or_stays_within_a_site(crawled: Finished) -> None:
    edges = rows(crawled.network() / "edges.csv")
    ends = [(edge["source"], edge["target"]) for edge in edges]
    assert ends
    assert all(source != target for source, target in ends)
    among = {pair for pair in ends if set(pair) <= set(CORE)}
    assert ("varntown.example", "varn-herald.example") in among
    assert ("varn-forum.example", "varnfish.example") not in among


def test_crawl_asks_none_but_the_sites_of_the_issue(
    crawled: Finished, sample: tuple[Web, Proxy]
) -> None:
    assert crawled.returncode == 0
    asked = sample[0].asked()
    hosts = {urlsplit(url).hostname or "" for url in asked}
    assert {host.rpartition(".")[2] for host in hosts} == {"example"}
    assert not hosts & FARM
    assert not [url for url in asked if "/nests/" in url]


def test_no_address_is_asked_for_twice(
    crawled: Finished, sample: tuple[Web, Proxy]
) -> None:
    assert crawled.returncode == 0
    alive = [url for url in sample[0].asked() if "varn-forum" not in url]
    assert len(alive) == len(set(alive))


def test_host_asks_for_time_and_gets_it(
    crawled: Finished, sample: tuple[Web, Proxy]
) -> None:
    assert crawled.returncode == 0
    times = [hit.time for hit in sample[0].hits if "://estuary-institute" in hit.url]
    # The first pair spans robots.txt, which is what asks for the delay.
    waits = [later - earlier for earlier, later in pairwise(times[1:])]
    assert len(waits) >= 2
    assert min(waits) > 0.4


@pytest.mark.parametrize(
    ("flags", "comes", "goes"),
    [
        (
            ("--voters", "site"),
            FARM | {"blogs.example", "mudlark.blogs.example"},
            set(),
        ),
        (("--placement", "body"), set(), {"shorehost.example"}),
        (("--embeds", "vote"), {"tides.example"}, set()),
        # Neither name of the barrage has four votes, and that the old one moved was
        # not known yet.
        (("--threshold", "4"), set(), set(CORE) - WITH_FOUR_VOTES),
    ],
)
def test_other_parameters_change_what_the_readme_says(
    crawled: Finished,
    sample: tuple[Web, Proxy],
    flags: tuple[str, ...],
    comes: set[str],
    goes: set[str],
) -> None:
    found = set(core(analyze(crawled, sample, *flags)))
    assert found - set(CORE) == comes
    assert set(CORE) - found == goes


@pytest.mark.skipif(not shutil.which("xmllint"), reason="xmllint (libxml2) is not here")
def test_xmllint_finds_the_network_valid(crawled: Finished) -> None:
    with as_file(files("analysis") / "data" / "IssueNetwork_0_1.dtd") as dtd:
        done = subprocess.run(
            ["xmllint", "--noout", "--nonet", "--dtdvalid", dtd, "network.xml"],
            cwd=crawled.network(),
            capture_output=True,
            text=True,
            check=False,
        )
    # It tells on stderr that it has not fetched the DTD that the file names.
    assert done.returncode == 0, done.stderr


def test_demo_prints_the_core_and_where_it_lies(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "issuecrawl.demo", tmp_path / "demo"],
        env=Command(tmp_path, {}).environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    for site, voters in CORE.items():
        assert re.search(rf"{re.escape(site)} +│ +{voters} ", done.stdout), done.stdout
    network = tmp_path / "demo" / "networks" / "1"
    assert str(network) in done.stdout
    for name in ("map.html", "report.html"):
        assert (network / name).as_uri() in done.stdout
        assert (network / name).is_file()


def test_networks_of_analyses_are_not_taken_for_the_last_crawl(tmp_path: Path) -> None:
    for name in ("2", "10", "1_mode-page", "items"):
        (tmp_path / name).mkdir()
    assert newest(tmp_path) == tmp_path / "10"
