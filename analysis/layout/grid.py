"""Repulsion through a grid, in the order of nodes and cells instead of pairs.

A force of mass times mass over distance is a convolution of the masses with a kernel.
Masses are shared out to the four nearest points of a square grid, convolved with the
force of a unit mass by fast Fourier transform on a grid of twice the side, so that
opposite borders do not meet, and forces are read back with the same shares.

R. W. Hockney, J. W. Eastwood: Computer Simulation Using Particles, 1988, chapter 5
(particle-mesh, cloud in cell).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import fft

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.layout.floats import Floats

SIDES: Final = (64, 256)
"""Least and most cells of a side."""

_SOFTENING: Final = 0.5
"""Square of the distance, in cells, below which forces cease to grow."""

_NEAREST: Final = 0.01
"""Square of the distance, in cells, below which nothing grows any more."""


class Grid:
    def __init__(self, mass: Floats) -> None:
        self._mass = mass
        self._side = side(len(mass))
        self._width = 2 * self._side
        self._kernel = _kernel(self._width)

    def __call__(self, at: Floats) -> Floats:
        low = at.min(axis=0)
        cell = max(float((at - low).max()), 1e-9) / (self._side - 3)
        place = (at - low) / cell + 1.0
        corner = place.astype(np.int64)
        index = corner[:, 0] * self._width + corner[:, 1]
        points = np.stack(
            [index + step for step in (0, 1, self._width, self._width + 1)]
        )
        shares = _shares(place - corner)
        field = self._field(points, shares) + self._near(place, index)
        return field * (self._mass / cell)[:, None]

    def _field(self, points: NDArray[np.int64], shares: Floats) -> Floats:
        """Return the force on a unit mass at each node, lengths being in cells."""
        shape = self._width, self._width
        weights = (shares * self._mass).ravel()
        density = np.bincount(points.ravel(), weights, self._width**2)
        spectrum = fft.rfft2(density.reshape(shape).astype(np.float32), workers=1)
        fields = (
            fft.irfft2(spectrum * kernel, s=shape, workers=1).ravel()
            for kernel in self._kernel
        )
        return np.column_stack(
            [(shares * field[points]).sum(axis=0) for field in fields]
        )

    def _near(self, place: Floats, index: NDArray[np.int64]) -> Floats:
        """Return what the grid keeps from each node of the push of those in its cell.

        They push from their common centre of mass, with what softening takes away; the
        wider they are spread about it, the less.
        """
        own, square = self._mass, (place * place).sum(axis=1)
        weights = (own, *(own * column for column in place.T), own * square)
        mass, x, y, inertia = (np.bincount(index, each)[index] for each in weights)
        others = np.maximum(mass - own, 1e-9)
        centre = np.column_stack((x, y)) - own[:, None] * place
        centre /= others[:, None]
        spread = (inertia - own * square) / others - (centre * centre).sum(axis=1)
        away = place - centre
        wide = (away * away).sum(axis=1) + np.maximum(spread, _NEAREST)
        lost = 1 / wide - 1 / (wide + _SOFTENING)
        push: Floats = away * (others * lost)[:, None]
        return push


def side(nodes: int) -> int:
    """Return the cells of a side for *nodes*: four cells a node, within bounds.

    >>> side(300), side(2_000), side(20_000)
    (64, 90, 256)
    """
    least, most = SIDES
    fast = int(fft.next_fast_len(2 * math.isqrt(nodes), real=True))
    return min(max(fast, least), most)


def _shares(part: Floats) -> Floats:
    """Return what of each node falls to the four points around it."""
    x, y = part.T
    return np.stack([(1 - x) * (1 - y), (1 - x) * y, x * (1 - y), x * y])


def _kernel(width: int) -> list[NDArray[np.complex64]]:
    """Return the spectra of the force of a unit mass, along x and y."""
    steps = np.fft.fftfreq(width, 1 / width)
    x, y = np.meshgrid(steps, steps, indexing="ij")
    square = x * x + y * y + _SOFTENING
    return [fft.rfft2((part / square).astype(np.float32)) for part in (x, y)]
