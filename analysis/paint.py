"""Colours and sizes of nodes: one choice for GEXF, map and pictures alike."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

    import networkx as nx

PALETTE: Final = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#f0e442",
)
"""Told apart by the colour-blind: Okabe & Ito, Color Universal Design, 2008; its black
is left to text and outlines."""

CHANGES: Final = {
    "stayed": "#0072b2",
    "came": "#009e73",
    "went": "#d55e00",
    "unseen": "#e69f00",
}
"""Colours of what became of a node or an edge: the same in every comparison."""

REST: Final = "#545454"
"""For groups beyond the palette, and for nodes without a value; no lighter, since who
sees no green takes the palette's green for a middle grey."""

PERIPHERY: Final = "#b8b8b8"

SMALLEST: Final = 4.0
LARGEST: Final = 24.0
PERIPHERY_RADIUS: Final = 3.0

BETWEEN: Final = 8.0
"""Left free between neighbours on a circle map: with the smallest, a label's height."""


@dataclass(frozen=True, slots=True)
class Group:
    """A line of a legend."""

    label: str
    colour: str
    nodes: int


@dataclass(frozen=True, slots=True)
class Colouring:
    of: dict[str, str]
    """Colour of every node of the graph."""

    legend: list[Group]


def radius(value: float, largest: float) -> float:
    """Return the radius of a node, its area growing with *value*.

    >>> radius(0, 9), radius(9, 9), radius(0, 0)
    (4.0, 24.0, 4.0)
    """
    share = max(value, 0) / largest if largest > 0 else 0.0
    return SMALLEST + (LARGEST - SMALLEST) * math.sqrt(share)


def sizes(graph: nx.DiGraph[str], by: str = "inlinks") -> dict[str, float]:
    """Return the radius of every node by its attribute *by*."""
    core = {
        node: float(data.get(by) or 0)
        for node, data in graph.nodes(data=True)
        if data.get("role") == "core"
    }
    largest = max(core.values(), default=0.0)
    return {
        node: round(radius(core[node], largest), 2)
        if node in core
        else PERIPHERY_RADIUS
        for node in graph
    }


def colouring(graph: nx.DiGraph[str], by: str = "category") -> Colouring:
    """Return the colour of every node by its attribute *by*, the largest groups first.

    The periphery has one colour, whatever it is coloured by, except for what changed.
    """
    core = [
        (node, _shown(data.get(by)))
        for node, data in graph.nodes(data=True)
        if data.get("role") == "core" or (by == "change" and data.get(by))
    ]
    counts = Counter(value for _, value in core)
    ranked = sorted((v for v in counts if v), key=lambda v: (-counts[v], v))
    colour = dict(zip(ranked, PALETTE, strict=False))
    if by == "change":
        colour = {value: CHANGES[value] for value in ranked}
    legend = [Group(value, colour[value], counts[value]) for value in colour]
    if rest := len(core) - sum(group.nodes for group in legend):
        legend.append(Group(_apart("other", colour) if legend else "core", REST, rest))
    if outside := len(graph) - len(core):
        legend.append(Group(_apart("periphery", colour), PERIPHERY, outside))
    of = dict.fromkeys(graph, PERIPHERY)
    of.update((node, colour.get(value, REST)) for node, value in core)
    return Colouring(of, legend)


def _apart(word: str, values: Collection[str]) -> str:
    """Return *word*, told apart from a value that is called so.

    >>> _apart("other", ["NL"]), _apart("other", ["NL", "other"])
    ('other', 'other (grey)')
    """
    return f"{word} (grey)" if word in values else word


def _shown(value: object) -> str:
    return "" if value is None else str(value)
