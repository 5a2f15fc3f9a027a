"""Write a network as tables and lists: nodes.csv, edges.csv, network.txt and others.

CSV as in RFC 4180, but with bare line feeds, UTF-8. Spreadsheets run a cell that
begins with ``=``, ``+``, ``-`` or ``@`` as a formula, so such text gets an apostrophe
in front; control characters are dropped.
"""

from __future__ import annotations

import csv
import dataclasses
import re
from typing import TYPE_CHECKING, Final

from analysis import attributes
from issuecrawl.model.decisions import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from analysis.attributes import Value
    from analysis.network import Network

NODE_COLUMNS: Final = (
    "id",
    "site",
    "url",
    "category",
    "role",
    "retained_at",
    "why",
    "starting_point",
    "voters",
    "inlinks",
    "inlinks_core",
    "linking_sites",
    "outlinks",
    "reciprocity",
    "pagerank",
    "hub",
    "hits_authority",
    "betweenness",
    "k_core",
    "community",
    "component",
    "unseen",
    "x",
    "y",
)
EDGE_COLUMNS: Final = ("source", "target", "weight")
MEASURE_COLUMNS: Final = ("name", "value")
START_COLUMNS: Final = ("url", "state", "reason", "final_url", "node", "role")

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# The full-width signs too: Excel takes them for the others in Japanese and Chinese.
_FORMULA: Final = re.compile(r"[=+\-@\uff1d\uff0b\uff0d\uff20]")


def write_nodes(network: Network, path: Path) -> None:
    """Write one node a line, core first, each by id; empty cells are unknown."""
    rows = sorted(
        attributes.nodes(network.graph),
        key=lambda row: (row[1].get("role") != "core", row[0]),
    )
    write_table(
        path,
        NODE_COLUMNS,
        (
            [node, *(data.get(column) for column in NODE_COLUMNS[1:])]
            for node, data in rows
        ),
    )


def write_edges(network: Network, path: Path) -> None:
    rows = attributes.edges(network.graph)
    write_table(
        path,
        EDGE_COLUMNS,
        ([source, target, data.get("weight")] for source, target, data in rows),
    )


def write_core(network: Network, path: Path) -> None:
    """Write the address of each core node on a line of its own, without repeats."""
    _write_list(
        path,
        {
            str(data.get("url") or node): None
            for node, data in attributes.nodes(network.graph)
            if data.get("role") == "core"
        },
    )


def write_measures(network: Network, path: Path) -> None:
    """Write the measures of the network as a whole, one a line."""
    assert network.measures is not None  # noqa: S101  # the file is asked for if it is
    rows = dataclasses.asdict(network.measures).items()
    write_table(
        path,
        MEASURE_COLUMNS,
        ((name, attributes.plain(value)) for name, value in rows),
    )


def write_starting_points(network: Network, path: Path) -> None:
    """Write the starting points in the order given, and what became of them."""
    rows = map(dataclasses.asdict, network.starts or ())
    write_table(
        path, START_COLUMNS, ([row[column] for column in START_COLUMNS] for row in rows)
    )


def write_decisions(network: Network, path: Path) -> None:
    """Write the decisions that were applied; the table may be given as edits again."""
    write_table(
        path,
        COLUMNS,
        ([one.action, one.node, one.value, one.note] for one in network.decisions),
    )


def write_missing(network: Network, path: Path) -> None:
    _write_list(path, network.missing)


def cell(value: Value) -> str:
    """Return *value* as it stands in a table.

    >>> cell("=HYPERLINK(1)"), cell(True), cell(None), cell(-1)
    ("'=HYPERLINK(1)", 'true', '', '-1')
    """
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            text = _line(value)
            return f"'{text}" if _FORMULA.match(text) else text
        case _:
            return str(value)


def _line(text: str) -> str:
    return _CONTROL.sub("", attributes.clean(text))


def write_table(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[Value]]
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows([cell(value) for value in row] for row in rows)


def _write_list(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{_line(line)}\n" for line in lines)
