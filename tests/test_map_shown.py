"""The map in a browser: what a researcher does with it in the first ten minutes."""

from __future__ import annotations

import itertools
import zlib
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from lxml import etree

from analysis.map import write
from analysis.network import EvidenceLink
from analysis.paint import CHANGES
from analysis.stability.compute import mark, stability
from issuecrawl.model.decisions import Decision
from issuecrawl.model.parameters import Parameters
from tests.browsers import NO_GL, SOFTWARE_GL, browsers, needed, pages
from tests.map_networks import (
    STARTS,
    ListedEvidence,
    completed,
    drawn_network,
)
from tests.networks import small_network
from tests.small_crawls import network_of, stored
from tests.webs import web_of_links

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = needed

SVG = "{http://www.w3.org/2000/svg}"
SCRIPT = "</script><script>window.broken = 1</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def with_webgl(driver: Any) -> Iterator[Any]:
    yield from browsers(driver, *SOFTWARE_GL)


@pytest.fixture(scope="module")
def without_webgl(driver: Any) -> Iterator[Any]:
    yield from browsers(driver, *NO_GL)


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("map") / "map.html"
    write(completed(drawn_network()), path)
    return path


@pytest.fixture(params=["with_webgl", "without_webgl"])
def page(request: pytest.FixtureRequest, five: Path) -> Iterator[Any]:
    yield from shown(request.getfixturevalue(request.param), five)


@pytest.fixture
def svg_page(without_webgl: Any, five: Path) -> Iterator[Any]:
    """Whose nodes and labels are elements, so that a test can ask where they are."""
    yield from shown(without_webgl, five)


def shown(browser: Any, path: Path) -> Iterator[Any]:
    for page in pages(browser, path):
        drawn(page)
        yield page
        assert page.said == []
        assert [url for url in page.asked if not url.startswith("blob:")] == [
            path.as_uri()
        ]


def drawn(page: Any) -> None:
    page.wait_for_selector("#legend h2")


def open_map(browser: Any, network: Any, folder: Path) -> Iterator[Any]:
    path = folder / "map.html"
    write(network, path)
    yield from shown(browser, path)


def search(page: Any, words: str) -> None:
    page.fill("#search", words)
    page.press("#search", "Enter")


def status(page: Any) -> str:
    return str(page.inner_text("#status"))


def comes_to(page: Any, words: str) -> None:
    page.locator("#status", has_text=words).wait_for()


def legend(page: Any) -> list[str]:
    return [
        " ".join(line.split()) for line in page.locator("#legend li").all_inner_texts()
    ]


def downloaded(page: Any, button: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click(button)
    path: Path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def exported(page: Any, folder: Path) -> etree._Element:
    """Return the root of the SVG that the page exports."""
    return etree.parse(downloaded(page, "#svg", folder)).getroot()


def labels(root: etree._Element) -> list[str]:
    return sorted("".join(text.itertext()) for text in within(root, "text"))


def within(root: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield elements of the map, without title and legend."""
    (view,) = root.iterfind(f".//{SVG}g[@clip-path]")
    yield from view.iter(SVG + name)


def test_it_is_drawn_by_webgl_where_there_is_some(with_webgl: Any, five: Path) -> None:
    for page in shown(with_webgl, five):
        assert page.get_attribute("#app", "data-view") == "webgl"


def test_it_is_drawn_as_svg_where_there_is_no_webgl(svg_page: Any) -> None:
    assert svg_page.get_attribute("#app", "data-view") == "svg"
    assert svg_page.locator("#map circle").count() >= 3


def test_it_says_what_is_shown(page: Any) -> None:
    assert page.inner_text("#title") == "Five actors"
    assert "colink analysis by site" in page.inner_text("#facts")
    assert status(page) == "3 actors, 2 links"
    assert legend(page) == [
        "EXAMPLE 1",
        "NGO 1",
        "press 1",
        "white dot: some of its pages could not be seen",
    ]


def test_search_opens_the_panel_with_the_evidence(page: Any) -> None:
    search(page, "a.ex")
    page.wait_for_selector("#panel .links a")

    assert page.inner_text("#panel h2") == "a.example"
    panel = " ".join(page.inner_text("#panel").split())
    assert "why it is in co-linked by 2" in panel
    assert "inlinks 5 1st" in panel
    assert "5 links from 3 actors, 3 domains." in panel
    assert "first.test 3 links" in panel
    assert "body · 2023-11-14" in panel
    sources = page.locator("#panel .links a").evaluate_all(
        "all => all.map(a => a.href)"
    )
    assert "https://first.test/one" in sources
    assert page.get_attribute("#panel header a", "href") == "https://a.example/"


def test_search_is_led_by_arrow_keys_and_finds_nothing_quietly(page: Any) -> None:
    page.fill("#search", "example")
    options = page.locator("#found [role=option] .name")
    assert options.all_inner_texts() == ["a.example", "c.example", "second.example"]
    page.press("#search", "ArrowDown")
    active = page.get_attribute("#search", "aria-activedescendant")
    assert page.inner_text(f"#{active} .name") == "c.example"
    page.press("#search", "Enter")
    assert page.inner_text("#panel h2") == "c.example"

    page.fill("#search", "nobody")
    assert page.inner_text("#found") == "No such actor"
    page.press("#search", "Escape")
    assert page.locator("#found").is_hidden()


def test_panel_says_what_could_not_be_seen(page: Any) -> None:
    search(page, "c.example")

    panel = " ".join(page.inner_text("#panel").split())
    assert "Retrieved 0 of 1 address due." in panel
    assert "A link that is missing here may only not have been seen" in panel
    assert "never asked for: 1" in panel
    assert "No link to the core was seen." in panel


def test_a_click_on_a_node_opens_its_panel_and_one_beside_closes_it(page: Any) -> None:
    search(page, "b.test")
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()
    page.wait_for_timeout(100)
    x, y = middle(page)
    page.mouse.click(x, y)
    assert page.inner_text("#panel h2") == "b.test"

    box = page.locator("#map").bounding_box()
    page.wait_for_timeout(400)  # else a second click is a double one
    page.mouse.click(box["x"] + 6, box["y"] + 6)
    assert page.locator("#panel").is_hidden()


def middle(page: Any) -> tuple[float, float]:
    """Return the middle of the map, where a node is that was searched for."""
    page.locator("#map").scroll_into_view_if_needed()
    page.wait_for_timeout(100)
    box = page.locator("#map").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_hovering_brings_out_neighbours_and_lets_the_rest_step_back(
    svg_page: Any,
) -> None:
    x, y = at_label(svg_page, "b.test")
    svg_page.mouse.move(x, y)

    groups = svg_page.locator("#map svg > g > g")
    assert groups.nth(0).get_attribute("opacity") == "0.14"
    named = groups.nth(2).locator("text").all_text_contents()
    assert sorted(named) == ["a.example", "b.test"]
    svg_page.mouse.move(x, y + 250)
    assert groups.nth(0).get_attribute("opacity") == "1"


def at_label(page: Any, name: str) -> tuple[float, float]:
    """Return where the node of a label is: the disc that is nearest."""
    spot = page.evaluate(
        """name => {
          const middle = (one) => {
            const box = one.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2, box.width / 2];
          };
          const text = [...document.querySelectorAll("#map text")]
            .find((one) => one.textContent === name);
          const box = text.getBoundingClientRect();
          const discs = [...document.querySelectorAll("#map circle")].map(middle);
          const far = ([x, y, r]) =>
            Math.hypot(Math.max(box.x - x, 0, x - box.right),
                       Math.max(box.y - y, 0, y - box.bottom)) - r;
          return discs.sort((one, other) => far(one) - far(other))[0];
        }""",
        name,
    )
    return spot[0], spot[1]


def test_filters_choose_from_the_core_and_reset_brings_all_back(page: Any) -> None:
    page.select_option("#category", label="NGO")
    assert status(page) == "1 of 3 actors, 0 links"
    page.select_option("#category", label="all")

    page.fill("#inlinks", "3")
    comes_to(page, "2 of 3 actors, 2 links")
    page.fill("#degree", "9")
    comes_to(page, "0 of 3 actors, 0 links")

    page.click("#reset")
    assert status(page) == "3 actors, 2 links"
    assert page.input_value("#inlinks") == "0"


def test_lines_of_the_legend_switch_their_group_off_and_on(page: Any) -> None:
    page.click("#legend button:has-text('press')")
    assert status(page) == "2 of 3 actors, 0 links"
    assert (
        page.get_attribute("#legend button:has-text('press')", "aria-pressed")
        == "false"
    )
    page.click("#legend button:has-text('press')")
    assert status(page) == "3 actors, 2 links"


def test_a_line_of_the_legend_keeps_the_focus_when_it_is_pressed(page: Any) -> None:
    page.focus("#legend button:has-text('press')")
    for state in ("false", "true"):
        page.keyboard.press("Space")
        line = page.locator("#legend button:has-text('press')")
        assert line.get_attribute("aria-pressed") == state
        assert line.evaluate("line => line === document.activeElement")


def test_periphery_is_off_until_it_is_asked_for(page: Any, tmp_path: Path) -> None:
    assert page.inner_text("#periphery-label") == "Periphery (2 sites)"
    assert labels(exported(page, tmp_path)) == ["a.example", "b.test", "c.example"]

    page.check("#periphery")
    assert "periphery: links into the network, not of it 2" in legend(page)
    assert "ring: starting point" in legend(page)
    assert status(page) == "3 actors, 2 around it, 2 links"
    page.wait_for_timeout(200)
    named = labels(exported(page, tmp_path))
    assert named == ["a.example", "b.test", "c.example", "first.test", "second.example"]


def test_a_search_for_what_is_hidden_shows_it(page: Any) -> None:
    page.select_option("#category", label="NGO")
    search(page, "first.test")
    assert page.inner_text("#panel h2") == "first.test"
    assert page.is_checked("#periphery")
    assert "it links into the network and was not kept" in page.inner_text("#panel")


def test_colours_follow_what_is_chosen(page: Any) -> None:
    page.select_option("#colour", label="core and periphery")
    assert page.inner_text("#legend h2") == "Colour: core and periphery"
    assert legend(page)[0] == "core 3"
    page.select_option("#colour", label="community")
    assert legend(page)[0].startswith("community 1")


def test_sizes_follow_what_is_chosen(page: Any, tmp_path: Path) -> None:
    names = page.locator("#size option").all_inner_texts()
    assert names == [
        "inlinks",
        "linking sites",
        "inlinks from the core",
        "outlinks",
        "PageRank",
        "betweenness",
    ]
    before = radii(exported(page, tmp_path))
    page.select_option("#size", label="outlinks")
    page.wait_for_timeout(200)
    assert "Area: outlinks; largest 1" in page.inner_text("#legend")
    assert radii(exported(page, tmp_path)) != before


def radii(root: etree._Element) -> list[str]:
    return sorted(disc.get("r", "") for disc in within(root, "circle"))


def test_layouts_can_be_changed_and_forceatlas2_runs_until_stopped(
    page: Any, tmp_path: Path
) -> None:
    before = places(exported(page, tmp_path))
    page.select_option("#layout", label="circle map")
    page.wait_for_timeout(200)
    assert places(exported(page, tmp_path)) != before
    page.click("#reset")
    page.wait_for_timeout(200)
    assert places(exported(page, tmp_path)) == before

    page.click("#live")
    assert page.get_attribute("#live", "aria-pressed") == "true"
    page.wait_for_timeout(600)
    page.click("#live")
    page.wait_for_timeout(200)
    moved = places(exported(page, tmp_path))
    assert moved != before
    page.wait_for_timeout(300)
    assert places(exported(page, tmp_path)) == moved
    page.click("#reset")
    page.wait_for_timeout(200)
    assert places(exported(page, tmp_path)) == before


def places(root: etree._Element) -> list[tuple[str, str]]:
    discs = within(root, "circle")
    return sorted((disc.get("cx", ""), disc.get("cy", "")) for disc in discs)


def test_keys_move_and_zoom_the_map_and_slash_goes_to_the_search(
    page: Any, tmp_path: Path
) -> None:
    before = places(exported(page, tmp_path))
    for key in ("ArrowRight", "+", "-", "ArrowDown"):
        page.press("#map", key)
    page.wait_for_timeout(300)
    assert places(exported(page, tmp_path)) != before
    page.press("#map", "0")
    page.wait_for_timeout(300)
    assert places(exported(page, tmp_path)) == before

    page.press("#map", "/")
    assert page.evaluate("document.activeElement.id") == "search"
    assert page.input_value("#search") == ""


def test_every_control_is_reached_by_tabs(page: Any) -> None:
    reached = []
    page.evaluate("document.body.focus()")
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    wanted = "search colour size layout live category inlinks degree periphery png svg"
    assert set(wanted.split()) <= set(reached)
    assert {"print", "reset", "map", "closer", "farther", "whole"} <= set(reached)


def test_panel_takes_the_focus_and_escape_gives_it_back(page: Any) -> None:
    search(page, "a.example")
    assert page.evaluate("document.activeElement.id") == "panel"
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()
    assert page.evaluate("document.activeElement.id") == "map"


def test_names_in_the_panel_lead_on(page: Any) -> None:
    search(page, "a.example")
    page.wait_for_selector("#panel .actor")
    page.locator("#panel .rows .actor", has_text="b.test").first.click()
    assert page.inner_text("#panel h2") == "b.test"


def test_svg_is_the_map_as_seen_with_title_and_legend(
    page: Any, tmp_path: Path
) -> None:
    path = downloaded(page, "#svg", tmp_path)
    assert path.name == "five-actors.svg"
    root = etree.parse(path).getroot()
    words = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert words[0] == "Five actors"
    assert "NGO (1)" in words
    assert any(word.startswith("Colour: category. Area: inlinks") for word in words)
    assert len(radii(root)) == 5  # three nodes, one of them with a dot and its edge


def test_png_is_drawn_in_twice_the_pixels(page: Any, tmp_path: Path) -> None:
    root = exported(page, tmp_path)
    path = downloaded(page, "#png", tmp_path)
    assert path.name == "five-actors.png"
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    size = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    assert size == (
        round(2 * float(root.get("width", ""))),
        round(2 * float(root.get("height", ""))),
    )
    assert len(pixels(data)) > 3


def pixels(png: bytes) -> set[int]:
    """Return the bytes that the picture is made of: one colour would be few."""
    at, body = 8, b""
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            body += png[at + 8 : at + 8 + length]
        at += 12 + length
    return set(zlib.decompress(body))


def test_paper_gets_the_map_and_nothing_else(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#paper svg").is_visible()
    assert page.locator("#controls").is_hidden()
    assert "Five actors" in page.locator("#paper").text_content()
    page.emulate_media(media="screen")
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


def test_labels_lie_on_no_other_label_and_on_no_larger_node(
    without_webgl: Any, tmp_path: Path
) -> None:
    targets = [f"https://actor-{number}.example/" for number in range(60)]
    links = [(start, target) for start in STARTS for target in targets]
    links += [(one, other) for one, other in itertools.pairwise(targets)]
    network = completed(network_of(web_of_links(links), STARTS))
    for page in open_map(without_webgl, network, tmp_path):
        boxes = page.evaluate(
            """() => [...document.querySelectorAll("#map text")].map((text) => {
              const {left, right, top, bottom} = text.getBoundingClientRect();
              return [left, right, top, bottom];
            })"""
        )
        assert len(boxes) > 30
        for one, other in itertools.combinations(boxes, 2):
            beside = one[1] <= other[0] + 1 or other[1] <= one[0] + 1
            # Letters are less high than their line.
            above = one[3] <= other[2] + 3 or other[3] <= one[2] + 3
            assert beside or above


def test_a_narrow_window_keeps_the_map_and_hides_the_options(svg_page: Any) -> None:
    svg_page.set_viewport_size({"width": 390, "height": 800})
    assert svg_page.locator("#controls").is_hidden()
    box = svg_page.locator("#map").bounding_box()
    assert box["height"] > 400
    svg_page.click("#menu")
    assert svg_page.locator("#controls").is_visible()
    assert svg_page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_narrow_window_shows_all_that_was_found(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.fill("#search", "e")
    options = page.locator("#found [role=option]")
    assert options.count() > 3
    for option in options.all():
        box = option.bounding_box()
        at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        there = "(li, [x, y]) => li.contains(document.elementFromPoint(x, y))"
        assert option.evaluate(there, at)


def test_a_long_title_leaves_room_for_the_map_and_is_cut_at_once(
    without_webgl: Any, tmp_path: Path
) -> None:
    network = drawn_network("Title " * 5000)
    network.graph.nodes["a.example"]["category"] = "category " * 3000
    for page in open_map(without_webgl, completed(network), tmp_path):
        page.set_default_timeout(5000)
        title = next(exported(page, tmp_path).iter(f"{SVG}text")).text or ""
        assert title.startswith("Title Title Title ")
        assert 40 < len(title) < 200
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.locator("#map").bounding_box()["height"] > 400


def test_a_panel_on_the_map_leaves_the_node_beside_it(svg_page: Any) -> None:
    svg_page.set_viewport_size({"width": 900, "height": 700})
    search(svg_page, "b.test")
    svg_page.wait_for_timeout(300)
    x, _ = at_label(svg_page, "b.test")
    panel = svg_page.locator("#panel").bounding_box()
    map_ = svg_page.locator("#map").bounding_box()
    assert map_["x"] + map_["width"] > panel["x"]
    assert x == pytest.approx((map_["x"] + panel["x"]) / 2, abs=2)


def test_without_scripts_there_is_a_table(with_webgl: Any, five: Path) -> None:
    for page in pages(with_webgl, five, java_script_enabled=False):
        assert page.locator("#app").is_hidden()
        assert page.locator("td").first.inner_text() == "a.example"


def test_hostile_texts_do_nothing(with_webgl: Any, tmp_path: Path) -> None:
    network = small_network(title=SCRIPT)
    network.graph.nodes["a.test"].update(label=SCRIPT, url="javascript:alert(1)")
    network.evidence = ListedEvidence(
        [
            EvidenceLink(
                "a.test",
                "b.test",
                "b.test",
                "javascript:alert(2)",
                "https://a.test/",
                SCRIPT,
                "body",
                "a",
                SCRIPT,
                "",
            )
        ]
    )
    for page in open_map(with_webgl, completed(network), tmp_path):
        search(page, "</script>")
        page.wait_for_selector("#panel .links li")
        assert page.inner_text("#title") == SCRIPT
        assert page.inner_text("#panel h2") == SCRIPT
        assert page.locator("#panel a").count() == 0
        assert page.locator("img").count() == 0
        assert page.evaluate("window.broken") is None
        words = [
            "".join(text.itertext())
            for text in exported(page, tmp_path).iter(f"{SVG}text")
        ]
        assert words[0].startswith("</script><script>")


def test_a_comparison_is_coloured_by_what_changed(
    without_webgl: Any, tmp_path: Path
) -> None:
    network = drawn_network()
    changes = {"a.example": "stayed", "b.test": "came", "c.example": "unseen"}
    for node, change in changes.items():
        network.graph.nodes[node]["change"] = change
    network.graph.nodes["c.example"]["looks"] = "failed: 2; still linked: 1"
    network.graph.edges["a.example", "b.test"]["change"] = "came"
    network.graph.edges["b.test", "a.example"]["change"] = "stayed"
    for page in open_map(without_webgl, completed(network), tmp_path):
        assert page.inner_text("#legend h2") == "Colour: change"
        assert legend(page) == [
            "came 1",
            "stayed 1",
            "could not be seen this time 1",
            "white dot: some of its pages could not be seen",
            "link that came",
        ]
        fills = page.locator("#legend button circle").evaluate_all(
            "all => all.map(disc => disc.getAttribute('fill'))"
        )
        assert fills == [CHANGES[name] for name in ("came", "stayed", "unseen")]
        strokes = page.locator("#map path[fill=none]").evaluate_all(
            "all => all.map(path => path.getAttribute('stroke'))"
        )
        assert CHANGES["came"] in strokes
        search(page, "c.example")
        panel = " ".join(page.inner_text("#panel").split())
        assert "change could not be seen this time" in panel
        assert "its pages failed: 2; still linked: 1" in panel


def test_hosts_are_named_as_people_read_them(
    without_webgl: Any, tmp_path: Path
) -> None:
    network = drawn_network()
    network.graph = nx.relabel_nodes(
        network.graph, {"a.example": "xn--kste-0ra.example"}
    )
    network.inward, network.evidence = [], None
    for page in open_map(without_webgl, completed(network), tmp_path):
        search(page, "küste")
        assert page.inner_text("#panel h2") == "küste.example"
        search(page, "xn--kste")
        assert page.inner_text("#panel h2") == "küste.example"


def test_search_tells_actors_of_one_name_apart(
    without_webgl: Any, tmp_path: Path
) -> None:
    network = drawn_network("Two\x00 offices")
    for node in ("a.example", "b.test"):
        network.graph.nodes[node]["label"] = "The office"
    for page in open_map(without_webgl, completed(network), tmp_path):
        assert page.inner_text("#title") == "Two offices"
        page.fill("#search", "office")
        found = page.locator("#found [role=option] .name").all_inner_texts()
        assert found == ["The office\na.example", "The office\nb.test"]
        page.fill("#search", "c.ex")
        assert page.locator("#found .name").all_inner_texts() == ["c.example"]


def test_decisions_are_listed(without_webgl: Any, tmp_path: Path) -> None:
    network = drawn_network()
    network.decisions = [
        Decision("drop", "x.test", "", "a cdn"),
        Decision("rename", "a.example", "A & Co"),
    ]
    for page in open_map(without_webgl, completed(network), tmp_path):
        assert "2 decisions applied" in page.inner_text("#facts")
        page.click("#decisions summary")
        listed = page.locator("#decisions li").all_inner_texts()
        assert listed == ["drop x.test (a cdn)", "rename a.example to A & Co"]


def test_panel_says_how_stable_a_node_is(without_webgl: Any, tmp_path: Path) -> None:
    links = [(s, t) for s in STARTS for t in ("https://a.example/", "https://b.test/")]
    web = web_of_links(links)
    network = drawn_network()
    mark(network, stability(stored(web, STARTS), Parameters(), own=False))
    for page in open_map(without_webgl, completed(network), tmp_path):
        search(page, "a.example")
        assert "% of the variants" in page.inner_text("#panel")


@pytest.mark.parametrize("nodes", [0, 1])
def test_a_network_of_next_to_nothing_is_drawn(
    with_webgl: Any, tmp_path: Path, nodes: int
) -> None:
    network = small_network()
    kept = [
        node for node, data in network.graph.nodes(data=True) if data["role"] == "core"
    ]
    network.graph = network.graph.subgraph(kept[:nodes]).copy()
    network.inward = []
    for page in open_map(with_webgl, completed(network), tmp_path):
        said = [
            "The analysis kept nobody: there is no core to draw.",
            "1 actor, 0 links",
        ]
        assert status(page) == said[nodes]
        exported(page, tmp_path)
