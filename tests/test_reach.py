"""Reach: what a pass fetches, counted by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from analysis.reach import reach
from analysis.view import View
from issuecrawl.model.parameters import Parameters
from tests.oracle import HOPS, Link, PageFacts, Web
from tests.small_crawls import stored
from tests.webs import web_of, web_of_links

if TYPE_CHECKING:
    from issuecrawl.model.link import Kind

A, B, X = "https://a.example/", "https://b.example/", "https://x.example/"


def depths(web: Web, *starts: str, **changes: Any) -> dict[str, int]:
    """Return the depth of each page in reach."""
    return told(web, *starts, **changes)[0]


def asked(web: Web, *starts: str, **changes: Any) -> set[str]:
    return told(web, *starts, **changes)[1]


def told(web: Web, *starts: str, **changes: Any) -> tuple[dict[str, int], set[str]]:
    crawl = stored(web, starts, **changes)
    view = View(crawl, Parameters(**changes), own=True)
    found = reach(view, view.seeds, 0)
    urls = dict(crawl.all_urls())
    inside = np.flatnonzero(found.inside).tolist()
    return (
        {urls[page]: int(found.depths[page]) for page in inside},
        {urls[page] for page in np.flatnonzero(found.asked).tolist()},
    )


CHAIN = web_of_links([(A, A + "1"), (A + "1", A + "2"), (A + "2", A + "3")])


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_depth_is_steps_from_a_starting_point(depth: int) -> None:
    found = depths(CHAIN, A, depth=depth)

    assert found == {A + str(n or ""): n for n in range(depth + 1)}


def test_page_reached_two_ways_has_the_depth_of_the_shorter() -> None:
    web = web_of_links(
        [
            (A, A + "long"),
            (A + "long", A + "longer"),
            (A + "longer", A + "end"),
            (A, A + "short"),
            (A + "short", A + "end"),
            (A + "end", A + "beyond"),
        ]
    )

    found = depths(web, A, depth=3)

    assert (found[A + "end"], found[A + "beyond"]) == (2, 3)


def test_starting_point_is_at_depth_0_wherever_else_it_is_found() -> None:
    assert depths(CHAIN, A, A + "2", depth=1) == {
        A: 0,
        A + "1": 1,
        A + "2": 0,
        A + "3": 1,
    }


def test_step_stays_within_the_site() -> None:
    web = web_of_links([(A, X), (X, X + "1"), (A, A + "1")])

    assert depths(web, A, depth=2) == {A: 0, A + "1": 1}


@pytest.mark.parametrize(
    ("kind", "is_followed"),
    [
        ("a", True),
        ("area", True),
        ("refresh", True),
        ("frame", True),
        ("iframe", True),
        ("link", False),
    ],
)
def test_kinds_of_link_that_are_followed(kind: Kind, *, is_followed: bool) -> None:
    web = web_of_links([(A, Link(A + "1", kind=kind))])

    assert (A + "1" in asked(web, A)) == is_followed


def test_page_that_asks_robots_not_to_follow_is_heeded() -> None:
    web = web_of({A: PageFacts((Link(A + "1"),), nofollow=True)})

    assert asked(web, A) == {A}


def test_links_marked_nofollow_are_followed_within_the_site() -> None:
    web = web_of_links([(A, Link(A + "1", rel="nofollow"))])

    assert A + "1" in depths(web, A, rel="follow")


def test_redirect_within_the_site_is_no_step_of_its_own() -> None:
    web = web_of_links(
        [(A, A + "old"), (A + "new", A + "1")], redirects={A + "old": A + "new"}
    )

    found, wanted = told(web, A, depth=2)

    assert found == {A: 0, A + "new": 1, A + "1": 2}
    assert wanted == {A, A + "old", A + "new", A + "1"}


def test_landing_page_on_another_site_is_asked_for_and_not_in_reach() -> None:
    web = web_of_links([(A, A + "out"), (X, X + "1")], redirects={A + "out": X})

    found, wanted = told(web, A, depth=2)

    assert found == {A: 0}
    assert wanted == {A, A + "out", X}


def test_redirect_that_comes_back_to_the_site_is_a_step() -> None:
    redirects = {A + "out": X, X: A + "back"}
    web = web_of_links([(A, A + "out"), (A + "back", A + "1")], redirects)

    assert depths(web, A, depth=2) == {A: 0, A + "back": 1, A + "1": 2}


def test_starting_point_that_moved_is_reached_where_it_moved_to() -> None:
    web = web_of_links([(X, X + "1"), (A + "1", A)], redirects={A: X})

    assert depths(web, A, depth=1) == {X: 0, X + "1": 1}


def test_two_starting_points_that_meet_are_one() -> None:
    web = web_of_links([(X, X + "1")], redirects={A: X, B: X})

    assert depths(web, A, B, depth=1) == {X: 0, X + "1": 1}


def test_redirects_in_a_circle_leave_each_page_itself() -> None:
    web = web_of_links([], redirects={A: A + "1", A + "1": A})

    assert depths(web, A, A + "1") == {A: 0, A + "1": 0}


@pytest.mark.parametrize("hops", [HOPS - 1, HOPS, HOPS + 1])
def test_redirects_are_followed_for_twenty_hops(hops: int) -> None:
    chain = [f"{A}{number}" for number in range(hops + 1)]
    web = web_of_links([], redirects=dict(pairwise(chain)))

    found, wanted = told(web, chain[0])

    assert found == {chain[-1 if hops <= HOPS else 0]: 0}
    assert len(wanted) == min(hops, HOPS) + 1


def test_redirect_to_an_excluded_page_is_not_taken() -> None:
    web = web_of_links([(A, A + "out")], redirects={A + "out": X})

    found, wanted = told(web, A, exclude=("x.example",))

    assert found == {A: 0, A + "out": 1}
    assert X not in wanted


def test_excluded_page_is_not_asked_for_unless_it_is_a_starting_point() -> None:
    web = web_of_links([(A, A + "1"), (A, A + "2"), (A + "1", A + "3")])
    exclude = ("substring:/1", "substring:/2")

    assert depths(web, A, A + "1", exclude=exclude) == {A: 0, A + "1": 0, A + "3": 1}


def test_exclusion_is_judged_anew_for_other_parameters() -> None:
    crawl = stored(CHAIN, (A,))
    view = View(crawl, Parameters(depth=3, exclude=("substring:/2",)), own=False)

    assert reach(view, view.seeds, 0).inside.sum() == 2


def test_page_that_is_not_public_is_not_asked_for() -> None:
    web = web_of_links([(A, A + "out")], redirects={A + "out": "https://intern/"})

    assert asked(web, A) == {A, A + "out"}


def test_own_network_counts_an_answer_from_its_pass_on() -> None:
    crawl = stored(CHAIN, (A,), [A + "1"])
    own = View(crawl, Parameters(depth=2), own=True)
    other = View(crawl, Parameters(depth=2), own=False)

    assert reach(own, own.seeds, 0).inside.sum() == 2
    assert reach(own, own.seeds, 1).inside.sum() == 3
    assert reach(other, other.seeds, 0).inside.sum() == 3


def test_page_that_was_not_asked_for_is_asked_and_ends_the_walk() -> None:
    web = web_of({A: PageFacts((Link(A + "1"),))})

    found, wanted = told(web, A, depth=3)

    assert found == {A: 0, A + "1": 1}
    assert wanted == {A, A + "1"}
