"""How nodes push each other away: mass times mass over distance, as in ForceAtlas2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from analysis.layout.grid import Grid

if TYPE_CHECKING:
    from analysis.layout.floats import Floats

EACH_BY_EACH: Final = 120
"""Nodes up to which the grid takes longer than all pairs."""


class Repulsion(Protocol):
    def __call__(self, at: Floats) -> Floats:
        """Return the force on each node, with a constant of 1."""


def repulsion(mass: Floats) -> Repulsion:
    """Return how nodes of *mass* are pushed, by the way that suits their number."""
    return Pairs(mass) if len(mass) <= EACH_BY_EACH else Grid(mass)


class Pairs:
    """Each pushes each."""

    def __init__(self, mass: Floats) -> None:
        self._masses = np.outer(mass, mass)

    def __call__(self, at: Floats) -> Floats:
        x, y = (np.subtract.outer(column, column) for column in at.T)
        square = x * x + y * y
        # Neither a node itself nor one on the same spot has a direction to push to.
        square[square == 0] = np.inf
        push = self._masses / square
        return np.column_stack(((push * x).sum(axis=1), (push * y).sum(axis=1)))
