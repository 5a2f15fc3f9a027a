"""The layouts of a network: cluster map, circle map, and one by geography."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from analysis.layout.around import with_periphery
from analysis.layout.circle import circle, circle_order
from analysis.layout.cluster import cluster
from analysis.layout.geography import geographic
from analysis.layout.nodes import Nodes, centred

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analysis.layout.floats import Floats
    from analysis.network import Network, Point


def place(
    network: Network,
    coordinates: Mapping[str, tuple[float, float]] | None = None,
    *,
    seed: int = 1,
) -> dict[str, dict[str, Point]]:
    """Return the positions of all nodes, by layout, as ``Network.layouts`` has them.

    ``cluster``: linked nodes are near each other (ForceAtlas2); parts that no link
    joins lie beside each other, nodes without a link below. ``circle``: the core on a
    circle, by category, community and inlinks. Both have the periphery on rings around
    the core, each node near those that it links to. ``geographic``: where *coordinates*
    (latitude and longitude in degrees, by node or site) have a node of the network.

    Nothing overlaps, nodes being circles with the radius ``size``. The middle is at
    (0, 0): of the core, of the circle, of all places. Places depend on *seed*, not on the order of nodes and edges.
    """
    nodes = Nodes.of(network)
    ids, radii = nodes.ids[: nodes.core], nodes.core_radii
    clustered = centred(cluster(network.graph, ids, radii, seed), radii)
    on_circle = np.zeros((len(ids), 2))
    order = circle_order(network.graph, ids)
    on_circle[order] = circle(radii[order])
    layouts = {
        name: nodes.points(with_periphery(core, nodes, network.inward))
        for name, core in (("cluster", clustered), ("circle", on_circle))
    }
    degrees = _degrees(network, nodes.ids, coordinates or {})
    if not np.isnan(degrees).all():
        places = geographic(degrees, nodes.radii)
        layouts["geographic"] = nodes.points(centred(places, nodes.radii))
    return layouts


def _degrees(
    network: Network, ids: list[str], coordinates: Mapping[str, tuple[float, float]]
) -> Floats:
    """Return latitude and longitude of each node, both nan where they are not known."""
    unknown = (math.nan, math.nan)
    sites = dict(network.graph.nodes(data="site"))
    rows = [coordinates.get(n, coordinates.get(sites[n], unknown)) for n in ids]
    degrees = np.array(rows, np.float64).reshape(-1, 2)
    degrees[~np.isfinite(degrees).all(axis=1)] = math.nan
    return degrees
