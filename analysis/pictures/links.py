"""The links of a picture: arrows where there are few, hairlines where there are many."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.paint import CHANGES
from analysis.pictures.marks import Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analysis.network import Network, Point
    from analysis.pictures.frame import Frame, Spot

ARROWS: Final = 700
"""Links up to which each is an arrow."""

LINE: Final = "#8d99a8"
HEAD: Final = "#66727f"
OUTER: Final = "#c3cad2"
"""Of links from the periphery."""

_HAIR: Final = 0.3
_TOGETHER: Final = 1000
"""Hairlines drawn as one: where many groups cross it still gets darker."""

_BEND: Final = 0.16
"""How far an arrow bends to its left, in its length, so that answers lie beside it."""

Link = tuple[str, str, int]


class Arrow(NamedTuple):
    line: tuple[Point, ...]
    head: tuple[Point, ...]
    width: float


def drawn(network: Network, frame: Frame, layout: str) -> list[Shape]:
    """Return the links, those from the periphery below those of the core."""
    centre = frame.centre if layout == "circle" else None
    found = list(_hairs(frame, network.inward, OUTER, 0.45))
    for change, core in changed(network).items():
        line, head = colours(change)
        if not arrows(network):
            found += _hairs(frame, core, head, _HAIR)
            continue
        joined = (
            arrow(frame.spots[source], frame.spots[target], weight, centre)
            for source, target, weight in core
            if source in frame.spots and target in frame.spots
        )
        found += _by_width(joined, line, head)
    return found


def changed(network: Network) -> dict[str, list[Link]]:
    """Return the links of the core, of a comparison by what changed, else under ''."""
    edges = network.graph.edges
    found: defaultdict[str, list[Link]] = defaultdict(list)
    for source, target, weight in sorted(edges(data="weight", default=1)):
        found[edges[source, target].get("change") or ""].append(
            (source, target, weight)
        )
    return {change: found[change] for change in ("", *CHANGES) if change in found}


def colours(change: str) -> tuple[str, str]:
    """Return the colours of line and head; what stayed looks as ever."""
    if change in {"", "stayed"}:
        return LINE, HEAD
    return CHANGES[change], CHANGES[change]


def arrows(network: Network) -> bool:
    """Return whether links of the core are drawn as arrows."""
    return int(network.graph.number_of_edges()) <= ARROWS


def line_width(weight: float) -> float:
    """Return the width of a link, in steps, so that those alike are drawn as one.

    >>> line_width(1), line_width(8), line_width(10**6)
    (0.6, 1.8, 3.0)
    """
    return round(min(0.6 + 0.4 * round(math.log2(max(weight, 1))), 3.0), 2)


def arrow(
    start: Spot, end: Spot, weight: float, centre: Point | None = None
) -> Arrow | None:
    """Return the arrow between two nodes, None where they leave no room for one.

    Around a *centre* it bends towards that.
    """
    bend = _bent(start, end, centre)
    first = _towards((start.x, start.y), bend, start.reach + 0.5)
    width = line_width(weight)
    length = 4.2 + 1.6 * width
    tip = _towards((end.x, end.y), bend, end.reach + 1.0)
    base = _towards((end.x, end.y), bend, end.reach + 1.0 + length)
    between = math.dist((start.x, start.y), (end.x, end.y))
    if between < start.reach + end.reach + length + 2:
        return None
    across = (tip[1] - base[1]) * 0.36, (base[0] - tip[0]) * 0.36
    sides = (
        (base[0] + across[0], base[1] + across[1]),
        (base[0] - across[0], base[1] - across[1]),
    )
    return Arrow((first, bend, base), (tip, *sides), width)


def _bent(start: Spot, end: Spot, centre: Point | None) -> Point:
    middle = (start.x + end.x) / 2, (start.y + end.y) / 2
    side = (end.y - start.y) * _BEND, (start.x - end.x) * _BEND
    if centre is None:
        return middle[0] + side[0], middle[1] + side[1]
    return (
        middle[0] + (centre[0] - middle[0]) * 0.55 + side[0] * 0.3,
        middle[1] + (centre[1] - middle[1]) * 0.55 + side[1] * 0.3,
    )


def _towards(start: Point, end: Point, by: float) -> Point:
    distance = math.dist(start, end) or 1.0
    share = by / distance
    return (
        start[0] + (end[0] - start[0]) * share,
        start[1] + (end[1] - start[1]) * share,
    )


def _by_width(found: Iterable[Arrow | None], line: str, head: str) -> Iterator[Shape]:
    by_width: defaultdict[float, list[Arrow]] = defaultdict(list)
    for one in found:
        if one is not None:
            by_width[one.width].append(one)
    for width in sorted(by_width):
        lines = tuple(one.line for one in by_width[width])
        yield Shape(lines, line=line, width=width)
    heads = tuple(one.head for width in sorted(by_width) for one in by_width[width])
    if heads:
        yield Shape(heads, fill=head)


def _hairs(
    frame: Frame, links: Sequence[Link], colour: str, width: float
) -> Iterator[Shape]:
    """Yield links as straight lines, from rim to rim; the more there are, the fainter."""
    spots = frame.spots
    parts = [
        _straight(spots[source], spots[target])
        for source, target, _ in links
        if source in spots and target in spots
    ]
    opacity = 1.0 if len(parts) <= ARROWS else 0.35
    for begin in range(0, len(parts), _TOGETHER):
        group = tuple(parts[begin : begin + _TOGETHER])
        yield Shape(group, line=colour, width=width, opacity=opacity)


def _straight(start: Spot, end: Spot) -> tuple[Point, Point]:
    return (
        _towards((start.x, start.y), (end.x, end.y), start.reach),
        _towards((end.x, end.y), (start.x, start.y), end.reach),
    )
