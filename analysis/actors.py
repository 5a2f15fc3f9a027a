"""Rank the actors of a network by how much they are linked to: actors.csv."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.attributes import plain
from analysis.tables import write_table

if TYPE_CHECKING:
    from pathlib import Path

    import networkx as nx

    from analysis.network import Network

INLINK_MEASURES: Final = ("inlinks", "inlinks_core", "linking_sites")
"""From all crawled pages, from pages of the core, and from sites of the core."""

ACTOR_COLUMNS: Final = (
    *(f"rank_{name}" for name in INLINK_MEASURES),
    "id",
    "label",
    "site",
    "url",
    "category",
    "voters",
    *INLINK_MEASURES,
    "outlinks",
    "pagerank",
    "retained_at",
    "starting_point",
    "unseen",
)


class Ranked(NamedTuple):
    rank: int
    node: str
    value: float


def ranked(graph: nx.DiGraph[str], by: str = "inlinks") -> list[Ranked]:
    """Return the core nodes of *graph* by their attribute *by*, the largest first.

    Nodes with the same value share a rank and stand by id; the next rank counts them
    all: 1, 2, 2, 4. Nodes without a value have no rank and are left out.
    """
    values = {
        node: data[by]
        for node, data in graph.nodes(data=True)
        if data.get("role") == "core" and _is_value(data.get(by))
    }
    found: list[Ranked] = []
    for place, node in enumerate(sorted(values, key=lambda n: (-values[n], n)), 1):
        tied = found and found[-1].value == values[node]
        found.append(Ranked(found[-1].rank if tied else place, node, values[node]))
    return found


def _is_value(value: object) -> bool:
    return isinstance(value, int | float) and not math.isnan(value)


def write_actors(network: Network, path: Path) -> None:
    """Write one core node a line, by its rank of inlinks and its id."""
    graph = network.graph
    ranks: dict[str, dict[str, int]] = {}
    for name in INLINK_MEASURES:
        for rank, node, _ in ranked(graph, name):
            ranks.setdefault(node, {})[f"rank_{name}"] = rank
    core = [node for node, role in graph.nodes(data="role") if role == "core"]
    last = len(core) + 1

    def place(node: str) -> tuple[int, str]:
        return ranks.get(node, {}).get(f"rank_{INLINK_MEASURES[0]}", last), node

    rows = (
        {"id": node, "label": node, **graph.nodes[node], **ranks.get(node, {})}
        for node in sorted(core, key=place)
    )
    write_table(
        path,
        ACTOR_COLUMNS,
        ([plain(row.get(column)) for column in ACTOR_COLUMNS] for row in rows),
    )
