"""Nodes on rings around what is there already, each near the angle it asks for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import isotonic_regression

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.layout.floats import Floats

MOAT: Final = 28.0
"""Left free around what the rings go around, for labels."""

GAP: Final = 2.0
"""Least room between two circles."""

FULL: Final = 0.6
"""Share of the rings' places that are taken; the rest leaves nodes near their angles."""


def rings(turns: Floats, radius: float, inner: float) -> Floats:
    """Return positions for circles of *radius* on rings beyond the distance *inner*.

    Each is as near to its angle in *turns* as the others let it; there are as many
    rings as it takes, and all have nodes from all sides.
    """
    pitch = 2 * radius + max(0.75 * radius, GAP)
    distances, places = _rings(len(turns), inner + MOAT + radius, pitch)
    order = np.argsort(turns, kind="stable")
    ring = _dealt(len(turns), places)
    at = np.zeros((len(turns), 2))
    for number, distance in enumerate(distances):
        nodes = order[ring == number]
        turn = spread(turns[nodes], 2 * math.pi / places[number])
        at[nodes] = np.column_stack((np.cos(turn), np.sin(turn))) * distance
    return at


def _rings(count: int, first: float, pitch: float) -> tuple[list[float], list[int]]:
    """Return the distances of as many rings as *count* nodes need, and their places.

    Neighbours on a ring, and rings, are *pitch* apart.
    """
    distances: list[float] = []
    places: list[int] = []
    while sum(places) * FULL < count:
        distance = first + pitch * len(distances)
        distances.append(distance)
        places.append(int(math.pi / math.asin(min(pitch / 2 / distance, 1.0))))
    return distances, places


def _dealt(count: int, places: list[int]) -> NDArray[np.int64]:
    """Return a ring for each of *count* nodes, each ring's share evenly among them."""
    ends = np.round(np.cumsum(places) / max(sum(places), 1) * count).astype(np.int64)
    shares = np.diff(ends, prepend=0).tolist()
    ring = np.repeat(np.arange(len(places)), shares)
    turn = np.concatenate([(np.arange(n) + 0.5) / n for n in shares] or [[]])
    dealt: NDArray[np.int64] = ring[np.lexsort((ring, turn))]
    return dealt


def spread(turns: Floats, step: float) -> Floats:
    """Return ascending angles, changed as little as it takes to be *step* apart.

    The circle is cut open in the widest gap between them. All have to fit:
    ``len(turns) * step`` is a whole turn at most.

    >>> spread(np.array([1.0, 1.0, 1.3]), 0.2).round(2).tolist()
    [0.9, 1.1, 1.3]
    """
    if not len(turns):
        return turns
    gaps = np.diff(turns, append=turns[0] + 2 * math.pi)
    start = int(np.argmax(gaps)) + 1
    ahead = np.concatenate([turns[start:], turns[:start] + 2 * math.pi])
    steps = np.arange(len(turns)) * step
    # Without the steps that come before it, an angle may be equal to the one before.
    free = isotonic_regression(ahead - steps).x
    slack = 2 * math.pi - len(turns) * step
    low = min(max(free[0], free.mean() - slack / 2), free[-1] - slack)
    if free[-1] - free[0] > slack:
        free = np.clip(free, low, low + slack)
    return np.roll((free + steps) % (2 * math.pi), start)
