"""The periphery: on rings around the core, each node near what it links to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from analysis.layout.rings import rings

if TYPE_CHECKING:
    from analysis.layout.floats import Floats
    from analysis.layout.nodes import Nodes


def with_periphery(
    core: Floats, nodes: Nodes, inward: list[tuple[str, str, int]]
) -> Floats:
    """Return the positions of all nodes, *core* being those of the core's.

    Rings are about (0, 0).
    """
    radii = nodes.radii[nodes.core :]
    if not len(radii):
        return core
    reach = float((np.hypot(*core.T) + nodes.core_radii).max(initial=0.0))
    turns = _turns(core, nodes, inward)
    return np.concatenate([core, rings(turns, float(radii.max()), reach)])


def _turns(core: Floats, nodes: Nodes, inward: list[tuple[str, str, int]]) -> Floats:
    """Return the angle of the barycentre of what each node around links to."""
    place = {node: number for number, node in enumerate(nodes.ids)}
    sums = [(0.0, 0.0)] * len(nodes.ids)
    at = core.tolist()
    # In order of their names, so that sums of fractions come out the same.
    for source, target, weight in sorted(inward):
        one, other = place.get(source, -1), place.get(target, nodes.core)
        if one >= nodes.core > other:
            (x, y), (far, high) = sums[one], at[other]
            pull = math.log1p(max(weight, 1))
            sums[one] = x + pull * far, y + pull * high
    return np.array([math.atan2(y, x) for x, y in sums[nodes.core :]])
