"""Stability: what is left of a core when a seed or a setting is another one."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compute import network
from analysis.stability.compute import mark, stability
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.reader import StoredCrawl
from tests.oracle import Link, PageFacts, analyze, crawl
from tests.small_crawls import stored
from tests.stored_webs import CRAWL, Crawled
from tests.web_strategies import parameters, webs
from tests.webs import web_of, web_of_links

if TYPE_CHECKING:
    from analysis.stability.result import Stability, Variant
    from tests.oracle import Web

Drawn = tuple["Web", tuple[str, ...], bool]

A, B, C, X, Y, Z = (f"https://{name}.example/" for name in "abcxyz")
MENU = Link(Z, placement="navigation")

COUNTED = web_of(
    {
        A: PageFacts((Link(X), Link(Y), MENU)),
        B: PageFacts((Link(X), Link(B + "1"), MENU)),
        B + "1": PageFacts((Link(Y),)),
        C: PageFacts((Link(X), MENU)),
    }
)
"""X has three voters; Y has A and, one step deep, B; Z has three, by menus alone."""


def stability_of(web: Web, starts: tuple[str, ...], **changes: object) -> Stability:
    crawl = stored(web, starts, **changes)
    return stability(crawl, Parameters(**changes), own=False)  # type: ignore[arg-type]


def lost(found: Stability) -> dict[str, tuple[str, ...]]:
    return {variant.label: variant.lost for variant in found.variants}


def test_each_variant_says_what_it_loses() -> None:
    found = stability_of(COUNTED, (A, B, C))

    assert lost(found) == {
        f"without {A}": ("y.example",),
        f"without {B}": ("y.example",),
        f"without {C}": (),
        "threshold=1": (),
        "threshold=3": ("y.example",),
        "depth=0": ("y.example",),
        "placement=body": ("z.example",),
    }


def test_node_has_the_share_of_variants_that_keep_it() -> None:
    found = stability_of(COUNTED, (A, B, C))

    assert [(one.node, one.kept, one.share) for one in found.nodes] == [
        ("y.example", 3, 3 / 7),
        ("z.example", 6, 6 / 7),
        ("x.example", 7, 1.0),
    ]
    assert found.nodes[1].differs_in == ("placement=body",)


def test_network_hangs_on_starting_points_without_which_others_go() -> None:
    found = stability_of(COUNTED, (C, A, B))

    assert [(one.url, one.lost, one.share) for one in found.hangs_on] == [
        (A, 1, 1 / 3),
        (B, 1, 1 / 3),
    ]
    assert [one.url for one in found.starts] == [A, B, C]


def test_starting_point_left_out_is_not_privileged() -> None:
    found = stability_of(COUNTED, (A, B, C), privilege=True)

    assert lost(found)[f"without {C}"] == ("c.example",)
    assert {one.url: (one.lost, one.others) for one in found.starts} == {
        A: (2, 1),
        B: (2, 1),
        C: (1, 0),
    }


def test_starting_point_that_was_left_out_comes_back_by_co_links() -> None:
    web = web_of_links([(A, C), (B, C), (C, X), (A, X)])

    found = stability_of(web, (A, B, C), privilege=True)

    assert "c.example" not in lost(found)[f"without {C}"]


def test_newcomers_are_told_apart() -> None:
    web = web_of_links([(A, X), (B, X), (B, Y)])

    found = stability_of(web, (A, B))

    (variant,) = [one for one in found.variants if one.label == "threshold=1"]
    assert (variant.core, variant.kept, variant.came) == (2, 1, ("y.example",))
    newcomer = found.nodes[-1]
    assert (newcomer.node, newcomer.in_core) == ("y.example", False)
    assert newcomer.share == 1 / len(found.variants)
    assert newcomer.differs_in == ("threshold=1",)


def test_two_spellings_of_one_starting_point_are_left_out_together() -> None:
    # The store holds one page for them, which is given twice.
    web = web_of_links([(A, X), (B, X)])

    found = stability_of(web, (A, A, B))

    assert [one.value for one in found.variants if one.change == "without"] == [A, B]


def test_starting_point_that_redirects_is_left_out_with_its_redirect() -> None:
    web = web_of_links([(C, X), (B, X)], redirects={A: C})

    found = stability_of(web, (A, B))

    assert lost(found)[f"without {A}"] == ("x.example",)
    first = found.starts[0]
    assert (first.url, first.node) == (A, "c.example")


def test_variants_that_cannot_be_are_named() -> None:
    web = web_of_links([(A, X)])

    found = stability_of(web, (A,), threshold=1, depth=0, placement="body")

    assert [one.label for one in found.variants] == ["threshold=2"]
    assert found.left_out == (
        f"without {A} (there is no other starting point)",
        "threshold=0 (1 is the lowest)",
        "a smaller depth (it is 0)",
        "placement=body (it is so already)",
    )


def test_snowball_has_no_threshold_to_vary() -> None:
    found = stability_of(web_of_links([(A, X), (B, X)]), (A, B), analysis="snowball")

    assert not [one for one in found.variants if one.change == "threshold"]
    assert "threshold (analysis=snowball has none)" in found.left_out


def test_variant_says_how_many_pages_it_lacks() -> None:
    # With threshold=1 Y is started in pass 1, and what it alone links to in pass 2.
    web = web_of_links([(A, X), (B, X), (A, Y), (X, Z), (Y, Z)])
    chosen = Parameters(mode="page", iterations=2, depth=0)
    with closing(
        Crawled(web, (A, B), chosen, crawl(web, (A, B), chosen).passes).store()
    ) as db:
        found = stability(StoredCrawl(db, CRAWL), chosen, own=True)

    (lower,) = [one for one in found.variants if one.label == "threshold=1"]
    assert (lower.missing, lower.missing_votes) == (2, 1)


def test_network_and_its_nodes_are_told() -> None:
    told = network(stored(COUNTED, (A, B, C)), Parameters(), own=False)

    mark(told, stability_of(COUNTED, (A, B, C)))

    assert told.stability is not None
    shares = dict(told.graph.nodes(data="stability"))
    assert shares["x.example"] == 1.0
    assert shares["a.example"] is None


def expected(variant: Variant, chosen: Parameters) -> Parameters:
    match variant.change:
        case "threshold":
            return replace(chosen, threshold=int(variant.value))
        case "depth":
            return replace(chosen, depth=int(variant.value))
        case "placement":
            return replace(chosen, placement="body")
        case _:
            return chosen


@settings(max_examples=200, deadline=None)
@given(webs(), parameters(), st.integers(0, 9))
def test_variant_is_what_such_a_crawl_comes_to(
    drawn: Drawn, chosen: Parameters, order: int
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)
    crawled = Crawled(web, starts, chosen, result.passes, by_domain, order)

    with closing(crawled.store()) as db:
        found = stability(StoredCrawl(db, CRAWL), chosen, own=True)

    core = result.network.core
    assert {one.node for one in found.nodes if one.in_core} == core
    for variant in found.variants:
        left = tuple(one for one in starts if one != variant.value)
        other = analyze(result.asked, web, left, expected(variant, chosen))
        assert set(variant.lost) == core - other.network.core
        assert set(variant.came) == other.network.core - core
        assert variant.core == len(other.network.core)
        assert variant.missing == len(other.missing)
    for one in found.nodes:
        cores = [set(core) - {*v.lost} | {*v.came} for v in found.variants]
        assert one.kept == sum(one.node in there for there in cores)
