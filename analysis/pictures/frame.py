"""From the places of a layout to those in a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.pictures.marks import WIDTH

if TYPE_CHECKING:
    from analysis.network import Network, Point

TALLEST: Final = 640.0
LARGEST_SCALE: Final = 1.0
WIDEST: Final = 2.0
"""What distances are stretched by at most, circles staying as large, where few nodes
leave room: labels need it more than nodes."""
SMALLEST_RADIUS: Final = 0.6
RING: Final = 2.4
"""What a ring adds to the radius of a node, at most."""

NAMES: Final = 116.0
"""Left free around a circle, for the names of the nodes on it."""

_BESIDE: Final = 44.0
_LABELS: Final = 96.0
"""The same at the sides of nodes that are stretched."""
_ABOVE: Final = 22.0
"""Left free around all nodes, for labels."""

_MARGIN: Final = 8.0


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a node goes, and how large it is there."""

    x: float
    y: float
    radius: float

    ringed: bool = False

    @property
    def reach(self) -> float:
        """Radius with the ring."""
        more = min(RING, 0.4 + 0.6 * self.radius) if self.ringed else 0.0
        return self.radius + more


@dataclass(frozen=True, slots=True)
class Frame:
    spots: dict[str, Spot]
    height: float
    scale: float
    """Radius in the picture of a node with a radius of 1."""

    centre: Point
    """Where the layout has its origin."""


def framed(network: Network, layout: str) -> Frame:
    """Return the nodes of *network* placed in a picture as *layout* has them."""
    places = dict(network.layouts.get(layout, {}))
    return (_circled if layout == "circle" else _boxed)(network, places)


def _boxed(network: Network, places: dict[str, Point]) -> Frame:
    sizes = _sizes(network, places)
    xs, ys = ([point[axis] for point in places.values()] for axis in (0, 1))
    reach = max(sizes.values(), default=0.0)
    left, right = min(xs, default=0.0), max(xs, default=0.0)
    bottom, top = min(ys, default=0.0), max(ys, default=0.0)
    wide, high = right - left, top - bottom
    scale = min(
        LARGEST_SCALE,
        (WIDTH - 2 * _BESIDE) / max(wide + 2 * reach, 1),
        (TALLEST - 2 * _ABOVE) / max(high + 2 * reach, 1),
    )
    stretch = min(
        WIDEST,
        (WIDTH - 2 * (_LABELS + reach)) / max(wide, 1),
        (TALLEST - 2 * (_ABOVE + reach)) / max(high, 1),
    )
    apart = max(scale, stretch)
    height = high * apart + 2 * (reach * scale + _ABOVE)
    centre = (
        WIDTH / 2 - (left + right) / 2 * apart,
        height / 2 + (top + bottom) / 2 * apart,
    )
    moved = {node: (x * apart, y * apart) for node, (x, y) in places.items()}
    return Frame(_spots(network, moved, centre, scale), height, scale, centre)


def _circled(network: Network, places: dict[str, Point]) -> Frame:
    """Return the core on its circle, and the periphery beyond the core's names."""
    sizes, away = _sizes(network, places), _distances(places)
    core = {node for node in places if network.graph.nodes[node]["role"] == "core"}
    rim = max((away[node] + sizes[node] for node in core), default=0.0)
    first = min((away[n] - sizes[n] for n in places if n not in core), default=0.0)
    last = max((away[n] + sizes[n] for n in places if n not in core), default=0.0)
    across = WIDTH / 2 - _MARGIN - NAMES
    scale = min(LARGEST_SCALE, across / max(rim + last - first, 1))
    half = (rim + last - first) * scale + NAMES + _MARGIN
    centre = (WIDTH / 2, half)
    moved = {}
    for node, (x, y) in places.items():
        further = 0.0 if node in core else (rim - first) * scale + NAMES
        share = scale + further / max(away[node], 1e-9)
        moved[node] = (x * share, y * share)
    return Frame(_spots(network, moved, centre, scale), 2 * half, scale, centre)


def _sizes(network: Network, places: dict[str, Point]) -> dict[str, float]:
    return {node: float(network.graph.nodes[node]["size"]) for node in places}


def _distances(places: dict[str, Point]) -> dict[str, float]:
    return {node: math.hypot(x, y) for node, (x, y) in places.items()}


def _spots(
    network: Network, moved: dict[str, Point], centre: Point, scale: float
) -> dict[str, Spot]:
    """Return what is at *moved*, about *centre* and y up, in the picture."""
    return {
        node: Spot(
            round(centre[0] + x, 2),
            round(centre[1] - y, 2),
            round(max(network.graph.nodes[node]["size"] * scale, SMALLEST_RADIUS), 2),
            ringed=bool(network.graph.nodes[node].get("starting_point")),
        )
        for node, (x, y) in moved.items()
    }
