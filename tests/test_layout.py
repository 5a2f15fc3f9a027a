"""Layouts: nothing overlaps, nothing depends on chance, what is linked lies near."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.layout import place
from tests.networks import small_network

if TYPE_CHECKING:
    from analysis.network import Network, Point

RADII = st.floats(3, 24)


def graph(radii: dict[str, float], edges: Any = (), **roles: str) -> nx.DiGraph[str]:
    found: nx.DiGraph[str] = nx.DiGraph()
    for node, radius in radii.items():
        role = roles.get(node, "core")
        found.add_node(node, role=role, site=node, category="NL", size=radius)
    found.add_edges_from(edges, weight=1)
    return found


@st.composite
def drawn(draw: st.DrawFn) -> Network:
    """Draw a core of some parts, and a periphery that links into it."""
    count = draw(st.integers(0, 25))
    outside = draw(st.integers(0, 25))
    names = [f"{number}.test" for number in range(count + outside)]
    radii = {node: draw(RADII) for node in names}
    roles = dict.fromkeys(names[count:], "periphery")
    pairs = st.tuples(st.integers(0, 24), st.integers(0, 24))
    chosen = draw(st.lists(pairs, max_size=40))
    edges = {(names[a], names[b]) for a, b in chosen if a < count and b < count}
    inward = [
        (node, names[draw(st.integers(0, count - 1))], 1)
        for node in (names[count:] if count else ())
        if draw(st.booleans())
    ]
    return small_network(graph=graph(radii, sorted(edges), **roles), inward=inward)


PLACES = {"0.test": (52.0, 4.9), "1.test": (52.0, 4.9), "2.test": (-33.9, 151.2)}


@given(drawn())
@settings(max_examples=60, deadline=None)
def test_every_node_has_a_place_and_no_two_overlap(network: Network) -> None:
    for layout in place(network, PLACES).values():
        assert set(layout) == set(network.graph)
        assert all(map(math.isfinite, (c for point in layout.values() for c in point)))
        radius = dict(network.graph.nodes("size"))
        for one, other in combinations(layout, 2):
            assert distance(layout, one, other) > radius[one] + radius[other]


@given(drawn(), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_places_depend_on_neither_chance_nor_order(
    network: Network, random: Any
) -> None:
    before = place(network)
    nodes = list(network.graph.nodes(data=True))
    edges = list(network.graph.edges(data=True))
    random.shuffle(nodes)
    random.shuffle(edges)
    network.graph = nx.DiGraph()
    network.graph.add_nodes_from(nodes)
    network.graph.add_edges_from(edges)

    assert place(network) == before


def distance(layout: dict[str, Point], one: str, other: str) -> float:
    return math.dist(layout[one], layout[other])


def planted(groups: int, size: int, seed: int = 1) -> nx.DiGraph[str]:
    """Return groups of nodes that link to each other ten times as often as to others."""
    random = np.random.default_rng(seed)
    names = [f"{group}-{n}" for group in range(groups) for n in range(size)]
    group = np.repeat(np.arange(groups), size)
    chance = np.where(group[:, None] == group[None], 6 / size, 0.6 / size / groups)
    ends = np.argwhere(random.random(chance.shape) < chance)
    edges = [(names[a], names[b]) for a, b in ends.tolist() if a != b]
    return graph(dict.fromkeys(names, 5.0), edges)


@given(drawn())
@settings(max_examples=40, deadline=None)
def test_parts_that_no_link_joins_lie_beside_each_other(network: Network) -> None:
    core = [node for node, role in network.graph.nodes("role") if role == "core"]
    layout = place(network)["cluster"]

    boxes = []
    for part in nx.weakly_connected_components(network.graph.subgraph(core)):
        at = np.array([layout[node] for node in part])
        size = np.array([network.graph.nodes[node]["size"] for node in part])[:, None]
        boxes.append(((at - size).min(axis=0), (at + size).max(axis=0)))
    for (low, high), (other_low, other_high) in combinations(boxes, 2):
        assert (low > other_high).any() or (other_low > high).any()


def test_largest_part_is_in_the_middle() -> None:
    edges = [(f"{part}{n}", f"{part}0") for part in "abc" for n in range(1, 6)]
    edges += [(f"a{n}", f"a{n + 1}") for n in range(1, 20)]
    names = {node for edge in edges for node in edge}
    layout = place(small_network(graph=graph(dict.fromkeys(names, 6.0), edges)))
    far = {
        part: math.hypot(
            *np.mean(
                [at for n, at in layout["cluster"].items() if n[0] == part], axis=0
            )
        )
        for part in "abc"
    }

    assert min(far, key=far.__getitem__) == "a"


def test_periphery_lies_around_the_core_near_what_it_links_to() -> None:
    found = planted(4, 20)
    inward = []
    for group in range(4):
        for number in range(10):
            node = f"p{group}{number}"
            found.add_node(node, role="periphery", site=node, size=3.0)
            inward += [
                (node, f"{group}-{target}", 1) for target in range(number, 20, 3)
            ]
    layout = place(small_network(graph=found, inward=inward))["cluster"]
    core = [node for node in found if node[0] != "p"]
    reach = max(math.hypot(*layout[node]) for node in core)

    for node in (node for node in found if node[0] == "p"):
        assert math.hypot(*layout[node]) > reach
        own = [target for source, target, _ in inward if source == node]
        mean = np.mean([layout[target] for target in own], axis=0)
        turn = np.dot(layout[node], mean) / math.hypot(*layout[node]) / np.hypot(*mean)
        assert turn > 0.5


def test_circle_keeps_categories_together() -> None:
    radii = {f"{n}.test": 6.0 for n in range(30)}
    found = graph(radii)
    for number, node in enumerate(found):
        found.nodes[node]["category"] = "ABC"[number % 3]
    layout = place(small_network(graph=found))["circle"]
    turn = sorted(found, key=lambda node: -math.atan2(*reversed(layout[node])))
    around = [found.nodes[node]["category"] for node in turn]
    changes = sum(a != b for a, b in zip(around, around[1:] + around[:1], strict=True))

    assert changes == 3


def test_circle_is_about_the_middle_whatever_the_sizes() -> None:
    found = graph({f"{n}.test": 4.0 + 20 * (n == 3) for n in range(12)})
    found.add_node("outside.test", role="periphery", site="outside.test", size=3.0)
    layout = place(small_network(graph=found))["circle"]
    away = {node: math.hypot(*point) for node, point in layout.items()}

    outside = away.pop("outside.test")
    assert max(away.values()) - min(away.values()) < 0.02
    assert outside > max(away.values()) + 24.0


def test_places_are_as_on_a_map() -> None:
    cities = {
        "amsterdam": (52.4, 4.9),
        "cairo": (30.0, 31.2),
        "oslo": (59.9, 10.8),
        "nowhere": (0.0, 0.0),
    }
    del cities["nowhere"]
    found = graph(dict.fromkeys([*cities, "nowhere"], 6.0))
    layout = place(small_network(graph=found), cities)["geographic"]

    assert layout["oslo"][1] > layout["amsterdam"][1] > layout["cairo"][1]
    assert layout["cairo"][0] > layout["oslo"][0] > layout["amsterdam"][0]
    assert layout["nowhere"][1] < layout["cairo"][1]


def test_map_does_not_break_where_places_lie_on_both_sides_of_the_date_line() -> None:
    found = graph({"suva": 6.0, "apia": 6.0, "auckland": 6.0})
    places = {
        "suva": (-18.1, 178.4),
        "apia": (-13.8, -171.8),
        "auckland": (-36.8, 174.8),
    }
    layout = place(small_network(graph=found), places)["geographic"]

    assert layout["auckland"][0] < layout["suva"][0] < layout["apia"][0]


def test_without_places_there_is_no_geographic_layout() -> None:
    found = small_network(graph=graph({"a.test": 5.0}))

    assert set(place(found)) == set(place(found, {"x.test": (1.0, 2.0)}))
    assert "geographic" not in place(found)


IN_A_PROCESS = """
import json, sys
import networkx as nx
from analysis.layout import place
from tests.test_layout import planted
from tests.networks import small_network
found = planted(4, 150)
found.add_node("outside.test", role="periphery", site="outside.test", size=3.0)
inward = [("outside.test", "0-0", 1)]
network = small_network(graph=found, inward=inward)
print(json.dumps(place(network, {"0-0": (1.0, 2.0)}, seed=int(sys.argv[1])), sort_keys=True))
"""


def in_a_process(seed: int, hashes: int) -> str:
    """Return the places that another process finds, its sets in another order."""
    return subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, str(seed)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "PYTHONHASHSEED": str(hashes)},
    ).stdout


def test_another_process_finds_the_same_places_and_another_seed_others() -> None:
    once, again, other = in_a_process(1, 1), in_a_process(1, 2), in_a_process(2, 1)

    assert once == again
    assert json.loads(once)["cluster"] != json.loads(other)["cluster"]
    assert json.loads(once)["circle"] == json.loads(other)["circle"]
