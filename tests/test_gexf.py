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
    return graph


@given(networks())
def test_file_is_valid_and_networkx_reads_it_back(network: Network) -> None:
    data = written(network)

    SCHEMA.assertValid(etree.fromstring(data))
    assert graphs_equal(read_by_networkx(data), graph_without_nothing(network.graph))


@given(
    st.dictionaries(
        st.sampled_from(["whole", "broken", "flag", "text", "mixed"]),
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
    network.graph.nodes["a.test"].update(note='=cmd "x" & <y>', rank=0.5)
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
        again.add_node(node, **attributes)
    for source, target, attributes in found["edges"]:
        again.add_edge(source, target, **attributes)
    assert graphs_equal(again, graph_without_nothing(network.graph))
