from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given
from networkx.utils import graphs_equal

from analysis import files, graphml, json_graph, tables
from analysis.issuenetwork_reader import read
from issuecrawl.model.errors import FormatError
from tests.networks import graph_without_nothing, networks, small_network

if TYPE_CHECKING:
    from analysis.network import Network

WALKTHROUGH = Path(__file__).parent / "data" / "walkthrough.xml"
NAMES = [
    "network.xml",
    "network.gexf",
    "network.graphml",
    "nodes.csv",
    "edges.csv",
    "actors.csv",
    "matrix.csv",
    "pages.csv",
    "measures.csv",
    "network.txt",
    "network.json",
    "map.svg",
    "map.png",
    "map.pdf",
    "circle.svg",
    "circle.png",
    "circle.pdf",
    "map.html",
    "report.html",
]


def test_every_format_is_written_under_its_name(tmp_path: Path) -> None:
    paths = files.write_all(small_network(), tmp_path / "new" / "net")

    assert [path.name for path in paths] == NAMES
    assert sorted(path.name for path in (tmp_path / "new" / "net").iterdir()) == sorted(
        NAMES
    )


def test_formats_can_be_chosen(tmp_path: Path) -> None:
    paths = files.write_all(small_network(), tmp_path, ["gexf", "csv"])

    assert [path.name for path in paths] == [
        "network.gexf",
        *(name for name in NAMES if name.endswith(".csv")),
    ]


def test_missing_pages_are_listed_and_the_list_goes_when_none_are(
    tmp_path: Path,
) -> None:
    incomplete = small_network(missing=["https://a.test/1", "https://a.test/2"])

    paths = files.write_all(incomplete, tmp_path, ["txt"])

    assert paths[-1] == tmp_path / "missing.txt"
    assert paths[-1].read_text() == "https://a.test/1\nhttps://a.test/2\n"
    files.write_all(small_network(), tmp_path, ["txt"])
    assert not (tmp_path / "missing.txt").exists()


def test_equal_networks_make_equal_files(tmp_path: Path) -> None:
    one = files.write_all(small_network(), tmp_path / "one")
    two = files.write_all(small_network(), tmp_path / "two")

    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_files_of_an_earlier_network_are_named(tmp_path: Path) -> None:
    files.write_all(small_network(), tmp_path, ["csv", "txt"])
    (tmp_path / "stability.csv").touch()
    (tmp_path / "notes.txt").touch()
    written = files.write_all(small_network(), tmp_path, ["csv"])

    assert files.left(tmp_path, written) == ["network.txt", "stability.csv"]


def test_file_stays_as_it_was_when_writing_fails(tmp_path: Path) -> None:
    files.write_all(small_network(), tmp_path)
    before = (tmp_path / "network.xml").read_bytes()
    broken = small_network()
    broken.pages.reverse()
    broken.pages.append(broken.pages[0])

    with pytest.raises(ValueError, match="order of the sites"):
        files.write_all(broken, tmp_path)

    assert (tmp_path / "network.xml").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(NAMES)


def test_old_network_is_exported_to_every_format(tmp_path: Path) -> None:
    paths = files.write_all(read(WALKTHROUGH), tmp_path)

    assert [path.name for path in paths] == NAMES
    graph = nx.read_gexf(tmp_path / "network.gexf", version="1.3")
    assert graph.nodes["http://www.bof.nl/auteursrecht.html"]["role"] == "periphery"
    assert (tmp_path / "network.txt").read_text() == (
        "http://www.netkwesties.nl/editie109/artikel2.html\n"
    )


@given(networks())
def test_networkx_reads_graphml_back(network: Network) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.graphml"
        graphml.write(network, path)
        again = nx.read_graphml(path)

    again.graph.clear()
    assert graphs_equal(again, graph_without_nothing(network.graph))


@given(networks())
def test_networkx_reads_json_back(network: Network) -> None:
    found = read_json(network)

    again = nx.node_link_graph(found, edges="edges")

    for _, data in again.nodes(data=True):
        for name in [name for name, value in data.items() if value is None]:
            del data[name]
    assert graphs_equal(again, graph_without_nothing(network.graph))


def test_json_tells_what_network_it_is() -> None:
    found = read_json(small_network(missing=["https://a.test/1"]))

    assert found["network"]["title"] == "Small"
    assert found["network"]["parameters"]["threshold"] == 2
    assert found["network"]["starting_points"][0] == "https://c.test/"
    assert found["network"]["missing"] == 1


def read_json(network: Network) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.json"
        json_graph.write(network, path)
        found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def test_local_files_never_reach_an_export(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("content of a local file")
    old = tmp_path / "old.xml"
    old.write_text(
        f'<!DOCTYPE IssueNetwork [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        "<IssueNetwork><Title>&x;</Title></IssueNetwork>"
    )

    with pytest.raises(FormatError):
        files.write_all(read(old), tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_a_table_goes_with_what_it_was_of(tmp_path: Path) -> None:
    network = small_network(starts=[])
    files.write_all(network, tmp_path, ["csv"])
    assert (tmp_path / "starting_points.csv").exists()

    paths = files.write_all(small_network(), tmp_path, ["csv"])

    assert sorted(path.name for path in paths) == sorted(
        path.name for path in tmp_path.iterdir()
    )
    assert not (tmp_path / "starting_points.csv").exists()


def test_formats_are_declared_once() -> None:
    names = [file.name for kinds in files.FORMATS.values() for file in kinds]

    assert len(set(names)) == len(names)
    assert set(NAMES) <= set(names)
    assert tables.NODE_COLUMNS[0] == "id"
