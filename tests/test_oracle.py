"""The oracle against what can be counted by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Literal

import pytest

from issuecrawl.model.parameters import Parameters
from tests.oracle import HOPS, Link, PageFacts, analyze, crawl
from tests.webs import web_of, web_of_links

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"
X, Y = "https://x.example/", "https://y.example/"

AT_ONCE = Parameters(mode="page", depth=0)
"""One analysis of the starting points' own links, by page."""

WORKED = web_of_links(
    [
        (A, X + "1"),
        (B, X + "1"),
        (A, X + "2"),
        (B, X + "2"),
        (B, X + "2"),
        (B, Y),
        (C, C + "z"),
        (C, Y),
    ]
)


def test_worked_example_by_page() -> None:
    network = crawl(WORKED, (A, B, C), AT_ONCE).network

    assert network.voters == {
        X + "1": {"a.example", "b.example"},
        X + "2": {"a.example", "b.example"},
        Y: {"b.example", "c.example"},
    }
    assert network.pages == network.core


def test_worked_example_by_site() -> None:
    network = crawl(WORKED, (A, B, C), Parameters(depth=0)).network

    assert network.core == {"x.example", "y.example"}
    assert network.pages == {X + "1", X + "2", Y}
    assert network.inlinks == {"x.example": 4, "y.example": 2}
    assert network.edges == {}
    assert network.periphery == {A, B, C}


def test_worked_example_without_one_starting_point() -> None:
    assert crawl(WORKED, (A, B), Parameters(depth=0)).network.core == {"x.example"}


J01 = [
    (A, "https://t1.example/"),
    (A, "https://t1.example/"),
    (A + "p2", "https://t1.example/"),
    (A + "p2", "https://t3.example/"),
    (A + "p2", "https://t3.example/"),
    (B, "https://t2.example/x"),
    (C, "https://t2.example/x"),
    (A, A + "about"),
    (A + "p2", A + "about"),
    (B, A),
    (C, A),
    (B, B),
]
J02 = [
    ("https://org.example/nl/", "https://t.example/"),
    ("https://org.example/fr/", "https://t.example/"),
    ("https://org.example/nl/", "https://u.example/a"),
    ("https://z.example/", "https://u.example/b"),
    ("https://org.example/fr/", "https://org.example/nl/"),
    ("https://z.example/", "https://org.example/nl/"),
]


@pytest.mark.parametrize(
    ("links", "mode", "votes", "core"),
    [
        (J01, "page", "voters", {A, "https://t2.example/x"}),
        (
            J01,
            "page",
            "pages",
            {A, "https://t1.example/", "https://t2.example/x"},
        ),
        (J01, "site", "voters", {"a.example", "t2.example"}),
        (J01, "site", "pages", {"a.example", "t1.example", "t2.example"}),
        (J02, "page", "voters", set()),
        (J02, "page", "pages", {"https://t.example/"}),
        (J02, "site", "voters", {"u.example"}),
        (J02, "site", "pages", {"t.example", "u.example"}),
    ],
)
def test_votes_of_voters_and_of_pages(
    links: list[tuple[str, str]],
    mode: Literal["page", "site"],
    votes: Literal["voters", "pages"],
    core: set[str],
) -> None:
    starts = tuple(sorted({source for source, _ in links}))

    parameters = replace(AT_ONCE, mode=mode, votes=votes)

    assert crawl(web_of_links(links), starts, parameters).network.core == core


def test_two_links_from_one_page_and_two_pairs_weigh_as_pairs() -> None:
    starts = (A, A + "p2")
    parameters = Parameters(analysis="snowball", depth=0)

    network = crawl(web_of_links(J01), starts, parameters).network

    assert network.edges["a.example", "t1.example"] == 2


def test_nothing_kept_ends_in_an_empty_network() -> None:
    web = web_of_links([(A, X), (B, Y)])

    result = crawl(web, (A, B), replace(AT_ONCE, iterations=2))

    assert result.network.core == set()
    assert result.network.periphery == set()
    assert [one.reach for one in result.passes] == [{A, B}, set(), set()]


def test_exclusion_of_a_host_ends_at_label_borders() -> None:
    targets = [
        "https://www.blocked.example/x",
        "https://blocked.example/",
        "https://notblocked.example/",
        "https://blocked.example.evil.example/",
        "https://share.example/?u=http://blocked.example/",
    ]
    web = web_of_links([(source, target) for source in (A, B) for target in targets])

    parameters = replace(AT_ONCE, exclude=("blocked.example",))

    assert crawl(web, (A, B), parameters).network.core == set(targets[2:])


def test_page_at_the_depth_limit_is_followed_once_it_is_kept() -> None:
    web = web_of_links(
        [(A, X), (B, X), (X, X + "1"), (X + "1", X + "2"), (X + "2", Y)],
    )

    result = crawl(web, (A, B), Parameters(mode="page", depth=2))

    assert result.passes[1].reach == {X, X + "1", X + "2"}


def test_site_that_moved_brings_its_voters() -> None:
    web = web_of_links([(A, X + "1"), (B, X + "1")], redirects={X: Y})

    network = crawl(web, (A, B), Parameters(depth=0)).network

    assert network.voters == {"y.example": {"a.example", "b.example"}}


def test_link_within_a_site_that_leads_out_is_a_link_to_where_it_leads() -> None:
    web = web_of_links([(A, A + "out"), (B, X), (X, X + "1")], redirects={A + "out": X})

    result = crawl(web, (A, B), Parameters(mode="page", depth=1))

    assert result.passes[0].asked == {A, B, A + "out", X}
    assert result.passes[0].reach == {A, B}
    assert result.network.core == {X}


def test_redirect_of_a_page_that_was_not_asked_for_is_unknown() -> None:
    web = web_of_links([(A, A + "out"), (B, X)], redirects={A + "out": X})

    assert crawl(web, (A, B), AT_ONCE).network.core == set()


def test_redirects_beyond_the_last_hop_lead_nowhere() -> None:
    hops = [f"{X}{number}" for number in range(HOPS + 2)]
    redirects = dict(pairwise(hops))
    parameters = Parameters(analysis="interactor", mode="page", depth=0)

    network = crawl(web_of_links([], redirects), tuple(hops[:2]), parameters).network

    assert network.core == {hops[0], hops[-1]}


def test_redirects_in_a_circle_lead_nowhere() -> None:
    web = web_of_links([], {A: B, B: C, C: B})
    parameters = Parameters(analysis="interactor", mode="page", depth=0)

    result = crawl(web, (A,), parameters)

    assert result.network.core == {A}
    assert result.asked == {A, B, C}


def test_redirect_into_an_exclusion_is_not_taken() -> None:
    web = web_of_links([(A, X), (B, X)], redirects={X: Y})

    result = crawl(web, (A, B), replace(AT_ONCE, exclude=("y.example",)))

    assert result.network.core == {X}
    assert Y not in result.asked


def test_privileged_starting_point_stays_without_an_answer() -> None:
    network = crawl(web_of({}), (A,), replace(AT_ONCE, privilege=True)).network

    assert network.retained_at == {A: 0}


def test_one_domain_is_one_voter_unless_sites_vote() -> None:
    shop, blog = "https://shop.x.example/", "https://blog.x.example/"
    web = web_of_links([(shop, Y), (blog, Y)])

    assert not crawl(web, (shop, blog), AT_ONCE).network.core
    assert crawl(web, (shop, blog), replace(AT_ONCE, voters="site")).network.core == {Y}


def test_target_counts_in_the_body_if_one_of_its_links_stands_there() -> None:
    footer = Link(X, placement="footer")
    web = web_of_links([(A, footer), (A, X), (B, X), (A, Link(Y, rel="ugc")), (B, Y)])

    parameters = replace(AT_ONCE, placement="body", rel="follow")

    assert crawl(web, (A, B), parameters).network.core == {X}


def test_authority_drops_a_node_once_and_spares_the_privileged() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (X, Y), (Y, Y + "1")])

    plain = crawl(web, (A, B), replace(AT_ONCE, authority=1)).network
    spared = crawl(web, (A, B), replace(AT_ONCE, authority=1, privilege=True)).network

    assert plain.core == {Y}
    assert spared.core == {A, B, X, Y}


def test_page_that_was_never_asked_for_is_missing() -> None:
    web = web_of({A: PageFacts((Link(X),)), B: PageFacts((Link(X), Link(B + "1")))})

    result = analyze({A, B}, web, (A, B), Parameters(mode="page", depth=1))

    assert result.missing == {X, B + "1"}
