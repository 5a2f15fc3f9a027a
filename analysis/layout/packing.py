"""Lay the parts of a graph out beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.layout.floats import Floats

MARGIN: Final = 16.0
ANGLES: Final = 48


def packed(parts: Sequence[tuple[Floats, Floats]]) -> list[Floats]:
    """Return positions of all parts, given as (positions, radii), none in another.

    The first is in the middle, the others lie around it, as near as they fit. A part
    takes up the circle around it.
    """
    centred = [_centred(at, radii) for at, radii in parts]
    centres: Floats = np.zeros((0, 2))
    sizes: Floats = np.zeros(0)
    found = []
    for at, size in centred:
        centre = _first_fit(centres, sizes, size)
        found.append(at + centre)
        centres = np.vstack([centres, centre])
        sizes = np.append(sizes, size)
    return found


def _centred(at: Floats, radii: Floats) -> tuple[Floats, float]:
    low, high = (at - radii[:, None]).min(0), (at + radii[:, None]).max(0)
    at = at - (low + high) / 2
    return at, float((np.linalg.norm(at, axis=1) + radii).max()) + MARGIN / 2


def _first_fit(centres: Floats, sizes: Floats, size: float) -> Floats:
    """Return the centre nearest to the middle where a circle of *size* has room."""
    if not len(centres):
        return np.zeros(2)
    distance = 0.0
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    while True:
        distance += size / 2
        candidates = around * distance
        gaps = np.linalg.norm(candidates[:, None] - centres[None], axis=2) - sizes
        fits = np.flatnonzero(gaps.min(axis=1) >= size)
        if len(fits):
            return np.asarray(candidates[fits[0]])


def rows(radii: Floats, width: float) -> tuple[Floats, float]:
    """Return positions in rows, the first at the top, and how high they are in all.

    The block is *width* wide, or as wide as its widest circle; its top is at 0.
    """
    at = np.zeros((len(radii), 2))
    x = y = high = 0.0
    for number, radius in enumerate(radii.tolist()):
        room = 2 * radius + MARGIN / 2
        if x and x + room > width:
            x, y, high = 0.0, y + high, 0.0
        at[number] = x + room / 2, -y - room / 2
        x, high = x + room, max(high, room)
    return at, y + high
