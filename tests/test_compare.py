"""Comparison: what stayed, came and went, and what could not be seen."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compare.compute import compare
from analysis.compare.result import Snapshot, counts
from analysis.compare.tables import write_edges, write_nodes
from analysis.compare.union import union
from analysis.complete import complete
from analysis.compute import network
from analysis.issuenetwork import write
from analysis.issuenetwork_reader import read
from analysis.paint import CHANGES, PERIPHERY, colouring
from analysis.pictures.compose import drawn
from analysis.pictures.marks import Text
from issuecrawl.model.errors import AnalysisError
from issuecrawl.model.parameters import Parameters
from tests.oracle import PageFacts
from tests.small_crawls import stored
from tests.web_strategies import parameters, webs
from tests.webs import web_of, web_of_links

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.compare.result import Comparison, EdgeChange, NodeChange
    from tests.oracle import Web

Drawn = tuple["Web", tuple[str, ...], bool]

A, B, C, X, Y, Z = (f"https://{name}.example/" for name in "abcxyz")
STARTS = (A, B, C)

LINKS = [
    *[(start, X) for start in STARTS],
    *[(start, Y) for start in STARTS],
    (X, Y),
    (Y, X),
]


def snapshot(name: str, web: Web, *starts: str, **changes: Any) -> Snapshot:
    crawl = stored(web, starts or STARTS, **changes)
    found = network(crawl, Parameters(**changes), own=False)
    return Snapshot(name, found, crawl)


def without(*gone: tuple[str, str]) -> Web:
    """Return the web of LINKS without some; a page that loses all still answers."""
    web = web_of_links([link for link in LINKS if link not in gone])
    answering = {source: PageFacts() for source, _ in LINKS}
    return web_of({**answering, **web.pages})


def down(web: Web, *pages: str) -> Web:
    """Return *web* with *pages* that do not answer."""
    return web_of({**web.pages, **dict.fromkeys(pages, PageFacts(answers=False))})


def compared(earlier: Web, later: Web, **options: Any) -> Comparison:
    return compare([snapshot("1", earlier), snapshot("2", later)], **options)


def nodes(found: Comparison, step: int = -1) -> dict[str, NodeChange]:
    return {node.node: node for node in found.steps[step].nodes}


def edges(found: Comparison) -> dict[tuple[str, str], EdgeChange]:
    return {(edge.source, edge.target): edge for edge in found.steps[-1].edges}


def test_network_compared_with_itself_stayed_and_did_not_move() -> None:
    found = compared(without(), without())

    assert {node.change for node in found.steps[0].nodes} == {"stayed"}
    assert {edge.change for edge in found.steps[0].edges} == {"stayed"}
    assert not found.steps[0].movers("inlinks")
    assert not found.remarks


def test_link_that_was_removed_is_told_from_a_page_that_could_not_be_seen() -> None:
    removed = compared(without(), without((X, Y)))
    unseen = compared(without(), down(without(), X))

    gone = edges(removed)["x.example", "y.example"]
    hidden = edges(unseen)["x.example", "y.example"]
    assert (gone.change, gone.before, gone.after) == ("went", 1, None)
    assert (gone.looks.pages, gone.looks.unseen) == (1, 0)
    assert gone.looks.reasons == {"link removed": 1}
    assert (hidden.change, hidden.looks.unseen) == ("unseen", 1)
    assert hidden.looks.reasons == {"failed": 1}
    assert edges(unseen)["y.example", "x.example"].change == "stayed"


@pytest.mark.parametrize("mode", ["site", "page"])
def test_link_through_a_redirect_that_was_not_seen_is_not_removed(mode: str) -> None:
    short = "https://short.example/"
    links = [link for link in LINKS if link != (X, Y)]
    # Which the analysis keeps too, so that it is asked for in the next pass.
    links += [(page, short) for page in (A, B, X)]
    before = web_of_links(links, redirects={short: Y})
    hidden, removed = down(before, short), without((X, Y))

    found = [
        compare([snapshot("1", before, mode=mode), snapshot("2", later, mode=mode)])
        for later in (hidden, removed)
    ]
    back = compare([snapshot("1", hidden, mode=mode), snapshot("2", before, mode=mode)])

    edge = ("x.example", "y.example") if mode == "site" else (X, Y)
    unseen, went = (edges(one)[edge] for one in found)
    assert (unseen.change, unseen.looks.unseen) == ("unseen", 1)
    assert unseen.looks.reasons == {"redirect not followed": 1}
    assert (went.change, went.looks.reasons) == ("went", {"link removed": 1})
    assert edges(back)[edge].looks.reasons == {"redirect not followed": 1}


def test_node_whose_linking_pages_could_not_be_seen_is_unseen() -> None:
    found = compared(without(), down(without((A, Y)), B, X))

    node = nodes(found)["y.example"]
    assert node.change == "unseen"
    assert (node.looks.pages, node.looks.unseen) == (4, 2)
    assert node.looks.reasons == {"failed": 2, "link removed": 1, "still linked": 1}
    assert node.found_in == ("1",)


def test_node_that_pages_no_longer_link_to_went() -> None:
    found = compared(without(), without((A, Y), (B, Y), (X, Y)))

    assert nodes(found)["y.example"].change == "went"
    # The link of Y is there, and Y no node.
    edge = edges(found)["y.example", "x.example"]
    assert edge.change == "went"
    assert edge.looks.reasons == {"still linked": 1, "node went": 1}


def test_edge_of_a_node_that_is_unseen_is_unseen() -> None:
    found = compared(without(), down(without((A, Y)), B))

    edge = edges(found)["x.example", "y.example"]
    assert edge.change == "unseen"
    assert edge.looks.reasons == {"still linked": 1, "node unseen": 1}


def test_what_came_says_whether_it_could_have_been_seen_before() -> None:
    added = compared(without((X, Y)), without())
    hidden = compared(down(without(), X), without())

    new = edges(added)["x.example", "y.example"]
    assert (new.change, new.looks.unseen) == ("came", 0)
    assert new.looks.reasons == {"link added": 1}
    found = edges(hidden)["x.example", "y.example"]
    assert (found.change, found.looks.unseen) == ("came", 1)


def test_page_that_is_not_known_to_the_other_crawl_was_not_asked_for() -> None:
    page = X + "deep"
    earlier = web_of_links([*LINKS[:-2], (X, page), (page, Y)])

    found = compared(earlier, web_of_links(LINKS[:-2]))

    edge = edges(found)["x.example", "y.example"]
    assert edge.change == "unseen"
    assert edge.looks.reasons == {"not asked for": 1}


def test_page_not_asked_for_names_what_kept_its_site_from_being_seen() -> None:
    page = X + "deep"
    earlier = web_of_links([*LINKS[:-2], (X, page), (page, Y)])
    later = down(web_of_links([*LINKS[:-2], (Y, X)]), X)

    found = compared(earlier, later)

    edge = edges(found)["x.example", "y.example"]
    assert edge.change == "unseen"
    assert edge.looks.reasons == {"not asked for (failed)": 1}


def test_page_that_moved_within_its_site_is_followed() -> None:
    later = web_of_links(
        [*LINKS[:-2], (X + "new", Y), (Y, X)], redirects={X: X + "new"}
    )

    found = compared(without(), later)

    assert edges(found)["x.example", "y.example"].change == "stayed"


def test_page_that_redirects_to_another_site_moved() -> None:
    later = web_of_links([*LINKS[:-2], (Z, Y), (Y, X)], redirects={X: Z})

    found = compared(without(), later)

    edge = edges(found)["x.example", "y.example"]
    assert (edge.change, edge.looks.reasons["page moved"]) == ("went", 1)


def test_ranks_move_up_and_down() -> None:
    found = compared(without((A, X)), without((A, Y)))

    moved = {name: node.moved("inlinks") for name, node in nodes(found).items()}
    assert moved == {"x.example": 1, "y.example": -1}
    assert [move for move, _ in found.steps[0].movers("inlinks")] == [1, -1]
    place = nodes(found)["x.example"].before
    assert place is not None
    assert dict(place.values) == {"inlinks": 3, "inlinks_core": 1, "linking_sites": 1}
    assert dict(place.ranks) == {"inlinks": 2, "inlinks_core": 1, "linking_sites": 1}


def test_periphery_is_compared_where_it_is_asked_for() -> None:
    core = compared(without(), down(without(), C))
    found = compared(without(), down(without(), C), periphery=True)
    removed = compared(without(), without((C, X), (C, Y)), periphery=True)

    assert "c.example" not in nodes(core)
    node = nodes(found)["c.example"]
    assert (node.change, node.looks.reasons) == ("unseen", {"failed": 1})
    assert edges(found)["c.example", "x.example"].change == "unseen"
    assert edges(found)["a.example", "x.example"].change == "stayed"
    node = nodes(removed)["c.example"]
    assert (node.change, node.looks.reasons) == ("went", {"link removed": 1})


def test_top_nodes_of_either_network_are_told_of() -> None:
    first = web_of_links([*LINKS, *[(start, Z) for start in (A, B)]])

    found = compared(first, first, top=2)

    assert set(nodes(found)) == {"x.example", "y.example"}
    assert set(edges(found)) == {
        ("x.example", "y.example"),
        ("y.example", "x.example"),
    }


def test_several_networks_are_compared_with_the_first_or_the_previous() -> None:
    three = [
        snapshot("1", without()),
        snapshot("2", without((X, Y))),
        snapshot("3", without((X, Y), (Y, X))),
    ]

    first = compare(three, against="first")
    previous = compare(three, against="previous")

    assert [(step.before, step.after) for step in first.steps] == [
        ("1", "2"),
        ("1", "3"),
    ]
    assert [(step.before, step.after) for step in previous.steps] == [
        ("1", "2"),
        ("2", "3"),
    ]
    assert edges(first)["x.example", "y.example"].found_in == ("1",)
    assert ("x.example", "y.example") not in edges(previous)


def test_networks_of_files_tell_no_reasons(tmp_path: Path) -> None:
    for name, web in (("1", without()), ("2", without((X, Y)))):
        write(snapshot(name, web).network, tmp_path / f"{name}.xml")
    files = [Snapshot(name, read(tmp_path / f"{name}.xml")) for name in "12"]

    found = compare(files)

    edge = edges(found)["x.example", "y.example"]
    assert edge.change == "went"
    assert (edge.looks.unseen, edge.looks.reasons) == (None, {"not known": 1})
    assert edges(found)["y.example", "x.example"].change == "stayed"


def test_pages_are_one_by_their_identity() -> None:
    one, two = (
        snapshot("1", without(), mode="page"),
        snapshot("2", without(), mode="page"),
    )
    graph = two.network.graph
    spelling = {X: "http://www.x.example/"}
    two.network.graph = nx.relabel_nodes(graph, spelling)
    for page in two.network.pages:
        page.url = spelling.get(page.url, page.url)

    found = compare([one, two])

    assert {node.change for node in found.steps[0].nodes} == {"stayed"}


def test_networks_of_different_modes_are_refused() -> None:
    with pytest.raises(
        AnalysisError, match="1 is a network of sites and 2 one of pages"
    ):
        compare([snapshot("1", without()), snapshot("2", without(), mode="page")])


def test_one_network_is_refused() -> None:
    with pytest.raises(AnalysisError, match="two networks or more; got 1"):
        compare([snapshot("1", without())])


def test_differences_in_how_networks_were_made_are_told() -> None:
    one = snapshot("1", without())
    two = snapshot("2", without(), A, B, threshold=1)

    found = compare([one, two])

    assert found.remarks == (
        "threshold: 2 in 1, 1 in 2",
        "starting points of 2: 0 that 1 has not; 1 left out",
    )


def test_starting_point_left_out_is_named_as_a_reason() -> None:
    one = snapshot("1", without(), privilege=True)
    two = snapshot("2", without(), A, B, privilege=True)

    found = compare([one, two])

    node = nodes(found)["c.example"]
    assert (node.change, dict(node.looks.reasons)) == (
        "went",
        {"starting point left out": 1},
    )


def test_union_has_both_networks_and_what_changed() -> None:
    one, two = snapshot("1", without()), snapshot("2", without((X, Y)))

    found = union([one, two], compare([one, two]))

    changes = {
        (source, target): change
        for source, target, change in found.graph.edges(data="change")
    }
    assert changes == {
        ("x.example", "y.example"): "went",
        ("y.example", "x.example"): "stayed",
    }
    assert set(dict(found.graph.nodes(data="change")).values()) == {"stayed"}
    assert found.evidence is not None
    evidence = [(link.linking_node, link.node) for link in found.evidence.links()]
    assert evidence == sorted(evidence, key=lambda ends: (ends[1], ends[0]))
    # The edge that went has the evidence of when it was there.
    assert evidence.count(("x.example", "y.example")) == 1
    assert evidence.count(("y.example", "x.example")) == 1
    assert found.coverage == two.network.coverage


def test_title_says_what_is_compared() -> None:
    one, two = snapshot("1", without()), snapshot("2", without())
    found = compare([one, two])
    one.network.statistics.started = "2026-11-01 08:00:00"
    two.network.statistics.started = "2026-12-01 08:00:00"

    assert union([one, two], found).title == (
        "crawl 2 (2026-12-01) compared with crawl 1 (2026-11-01)"
    )
    one.network.title = two.network.title = "Dams"
    assert union([one, two], found).title == (
        "Dams: crawl 2 (2026-12-01) compared with crawl 1 (2026-11-01)"
    )
    two.network.title = "Weirs"
    old = Snapshot("old", one.network)
    assert union([old, two], compare([old, two])).title == (
        "crawl 2 (Weirs, 2026-12-01) compared with old (Dams, 2026-11-01)"
    )


def test_picture_draws_what_changed_in_its_colours() -> None:
    one = snapshot("1", without())
    two = snapshot("2", down(without((Y, X)), A, X))
    found = union([one, two], compare([one, two]))
    complete(found)

    picture = drawn(found)

    assert [data for *_, data in found.graph.edges(data="change")] == ["unseen", "went"]
    assert {disc.fill for disc in picture.nodes} == {CHANGES["stayed"]}
    heads = [shape.fill for shape in picture.links if shape.fill != "none"]
    assert heads == [CHANGES["went"], CHANGES["unseen"]]
    legend = [mark.text for mark in picture.legend if isinstance(mark, Text)]
    assert {"Change", "stayed (2)", "went", "not seen this time"} <= {*legend}
    assert "and an earlier one" in picture.description


def test_periphery_of_a_comparison_is_coloured_by_what_changed() -> None:
    one, two = snapshot("1", without()), snapshot("2", down(without(), A))
    found = union([one, two], compare([one, two], periphery=True))

    of = colouring(found.graph, "change").of

    assert found.graph.nodes["a.example"]["role"] == "periphery"
    assert of["a.example"] == CHANGES["unseen"]
    assert of["b.example"] == of["x.example"] == CHANGES["stayed"]
    assert colouring(found.graph).of["b.example"] == PERIPHERY


def test_tables_hold_every_step(tmp_path: Path) -> None:
    found = compared(without(), down(without(), X))
    write_nodes(found, tmp_path / "nodes.csv")
    write_edges(found, tmp_path / "edges.csv")

    table = (tmp_path / "edges.csv").read_text(encoding="utf-8")
    assert "1,2,x.example,y.example,unseen,1,,1,1,1,failed: 1\n" in table
    assert "1,2,x.example,stayed,core,core," in (tmp_path / "nodes.csv").read_text(
        encoding="utf-8"
    )


@settings(max_examples=100, deadline=None)
@given(webs(), webs(), parameters(), st.data())
def test_changes_add_up_to_both_networks(
    one: Drawn, two: Drawn, chosen: Parameters, data: st.DataObject
) -> None:
    periphery, of_store = data.draw(st.booleans()), data.draw(st.booleans())
    made = [
        drawn_snapshot(name, drawn, chosen)
        for name, drawn in zip("12", (one, two), strict=True)
    ]
    if not of_store:
        made = [replace(snapshot, crawl=None) for snapshot in made]

    first = compare(made, against="first", periphery=periphery)
    previous = compare(made, against="previous", periphery=periphery)

    assert first.steps == previous.steps
    (step,) = first.steps
    earlier, later = (sizes(snapshot, periphery=periphery) for snapshot in made)
    for kind, changes in (("nodes", counts(step.nodes)), ("edges", counts(step.edges))):
        assert changes["stayed"] + changes["came"] == later[kind]
        gone = changes["went"] + changes["unseen"]
        assert changes["stayed"] + gone == earlier[kind]
        assert of_store or not changes["unseen"]


@settings(max_examples=100, deadline=None)
@given(webs(), parameters())
def test_any_network_compared_with_itself_stays(
    drawn: Drawn, chosen: Parameters
) -> None:
    made = drawn_snapshot("1", drawn, chosen)

    (step,) = compare([made, made], periphery=True).steps

    for changes in (counts(step.nodes), counts(step.edges)):
        assert sum(changes.values()) == changes["stayed"]
    assert not step.movers("inlinks")


def drawn_snapshot(name: str, drawn: Drawn, chosen: Parameters) -> Snapshot:
    web, starts, _ = drawn
    changes = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
    return snapshot(name, web, *starts, **changes)


def sizes(one: Snapshot, *, periphery: bool) -> dict[str, int]:
    graph, inward = one.network.graph, one.network.inward
    if periphery:
        return {"nodes": len(graph), "edges": graph.number_of_edges() + len(inward)}
    core = [node for node, role in graph.nodes(data="role") if role == "core"]
    return {"nodes": len(core), "edges": graph.number_of_edges()}
