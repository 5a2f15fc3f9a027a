"""How much a label would hide of the links below it."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analysis.network import Point
    from analysis.pictures.marks import Shape

_STEP: Final = 5.0
_HEAD: Final = 3.0
"""What the head of an arrow weighs; a line weighs what it is wide."""

_MOST: Final = 2000
"""Parts of links beyond which all is crossed anyway."""


class Crossings:
    """Weighs points of links, by cells of a grid."""

    def __init__(self, links: Iterable[Shape]) -> None:
        shapes = list(links)
        self._points: defaultdict[tuple[int, int], float] = defaultdict(float)
        if sum(len(shape.parts) for shape in shapes) > _MOST:
            return
        for shape in shapes:
            weight = _HEAD if shape.line == "none" else shape.width
            for part in shape.parts:
                for x, y in _along(part):
                    self._points[int(x // _STEP), int(y // _STEP)] += weight

    def of(self, box: Sequence[Point]) -> float:
        """Return what lies in the bounds of *box*."""
        if not self._points:
            return 0.0
        across, down = zip(*box, strict=True)
        columns = range(int(min(across) // _STEP), int(max(across) // _STEP) + 1)
        rows = range(int(min(down) // _STEP), int(max(down) // _STEP) + 1)
        points = self._points
        return sum(points.get((x, y), 0.0) for x in columns for y in rows)


def _along(part: tuple[Point, ...]) -> Iterator[Point]:
    """Yield points along a line or a quadratic curve, a step apart."""
    first, last = part[0], part[-1]
    bend = part[1] if len(part) == 3 else None
    steps = max(int(math.dist(first, last) // _STEP), 1)
    for step in range(steps + 1):
        t = step / steps
        if bend is None:
            yield (
                first[0] + (last[0] - first[0]) * t,
                first[1] + (last[1] - first[1]) * t,
            )
        else:
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            yield (
                a * first[0] + b * bend[0] + c * last[0],
                a * first[1] + b * bend[1] + c * last[1],
            )
