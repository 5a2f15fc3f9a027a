"""Write a comparison as tables: comparison_nodes.csv and comparison_edges.csv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.actors import INLINK_MEASURES
from analysis.tables import write_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from analysis.attributes import Value
    from analysis.compare.result import Comparison, Looks, NodeChange, Place

NODES_FILE: Final = "comparison_nodes.csv"
EDGES_FILE: Final = "comparison_edges.csv"

LOOKS_COLUMNS: Final = ("found_in", "pages", "unseen", "reasons")

NODE_COLUMNS: Final = (
    "before",
    "after",
    "node",
    "change",
    "role_before",
    "role_after",
    *(
        f"{name}_{what}"
        for name in INLINK_MEASURES
        for what in ("before", "after", "rank_before", "rank_after", "moved")
    ),
    *LOOKS_COLUMNS,
)
EDGE_COLUMNS: Final = (
    "before",
    "after",
    "source",
    "target",
    "change",
    "weight_before",
    "weight_after",
    *LOOKS_COLUMNS,
)


def write_nodes(comparison: Comparison, path: Path) -> None:
    """Write one node of one step a line, by step and id."""
    rows = (
        (step.before, step.after, *_node(node))
        for step in comparison.steps
        for node in step.nodes
    )
    write_table(path, NODE_COLUMNS, rows)


def write_edges(comparison: Comparison, path: Path) -> None:
    """Write one edge of one step a line, by step, source and target."""
    rows = (
        (
            step.before,
            step.after,
            edge.source,
            edge.target,
            edge.change,
            edge.before,
            edge.after,
            *_looks(edge.found_in, edge.looks),
        )
        for step in comparison.steps
        for edge in step.edges
    )
    write_table(path, EDGE_COLUMNS, rows)


def _node(node: NodeChange) -> Iterator[Value]:
    earlier, later = node.before, node.after
    yield node.node
    yield node.change
    yield earlier.role if earlier else None
    yield later.role if later else None
    for name in INLINK_MEASURES:
        yield _value(earlier, name)
        yield _value(later, name)
        yield earlier.ranks.get(name) if earlier else None
        yield later.ranks.get(name) if later else None
        yield node.moved(name)
    yield from _looks(node.found_in, node.looks)


def _value(place: Place | None, measure: str) -> int | None:
    return None if place is None else place.values[measure]


def _looks(found_in: tuple[str, ...], looks: Looks) -> Iterator[Value]:
    yield "; ".join(found_in)
    yield looks.pages
    yield looks.unseen
    yield looks.told
