"""The analysis of stored crawls against the oracle, in everything a network says."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compute import network, next_starting_points
from issuecrawl.store.reader import StoredCrawl
from tests.oracle import analyze, crawl
from tests.stored_webs import CRAWL, Crawled
from tests.web_strategies import parameters, webs

if TYPE_CHECKING:
    from analysis.network import Network
    from issuecrawl.model.parameters import Parameters
    from tests.oracle import Result, Web

Drawn = tuple["Web", tuple[str, ...], bool]

orders = st.integers(0, 9)
"""Orders in which pages and answers are numbered."""


def told(found: Network) -> dict[str, Any]:
    """Return what *found* says, in the oracle's terms."""
    urls = {page.id: page.url for page in found.pages}
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
            (page.url, urls[target])
            for page in (*found.pages, *found.periphery)
            for target in page.targets
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
