"""Coverage: what was due of each site, and what of it was not seen."""

from __future__ import annotations

import json
import math
from collections import Counter
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compute import network
from analysis.coverage import REASONS
from issuecrawl.demo.proxy import Proxy
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.reader import StoredCrawl
from tests import webs as webs_of
from tests.conftest import Crawl, LoopbackWeb
from tests.oracle import Pass, Rules, analyze, crawl
from tests.stored import table
from tests.stored_webs import CRAWL, Crawled
from tests.test_analysis_against_oracle import orders
from tests.web_strategies import parameters, webs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from analysis.network import Network
    from tests.oracle import Web

    Drawn = tuple[Web, tuple[str, ...], bool]


@settings(max_examples=100, deadline=None)
@given(webs(), parameters(), parameters(), orders, st.data())
def test_numbers_add_up_to_what_the_reach_demands(
    drawn: Drawn,
    chosen: Parameters,
    others: Parameters,
    order: int,
    data: st.DataObject,
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)
    cut = data.draw(st.frozensets(st.sampled_from(sorted(result.asked)), max_size=2))
    crawled = Crawled(web, starts, chosen, result.passes, by_domain, order, cut)
    stored = result.asked - cut
    expected = analyze(stored, web, starts, others)

    with closing(crawled.store()) as db:
        found = network(StoredCrawl(db, CRAWL), others, own=False)

    assert found.coverage is not None
    rules = Rules(web, starts, others)
    begun = {page for one in expected.passes for page in one.starts}
    due = expected.asked | begun
    sites = {row.site: row for row in found.coverage}
    assert list(sites) == sorted({web.site(page) for page in due})
    unseen = dict.fromkeys(REASONS, 0)
    for key, row in sites.items():
        pages = {page for page in due if web.site(page) == key}
        seen = row.retrieved + row.redirected + row.gone
        assert row.due == len(pages) == seen + sum(row.unseen.values())
        answered = {page for page in pages & stored if web.facts(page).answers}
        assert row.retrieved == sum(
            web.facts(page).redirect is None for page in answered
        )
        assert row.unseen.keys() <= set(REASONS)
        assert all(row.unseen.values())
        for reason, count in row.unseen.items():
            unseen[reason] += count
    assert unseen["budget"] + unseen["missing"] == len(found.missing)
    astray = Counter(leads_astray(rules, page) for page in due & stored)
    assert unseen["not public"] == astray["not public"]
    assert unseen["excluded"] == astray["excluded"]
    assert not {page for page in begun if not rules.allowed(page)} - expected.asked
    assert_marked(found)


def leads_astray(rules: Rules, page: str) -> str:
    """Return why *page* redirects to one that is barred, empty if it does not."""
    redirect = rules.web.facts(page).redirect
    if redirect is None or rules.allowed(redirect):
        return ""
    excluded = rules.web.excluded(redirect, rules.parameters.exclude)
    return "excluded" if excluded else "not public"


def assert_marked(found: Network) -> None:
    """Each node of the graph says what could not be seen of it."""
    assert found.coverage is not None
    if found.parameters.mode == "site":
        assert dict(found.graph.nodes(data="unseen")) == {
            row.site: sum(row.unseen.values()) for row in found.coverage if row.role
        }
    else:
        marks = {unseen for _, unseen in found.graph.nodes(data="unseen")}
        assert marks <= {0, 1, None}
    roles = {row.site: row.role for row in found.coverage}
    core = {site.key for site in found.sites}
    around = {site.key for site in found.periphery_sites} - core
    assert {site for site, role in roles.items() if role == "core"} == core
    assert {site for site, role in roles.items() if role == "periphery"} == around


def test_kept_site_whose_home_page_is_excluded_was_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    former = "https://former.example/one"
    monkeypatch.setitem(webs_of.RULES, former, "one")
    page = "https://social.example/one/1"
    links = [("https://a.example/", page), ("https://b.example/", page)]
    starts = ("https://a.example/", "https://b.example/")
    chosen = Parameters(depth=0, exclude=("former.example",))
    web = webs_of.web_of_links([*links, ("https://a.example/", former)])
    asked = Pass(set(starts), set(), set(starts), set())
    for order in range(20):
        crawled = Crawled(web, starts, chosen, [asked], shuffle=order)
        with closing(crawled.store()) as db:
            stored = StoredCrawl(db, CRAWL)
            found = network(stored, chosen, own=False)
        home = stored.sites[crawled.sites["one"]].home
        rows = {row.site: row for row in found.coverage or ()}
        reason = "excluded" if home == former else "missing"
        assert rows["one"].unseen == {reason: 1}
        if home == former:
            return
    pytest.fail("no order of pages in which the former address came first")


# Of a crawl

SHELL = '<body><div id="app"></div><script src="/main.js"></script>'


def fill(web: LoopbackWeb) -> None:
    """Serve a site with all that can go wrong, and others that can be seen."""
    robots = "User-agent: *\nDisallow: /secret"
    web.page("https://a.test/robots.txt", html=robots)
    web.page(
        "https://a.test/",
        *("/ok", "/gone", "/secret", "/slow", "/broken", "/moved", "/barred"),
        *("/intern", "/app"),
        *("https://x.test/", "https://shared.test/1", "https://shared.test/2"),
    )
    web.page("https://a.test/ok", "https://shared.test/2", "/deeper")
    web.page("https://a.test/slow", delay=math.inf)
    web.status("https://a.test/broken", 500)
    web.redirect("https://a.test/moved", "/ok")
    web.redirect("https://a.test/barred", "https://shared.test/3")
    web.redirect("https://a.test/intern", "https://intern/")
    web.page("https://a.test/app", html=SHELL)
    web.page("https://b.test/robots.txt", html="User-agent: *\nCrawl-delay: 99")
    web.page("https://b.test/")
    web.page("https://c.test/", *(f"/{n}" for n in range(15)), "https://x.test/")
    for number in range(15):
        web.page(f"https://c.test/{number}")
    web.redirect("https://d.test/", "https://e.test/start")
    web.page("https://e.test/start", "https://x.test/")
    web.page("https://x.test/")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawl]:
    web = LoopbackWeb()
    fill(web)
    with Proxy(web) as proxy:
        crawl = Crawl(tmp_path_factory.mktemp("coverage"), proxy.environment)
        names = {"ISSUECRAWL_PAGES_PER_SITE": 12, "DOWNLOAD_TIMEOUT": 2}
        line = crawl.arguments(
            {**names, "RETRY_TIMES": 0},
            seeds="https://a.test/,https://b.test/,https://c.test/,https://d.test/",
            exclude="shared.test",
        )
        done = crawl.scrapy(*line, "-O", "items.jsonl")
        assert done.returncode == 0, done.stderr
        yield crawl


def numbers(row: dict[str, str]) -> dict[str, int]:
    """Return what is not 0 of a row of coverage.csv."""
    return {name: int(text) for name, text in row.items() if text.strip("0").isdigit()}


def rows(folder: Path) -> dict[str, dict[str, int]]:
    return {row["site"]: numbers(row) for row in table(folder / "coverage.csv")}


def test_crawl_says_what_it_could_not_see(crawled: Crawl) -> None:
    network = crawled.folder / "networks" / "1"
    assert {row["site"]: row["role"] for row in table(network / "coverage.csv")} == {
        "a.test": "periphery",
        "b.test": "",
        "c.test": "periphery",
        "d.test": "",
        "e.test": "periphery",
        "x.test": "core",
    }
    assert rows(network) == {
        "a.test": {
            "due": 10,
            "retrieved": 3,
            "redirected": 1,
            "gone": 1,
            "robots": 1,
            "timeout": 1,
            "error": 1,
            "excluded": 1,
            "not_public": 1,
            "needs_javascript": 1,
            "excluded_links": 2,
        },
        "b.test": {"due": 1, "delay": 1},
        "c.test": {"due": 16, "retrieved": 12, "budget": 4},
        "d.test": {"due": 1, "redirected": 1},
        "e.test": {"due": 1, "retrieved": 1},
        "x.test": {"due": 1, "retrieved": 1},
    }
    graph = json.loads((network / "network.json").read_text())
    assert {node["id"]: node["unseen"] for node in graph["nodes"]} == {
        "a.test": 6,
        "c.test": 4,
        "e.test": 0,
        "x.test": 0,
    }


def test_starting_points_say_what_became_of_them(crawled: Crawl) -> None:
    network = crawled.folder / "networks" / "1"
    assert [
        (row["url"], row["state"], row["reason"], row["final_url"], row["role"])
        for row in table(network / "starting_points.csv")
    ] == [
        ("https://a.test/", "retrieved", "", "https://a.test/", "periphery"),
        ("https://b.test/", "skipped", "crawl-delay 99 s", "https://b.test/", ""),
        ("https://c.test/", "retrieved", "", "https://c.test/", "periphery"),
        ("https://d.test/", "retrieved", "", "https://e.test/start", "periphery"),
    ]


@pytest.mark.parametrize("options", [(), ("--mode", "page", "--depth", "0")])
def test_items_and_engines_give_the_same_evidence_and_coverage(
    options: tuple[str, ...], crawled: Crawl
) -> None:
    formats = ("--format", "csv,evidence", *options)
    ways: list[tuple[str, ...]] = [("1",), ("items.jsonl",)]
    if find_spec("duckdb_extensions"):
        ways.append(("1", "--engine", "duckdb"))
    for number, way in enumerate(ways):
        done = crawled.scrapy("analyze", *way, "--out", number, *formats)
        assert done.returncode == 0, done.stderr
    by_store, *others = (crawled.folder / str(number) for number in range(len(ways)))
    for name in ("evidence.csv", "coverage.csv", "starting_points.csv"):
        for other in others:
            assert (by_store / name).read_bytes() == (other / name).read_bytes()
    assert {
        row["node"].strip("/").split("/")[-1]
        for row in table(by_store / "evidence.csv")
    } == {"x.test"}


def test_page_that_was_never_asked_for_is_missing(crawled: Crawl) -> None:
    options = ("--depth", "2", "--format", "csv", "--out", "deeper")
    done = crawled.scrapy("analyze", "1", *options)

    assert done.returncode == 0
    found = rows(crawled.folder / "deeper")
    assert found["a.test"]["missing"] == 1
    missing = (crawled.folder / "deeper" / "missing.txt").read_text().splitlines()
    assert len(missing) == 5
    assert found["c.test"]["budget"] == 4
