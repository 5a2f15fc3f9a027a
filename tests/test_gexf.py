from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from networkx.utils import graphs_equal

from analysis.complete import complete
from analysis.gexf import write
from tests.networks import HOSTILE, graph_without_nothing, networks, small_network

if TYPE_CHECKING:
    from analysis.network import Network

SCHEMA = etree.XMLSchema(file=str(Path(__file__).parent / "data" / "gexf-1.3.xsd"))

GRAPHOLOGY = {"graphology": "0.26.0", "graphology-gexf": "0.13.2"}
READ_BY_GRAPHOLOGY = """
const {DirectedGraph} = require("graphology");
const gexf = require("graphology-gexf");
const text = require("fs").readFileSync(process.argv[1], "utf-8");
const graph = gexf.parse(DirectedGraph, text);
console.log(JSON.stringify({
  nodes: graph.mapNodes((node, data) => [node, data]),
  edges: graph.mapEdges((edge, data, source, target) => [source, target, data]),
}));
"""


def written(network: Network) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.gexf"
        write(network, path)
        return path.read_bytes()


def read_by_networkx(data: bytes) -> nx.DiGraph[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.gexf"
        path.write_bytes(data)
        graph = nx.read_gexf(path, version="1.3")
    graph.graph.clear()
    for node, attributes in graph.nodes(data=True):
        assert attributes.pop("label") == node
        if viz := attributes.pop("viz", None):
            red, green, blue = (viz["color"][name] for name in "rgb")
            attributes["color"] = f"#{red:02x}{green:02x}{blue:02x}"
            attributes |= {"x": viz["position"]["x"], "y": viz["position"]["y"]}
            attributes["size"] = viz["size"]
    return graph


@given(networks())
def test_file_is_valid_and_networkx_reads_it_back(network: Network) -> None:
    data = written(network)

    SCHEMA.assertValid(etree.fromstring(data))
    assert graphs_equal(read_by_networkx(data), graph_without_nothing(network.graph))


DRAWN = {"x": 1.25, "y": -3.0, "size": 4.5, "color": "#0072b2"}


def test_networkx_reads_where_nodes_lie_how_large_they_are_and_their_colours() -> None:
    network = small_network()
    complete(network)
    data = written(network)

    SCHEMA.assertValid(etree.fromstring(data))
    again = read_by_networkx(data)
    assert graphs_equal(again, graph_without_nothing(network.graph))
    for node, (x, y) in network.layouts["cluster"].items():
        assert (again.nodes[node]["x"], again.nodes[node]["y"]) == (x, y)
    assert len({again.nodes[node]["color"] for node in again}) == 2
    # They are where Gephi looks for them, not among the attributes.
    assert not [
        title
        for title in etree.fromstring(data).xpath("//@title")
        if title in {"x", "y", "size", "color"}
    ]


@pytest.mark.parametrize(
    "changes",
    [{"x": None}, {"size": -1.0}, {"color": "red"}, {"y": "3"}, {"color": "#0072b2ff"}],
)
def test_what_gexf_cannot_draw_stays_an_attribute(changes: dict[str, Any]) -> None:
    network = small_network()
    network.graph.nodes["a.test"].update(DRAWN | changes)
    network.graph.nodes["b.test"].update(DRAWN)
    data = written(network)

    SCHEMA.assertValid(etree.fromstring(data))
    assert graphs_equal(read_by_networkx(data), graph_without_nothing(network.graph))


@pytest.mark.parametrize("weight", [None, 0.5, 2**40, 1])
@pytest.mark.parametrize("more", [{}, {"change": "came"}])
def test_edges_are_read_back_whatever_their_weight(
    weight: float | None, more: dict[str, str]
) -> None:
    network = small_network()
    network.graph.edges["a.test", "b.test"].update(more, weight=weight)
    data = written(network)

    SCHEMA.assertValid(etree.fromstring(data))
    assert graphs_equal(read_by_networkx(data), graph_without_nothing(network.graph))


def test_a_label_that_was_given_is_the_label() -> None:
    network = small_network()
    network.graph.nodes["a.test"]["label"] = "A & <a>"

    node = etree.fromstring(written(network)).find(".//{*}node[@id='a.test']")

    assert node.get("label") == "A & <a>"


@given(
    st.dictionaries(
        st.sampled_from(["whole", "broken", "flag", "text", "mixed", *DRAWN]),
        st.none() | st.booleans() | st.integers() | st.floats() | HOSTILE,
    )
)
def test_any_attribute_makes_a_valid_file(attributes: dict[str, Any]) -> None:
    network = small_network()
    network.graph.nodes["a.test"].update(attributes)
    network.graph.edges["a.test", "b.test"].update(attributes)

    SCHEMA.assertValid(etree.fromstring(written(network)))


def test_attributes_keep_their_types() -> None:
    network = small_network()
    network.graph.nodes["a.test"].update(rank=0.25, community=3, apex=True, note='a"b')
    network.graph.edges["a.test", "b.test"].update(mutual=True)

    again = read_by_networkx(written(network))

    assert graphs_equal(again, graph_without_nothing(network.graph))
    assert [
        type(again.nodes["a.test"][name]) for name in ("rank", "community", "apex")
    ] == [
        float,
        int,
        bool,
    ]


def test_equal_networks_make_equal_files() -> None:
    network = small_network()
    backwards = small_network(graph=nx.DiGraph())
    backwards.graph.add_nodes_from(reversed(list(network.graph.nodes(data=True))))
    backwards.graph.add_edges_from(reversed(list(network.graph.edges(data=True))))

    assert written(backwards) == written(network)


@pytest.fixture(scope="session")
def graphology() -> Path:
    """Return a folder with graphology in it, which npm fills the first time."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("node and npm are not installed")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "issuecrawl-tests" / "graphology"
    if not (folder / "node_modules" / "graphology-gexf").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        packages = [f"{name}@{version}" for name, version in GRAPHOLOGY.items()]
        installed = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", *packages],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if installed.returncode:
            pytest.skip(f"npm cannot install graphology: {installed.stderr[-200:]}")
    return folder


def test_graphology_reads_it_back(graphology: Path, tmp_path: Path) -> None:
    network = small_network(title="Titles & <others>")
    network.graph.nodes["a.test"].update(note='=cmd "x" & <y>', rank=0.5, **DRAWN)
    write(network, tmp_path / "network.gexf")

    answer = subprocess.run(
        ["node", "-e", READ_BY_GRAPHOLOGY, tmp_path / "network.gexf"],
        cwd=graphology,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(answer.stdout)

    again: nx.DiGraph[str] = nx.DiGraph()
    for node, attributes in found["nodes"]:
        assert attributes.pop("label") == node
        if attributes.pop("z", None) is not None:
            assert attributes["color"] == "rgb(0,114,178)"
            attributes["color"] = DRAWN["color"]
        again.add_node(node, **attributes)
    for source, target, attributes in found["edges"]:
        again.add_edge(source, target, **attributes)
    assert graphs_equal(again, graph_without_nothing(network.graph))
