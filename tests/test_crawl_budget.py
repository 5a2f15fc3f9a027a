"""What a budget leaves out is told, and is the same every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.stored import ends

if TYPE_CHECKING:
    from tests.conftest import Crawl, Finished, LoopbackWeb

SITES = ("a", "b", "c")
SEEDS = ",".join(f"https://{name}.test/" for name in SITES)


def fill(web: LoopbackWeb, *, delays: dict[str, float]) -> None:
    """Make three sites of 1 + 2 + 8, 1 + 4 + 4 and 1 + 1 pages."""
    for name, (wide, deep) in zip(SITES, [(2, 4), (4, 1), (1, 0)], strict=True):
        home = f"https://{name}.test/"
        arms = [f"{home}{n}" for n in range(wide)]
        web.page(home, *arms, "https://x.test/", delay=delays.get(home, 0))
        for arm in arms:
            leaves = [f"{arm}/{n}" for n in range(deep)]
            web.page(arm, *leaves, "https://x.test/page", delay=delays.get(arm, 0))
            for leaf in leaves:
                web.page(leaf, delay=delays.get(leaf, 0))
    web.page("https://x.test/")


DELAYS: tuple[dict[str, float], ...] = (
    {"https://a.test/": 0.4, "https://b.test/0": 0.2},
    {"https://b.test/": 0.4, "https://a.test/0": 0.3, "https://c.test/": 0.1},
)


@pytest.mark.parametrize(
    ("setting", "limit", "fetched"),
    [
        # Home and arms; of b.test one leaf.
        ("ISSUECRAWL_PAGES_PER_SITE", 6, {"a": 6, "b": 6, "c": 2}),
        # Four each, and what c.test leaves to a and b.
        ("ISSUECRAWL_PAGES", 12, {"a": 5, "b": 5, "c": 2}),
        ("ISSUECRAWL_PAGES", 13, {"a": 6, "b": 5, "c": 2}),
    ],
)
def test_budget_cuts_at_the_same_place_whoever_is_slow(
    web: LoopbackWeb,
    crawl: Crawl,
    setting: str,
    limit: int,
    fetched: dict[str, int],
) -> None:
    asked = []
    for delays in DELAYS:
        web.answers.clear()
        web.hits.clear()
        fill(web, delays=delays)
        done = crawl(
            {setting: limit, "CONCURRENT_REQUESTS_PER_DOMAIN": 3},
            seeds=SEEDS,
            depth=2,
        )
        assert done.returncode == 0, done.stderr
        asked.append(sorted(url for url in web.asked() if "x.test" not in url))
    assert asked[0] == asked[1]
    assert {name: len(web.asked(f"{name}.test")) for name in SITES} == fetched


@pytest.fixture
def cut(web: LoopbackWeb, crawl: Crawl) -> Finished:
    fill(web, delays={})
    done = crawl({"ISSUECRAWL_PAGES_PER_SITE": 4}, seeds=SEEDS, depth=2)
    assert done.returncode == 0, done.stderr
    return done


def test_what_a_budget_cuts_is_skipped_and_the_network_says_that_it_is_incomplete(
    cut: Finished, web: LoopbackWeb
) -> None:
    stored = ends(cut.store)
    skipped = sorted(url for url, end in stored.items() if end == "skipped")
    # Of a.test 7 of its 8 leaves; of b.test an arm, and the leaves of the others.
    in_a, in_b = 7, 1 + 3
    assert len(skipped) == in_a + in_b
    assert not set(skipped) & set(web.asked())
    missing = (cut.network() / "missing.txt").read_text(encoding="utf-8").split()
    assert sorted(missing) == skipped
    assert "incomplete 11 pages" in cut.stderr
    assert "11 skipped" in cut.stderr
    xml = (cut.network() / "network.xml").read_text(encoding="utf-8")
    description = xml.partition("<Description>")[2].partition("</Description>")[0]
    assert "ncomplete" in description
    assert "11" in description


def test_budget_of_0_is_no_limit(web: LoopbackWeb, crawl: Crawl) -> None:
    fill(web, delays={})
    done = crawl(
        {"ISSUECRAWL_PAGES_PER_SITE": 0, "ISSUECRAWL_PAGES": 0}, seeds=SEEDS, depth=2
    )
    assert done.returncode == 0, done.stderr
    assert len([url for url in web.asked() if "x.test" not in url]) == 11 + 9 + 2
    assert not (done.network() / "missing.txt").exists() or not (
        done.network() / "missing.txt"
    ).read_text(encoding="utf-8")


def test_site_has_its_budget_anew_in_each_pass(web: LoopbackWeb, crawl: Crawl) -> None:
    web.page("https://a.test/", "/1", "/2")
    web.page("https://a.test/1")
    web.page("https://a.test/2")
    web.page("https://a.test/kept", "/3", "/4")
    web.page("https://a.test/3")
    web.page("https://a.test/4")
    for name in ("b", "c"):
        web.page(f"https://{name}.test/", "https://a.test/kept")
    done = crawl(
        {"ISSUECRAWL_PAGES_PER_SITE": 2},
        seeds="https://a.test/,https://b.test/,https://c.test/",
        mode="page",
    )
    assert done.returncode == 0, done.stderr
    paths = [url.removeprefix("https://a.test/") for url in web.asked("a.test")]
    assert paths == ["", "1", "kept", "3"]
