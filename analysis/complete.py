"""What a network gets once it is put together: measures, sizes, colours, places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.paint import colouring, sizes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analysis.network import Network


def complete(
    network: Network, coordinates: Mapping[str, tuple[float, float]] | None = None
) -> None:
    """Add what is worked out from the graph alone; do nothing where it is there.

    *coordinates* are (latitude, longitude) in degrees by node or site; with them there
    is a geographic layout.
    """
    if network.measures is not None:
        return
    # Both need scipy, which would make every command half a second slower to begin.
    from analysis.layout import place  # noqa: PLC0415
    from analysis.measures import measure  # noqa: PLC0415

    graph = network.graph
    network.measures = measure(network)
    size, colour = sizes(graph), colouring(graph).of
    for node, data in graph.nodes(data=True):
        data["size"], data["color"] = size[node], colour[node]
    network.layouts = place(network, coordinates)
    for node, (x, y) in network.layouts["cluster"].items():
        graph.nodes[node]["x"], graph.nodes[node]["y"] = x, y
