"""Verify a bundle: its files made again out of its tables, compared byte for byte."""

from __future__ import annotations

import math
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pyarrow as pa

from analysis.complete import complete
from analysis.compute import network
from analysis.files import ALL, write_all
from issuecrawl.bundle import made, package, parquet, rows, texts
from issuecrawl.bundle.made import read_making
from issuecrawl.bundle.tables import POSITIONS, REFUSALS
from issuecrawl.bundle.unpack import unpacked
from issuecrawl.model.errors import FormatError, IssueCrawlError
from issuecrawl.store.database import connect
from issuecrawl.store.reader import StoredCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Network, Point
    from issuecrawl.bundle.archive import Archive
    from issuecrawl.bundle.made import Making
    from issuecrawl.bundle.record import Record
    from issuecrawl.bundle.unpack import Unpacked
    from issuecrawl.working import Working

    Layouts = dict[str, dict[str, Point]]

SAME: Final = ""
MAIN_LAYOUT: Final = "cluster"
"""The layout that the graph's attributes hold too."""


class Compared(NamedTuple):
    name: str
    difference: str
    """How it differs from what was made again; empty where it does not."""

    remark: str = ""


class Verified(NamedTuple):
    record: Record
    seal: str
    rows: dict[str, int]
    files: list[Compared]
    """Every file that can be made again."""

    versions: list[str]
    """Of what made it, where they are others than here."""

    @property
    def same(self) -> bool:
        return not any(one.difference for one in self.files)


def verify(path: Path, work: Working) -> Verified:
    """Return how the bundle at *path* compares with what is made out of its tables.

    Raises as :func:`issuecrawl.bundle.unpack.unpacked` does.
    """
    with unpacked(path, work) as found, closing(connect(found.store)) as db:
        crawl = StoredCrawl(db, found.record.crawl)
        beside = {
            name: found.archive.read(name)
            for name in made.TABLES
            if name in found.archive.names
        }
        making, versions = read_making(found.archive.read(made.NAME), beside)
        files = [*_texts(found), *_refusals(found, crawl)]
        work.on(f"Computing the network of {path.name}")
        files += _network(found.archive, crawl, making, work)
        here = made.versions()
        others = [
            f"{name} {version}"
            for name, version in versions.items()
            if here.get(name) != version
        ]
        return Verified(found.record, found.seal, found.record.rows, files, others)


def _texts(found: Unpacked) -> Iterator[Compared]:
    for name, text in texts.of_settings(found.record.settings).items():
        if name not in found.archive.names:
            yield Compared(name, "missing")
        else:
            same = found.archive.read(name) == text.encode()
            yield Compared(name, SAME if same else "says other than crawl.json")


def _refusals(found: Unpacked, crawl: StoredCrawl) -> Iterator[Compared]:
    """Compare the view of refused pages by its cells: its bytes depend on versions."""
    archive, name = found.archive, REFUSALS.path
    if name not in archive.names:
        yield Compared(name, "missing")
        return
    given, again = found.store.with_name(name), found.store.with_name("again.parquet")
    archive.extract(name, given)
    with again.open("wb") as file:
        count = parquet.write(file, REFUSALS, rows.refusals(crawl))
    try:
        tables = [
            pa.Table.from_batches(
                parquet.read(path, REFUSALS, count), parquet.schema(REFUSALS)
            )
            for path in (given, again)
        ]
    except FormatError as error:
        yield Compared(name, str(error))
        return
    same = tables[0].equals(tables[1])
    yield Compared(name, SAME if same else "lists other pages")


def _network(
    archive: Archive, crawl: StoredCrawl, making: Making, work: Working
) -> Iterator[Compared]:
    unknown = set(making.formats) - set(ALL)
    if unknown:
        yield Compared(made.NAME, f"asks for {min(unknown)}, unknown to this release")
    listed = {
        name.removeprefix(package.NETWORK)
        for name in archive.names
        if name.startswith(package.NETWORK)
    }
    try:
        result = network(
            crawl, making.parameters, own=making.own, decisions=making.decisions
        )
        complete(result, making.places)
    except IssueCrawlError as error:
        yield Compared(package.NETWORK, str(error))
        return
    yield from _put_in_place(archive, result)
    with tempfile.TemporaryDirectory(prefix="issuecrawl-") as name:
        work.on(f"Comparing files of {archive.path.name}")
        formats = [one for one in making.formats if one in ALL]
        again = {path.name: path for path in write_all(result, Path(name), formats)}
        for one in sorted(listed | again.keys()):
            member = f"{package.NETWORK}{one}"
            if one not in again:
                yield Compared(member, "is not made of this crawl")
            elif one not in listed:
                yield Compared(member, "missing")
            else:
                yield Compared(member, _difference(archive, member, again[one]))


def _difference(archive: Archive, member: str, path: Path) -> str:
    """Return where a member differs from the file at *path*."""
    at = 0
    with path.open("rb") as file:
        for part in archive.parts(member):
            other = file.read(len(part))
            if part != other:
                pairs = zip(part, other, strict=False)
                first = next(
                    (i for i, (a, b) in enumerate(pairs) if a != b), len(other)
                )
                return f"differs from byte {at + first} on"
            at += len(part)
        return f"ends at byte {at}, too early" if file.read(1) else SAME


def _put_in_place(archive: Archive, result: Network) -> Iterator[Compared]:
    """Put the nodes of *result* where the bundle has them, if it has the same nodes."""
    name = POSITIONS.path
    if name not in archive.names:
        yield Compared(name, "missing")
        return
    try:
        layouts = _layouts(archive)
    except FormatError as error:
        yield Compared(name, str(error))
        return
    if _nodes(layouts) != _nodes(result.layouts):
        yield Compared(name, "places other nodes than the network has")
        return
    far = _farthest(layouts, result.layouts)
    result.layouts |= layouts
    for node, (x, y) in result.layouts[MAIN_LAYOUT].items():
        result.graph.nodes[node]["x"], result.graph.nodes[node]["y"] = x, y
    yield Compared(
        name,
        SAME,
        f"taken as they are; here nodes come to lie {far:g} away" if far else "",
    )


def _nodes(layouts: Layouts) -> dict[str, set[str]]:
    # Rows of a table tell of no layout that has no nodes.
    return {layout: set(places) for layout, places in layouts.items() if places}


def _farthest(stored: Layouts, here: Layouts) -> float:
    return max(
        (
            math.dist(place, here[layout][node])
            for layout, places in stored.items()
            for node, place in places.items()
        ),
        default=0.0,
    )


def _layouts(archive: Archive) -> Layouts:
    layouts: Layouts = {}
    with tempfile.TemporaryDirectory(prefix="issuecrawl-") as name:
        path = Path(name) / POSITIONS.path
        archive.extract(POSITIONS.path, path)
        count = parquet.count(path, POSITIONS)
        for batch in parquet.read(path, POSITIONS, count):
            for layout, node, x, y in zip(
                *map(list, batch.to_pydict().values()), strict=True
            ):
                if not (math.isfinite(x) and math.isfinite(y)):
                    raise FormatError(f"{POSITIONS.path} places a node nowhere")
                layouts.setdefault(layout, {})[node] = (x, y)
    return layouts
