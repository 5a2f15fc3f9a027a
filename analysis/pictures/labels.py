"""Which nodes get a label, and where it stands: none overlaps another.

The largest nodes come first; each takes the free place about it that hides least of
the links and is not nearer to another node. What finds none has no label, and the
caption tells how many have one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from analysis.paint import BETWEEN, LARGEST, SMALLEST
from analysis.pictures import typesetting
from analysis.pictures.boxes import Room
from analysis.pictures.crossings import Crossings
from analysis.pictures.marks import (
    ASCENT,
    DESCENT,
    FAINT,
    INK,
    PAPER,
    WIDTH,
    Shape,
)
from analysis.pictures.naming import name
from analysis.pictures.places import about, outward, strip

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.network import Network
    from analysis.pictures.frame import Frame, Spot
    from analysis.pictures.marks import Text
    from analysis.pictures.places import Place

MOST: Final = 400
"""Core nodes that a label is looked for, the largest ones."""

OUTER_MOST: Final = 300
"""Nodes of the periphery up to which they get labels."""

LONGEST: Final = {"circle": 104.0}
_USUALLY: Final = 150.0
_MARGIN: Final = 3.0
"""Of the picture, that labels keep out of."""
_BESIDE: Final = 2.0
"""Kept free beside labels, that two do not read as one."""
_BESIDE_TURNED: Final = 0.5
"""The same on a circle, where names that are neighbours begin apart."""
_LEAST: Final = 5.0
"""Size of a label that is turned, at least; between it and the usual, what fits."""

_SMALL: Final = 7.5
"""Size of a long name, at least, whatever its node; then it is cut."""

_DOUBT: Final = 25.0
"""What a node weighs that a label could be taken for that of."""
_COVERED: Final = 10.0
"""What a node weighs that lies below a label."""

FOREMOST: Final = 60
"""Nodes whose labels may cover tiny ones and, where they find no other place, much
smaller ones."""
_LARGEST: Final = 20
"""Nodes whose labels may then cover all that are smaller: names that all look for."""
_MUCH_SMALLER: Final = 0.6
_TINY: Final = 2.5


class Labels:
    """Labels placed so far, and the lines that lead from some to their nodes."""

    def __init__(
        self, frame: Frame, links: Iterable[Shape], beside: float = _BESIDE
    ) -> None:
        self.texts: list[Text] = []
        self.leaders: list[tuple[tuple[float, float], ...]] = []
        self._height = frame.height
        self._beside = beside
        self._crossings = Crossings(links)
        self._room = Room()
        for spot in frame.spots.values():
            self._room.add_disc(spot.x, spot.y, spot.reach + 0.5)

    def put(self, places: Iterable[Place], covered: tuple[float, ...] = (0.0,)) -> None:
        """Take the best of *places* that is free, or none.

        Nodes smaller than the first of *covered* may lie below a label, smaller than
        the next where there is no place else, and so on.
        """
        known = list(places)
        for over in covered:
            if free := [place for place in known if self._free(place, over)]:
                break
        else:
            return
        best = min(free, key=self._weight)
        self._room.add(best.label.corners(self._beside))
        self.texts.append(best.label)
        if best.leader:
            self._room.add(strip(best.leader))
            self.leaders.append(best.leader)

    def _free(self, place: Place, over: float) -> bool:
        box = place.label.corners(self._beside)
        low, high, right = _MARGIN, self._height - _MARGIN, WIDTH - _MARGIN
        return (
            all(low <= x <= right and low <= y <= high for x, y in box)
            and self._room.free(box, over)
            and (place.leader is None or self._room.free(strip(place.leader)))
        )

    def _weight(self, place: Place) -> float:
        box = place.label.corners()
        others = self._room.near(box, place.reach) - 1 if place.reach else 0
        return (
            self._crossings.of(box)
            + place.weight
            + _DOUBT * max(others, 0)
            + _COVERED * self._room.near(box, 0.0)
        )

    def backs(self) -> list[Shape]:
        """Return paper to lay behind labels, so that links do not cross them out."""
        boxes = tuple(text.corners() for text in self.texts)
        found = [Shape(boxes, fill=PAPER, opacity=0.78)] if boxes else []
        if self.leaders:
            found.append(Shape(tuple(self.leaders), line=INK, width=0.45))
        return found


def placed(
    network: Network, frame: Frame, layout: str, links: Iterable[Shape]
) -> Labels:
    """Return the labels that there is room for."""
    turned = layout == "circle"
    labels = Labels(frame, links, _BESIDE_TURNED if turned else _BESIDE)
    nodes = ranked(network, frame, layout)
    names = {node: name(node, network.graph.nodes[node]) for node in nodes}
    typesetting.learn([*names.values(), "…"])
    for rank, node in enumerate(nodes):
        spot, longest = frame.spots[node], LONGEST.get(layout, _USUALLY)
        most = _fitting(frame, spot) if turned else math.inf
        label = _label(network, node, names[node], longest, most)
        if turned:
            labels.put(outward(label, spot, frame.centre))
        else:
            labels.put(about(label, spot), _covered(rank, spot.radius))
    return labels


def _covered(rank: int, radius: float) -> tuple[float, ...]:
    if rank >= FOREMOST:
        return (0.0,)
    least = _TINY, _MUCH_SMALLER * radius
    return (*least, radius) if rank < _LARGEST else least


def _fitting(frame: Frame, spot: Spot) -> float:
    """Return the size of a label as high as a node's part of the circle is long."""
    room = 2 * spot.radius + BETWEEN * frame.scale
    return max(round((room - 2 * _BESIDE_TURNED) / (ASCENT + DESCENT), 2), _LEAST)


def ranked(network: Network, frame: Frame, layout: str) -> list[str]:
    """Return the nodes that a label is looked for, the core and the largest first."""
    nodes = network.graph.nodes
    order = sorted(
        frame.spots,
        key=lambda node: (nodes[node]["role"] != "core", -nodes[node]["size"], node),
    )
    core = [node for node in order if nodes[node]["role"] == "core"]
    outer = order[len(core) :]
    if layout == "circle" or len(outer) > OUTER_MOST:
        outer = []
    return core[:MOST] + outer


def _label(network: Network, node: str, full: str, longest: float, most: float) -> Text:
    """Return the label of *node*, of the size *most* at most, to be put somewhere."""
    size, colour = 7.5, FAINT
    data = network.graph.nodes[node]
    if data["role"] == "core":
        share = (data["size"] - SMALLEST) / (LARGEST - SMALLEST)
        size, colour = round(8.5 + 3.5 * min(max(share, 0.0), 1.0), 2), INK
    # A name is set smaller before it is cut.
    wide = typesetting.width(full, size)
    if wide > longest:
        size = max(math.floor(100 * size * longest / wide) / 100, _SMALL)
    return typesetting.line(full, min(size, most), room=longest, colour=colour)
