"""How far nodes go in a step of ForceAtlas2.

The speed of the whole rises while forces keep their direction (traction) and falls
where they turn back and forth (swing); a node that swings goes slower than the rest.

M. Jacomy, T. Venturini, S. Heymann, M. Bastian: ForceAtlas2, a Continuous Graph Layout
Algorithm for Handy Network Visualization Designed for the Gephi Software, PLoS ONE
9(6), 2014, sections "Adapting the local speed" and "Adapting the global speed"; the
constants are those of Gephi's implementation.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from analysis.layout.floats import Floats

_TOLERANCE: Final = 1.0
_LEAST_EFFICIENCY: Final = 0.05
_FASTEST: Final = 1000.0
_RISE: Final = 0.5
"""A step is at most so much faster than the one before."""


class Speed:
    """The speed of one layout; keeps what it has to remember between steps."""

    def __init__(self, mass: Floats) -> None:
        self._mass = mass
        self._before = np.zeros((len(mass), 2))
        self._speed = 1.0
        self._efficiency = 1.0

    def moves(self, forces: Floats) -> Floats:
        """Return how far each node goes under *forces*."""
        swing = self._mass * np.hypot(*(forces - self._before).T)
        traction = self._mass * np.hypot(*(forces + self._before).T) / 2
        self._before = forces
        self._adapt(float(swing.sum()), float(traction.sum()))
        own = self._speed / (1.0 + np.sqrt(self._speed * swing))
        moves: Floats = forces * own[:, None]
        return moves

    def _adapt(self, swing: float, traction: float) -> None:
        if not swing:
            return
        tolerance = self._tolerance(traction)
        if traction and swing / traction > 2.0:
            self._slow_down(0.5)
            tolerance = max(tolerance, _TOLERANCE)
        wanted = tolerance * self._efficiency * traction / swing
        if swing > tolerance * traction:
            self._slow_down(0.7)
        elif self._speed < _FASTEST:
            self._efficiency *= 1.3
        self._speed += min(wanted - self._speed, _RISE * self._speed)

    def _tolerance(self, traction: float) -> float:
        nodes = len(self._mass)
        estimate = 0.05 * math.sqrt(nodes)
        most = min(10.0, estimate * traction / nodes**2)
        return _TOLERANCE * max(math.sqrt(estimate), most)

    def _slow_down(self, factor: float) -> None:
        if self._efficiency > _LEAST_EFFICIENCY:
            self._efficiency *= factor
