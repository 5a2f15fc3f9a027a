"""Lay boxes out beside each other: parts of a graph that no link joins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from analysis.layout.floats import Floats

MARGIN: Final = 28.0
"""Between two boxes."""


def packed(boxes: Floats) -> Floats:
    """Return centres for *boxes*, rows of width and height, no two in one another.

    The first has its centre at (0, 0); each other is put where it touches one before
    it and reaches least far from there.
    """
    halves = boxes / 2
    centres = np.zeros((len(boxes), 2))
    for number in range(1, len(boxes)):
        placed, sides, half = centres[:number], halves[:number], halves[number]
        spots = _beside(placed, sides, half)
        apart = np.abs(spots[:, None] - placed) - (sides + half)
        free = spots[(apart >= -1e-9).any(axis=2).all(axis=1)]
        reach = np.hypot(*(np.abs(free) + half).T)
        centres[number] = free[np.argmin(np.round(reach, 6))]
    return centres


def _beside(centres: Floats, halves: Floats, half: Floats) -> Floats:
    """Return where a box of *half* touches one of the others: flush or in its middle.

    Those at the sides of the outermost boxes are free whatever else is there.
    """
    spots = []
    for axis in (0, 1):
        for side in (-1, 1):
            for shift in (-1, 0, 1):
                spot = centres.copy()
                spot[:, axis] += side * (halves + half)[:, axis]
                spot[:, 1 - axis] += shift * (halves - half)[:, 1 - axis]
                spots.append(spot)
    return np.concatenate(spots)


def rows(boxes: Floats, width: float) -> Floats:
    """Return centres for *boxes* in rows about *width* wide, centred, from y = 0 down.

    >>> rows(np.full((3, 2), 10.0), 20).tolist()
    [[-5.0, -5.0], [5.0, -5.0], [-5.0, -15.0]]
    """
    centres = np.zeros((len(boxes), 2))
    x = y = high = wide = 0.0
    for number, (across, down) in enumerate(boxes.tolist()):
        if x and x + across > width:
            x, y, high = 0.0, y + high, 0.0
        centres[number] = x + across / 2, -y - down / 2
        x, high = x + across, max(high, down)
        wide = max(wide, x)
    centres[:, 0] -= wide / 2
    return centres
