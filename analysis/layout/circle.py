"""The circle map of the Issue Crawler: all nodes on one circle."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.layout.overlap import grown
from analysis.paint import BETWEEN

if TYPE_CHECKING:
    import networkx as nx

    from analysis.layout.floats import Floats


def circle_order(graph: nx.DiGraph[str], ids: list[str]) -> list[int]:
    """Return the order of nodes on the circle, as places in *ids*.

    By category, the largest first as in a legend and those without one last; within a
    category by community, then by inlinks, the most first, then by id.
    """
    data = [graph.nodes[node] for node in ids]
    counts = Counter(str(row.get("category") or "") for row in data)

    def rank(number: int) -> tuple[Any, ...]:
        row = data[number]
        category = str(row.get("category") or "")
        return (
            not category,
            -counts[category],
            category,
            row.get("community") or 0,
            -(row.get("inlinks") or 0),
            ids[number],
        )

    return sorted(range(len(ids)), key=rank)


def circle(radii: Floats) -> Floats:
    """Return positions on one circle, clockwise from the top, in the order given.

    Each takes up as much of the circle as it is wide.
    """
    if len(radii) < 2:
        return np.zeros((len(radii), 2))
    room = 2 * radii + BETWEEN
    ends = np.cumsum(room)
    turn = np.pi / 2 - (ends - room / 2) / ends[-1] * 2 * np.pi
    around = np.column_stack((np.cos(turn), np.sin(turn)))
    # A chord is shorter than its arc, most of all where few share the circle.
    return grown(around * ends[-1] / (2 * np.pi), radii)
