"""Who links to whom, as a matrix of counts: matrix.csv, or matrix_long.csv."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.actors import ranked
from analysis.tables import cell, write_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from analysis.network import Network

MATRIX_COLUMNS: Final = ("id", "role")
"""Those before one for each core node, after which comes :data:`SUM`."""

LONG_COLUMNS: Final = ("source", "role", "target", "weight")

SUM: Final = "sum"

CELLS: Final = 4_000_000
"""Nodes times core nodes that a matrix may have: some 10 MB, and columns that
spreadsheets can hold. Above it the links are listed, all of them too."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Links between chosen nodes."""

    nodes: list[str]
    """Of columns."""

    linking: list[str]
    """Nodes of rows."""

    cells: list[list[int | None]]
    """Weight of the link from the row's node to the column's: 0 where there is none,
    None where there can be none, since both are of one site."""


def fits(network: Network) -> bool:
    """Tell whether the matrix of *network* is small enough to be written as one."""
    return len(network.graph) * len(_nodes(network, "core")) <= CELLS


def overflows(network: Network) -> bool:
    return not fits(network)


def top(network: Network, count: int, by: str = "inlinks") -> Matrix:
    """Return the links to the *count* core nodes that rank first by *by*.

    Rows are those nodes too; in a larger core, the nodes with most links into it, since
    those that many link to need not have been crawled.
    """
    places = ranked(network.graph, by)
    nodes = linking = [row.node for row in places[:count]]
    weights = _weights(network)
    if len(places) > count:
        sums = {row.node: sum(weights.get(row.node, {}).values()) for row in places}
        most = sorted(filter(sums.get, sums), key=lambda node: (-sums[node], node))
        linking = most[:count] or nodes
    return Matrix(nodes, linking, list(_rows(network, weights, linking, nodes)))


def write_matrix(network: Network, path: Path) -> None:
    """Write a line for each node, core first, and a column for each core node."""
    columns = _nodes(network, "core")
    header = [*MATRIX_COLUMNS, *map(cell, columns), SUM]
    write_table(path, header, _lines(network, columns))


def write_long(network: Network, path: Path) -> None:
    """Write a line for each link of the matrix."""
    weights = _weights(network)
    write_table(
        path,
        LONG_COLUMNS,
        (
            (node, role, target, weight)
            for role in ("core", "periphery")
            for node in _nodes(network, role)
            for target, weight in sorted(weights.get(node, {}).items())
        ),
    )


def _lines(
    network: Network, columns: Sequence[str]
) -> Iterator[list[str | int | None]]:
    weights = _weights(network)
    sums: Counter[str] = Counter()
    for role in ("core", "periphery"):
        nodes = _nodes(network, role)
        rows = _rows(network, weights, nodes, columns)
        for node, row in zip(nodes, rows, strict=True):
            found = weights.get(node, {})
            sums.update(found)
            yield [node, role, *row, sum(found.values())]
    yield [SUM, "", *(sums[column] for column in columns), sums.total()]


def _rows(
    network: Network,
    weights: dict[str, dict[str, int]],
    nodes: Iterable[str],
    columns: Sequence[str],
) -> Iterator[list[int | None]]:
    """Yield the cells of each of *nodes*, one for each of *columns*."""
    site = {
        node: data.get("site", node) for node, data in network.graph.nodes(data=True)
    }
    place = {column: number for number, column in enumerate(columns)}
    of_site: dict[str, list[int]] = {}
    for column, number in place.items():
        of_site.setdefault(site[column], []).append(number)
    for node in nodes:
        row: list[int | None] = [0] * len(columns)
        for number in of_site.get(site[node], ()):
            row[number] = None
        for target, weight in weights.get(node, {}).items():
            if target in place:
                row[place[target]] = weight
        yield row


def _weights(network: Network) -> dict[str, dict[str, int]]:
    """Return the weights of links by linking node and node linked to."""
    found: dict[str, dict[str, int]] = {}
    for source, target, weight in network.graph.edges(data="weight", default=1):
        found.setdefault(source, {})[target] = weight
    for source, target, weight in network.inward:
        found.setdefault(source, {})[target] = weight
    return found


def _nodes(network: Network, role: str) -> list[str]:
    return sorted(
        node for node, found in network.graph.nodes(data="role") if found == role
    )
