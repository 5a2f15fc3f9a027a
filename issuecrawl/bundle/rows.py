"""The rows of a bundle's tables, read from a store in order of their numbers.

Each function yields batches of columns as :mod:`issuecrawl.bundle.tables` has them;
only arrays by page number are held in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from issuecrawl.bundle.parquet import ROWS, words
from issuecrawl.model.errors import StoreError
from issuecrawl.model.link import KINDS, PLACEMENTS, RELS
from issuecrawl.model.page import BUDGET, EXCLUSION, NOT_PUBLIC, State
from issuecrawl.model.url import identity
from issuecrawl.store.inside import InsideLinks
from issuecrawl.store.reader import MANY

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.network import Point
    from issuecrawl.store.reader import StoredCrawl

    Columns = Sequence[Any]

REFUSED: Final = (
    State.WAITING,
    State.FAILED,
    State.GONE,
    State.REFUSED,
    State.EXCLUDED,
    State.SKIPPED,
)
"""States of pages that were due, or would have been, and were not retrieved."""

UNASKED: Final = {
    State.REFUSED: NOT_PUBLIC,
    State.EXCLUDED: EXCLUSION,
    State.SKIPPED: BUDGET,
}
"""Why a page without an answer is in a state."""

PAGES_WITH_LINKS: Final = 2_000
"""Pages whose links within the site are read at once: about a row group of them."""

_SITES: Final = (
    "SELECT id - ?, key, NULLIF(name, ''), NULLIF(category, ''), voter,"
    " NULLIF(home, '') FROM site WHERE id >= ? AND id < ? ORDER BY id"
)
_ANSWERS: Final = (
    "SELECT page, reason, pass, depth, id - {base}, status, asked, redirect, fetched,"
    " last_modified, etag, checksum, content_type, bytes, title, nofollow"
    " FROM answer WHERE id IN"
)
_LINKS: Final = (
    "SELECT id - ?, source, target, kind, placement, rel, anchor"
    " FROM link WHERE id >= ? AND id < ? ORDER BY id"
)
_CHECKSUM: Final = 10
_NOFOLLOW: Final = 14
"""Places in a row of _ANSWERS, the page aside."""


def require_sound(crawl: StoredCrawl) -> None:
    """Refuse a store whose rows are not numbered as they always are."""
    bounds = (crawl.base, crawl.end)
    sql = "SELECT COUNT(*) FROM {} WHERE id >= ? AND id < ?"
    (pages,) = crawl.db.execute(sql.format("page"), bounds).fetchone()
    (answers,) = crawl.db.execute(sql.format("answer"), bounds).fetchone()
    if pages != crawl.count or answers != np.count_nonzero(crawl.answer):
        message = (
            f"Crawl {crawl.crawl} has pages or answers that are not numbered one by"
            " one; has another program written to the store?"
        )
        raise StoreError(message)


def sites(crawl: StoredCrawl) -> Iterator[Columns]:
    values = (crawl.base, crawl.base, crawl.end)
    return _batches(crawl.db.execute(_SITES, values))


def pages(crawl: StoredCrawl) -> Iterator[Columns]:
    states = [state.word for state in State]
    place = np.zeros(256, np.int32)
    place[[int(state) for state in State]] = np.arange(len(State))
    strict = crawl.settings.get("identity") == "strict"
    for numbers, urls in _batches(
        crawl.db.execute(
            "SELECT id - ?, url FROM page WHERE id >= ? AND id < ? ORDER BY id",
            (crawl.base, crawl.base, crawl.end),
        )
    ):
        own = crawl.is_identity[list(numbers)].tolist()
        identities = [
            None if is_identity else identity(url, strict=strict)
            for url, is_identity in zip(urls, own, strict=True)
        ]
        yield [
            numbers,
            urls,
            identities,
            crawl.site[list(numbers)],
            words(place[crawl.state[list(numbers)]], states),
            *_answers(crawl, numbers),
        ]


def _answers(crawl: StoredCrawl, numbers: Sequence[int]) -> Iterator[list[Any]]:
    """Yield the columns of what came of pages, None for those without an answer."""
    found = {
        page: answer
        for page, *answer in _by_answer(
            crawl, _ANSWERS.format(base=crawl.base), numbers
        )
    }
    nothing = [None] * (_NOFOLLOW + 1)
    rows = [found.get(page, nothing) for page in numbers]
    for place, column in enumerate(zip(*rows, strict=True)):
        if place == _CHECKSUM:
            yield [None if sum_ is None else _hexadecimal(sum_) for sum_ in column]
        elif place == _NOFOLLOW:
            yield [
                None if row is nothing else bool(mark)
                for row, mark in zip(rows, column, strict=True)
            ]
        else:
            yield list(column)


def _hexadecimal(checksum: int) -> str:
    """Return a checksum as items have it.

    >>> _hexadecimal(-1)
    'ffffffffffffffff'
    """
    return f"{checksum % 2**64:016x}"


def links(crawl: StoredCrawl) -> Iterator[Columns]:
    values = (crawl.base, crawl.base, crawl.end)
    for number, source, target, kind, placement, rel, anchor in _batches(
        crawl.db.execute(_LINKS, values)
    ):
        codes, place = np.unique(np.array(rel, np.int64), return_inverse=True)
        rels = words(place, [_rel(code) for code in codes.tolist()])
        of_kind, of_place = words(kind, KINDS), words(placement, PLACEMENTS)
        yield [number, source, target, of_kind, of_place, rels, anchor]


def _rel(code: int) -> str | None:
    return " ".join(word for at, word in enumerate(RELS) if code >> at & 1) or None


def links_within(crawl: StoredCrawl) -> Iterator[Columns]:
    retrieved = np.flatnonzero(crawl.has_links)
    for start in range(0, len(retrieved), PAGES_WITH_LINKS):
        part = retrieved[start : start + PAGES_WITH_LINKS].tolist()
        sql = "SELECT page, inside FROM answer WHERE inside IS NOT NULL AND id IN"
        found = InsideLinks.unpack(sorted(_by_answer(crawl, sql, part)))
        yield [
            found.sources,
            found.targets,
            words(found.kinds, KINDS),
            words(found.placements, PLACEMENTS),
            found.marked,
        ]


def spellings(crawl: StoredCrawl) -> Iterator[Columns]:
    return _batches(
        crawl.db.execute(
            "SELECT page - ?, url FROM spelling WHERE page >= ? AND page < ?"
            " ORDER BY rowid",
            (crawl.base, crawl.base, crawl.end),
        )
    )


def starting_points(crawl: StoredCrawl) -> Iterator[Columns]:
    return _batches(
        crawl.db.execute(
            "SELECT pass, page, why FROM starting_point WHERE crawl = ? ORDER BY rowid",
            (crawl.crawl,),
        )
    )


def refusals(crawl: StoredCrawl) -> Iterator[Columns]:
    chosen = np.flatnonzero(np.isin(crawl.state, [int(state) for state in REFUSED]))
    for start in range(0, len(chosen), ROWS):
        part: NDArray[np.int64] = chosen[start : start + ROWS]
        sql = "SELECT page, reason, pass, status, fetched FROM answer WHERE id IN"
        found = {page: row for page, *row in _by_answer(crawl, sql, part.tolist())}
        urls = crawl.urls(part.tolist())
        states = [State(state) for state in crawl.state[part].tolist()]
        rows = [
            found.get(page, [UNASKED.get(state), None, None, None])
            for page, state in zip(part.tolist(), states, strict=True)
        ]
        yield [
            part,
            [urls[page] for page in part.tolist()],
            [crawl.sites[site].key for site in crawl.site[part].tolist()],
            [state.word for state in states],
            *zip(*rows, strict=True),
        ]


def positions(layouts: Mapping[str, Mapping[str, Point]]) -> Iterator[Columns]:
    rows = [
        (layout, node, float(x), float(y))
        for layout, places in sorted(layouts.items())
        for node, (x, y) in sorted(places.items())
    ]
    for start in range(0, len(rows), ROWS):
        yield list(zip(*rows[start : start + ROWS], strict=True))


def _batches(cursor: sqlite3.Cursor) -> Iterator[Columns]:
    while rows := cursor.fetchmany(ROWS):
        yield list(zip(*rows, strict=True))


def _by_answer(
    crawl: StoredCrawl, sql: str, pages: Sequence[int]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows that *sql*, which ends in ``IN``, finds of the pages' answers."""
    numbers = np.sort(crawl.answer[list(pages)])
    ids = (crawl.base + numbers[numbers > 0].astype(np.int64)).tolist()
    for start in range(0, len(ids), MANY):
        part = ids[start : start + MANY]
        yield from crawl.db.execute(f"{sql} ({','.join('?' * len(part))})", part)
