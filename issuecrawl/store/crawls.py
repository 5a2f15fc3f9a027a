"""Crawls as rows: made, held by one process, listed, ended."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.model.errors import CrawlHeld, StoreError
from issuecrawl.model.page import State
from issuecrawl.store.database import plain_errors, transaction
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


MOST: Final = 2**31 - 1
"""Highest number of a crawl: ids of its rows fit into 64 bits."""


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
    number: int | None = None,
) -> int:
    """Add a crawl in state ``new`` and return its id.

    That is *number*, or 1 above the highest there is.
    """
    with transaction(db):
        (crawl,) = db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM crawl").fetchone()
        crawl = number or crawl
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


def as_number(text: str) -> int | None:
    """Return the number of a crawl as people write it; None if *text* is none.

    >>> as_number("7"), as_number("seven"), as_number("99999999999")
    (7, None, None)
    """
    text = text.strip()
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(MOST)):
        return None
    return int(text) if int(text) <= MOST else None


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


def require_begun(row: dict[str, Any]) -> None:
    """Refuse a crawl whose arguments were refused: it has no pages and no options."""
    if row["state"] == "failed":
        message = (
            f"Crawl {row['id']} failed before it began, so there is nothing to go on"
            " with; scrapy list-crawls says why, seeds= starts a new crawl"
        )
        raise StoreError(message)


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
    error: str = ""
    """Why it failed before it began."""


def listed(db: sqlite3.Connection, path: Path) -> list[Listed]:
    """Return the crawls in the store at *path*, which *db* reads.

    One whose process died, so that it says to be running, is shown as stopped.
    """
    rows = db.execute(
        "SELECT id, title, state, pass, started, took FROM crawl ORDER BY id"
    )
    found = []
    for crawl, title, state, in_pass, started, took in rows.fetchall():
        shown, error = state, ""
        if state in {"new", "running"} and not is_held(path, crawl):
            shown = "stopped"
        elif state == "failed":
            error = _why_failed(db, crawl)
        pages = pages_by_state(db, crawl)
        found.append(Listed(crawl, title, shown, pages, in_pass, started, took, error))
    return found


def _why_failed(db: sqlite3.Connection, crawl: int) -> str:
    lines = db.execute(
        "SELECT line FROM crawl_log WHERE crawl = ? ORDER BY rowid DESC LIMIT 1",
        (crawl,),
    )
    return "".join(line.removeprefix("[ERROR]") for (line,) in lines)


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
        self.file = lock_file(path, crawl)
        with plain_errors(path):
            self._descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(self._descriptor)
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


def is_held(path: Path, crawl: int) -> bool:
    """Tell whether a process runs *crawl* of the store at *path*."""
    try:
        descriptor = os.open(lock_file(path, crawl), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def lock_file(path: Path, crawl: int) -> Path:
    return path.with_name(f"{path.name}-crawl{crawl}.lock")


def _lock(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        # Somebody may only have looked whether it is held, for an instant.
        time.sleep(0.1)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
