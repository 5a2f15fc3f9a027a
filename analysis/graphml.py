"""Write a network's graph as GraphML, by networkx, from attributes it can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from analysis import attributes

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network


def write(network: Network, path: Path) -> None:
    graph: nx.DiGraph[str] = nx.DiGraph()
    if network.decisions:
        lines = (attributes.clean(str(one)) for one in network.decisions)
        graph.graph["decisions"] = "\n".join(lines)
    for node, data in attributes.nodes(network.graph):
        graph.add_node(node, **_known(data))
    for source, target, data in attributes.edges(network.graph):
        graph.add_edge(source, target, **_known(data))
    with path.open("wb") as file:
        nx.write_graphml(graph, file, named_key_ids=True)


def _known(data: dict[str, attributes.Value]) -> dict[str, attributes.Value]:
    """GraphML has no value for nothing; the attribute is left out."""
    return {name: value for name, value in data.items() if value is not None}
