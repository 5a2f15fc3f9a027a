"""Circles: how large a layout has to be for them, and moving them apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError, cKDTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.layout.floats import Floats

GAP: Final = 3.0
"""Room between two circles, besides a quarter of the smaller one's radius."""

FULL: Final = 0.3
"""Share of a layout's area that circles with their gaps take up, if they can."""

CROWDED: Final = 0.9
"""Share of nodes around which circles fit in without being moved far."""

SPACIOUS: Final = 1.3
"""What those that have room are apart, their gap being 1."""

_ROUNDS: Final = 10
_GROWTH: Final = 1.03
"""What everything grows by after as many rounds, so that there is an end."""

_SIZE_CLASS: Final = 1.6
"""Circles are looked for among those of at most so much larger radius."""

_CLOSE: Final = 1e-6


def scaled(at: Floats, radii: Floats) -> Floats:
    """Return *at* in the unit of *radii*, so large that circles fill a fair share.

    Where a few far out would leave too little for the rest, it is larger; where all
    have room at less, smaller.
    """
    at = _told_apart(at)
    area = _area(at)
    taken = math.pi * (radii * 9 / 8 + GAP / 2) ** 2
    wanted = math.sqrt(float(taken.sum()) / FULL / area)
    distances, nearest = _tree(at).query(at, k=min(8, len(at)))
    around = taken[nearest].sum(axis=1) / (math.pi * distances[:, -1] ** 2)
    crowded = math.sqrt(float(np.quantile(around, CROWDED)))
    clear = _clear(distances, nearest, radii)
    return at * min(max(wanted, min(crowded, 3 * wanted)), SPACIOUS * clear)


def snug(at: Floats, radii: Floats) -> Floats:
    """Return *at* in the unit of *radii*, so large that all have room."""
    distances, nearest = _tree(at).query(at, k=len(at))
    return at * (SPACIOUS * _clear(distances, nearest, radii))


def _clear(distances: Floats, nearest: NDArray[np.int64], radii: Floats) -> float:
    """Return what *distances* have to be multiplied by for all to have their gaps."""
    needed = _needed(radii, nearest[:, :1], nearest[:, 1:])
    return float((needed / np.maximum(distances[:, 1:], 1e-9)).max())


def _area(at: Floats) -> float:
    """Return the area of the convex hull, or of a strip where all lie in a line."""
    least = float(np.ptp(at, axis=0).max()) ** 2 / 16
    try:
        return max(float(ConvexHull(at).volume), least)
    except QhullError:
        return least


def apart(at: Floats, radii: Floats) -> Floats:
    """Return *at* changed so that no circles of *radii* are nearer than their gap.

    Those that are too near push each other away, the smaller one farther; where rounds
    of that do not end it, everything grows a little.
    """
    at = _told_apart(at)
    while True:
        for _ in range(_ROUNDS):
            one, other = _too_near(at, radii)
            if not len(one):
                return at
            at = _pushed(at, radii, one, other)
        at = at * _GROWTH


def grown(at: Floats, radii: Floats) -> Floats:
    """Return *at* grown as a whole by as much as it takes for no two to be too near."""
    one, other = _too_near(at, radii)
    distance = np.hypot(*(at[one] - at[other]).T)
    return at * float(np.max(_needed(radii, one, other) / distance, initial=1.0))


def _needed(radii: Floats, one: NDArray[np.int64], other: NDArray[np.int64]) -> Floats:
    first, second = radii[one], radii[other]
    needed: Floats = first + second + GAP + np.minimum(first, second) / 4
    return needed


def _too_near(at: Floats, radii: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs that are too near, the larger circle first.

    They are looked for by classes of size: for a few large circles, the search around
    all would be wide.
    """
    ones, others = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    limit = float(radii.max(initial=0.0))
    while limit > 0 and (smaller := np.flatnonzero(radii <= limit)).size:
        least = limit / _SIZE_CLASS
        of_class = np.flatnonzero((radii <= limit) & (radii > least))
        reach = limit * 2.25 + GAP
        found = _tree(at[of_class]).sparse_distance_matrix(
            _tree(at[smaller]), reach, output_type="coo_matrix"
        )
        one, other = of_class[found.row], smaller[found.col]
        larger = (radii[one] > radii[other]) | (
            (radii[one] == radii[other]) & (one < other)
        )
        near = found.data < _needed(radii, one, other) - _CLOSE
        ones.append(one[larger & near])
        others.append(other[larger & near])
        limit = float(radii[radii <= least].max(initial=0.0))
    return np.concatenate(ones), np.concatenate(others)


def _tree(at: Floats) -> cKDTree:
    return cKDTree(at, compact_nodes=False, balanced_tree=False)


def _pushed(
    at: Floats, radii: Floats, one: NDArray[np.int64], other: NDArray[np.int64]
) -> Floats:
    between = at[one] - at[other]
    distance = np.hypot(*between.T)
    # A little more than it takes: what is pushed back and forth would never end.
    missing = 1.02 * (_needed(radii, one, other) - distance)
    push = between * (missing / np.maximum(distance, _CLOSE))[:, None]
    of_one = (radii[other] ** 2 / (radii[one] ** 2 + radii[other] ** 2))[:, None]
    moves = np.zeros_like(at)
    for axis, (forth, back) in enumerate(
        zip((push * of_one).T, (push * (1 - of_one)).T, strict=True)
    ):
        moves[:, axis] += np.bincount(one, forth, len(at))
        moves[:, axis] -= np.bincount(other, back, len(at))
    # What many push at once would fly off.
    far = np.hypot(*moves.T) / (2 * radii)
    pushed: Floats = at + moves / np.maximum(far, 1.0)[:, None]
    return pushed


def _told_apart(at: Floats) -> Floats:
    """Return *at* with each a hair's breadth beside, so that none share a spot."""
    breadth = max(float(np.ptp(at)) if len(at) else 0.0, 1.0) * 1e-5
    turn = np.arange(len(at)) * (math.pi * (3 - math.sqrt(5)))
    return at + np.column_stack((np.cos(turn), np.sin(turn))) * breadth
