"""The maps of a report: pictures as SVG, in the page itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from markupsafe import Markup

from analysis.pictures import svg

if TYPE_CHECKING:
    from analysis.network import Network

ROUND: Final = 150
"""Nodes up to which names are readable around a circle."""

CAPTIONS: Final = {
    "cluster": "Cluster map: what links to each other lies close together; directions"
    " and distances mean nothing else.",
    "geographic": "Geographic map: nodes lie where the coordinates given say.",
    "circle": "Circle map: the nodes around a circle, and who links to whom across it.",
}
"""By layout, in the order of the report."""


class Map(NamedTuple):
    picture: Markup
    caption: str


def maps(network: Network) -> list[Map]:
    """Return the maps that *network* has positions for and that can be read."""
    return [
        # What it holds of pages is escaped by analysis.pictures.
        Map(Markup(svg(network, layout, caption=False)), caption)  # noqa: S704
        for layout, caption in CAPTIONS.items()
        if network.layouts.get(layout)
        and (layout != "circle" or len(network.graph) <= ROUND)
    ]
