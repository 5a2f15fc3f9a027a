"""The feed of a crawl: itself first, then each page that came to its end, once."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from issuecrawl.demo.proxy import Proxy
from tests.conftest import Crawl, LoopbackWeb
from tests.stored import ends

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Finished

SEEDS = "https://a.test/,https://b.test/"

ENDS = {
    "https://a.test/": ("retrieved", ""),
    "https://b.test/": ("retrieved", ""),
    "https://x.test/": ("retrieved", ""),
    "https://a.test/moved": ("redirected", ""),
    "https://a.test/target": ("retrieved", ""),
    "https://a.test/barred": ("redirected", ""),
    "https://a.test/gone": ("gone", "HTTP 404"),
    "https://a.test/broken": ("failed", "HTTP 500"),
    "https://a.test/secret": ("refused", "robots.txt"),
    "https://intern/x": ("refused", "not public"),
    "http://192.168.0.1/": ("refused", "not public"),
    "https://shared.test/one": ("excluded", "exclusion"),
    "https://shared.test/two": ("excluded", "exclusion"),
    "https://shared.test/three": ("excluded", "exclusion"),
    "https://a.test/cut": ("skipped", "budget"),
    "https://dead.test/": ("failed", "host does not answer"),
}
"""Pages and what they come to."""


def fill(web: LoopbackWeb) -> None:
    web.robots("a.test", "User-agent: *\nDisallow: /secret\n")
    web.page(
        "https://a.test/",
        *("/moved", "/barred", "/gone", "/broken", "/secret", "/cut"),
        *("https://intern/x", "http://192.168.0.1/", "https://intern/x"),
        *("https://shared.test/one", "https://shared.test/two"),
        *("https://x.test/", "https://dead.test/"),
    )
    web.redirect("https://a.test/moved", "/target")
    web.page("https://a.test/target", "https://shared.test/one", "/known")
    web.redirect("https://a.test/barred", "https://shared.test/three")
    web.status("https://a.test/broken", 500)
    web.page("https://a.test/cut")
    web.page(
        "https://b.test/",
        *("https://shared.test/two", "https://intern/x"),
        *("https://x.test/", "https://dead.test/"),
    )
    web.page("https://x.test/")
    web.page("https://dead.test/")
    web.dead("dead.test")


@pytest.fixture(scope="module")
def served() -> Iterator[LoopbackWeb]:
    web = LoopbackWeb()
    fill(web)
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


def items(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def crawled(served: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    crawl = Crawl(tmp_path_factory.mktemp("items"), served.environment)
    line = crawl.arguments(
        {"ISSUECRAWL_PAGES_PER_SITE": 6}, seeds=SEEDS, exclude="shared.test"
    )
    done = crawl.scrapy(*line, "-o", "items.jsonl")
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def pages(crawled: Finished) -> list[dict[str, Any]]:
    return [item for item in items(crawled.folder / "items.jsonl") if "url" in item]


def test_crawl_itself_comes_first_and_last(crawled: Finished) -> None:
    first, *_, last = items(crawled.folder / "items.jsonl")
    assert first["starting_points"] == SEEDS.split(",")
    assert first["settings"]["threshold"] == 2
    assert first["state"] == "running"
    assert last["state"] == "finished"


def test_each_page_that_came_to_its_end_is_an_item_once(
    crawled: Finished, pages: list[dict[str, Any]]
) -> None:
    assert {page["url"]: (page["outcome"], page["reason"]) for page in pages} == ENDS
    assert set(Counter(page["url"] for page in pages).values()) == {1}
    stored = ends(crawled.store)
    assert stored.pop("https://a.test/known") == "known"
    assert set(stored) == set(ENDS)


def test_links_say_how_they_were_judged(pages: list[dict[str, Any]]) -> None:
    by_url = {page["url"]: page for page in pages}
    judged = {
        link["target"]: link["judged"] for link in by_url["https://a.test/"]["links"]
    }
    assert judged["https://a.test/gone"] == "follow"
    assert judged["https://intern/x"] == "not public"
    assert judged["http://192.168.0.1/"] == "not public"
    assert judged["https://shared.test/one"] == "exclusion"
    deep = {
        link["target"]: link["judged"]
        for link in by_url["https://a.test/target"]["links"]
    }
    assert deep == {
        "https://shared.test/one": "exclusion",
        "https://a.test/known": "record",
    }
    assert by_url["https://a.test/barred"]["redirect_judged"] == "exclusion"
    assert by_url["https://a.test/moved"]["redirect"] == "https://a.test/target"
    for url, (outcome, _) in ENDS.items():
        assert bool(by_url[url]["links"]) <= (outcome == "retrieved")


def test_items_give_the_same_network_as_the_store(crawled: Finished) -> None:
    command = Crawl(crawled.folder, {})
    for source, out in (("1", "by-store"), ("items.jsonl", "by-items")):
        done = command.scrapy("analyze", source, "--out", out)
        assert done.returncode == 0, done.stderr
    files = {path.name for path in (crawled.folder / "by-store").iterdir()}
    assert "network.xml" in files
    for name in files:
        one = (crawled.folder / "by-store" / name).read_bytes()
        assert (crawled.folder / "by-items" / name).read_bytes() == one, name


def test_no_page_is_an_item_again_after_a_stop(web: LoopbackWeb, crawl: Crawl) -> None:
    fill(web)
    web.alive("dead.test")
    web.page("https://a.test/gone", delay=1.5)
    settings = {"ISSUECRAWL_PAGES_PER_SITE": 6}
    line = crawl.arguments(settings, seeds=SEEDS, exclude="shared.test")
    process = crawl.start(*line, "-o", "items.jsonl")
    end = time.monotonic() + 30
    while "https://a.test/gone" not in web.asked() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    done = crawl.scrapy(*crawl.arguments(settings, crawl=1), "-o", "items.jsonl")
    assert done.returncode == 0, done.stderr
    found = items(crawl.folder / "items.jsonl")
    urls = Counter(item["url"] for item in found if "url" in item)
    assert set(urls) == set(ENDS)
    assert set(urls.values()) == {1}
