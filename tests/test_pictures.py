"""Pictures for papers: what they show is right, and nothing in them is in the way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from analysis import pictures
from analysis.complete import complete
from analysis.pictures import boxes, compose
from analysis.pictures.marks import WIDTH, Text
from issuecrawl.model.decisions import Decision
from tests.networks import HOSTILE, small_network

if TYPE_CHECKING:
    from analysis.network import Network
    from analysis.pictures.marks import Picture

LAYOUTS = ("cluster", "circle", "geographic")


def network(
    core: int, links: int = 0, outside: int = 0, *, of: int = 7, **changes: Any
) -> Network:
    """Return a core of *of* categories in which six have most of *links*.

    All of it is linked where there are as many links as nodes.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    names = [f"{'abcdefg'[n % 7] * (n % 9 + 2)}{n}.test" for n in range(core)]
    for number, name in enumerate(names):
        graph.add_node(
            name, role="core", site=name, category="NDFUIEBC"[number % of], inlinks=0
        )
    for number in range(links):
        one = names[number % core]
        other = names[number // 4 if number < core else number**2 % 11 % core]
        if one != other:
            graph.add_edge(one, other, weight=1 + number % 5)
            graph.nodes[other]["inlinks"] += 1 + number % 5
    inward = []
    for number in range(outside):
        name = f"out{number}.test"
        graph.add_node(name, role="periphery", site=name, category="TEST", inlinks=0)
        inward += [(name, names[number**2 % core], 1)] if core else []
    return completed(small_network(graph=graph, inward=inward, **changes))


def completed(found: Network) -> Network:
    complete(found, dict.fromkeys(list(found.graph)[:3], (52.0, 5.0)))
    return found


def assert_sound(picture: Picture) -> None:
    """Assert that labels are in the picture, apart, and clear of what is not small."""
    for label in picture.labels:
        for x, y in label.corners():
            assert 0 <= x <= WIDTH
            assert 0 <= y <= picture.height
    for one, other in combinations(picture.labels, 2):
        assert boxes.apart(one.corners(), other.corners()), (one.text, other.text)
    for text in (*picture.caption, *(m for m in picture.legend if isinstance(m, Text))):
        assert text.x >= 0
        assert text.x + text.length <= WIDTH
        assert text.y <= picture.height


def covered(picture: Picture, least: float) -> list[tuple[str, str]]:
    """Return labels with the nodes of *least* radius below them."""
    return [
        (label.text, disc.title)
        for label in picture.labels
        for disc in picture.nodes
        if disc.radius >= least
        and not boxes.clear_of(label.corners(), disc.x, disc.y, disc.radius)
    ]


@st.composite
def drawn(draw: st.DrawFn) -> Network:
    """Draw a small network with any titles and labels."""
    found = network(
        draw(st.integers(0, 12)),
        0,
        draw(st.integers(0, 8)),
        title=draw(HOSTILE),
        decisions=[Decision("drop", "x.test")] * draw(st.integers(0, 2)),
    )
    for data in found.graph.nodes.values():
        data["label"] = draw(HOSTILE)
        data["category"] = draw(st.sampled_from(["NL", ""]) | HOSTILE)
        data["starting_point"] = draw(st.booleans())
        data["unseen"] = draw(st.integers(0, 2))
    return found


@given(drawn(), st.sampled_from(LAYOUTS))
@settings(max_examples=60, deadline=None)
def test_any_network_makes_a_sound_picture(found: Network, layout: str) -> None:
    if not pictures.fits(found, layout):
        return
    picture = compose.drawn(found, layout)

    assert_sound(picture)
    assert covered(picture, 2.5) == []
    root = etree.fromstring(pictures.svg(found, layout).encode())
    assert len(root.findall(".//{*}g[@class='picture-nodes']//{*}circle")) == len(
        found.graph
    )
    for text in root.itertext():
        assert not any(
            unicodedata.category(char) in ("Cc", "Cf") for char in text.strip("\n")
        )


@pytest.mark.parametrize("core", [0, 1, 2])
@pytest.mark.parametrize("outside", [0, 1, 30])
@pytest.mark.parametrize("layout", ["cluster", "circle"])
def test_smallest_networks_make_pictures_in_every_format(
    core: int, outside: int, layout: str, tmp_path: Path
) -> None:
    found = network(core, core, outside)
    picture = compose.drawn(found, layout)
    for form, write in pictures.WRITERS.items():
        write(found, tmp_path / form, layout)

    assert_sound(picture)
    etree.fromstring((tmp_path / "svg").read_bytes())
    assert (tmp_path / "png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "pdf").read_bytes().startswith(b"%PDF")
    assert ("no co-links found" in picture.description) == (core == 0)


LONG = "a-name-that-does-not-end" * 40


@pytest.mark.parametrize("layout", ["cluster", "circle"])
@pytest.mark.parametrize(
    ("label", "shown"),
    [
        (LONG, "a-name-"),
        ("\u202egnol \u2066x\u2069\x00\x1b[2J\nline", "gnol x [2J line"),
        ("שלום עולם", "שלום עולם"),
        ("مرحبا بالعالم", "مرحبا بالعالم"),
        ("a" + "\u0301" * 50, "á\u0301"),
        ("日本語のサイト", "日本語のサイト"),
        ("</text><script>alert(1)</script>", "</text><script>alert(1)</script>"),
    ],
)
def test_labels_of_any_kind_stay_on_a_line_and_in_the_picture(
    label: str, shown: str, layout: str, tmp_path: Path
) -> None:
    found = network(12, 20)
    node = next(iter(found.graph))
    found.graph.nodes[node]["label"] = label
    picture = compose.drawn(found, layout)
    for form, write in pictures.WRITERS.items():
        write(found, tmp_path / form, layout)

    assert_sound(picture)
    assert len(picture.labels) == 12
    assert [one.text for one in picture.labels if one.text.startswith(shown[:3])]
    assert max(one.length for one in picture.labels) <= 150
    texts = etree.fromstring((tmp_path / "svg").read_bytes()).findall(".//{*}text")
    assert not [one for one in texts if len(one)]


def test_lines_have_room_for_another_font_where_a_character_needs_one() -> None:
    found = network(3, title="و" + " long title" * 90)
    lines = [text for text in compose.drawn(found).caption if text.bold]

    assert len(lines) == 3
    assert lines[0].length <= WIDTH
    assert len(lines[0].text) < 0.85 * len(lines[1].text)
    assert [line.exact for line in lines] == [False, True, True]


@pytest.mark.parametrize("core", [3, 12, 60, 95, 150])
def test_circle_names_every_node(core: int) -> None:
    picture = compose.drawn(network(core, 4 * core, 2 * core), "circle")

    assert_sound(picture)
    assert len(picture.labels) == core
    assert covered(picture, 0.0) == []


def test_cluster_map_of_sixty_names_every_node_and_covers_none() -> None:
    picture = compose.drawn(network(60, 220), "cluster")

    assert_sound(picture)
    assert len(picture.labels) == 60
    assert covered(picture, 0.0) == []


def test_largest_nodes_have_names_where_most_cannot() -> None:
    found = network(400, 2400)
    picture = compose.drawn(found, "cluster")
    nodes = sorted(found.graph, key=lambda n: -found.graph.nodes[n]["size"])

    assert_sound(picture)
    assert {one.text for one in picture.labels} >= set(nodes[:6])
    assert f"Labels of {len(picture.labels)} of 400 nodes" in picture.description


IN_A_PROCESS = """
import sys
from pathlib import Path
from analysis import pictures
from tests.test_pictures import network
for layout in ("cluster", "circle", "geographic"):
    for form, write in pictures.WRITERS.items():
        write(network(40, 90, 20), Path(sys.argv[1]) / f"{layout}.{form}", layout)
"""


def test_another_process_writes_the_same_bytes(tmp_path: Path) -> None:
    for hashes in ("1", "2"):
        (tmp_path / hashes).mkdir()
        subprocess.run(
            [sys.executable, "-c", IN_A_PROCESS, tmp_path / hashes],
            check=True,
            cwd=Path(__file__).parent.parent,
            env={**os.environ, "PYTHONHASHSEED": hashes},
        )
    first = sorted((tmp_path / "1").iterdir())

    assert len(first) == 9
    for path in first:
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()


def test_picture_has_no_day_and_loads_nothing(tmp_path: Path) -> None:
    found = network(12, 20)
    pictures.write_pdf(found, tmp_path / "map.pdf")
    text = pictures.svg(found)

    assert b"CreationDate" not in (tmp_path / "map.pdf").read_bytes()
    assert not re.search(r"(?:href|src|url\()", text)


def test_long_name_is_set_smaller_before_it_is_cut() -> None:
    found = network(13, 30, 0)
    largest = max(found.graph, key=lambda node: found.graph.nodes[node]["size"])
    found.graph.nodes[largest]["label"] = "waters-commission.example"
    picture = compose.drawn(found, "circle")

    assert "waters-commission.example" in [text.text for text in picture.labels]
