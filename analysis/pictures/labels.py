"""Which nodes get a label, and where it stands: none overlaps another.

The largest nodes come first; each takes the free place about it that hides least of
the links and is not nearer to another node. What finds none has no label, and the
caption tells how many have one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.paint import LARGEST, SMALLEST
from analysis.pictures import typesetting
from analysis.pictures.boxes import Room
from analysis.pictures.crossings import Crossings
from analysis.pictures.marks import FAINT, INK, PAPER, WIDTH, Shape
from analysis.pictures.naming import name
from analysis.pictures.places import about, outward, strip

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.network import Network
    from analysis.pictures.frame import Frame
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

_DOUBT: Final = 25.0
"""What a node weighs that a label could be taken for that of."""
_COVERED: Final = 10.0
"""What a node weighs that lies below a label."""

FOREMOST: Final = 60
"""Nodes whose labels may cover much smaller nodes: the names that all look for."""
_MUCH_SMALLER: Final = 0.6


class Labels:
    """Labels placed so far, and the lines that lead from some to their nodes."""

    def __init__(self, frame: Frame, links: Iterable[Shape]) -> None:
        self.texts: list[Text] = []
        self.leaders: list[tuple[tuple[float, float], ...]] = []
        self._height = frame.height
        self._crossings = Crossings(links)
        self._room = Room()
        for spot in frame.spots.values():
            self._room.add_disc(spot.x, spot.y, spot.reach + 0.5)

    def put(self, places: Iterable[Place], over: float = 0.0) -> None:
        """Take the best of *places* that is free, or none.

        Nodes smaller than *over* may lie below a label.
        """
        free = [place for place in places if self._free(place, over)]
        if not free:
            return
        best = min(free, key=self._weight)
        self._room.add(best.label.corners(_BESIDE))
        self.texts.append(best.label)
        if best.leader:
            self._room.add(strip(best.leader))
            self.leaders.append(best.leader)

    def _free(self, place: Place, over: float) -> bool:
        box = place.label.corners(_BESIDE)
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
        found = [Shape(boxes, fill=PAPER, opacity=0.72)] if boxes else []
        if self.leaders:
            found.append(Shape(tuple(self.leaders), line=INK, width=0.45))
        return found


def placed(
    network: Network, frame: Frame, layout: str, links: Iterable[Shape]
) -> Labels:
    """Return the labels that there is room for."""
    labels, nodes = Labels(frame, links), ranked(network, frame, layout)
    names = {node: name(node, network.graph.nodes[node]) for node in nodes}
    typesetting.learn([*names.values(), "…"])
    for rank, node in enumerate(nodes):
        spot = frame.spots[node]
        label = _label(network, node, names[node], LONGEST.get(layout, _USUALLY))
        if layout == "circle":
            labels.put(outward(label, spot, frame.centre))
        else:
            foremost = rank < FOREMOST
            labels.put(about(label, spot), _MUCH_SMALLER * spot.radius * foremost)
    return labels


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


def _label(network: Network, node: str, full: str, longest: float) -> Text:
    """Return the label of *node*, to be put somewhere."""
    size, colour = 7.5, FAINT
    data = network.graph.nodes[node]
    if data["role"] == "core":
        share = (data["size"] - SMALLEST) / (LARGEST - SMALLEST)
        size, colour = round(8.5 + 3.5 * min(max(share, 0.0), 1.0), 2), INK
    return typesetting.line(full, size, room=longest, colour=colour)
