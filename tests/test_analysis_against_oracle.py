"""The analysis of stored crawls against the oracle, in everything a network says."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compute import network, next_starting_points
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.reader import StoredCrawl
from tests.oracle import HOPS, Link, PageFacts, analyze, crawl
from tests.stored_webs import CRAWL, Crawled
from tests.web_strategies import parameters, webs
from tests.webs import web_of, web_of_links

if TYPE_CHECKING:
    from analysis.network import Network, NetworkPage, PeripheryPage
    from tests.oracle import Result, Web

Drawn = tuple["Web", tuple[str, ...], bool]

A, B, C, X, Y = (f"https://{name}.example/" for name in "abcxy")

RARE: dict[str, tuple[Web, tuple[str, ...], Parameters]] = {
    "redirects as far as the last hop, and beyond": (
        web_of_links([], dict(pairwise(f"{X}{number}" for number in range(HOPS + 2)))),
        (X + "0", X + "1"),
        Parameters(analysis="interactor", mode="page", depth=0),
    ),
    "a page that asks not to be followed": (
        web_of(
            {
                A: PageFacts((Link(A + "1"), Link(X)), nofollow=True),
                A + "1": PageFacts((Link(Y),)),
                B: PageFacts((Link(Y), Link(X))),
            }
        ),
        (A, B),
        Parameters(mode="page"),
    ),
    "two pages of one site that lend authority": (
        web_of_links(
            [
                *[(one, X + name) for one in (A, B) for name in "12"],
                *[(one, Y) for one in (A, B, X + "1", X + "2")],
            ]
        ),
        (A, B),
        Parameters(mode="page", depth=0, authority=2),
    ),
    "a site that moves to one with a vote of its own": (
        web_of_links([(A, X + "1"), (B, X + "1"), (C, Y)], {X: Y}),
        (A, B, C),
        Parameters(depth=0),
    ),
    "a site that moves to a starting point": (
        web_of_links([(A, X + "1"), (B, X + "1"), (C, A)], {X: A}),
        (A, B, C),
        Parameters(depth=0, privilege=True),
    ),
}

WAYS_OUT = {
    "placement": (Link(A + "out", placement="footer"), Parameters(placement="body")),
    "rel": (Link(A + "out", rel="ugc"), Parameters(rel="follow")),
    "kind": (Link(A + "out", kind="iframe"), Parameters()),
}
"""Links within a site that lead out of it and have no vote under the parameters."""

RARE |= {
    f"a way out of a site that has no vote by its {name}": (
        web_of_links([(A, link), (B, X)], {A + "out": X}),
        (A, B),
        chosen,
    )
    for name, (link, chosen) in WAYS_OUT.items()
}

orders = st.integers(0, 9)
"""Orders in which pages and answers are numbered."""


def told(found: Network) -> dict[str, Any]:
    """Return what *found* says, in the oracle's terms."""
    urls = {page.id: page.url for page in found.pages}
    linking: list[NetworkPage | PeripheryPage] = [*found.pages, *found.periphery]
    nodes = dict(found.graph.nodes(data=True))
    core = {node for node, data in nodes.items() if data["role"] == "core"}
    said = {
        name: {node: nodes[node][name] for node in core}
        for name in ("voters", "retained_at", "inlinks", "outlinks")
    }
    edges = {
        (source, target): weight
        for source, target, weight in found.graph.edges(data="weight")
        if source in core
    }
    return said | {
        "core": core,
        "edges": edges,
        "pages": set(urls.values()),
        "links": {
            (page.url, urls[target]) for page in linking for target in page.targets
        },
        "site_inlinks": {site.key: site.inlinks for site in found.sites},
        "periphery": {page.url for page in found.periphery},
        "missing": set(found.missing),
    }


def right(result: Result) -> dict[str, Any]:
    """Return what the oracle says; of voters, how many there are."""
    found = vars(result.network)
    voters = {node: len(heard) for node, heard in result.network.voters.items()}
    return found | {"voters": voters, "missing": result.missing}


def analysed(crawled: Crawled, chosen: Parameters) -> dict[str, Any]:
    with closing(crawled.store()) as db:
        own = chosen == crawled.parameters
        return told(network(StoredCrawl(db, CRAWL), chosen, own=own))


@pytest.mark.parametrize("rare", RARE.values(), ids=RARE)
def test_analysis_of_rare_shapes(
    rare: tuple[Web, tuple[str, ...], Parameters],
) -> None:
    web, starts, chosen = rare
    result = crawl(web, starts, chosen)

    found = analysed(Crawled(web, starts, chosen, result.passes), chosen)

    assert found == right(result)


@settings(max_examples=300, deadline=None)
@given(webs(), parameters(), orders)
def test_analysis_with_own_parameters_gives_what_the_crawl_came_to(
    drawn: Drawn, chosen: Parameters, order: int
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)

    found = analysed(
        Crawled(web, starts, chosen, result.passes, by_domain, order), chosen
    )

    assert found == right(result)


@settings(max_examples=300, deadline=None)
@given(webs(), parameters(), parameters(), orders)
def test_analysis_with_other_parameters_gives_what_such_a_crawl_would(
    drawn: Drawn, chosen: Parameters, others: Parameters, order: int
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)

    found = analysed(
        Crawled(web, starts, chosen, result.passes, by_domain, order), others
    )

    expected = analyze(result.asked, web, starts, others)
    assert found == right(expected)
    if not expected.missing:
        assert expected.network == crawl(web, starts, others).network


@settings(max_examples=200, deadline=None)
@given(webs(), parameters(), orders, st.data())
def test_analysis_of_a_crawl_that_a_budget_cut_says_what_is_missing(
    drawn: Drawn, chosen: Parameters, order: int, data: st.DataObject
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)
    cut = data.draw(st.frozensets(st.sampled_from(sorted(result.asked)), max_size=3))

    crawled = Crawled(web, starts, chosen, result.passes, by_domain, order, cut)
    with closing(crawled.store()) as db:
        found = told(network(StoredCrawl(db, CRAWL), chosen, own=False))

    assert found == right(analyze(result.asked - cut, web, starts, chosen))


@settings(max_examples=300, deadline=None)
@given(webs(), parameters(), orders)
def test_next_pass_begins_where_the_oracle_begins_it(
    drawn: Drawn, chosen: Parameters, order: int
) -> None:
    web, starts, by_domain = drawn
    passes = crawl(web, starts, chosen).passes

    for number, following in enumerate(passes[1:]):
        so_far = Crawled(web, starts, chosen, passes[: number + 1], by_domain, order)
        with closing(so_far.store()) as db:
            found = next_starting_points(StoredCrawl(db, CRAWL), chosen, number)
        addresses = {page: address for address, page in so_far.pages.items()}
        started = [addresses[one.page] if one.page else one.url for one in found]
        assert sorted(started) == sorted(following.starts)
