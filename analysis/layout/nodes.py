"""The nodes of a network as arrays, in an order that depends on their ids alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.paint import sizes

if TYPE_CHECKING:
    from analysis.layout.floats import Floats
    from analysis.network import Network, Point


@dataclass(frozen=True, slots=True)
class Nodes:
    ids: list[str]
    """Those of the core, ascending, then those around it, ascending."""

    core: int
    """How many of them are the core's."""

    radii: Floats

    @classmethod
    def of(cls, network: Network) -> Nodes:
        graph = network.graph
        role = {node: data.get("role") for node, data in graph.nodes(data=True)}
        ids = sorted(graph, key=lambda node: (role[node] != "core", node))
        fallback = sizes(graph)
        radii = [_radius(graph.nodes[node].get("size"), fallback[node]) for node in ids]
        core = sum(role[node] == "core" for node in ids)
        return cls(ids, core, np.array(radii, np.float64))

    @property
    def core_radii(self) -> Floats:
        return self.radii[: self.core]

    def points(self, at: Floats) -> dict[str, Point]:
        """Return positions by node, rounded."""
        at = np.round(at, 2) + 0.0
        return dict(zip(self.ids, map(tuple, at.tolist()), strict=True))


def box(at: Floats, radii: Floats) -> tuple[Floats, Floats]:
    """Return the lower left and the upper right of what circles cover."""
    if not len(at):
        return np.zeros(2), np.zeros(2)
    reach = radii[:, None]
    return (at - reach).min(axis=0), (at + reach).max(axis=0)


def centred(at: Floats, radii: Floats) -> Floats:
    """Return *at* with the middle of what circles cover at (0, 0)."""
    low, high = box(at, radii)
    around: Floats = at - (low + high) / 2
    return around


def _radius(size: Any, fallback: float) -> float:
    found = float(size) if isinstance(size, int | float) else math.nan
    return found if math.isfinite(found) and found > 0 else fallback
