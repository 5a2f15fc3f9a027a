"""Legend and caption of pictures: they say what is drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from analysis.paint import PALETTE, PERIPHERY, REST
from analysis.pictures import compose
from analysis.pictures.marks import Disc, Text
from issuecrawl.model.decisions import Decision
from tests.test_pictures import network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.pictures.marks import Picture


def legend(picture: Picture) -> tuple[list[str], set[str]]:
    texts = [mark.text for mark in picture.legend if isinstance(mark, Text)]
    fills = {mark.fill for mark in picture.legend if isinstance(mark, Disc)}
    return texts, fills


def test_legend_counts_what_is_drawn() -> None:
    found = network(40, 80, 15, of=3)
    nodes = list(found.graph)
    found.graph.nodes[nodes[0]]["starting_point"] = True
    found.graph.nodes[nodes[1]]["unseen"] = 4
    picture = compose.drawn(found, "cluster")
    texts, fills = legend(picture)

    assert {"N (14)", "D (13)", "F (13)", "periphery (15)"} <= set(texts)
    assert {"starting point", "pages not seen", "from the periphery"} <= set(texts)
    of = {disc.title.split(":")[0]: disc.fill for disc in picture.nodes}
    assert fills >= {*PALETTE[:3], PERIPHERY}
    assert of[nodes[0]] == of[nodes[3]] == PALETTE[0]
    assert of["out3.test (periphery)"] == PERIPHERY
    largest = max(found.graph.nodes[node]["inlinks"] for node in nodes)
    assert f"{largest:,}" in texts


def test_circles_of_the_legend_are_as_large_as_those_of_the_map() -> None:
    picture = compose.drawn(network(300, 900), "cluster")
    blank = [m for m in picture.legend if isinstance(m, Disc) and m.fill == "#ffffff"]

    assert max(one.radius for one in blank) == pytest.approx(
        max(disc.radius for disc in picture.nodes), abs=0.02
    )


def test_caption_of_many_decisions_says_where_the_rest_is() -> None:
    found = network(4, 8, 0)
    found.decisions = [
        Decision("drop", f"x{number}.test", "", "why") for number in range(50)
    ]
    caption = " ".join(text.text for text in compose.drawn(found, "circle").caption)

    assert "Decisions applied: drop x0.test; drop x1.test" in caption
    assert "drop x19.test; and 30 more, see decisions.csv." in caption


def test_categories_beyond_the_palette_are_other() -> None:
    found = network(16, 0, of=8)
    picture = compose.drawn(found, "circle")
    texts, fills = legend(picture)

    assert "other (2)" in texts
    assert REST in fills


def test_caption_says_what_the_picture_is_of() -> None:
    found = network(40, 80, 15, title="Water & <peace>")
    found.decisions = [Decision("drop", "x.test"), Decision("keep", "y.test")]
    found.missing = ["https://z.test/"]
    picture = compose.drawn(found, "circle")
    caption = " ".join(text.text for text in picture.caption)

    links = found.graph.number_of_edges()
    assert caption.startswith(
        "Water & <peace> Circle map of a co-link network of sites:"
    )
    assert (
        f"40 nodes and {links} links in the core, 15 nodes in the periphery" in caption
    )
    assert "Decisions applied: drop x.test; keep y.test." in caption
    assert "Incomplete: 1 page" in caption
    assert "Labels of 40 of 55 nodes" in caption
    assert caption.endswith(picture.description)


def test_legend_tells_categories_from_what_has_none() -> None:
    found = network(12, 24, 3, of=3)
    for node, category in zip(
        found.graph, ("other", "other", "periphery", "periphery", ""), strict=False
    ):
        found.graph.nodes[node]["category"] = category
    texts, _ = legend(compose.drawn(found, "cluster"))

    assert {"other (2)", "other (grey) (1)"} <= set(texts)
    assert {"periphery (2)", "periphery (grey) (3)"} <= set(texts)


def test_grey_of_the_rest_is_told_from_the_palette_without_green_or_red() -> None:
    for blind in ("deutan", "protan"):
        rest = _seen(REST, blind)
        for colour in (*PALETTE, PERIPHERY):
            assert math.dist(rest, _seen(colour, blind)) > 20, (colour, blind)


_BLIND = {
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
"""Machado, Oliveira & Fernandes, IEEE TVCG 15 (2009), severity 1.0, on linear RGB."""

_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)


def _seen(colour: str, blind: str) -> tuple[float, ...]:
    """Return *colour* as CIE L*a*b*, as one sees it who is *blind*."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    seen = [min(max(one, 0.0), 1.0) for one in _times(_BLIND[blind], linear)]
    x, y, z = (
        math.cbrt(one / white)
        if one / white > 0.008856
        else 7.787 * one / white + 16 / 116
        for one, white in zip(_times(_XYZ, seen), _WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(rows: Sequence[Sequence[float]], column: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, column, strict=True)) for row in rows]
