from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from hypothesis import given

from analysis import tables
from tests.networks import HOSTILE, networks, small_network

if TYPE_CHECKING:
    from analysis.attributes import Value
    from analysis.network import Network


def test_nodes_stand_core_first_with_every_column(tmp_path: Path) -> None:
    network = small_network()
    network.graph.nodes["a.test"].update(
        retained_at=1, voters=2, inlinks_core=1, pagerank=1 / 3, betweenness=0.0, x=-1.5
    )

    tables.write_nodes(network, tmp_path / "nodes.csv")

    assert (tmp_path / "nodes.csv").read_bytes().decode() == (
        "id,site,url,category,role,retained_at,why,starting_point,voters,inlinks,"
        "inlinks_core,linking_sites,outlinks,reciprocity,pagerank,hub,hits_authority,"
        "betweenness,k_core,community,component,unseen,x,y\n"
        "a.test,a.test,https://a.test/,TEST,core,1,,true,2,2,1,,1,,0.333333,,,0.0,,,,,"
        "-1.5,\n"
        "b.test,b.test,https://b.test/,TEST,core,,,false,,2,,,1,,,,,,,,,,,\n"
        "c.test,c.test,https://c.test/,TEST,periphery,,,true,,0,,,2,,,,,,,,,,,\n"
    )


def test_edges_have_source_target_and_weight(tmp_path: Path) -> None:
    tables.write_edges(small_network(), tmp_path / "edges.csv")

    assert (tmp_path / "edges.csv").read_bytes().decode() == (
        "source,target,weight\na.test,b.test,1\nb.test,a.test,1\n"
    )


def test_core_is_listed_one_address_a_line(tmp_path: Path) -> None:
    tables.write_core(small_network(), tmp_path / "network.txt")

    assert (
        tmp_path / "network.txt"
    ).read_text() == "https://a.test/\nhttps://b.test/\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1", "'+1"),
        ("-1+1", "'-1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'=1"),
        ("\r=1", "'=1"),
        ("\x00=1", "'=1"),
        ("\uff1dcmd", "'\uff1dcmd"),
        ("a=b", "a=b"),
        ("a\x00\x1b\nb\ud800", "ab"),
        ("", ""),
        (-1, "-1"),
        (True, "true"),
        (None, ""),
    ],
)
def test_text_that_a_spreadsheet_would_run_is_marked(text: Value, shown: str) -> None:
    assert tables.cell(text) == shown


def test_quotes_commas_and_apostrophes_come_back(tmp_path: Path) -> None:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node('"a", b', url="it's;\u20ac", role="core")
    tables.write_nodes(small_network(graph=graph), tmp_path / "nodes.csv")

    with (tmp_path / "nodes.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)

    assert (row["id"], row["url"]) == ('"a", b', "it's;\u20ac")


@given(networks())
def test_every_network_has_as_many_lines_as_nodes_and_edges(network: Network) -> None:
    with tempfile.TemporaryDirectory() as folder:
        nodes, edges = Path(folder) / "nodes.csv", Path(folder) / "edges.csv"
        tables.write_nodes(network, nodes)
        tables.write_edges(network, edges)

        assert nodes.read_bytes().count(b"\n") == 1 + len(network.graph)
        assert edges.read_bytes().count(b"\n") == 1 + network.graph.number_of_edges()


@given(HOSTILE)
def test_no_text_begins_a_formula(text: str) -> None:
    assert tables.cell(text)[:1] not in tuple("=+-@\t\r\n")
