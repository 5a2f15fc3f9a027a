"""What a crawl left behind, as tests look at it."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from issuecrawl.model.page import State
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    from pathlib import Path


def rows(store: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(store)) as db:
        return db.execute(sql, values).fetchall()


def ends(store: Path, crawl: int = 1) -> dict[str, str]:
    """Return what became of each page: ``retrieved``, ``failed (timeout)`` ..."""
    found = rows(
        store,
        "SELECT page.url, page.state, answer.reason FROM page LEFT JOIN answer"
        " ON answer.page = page.id - ? AND answer.id BETWEEN ? AND ?"
        " WHERE page.id BETWEEN ? AND ?",
        crawl * SPAN,
        *2 * (crawl * SPAN, crawl * SPAN + SPAN - 1),
    )
    assert len(found) == len({url for url, _, _ in found}), "a page is stored twice"
    return {
        url: State(state).word + (f" ({reason})" if reason else "")
        for url, state, reason in found
    }


def depths(store: Path) -> dict[str, tuple[int, int]]:
    """Return pass and depth in which each page was answered."""
    return {
        url: (in_pass, depth)
        for url, in_pass, depth in rows(
            store,
            "SELECT page.url, answer.pass, answer.depth FROM answer JOIN page"
            " ON page.id = answer.page + ?",
            SPAN,
        )
    }


def state(store: Path, crawl: int = 1) -> str:
    ((word,),) = rows(store, "SELECT state FROM crawl WHERE id = ?", crawl)
    return str(word)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def core(network: Path) -> set[str]:
    """Return the sites of the core."""
    return {n["site"] for n in table(network / "nodes.csv") if n["role"] == "core"}
