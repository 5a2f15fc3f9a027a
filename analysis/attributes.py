"""Attributes of a graph's nodes and edges as files can hold them, in a fixed order."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from analysis.markup import FORBIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import networkx as nx

Value = str | int | float | bool | None


def nodes(graph: nx.DiGraph[str]) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield nodes by id, with plain attributes."""
    for node, data in sorted(graph.nodes(data=True), key=lambda row: row[0]):
        yield clean(node), {name: plain(value) for name, value in data.items()}


def edges(graph: nx.DiGraph[str]) -> Iterator[tuple[str, str, dict[str, Value]]]:
    """Yield edges by source and target, with plain attributes."""
    rows = sorted(graph.edges(data=True), key=lambda row: row[:2])
    for source, target, data in rows:
        values = {name: plain(value) for name, value in data.items()}
        yield clean(source), clean(target), values


def clean(text: str) -> str:
    r"""Return *text* without the characters that XML, and so most formats, cannot hold.

    >>> clean("a\x00b")
    'ab'
    """
    return FORBIDDEN.sub("", text)


def plain(value: object) -> Value:
    """Return *value* as one of Python's own scalars; numbers that are none are None.

    Fractions get six significant digits, more than which differ between machines.

    >>> plain(np.int64(3)), plain(1 / 3), plain(float("nan")), plain(["a", 1])
    (3, 0.333333, None, "['a', 1]")
    """
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    return clean(str(value))


def types(rows: Iterable[Mapping[str, Value]]) -> dict[str, type]:
    """Return bool, int, float or str for each attribute that has a value somewhere.

    >>> types([{"a": 1, "b": None, "c": True}, {"a": 2.5, "c": "x"}])
    {'a': <class 'float'>, 'c': <class 'str'>}
    """
    found: dict[str, set[type]] = {}
    for row in rows:
        for name, value in row.items():
            if value is not None:
                found.setdefault(name, set()).add(type(value))
    return {name: _widest(kinds) for name, kinds in found.items()}


def _widest(kinds: set[type]) -> type:
    if len(kinds) == 1:
        return next(iter(kinds))
    return float if kinds == {int, float} else str
