"""The files of a network: which there are, and how a folder gets them."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis import (
    actors,
    coverage_table,
    evidence_table,
    gexf,
    graphml,
    issuenetwork,
    json_graph,
    matrix,
    page_table,
    pictures,
    report,
    tables,
)
from analysis.complete import complete
from analysis.map import write as write_map
from analysis.stability.tables import NODES_FILE, VARIANTS_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from analysis.network import Network

MISSING: Final = "missing.txt"
"""Pages that would have been needed."""

DECISIONS: Final = "decisions.csv"
"""What a researcher decided on nodes."""


def always(network: Network) -> bool:  # noqa: ARG001 - called like the others
    return True


class File(NamedTuple):
    name: str
    write: Callable[[Network, Path], object]

    when: Callable[[Network], bool] = always
    """Whether a network has what the file holds."""


FORMATS: Final[dict[str, tuple[File, ...]]] = {
    "issuenetwork": (File("network.xml", issuenetwork.write),),
    "gexf": (File("network.gexf", gexf.write),),
    "graphml": (File("network.graphml", graphml.write),),
    "csv": (
        File("nodes.csv", tables.write_nodes),
        File("edges.csv", tables.write_edges),
        File("actors.csv", actors.write_actors),
        File("matrix.csv", matrix.write_matrix, matrix.fits),
        File("matrix_long.csv", matrix.write_long, matrix.overflows),
        File("pages.csv", page_table.write_pages),
        File(
            "starting_points.csv",
            tables.write_starting_points,
            lambda network: network.starts is not None,
        ),
        File("measures.csv", tables.write_measures),
        File(
            "coverage.csv", coverage_table.write_coverage, coverage_table.has_coverage
        ),
    ),
    "txt": (File("network.txt", tables.write_core),),
    "json": (File("network.json", json_graph.write),),
    "evidence": (
        File(
            "evidence.csv", evidence_table.write_evidence, evidence_table.has_evidence
        ),
    ),
    "pictures": tuple(
        File(
            f"{name}.{form}",
            functools.partial(write, layout=layout),
            functools.partial(pictures.fits, layout=layout),
        )
        for layout, name in pictures.NAMES.items()
        for form, write in pictures.WRITERS.items()
    ),
    "map": (File("map.html", write_map),),
    "report": (File("report.html", report.write),),
}
ALL: Final = tuple(FORMATS)

BESIDE: Final = (
    File(MISSING, tables.write_missing, lambda network: bool(network.missing)),
    File(DECISIONS, tables.write_decisions, lambda network: bool(network.decisions)),
)
"""Stand beside any format."""


def write_all(
    network: Network, folder: Path, formats: Iterable[str] = ALL
) -> list[Path]:
    """Write *network* to *folder* in *formats*, keys of :data:`FORMATS`.

    The network is completed first, see :func:`analysis.complete.complete`. Returns the
    paths written. A file is there whole or as it was before; one that an
    earlier network had and this one has nothing for goes.
    """
    complete(network)
    files = [*(file for name in formats for file in FORMATS[name]), *BESIDE]
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [file for file in files if file.when(network)]
    for file in files:
        if file not in wanted:
            (folder / file.name).unlink(missing_ok=True)
    return [
        put(folder, file.name, functools.partial(file.write, network))
        for file in wanted
    ]


def left(folder: Path, written: Iterable[Path]) -> list[str]:
    """Return names of files of a network that lie in *folder* and are not *written*.

    They are of whatever network was there before.
    """
    names = {file.name for of_format in FORMATS.values() for file in of_format}
    names |= {file.name for file in BESIDE} | {NODES_FILE, VARIANTS_FILE}
    names -= {path.name for path in written}
    return sorted(name for name in names if (folder / name).exists())


def put(folder: Path, name: str, write: Callable[[Path], object]) -> Path:
    """Have *write* make the file *name*, which is there whole or as it was before."""
    path = folder / name
    part = folder / f".{name}.{os.getpid()}.part"
    try:
        write(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path
