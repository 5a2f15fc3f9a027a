"""Legend and caption of pictures: they say what is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analysis.paint import PALETTE, PERIPHERY, REST
from analysis.pictures import compose
from analysis.pictures.marks import Disc, Text
from issuecrawl.model.decisions import Decision
from tests.test_pictures import network

if TYPE_CHECKING:
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
