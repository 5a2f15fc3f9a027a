"""The databases that a query over stored links runs on: SQLite, or DuckDB beside it.

Both read the store's tables under their own names and hold temporary ones, and take
the same text; rows come back as one integer array a column.
"""

from __future__ import annotations

import tempfile
from itertools import chain
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

        *key* is the column by which SQLite finds rows; DuckDB needs none.
        """

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
        (self._cache,) = self._db.execute("PRAGMA cache_size").fetchone()
        # It bounds the runs that a sort is merged from too. Those that fit into the
        # processor's cache sort 2.8 million rows in 2.6 s, those of 64 MB in 3.8 s.
        self._db.execute("PRAGMA cache_size = -2000")

    def table(
        self, name: str, columns: Mapping[str, ArrayLike], key: str | None = None
    ) -> None:
        self._db.execute(f"DROP TABLE IF EXISTS temp.{name}")
        self._tables.add(name)
        integers = ", ".join(f"{column} INTEGER" for column in columns)
        primary = f", PRIMARY KEY ({key})" if key else ""
        self._db.execute(f"CREATE TEMP TABLE {name} ({integers}{primary})")
        lists = [np.asarray(column, np.int64).tolist() for column in columns.values()]
        marks = ", ".join("?" * len(lists))
        self._db.executemany(
            f"INSERT INTO temp.{name} VALUES ({marks})", zip(*lists, strict=True)
        )

    def rows(self, sql: str, values: Mapping[str, int]) -> list[NDArray[np.int64]]:
        cursor = self._db.execute(sql, values)
        width = len(cursor.description)
        found = np.fromiter(chain.from_iterable(cursor), np.int64)
        return [found[column::width].copy() for column in range(width)]

    def close(self) -> None:
        for name in self._tables:
            self._db.execute(f"DROP TABLE IF EXISTS temp.{name}")
        self._db.execute(f"PRAGMA cache_size = {self._cache}")


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

    def rows(self, sql: str, values: Mapping[str, int]) -> list[NDArray[np.int64]]:
        found = self._db.execute(sql, dict(values)).fetchnumpy()
        return [np.asarray(column, np.int64) for column in found.values()]

    def close(self) -> None:
        self._db.close()
        self._extensions.cleanup()


def _databases(crawl: StoredCrawl) -> list[tuple[int, str, str]]:
    return crawl.db.execute("PRAGMA database_list").fetchall()
