"""Nodes where they are on the globe, as far as that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.layout.overlap import apart
from analysis.layout.packing import MARGIN, rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.layout.floats import Floats

WIDTH: Final = 1200.0
"""Of the area that the places span, in the unit of sizes."""

WIDEST_CIRCLES: Final = 12
"""Of the largest circle the area is as wide at least."""


def geographic(degrees: Floats, radii: Floats) -> Floats:
    """Return positions for (latitude, longitude), which are nan where not known.

    Equirectangular, true to scale at the middle latitude; circles that would overlap
    are moved apart. Nodes without a place are in rows below.
    """
    known = np.flatnonzero(~np.isnan(degrees[:, 0]))
    rest = np.flatnonzero(np.isnan(degrees[:, 0]))
    at = np.zeros((len(radii), 2))
    at[known] = apart(_projected(degrees[known], radii), radii[known])
    low = (at[known] - radii[known, None]).min(axis=0)
    wide = float((at[known, 0] + radii[known]).max()) - low[0]
    block, _ = rows(radii[rest], max(wide, WIDTH))
    at[rest] = block + low - (0.0, 2 * MARGIN)
    return at


def _projected(degrees: Floats, radii: Floats) -> Floats:
    latitude, longitude = degrees.T
    longitude = _unbroken(longitude)
    middle = np.radians((latitude.min() + latitude.max()) / 2)
    flat: Floats = np.stack([longitude * np.cos(middle), latitude], axis=1)
    flat -= (flat.min(axis=0) + flat.max(axis=0)) / 2
    span = float(np.ptp(flat, axis=0).max())
    width = max(WIDTH, WIDEST_CIRCLES * 2 * float(radii.max()))
    projected: Floats = flat * (width / span) if span else flat
    return projected


def _unbroken(longitude: Floats) -> Floats:
    """Return longitudes with the map's edge in the widest gap between them."""
    turned: NDArray[np.float64] = np.sort(longitude % 360)
    gaps = np.diff(turned, append=turned[0] + 360)
    edge = turned[(int(np.argmax(gaps)) + 1) % len(turned)]
    unbroken: Floats = (longitude - edge) % 360
    return unbroken
