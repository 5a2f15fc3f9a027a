"""Networks counted by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from analysis.compute import network
from analysis.issuenetwork import write
from analysis.issuenetwork_reader import read
from analysis.network import NetworkPage, NetworkSite, PeripheryPage
from issuecrawl.model.page import State
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.reader import StoredCrawl
from tests import oracle
from tests.oracle import Link, PageFacts
from tests.small_crawls import network_of, stored
from tests.stored_webs import CRAWL, Crawled
from tests.webs import web_of, web_of_links

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network
    from issuecrawl.model.parameters import Mode

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"
X, Y = "https://x.example/", "https://y.example/"

WORKED = web_of_links(
    [
        (A, X + "1"),
        (B, X + "1"),
        (A, X + "2"),
        (B, X + "2"),
        (B, Link(X + "2", placement="footer")),
        (B, Y),
        (C, C + "z"),
        (C, Y),
    ]
)
"""The worked example of the design."""


def nodes(found: Network, attribute: str) -> dict[str, Any]:
    """Return an attribute of the core's nodes."""
    return {
        node: data[attribute]
        for node, data in found.graph.nodes(data=True)
        if data["role"] == "core"
    }


def edges(found: Network) -> dict[tuple[str, str], int]:
    return {
        (source, target): weight
        for source, target, weight in found.graph.edges(data="weight")
    }


def test_worked_example_by_page() -> None:
    found = network_of(WORKED, (A, B, C), mode="page", depth=0)

    assert [page.url for page in found.pages] == [X + "1", X + "2", Y]
    assert nodes(found, "voters") == {X + "1": 2, X + "2": 2, Y: 2}
    assert nodes(found, "inlinks") == {X + "1": 2, X + "2": 2, Y: 2}
    assert [(site.key, site.inlinks) for site in found.sites] == [
        ("x.example", 4),
        ("y.example", 2),
    ]


def test_worked_example_by_site() -> None:
    found = network_of(WORKED, (A, B, C), depth=0)

    assert found.sites == [
        NetworkSite("x.example", "x.example", "", "EXAMPLE", 4),
        NetworkSite("y.example", "y.example", "", "EXAMPLE", 2),
    ]
    assert found.pages == [
        NetworkPage(1, X + "1", "x.example"),
        NetworkPage(2, X + "2", "x.example"),
        NetworkPage(3, Y, "y.example"),
    ]
    assert found.periphery == [
        PeripheryPage(A, "a.example", [1, 2]),
        PeripheryPage(B, "b.example", [1, 2, 3]),
        PeripheryPage(C, "c.example", [3]),
    ]
    assert [site.key for site in found.periphery_sites] == [
        "a.example",
        "b.example",
        "c.example",
    ]


def test_worked_example_without_one_starting_point() -> None:
    found = network_of(WORKED, (A, B), depth=0)

    assert [site.key for site in found.sites] == ["x.example"]


RING = web_of_links(
    [
        (A, X),
        (B, X),
        (A, Y + "1"),
        (B, Y + "1"),
        (X, Y),
        (X, Y + "1"),
        (X + "2", Y),
        (Y, X),
        (X, X + "2"),
        (X, C),
    ]
)
"""Two sites that several link to, and that link to each other."""


def test_edges_join_core_sites_and_weigh_pairs_of_pages() -> None:
    found = network_of(RING, (A, B))

    assert edges(found) == {
        ("x.example", "y.example"): 3,
        ("y.example", "x.example"): 1,
    }
    assert nodes(found, "inlinks") == {"x.example": 3, "y.example": 5}
    assert nodes(found, "outlinks") == {"x.example": 3, "y.example": 1}


def test_pages_by_site_are_linked_to_or_link_to_another_core_site() -> None:
    found = network_of(RING, (A, B))

    pages = {
        page.url: [found.pages[t - 1].url for t in page.targets] for page in found.pages
    }
    assert pages == {X: [Y, Y + "1"], X + "2": [Y], Y: [X], Y + "1": []}
    assert [page.id for page in found.pages] == [1, 2, 3, 4]


@pytest.mark.parametrize("mode", ["site", "page"])
def test_links_of_the_periphery_are_beside_the_graph(
    mode: Mode, tmp_path: Path
) -> None:
    found = network_of(RING, (A, B), mode=mode)
    pages = {A: "a.example", B: "b.example"}
    kept = {X: "x.example", Y + "1": "y.example"}

    expected = sorted(
        (page if mode == "page" else site, other if mode == "page" else key, 1)
        for page, site in pages.items()
        for other, key in kept.items()
    )
    assert found.inward == expected
    write(found, tmp_path / "network.xml")
    assert read(tmp_path / "network.xml").inward == expected


def test_edges_between_pages_weigh_one() -> None:
    web = web_of_links(
        [(A, X), (B, X), (A, Y), (B, Y), (X, Y), (X, Link(Y, kind="area"))]
    )

    found = network_of(web, (A, B), mode="page", depth=0)

    assert edges(found)[X, Y] == 1
    assert {page.url for page in found.periphery} == {A, B}


def test_link_between_core_pages_of_one_site_is_no_edge() -> None:
    web = web_of_links([(A, X), (B, X), (A, X + "1"), (B, X + "1"), (X, X + "1")])

    found = network_of(web, (A, B), mode="page")

    assert (X, X + "1") not in found.graph.edges
    assert [page.targets for page in found.pages] == [(), ()]


def test_page_of_a_core_site_may_lie_in_the_periphery_by_page() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (X, X + "1"), (X + "1", Y)])

    found = network_of(web, (A, B), mode="page")

    assert X + "1" in {page.url for page in found.periphery}
    assert "x.example" in {site.key for site in found.periphery_sites}


def test_nodes_say_where_they_come_from() -> None:
    found = network_of(RING, (A, B), privilege=True)

    assert nodes(found, "starting_point") == {
        "a.example": True,
        "b.example": True,
        "x.example": False,
        "y.example": False,
    }
    assert nodes(found, "retained_at") == {
        "a.example": 0,
        "b.example": 0,
        "x.example": 1,
        "y.example": 1,
    }
    assert nodes(found, "url") == {
        "a.example": A,
        "b.example": B,
        "x.example": X,
        "y.example": Y,
    }


def test_periphery_is_in_the_graph() -> None:
    found = network_of(RING, (A, B))

    assert found.graph.nodes["a.example"] == {
        "site": "a.example",
        "url": A,
        "category": "EXAMPLE",
        "role": "periphery",
        "retained_at": -1,
        "why": "",
        "starting_point": True,
        "voters": 0,
        "inlinks": 0,
        "outlinks": 2,
        "unseen": 0,
    }


def test_voters_are_those_of_the_last_analysis() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (C, X), (X, Y), (X, C), (Y, C)])

    once = network_of(web, (A, B, C), mode="page", depth=0)
    twice = network_of(web, (A, B, C), mode="page", depth=0, iterations=2)

    assert nodes(once, "voters") == {X: 3, Y: 2}
    assert nodes(twice, "voters") == {C: 2}
    assert nodes(twice, "retained_at") == {C: 0}


def test_site_that_moved_is_the_site_it_moved_to() -> None:
    web = web_of_links([(A, X + "1"), (B, X + "1"), (A, Y), (C, Y)], redirects={X: Y})

    found = network_of(web, (A, B, C), depth=0)

    assert nodes(found, "voters") == {"y.example": 3}
    assert nodes(found, "url") == {"y.example": Y}
    assert [(page.url) for page in found.pages] == [Y]


def test_privileged_starting_point_that_never_answered_stays() -> None:
    web = web_of({A: PageFacts(answers=False)})

    found = network_of(web, (A,), privilege=True)

    assert [site.key for site in found.sites] == ["a.example"]
    assert (found.pages, found.missing) == ([], [])


def test_nothing_kept_is_an_empty_network() -> None:
    found = network_of(web_of_links([(A, X), (B, Y)]), (A, B), iterations=3)

    assert (found.sites, found.pages, found.periphery) == ([], [], [])
    assert not found.graph


def test_interactor_is_the_network_among_the_starting_points() -> None:
    web = web_of_links([(A, B), (A, X), (B, X), (B, A), (B + "1", A)])

    found = network_of(web, (A, B, C), analysis="interactor", depth=0)

    assert edges(found) == {
        ("a.example", "b.example"): 1,
        ("b.example", "a.example"): 1,
    }
    assert nodes(found, "voters") == {"a.example": 1, "b.example": 1, "c.example": 0}


def test_snowball_goes_as_far_as_its_iterations() -> None:
    web = web_of_links([(A, X), (X, Y), (Y, C)])

    found = network_of(web, (A,), analysis="snowball", iterations=2)

    assert nodes(found, "retained_at") == {
        "a.example": 0,
        "x.example": 1,
        "y.example": 2,
    }


def test_authority_drops_once_and_spares_the_privileged() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (X, Y), (Y, Y + "1")])

    plain = network_of(web, (A, B), authority=1)
    spared = network_of(web, (A, B), authority=1, privilege=True)

    assert set(nodes(plain, "role")) == {"y.example"}
    assert set(nodes(spared, "role")) == {
        "a.example",
        "b.example",
        "x.example",
        "y.example",
    }
    # X was dropped, so that its link to Y is one from outside.
    assert {page.url for page in plain.periphery} == {A, B, X}


@pytest.mark.parametrize(("diversity", "warned"), [(0, False), (1, False), (2, True)])
def test_core_of_few_categories_gets_a_warning(diversity: int, *, warned: bool) -> None:
    found = network_of(WORKED, (A, B, C), depth=0, diversity=diversity)

    assert any("diversity=2" in line for line in found.description) == warned


@pytest.mark.parametrize("answers", [False, True])
def test_crawl_that_nobody_answered_says_so(*, answers: bool) -> None:
    web = web_of({A: PageFacts((Link(X),), answers=answers)})

    found = network_of(web, (A,))

    said = any("No page was retrieved" in line for line in found.description)
    assert said is not answers


def test_pages_never_asked_for_are_missing() -> None:
    web = web_of({A: PageFacts((Link(X),)), B: PageFacts((Link(X), Link(B + "1")))})

    found = network_of(web, (A, B), mode="page")

    assert found.missing == [B + "1", X]
    assert "2 pages" in found.description[-1]


def test_home_page_that_the_store_does_not_hold_is_missing() -> None:
    web = web_of_links([(A, X + "1"), (B, X + "1")])

    found = network_of(web, (A, B), depth=0)

    assert found.missing == [X]
    assert nodes(found, "url") == {"x.example": X}


@pytest.mark.parametrize("state", [State.FAILED, State.REFUSED, State.GONE])
def test_page_that_was_refused_or_failed_is_not_missing(state: State) -> None:
    crawl = stored(web_of_links([(A, A + "1"), (A + "1", A)]), (A,))
    number = {url: page for page, url in crawl.all_urls()}[A + "1"]
    crawl.state[number] = state
    crawl.has_links[number] = False

    assert network(crawl, Parameters(), own=False).missing == []


def test_excluded_addresses_are_counted_once_each() -> None:
    out = "https://blocked.example/"
    web = web_of_links(
        [(A, out), (B, out), (A, out + "1"), (X, out + "2"), (A, X)],
        redirects={A + "go": out + "3"},
    )
    crawl = stored(web, (A, B))

    found = network(crawl, Parameters(exclude=("blocked.example",)), own=False)

    # X is not crawled by this network, and A/go was not asked for.
    assert found.statistics.excluded == 2


def test_statistics_and_dates_come_from_the_store() -> None:
    crawl = stored(RING, (A, B))
    crawl.db.execute("UPDATE answer SET last_modified = 86400 WHERE status > 0")
    crawl.record.update(timeouts=3, ended="2026-01-02 00:00:00")

    found = network(crawl, Parameters(), own=False)

    assert {page.datestamp for page in found.pages if page.url != Y + "1"} == {
        "1970-01-02 00:00:00"
    }
    assert vars_of(found) == ("2026-01-01 00:00:00", "2026-01-02 00:00:00", 3, 5, 0)


def vars_of(found: Network) -> tuple[object, ...]:
    said = found.statistics
    return said.started, said.ended, said.timeouts, said.downloaded, said.excluded


def test_page_that_no_server_answered_for_has_no_date() -> None:
    crawl = stored(web_of_links([(A, X), (B, X), (X, A)]), (A, B))
    crawl.db.execute("UPDATE answer SET status = NULL")

    found = network(crawl, Parameters(depth=0), own=False)

    assert [page.datestamp for page in found.pages] == [""]


def test_site_of_a_rule_has_name_and_host_of_the_rule() -> None:
    one = "https://social.example/one"
    web = web_of_links([(A, one), (B, one)])

    found = network_of(web, (A, B), depth=0)

    assert found.sites == [NetworkSite("one", "social.example", "one", "EXAMPLE", 2)]
    assert nodes(found, "url") == {"one": one}


def test_network_is_the_same_however_pages_are_numbered() -> None:
    chosen = Parameters(iterations=2, privilege=True)
    passes = oracle.crawl(RING, (A, B), chosen).passes
    one, two = (
        network(
            StoredCrawl(
                Crawled(RING, (A, B), chosen, passes, shuffle=seed).store(), CRAWL
            ),
            chosen,
            own=True,
        )
        for seed in (1, 2)
    )

    assert list(one.graph.nodes(data=True)) == list(two.graph.nodes(data=True))
    assert list(one.graph.edges(data=True)) == list(two.graph.edges(data=True))
    assert (one.pages, one.periphery) == (two.pages, two.periphery)
