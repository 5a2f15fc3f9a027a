"""Which nodes get a label, and where it stands: none overlaps another.

The largest nodes come first; each takes the free place about it that the fewest links
cross. What finds none has no label, and the caption tells how many have one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from analysis.paint import LARGEST, SMALLEST
from analysis.pictures import typesetting
from analysis.pictures.boxes import Room
from analysis.pictures.crossings import Crossings
from analysis.pictures.marks import FAINT, INK, WIDTH, Shape, Text
from analysis.pictures.naming import name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analysis.network import Network
    from analysis.pictures.frame import Frame, Spot

MOST: Final = 400
"""Core nodes that a label is looked for, the largest ones."""

OUTER_MOST: Final = 300
"""Nodes of the periphery up to which they get labels."""

_LONGEST: Final = {"circle": 104.0}
_USUALLY: Final = 150.0
_EDGE: Final = 3.0
_GAP: Final = 2.5

# Beside is read most easily, then above and below (Imhof, Positioning Names on Maps,
# The American Cartographer 2, 1975). Degrees, clockwise from the right.
_TURNS: Final = (0, 180, 270, 90, 315, 45, 225, 135, 340, 20, 200, 160)
_FURTHER: Final = (0.0, 7.0)

_WORSE: Final = 0.6
"""What a place later in the order weighs, in points of links that are crossed."""


def placed(
    network: Network, frame: Frame, layout: str, links: Iterable[Shape]
) -> list[Text]:
    """Return the labels that there is room for, by size of their nodes."""
    room, nodes = Room(), ranked(network, frame, layout)
    for spot in frame.spots.values():
        room.add_disc(spot.x, spot.y, spot.reach + 0.5)
    crossings = Crossings(links)
    names = {node: name(node, network.graph.nodes[node]) for node in nodes}
    typesetting.learn([*names.values(), "…"])
    found: list[Text] = []
    for node in nodes:
        spot = frame.spots[node]
        label = _label(network, node, names[node], _LONGEST.get(layout, _USUALLY))
        choices = (
            [_radial(label, spot, frame)]
            if layout == "circle"
            else list(_about(label, spot))
        )
        free = [
            (crossings.of(choice.corners()) + _WORSE * number, number)
            for number, choice in enumerate(choices)
            if _inside(choice, frame, room)
        ]
        if free:
            best = choices[min(free)[1]]
            room.add(best.corners())
            found.append(best)
    return found


def ranked(network: Network, frame: Frame, layout: str) -> list[str]:
    """Return the nodes that a label is looked for, the core and the largest first."""
    nodes = network.graph.nodes
    order = sorted(
        frame.spots,
        key=lambda node: (
            nodes[node]["role"] != "core",
            -nodes[node]["size"],
            node,
        ),
    )
    core = [node for node in order if nodes[node]["role"] == "core"]
    outer = order[len(core) :]
    if layout == "circle" or len(outer) > OUTER_MOST:
        outer = []
    return core[:MOST] + outer


def backs(labels: Iterable[Text]) -> list[Shape]:
    """Return paper to lay behind labels, so that links do not cross them out."""
    boxes = tuple(label.corners() for label in labels)
    return [Shape(boxes, fill="#ffffff", opacity=0.72)] if boxes else []


def _label(network: Network, node: str, name_: str, longest: float) -> Text:
    """Return the label of *node*, to be put somewhere."""
    size, colour = 7.5, FAINT
    data = network.graph.nodes[node]
    if data["role"] == "core":
        share = (data["size"] - SMALLEST) / (LARGEST - SMALLEST)
        size, colour = round(8.5 + 3.5 * min(max(share, 0.0), 1.0), 2), INK
    text = typesetting.shortened(name_, size, longest)
    length = round(typesetting.width(text, size), 2)
    return Text(0, 0, text, size, length, colour=colour)


def _about(label: Text, spot: Spot) -> Iterator[Text]:
    """Yield *label* in its places about a node, the best ones first."""
    capital = 0.72 * label.size
    for further in _FURTHER:
        for turn in _TURNS:
            cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            away = spot.reach + _GAP + further
            x, y = spot.x + away * cos, spot.y + away * sin
            if abs(cos) < 0.1:
                x -= label.length / 2
            # From resting on the point to hanging from it.
            y += capital * (1 + sin) / 2
            yield _at(label, x, y, 0, backwards=cos < -0.1)


def _radial(label: Text, spot: Spot, frame: Frame) -> Text:
    """Return *label* outward from the centre, readable on both sides of the circle."""
    angle = math.atan2(spot.y - frame.centre[1], spot.x - frame.centre[0])
    away = spot.reach + _GAP
    x, y = spot.x + away * math.cos(angle), spot.y + away * math.sin(angle)
    backwards = math.cos(angle) < -1e-9
    turned = angle + math.pi if backwards else angle
    low = 0.36 * label.size
    return _at(
        label,
        x - low * math.sin(turned),
        y + low * math.cos(turned),
        math.degrees(turned),
        backwards=backwards,
    )


def _at(label: Text, x: float, y: float, angle: float, *, backwards: bool) -> Text:
    return Text(
        round(x, 2),
        round(y, 2),
        label.text,
        label.size,
        label.length,
        "end" if backwards else "start",
        round((angle + 180) % 360 - 180, 2),
        colour=label.colour,
    )


def _inside(label: Text, frame: Frame, room: Room) -> bool:
    box = label.corners()
    return all(
        _EDGE <= x <= WIDTH - _EDGE and _EDGE <= y <= frame.height - _EDGE
        for x, y in box
    ) and room.free(box)
