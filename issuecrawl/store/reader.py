"""Read a stored crawl into integer arrays for analysis.

Arrays are indexed by page number; index 0 is unused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from issuecrawl.model.page import ANSWERED, State
from issuecrawl.store.schema import INSIDE_FLAGS, INSIDE_TARGET, SPAN

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray


class SiteRow(NamedTuple):
    key: str
    name: str
    category: str
    voter: str
    home: str


class StartRow(NamedTuple):
    crawl_pass: int
    page: int
    why: str


@dataclass(frozen=True, slots=True)
class Inside:
    """Links of one page within its site, in document order; arrays of one length."""

    targets: NDArray[np.uint32]
    flags: NDArray[np.uint8]

    @classmethod
    def unpack(cls, blob: bytes | None) -> Inside:
        if not blob:
            return cls(np.empty(0, INSIDE_TARGET), np.empty(0, INSIDE_FLAGS))
        count = len(blob) // 5
        return cls(
            np.frombuffer(blob, INSIDE_TARGET, count),
            np.frombuffer(blob, INSIDE_FLAGS, count, 4 * count),
        )

    @property
    def placements(self) -> NDArray[np.uint8]:
        return self.flags % 5

    @property
    def kinds(self) -> NDArray[np.uint8]:
        return self.flags // 5 % 6

    @property
    def marked(self) -> NDArray[np.bool_]:
        return self.flags >= 30


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
        self.site, self.state = self._pages()
        self._answers()

    def _record(self) -> dict[str, Any]:
        cursor = self.db.execute("SELECT * FROM crawl WHERE id = ?", (self.crawl,))
        names = [column[0] for column in cursor.description]
        return dict(zip(names, cursor.fetchone(), strict=True))

    def _sites(self) -> list[SiteRow]:
        rows = self.db.execute(
            "SELECT key, name, category, voter, home FROM site"
            " WHERE id >= ? AND id < ? ORDER BY id",
            (self.base, self.end),
        )
        return [SiteRow("", "", "", "", ""), *map(SiteRow._make, rows)]

    def _pages(self) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        (count,) = self.db.execute(
            "SELECT COALESCE(MAX(id), ?) FROM page WHERE id >= ? AND id < ?",
            (self.base, self.base, self.end),
        ).fetchone()
        count -= self.base
        site = np.zeros(count + 1, np.uint32)
        state = np.zeros(count + 1, np.uint8)
        rows = self.db.execute(
            "SELECT site, state FROM page WHERE id >= ? AND id < ? ORDER BY id",
            (self.base, self.end),
        )
        at = 1
        while chunk := rows.fetchmany(100_000):
            pairs = np.array(chunk, np.uint32)
            site[at : at + len(pairs)] = pairs[:, 0]
            state[at : at + len(pairs)] = pairs[:, 1]
            at += len(pairs)
        return site, state

    def _answers(self) -> None:
        count = len(self.site)
        self.answer = np.zeros(count, np.uint32)
        """Number of the page's answer, 0 where it has none."""
        self.answered_in = np.full(count, -1, np.int16)
        """Pass in which the page came to its answer, -1 where it did not."""
        self.has_links = np.zeros(count, np.bool_)
        """The page was retrieved, so that its links are known."""
        self.nofollow = np.zeros(count, np.bool_)
        self.redirect: dict[int, int] = {}
        """Page to its next hop, for every page that answered with a redirect."""
        answered = {int(state) for state in ANSWERED}
        for number, page, in_pass, state, redirect, nofollow in self.db.execute(
            "SELECT id - ?, page, pass, state, redirect, nofollow FROM answer"
            " WHERE id >= ? AND id < ? ORDER BY id",
            (self.base, self.base, self.end),
        ):
            self.answer[page] = number
            self.answered_in[page] = in_pass
            self.has_links[page] = state in answered
            self.nofollow[page] = bool(nofollow)
            if state == State.REDIRECTED and redirect:
                self.redirect[page] = redirect

    def asked(self, page: int) -> bool:
        """Whether the page came to an answer, or to a lasting refusal of one.

        A page that a budget left out was never asked for.
        """
        return bool(self.answer[page]) and self.state[page] != State.SKIPPED

    def inside(self, page: int) -> Inside:
        """Return the links of *page* within its site; none if it was not retrieved."""
        number = int(self.answer[page])
        if not number or not self.has_links[page]:
            return Inside.unpack(None)
        (blob,) = self.db.execute(
            "SELECT inside FROM answer WHERE id = ?", (self.base + number,)
        ).fetchone()
        return Inside.unpack(blob)

    def insides(self, pages: Iterable[int]) -> Iterator[tuple[int, Inside]]:
        """Yield (page, its links within the site) for many pages, in answer order."""
        wanted = sorted(
            int(self.answer[page]) for page in pages if self.has_links[page]
        )
        for start in range(0, len(wanted), 500):
            part = [self.base + number for number in wanted[start : start + 500]]
            marks = ",".join("?" * len(part))
            yield from (
                (page, Inside.unpack(blob))
                for page, blob in self.db.execute(
                    f"SELECT page, inside FROM answer WHERE id IN ({marks}) ORDER BY id",
                    part,
                )
            )

    def urls(self, pages: Iterable[int]) -> dict[int, str]:
        """Return the address of each page: the best spelling that occurred."""
        found: dict[int, str] = {}
        wanted = sorted(set(pages))
        for start in range(0, len(wanted), 500):
            part = [self.base + page for page in wanted[start : start + 500]]
            marks = ",".join("?" * len(part))
            found.update(
                (page - self.base, url)
                for page, url in self.db.execute(
                    f"SELECT id, url FROM page WHERE id IN ({marks})", part
                )
            )
        return found

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
