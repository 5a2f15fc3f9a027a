"""Rows on their way to the store, written in one transaction by a thread of their own."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.model.errors import StoreError
from issuecrawl.store.database import connect, plain_errors, transaction

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

PAGES: Final = 100
SECONDS: Final = 1.0
"""A batch is written when it holds that many answers, or its first row is that old."""

Row = tuple[Any, ...]

_INSERTS: Final = (
    ("sites", "INSERT INTO site VALUES (?, ?, ?, ?, ?, ?)"),
    ("pages", "INSERT INTO page VALUES (?, ?, ?, ?, ?)"),
    ("spellings", "INSERT INTO spelling VALUES (?, ?)"),
    ("urls", "UPDATE page SET url = ?, hash = ? WHERE id = ?"),
    ("links", "INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    ("answers", f"INSERT INTO answer VALUES ({', '.join('?' * 20)})"),
    ("starting_points", "INSERT INTO starting_point VALUES (?, ?, ?, ?)"),
    ("log", "INSERT INTO crawl_log VALUES (?, ?)"),
    ("crawl", "UPDATE crawl SET timeouts = ?, bytes = ?, took = ? WHERE id = ?"),
)


@dataclass(slots=True)
class Batch:
    sites: list[Row] = field(default_factory=list)
    pages: list[list[Any]] = field(default_factory=list)
    """Rows that may still change their state, at index 3."""
    spellings: list[Row] = field(default_factory=list)
    urls: list[Row] = field(default_factory=list)
    links: list[Row] = field(default_factory=list)
    answers: list[Row] = field(default_factory=list)
    starting_points: list[Row] = field(default_factory=list)
    log: list[Row] = field(default_factory=list)
    crawl: list[Row] = field(default_factory=list)

    states: dict[int, int] = field(default_factory=dict)
    """Page id to the state it changed to, of pages that are stored already."""

    def __bool__(self) -> bool:
        return bool(self.states) or any(getattr(self, name) for name, _ in _INSERTS)

    def write(self, db: sqlite3.Connection) -> None:
        with transaction(db):
            for name, statement in _INSERTS:
                if rows := getattr(self, name):
                    db.executemany(statement, rows)
            if self.states:
                db.executemany(
                    "UPDATE page SET state = ? WHERE id = ?",
                    [(state, page) for page, state in sorted(self.states.items())],
                )


class BatchWriter:
    """Writes batches in order, off the thread that crawls.

    A batch that cannot be written stops the writer: :meth:`check` raises the reason
    from then on, and nothing that comes after it is stored. What was stored before
    is whole, so that the crawl can be resumed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = Batch()
        self._since = 0.0
        self._thread = ThreadPoolExecutor(1, "store")
        self._db: sqlite3.Connection = connect(path)
        self._busy: Future[None] | None = None
        self._failure: StoreError | None = None

    def check(self) -> None:
        """Raise StoreError if a batch could not be written."""
        if self._busy is not None and self._busy.done():
            self._finish()
        if self._failure is not None:
            raise self._failure

    def tick(self) -> None:
        """Write the batch if it is due; call after each page, and now and then."""
        self.check()
        if not self.rows:
            self._since = time.monotonic()
            return
        due = (
            len(self.rows.answers) >= PAGES or time.monotonic() - self._since >= SECONDS
        )
        if due and self._busy is None:
            self._start()

    def flush(self) -> None:
        """Write what there is and wait until it is stored."""
        if self._busy is not None:
            self._finish()
        if self._failure is None and self.rows:
            self._start()
            self._finish()
        self.check()

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._thread.shutdown()
            self._db.close()

    def _start(self) -> None:
        batch, self.rows = self.rows, Batch()
        self._since = time.monotonic()
        self._busy = self._thread.submit(self._write, batch)

    def _write(self, batch: Batch) -> None:
        with plain_errors(self.path):
            batch.write(self._db)

    def _finish(self) -> None:
        busy, self._busy = self._busy, None
        if busy is not None:
            try:
                busy.result()
            except StoreError as error:
                self._failure = error
