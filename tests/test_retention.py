"""Retention: who is kept, by whose votes, and where it is started."""

from __future__ import annotations

import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import numpy as np
import pytest

from analysis.compute import network, next_starting_points
from analysis.course import Course
from analysis.engines import open_engine
from analysis.linking import linking
from analysis.retention import KEPT
from analysis.starts import seeds
from analysis.view import View
from issuecrawl.model.errors import AnalysisError
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.hashing import address_hash, signed
from issuecrawl.store.reader import StoredCrawl
from tests import webs
from tests.oracle import Link, PageFacts, Pass
from tests.small_crawls import starts_after, stored
from tests.stored_webs import CRAWL, Crawled
from tests.web_strategies import STYLES
from tests.webs import web_of, web_of_links

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.engines import EngineName
    from tests.oracle import Web

ENGINES: Final[tuple[EngineName, ...]] = ("sqlite", "duckdb")

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"
SHOP, BLOG = "https://shop.z.example/", "https://blog.z.example/"
X, Y = "https://x.example/", "https://y.example/"


def kept(web: Web, *starts: str, **changes: object) -> dict[str, str]:
    """Return the address and the reason of each page that pass 1 begins with."""
    changes = {"mode": "page", "depth": 0} | changes
    found = starts_after(web, starts, **changes)
    return {start.url: start.why for start in found}


def test_page_linked_from_two_sites_is_kept() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y)])

    assert kept(web, A, B) == {X: "co-linked by 2"}


def test_links_from_one_site_are_one_vote() -> None:
    web = web_of_links([(A, X), (A + "1", X)])

    assert kept(web, A, A + "1") == {}


def test_sites_of_one_domain_are_one_voter_unless_sites_vote() -> None:
    web = web_of_links([(SHOP, X), (BLOG, X)])

    assert kept(web, SHOP, BLOG) == {}
    assert kept(web, SHOP, BLOG, voters="site") == {X: "co-linked by 2"}


def test_own_voter_is_not_counted() -> None:
    web = web_of_links([(SHOP, BLOG), (A, BLOG), (B, X), (A, X)])

    assert kept(web, SHOP, A, B) == {X: "co-linked by 2"}
    assert BLOG in kept(web, SHOP, A, B, voters="site")


def test_pages_vote_where_votes_says_so() -> None:
    web = web_of_links([(A, X), (A + "1", X), (A, Y)])

    assert kept(web, A, A + "1", votes="pages") == {X: "co-linked by 2"}


def test_links_within_the_site_are_no_votes() -> None:
    web = web_of_links([(A, A + "1"), (A + "2", A + "1")])

    assert kept(web, A, A + "2", votes="pages") == {}


@pytest.mark.parametrize(
    ("link", "changes", "votes"),
    [
        (Link(X), {}, True),
        (Link(X, kind="area"), {}, True),
        (Link(X, kind="refresh"), {}, True),
        (Link(X, kind="link"), {"embeds": "vote"}, False),
        (Link(X, kind="iframe"), {}, False),
        (Link(X, kind="iframe"), {"embeds": "vote"}, True),
        (Link(X, kind="frame"), {"embeds": "vote"}, True),
        (Link(X, rel="nofollow"), {}, True),
        (Link(X, rel="nofollow"), {"rel": "follow"}, False),
        (Link(X, rel="ugc me"), {"rel": "follow"}, False),
        (Link(X, rel="sponsored"), {"rel": "follow"}, False),
        (Link(X, rel="license me"), {"rel": "follow"}, True),
        (Link(X, placement="footer"), {}, True),
        (Link(X, placement="footer"), {"placement": "body"}, False),
    ],
)
def test_links_that_vote(link: Link, changes: dict[str, str], *, votes: bool) -> None:
    web = web_of_links([(A, link), (B, X)])

    assert (X in kept(web, A, B, **changes)) == votes


def test_one_link_in_the_body_is_enough() -> None:
    web = web_of_links([(A, Link(X, placement="footer")), (A, X), (B, X)])

    assert X in kept(web, A, B, placement="body")


def test_link_of_a_page_that_robots_should_not_follow_votes() -> None:
    page = PageFacts((Link(X),), nofollow=True)
    web = web_of({A: page, B: page})

    assert X in kept(web, A, B)


def test_votes_for_a_page_that_redirects_are_votes_for_where_it_leads() -> None:
    web = web_of_links([(A, A + "out"), (B, X)], redirects={A + "out": X})

    assert kept(web, A, B, depth=1) == {X: "co-linked by 2"}
    assert kept(web, A, B) == {}


def test_link_out_by_a_redirect_keeps_its_own_kind_and_placement() -> None:
    footer = Link(A + "out", placement="footer", rel="nofollow")
    web = web_of_links([(A, footer), (B, X)], redirects={A + "out": X})

    assert X in kept(web, A, B, depth=1)
    assert X not in kept(web, A, B, depth=1, placement="body")
    assert X not in kept(web, A, B, depth=1, rel="follow")


def test_link_out_at_the_depth_limit_votes_once_its_redirect_is_known() -> None:
    web = web_of_links(
        [(A, A + "1"), (A + "1", A + "out"), (A, A + "out"), (B, X)],
        redirects={A + "out": X},
    )

    assert kept(web, A, B, depth=1, votes="pages", threshold=3) == {X: "co-linked by 3"}


def test_link_back_into_the_site_by_a_redirect_is_no_vote() -> None:
    web = web_of_links([(A, X), (B, X), (X, X)], redirects={X: A + "1"})

    # Only the starting point X is asked for, so that its redirect is known.
    assert kept(web, A, B, C, X, threshold=1) == {A + "1": "co-linked by 1"}


def test_excluded_page_is_not_kept_and_its_site_may_be() -> None:
    web = web_of_links([(A, X + "1"), (B, X + "1"), (A, X), (B, X)])

    assert kept(web, A, B, exclude=("substring:/1",)) == {X: "co-linked by 2"}
    assert kept(web, A, B, exclude=("x.example",)) == {}


def test_page_that_is_not_public_is_not_kept() -> None:
    web = web_of_links([(A, "https://intern/"), (B, "https://intern/")])

    assert kept(web, A, B) == {}


def test_privileged_starting_points_come_first_and_in_their_order() -> None:
    web = web_of_links([(A, X), (B, X), (A, B), (C, B), (B, C + "1"), (A, C + "1")])

    found = kept(web, C, B, A, privilege=True)

    assert list(found.items()) == [
        (C, "privileged"),
        (B, "privileged"),
        (A, "privileged"),
        (C + "1", "co-linked by 2"),
        (X, "co-linked by 2"),
    ]


def test_snowball_keeps_starting_points_and_everything_linked_to() -> None:
    web = web_of_links([(SHOP, BLOG), (SHOP, X)])

    assert kept(web, SHOP, analysis="snowball", threshold=5) == {
        SHOP: "privileged",
        BLOG: "linked",
        X: "linked",
    }


def test_site_is_kept_by_links_to_different_pages_of_it() -> None:
    web = web_of_links([(A, X + "1"), (B, X + "2")])

    assert kept(web, A, B) == {}
    assert kept(web, A, B, mode="site") == {X: "co-linked by 2"}


DEEP = "https://x.example:8080/deep"
FLAT = "https://x.example/flat"
"""Two pages of a site whose home pages differ."""


@pytest.fixture
def one_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the port for no part of the site, as the program does."""
    monkeypatch.setattr(webs, "host", lambda page: urlsplit(page).hostname)


@pytest.mark.usefixtures("one_site")
@pytest.mark.parametrize(
    ("links", "home"),
    [
        ([(A, DEEP), (B, DEEP), (C, FLAT), (C + "1", FLAT), (C + "2", FLAT)], DEEP),
        ([(A, DEEP), (B, FLAT), (B + "1", FLAT)], FLAT),
        ([(A, FLAT), (B, DEEP), (B + "1", DEEP)], DEEP),
        ([(A, DEEP), (B, FLAT)], FLAT),
    ],
    ids=["most voters", "then most pages", "whichever it is", "then the first"],
)
def test_site_is_started_at_the_root_of_its_most_linked_page(
    links: list[tuple[str, str]], home: str
) -> None:
    starts = sorted({source for source, _ in links})

    found = kept(web_of_links(links), *starts, mode="site")

    assert list(found) == [home.rpartition("/")[0] + "/"]


def test_site_of_a_rule_is_started_at_its_prefix() -> None:
    one = "https://social.example/one"
    web = web_of_links([(A, one + "/1"), (B, one + "/2")])

    assert kept(web, A, B, mode="site") == {one: "co-linked by 2"}


def test_home_page_that_the_store_does_not_hold_has_no_number() -> None:
    web = web_of_links([(A, X + "1"), (B, X + "1"), (A, Y), (B, Y)])

    found = starts_after(web, (A, B), depth=0)

    assert [(start.url, start.page is None) for start in found] == [
        (X, True),
        (Y, False),
    ]


def test_home_page_is_found_by_its_identity() -> None:
    web = web_of_links([(A, "http://www.x.example/"), (B, "http://www.x.example/")])
    crawl = stored(web, (A, B))
    hashed = signed(address_hash(X, bytes(crawl.record["salt"])))
    crawl.db.execute(
        "UPDATE page SET hash = ? WHERE url = 'http://www.x.example/'", (hashed,)
    )

    (found,) = next_starting_points(crawl, Parameters(depth=0), 0)

    assert (found.url, found.page is None) == ("http://www.x.example/", False)


def test_starting_points_of_a_running_crawl_are_those_stored() -> None:
    web = web_of_links([(A, X), (B, X), (X, Y), (A, Y)])
    crawl = stored(web, (A, B))
    number = {url: page for page, url in crawl.all_urls()}
    rows = [
        (CRAWL, 1, number[X], "co-linked by 2"),
        (CRAWL, 1, number[A], "privileged"),
    ]
    crawl.db.executemany("INSERT INTO starting_point VALUES (?, ?, ?, ?)", rows)

    found = next_starting_points(crawl, Parameters(mode="page", depth=0), 1)

    assert [start.url for start in found] == [Y]


# Engines


def many_links(seed: int) -> tuple[Web, tuple[str, ...]]:
    """Return a web of some thousand links of all sorts, and starting points in it."""
    choose = random.Random(seed)  # noqa: S311
    pages = [
        f"https://{h}.{d}.example/{n or ''}"
        for h in "abc"
        for d in "uvwxyz"
        for n in range(9)
    ]
    styles = [Link("", *style) for style in STYLES]
    found: dict[str, PageFacts] = {}
    for page in pages:
        links = tuple(
            replace(choose.choice(styles), target=choose.choice(pages))
            for _ in range(choose.randrange(60))
        )
        moved = choose.choice(pages) if choose.random() < 0.2 else None
        found[page] = PageFacts(() if moved else links, redirect=moved)
    return web_of(found), tuple(choose.sample(pages, 40))


ON_TWO_ENGINES = [
    Parameters(mode="page", depth=1, threshold=3),
    Parameters(mode="site", depth=2, exclude=("b.w.example", "substring:/7")),
    Parameters(mode="page", votes="pages", placement="body", threshold=4),
    Parameters(mode="site", voters="site", rel="follow", embeds="vote"),
    Parameters(mode="page", analysis="snowball", depth=0),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    web, starts = many_links(1)
    everything = Pass(set(starts), set(), set(web.pages), set())
    crawled = Crawled(web, starts, Parameters(), [everything])
    path = tmp_path_factory.mktemp("store") / "it's.db"
    with closing(crawled.store()) as memory, closing(sqlite3.connect(path)) as db:
        memory.backup(db)
    return path


@pytest.mark.parametrize(
    "chosen", ON_TWO_ENGINES, ids=lambda one: f"{one.mode} {one.analysis} {one.votes}"
)
def test_duckdb_finds_the_rows_that_sqlite_finds(
    store: Path, chosen: Parameters
) -> None:
    pytest.importorskip("duckdb_extensions")

    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        one, two = (rows(StoredCrawl(db, CRAWL), chosen, name) for name in ENGINES)

    assert len(one["kept"][0]) > 3
    assert one == two


def rows(crawl: StoredCrawl, chosen: Parameters, name: EngineName) -> dict[str, Any]:
    engine = open_engine(crawl, name)
    try:
        course = Course(View(crawl, chosen, own=False), engine)
        course.begin(seeds(course.view))
        retention = course.analyse()
        units, voices = retention.kept()
        sites = np.arange(1, len(crawl.sites))
        return {
            "kept": (units.tolist(), voices.tolist()),
            "voices": [column.tolist() for column in retention.voices(units)],
            "most linked": retention.most_linked(sites),
            "pairs": linking(course, sites.tolist()).weights(),
        }
    finally:
        engine.close()


def test_networks_of_both_engines_are_equal(store: Path) -> None:
    pytest.importorskip("duckdb_extensions")
    chosen = Parameters(mode="page", threshold=3, iterations=2, authority=1)

    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        one, two = (
            network(StoredCrawl(db, CRAWL), chosen, own=False, engine=name)
            for name in ENGINES
        )

    assert (one.pages, one.periphery, one.sites) == (
        two.pages,
        two.periphery,
        two.sites,
    )
    assert one.pages


def test_duckdb_needs_a_store_in_a_file() -> None:
    pytest.importorskip("duckdb_extensions")
    crawl = stored(web_of_links([(A, X)]), (A,))

    with pytest.raises(AnalysisError, match="in memory"):
        open_engine(crawl, "duckdb")


def test_retention_reads_the_links_once_and_builds_no_index_on_them(
    store: Path,
) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        crawl = StoredCrawl(db, CRAWL)
        course = Course(View(crawl, Parameters(), own=False), open_engine(crawl))
        course.begin(seeds(course.view))
        course.analyse()
        names = set(re.findall(r"\$(\w+)", KEPT))
        plan = db.execute(f"EXPLAIN QUERY PLAN {KEPT}", dict.fromkeys(names, 0))
        steps = [step for *_, step in plan]

    assert sum("SEARCH l " in step for step in steps) == 1
    assert not any("AUTOMATIC" in step for step in steps)


def test_nothing_is_left_behind_in_the_connection(store: Path) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        before = db.execute("PRAGMA cache_size").fetchone()
        network(StoredCrawl(db, CRAWL), Parameters(), own=False)

        assert db.execute("SELECT * FROM sqlite_temp_master").fetchall() == []
        assert db.execute("PRAGMA cache_size").fetchone() == before
