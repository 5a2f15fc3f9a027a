"""The layouts of a network: cluster map, circle map, and one by geography."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from analysis.layout.circle import circle
from analysis.layout.forces import force_atlas
from analysis.layout.geography import geographic
from analysis.layout.overlap import apart, scaled
from analysis.layout.packing import MARGIN, packed, rows
from analysis.layout.rings import rings
from analysis.paint import sizes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from analysis.layout.floats import Floats
    from analysis.network import Network, Point


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The nodes of a network in order of their ids, so that no other order matters."""

    core: list[str]
    around: list[str]
    core_radii: Floats
    around_radii: Floats

    @classmethod
    def of(cls, network: Network) -> _Nodes:
        graph = network.graph
        fallback = sizes(graph)
        radius = {
            node: float(data.get("size") or fallback[node])
            for node, data in graph.nodes(data=True)
        }
        core = sorted(n for n, role in graph.nodes("role") if role == "core")
        around = sorted(set(graph) - set(core))
        return cls(core, around, *(_column(radius, part) for part in (core, around)))

    def points(self, core: Floats, around: Floats) -> dict[str, Point]:
        """Return positions of all nodes by id, the middle of the core's at (0, 0)."""
        middle: Any = 0.0
        if len(core):
            low = (core - self.core_radii[:, None]).min(axis=0)
            middle = (low + (core + self.core_radii[:, None]).max(axis=0)) / 2
        at = np.round(np.concatenate([core - middle, around - middle]), 2) + 0.0
        points = map(tuple, at.tolist())
        return dict(zip([*self.core, *self.around], points, strict=True))


def place(
    network: Network,
    coordinates: Mapping[str, tuple[float, float]] | None = None,
    *,
    seed: int = 1,
) -> dict[str, dict[str, Point]]:
    """Return the positions of all nodes, by layout, as ``Network.layouts`` has them.

    ``cluster``: linked nodes are near each other (ForceAtlas2); parts that no link
    joins lie beside each other, nodes without a link below. ``circle``: the core on a
    circle, by category, then inlinks. Both have the periphery on rings around the core,
    each node near those that it links to. ``geographic``, where *coordinates*
    (latitude and longitude in degrees, by node or site) have a node of the network.
    Nothing overlaps, circles having the radius ``size``.
    """
    nodes = _Nodes.of(network)
    layouts = {
        "cluster": _with_rings(network, nodes, _clustered(network, nodes, seed)),
        "circle": _with_rings(network, nodes, _on_circle(network, nodes)),
    }
    if places := _places(network, nodes, coordinates or {}):
        layouts["geographic"] = places
    return layouts


def _column(values: Mapping[str, float], nodes: list[str]) -> Floats:
    return np.array([values[node] for node in nodes], np.float64)


def _clustered(network: Network, nodes: _Nodes, seed: int) -> Floats:
    """Return positions of the core: its parts beside each other, the rest below."""
    graph = network.graph.subgraph(nodes.core)
    index = {node: number for number, node in enumerate(nodes.core)}
    components = [
        np.array(sorted(index[node] for node in part), np.int64)
        for part in nx.weakly_connected_components(graph)
    ]
    components.sort(key=lambda part: (-len(part), part[0]))
    parts = [part for part in components if len(part) > 1]
    alone = np.array([part[0] for part in components if len(part) == 1], np.int64)
    at, radii = np.zeros((len(nodes.core), 2)), nodes.core_radii
    drawn = [(_drawn(graph, nodes, part, seed), radii[part]) for part in parts]
    for part, found in zip(parts, packed(drawn), strict=True):
        at[part] = found
    together = np.concatenate([*parts, np.zeros(0, np.int64)])
    at[alone] = _below(at[together], radii[together], radii[alone])
    return at


def _below(at: Floats, radii: Floats, alone: Floats) -> Floats:
    """Return positions in rows for circles *alone*, under those of *radii* at *at*."""
    area = float(((2 * alone + MARGIN) ** 2).sum())
    if not len(at):
        return rows(alone, math.sqrt(area))[0]
    low, high = (at - radii[:, None]).min(axis=0), (at + radii[:, None]).max(axis=0)
    width = max(float(high[0] - low[0]), math.sqrt(area))
    block = rows(alone, width)[0]
    middle = (block.max(axis=0) + block.min(axis=0))[0] / 2 if len(block) else 0.0
    at_top = np.array([(low[0] + high[0]) / 2 - middle, low[1] - MARGIN])
    below: Floats = block + at_top
    return below


def _drawn(
    graph: nx.DiGraph[str], nodes: _Nodes, part: NDArray[np.int64], seed: int
) -> Floats:
    """Return positions of one connected part, in the unit of radii."""
    place = {nodes.core[node]: number for number, node in enumerate(part.tolist())}
    edges = sorted(
        (place[source], place[target], float(weight or 1))
        for source, target, weight in graph.edges(place, data="weight")
        if source != target
    )
    table = np.array(edges, np.float64).reshape(-1, 3)
    ends = table[:, :2].astype(np.int64)
    # Weights span orders of magnitude; one heavy link would swallow the picture.
    pulls = 1 + np.log(np.maximum(table[:, 2], 1.0))
    at = force_atlas(len(part), ends[:, 0], ends[:, 1], pulls, seed=seed)
    radii = nodes.core_radii[part]
    return apart(scaled(at, radii), radii)


def _on_circle(network: Network, nodes: _Nodes) -> Floats:
    data = network.graph.nodes
    order = sorted(
        range(len(nodes.core)),
        key=lambda number: (
            str(data[nodes.core[number]].get("category") or "\uffff"),
            -(data[nodes.core[number]].get("inlinks") or 0),
            nodes.core[number],
        ),
    )
    at = np.zeros((len(order), 2))
    at[order] = circle(nodes.core_radii[order])
    return at


def _with_rings(network: Network, nodes: _Nodes, core: Floats) -> dict[str, Point]:
    """Return the positions of all nodes, the periphery on rings around the *core*."""
    if not nodes.around:
        return nodes.points(core, np.zeros((0, 2)))
    low = (core - nodes.core_radii[:, None]).min(axis=0, initial=0)
    high = (core + nodes.core_radii[:, None]).max(axis=0, initial=0)
    middle = (low + high) / 2
    reach = np.linalg.norm(core - middle, axis=1) + nodes.core_radii
    turns = _turns(network, nodes, core - middle)
    radius = float(nodes.around_radii.max())
    around = rings(turns, radius, float(reach.max(initial=0.0)))
    return nodes.points(core, around + middle)


def _turns(network: Network, nodes: _Nodes, core: Floats) -> Floats:
    """Return the angle of each node of the periphery: that of what it links to."""
    at = dict(zip(nodes.core, core, strict=True))
    sums = dict.fromkeys(nodes.around, np.zeros(2))
    for source, target, weight in network.inward:
        if source in sums and target in at:
            sums[source] = sums[source] + at[target] * math.log1p(weight)
    return np.array([math.atan2(y, x) for x, y in sums.values()])


def _places(
    network: Network, nodes: _Nodes, coordinates: Mapping[str, tuple[float, float]]
) -> dict[str, Point]:
    """Return positions by *coordinates*; empty where no node has any."""
    sites = dict(network.graph.nodes("site"))
    unknown = (math.nan, math.nan)
    everyone = [*nodes.core, *nodes.around]
    degrees = np.array(
        [coordinates.get(n, coordinates.get(sites[n], unknown)) for n in everyone],
        np.float64,
    ).reshape(-1, 2)
    if np.isnan(degrees).all():
        return {}
    at = geographic(degrees, np.concatenate([nodes.core_radii, nodes.around_radii]))
    count = len(nodes.core)
    return nodes.points(at[:count], at[count:])
