"""Boxes at any angle that must not overlap each other, nor discs."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analysis.network import Point

_CELL: Final = 40.0

Box = tuple["Point", "Point", "Point", "Point"]


def apart(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return whether two rectangles have no point in common but of their rims.

    By the separating axis theorem: then a side of one of them lies between them.
    """
    return _divides(one, other) or _divides(other, one)


def _divides(box: Sequence[Point], other: Sequence[Point]) -> bool:
    for first, second in ((box[0], box[1]), (box[1], box[2])):
        axis = second[0] - first[0], second[1] - first[1]
        ours = [x * axis[0] + y * axis[1] for x, y in box]
        theirs = [x * axis[0] + y * axis[1] for x, y in other]
        if max(ours) <= min(theirs) or max(theirs) <= min(ours):
            return True
    return False


def clear_of(box: Sequence[Point], x: float, y: float, radius: float) -> bool:
    """Return whether a rectangle and a disc have no point in common."""
    (ox, oy), (ax, ay), _, (bx, by) = box
    width, height = math.hypot(ax - ox, ay - oy), math.hypot(bx - ox, by - oy)
    if not width or not height:
        return math.dist((x, y), (ox, oy)) >= radius
    along = ((x - ox) * (ax - ox) + (y - oy) * (ay - oy)) / width
    down = ((x - ox) * (bx - ox) + (y - oy) * (by - oy)) / height
    beside = max(-along, along - width, 0.0)
    above = max(-down, down - height, 0.0)
    return math.hypot(beside, above) >= radius


class Room:
    """What is taken already, found by where it is."""

    def __init__(self) -> None:
        self._boxes: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
        self._discs: defaultdict[tuple[int, int], list[tuple[float, float, float]]] = (
            defaultdict(list)
        )

    def add_disc(self, x: float, y: float, radius: float) -> None:
        corners = ((x - radius, y - radius), (x + radius, y + radius))
        for cell in _cells(corners):
            self._discs[cell].append((x, y, radius))

    def add(self, box: Box) -> None:
        for cell in _cells(box):
            self._boxes[cell].append(box)

    def free(self, box: Box, over: float = 0.0) -> bool:
        """Return whether *box* touches nothing but discs smaller than *over*."""
        cells = list(_cells(box))
        return all(
            apart(box, other) for cell in cells for other in self._boxes.get(cell, ())
        ) and all(
            radius < over or clear_of(box, x, y, radius)
            for cell in cells
            for x, y, radius in self._discs.get(cell, ())
        )

    def near(self, box: Box, distance: float) -> int:
        """Return how many discs are nearer to *box* than *distance*."""
        found = {
            disc for cell in _cells(box, distance) for disc in self._discs.get(cell, ())
        }
        return sum(not clear_of(box, x, y, r + distance) for x, y, r in found)


def _cells(points: Iterable[Point], more: float = 0.0) -> Iterator[tuple[int, int]]:
    """Yield the cells of the grid that the bounds of *points*, and *more*, lie in."""
    across, down = zip(*points, strict=True)
    left, right = int((min(across) - more) // _CELL), int((max(across) + more) // _CELL)
    top, bottom = int((min(down) - more) // _CELL), int((max(down) + more) // _CELL)
    for column in range(left, right + 1):
        for row in range(top, bottom + 1):
            yield column, row
