"""The network of the real web equals what its files say."""

from __future__ import annotations

import csv
import filecmp
import json
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from issuecrawl.model.page import State
from tests import realweb
from tests.conftest import CONTACT, Command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Finished
    from tests.oracle import Result

OPTIONS = {"depth": 1, "iterations": 1, "mode": "site", "privilege": 1, "exclude": "-"}
SETTINGS = {
    "DOWNLOAD_DELAY": 0,
    "ISSUECRAWL_CONTACT": CONTACT,
    "ISSUECRAWL_PAGES": 0,
    "ISSUECRAWL_PAGES_PER_SITE": 0,
    "ISSUECRAWL_HOST_REST": 0.5,
}


class Served:
    """The real web behind its proxy, and what was asked of it."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.log = folder / "access.jsonl"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        serve = realweb.SHARED / "serve.py"
        self.process = subprocess.Popen(
            [sys.executable, serve, root, "--port", str(port), "--log", self.log],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        assert "sites behind" in self.process.stderr.readline()
        proxy = f"http://127.0.0.1:{port}"
        self.environment = {"http_proxy": proxy, "https_proxy": proxy}

    def pages_asked(self) -> list[str]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        asked = [json.loads(line) for line in lines]
        return [
            f"{one['host']}{one['path']}"
            for one in asked
            if one["path"] and not one["path"].endswith("/robots.txt")
        ]


def arguments() -> list[str]:
    options = {"seeds": ",".join(realweb.STARTING_POINTS), **OPTIONS}
    line = ["crawl", "issuenetwork"]
    line += [part for k, v in options.items() for part in ("-a", f"{k}={v}")]
    return line + [part for k, v in SETTINGS.items() for part in ("-s", f"{k}={v}")]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    try:
        root = realweb.root()
    except LookupError as error:
        pytest.skip(str(error))
    served = Served(tmp_path_factory.mktemp("served"), root)
    yield served
    served.process.terminate()
    served.process.wait()
    assert served.process.stderr is not None
    served.process.stderr.close()


@pytest.fixture(scope="module")
def crawled(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    command = Command(tmp_path_factory.mktemp("crawled"), served.environment)
    done = command.scrapy(*arguments(), "-o", "items.jsonl", timeout=110)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def expected(served: Served) -> Result:
    del served
    return realweb.expected()[0]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_core_of_the_real_web_equals_the_files(
    crawled: Finished, expected: Result
) -> None:
    nodes = rows(crawled.network() / "nodes.csv")
    core = {node["site"]: node for node in nodes if node["role"] == "core"}
    right = expected.network
    assert "docs.python.org" in core
    assert set(core) == right.core
    for site, node in core.items():
        assert int(node["voters"]) == len(right.voters[site]), site
        assert int(node["inlinks"]) == right.inlinks[site], site
        assert int(node["outlinks"]) == right.outlinks[site], site
        assert int(node["retained_at"]) == right.retained_at[site], site


def test_edges_of_the_real_web_equal_the_files(
    crawled: Finished, expected: Result
) -> None:
    edges = {
        (edge["source"], edge["target"]): int(edge["weight"])
        for edge in rows(crawled.network() / "edges.csv")
    }
    assert edges == expected.network.edges


def test_pages_asked_for_are_those_that_the_reach_needs(
    crawled: Finished, expected: Result
) -> None:
    db = sqlite3.connect(crawled.store)
    urls = db.execute(
        "SELECT url FROM page JOIN answer ON page.id - 4294967296 = answer.page"
    ).fetchall()
    db.close()
    asked = {realweb.identity(url) for (url,) in urls}
    allowed = {page for page in expected.asked if realweb.public(page)}
    assert asked == allowed
    assert len(urls) == len(asked)


def test_analysis_gives_the_crawls_network_byte_for_byte(
    crawled: Finished, served: Served
) -> None:
    before = served.pages_asked()
    command = Command(crawled.folder, served.environment)
    for source in ("1", "items.jsonl"):
        out = crawled.folder / f"again-{source}"
        done = command.scrapy("analyze", source, "--out", out)
        assert done.returncode == 0, done.stderr
        files = sorted(path.name for path in crawled.network().iterdir())
        _, mismatch, errors = filecmp.cmpfiles(
            crawled.network(), out, files, shallow=False
        )
        assert not mismatch
        assert not errors
    assert served.pages_asked() == before


def test_page_mode_needs_no_request_and_names_the_pages_it_lacks(
    crawled: Finished, served: Served
) -> None:
    before = served.pages_asked()
    out = crawled.folder / "pages"
    done = Command(crawled.folder, served.environment).scrapy(
        "analyze", "1", "--mode", "page", "--out", out
    )
    assert done.returncode == 0, done.stderr
    assert served.pages_asked() == before
    missing = (out / "missing.txt").read_text().splitlines()
    assert f"{len(missing):,} pages would be needed" in done.stdout
    assert rows(out / "nodes.csv")


def test_killed_again_and_again_the_crawl_comes_to_the_same_network(
    crawled: Finished, served: Served, tmp_path: Path
) -> None:
    command = Command(tmp_path, served.environment)
    line = arguments()
    for pause in (1.5, 1.8, 2.1, 2.6):
        process = command.start(*line)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if (tmp_path / "issuecrawl.db").exists():
            line = ["crawl", "issuenetwork", "-a", "crawl=1"]
            line += [p for k, v in SETTINGS.items() for p in ("-s", f"{k}={v}")]
    done = command.scrapy(*line)
    assert done.returncode == 0, done.stderr
    for name in ("nodes.csv", "edges.csv"):
        killed, undisturbed = tmp_path / "networks" / "1", crawled.network()
        assert (killed / name).read_bytes() == (undisturbed / name).read_bytes()
    db = sqlite3.connect(tmp_path / "issuecrawl.db")
    twice = db.execute("SELECT COUNT(*) - COUNT(DISTINCT page) FROM answer").fetchone()
    waiting = db.execute(
        "SELECT COUNT(*) FROM page WHERE state IN (?, ?)",
        (State.WAITING, State.PENDING),
    ).fetchone()
    db.close()
    assert (twice, waiting) == ((0,), (0,))
