"""The circle map: all nodes on one circle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.layout.overlap import grown

if TYPE_CHECKING:
    from analysis.layout.floats import Floats

GAP: Final = 8.0
"""Left free between neighbours: with the smallest radius, the height of a label."""


def circle(radii: Floats) -> Floats:
    """Return positions on one circle, clockwise from the top, in the order given.

    Each takes up as much of the circle as it is wide.
    """
    if len(radii) < 2:
        return np.zeros((len(radii), 2))
    room = 2 * radii + GAP
    ends = np.cumsum(room)
    turn = np.pi / 2 - (ends - room / 2) / ends[-1] * 2 * np.pi
    around = np.column_stack((np.cos(turn), np.sin(turn)))
    # A chord is shorter than its arc, most of all where few share the circle.
    return grown(around * ends[-1] / (2 * np.pi), radii)
