"""ForceAtlas2: linked nodes attract, all repel, and the middle holds them together.

M. Jacomy, T. Venturini, S. Heymann, M. Bastian: ForceAtlas2, a Continuous Graph Layout
Algorithm for Handy Network Visualization Designed for the Gephi Software, PLoS ONE
9(6), 2014, https://doi.org/10.1371/journal.pone.0098679.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from analysis.layout.repulsion import repulsion
from analysis.layout.speed import Speed

if TYPE_CHECKING:
    from analysis.layout.floats import Floats

REPULSION: Final = 2.0
GRAVITY: Final = 1.0

STEPS: Final = (100, 400)
"""Least and most; between them, as many as make two million moves of a node."""


def force_atlas(ties: Any, *, seed: int) -> Floats:
    """Return positions of the nodes of a connected graph, the longer side lying flat.

    *ties* is a symmetric sparse matrix of attractions with nothing on its diagonal. The
    unit of length is the layout's own.
    """
    nodes = ties.shape[0]
    strength = np.asarray(ties.sum(axis=1), np.float64).ravel()
    mass = strength + 1.0
    repel, speed = repulsion(mass), Speed(mass)
    at = np.random.default_rng(seed).uniform(-1.0, 1.0, (nodes, 2)) * np.sqrt(nodes)
    for _ in range(steps(nodes)):
        forces = REPULSION * repel(at)
        forces += ties @ at - strength[:, None] * at
        distance = np.hypot(*at.T) + 1e-9
        forces -= at * (GRAVITY * mass / distance)[:, None]
        at = at + speed.moves(forces)
    return flat(at)


def steps(nodes: int) -> int:
    """Return how many steps *nodes* are moved for.

    >>> steps(2), steps(10_000), steps(100_000)
    (400, 200, 100)
    """
    least, most = STEPS
    return min(max(2_000_000 // nodes, least), most)


def flat(at: Floats) -> Floats:
    """Return *at* around its mean, turned so that it spreads most along x."""
    around = at - at.mean(axis=0)
    x, y = around.T
    angle = np.arctan2(2 * (x * y).sum(), (x * x).sum() - (y * y).sum()) / 2
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.column_stack((x * cosine + y * sine, y * cosine - x * sine))
