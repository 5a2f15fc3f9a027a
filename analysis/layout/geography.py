"""Nodes where they are on the globe, as far as that is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.layout.nodes import box
from analysis.layout.overlap import GAP, apart
from analysis.layout.packing import MARGIN, rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.layout.floats import Floats

LEAST: Final = 800.0
"""Width of the area that places span, in the unit of radii; more for many nodes."""

FULL: Final = 0.1
"""Share of a square of that width that circles take up at most."""


def geographic(degrees: Floats, radii: Floats) -> Floats:
    """Return positions for (latitude, longitude), which are nan where not known.

    Equirectangular, true to scale at the middle latitude, the map's edge being where
    no place is. Circles that would overlap are moved apart; nodes without a place stand
    in rows below.
    """
    known = np.flatnonzero(~np.isnan(degrees[:, 0]))
    rest = np.flatnonzero(np.isnan(degrees[:, 0]))
    at = np.zeros((len(radii), 2))
    spots = _projected(degrees[known], radii[known])
    at[known] = apart(_fanned(spots, radii[known]), radii[known])
    low, high = box(at[known], radii[known])
    rest = rest[np.argsort(-radii[rest], kind="stable")]
    sides = np.repeat(2 * radii[rest, None] + MARGIN / 4, 2, axis=1)
    block = rows(sides, max(float(high[0] - low[0]), LEAST))
    under = np.array([(low[0] + high[0]) / 2, low[1] - MARGIN])
    at[rest] = block + under
    return at


def _projected(degrees: Floats, radii: Floats) -> Floats:
    latitude, longitude = degrees.T
    longitude = _unbroken(longitude)
    middle = math.radians(float(latitude.min() + latitude.max()) / 2)
    flat = np.column_stack((longitude * math.cos(middle), latitude))
    flat -= (flat.min(axis=0) + flat.max(axis=0)) / 2
    span = float(np.ptp(flat, axis=0).max())
    width = max(LEAST, math.sqrt(math.pi * float((radii**2).sum()) / FULL))
    projected: Floats = flat * (width / span) if span > 1e-9 else flat
    return projected


def _unbroken(longitude: Floats) -> Floats:
    """Return longitudes from the widest gap between them on, from 0 to 360."""
    turned: NDArray[np.float64] = np.sort(longitude % 360)
    gaps = np.diff(turned, append=turned[0] + 360)
    edge = turned[(int(np.argmax(gaps)) + 1) % len(turned)]
    unbroken: Floats = (longitude - edge) % 360
    return unbroken


def _fanned(at: Floats, radii: Floats) -> Floats:
    """Return *at* with the nodes of one spot around it like the seeds of a sunflower.

    What is less than a circle apart is one spot; its largest nodes are in the middle.
    """
    cell = 2 * float(radii.mean())
    order = np.argsort(-radii, kind="stable")
    cells = np.floor(at / cell + 0.5).astype(np.int64)
    _, spot = np.unique(cells, axis=0, return_inverse=True)
    fanned = at.copy()
    for number in range(int(spot.max()) + 1):
        nodes = order[spot[order] == number]
        room = (radii[nodes] + GAP / 2) ** 2
        reach = np.sqrt(np.cumsum(room) - room)
        turn = np.arange(len(nodes)) * (math.pi * (3 - math.sqrt(5)))
        fan = np.column_stack((np.cos(turn), np.sin(turn))) * reach[:, None]
        if len(nodes) > 1:
            fanned[nodes] = at[nodes].mean(axis=0) + fan
    return fanned
