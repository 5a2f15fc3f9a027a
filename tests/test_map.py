"""What map.html holds: one file, nothing from anywhere, texts that stay texts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from analysis import map as network_map
from analysis.complete import complete
from analysis.map.content import Numbering, content
from analysis.map.evidence import blocks
from analysis.map.page import DATA, write
from analysis.network import EvidenceLink
from tests.map_networks import ListedEvidence, completed, drawn_network
from tests.networks import networks, small_network

if TYPE_CHECKING:
    from analysis.network import Network

SCRIPT = "</script><script>alert(1)</script><!--<script>"


def tree_of(network: Network, folder: Path) -> LexborHTMLParser:
    path = folder / "map.html"
    write(network, path)
    return LexborHTMLParser(path.read_text(encoding="utf-8"))


def packed(tree: LexborHTMLParser, name: str = "content") -> Any:
    node = tree.css_first(f"#{name}")
    assert node is not None
    return json.loads(zlib.decompress(base64.b64decode(node.text())))


def link(node: str, source: str, **changes: Any) -> EvidenceLink:
    host = source.split("/")[2]
    made = EvidenceLink(
        node, host, host, source, f"https://{node}/", "", "body", "a", "", ""
    )
    return made._replace(**changes)


def numbered(network: Network) -> Numbering:
    return Numbering(completed(network))


def test_same_network_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        write(completed(drawn_network()), tmp_path / name)

    one, two = (tmp_path / name for name in ("one.html", "two.html"))
    assert one.read_bytes() == two.read_bytes()


def test_page_names_nothing_to_be_fetched(tmp_path: Path) -> None:
    tree = tree_of(completed(drawn_network()), tmp_path)

    assert not tree.css("script[src], img, iframe, object, embed, base")
    assert [node.attributes["href"] for node in tree.css("link")] == ["data:,"]
    style = tree.css_first("style")
    assert style is not None
    assert "url(" not in style.text()
    assert "@import" not in style.text()


def test_policy_lets_this_script_and_this_style_work_alone(tmp_path: Path) -> None:
    tree = tree_of(completed(drawn_network()), tmp_path)

    policy = tree.css_first("meta[http-equiv]").attributes["content"] or ""  # type: ignore[union-attr]
    script = tree.css("script")[-1].text()
    style = tree.css("style")[0].text()
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_script_is_built_from_the_sources_that_are_here() -> None:
    web = Path(network_map.__file__).parent / "web"
    files = [*sorted((web / "src").iterdir()), web / "package-lock.json"]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

    built = (DATA / "map.js").read_text(encoding="utf-8")
    assert f"Sources {digest}" in built, "run: make map"


def test_script_cannot_end_its_own_element() -> None:
    built = (DATA / "map.js").read_text(encoding="utf-8").lower()
    assert not re.search("</script|<!--", built)


def test_content_holds_every_node_and_link(tmp_path: Path) -> None:
    network = completed(drawn_network())
    held = packed(tree_of(network, tmp_path))

    assert held["ids"] == [
        "a.example",
        "b.test",
        "c.example",
        "first.test",
        "second.example",
    ]
    assert held["core"] == 3
    ids = held["ids"]
    named = {
        (ids[source], ids[target]): weight
        for source, target, weight in zip(*held["edges"], strict=True)
    }
    assert named == {
        (source, target): weight
        for source, target, weight in network.graph.edges(data="weight")
    }
    inward = [[ids[s], ids[t], w] for s, t, w in zip(*held["inward"], strict=True)]
    assert inward == [list(row) for row in network.inward]
    assert held["measures"]["inlinks"] == [
        network.graph.nodes[node]["inlinks"] for node in ids[:3]
    ] + [0, 0]
    assert held["unseen"] == [0, 0, 1, 0, 0]


def test_places_are_those_of_the_layout(tmp_path: Path) -> None:
    network = completed(drawn_network())
    held = packed(tree_of(network, tmp_path))

    for name, points in network.layouts.items():
        places = held["layouts"][name]
        for number, node in enumerate(held["ids"]):
            at = (places["x"][number] / 10, places["y"][number] / 10)
            assert at == pytest.approx(points[node], abs=0.051)


@given(networks())
def test_any_network_is_packed_whole(network: Network) -> None:
    complete(network)
    held = content(network, Numbering(network))

    assert sorted(held["ids"]) == sorted(network.graph)
    assert len(held["edges"][0]) == network.graph.number_of_edges()
    assert json.loads(json.dumps(held)) == held


def test_hostile_title_and_names_stay_text(tmp_path: Path) -> None:
    network = small_network(title=SCRIPT)
    network.graph.nodes["a.test"]["label"] = SCRIPT
    network.graph.nodes["b.test"]["url"] = "javascript:alert(1)"
    complete(network)
    network.evidence = ListedEvidence(
        [link("a.test", f"https://b.test/{SCRIPT}", anchor=SCRIPT)]
    )
    tree = tree_of(network, tmp_path)

    # Content, one block of evidence, and the script itself.
    assert len(tree.css("script")) == 3
    title = tree.css_first("title")
    assert title is not None
    assert title.text() == SCRIPT
    assert packed(tree)["texts"]["label"]["table"].count(SCRIPT) == 1
    plain = LexborHTMLParser(tree.css_first("noscript").inner_html or "")  # type: ignore[union-attr]
    assert SCRIPT in plain.css("td")[0].text()
    assert all(
        (link.attributes["href"] or "").startswith("https://")
        for link in plain.css("a")
    )


def test_best_links_are_of_a_text_and_have_words() -> None:
    found = [
        link("a.example", f"https://b.test/{number}", anchor=words, placement=placed)
        for number, (words, placed) in enumerate(
            [("", "body"), ("menu", "nav"), ("said", "body"), ("also", "body")]
        )
    ]
    held = blocks(ListedEvidence(found), numbered(drawn_network()))

    block = json.loads(zlib.decompress(base64.b64decode(held.packed[0])))
    ((_, _, _, total, best),) = block["nodes"]["0"]
    assert total == 4
    assert [block["texts"][row[2]] for row in best] == ["said", "also", ""]


def test_evidence_keeps_within_its_bound_and_says_what_is_left_out() -> None:
    numbering = numbered(drawn_network())
    found = [
        link(node, f"https://x{page}.example/", anchor=f"{node} {page * 7919 % 977}")
        for node in ("a.example", "b.test", "c.example")
        for page in range(300)
    ]
    evidence = ListedEvidence(found)
    whole = sum(map(len, blocks(evidence, numbering).packed))

    all_of_it = blocks(evidence, numbering, bound=whole)
    assert len(all_of_it.of) == all_of_it.nodes == 3
    cut = blocks(evidence, numbering, bound=whole - 1)
    assert sum(map(len, cut.packed)) < whole
    assert (cut.shown, cut.nodes) == (1, 3)
    # Fewest inlinks: c.example.
    assert 2 not in cut.of


def test_fewer_links_an_edge_are_shown_before_a_node_goes_without() -> None:
    numbering = numbered(drawn_network())
    found = [
        link("a.example", f"https://x{n % 200}.example/{n}", anchor=f"w{n * 7919}")
        for n in range(900)
    ]
    evidence = ListedEvidence(found)
    whole = sum(map(len, blocks(evidence, numbering).packed))

    held = blocks(evidence, numbering, bound=whole * 3 // 4)
    assert held.shown in (1, 2)
    assert len(held.of) == 1


@given(st.integers(0, 30), st.integers(1, 4))
def test_totals_count_every_link(links: int, voters: int) -> None:
    found = [
        link("a.example", f"https://v{number % voters}.example/{number}")
        for number in range(links)
    ]
    held = blocks(ListedEvidence(found), _NUMBERING)

    rows = [
        row
        for block in held.packed
        for row in json.loads(zlib.decompress(base64.b64decode(block)))["nodes"]["0"]
    ]
    assert sum(row[3] for row in rows) == links
    assert len(rows) == min(links, voters)
    assert all(len(row[4]) == min(row[3], 3) for row in rows)


_NUMBERING = numbered(drawn_network())
