"""The databases that a query over stored links runs on: SQLite, or DuckDB beside it.

Both read the store's tables under their own names and hold temporary ones, and take
the same text; rows come back as one integer array a column.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from issuecrawl.model.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from issuecrawl.store.reader import StoredCrawl

EngineName = Literal["sqlite", "duckdb"]


class Engine(Protocol):
    def table(
        self, name: str, columns: Mapping[str, ArrayLike], key: str | None = None
    ) -> None:
        """Make the temporary table *name*, in place of an earlier one.

        SQLite finds rows by *key*, a column or several with commas between, and keeps
        one row of each; DuckDB keeps them all and needs no key.
        """

    def run(self, sql: str, values: Mapping[str, int]) -> None: ...

    def rows(self, sql: str, values: Mapping[str, int]) -> list[NDArray[np.int64]]:
        """Return the columns of the rows that *sql* finds."""

    def close(self) -> None:
        """Drop what was made."""


def open_engine(crawl: StoredCrawl, name: EngineName = "sqlite") -> Engine:
    return DuckDB(crawl) if name == "duckdb" else SQLite(crawl)


class SQLite:
    """Works on the connection that the crawl is read through."""

    def __init__(self, crawl: StoredCrawl) -> None:
        self._db = crawl.db
        self._tables: set[str] = set()

    def table(
        self, name: str, columns: Mapping[str, ArrayLike], key: str | None = None
    ) -> None:
        self._db.execute(f"DROP TABLE IF EXISTS temp.{name}")
        self._tables.add(name)
        integers = ", ".join(f"{column} INTEGER" for column in columns)
        if key is None:
            end = ")"
        elif "," in key:
            end = f", PRIMARY KEY ({key}) ON CONFLICT IGNORE) WITHOUT ROWID"
        else:
            end = f", PRIMARY KEY ({key}))"
        self._db.execute(f"CREATE TEMP TABLE {name} ({integers}{end}")
        lists = [np.asarray(column, np.int64).tolist() for column in columns.values()]
        marks = ", ".join("?" * len(lists))
        self._db.executemany(
            f"INSERT INTO temp.{name} VALUES ({marks})", zip(*lists, strict=True)
        )

    def run(self, sql: str, values: Mapping[str, int]) -> None:
        self._db.execute(sql, values)

    def rows(self, sql: str, values: Mapping[str, int]) -> list[NDArray[np.int64]]:
        cursor = self._db.execute(sql, values)
        width = len(cursor.description)
        parts = []
        while chunk := cursor.fetchmany(50_000):
            parts.append(np.array(chunk, np.int64))
        found = np.concatenate(parts) if parts else np.empty((0, width), np.int64)
        return [np.ascontiguousarray(column) for column in found.T]

    def close(self) -> None:
        for name in self._tables:
            self._db.execute(f"DROP TABLE IF EXISTS temp.{name}")


class DuckDB:
    """Attaches the file of the store, read only.

    For a process that writes nothing to the store: DuckDB brings an SQLite of its
    own, and closing its files drops the locks that this process holds on them (POSIX,
    fcntl).
    """

    def __init__(self, crawl: StoredCrawl) -> None:
        try:
            import duckdb  # noqa: PLC0415  # both are an extra
            from duckdb_extensions import import_extension  # noqa: PLC0415
        except ImportError as error:
            message = "engine=duckdb needs DuckDB; pip install issuecrawl[duckdb]"
            raise AnalysisError(message) from error
        path = next(file for _, name, file in _databases(crawl) if name == "main")
        if not path:
            message = "engine=duckdb needs a store in a file; this one is in memory"
            raise AnalysisError(message)
        # Not in the home folder, where DuckDB keeps its extensions by default.
        self._extensions = tempfile.TemporaryDirectory(prefix="issuecrawl-duckdb-")
        self._db = duckdb.connect(
            config={
                "extension_directory": self._extensions.name,
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
            }
        )
        import_extension("sqlite", con=self._db)
        self._db.execute("LOAD sqlite")
        quoted = path.replace("'", "''")
        self._db.execute(f"ATTACH '{quoted}' AS store (TYPE sqlite, READ_ONLY)")
        self._db.execute("USE store")

    def table(
        self, name: str, columns: Mapping[str, ArrayLike], key: str | None = None
    ) -> None:
        del key
        arrays = {
            column: np.asarray(values, np.int64) for column, values in columns.items()
        }
        # A table, since joins over registered arrays are planned for a single row.
        self._db.register("registered", arrays)
        self._db.execute(
            f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM registered"
        )
        self._db.unregister("registered")

    def run(self, sql: str, values: Mapping[str, int]) -> None:
        self._db.execute(sql, dict(values))

    def rows(self, sql: str, values: Mapping[str, int]) -> list[NDArray[np.int64]]:
        found = self._db.execute(sql, dict(values)).fetchnumpy()
        return [np.asarray(column, np.int64) for column in found.values()]

    def close(self) -> None:
        self._db.close()
        self._extensions.cleanup()


def _databases(crawl: StoredCrawl) -> list[tuple[int, str, str]]:
    return crawl.db.execute("PRAGMA database_list").fetchall()
