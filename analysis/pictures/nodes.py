"""Nodes as discs, with what marks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from analysis.paint import colouring
from analysis.pictures.marks import INK, Disc
from analysis.pictures.naming import name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from analysis.network import Network
    from analysis.pictures.frame import Frame, Spot

OUTLINE: Final = "#33383f"

_DOTTED: Final = 2.0
"""Radius below which a dot would be a blot."""


def drawn(network: Network, frame: Frame, by: str) -> list[Disc]:
    """Return a disc for each node, the smallest on top."""
    colours, nodes = colouring(network.graph, by).of, network.graph.nodes
    order = sorted(frame.spots, key=lambda node: (-frame.spots[node].radius, node))
    found = []
    for node in order:
        spot, data = frame.spots[node], nodes[node]
        core = data["role"] == "core"
        found.append(
            Disc(
                spot.x,
                spot.y,
                spot.radius,
                fill=colours[node],
                line=OUTLINE if core else "#8a8a8a",
                width=round(min(0.7, spot.radius / 5), 2),
                title=_title(node, data),
            )
        )
    return found


def marked(network: Network, frame: Frame) -> Iterator[Disc]:
    """Yield rings about starting points, and dots on nodes not wholly seen."""
    for node, spot in sorted(frame.spots.items()):
        data = network.graph.nodes[node]
        if spot.ringed:
            yield ring(spot)
        if data.get("unseen") and spot.radius >= _DOTTED:
            yield dot(spot)


def ring(spot: Spot) -> Disc:
    room = spot.reach - spot.radius
    radius, width = round(spot.reach - room / 5, 2), round(room * 0.38, 2)
    return Disc(spot.x, spot.y, radius, line=INK, width=width)


def dot(spot: Spot) -> Disc:
    size = round(min(spot.radius * 0.34, 3.5), 2)
    return Disc(spot.x, spot.y, size, "#ffffff", OUTLINE, 0.5)


def _title(node: str, data: Mapping[str, Any]) -> str:
    shown = name(node, data)
    if data["role"] != "core":
        return f"{shown} (periphery)"
    count = data.get("inlinks") or 0
    title = f"{shown}: {count:,} {'inlink' if count == 1 else 'inlinks'}"
    if unseen := data.get("unseen"):
        return f"{title}, {unseen:,} {'page' if unseen == 1 else 'pages'} not seen"
    return title
