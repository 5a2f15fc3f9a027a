"""Evidence: each link that counts for a node, and where it stands."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from analysis.compute import network
from analysis.evidence import MARKED
from issuecrawl.model.decisions import read_decisions
from issuecrawl.model.link import RELS
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.reader import StoredCrawl
from tests.oracle import Link, Rules, analyze, crawl
from tests.small_crawls import network_of, stored
from tests.stored_webs import CRAWL, Crawled
from tests.test_analysis_against_oracle import orders
from tests.web_strategies import parameters, webs
from tests.webs import web_of_links

if TYPE_CHECKING:
    from analysis.network import EvidenceLink, Network
    from tests.oracle import Web

    Drawn = tuple[Web, tuple[str, ...], bool]

A, B, C, X, Y, Z = (f"https://{name}.example/" for name in "abcxyz")
MARKS = set(RELS[:3])


def evidence(found: Network, node: str | None = None) -> list[EvidenceLink]:
    assert found.evidence is not None
    return list(found.evidence.links(node))


def told(rules: Rules, known: set[str], link: EvidenceLink) -> tuple[str, str, str]:
    """Return placement, kind and rel that *link* should have, by the oracle."""
    site = rules.web.site
    standing = [
        one
        for one in rules.web.links(link.source)
        if rules.is_vote(one)
        and rules.allowed(one.target)
        and rules.final(one.target, known) == link.target
    ]
    outward = [one for one in standing if site(one.target) != site(link.source)]
    first = (outward or standing)[0]
    rel = first.rel if outward else (MARKED if MARKS & {*first.rel.split()} else "")
    body = any(one.placement == "body" for one in standing)
    return "body" if body else first.placement, first.kind, rel


@settings(max_examples=100, deadline=None)
@given(webs(), parameters(), parameters(), orders)
def test_links_of_a_node_are_those_its_inlinks_count(
    drawn: Drawn, chosen: Parameters, others: Parameters, order: int
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)
    crawled = Crawled(web, starts, chosen, result.passes, by_domain, order)
    expected = analyze(result.asked, web, starts, others)
    rules = Rules(web, starts, others)
    reach = set().union(*(one.reach for one in expected.passes))
    stored = analyze(result.asked, web, starts, others).asked & result.asked
    votes = rules.votes(reach & result.asked, stored)

    with closing(crawled.store()) as db:
        found = network(StoredCrawl(db, CRAWL), others, own=others == chosen)
        links = evidence(found)

    assert Counter(link.node for link in links) == Counter(
        {node: data["inlinks"] for node, data in found.graph.nodes(data=True)}
    )
    assert links == sorted(links)
    assert {(link.source, link.target) for link in links} == {
        (source, target)
        for source, target in votes
        if rules.unit(target) in expected.network.core
    }
    for link in links:
        assert link.node == rules.unit(link.target)
        assert link.linking_node == rules.unit(link.source)
        assert link.voter == rules.voter(link.source)
        assert (link.placement, link.kind, link.rel) == told(rules, stored, link)
        assert link.fetched == "2023-11-14 22:13:20"


def test_links_of_one_node_are_a_part_of_all() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (B, Y + "1")])

    found = network_of(web, (A, B))

    assert evidence(found, "x.example") + evidence(found, "y.example") == evidence(
        found
    )
    assert [link.target for link in evidence(found, "y.example")] == [Y, Y, Y + "1"]
    assert not evidence(found, "nobody.example")


def test_pair_stands_in_the_body_if_one_of_its_links_does() -> None:
    web = web_of_links(
        [
            (A, Link(X, placement="footer", rel="ugc")),
            (A, Link(X, placement="body", rel="me")),
            (B, Link(X, placement="footer")),
            (B, Link(X, placement="aside")),
        ]
    )

    first, second = evidence(network_of(web, (A, B)))

    assert (first.placement, first.rel) == ("body", "ugc")
    assert second.placement == "footer"


def test_link_with_a_text_comes_before_a_way_out_of_its_site() -> None:
    out = A + "out"
    web = web_of_links(
        [
            (A, Link(out, kind="area", rel="nofollow")),
            (A, Link(X, placement="footer", rel="me")),
            (B, Link(out)),
            (B, Link(X)),
            (C, Link(C + "out", rel="ugc")),
        ],
        {out: X, C + "out": X},
    )

    links = evidence(network_of(web, (A, B, C)), "x.example")

    assert [(link.source, link.placement, link.kind, link.rel) for link in links] == [
        # In the body, for the link within the site stands there.
        (A, "body", "a", "me"),
        (B, "body", "a", ""),
        (C, "body", "a", MARKED),
    ]


@pytest.mark.parametrize(
    ("merge", "node", "expected"),
    [
        # (linking node, page that holds the link, page that it leads to)
        ((X, Z), Y, [(A, A, Y), (B, B, Y), (Z, X, Y)]),
        ((X, Z), Z, [(A, A, X), (B, B, X), (Y, Y, Z)]),
        ((A, B), X, [(B, A, X)]),
    ],
)
def test_merged_pages_keep_their_addresses_in_the_evidence(
    merge: tuple[str, str], node: str, expected: list[tuple[str, str, str]]
) -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (X, Y), (Y, Z)])
    options = Parameters(mode="page")
    decisions = read_decisions("\n".join([f"merge,{','.join(merge)}", f"keep,{node}"]))

    found = network(
        stored(web, (A, B), mode="page"), options, own=False, decisions=decisions
    )

    links = evidence(found, node)
    assert [(one.linking_node, one.source, one.target) for one in links] == expected
    assert found.graph.nodes[node]["inlinks"] == len(expected)


def test_merged_sites_keep_the_addresses_of_their_pages() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (X, Y), (Y, X)])
    decisions = read_decisions("merge,a.example,b.example")

    found = network(stored(web, (A, B)), Parameters(), own=False, decisions=decisions)

    assert [(one.linking_node, one.source) for one in evidence(found, "x.example")] == [
        ("b.example", A),
        ("b.example", B),
        ("y.example", Y),
    ]
