from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import networkx as nx
from hypothesis import HealthCheck, given, settings

from analysis import files, matrix
from analysis.matrix import Matrix, top
from tests.networks import networks, small_network
from tests.small_crawls import network_of
from tests.webs import web_of_links

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"
X, Y = "https://x.example/", "https://y.example/"
WEB = web_of_links(
    [(A, X), (B, X), (A, Y), (B, Y), (X, Y), (X, Y + "1"), (Y, X), (C, X), (C, Y)]
)


def lines(network: Network, folder: Path, name: str = "matrix.csv") -> list[list[str]]:
    files.write_all(network, folder, ["csv"])
    with (folder / name).open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_rows_link_to_columns_and_are_added_up(tmp_path: Path) -> None:
    network = network_of(WEB, (A, B, C))

    assert lines(network, tmp_path) == [
        ["id", "role", "x.example", "y.example", "sum"],
        ["x.example", "core", "", "2", "2"],
        ["y.example", "core", "1", "", "1"],
        ["a.example", "periphery", "1", "1", "2"],
        ["b.example", "periphery", "1", "1", "2"],
        ["c.example", "periphery", "1", "1", "2"],
        ["sum", "", "4", "5", "9"],
    ]
    assert dict(network.graph.nodes(data="inlinks"))["y.example"] == 5


def test_pages_of_one_site_have_empty_cells(tmp_path: Path) -> None:
    network = network_of(
        web_of_links([(A, X), (B, X), (A, X + "1"), (B, X + "1")]), (A, B), mode="page"
    )

    found = lines(network, tmp_path)

    assert found[1] == [X, "core", "", "", "0"]
    assert found[3] == [A, "periphery", "1", "1", "2"]


def test_matrix_beyond_the_bound_is_a_list_of_its_links(tmp_path: Path) -> None:
    small = small_network()
    files.write_all(small, tmp_path, ["csv"])
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from((f"{n}.test" for n in range(2001)), role="core")
    graph.add_node("z.test", role="periphery")
    graph.add_edge("7.test", "8.test", weight=3)
    large = small_network(graph=graph, inward=[("z.test", "8.test", 2)])

    found = lines(large, tmp_path, "matrix_long.csv")

    assert found == [
        ["source", "role", "target", "weight"],
        ["7.test", "core", "8.test", "3"],
        ["z.test", "periphery", "8.test", "2"],
    ]
    assert not (tmp_path / "matrix.csv").exists()
    files.write_all(small, tmp_path, ["csv"])
    assert (tmp_path / "matrix.csv").exists()
    assert not (tmp_path / "matrix_long.csv").exists()


def test_node_that_a_spreadsheet_would_run_is_marked_in_the_header(
    tmp_path: Path,
) -> None:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("=1+1", role="core")

    assert lines(small_network(graph=graph), tmp_path)[0] == [
        "id",
        "role",
        "'=1+1",
        "sum",
    ]


def test_top_has_the_first_nodes_of_a_ranking() -> None:
    network = network_of(WEB, (A, B, C))

    both = ["y.example", "x.example"]
    assert top(network, 5) == Matrix(both, both, [[None, 1], [2, None]])
    assert top(network, 5, "outlinks").nodes == ["x.example", "y.example"]
    assert top(small_network(graph=nx.DiGraph()), 5) == Matrix([], [], [])


def test_rows_of_a_larger_core_are_the_nodes_that_link_most() -> None:
    network = network_of(WEB, (A, B, C))

    assert top(network, 1) == Matrix(["y.example"], ["x.example"], [[2]])


def test_rows_of_a_core_without_links_are_its_first_nodes() -> None:
    web = web_of_links([(A, X), (A, Y), (B, X), (B, Y)])

    assert top(network_of(web, (A, B)), 1) == Matrix(
        ["x.example"], ["x.example"], [[None]]
    )


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(networks())
def test_both_forms_hold_the_same_links(tmp_path: Path, network: Network) -> None:
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    matrix.write_matrix(network, wide)
    matrix.write_long(network, long)

    with wide.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    with long.open(newline="", encoding="utf-8") as file:
        weights = [int(row[-1]) for row in list(csv.reader(file))[1:]]
    cells = [int(cell) for row in rows[:-1] for cell in row[2:-1] if cell.strip("0")]
    assert sorted(cells) == sorted(weights)
    assert int(rows[-1][-1]) == sum(weights)
    assert [int(row[-1]) for row in rows[:-1]] == [
        sum(int(cell or 0) for cell in row[2:-1]) for row in rows[:-1]
    ]
