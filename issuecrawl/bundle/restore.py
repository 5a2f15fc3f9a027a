"""A crawl of a bundle as a store again, with the numbers that its rows had.

What the tables say is checked before it goes in: a bundle may come from anywhere.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc

from issuecrawl.bundle import answers, tables
from issuecrawl.bundle.cells import (
    Within,
    codes,
    column,
    column_or,
    rel_codes,
    require,
    require_between,
)
from issuecrawl.bundle.parquet import read
from issuecrawl.model.link import KINDS, PLACEMENTS
from issuecrawl.model.url import parse
from issuecrawl.store.database import connect, plain_errors, transaction
from issuecrawl.store.hashing import address_hash, signed
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from issuecrawl.bundle.record import Record
    from issuecrawl.bundle.tables import Table
    from issuecrawl.working import Working


def restore(folder: Path, record: Record, path: Path, work: Working) -> None:
    """Make a store at *path* of the Parquet files in *folder*, which *record* is of.

    FormatError where they do not fit together.
    """
    with plain_errors(path):
        db = connect(path, create=True)
        try:
            # Nobody else has it, and a broken one is thrown away.
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("PRAGMA synchronous = OFF")
            with transaction(db):
                _Restoring(db, folder, record, work).run()
        finally:
            db.close()


class _Restoring:
    """Takes in one table after the other; each needs what those before it say."""

    def __init__(
        self, db: sqlite3.Connection, folder: Path, record: Record, work: Working
    ) -> None:
        self.db = db
        self.folder = folder
        self.record = record
        self.work = work
        self.base = record.crawl * SPAN
        count = record.rows["pages"] + 1
        self.site = np.zeros(count, np.int64)
        """By page number, as the two that follow: the page's site; 0 for number 0."""
        self.answer = np.zeros(count, np.int64)
        """Number of its answer, 0 where it has none."""
        self.out = np.zeros(count, np.int64)
        """Links to other sites that stand on it."""

    def run(self) -> None:
        self._crawl()
        self._sites()
        self._pages()
        self._links()
        self._answers()
        self._spellings()
        self._starting_points()

    def _rows(self, table: Table, columns: list[str] | None = None) -> Iterator[Any]:
        """Yield the batches of *table*, of *columns* alone where they are named."""
        rows = self.record.rows[table.name]
        self.work.on(f"Taking in {table.title.lower()}", rows)
        for batch in read(self.folder / table.path, table, rows, columns):
            yield batch
            self.work.advance(batch.num_rows)

    def _insert(self, table: str, columns: Iterable[Any]) -> None:
        lists = [getattr(one, "tolist", lambda one=one: one)() for one in columns]
        marks = ", ".join("?" * len(lists))
        rows = zip(*lists, strict=True)
        self.db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def _crawl(self) -> None:
        record = self.record
        # No page chooses addresses for the hashes of a store that is thrown away.
        row = (
            *(record.crawl, record.series, record.series_index, record.title),
            json.dumps(record.given, sort_keys=True),
            json.dumps(record.settings, sort_keys=True),
            *(record.program, record.suffix_list, b"", record.state),
            *(record.crawl_pass, record.started, record.ended, record.took),
            *(record.timeouts, record.bytes),
        )
        self._insert("crawl", ([cell] for cell in row))
        self.db.executemany(
            "INSERT INTO crawl_log VALUES (?, ?)",
            ((record.crawl, line) for line in record.log),
        )

    def _sites(self) -> None:
        at = 0
        for batch in self._rows(tables.SITES):
            at = _numbered(batch, tables.SITES, at)
            texts = [pc.fill_null(batch.column(place), "") for place in range(1, 6)]
            self._insert("site", [column(batch, "number") + self.base, *texts])

    def _pages(self) -> None:
        at = 0
        names = ["number", "url", "identity", "site", "state", "answer"]
        for batch in self._rows(tables.PAGES, names):
            first, at = at + 1, _numbered(batch, tables.PAGES, at)
            site = column(batch, "site")
            require_between(site, 1, self.record.rows["sites"], "pages name sites")
            self.site[first : at + 1] = site
            answer = column_or(batch, "answer", 0)
            require_between(answer, 0, SPAN - 1, "answers are numbered")
            self.answer[first : at + 1] = answer
            urls = batch.column("url").to_pylist()
            for url in urls:
                require(parse(url) is not None, f"{url} is no address of a page")
            hashes = [
                None if identity is None else signed(address_hash(identity, b""))
                for identity in batch.column("identity").to_pylist()
            ]
            states = codes(batch, "state", answers.STATES)
            number = column(batch, "number") + self.base
            self._insert("page", [number, hashes, site, states, urls])
        given = self.answer[self.answer > 0]
        require(len(np.unique(given)) == len(given), "two pages share an answer")

    def _links(self) -> None:
        before = 0
        for batch in self._rows(tables.LINKS):
            number = column(batch, "number")
            ascending = np.diff(number, prepend=before) > 0
            require(bool(ascending.all()), "links are not in order")
            before = int(number[-1]) if len(number) else before
            require(before < SPAN, "links have numbers that are too high")
            source, target = self._ends(batch)
            from_site, to_site = self.site[source], self.site[target]
            require(bool((from_site != to_site).all()), "links stay within a site")
            self.out += np.bincount(source, minlength=len(self.out))
            self._insert(
                "link",
                [
                    *(number + self.base, source, target, from_site, to_site),
                    codes(batch, "kind", KINDS),
                    codes(batch, "placement", PLACEMENTS),
                    rel_codes(batch.column("rel")),
                    batch.column("anchor").to_pylist(),
                ],
            )

    def _ends(self, batch: Any) -> tuple[Any, Any]:
        source, target = column(batch, "source"), column(batch, "target")
        for end in (source, target):
            require_between(end, 1, len(self.site) - 1, "links join pages")
        return source, target

    def _answers(self) -> None:
        first = answers.first_links(self.answer, self.out)
        within = Within(self._links_within())
        for batch in self._rows(tables.PAGES, [*answers.COLUMNS]):
            chosen = batch.filter(pc.is_valid(batch.column("answer")))
            answers.check(chosen, len(self.site) - 1)
            pages = column(chosen, "number")
            numbers = column(chosen, "answer") + self.base, pages
            links = first[pages], self.out[pages]
            inside = [within.of(page) for page in pages.tolist()]
            self._insert("answer", [*numbers, *answers.told(chosen), *links, inside])
        within.finish()

    def _links_within(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield sources, targets and packed flags."""
        for batch in read(
            self.folder / tables.LINKS_WITHIN.path,
            tables.LINKS_WITHIN,
            self.record.rows["links_within"],
        ):
            source, target = self._ends(batch)
            stay = self.site[source] == self.site[target]
            require(bool(stay.all()), "links within a site leave it")
            flags = codes(batch, "placement", PLACEMENTS)
            flags += 5 * codes(batch, "kind", KINDS)
            flags += 30 * batch.column("marked").to_numpy(zero_copy_only=False)
            yield source, target, flags

    def _spellings(self) -> None:
        for batch in self._rows(tables.SPELLINGS):
            page = column(batch, "page")
            require_between(page, 1, len(self.site) - 1, "spellings are of pages")
            self._insert("spelling", [page + self.base, batch.column("url")])

    def _starting_points(self) -> None:
        for batch in self._rows(tables.STARTING_POINTS):
            page, in_pass = column(batch, "page"), column(batch, "pass")
            require_between(page, 1, len(self.site) - 1, "starting points are pages")
            require_between(in_pass, 0, answers.LAST_PASS, "passes are numbered")
            crawl = np.full(len(page), self.record.crawl)
            self._insert("starting_point", [crawl, in_pass, page, batch.column("why")])


def _numbered(batch: Any, table: Table, before: int) -> int:
    """Return the last number of a batch whose rows go on from *before* one by one."""
    number = column(batch, "number")
    expected = np.arange(before + 1, before + 1 + len(number))
    require(np.array_equal(number, expected), f"{table.name} are not numbered from 1")
    return before + len(number)
