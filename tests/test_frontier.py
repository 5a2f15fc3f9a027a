"""The frontier asks for what a pass needs, whatever answers first."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from issuecrawl.frontier.budget import Limits
from issuecrawl.frontier.frontier import Frontier
from issuecrawl.frontier.health import Health
from issuecrawl.model.link import Link
from issuecrawl.model.page import NOT_PUBLIC, Page, State
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.database import connect
from tests.oracle import Link as Said
from tests.oracle import PageFacts, Rules, Web
from tests.test_store import new_crawl, writer_of
from tests.webs import web_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from issuecrawl.frontier.frontier import Due
    from issuecrawl.model.link import Kind
    from issuecrawl.store.writer import CrawlWriter

PAGES = [
    f"https://{host}/{name}"
    for host in ("a.test", "b.test", "shop.b.test")
    for name in ("", "1", "2", "3")
]


KINDS: list[Kind] = ["a", "a", "a", "iframe", "link"]


@st.composite
def webs(draw: st.DrawFn) -> Web:
    targets = [*PAGES, "https://intern/x"]
    pages = {}
    for page in PAGES:
        kind = draw(st.sampled_from(["links", "links", "links", "redirect", "fails"]))
        if kind == "redirect":
            pages[page] = PageFacts(redirect=draw(st.sampled_from(targets)))
        elif kind == "links":
            said = draw(st.lists(st.sampled_from(targets), max_size=4))
            kinds = st.sampled_from(KINDS)
            links = tuple(Said(target, draw(kinds)) for target in said)
            pages[page] = PageFacts(links, nofollow=draw(st.integers(0, 9)) == 0)
    return web_of(pages)


class Crawl:
    """Fetches a pass of a web in an order that *choose* takes."""

    def __init__(
        self, path: Path, web: Web, limits: Limits, choose: Callable[[int], int]
    ) -> None:
        self.path, self.web, self.limits, self.choose = path, web, limits, choose
        self.asked: list[str] = []
        self.ended: list[Page] = []
        self.writer, self.frontier = self.open()

    def open(self) -> tuple[CrawlWriter, Frontier]:
        writer = writer_of(self.path, 1)
        health = Health(0.0)
        return writer, Frontier(writer, self.limits, health, self.ended.append)

    def run(self, starts: Sequence[str], *, die_after: int = 10**9) -> None:
        """Run the pass; die once and resume when so many pages have answered."""
        self.frontier.begin(0, [self.writer.number(url) for url in starts])
        flying: list[Due] = []
        answered = 0
        while True:
            while len(flying) < 5 and (due := self.frontier.take()):
                flying.append(due)
                self.asked.append(due.url)
            if not flying:
                if self.frontier.share_out():
                    continue
                break
            due = flying.pop(self.choose(len(flying)))
            answer = self.writer.record(due.page, self.item(due.url, due.depth))
            self.frontier.answered(answer)
            self.writer.tick()
            answered += 1
            if answered == die_after:
                self.writer.close()
                self.writer, self.frontier = self.open()
                for lost in flying:
                    self.asked.remove(lost.url)
                flying.clear()
                self.frontier.begin(0, [self.writer.number(url) for url in starts])
        assert not self.frontier.has_pending()
        assert not self.frontier.in_flight

    def item(self, url: str, depth: int) -> Page:
        facts = self.web.facts(url)
        item = Page(url, fetched="2026-11-30 12:00:00", depth=depth)
        if not facts.answers:
            item.outcome = State.FAILED.word
        elif facts.redirect is not None:
            item.outcome, item.redirect = State.REDIRECTED.word, facts.redirect
            if not self.web.public(facts.redirect):
                item.redirect_judged = NOT_PUBLIC
        else:
            item.nofollow = facts.nofollow
            item.links = [
                Link(
                    said.target,
                    said.kind,
                    judged="follow" if self.web.public(said.target) else NOT_PUBLIC,
                )
                for said in facts.links
            ]
        return item


def crawl_of(
    web: Web, limits: Limits, choose: Callable[[int], int], folder: str
) -> Crawl:
    path = Path(folder) / "store.db"
    new_crawl(path)
    return Crawl(path, web, limits, choose)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    webs(),
    st.lists(st.sampled_from(PAGES), min_size=1, max_size=4, unique=True),
    st.integers(0, 3),
    st.integers(1, 2),
    st.integers(1, 20),
    st.data(),
)
def test_pass_asks_for_its_reach_once_in_any_order_of_answers_and_after_a_death(
    web: Web,
    starts: list[str],
    depth: int,
    at_once: int,
    die_after: int,
    data: st.DataObject,
) -> None:
    def choose(count: int) -> int:
        return data.draw(st.integers(0, count - 1))

    with tempfile.TemporaryDirectory() as folder:
        crawl = crawl_of(web, Limits(depth, 0, 0, at_once), choose, folder)
        crawl.run(starts, die_after=die_after)
        crawl.writer.close()
    right = Rules(web, tuple(starts), Parameters(depth=depth)).fetch(set(starts))
    assert sorted(crawl.asked) == sorted(right.asked)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    webs(),
    st.sampled_from([(n, 0) for n in range(1, 5)] + [(0, n) for n in range(1, 12)]),
    st.integers(0, 8),
    st.data(),
)
def test_budget_cuts_at_the_same_place_in_any_order_of_answers(
    web: Web, budget: tuple[int, int], die_after: int, data: st.DataObject
) -> None:
    # Redirects between sites aside: a starting point that comes late finds pages
    # fetched that would have come after it.
    pages = {
        page: PageFacts(facts.links, answers=facts.answers, redirect=redirect)
        for page, facts in web.pages.items()
        for redirect in [facts.redirect]
        if redirect is None or urlsplit(redirect).netloc == urlsplit(page).netloc
    }
    plain = web_of(pages)
    starts = ["https://a.test/", "https://b.test/", "https://shop.b.test/1"]

    def asked(choose: Callable[[int], int], die_after: int) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            crawl = crawl_of(plain, Limits(3, *budget, 2), choose, folder)
            crawl.run(starts, die_after=die_after)
            crawl.writer.close()
            assert not budget[1] or len(crawl.asked) <= budget[1]
            return sorted(crawl.asked)

    first = asked(lambda _count: 0, 10**9)
    again = asked(lambda count: data.draw(st.integers(0, count - 1)), die_after)
    assert first == again


def test_page_reached_by_a_longer_way_first_goes_on_from_its_shorter_way(
    tmp_path: Path,
) -> None:
    # The long arm of the diamond is /1 /2 /3, the short one a redirect of b.test.
    pages = {
        "https://a.test/": PageFacts((Said("https://a.test/1"),)),
        "https://a.test/1": PageFacts((Said("https://a.test/2"),)),
        "https://a.test/2": PageFacts((Said("https://a.test/3"),)),
        "https://a.test/3": PageFacts(),
        "https://b.test/": PageFacts(redirect="https://a.test/1"),
    }
    crawl = crawl_of(
        web_of(pages), Limits(2, 0, 0, 1), lambda count: count - 1, str(tmp_path)
    )
    crawl.run(["https://a.test/", "https://b.test/"])
    crawl.writer.close()
    assert set(crawl.asked) == set(pages)
    assert len(crawl.asked) == len(pages)


def test_page_budget_of_the_crawl_ends_it_and_what_is_cut_is_told(
    tmp_path: Path,
) -> None:
    targets = tuple(Said(f"https://a.test/{n}") for n in range(9))
    pages = {"https://a.test/": PageFacts(targets)}
    crawl = crawl_of(web_of(pages), Limits(1, 0, 4, 1), lambda _count: 0, str(tmp_path))
    crawl.run(["https://a.test/"])
    crawl.writer.flush()
    assert len(crawl.asked) == 4
    assert crawl.frontier.cut == len(crawl.ended) == 6
    assert {(page.outcome, page.reason) for page in crawl.ended} == {
        ("skipped", "budget")
    }
    db = connect(crawl.path)
    (skipped,) = db.execute(
        "SELECT COUNT(*) FROM page WHERE state = ?", (State.SKIPPED,)
    ).fetchone()
    assert skipped == 6
    db.close()
    crawl.writer.close()
