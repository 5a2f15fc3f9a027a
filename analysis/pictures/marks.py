"""What a picture consists of, in its own units: y down, 720 of them wide.

All formats are written from this alone, so that they show the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Point

WIDTH: Final = 720.0
ASCENT: Final = 0.92
"""Of the font, in its size; what :data:`DESCENT` is for is below the line."""
DESCENT: Final = 0.22

INK: Final = "#1a1a1a"
FAINT: Final = "#5f6670"
PAPER: Final = "#ffffff"


@dataclass(frozen=True, slots=True)
class Disc:
    x: float
    y: float
    radius: float
    fill: str = "none"
    line: str = "none"
    width: float = 0.0
    title: str = ""
    """Shown by a browser where the pointer rests."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Lines or areas drawn as one."""

    parts: tuple[tuple[Point, ...], ...]
    """Each of two points is a line, of three a quadratic curve; of an area, a polygon."""

    line: str = "none"
    width: float = 0.0
    fill: str = "none"
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    x: float
    y: float
    """Of the base line."""
    text: str
    size: float
    length: float
    """Width that it takes."""
    exact: bool = True
    """Whether *length* was measured; else it takes no more than that."""
    anchor: Literal["start", "end"] = "start"
    angle: float = 0.0
    """Degrees, clockwise, about (x, y)."""
    bold: bool = False
    colour: str = INK

    def corners(self, beside: float = 0.0) -> tuple[Point, Point, Point, Point]:
        """Return the corners of the box that it stands in, and more room *beside* it."""
        left = (-self.length if self.anchor == "end" else 0.0) - beside
        top, bottom = -ASCENT * self.size, DESCENT * self.size
        right = left + self.length + 2 * beside
        cos, sin = (
            math.cos(math.radians(self.angle)),
            math.sin(math.radians(self.angle)),
        )
        a, b, c, d = (
            (self.x + x * cos - y * sin, self.y + x * sin + y * cos)
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
        )
        return a, b, c, d


Mark = Disc | Shape | Text


@dataclass(slots=True)
class Picture:
    layout: str
    title: str
    description: str
    height: float = 0.0
    links: list[Shape] = field(default_factory=list)
    nodes: list[Disc] = field(default_factory=list)
    """One for each node of the graph, the largest first."""
    marks: list[Disc] = field(default_factory=list)
    """Rings and dots about and on nodes."""
    backs: list[Shape] = field(default_factory=list)
    """Paper behind labels."""
    labels: list[Text] = field(default_factory=list)
    legend: list[Mark] = field(default_factory=list)
    caption: list[Text] = field(default_factory=list)

    def layers(self) -> Iterator[tuple[str, list[Mark]]]:
        """Yield what is drawn, from the bottom up, under a name."""
        for name in ("links", "nodes", "marks", "backs", "labels", "legend", "caption"):
            yield name, getattr(self, name)
