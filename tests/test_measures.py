"""Measures beside networkx's, on any graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from analysis.measures import BY_NODE, measure
from analysis.measures.betweenness import betweenness
from analysis.measures.matrix import CoreMatrix
from tests.networks import small_network

if TYPE_CHECKING:
    from collections.abc import Callable

    from analysis.network import Measures


def graph_of(edges: dict[tuple[int, int], int], size: int) -> nx.DiGraph[str]:
    """Return a core of *size* nodes, two to a site, added in no order of their ids."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for number in range(size - 1, -1, -1):
        graph.add_node(f"n{number:03}", site=f"s{number // 2}", role="core")
    for (source, target), weight in edges.items():
        graph.add_edge(f"n{source:03}", f"n{target:03}", weight=weight)
    return graph


@st.composite
def graphs(draw: Callable[..., Any]) -> nx.DiGraph[str]:
    size = draw(st.integers(0, 9))
    if size < 2:
        return graph_of({}, size)
    node = st.integers(0, size - 1)
    pairs = st.tuples(node, node).filter(lambda pair: pair[0] != pair[1])
    most = draw(st.integers(0, 30))
    edges = draw(st.dictionaries(pairs, st.integers(1, 5), max_size=most))
    return graph_of(edges, size)


def measured(graph: nx.DiGraph[str], seed: int = 1) -> Measures:
    return measure(small_network(graph=graph), seed=seed)


def values(graph: nx.DiGraph[str], name: str) -> dict[str, Any]:
    return {node: data[name] for node, data in graph.nodes(data=True)}


RING = {(0, 1): 1, (1, 2): 1, (2, 0): 1}
EMPTY, ONE, UNLINKED = graph_of({}, 0), graph_of({}, 1), graph_of({}, 3)
DANGLING = graph_of({(0, 1): 3, (0, 2): 1, (1, 2): 1}, 3)
APART = graph_of(RING | {(3, 4): 2}, 6)


def edge_cases(test: Callable[..., None]) -> Callable[..., None]:
    for graph in (EMPTY, ONE, UNLINKED, DANGLING, APART):
        test = example(graph)(test)
    # The first examples import what networkx puts off.
    return settings(deadline=None)(test)


@edge_cases
@given(graphs())
def test_pagerank_is_networkxs(graph: nx.DiGraph[str]) -> None:
    measured(graph)

    expected = nx.pagerank(graph, tol=1e-13, max_iter=1000)
    assert values(graph, "pagerank") == pytest.approx(expected, abs=1e-10)


@edge_cases
@given(graphs())
def test_hits_is_networkxs_where_there_is_one_answer(graph: nx.DiGraph[str]) -> None:
    measured(graph)
    hub, authority = values(graph, "hub"), values(graph, "hits_authority")

    if not graph.number_of_edges():
        assert {*hub.values(), *authority.values()} <= {0.0}
        return
    assert sum(hub.values()) == pytest.approx(1)
    assert sum(authority.values()) == pytest.approx(1)
    assert min(*hub.values(), *authority.values()) >= 0
    first, second = np.linalg.svd(nx.to_numpy_array(graph), compute_uv=False)[:2]
    assume(second < 0.99 * first)
    expected = nx.hits(graph, tol=1e-12)
    assert hub == pytest.approx(expected[0], abs=1e-8)
    assert authority == pytest.approx(expected[1], abs=1e-8)


def test_parts_that_are_equally_strong_are_hubs_and_authorities_alike() -> None:
    graph = graph_of({(0, 1): 2, (2, 3): 2, (4, 5): 1}, 6)

    measured(graph)

    assert list(values(graph, "hub").values())[::-1] == pytest.approx(
        [0.5, 0, 0.5, 0, 0, 0]
    )
    assert list(values(graph, "hits_authority").values())[::-1] == pytest.approx(
        [0, 0.5, 0, 0.5, 0, 0]
    )


@edge_cases
@given(graphs())
def test_reciprocity_is_networkxs(graph: nx.DiGraph[str]) -> None:
    found = measured(graph)

    assert values(graph, "reciprocity") == nx.reciprocity(graph, list(graph))
    if graph.number_of_edges():
        assert found.reciprocity == pytest.approx(nx.reciprocity(graph))
    else:
        assert found.reciprocity == 0


@edge_cases
@given(graphs())
def test_betweenness_is_networkxs(graph: nx.DiGraph[str]) -> None:
    found = measured(graph)

    expected = nx.betweenness_centrality(graph)
    assert values(graph, "betweenness") == pytest.approx(expected)
    assert found.betweenness_sample == 0


@settings(deadline=None)
@given(graphs(), st.integers(2, 8), st.integers(0, 9))
def test_estimated_betweenness_is_networkxs(
    graph: nx.DiGraph[str], sample: int, seed: int
) -> None:
    assume(len(graph) > max(sample, 2))
    matrix = CoreMatrix.of(graph)

    found, sources = betweenness(matrix, seed, exact=0, sample=sample)

    ordered: nx.DiGraph[str] = nx.DiGraph()
    ordered.add_nodes_from(matrix.nodes)
    ordered.add_edges_from(graph.edges)
    expected = nx.betweenness_centrality(ordered, k=sample, seed=seed)
    assert sources == sample
    assert found == pytest.approx(list(expected.values()))


LONG: dict[str, nx.Graph[int]] = {
    "path": nx.path_graph(150),
    "tree": nx.random_labeled_tree(200, seed=3),
    "circle with a hub": nx.wheel_graph(130),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 80)),
    "tail": nx.lollipop_graph(40, 90),
    "random": nx.gnm_random_graph(90, 500, seed=5),
}
"""Networks whose searches have few and many levels, narrow ones and broad ones."""


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("both_ways", [True, False])
def test_betweenness_of_larger_networks_is_networkxs(
    name: str, *, both_ways: bool
) -> None:
    found = LONG[name].to_directed()
    edges = {pair: 1 for pair in found.edges if both_ways or pair[0] < pair[1]}
    graph = graph_of(edges, len(found))

    result, _ = betweenness(CoreMatrix.of(graph), 1)

    expected = nx.betweenness_centrality(graph)
    assert result == pytest.approx([expected[node] for node in sorted(graph)])


@edge_cases
@given(graphs())
def test_k_core_is_networkxs(graph: nx.DiGraph[str]) -> None:
    measured(graph)

    assert values(graph, "k_core") == nx.core_number(graph.to_undirected())


def undirected(graph: nx.DiGraph[str]) -> nx.Graph[str]:
    both: nx.Graph[str] = nx.Graph()
    both.add_nodes_from(graph)
    for source, target, weight in graph.edges(data="weight"):
        before = both.get_edge_data(source, target, {"weight": 0})["weight"]
        both.add_edge(source, target, weight=before + weight)
    return both


def parts(graph: nx.DiGraph[str], name: str) -> list[set[str]]:
    """Return the groups of nodes by their number, which counts from 1."""
    found = values(graph, name)
    numbers = sorted(set(found.values()))
    assert numbers == list(range(1, len(numbers) + 1))
    return [{node for node in found if found[node] == number} for number in numbers]


@edge_cases
@given(graphs())
def test_components_are_networkxs_the_largest_first(graph: nx.DiGraph[str]) -> None:
    found = measured(graph)

    expected = sorted(
        nx.weakly_connected_components(graph), key=lambda part: (-len(part), min(part))
    )
    assert parts(graph, "component") == expected
    assert found.components == len(expected)
    assert found.largest_component == max(map(len, expected), default=0)


@edge_cases
@given(graphs())
def test_communities_are_a_partition_of_which_modularity_tells(
    graph: nx.DiGraph[str],
) -> None:
    found = measured(graph)

    groups = parts(graph, "community")
    assert sorted(groups, key=lambda part: (-len(part), min(part))) == groups
    assert found.communities == len(groups)
    if graph.number_of_edges():
        expected = nx.community.modularity(undirected(graph), groups)
        assert found.modularity == pytest.approx(expected)
    else:
        assert found.modularity == 0


def test_communities_are_those_of_louvain() -> None:
    graph = graph_of(
        {
            pair: 1
            for pair in nx.connected_caveman_graph(4, 5).to_directed().edges
            if pair[0] < pair[1]
        },
        20,
    )

    found = measured(graph)

    assert parts(graph, "community") == [
        {f"n{number:03}" for number in range(first, first + 5)}
        for first in (0, 5, 10, 15)
    ]
    assert found.modularity == pytest.approx(
        nx.community.modularity(graph.to_undirected(), parts(graph, "community"))
    )


@edge_cases
@given(graphs())
def test_inlinks_are_weights_and_sites_that_link(graph: nx.DiGraph[str]) -> None:
    measured(graph)

    assert values(graph, "inlinks_core") == dict(graph.in_degree(weight="weight"))
    assert values(graph, "linking_sites") == {
        node: len({graph.nodes[source]["site"] for source in graph.predecessors(node)})
        for node in graph
    }


@edge_cases
@given(graphs())
def test_size_and_density_are_networkxs(graph: nx.DiGraph[str]) -> None:
    found = measured(graph)

    assert (found.nodes, found.edges) == (len(graph), graph.number_of_edges())
    assert found.density == pytest.approx(nx.density(graph))


def test_periphery_has_no_measures_and_changes_none() -> None:
    alone, surrounded = graph_of(RING, 3), graph_of(RING, 3)
    surrounded.add_node("a", site="a", role="periphery")

    one, two = measured(alone), measured(surrounded)

    assert one == two
    outside = surrounded.nodes["a"]
    assert [outside[name] for name in BY_NODE] == [None] * len(BY_NODE)
    assert alone.nodes["n000"]["pagerank"] == pytest.approx(1 / 3)
    for name in BY_NODE:
        inside = values(surrounded.subgraph(alone), name)
        assert inside == values(alone, name)


def test_a_node_that_links_to_itself_is_as_if_it_did_not() -> None:
    one, two = graph_of(RING, 3), graph_of(RING, 3)
    two.add_edge("n000", "n000", weight=7)

    assert measured(one) == measured(two)
    for name in BY_NODE:
        assert values(one, name) == values(two, name)


@settings(deadline=None)
@given(graphs(), st.randoms(use_true_random=False))
def test_measures_do_not_depend_on_the_order_of_nodes_and_edges(
    graph: nx.DiGraph[str], random: Any
) -> None:
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(data=True))
    random.shuffle(nodes)
    random.shuffle(edges)
    again: nx.DiGraph[str] = nx.DiGraph()
    again.add_nodes_from((node, dict(data)) for node, data in nodes)
    again.add_edges_from(edges)

    assert measured(graph) == measured(again)
    for name in BY_NODE:
        assert values(graph, name) == values(again, name)


def test_values_are_pythons_own() -> None:
    graph = graph_of(RING, 4)

    measured(graph)

    kinds = {type(data[name]) for _, data in graph.nodes(data=True) for name in BY_NODE}
    assert kinds == {int, float, type(None)}


def test_betweenness_is_unknown_where_ways_are_beyond_count() -> None:
    rungs = 1100
    pairs = [(rung, side) for rung in range(rungs) for side in (0, 1)]
    edges = {
        (2 * rung + side, 2 * rung + 2 + other): 1
        for rung, side in pairs[:-2]
        for other in (0, 1)
    }
    graph = graph_of(edges, 2 * rungs)

    measured(graph)

    assert graph.nodes["n000"]["betweenness"] == 0
    assert graph.nodes["n1100"]["betweenness"] is None
