"""Open a store: where it lies, what version it has, how its errors read."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from issuecrawl.model.errors import ConfigurationError, StoreError
from issuecrawl.store.schema import TABLES, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX: Final = "sqlite:///"

BUSY_SECONDS: Final = 60.0
"""How long a write waits for another process; each keeps the lock 0.2 s at most."""


def database_path(address: str) -> Path:
    """Return the file that an ``ISSUECRAWL_DB`` address names.

    >>> database_path("sqlite:///issuecrawl.db").name
    'issuecrawl.db'
    """
    if not address.startswith(PREFIX) or len(address) == len(PREFIX):
        raise ConfigurationError.of(
            "ISSUECRAWL_DB", address, "sqlite:/// and a path, as in sqlite:///a.db"
        )
    return Path(address[len(PREFIX) :]).absolute()


@contextlib.contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn the database's errors into one sentence each."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        text = str(error)
        if "full" in text or "No space" in text:
            advice = "make room on that disk and resume the crawl"
        elif "locked" in text or "busy" in text:
            advice = f"another process kept it for {BUSY_SECONDS:.0f} s; try again"
        elif "not a database" in text or "malformed" in text:
            advice = "name another file with ISSUECRAWL_DB"
        else:
            advice = "check that the folder exists and may be written"
        message = f"The store {path} cannot be used ({text}); {advice}"
        raise StoreError(message) from error


def connect(path: Path, *, create: bool = False) -> sqlite3.Connection:
    """Open the store at *path*; with *create*, make it where there is none.

    The connection may be handed to another thread, which then is the only one to
    use it. Transactions are begun and ended by hand.
    """
    if not create and not path.exists():
        message = (
            f"There is no store at {path}; start a crawl first,"
            " or name the store with ISSUECRAWL_DB"
        )
        raise StoreError(message)
    with plain_errors(path):
        if create and not path.exists():
            _make(path)
        db = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(db, path, create=create)
        except BaseException:
            db.close()
            raise
    return db


def _make(path: Path) -> None:
    """Put a store in place whole: nobody finds one that has no tables yet.

    Of several processes that want the same one, the first makes it.
    """
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if path.exists():
            return
        part = path.with_name(f".{path.name}.part")
        part.unlink(missing_ok=True)
        db = sqlite3.connect(part, isolation_level=None)
        try:
            # Kept in the file, so that nobody has to change it while others read.
            db.execute("PRAGMA journal_mode = WAL")
            _add_tables(db)
        finally:
            db.close()
        part.replace(path)
    finally:
        os.close(folder)


def _add_tables(db: sqlite3.Connection) -> None:
    """Make the tables, unless there are some."""
    with transaction(db):
        if _tables(db):
            return
        for statement in TABLES.split(";"):
            if statement.strip():
                db.execute(statement)
        db.execute("INSERT INTO issuecrawl VALUES (?)", (VERSION,))


def _prepare(db: sqlite3.Connection, path: Path, *, create: bool) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    # With commits of 100 pages or a second, FULL costs nothing that can be measured.
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA cache_size = -8192")  # KiB; rows are appended, and read once
    # 32 MB of log before it is copied into the file: fewer copies of busy pages.
    db.execute("PRAGMA wal_autocheckpoint = 8000")
    if create:
        _add_tables(db)
    if "issuecrawl" not in _tables(db):
        message = f"{path} is a database, but not one of issuecrawl; name another file"
        raise StoreError(message)
    (version,) = db.execute("SELECT schema_version FROM issuecrawl").fetchone()
    if version != VERSION:
        message = (
            f"The store {path} has schema version {version}, this program reads"
            f" {VERSION}; use the release that wrote it, or another file"
        )
        raise StoreError(message)


def _tables(db: sqlite3.Connection) -> set[str]:
    rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in rows}


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """One transaction that takes the write lock at once, so that it cannot deadlock."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
