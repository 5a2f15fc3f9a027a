"""The places that a label can take about its node, the best ones first."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Point
    from analysis.pictures.boxes import Box
    from analysis.pictures.frame import Spot
    from analysis.pictures.marks import Text

GAP: Final = 2.5
"""Between a node and its label."""

# Beside is read most easily, then above and below (Imhof, Positioning Names on Maps,
# The American Cartographer 2, 1975). Degrees, clockwise from the right.
_TURNS: Final = (0, 180, 270, 90, 315, 45, 225, 135, 340, 20, 200, 160)

_FURTHER: Final = ((0.0, 0.0), (6.0, 6.0), (16.0, 30.0), (30.0, 45.0))
"""How much further off than the gap a label can be, and what that weighs."""

_OUTWARD: Final = (0.0, 3.0, 6.0, 10.0)
"""The same on a circle, where larger neighbours may be in the way."""

_LED: Final = 10.0
"""Distance from which on a line leads from a label to its node."""

_LATER: Final = 0.6
"""What each place later in the order weighs."""


class Place(NamedTuple):
    label: Text

    weight: float
    """What speaks against it, in points of links that a label would hide."""

    reach: float
    """How near other nodes would have to be to be taken for the label's own; 0 where a
    line leads to it."""

    leader: tuple[Point, Point] | None = None


def about(label: Text, spot: Spot) -> Iterator[Place]:
    """Yield the places of *label* about a node."""
    capital = 0.72 * label.size
    for further, far in _FURTHER:
        away = spot.reach + GAP + further
        for order, turn in enumerate(_TURNS):
            cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            x, y = spot.x + away * cos, spot.y + away * sin
            upright = abs(cos) < 0.1
            put = _at(
                label,
                x - label.length / 2 if upright else x,
                # From resting on the point to hanging from it.
                y + capital * (1 + sin) / 2,
                0,
                backwards=cos < 0 and not upright,
            )
            weight = far + _LATER * order
            if further < _LED:
                yield Place(put, weight, GAP + further + 1.5)
            else:
                start = spot.reach + 1.0
                first = spot.x + start * cos, spot.y + start * sin
                last = x - 1.5 * cos, y - 1.5 * sin
                yield Place(put, weight, 0.0, (first, last))


def outward(label: Text, spot: Spot, centre: Point) -> Iterator[Place]:
    """Yield the places of *label* on a circle, readable on both sides of it."""
    angle = math.atan2(spot.y - centre[1], spot.x - centre[0])
    backwards = math.cos(angle) < -1e-9
    turned = angle + math.pi if backwards else angle
    low = 0.36 * label.size
    for further in _OUTWARD:
        away = spot.reach + GAP + further
        x, y = spot.x + away * math.cos(angle), spot.y + away * math.sin(angle)
        put = _at(
            label,
            x - low * math.sin(turned),
            y + low * math.cos(turned),
            math.degrees(turned),
            backwards=backwards,
        )
        # Further off, it still points at its node alone; links do not matter.
        yield Place(put, 1000 * further, 0.0)


def strip(leader: tuple[Point, Point]) -> Box:
    """Return a line as a box, 1 wide."""
    (x, y), (end_x, end_y) = leader
    length = math.dist((x, y), (end_x, end_y)) or 1.0
    side_x, side_y = (end_y - y) / length / 2, (x - end_x) / length / 2
    return (
        (x + side_x, y + side_y),
        (end_x + side_x, end_y + side_y),
        (end_x - side_x, end_y - side_y),
        (x - side_x, y - side_y),
    )


def _at(label: Text, x: float, y: float, angle: float, *, backwards: bool) -> Text:
    return replace(
        label,
        x=round(x, 2),
        y=round(y, 2),
        anchor="end" if backwards else "start",
        angle=round((angle + 180) % 360 - 180, 2),
    )
