"""ForceAtlas2: linked nodes attract, all repel, and the middle holds them together.

M. Jacomy, T. Venturini, S. Heymann, M. Bastian: ForceAtlas2, a Continuous Graph Layout
Algorithm for Handy Network Visualization Designed for the Gephi Software, PLoS ONE
9(6), 2014, https://doi.org/10.1371/journal.pone.0098679.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

from analysis.layout.repulsion import EACH_BY_EACH, repulsion
from analysis.layout.speed import Speed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.layout.floats import Floats

REPULSION: Final = 2.0
GRAVITY: Final = 1.0
STEPS: Final = 100
STEPS_OF_FEW: Final = 400
"""Small graphs are quick, and looked at node by node."""


def force_atlas(
    nodes: int,
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    pulls: Floats,
    *,
    seed: int,
) -> Floats:
    """Return positions of the nodes of a connected graph, the longer side lying flat.

    The unit of length is the layout's own.
    """
    ends = np.concatenate([sources, targets]), np.concatenate([targets, sources])
    ties = sparse.csr_array((np.tile(pulls, 2), ends), shape=(nodes, nodes))
    strength = np.asarray(ties.sum(axis=1), np.float64).ravel()
    mass = strength + 1.0
    repel, speed = repulsion(mass), Speed(mass)
    at = np.random.default_rng(seed).uniform(-1.0, 1.0, (nodes, 2)) * np.sqrt(nodes)
    for _ in range(STEPS_OF_FEW if nodes <= EACH_BY_EACH else STEPS):
        forces = REPULSION * repel(at)
        forces += ties @ at - strength[:, None] * at
        distance = np.hypot(*at.T) + 1e-9
        forces -= at * (GRAVITY * mass / distance)[:, None]
        at = at + speed.moves(forces)
    return flat(at)


def flat(at: Floats) -> Floats:
    """Return *at* around its mean, turned so that it spreads most along x."""
    around = at - at.mean(axis=0)
    x, y = around.T
    angle = np.arctan2(2 * (x * y).sum(), (x * x).sum() - (y * y).sum()) / 2
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.column_stack((x * cosine + y * sine, y * cosine - x * sine))
