"""The legend of a picture: blocks with a heading, side by side below the map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from analysis.paint import SMALLEST, colouring, radius
from analysis.pictures import links, typesetting
from analysis.pictures.frame import Spot
from analysis.pictures.marks import FAINT, INK, WIDTH, Disc, Mark, Shape, Text
from analysis.pictures.naming import one_line
from analysis.pictures.nodes import OUTLINE, dot, ring

if TYPE_CHECKING:
    from analysis.network import Network
    from analysis.pictures.frame import Frame

MARGIN: Final = 16.0
SIZE: Final = 8.5
_ROW: Final = 13.0
_ROWS: Final = 4
"""Of a column of colours."""
_BETWEEN: Final = 26.0
_LONGEST: Final = 90.0

_CHANGES: Final = {"unseen": "not seen this time"}
"""Words for what changed, where those of the comparison say too little."""


@dataclass(frozen=True, slots=True)
class Block:
    """Marks about an origin at its upper left."""

    marks: list[Mark]
    width: float
    height: float


def drawn(
    network: Network, frame: Frame, by: str, top: float
) -> tuple[list[Mark], float]:
    """Return the legend, and where it ends, below *top*."""
    blocks = [
        block
        for block in (
            _colours(network, by),
            _sizes(network, frame),
            _marks(network),
            _links(network),
        )
        if block is not None
    ]
    marks: list[Mark] = []
    x, y, tallest = MARGIN, top, 0.0
    for block in blocks:
        if x > MARGIN and x + block.width > WIDTH - MARGIN:
            x, y, tallest = MARGIN, y + tallest + 8, 0.0
        marks += [_moved(mark, x, y) for mark in block.marks]
        x += block.width + _BETWEEN
        tallest = max(tallest, block.height)
    return marks, y + tallest


def _text(x: float, y: float, text: str, *, bold: bool = False) -> Text:
    colour = INK if bold else FAINT
    line = typesetting.line(text, SIZE, room=WIDTH / 2, bold=bold, colour=colour)
    return replace(line, x=x, y=y)


def _block(heading: str, rows: list[tuple[list[Mark], str]]) -> Block:
    """Return a block of rows: what is explained, in 26 units, and its explanation."""
    marks: list[Mark] = [_text(0, SIZE, heading, bold=True)]
    widest = marks[0].length if isinstance(marks[0], Text) else 0.0
    for number, (shown, text) in enumerate(rows):
        y = _ROW * (number + 1) + 6
        label = _text(32, y + 3, text)
        marks += [*(_moved(mark, 13, y) for mark in shown), label]
        widest = max(widest, 32 + label.length)
    return Block(marks, widest, _ROW * (len(rows) + 1) + 2)


def _colours(network: Network, by: str) -> Block | None:
    groups = colouring(network.graph, by).legend
    if not groups:
        return None
    heading = _text(0, SIZE, by.replace("_", " ").capitalize(), bold=True)
    marks: list[Mark] = [heading]
    widest, left, right = heading.length, 0.0, 0.0
    for number, group in enumerate(groups):
        said = _CHANGES.get(group.label, group.label) if by == "change" else group.label
        row = number % _ROWS
        if number and not row:
            left, right = right + 16, 0.0
        y = _ROW * (row + 1) + 6
        name = typesetting.shortened(one_line(said), SIZE, _LONGEST)
        label = _text(left + 11, y + 3, f"{name} ({group.nodes:,})")
        marks += [
            Disc(left + 4, y, 4, group.colour, OUTLINE, 0.5),
            label,
        ]
        right = max(right, label.x + label.length)
        widest = max(widest, right)
    return Block(marks, widest, _ROW * (min(len(groups), _ROWS) + 1) + 2)


def _sizes(network: Network, frame: Frame) -> Block | None:
    """Return three circles as large as nodes of so many inlinks are."""
    nodes = network.graph.nodes.values()
    largest = max(
        (int(data["inlinks"] or 0) for data in nodes if data["role"] == "core"),
        default=0,
    )
    if not largest:
        return None
    heading = _text(0, SIZE, "Inlinks", bold=True)
    marks: list[Mark] = [heading]
    values = sorted({0, _round(largest / 3), largest})
    tallest = radius(largest, largest) * frame.scale
    base, x = 14 + 2 * max(tallest, 4), 0.0
    for value in values:
        size = radius(value, largest) * frame.scale
        label = _text(0, base + 11, f"{value:,}")
        half = max(size, label.length / 2)
        marks += [
            Disc(x + half, base - size, size, "#ffffff", INK, 0.6),
            replace(label, x=x + half - label.length / 2),
        ]
        x += 2 * half + 9
    return Block(marks, max(x - 9, heading.length), base + 14)


def _round(value: float) -> int:
    """Return *value* with one figure that is not 0.

    >>> _round(1234 / 3), _round(0.6)
    (400, 1)
    """
    whole = max(round(value), 1)
    ten = int(10 ** (len(str(whole)) - 1))
    return whole // ten * ten


def _marks(network: Network) -> Block | None:
    nodes = list(network.graph.nodes.values())
    rows: list[tuple[list[Mark], str]] = []
    node = Disc(0, 0, SMALLEST, "#ffffff", OUTLINE, 0.6)
    if any(data.get("starting_point") for data in nodes):
        rows.append(([node, ring(Spot(0, 0, SMALLEST, ringed=True))], "starting point"))
    if any(data.get("unseen") for data in nodes):
        shown = replace(node, fill="#8c8c8c")
        rows.append(([shown, dot(Spot(0, 0, SMALLEST))], "pages not seen"))
    return _block("Marks", rows) if rows else None


def _links(network: Network) -> Block | None:
    rows: list[tuple[list[Mark], str]] = []
    weights = [weight for *_, weight in network.graph.edges(data="weight", default=1)]
    if weights and links.arrows(network):
        rows += [
            (_sample(weight), f"{weight:,} {_pairs(network, weight)}")
            for weight in sorted({min(weights), max(weights)})
        ]
    elif weights:
        rows.append((_hair(links.HEAD, 0.5), "in the core"))
    rows += [
        (_hair(links.colours(change)[0]), _CHANGES.get(change, change))
        for change in links.changed(network)
        if change not in {"", "stayed"}
    ]
    if network.inward:
        rows.append((_hair(links.OUTER), "from the periphery"))
    return _block("Links", rows) if rows else None


def _hair(colour: str, width: float = 0.8) -> list[Mark]:
    return [Shape((((-13.0, 0.0), (13.0, 0.0)),), line=colour, width=width)]


def _sample(weight: float) -> list[Mark]:
    start, end = Spot(-13, 0, 0), Spot(13, 0, 0)
    width = links.line_width(weight)
    found = links.arrow(start, end, weight, (0.0, 0.0))
    if found is None:
        return []
    return [
        Shape((found.line,), line=links.LINE, width=width),
        Shape((found.head,), fill=links.HEAD),
    ]


def _pairs(network: Network, weight: int) -> str:
    if network.parameters.mode == "page":
        return "link" if weight == 1 else "links"
    return "pair of pages" if weight == 1 else "pairs of pages"


def _moved(mark: Mark, x: float, y: float) -> Mark:
    if isinstance(mark, Shape):
        parts = tuple(tuple((px + x, py + y) for px, py in part) for part in mark.parts)
        return replace(mark, parts=parts)
    return replace(mark, x=round(mark.x + x, 2), y=round(mark.y + y, 2))
