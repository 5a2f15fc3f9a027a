"""Crawls as rows: made, held by one process, listed, ended."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from issuecrawl.model.errors import CrawlHeld, StoreError
from issuecrawl.model.page import State
from issuecrawl.store.database import plain_errors, transaction
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    import sqlite3


def now() -> str:
    """Return the time as the store keeps it: ``YYYY-MM-DD hh:mm:ss``, UTC."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())


def create(
    db: sqlite3.Connection,
    *,
    title: str,
    given: dict[str, Any],
    settings: dict[str, Any],
    program: str,
    suffix_list: str,
) -> int:
    """Add a crawl in state ``new`` and return its id, 1 above the highest there is."""
    with transaction(db):
        (crawl,) = db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM crawl").fetchone()
        db.execute(
            "INSERT INTO crawl VALUES"
            " (?, ?, 1, ?, ?, ?, ?, ?, ?, 'new', 0, ?, '', 0, 0, 0)",
            (
                crawl,
                crawl,
                title,
                json.dumps(given, sort_keys=True),
                json.dumps(settings, sort_keys=True),
                program,
                suffix_list,
                secrets.token_bytes(16),
                now(),
            ),
        )
    return int(crawl)


def find(db: sqlite3.Connection, crawl: int) -> dict[str, Any]:
    """Return the row of *crawl*; StoreError names the crawls that there are."""
    cursor = db.execute("SELECT * FROM crawl WHERE id = ?", (crawl,))
    row = cursor.fetchone()
    if row is None:
        ids = [
            str(known) for (known,) in db.execute("SELECT id FROM crawl ORDER BY id")
        ]
        there = f"it has {', '.join(ids[-20:])}" if ids else "it has none"
        message = f"There is no crawl {crawl} in the store; {there}"
        raise StoreError(message)
    return dict(zip((column[0] for column in cursor.description), row, strict=True))


def stored_settings(row: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a crawl's *row* as they were resolved."""
    settings: dict[str, Any] = json.loads(row["settings"])
    return settings


def set_state(
    db: sqlite3.Connection, crawl: int, state: str, *, crawl_pass: int, ended: str = ""
) -> None:
    with transaction(db):
        db.execute(
            "UPDATE crawl SET state = ?, pass = ?, ended = ? WHERE id = ?",
            (state, crawl_pass, ended, crawl),
        )


def fail(db: sqlite3.Connection, crawl: int, line: str) -> None:
    """Mark *crawl* as failed before it began; *line* of its log says why."""
    with transaction(db):
        db.execute("INSERT INTO crawl_log VALUES (?, ?)", (crawl, line))
        db.execute(
            "UPDATE crawl SET state = 'failed', ended = ? WHERE id = ?", (now(), crawl)
        )


def unfinished(db: sqlite3.Connection) -> list[int]:
    """Return the crawls that can be resumed, oldest first."""
    rows = db.execute(
        "SELECT id FROM crawl WHERE state IN ('new', 'running', 'paused', 'stopped')"
        " ORDER BY id"
    )
    return [crawl for (crawl,) in rows]


@dataclass(frozen=True, slots=True)
class Listed:
    """A crawl as ``scrapy list-crawls`` shows it."""

    id: int
    title: str
    state: str
    pages: dict[str, int]
    """Word of a page state to the number of pages in it."""
    crawl_pass: int
    started: str
    took: float
    """Seconds at work."""


def listed(db: sqlite3.Connection) -> list[Listed]:
    rows = db.execute(
        "SELECT id, title, state, pass, started, took FROM crawl ORDER BY id"
    )
    return [
        Listed(crawl, title, state, pages_by_state(db, crawl), in_pass, started, took)
        for crawl, title, state, in_pass, started, took in rows.fetchall()
    ]


def pages_by_state(db: sqlite3.Connection, crawl: int) -> dict[str, int]:
    rows = db.execute(
        "SELECT state, COUNT(*) FROM page WHERE id >= ? AND id < ?"
        " GROUP BY state ORDER BY state",
        (crawl * SPAN, (crawl + 1) * SPAN),
    )
    return {State(state).word: count for state, count in rows}


class Hold:
    """The right to run a crawl, kept by one process until it ends, however it ends.

    A lock of the operating system on a file beside the store: it dies with its
    process, where a row saying so would outlive a ``kill -9``.
    """

    def __init__(self, path: Path, crawl: int) -> None:
        self.file = path.with_name(f"{path.name}-crawl{crawl}.lock")
        with plain_errors(path):
            self._descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.truncate(self._descriptor, 0)
            os.pwrite(self._descriptor, b"%d\n" % os.getpid(), 0)
        except OSError as error:
            holder = os.read(self._descriptor, 20).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            message = (
                f"Crawl {crawl} is being run by process {holder or 'of unknown id'};"
                " stop that one first, or wait for its end"
            )
            raise CrawlHeld(message) from error

    def release(self) -> None:
        # The file stays: whoever waits for it would else lock one that is gone.
        os.close(self._descriptor)
