"""What the map draws: nodes with their values, edges, places, and colourings.

Nodes are numbered, the core first, each by id; all else names them by number. Texts
that many nodes share are listed once.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from analysis import attributes, paint
from analysis.map.coverage import coverage_of
from analysis.map.wording import facts
from analysis.pictures.naming import name as label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.attributes import Value
    from analysis.network import Network, Point

MEASURES: Final = (
    "inlinks",
    "linking_sites",
    "inlinks_core",
    "outlinks",
    "voters",
    "pagerank",
    "betweenness",
    "hub",
    "hits_authority",
    "reciprocity",
    "k_core",
)
"""Attributes that are numbers, as the panel lists them."""

SIZES: Final = (
    "inlinks",
    "linking_sites",
    "inlinks_core",
    "outlinks",
    "pagerank",
    "betweenness",
)
"""Those of them that nodes can be sized by; the first is the default."""

COLOURINGS: Final = ("change", "category", "community", "role", "retained_at")
"""Attributes that nodes can be coloured by; the first is the default."""

TEXTS: Final = ("category", "why", "change", "looks", "tags", "site")

TENTHS: Final = 10
"""Places are whole numbers of this part of a unit of the layout."""

Node = tuple[str, "dict[str, Value]"]


class Numbering:
    """The nodes of a network in the order of the map, and their numbers."""

    def __init__(self, network: Network) -> None:
        rows = sorted(
            network.graph.nodes(data=True),
            key=lambda row: (row[1].get("role") != "core", row[0]),
        )
        self.ids = [node for node, _ in rows]
        self.data = [
            {name: attributes.plain(value) for name, value in data.items()}
            for _, data in rows
        ]
        self.core = sum(data.get("role") == "core" for data in self.data)
        self.of = {node: number for number, node in enumerate(self.ids)}


def content(network: Network, numbering: Numbering) -> dict[str, Any]:
    """Return what the page needs before a panel is opened."""
    data, core = numbering.data, numbering.core
    return {
        "title": attributes.clean(network.title),
        "facts": facts(network),
        "mode": network.parameters.mode,
        "listed": network.provenance is not None,
        "decisions": [str(one) for one in network.decisions],
        "core": core,
        "ids": numbering.ids,
        "urls": [row.get("url") or "" for row in data],
        "starting": [n for n, row in enumerate(data) if row.get("starting_point")],
        "texts": {
            "label": _texts(map(label, numbering.ids, data)),
            **{name: _texts(row.get(name) for row in data) for name in TEXTS},
        },
        "measures": _numbers(data, MEASURES, core),
        "unseen": [row.get("unseen") or 0 for row in data],
        "sizes": [name for name in SIZES if _has(data[:core], name)],
        "radius": [paint.SMALLEST, paint.LARGEST, paint.PERIPHERY_RADIUS],
        "colourings": [
            _colouring(network, numbering, name)
            for name in COLOURINGS
            if name in ("category", "role") or _has(data[:core], name)
        ],
        "layouts": {
            name: _places(network.layouts[name], numbering.ids)
            for name in sorted(network.layouts)
        },
        "edges": _links(network.graph.edges(data="weight"), numbering),
        "inward": _links(network.inward, numbering),
        "edge_change": _edge_changes(network, numbering),
        "coverage": coverage_of(network, numbering.data),
        "stability": _stability(network, numbering),
        "sample": network.measures.betweenness_sample if network.measures else 0,
    }


def _has(rows: Sequence[dict[str, Value]], name: str) -> bool:
    return any(row.get(name) is not None for row in rows)


def _numbers(
    rows: Sequence[dict[str, Value]], names: Iterable[str], core: int
) -> dict[str, list[Value]]:
    """Return columns; those of the core alone are as short as the core."""
    columns = {}
    for name in names:
        if _has(rows, name):
            long = _has(rows[core:], name)
            columns[name] = [row.get(name) for row in (rows if long else rows[:core])]
    return columns


def _texts(values: Iterable[Value]) -> dict[str, list[Any]]:
    """Return a table of the texts, the commonest first, and where each value stands."""
    texts = ["" if value is None else str(value) for value in values]
    counts = Counter(texts)
    table = sorted(counts, key=lambda text: (-counts[text], text))
    place = {text: number for number, text in enumerate(table)}
    return {"table": table, "of": [place[text] for text in texts]}


def _colouring(network: Network, numbering: Numbering, by: str) -> dict[str, Any]:
    """Return the legend of a colouring, and the line of it that each node is in."""
    found = paint.colouring(network.graph, by)
    line = {group.colour: number for number, group in enumerate(found.legend)}
    return {
        "by": by,
        "groups": [[group.label, group.colour] for group in found.legend],
        "of": [line[found.of[node]] for node in numbering.ids],
    }


def _places(points: dict[str, Point], ids: Iterable[str]) -> dict[str, list[int]]:
    chosen = [points[node] for node in ids]
    return {
        "x": [round(x * TENTHS) for x, _ in chosen],
        "y": [round(y * TENTHS) for _, y in chosen],
    }


def _links(
    rows: Iterable[tuple[str, str, int]], numbering: Numbering
) -> list[list[int]]:
    """Return sources, targets and weights: columns deflate better than rows."""
    number = numbering.of
    links = sorted((number[s], number[t], weight or 1) for s, t, weight in rows)
    return [[link[column] for link in links] for column in range(3)]


def _edge_changes(network: Network, numbering: Numbering) -> dict[str, list[Any]]:
    """Return what became of each edge since another network, in order of the edges."""
    number = numbering.of
    rows = sorted(
        (number[source], number[target], str(change))
        for source, target, change in network.graph.edges(data="change")
        if change is not None
    )
    if len(rows) != network.graph.number_of_edges():
        return _texts(())
    return _texts(change for _, _, change in rows)


def _stability(network: Network, numbering: Numbering) -> list[float | None]:
    """Return the share of variants that keep each core node; empty if not computed."""
    if network.stability is None:
        return []
    shares = network.stability.shares
    ids = numbering.ids[: numbering.core]
    return [round(shares[node], 3) if node in shares else None for node in ids]
