"""A network drawn: all that a picture consists of, decided once for every format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.pictures import caption as captions
from analysis.pictures import labels, legend, links, nodes, typesetting
from analysis.pictures.frame import framed
from analysis.pictures.marks import FAINT, WIDTH, Picture

if TYPE_CHECKING:
    from analysis.network import Network
    from analysis.pictures.marks import Text

_LOW = 10.0
"""Left free below each part."""


def drawn(
    network: Network, layout: str = "cluster", *, caption: bool = True
) -> Picture:
    """Return the picture of *network*, which is complete, in one of its layouts."""
    frame, by = framed(network, layout), coloured_by(network)
    picture = Picture(layout, captions.title(network), "", height=frame.height)
    picture.links = links.drawn(network, frame, layout)
    picture.nodes = nodes.drawn(network, frame, by)
    picture.marks = list(nodes.marked(network, frame))
    placed = labels.placed(network, frame, layout, picture.links)
    picture.labels, picture.backs = placed.texts, placed.backs()
    text = captions.sentences(network, layout, len(picture.labels))
    picture.description = text
    y = frame.height
    if not frame.spots:
        picture.labels, y = _nothing(network)
    picture.legend, y = legend.drawn(network, frame, by, y + _LOW)
    if caption:
        picture.caption, y = captions.drawn(network, text, y + _LOW / 2)
    picture.height = round(y + _LOW, 2)
    return picture


def coloured_by(network: Network) -> str:
    """Return the attribute that colours mean: of a comparison what changed."""
    return "change" if captions.compared(network) else "category"


def _nothing(network: Network) -> tuple[list[Text], float]:
    words = captions.NOTHING[network.parameters.analysis]
    line = typesetting.line(words, 13, colour=FAINT)
    return [replace(line, x=round((WIDTH - line.length) / 2, 2), y=70)], 110.0
