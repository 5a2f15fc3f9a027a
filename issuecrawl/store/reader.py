"""Read a stored crawl into integer arrays for analysis.

Arrays are indexed by page number; index 0 is unused.
"""

from __future__ import annotations

import json
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from issuecrawl.model.page import ANSWERED, State
from issuecrawl.model.site import Site
from issuecrawl.store.hashing import address_hash, signed
from issuecrawl.store.inside import InsideLinks
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray


MANY: Final = 500
"""Values that one statement names."""

TOGETHER: Final = 50_000
"""Pages whose numbers come in one row."""


class StartRow(NamedTuple):
    crawl_pass: int
    page: int
    why: str


class StoredCrawl:
    """One crawl of a store, read through *db*; pages as arrays, the rest on demand."""

    def __init__(self, db: sqlite3.Connection, crawl: int) -> None:
        self.db = db
        self.crawl = crawl
        self.base = crawl * SPAN
        self.end = self.base + SPAN
        self.record = self._record()
        self.settings: dict[str, Any] = json.loads(self.record["settings"])
        self.sites = self._sites()
        """Indexed by site number; index 0 is an empty row."""
        self.count = self._count()
        """Pages that are known, and the highest number of one."""
        self._answers()

    def _record(self) -> dict[str, Any]:
        cursor = self.db.execute("SELECT * FROM crawl WHERE id = ?", (self.crawl,))
        names = [column[0] for column in cursor.description]
        return dict(zip(names, cursor.fetchone(), strict=True))

    def _sites(self) -> list[Site]:
        rows = self.db.execute(
            "SELECT key, name, category, voter, home FROM site"
            " WHERE id >= ? AND id < ? ORDER BY id",
            (self.base, self.end),
        )
        return [Site("", "", "", "", ""), *(Site(*row) for row in rows)]

    @cached_property
    def _packed(self) -> NDArray[np.int64]:
        """Site, whether the address is the identity, and state, in one number a page.

        Read as text, many pages a row, since a Python object for each would take half
        as long again; each number says which page it is of.
        """
        packed = np.zeros(self.count + 1, np.int64)
        for start in range(self.base, self.base + self.count + 1, TOGETHER):
            (text,) = self.db.execute(
                "SELECT group_concat((id - ?) * 2147483648"
                " + site * 32 + (hash IS NOT NULL) * 16 + state)"
                " FROM page WHERE id >= ? AND id < ?",
                (self.base, start, min(start + TOGETHER, self.end)),
            ).fetchone()
            numbers = np.fromstring(text or "", np.int64, sep=",")
            packed[numbers >> 31] = numbers & 0x7FFFFFFF
        return packed

    @cached_property
    def site(self) -> NDArray[np.int64]:
        """Number of the page's site."""
        return self._packed >> 5

    @cached_property
    def state(self) -> NDArray[np.uint8]:
        return (self._packed & 15).astype(np.uint8)

    @cached_property
    def is_identity(self) -> NDArray[np.bool_]:
        """The page's address is its identity."""
        found: NDArray[np.bool_] = (self._packed & 16) == 0
        return found

    def _count(self) -> int:
        (last,) = self.db.execute(
            "SELECT COALESCE(MAX(id), ?) FROM page WHERE id >= ? AND id < ?",
            (self.base, self.base, self.end),
        ).fetchone()
        return int(last) - self.base

    def _answers(self) -> None:
        count = self.count + 1
        self.answer = np.zeros(count, np.uint32)
        """Number of the page's answer, 0 where it has none."""
        self.answered_in = np.full(count, -1, np.int16)
        """Pass in which the page came to its answer, -1 where it did not."""
        self.has_links = np.zeros(count, np.bool_)
        """The page was retrieved, so that its links are known."""
        self.nofollow = np.zeros(count, np.bool_)
        self.redirect: dict[int, int] = {}
        """Page to its next hop, for every page that answered with a redirect."""
        # Two numbers a row: a Python object for each value takes longer than to read.
        rows = self._numbers(
            "SELECT id - ?, (page << 32) + (pass << 16)"
            " + (COALESCE(nofollow, 0) << 8) + state"
            " FROM answer WHERE id >= ? AND id < ? ORDER BY id",
            (self.base, self.base, self.end),
        ).reshape(-1, 2)
        number, packed = rows[:, 0], rows[:, 1]
        page, state = packed >> 32, packed & 255
        self.answer[page] = number
        self.answered_in[page] = packed >> 16 & 0xFFFF
        self.nofollow[page] = (packed >> 8 & 1).astype(np.bool_)
        self.has_links[page] = np.isin(state, [int(one) for one in ANSWERED])
        hops = self.db.execute(
            "SELECT page, redirect FROM answer WHERE id >= ? AND id < ?"
            " AND redirect IS NOT NULL AND state = ? ORDER BY id",
            (self.base, self.end, int(State.REDIRECTED)),
        )
        self.redirect.update(hops)

    def _numbers(self, sql: str, values: tuple[int | str, ...]) -> NDArray[np.int64]:
        """Return all values of the rows that *sql* finds, row by row."""
        return np.fromiter(chain.from_iterable(self.db.execute(sql, values)), np.int64)

    @cached_property
    def not_public(self) -> NDArray[np.int64]:
        """Pages whose host cannot be public, ascending: refused without an answer."""
        return np.flatnonzero((self.state == State.REFUSED) & (self.answer == 0))

    def answered_with(self, reason: str) -> NDArray[np.int64]:
        """Return the pages that came to their answer for *reason*."""
        return self._numbers(
            "SELECT page FROM answer WHERE id >= ? AND id < ? AND reason = ?",
            (self.base, self.end, reason),
        )

    def reasons(self, pages: Iterable[int]) -> dict[int, str]:
        """Return the reason for the answer of each page that has one."""
        numbers = {int(self.answer[page]) for page in pages} - {0}
        sql = "SELECT page, reason FROM answer WHERE reason IS NOT NULL AND id IN"
        return dict(self._by_number(sql, numbers))

    def links_inside(self, pages: NDArray[np.int64]) -> InsideLinks:
        """Return the links within their sites of all *pages* that were retrieved."""
        numbers = np.sort(self.answer[pages[self.has_links[pages]]]).tolist()
        found: list[tuple[int, bytes]] = []
        for start in range(0, len(numbers), MANY):
            part = [self.base + number for number in numbers[start : start + MANY]]
            marks = ",".join("?" * len(part))
            found += self.db.execute(
                "SELECT page, inside FROM answer"
                f" WHERE id IN ({marks}) AND inside IS NOT NULL",
                part,
            ).fetchall()
        return InsideLinks.unpack(found)

    def lookup(self, identities: Iterable[str]) -> dict[str, int]:
        """Return the page of each of *identities* that is known, by one scan."""
        salt = bytes(self.record["salt"])
        wanted = {
            identity: signed(address_hash(identity, salt)) for identity in identities
        }
        if not wanted:
            return {}
        self.db.execute(
            "CREATE TEMP TABLE sought (identity TEXT PRIMARY KEY, hash INTEGER)"
        )
        try:
            self.db.executemany("INSERT INTO sought VALUES (?, ?)", wanted.items())
            self.db.execute("CREATE INDEX temp.sought_hash ON sought (hash)")
            rows = self.db.execute(
                "SELECT w.identity, p.id - ? FROM page p CROSS JOIN sought w"
                " ON w.identity = p.url WHERE p.id >= ? AND p.id < ? AND p.hash IS NULL"
                " UNION ALL SELECT w.identity, p.id - ? FROM page p CROSS JOIN sought w"
                " ON w.hash = p.hash WHERE p.id >= ? AND p.id < ?",
                2 * (self.base, self.base, self.end),
            )
            return dict(rows.fetchall())
        finally:
            self.db.execute("DROP TABLE temp.sought")

    def dates(self, pages: Iterable[int]) -> dict[int, int]:
        """Return what the server said of each page that it answered for.

        Last-Modified, else the time of retrieval, in seconds since 1970.
        """
        numbers = {int(self.answer[page]) for page in pages} - {0}
        sql = (
            "SELECT page, COALESCE(last_modified, fetched) FROM answer WHERE status > 0"
            " AND COALESCE(last_modified, fetched) IS NOT NULL AND id IN"
        )
        return dict(self._by_number(sql, numbers))

    def fetched(self, pages: Iterable[int]) -> dict[int, int]:
        """Return when each page came to its answer, in seconds since 1970."""
        numbers = {int(self.answer[page]) for page in pages} - {0}
        sql = "SELECT page, fetched FROM answer WHERE fetched IS NOT NULL AND id IN"
        return dict(self._by_number(sql, numbers))

    def anchors(self, links: Iterable[int]) -> dict[int, str | None]:
        """Return the anchor text, if there is one, of each link between sites."""
        sql = "SELECT id, anchor FROM link WHERE id IN"
        return {link - self.base: text for link, text in self._by_number(sql, links)}

    def urls(self, pages: Iterable[int]) -> dict[int, str]:
        """Return the address of each page: the best spelling that occurred."""
        sql = "SELECT id, url FROM page WHERE id IN"
        return {page - self.base: url for page, url in self._by_number(sql, pages)}

    def _by_number(self, sql: str, numbers: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """Yield the rows that *sql*, which ends in ``IN``, finds by their numbers."""
        wanted = sorted(set(numbers))
        for start in range(0, len(wanted), MANY):
            part = [self.base + number for number in wanted[start : start + MANY]]
            marks = ",".join("?" * len(part))
            yield from self.db.execute(f"{sql} ({marks})", part)

    def all_urls(self) -> Iterator[tuple[int, str]]:
        """Yield (page, address) of every page, in order of number."""
        for page, url in self.db.execute(
            "SELECT id, url FROM page WHERE id >= ? AND id < ? ORDER BY id",
            (self.base, self.end),
        ):
            yield page - self.base, url

    def starting_points(self) -> list[StartRow]:
        rows = self.db.execute(
            "SELECT pass, page, why FROM starting_point WHERE crawl = ? ORDER BY rowid",
            (self.crawl,),
        )
        return [StartRow._make(row) for row in rows]

    def log(self) -> list[str]:
        rows = self.db.execute(
            "SELECT line FROM crawl_log WHERE crawl = ? ORDER BY rowid", (self.crawl,)
        )
        return [line for (line,) in rows]
