"""Write a bundle: the crawl's tables, and the network made of them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.complete import complete
from analysis.compute import network
from analysis.files import write_all
from analysis.report.methods import paragraph
from issuecrawl.bundle import made, package, parquet, record, rows, texts
from issuecrawl.bundle.packing import Packing
from issuecrawl.bundle.record import Record
from issuecrawl.bundle.tables import PAGES, POSITIONS, REFUSALS, STORED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analysis.engines import EngineName
    from analysis.network import Network
    from issuecrawl.bundle.made import Making
    from issuecrawl.bundle.tables import Table
    from issuecrawl.store.reader import StoredCrawl
    from issuecrawl.working import Working


class Written(NamedTuple):
    network: Network
    members: dict[str, int]
    """Size of each file in the bundle."""
    rows: dict[str, int]
    """Rows of each table."""
    seal: str
    """SHA-256 of the file but its last 64 bytes."""


def write_bundle(
    path: Path,
    crawl: StoredCrawl,
    making: Making,
    work: Working,
    engine: EngineName = "sqlite",
) -> Written:
    """Write *crawl* and its network by *making* to *path*, which is there whole or not.

    The same crawl gives the same bytes, by the same versions of the libraries.
    """
    rows.require_sound(crawl)
    with (
        tempfile.TemporaryDirectory(prefix="issuecrawl-") as name,
        Packing(path) as packing,
    ):
        work.on(f"Computing the network of crawl {crawl.crawl}")
        result = network(
            crawl,
            making.parameters,
            own=making.own,
            decisions=making.decisions,
            engine=engine,
        )
        complete(result, making.places)
        work.on(f"Writing the files of the network of crawl {crawl.crawl}")
        files = write_all(result, Path(name), making.formats)
        counts = _pack(packing, crawl, making, result, files, work)
    sizes = {member: packed.bytes for member, packed in packing.members.items()}
    return Written(result, sizes, counts, packing.seal)


def _pack(
    packing: Packing,
    crawl: StoredCrawl,
    making: Making,
    result: Network,
    files: Iterable[Path],
    work: Working,
) -> dict[str, int]:
    about = Record.of(crawl)
    packing.text(texts.README, texts.readme(about, paragraph(result)))
    packing.text(texts.DICTIONARY, texts.dictionary())
    for name, text in texts.of_settings(crawl.settings).items():
        packing.text(name, text)
    for table in STORED:
        batches = getattr(rows, table.name)(crawl)
        total = crawl.count if table is PAGES else 0
        about.rows[table.name] = _table(packing, table, batches, work, total)
    refused = _table(packing, REFUSALS, rows.refusals(crawl), work)
    packing.text(record.NAME, about.text())
    packing.text(made.NAME, making.text())
    for name, text in (
        (made.EDITS, making.edits),
        (made.COORDINATES, making.coordinates),
    ):
        if text:
            packing.text(name, text)
    _table(packing, POSITIONS, rows.positions(result.layouts), work)
    for path in sorted(files):
        packing.file(f"{package.NETWORK}{path.name}", path)
    packing.text(package.NAME, package.text(about, packing.members))
    return about.rows | {REFUSALS.name: refused}


def _table(
    packing: Packing,
    table: Table,
    batches: Iterator[Sequence[Any]],
    work: Working,
    total: int = 0,
) -> int:
    """Write a table of *total* rows, 0 if nobody knows; return how many it has."""
    work.on(f"Writing {table.title.lower()}", total)
    with packing.member(table.path) as file:
        return parquet.write(file, table, _told(batches, work))


def _told(batches: Iterator[Sequence[Any]], work: Working) -> Iterator[Sequence[Any]]:
    for columns in batches:
        yield columns
        work.advance(len(columns[0]))
