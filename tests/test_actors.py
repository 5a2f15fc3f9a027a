from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.actors import INLINK_MEASURES, Ranked, ranked, write_actors
from analysis.measures import measure
from tests.networks import networks, small_network


def core(**inlinks: Any) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    for node, value in inlinks.items():
        graph.add_node(node, role="core", inlinks=value)
    return graph


def rows(network: Any) -> list[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "actors.csv"
        write_actors(network, path)
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def test_equal_values_share_a_rank_and_the_next_counts_them_all() -> None:
    graph = core(d=3, c=7, b=3, a=1)

    assert ranked(graph) == [
        Ranked(1, "c", 7),
        Ranked(2, "b", 3),
        Ranked(2, "d", 3),
        Ranked(4, "a", 1),
    ]


def test_periphery_and_nodes_without_a_value_have_no_rank() -> None:
    graph = core(a=None, b=float("nan"), c=1, d=0)
    graph.add_node("e", role="periphery", inlinks=9)

    assert [row.node for row in ranked(graph)] == ["c", "d"]
    assert ranked(graph, "pagerank") == []


@given(st.dictionaries(st.text("abc", min_size=1, max_size=4), st.integers(0, 5)))
def test_rank_is_one_more_than_the_number_of_better_nodes(
    inlinks: dict[str, int],
) -> None:
    for rank, node, value in ranked(core(**inlinks)):
        assert value == inlinks[node]
        assert rank == 1 + sum(other > value for other in inlinks.values())


def test_actors_have_a_rank_by_each_measure_of_inlinks() -> None:
    network = small_network()
    graph = network.graph
    graph.nodes["a.test"].update(inlinks_core=1, linking_sites=1, pagerank=0.25)
    graph.nodes["b.test"].update(inlinks=5, inlinks_core=1, linking_sites=2, unseen=3)
    graph.nodes["b.test"].update(label="=B", retained_at=1)

    found = rows(network)

    assert [",".join(row.values()) for row in found] == [
        "1,1,1,b.test,'=B,b.test,https://b.test/,TEST,,5,1,2,1,,1,false,3",
        "2,1,2,a.test,a.test,a.test,https://a.test/,TEST,,2,1,1,1,0.25,,true,",
    ]


def test_a_core_node_without_inlinks_known_stands_last() -> None:
    graph = core(a=None, b=0)

    assert [row["id"] for row in rows(small_network(graph=graph))] == ["b", "a"]


@settings(deadline=None)
@given(networks())
def test_every_core_node_is_an_actor_in_order_of_rank(network: Any) -> None:
    measure(network)

    found = rows(network)

    inside = [n for n, role in network.graph.nodes(data="role") if role == "core"]
    assert len(found) == len(inside)
    ranks = [int(row["rank_inlinks"]) for row in found]
    assert ranks == sorted(ranks)
    for row in found:
        assert all(int(row[f"rank_{name}"]) >= 1 for name in INLINK_MEASURES)


def test_text_has_no_rank() -> None:
    assert ranked(core(a="7")) == []
