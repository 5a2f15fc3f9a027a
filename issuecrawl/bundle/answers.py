"""What a bundle says of the answers of its pages, as the store keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from issuecrawl.bundle.cells import codes, column_or, require, require_between, seconds
from issuecrawl.model.page import State
from issuecrawl.store.hashing import signed

if TYPE_CHECKING:
    from collections.abc import Iterator

LAST_PASS: Final = 250
DEEPEST: Final = 2**15 - 1
LARGEST: Final = 2**53
"""Of sizes; what a float still tells apart."""

STATES: Final = {state.word: int(state) for state in State}

COLUMNS: Final = (
    "answer",
    "number",
    "pass",
    "depth",
    "state",
    "reason",
    "status",
    "asked",
    "redirect",
    "fetched",
    "last_modified",
    "etag",
    "checksum",
    "content_type",
    "bytes",
    "title",
    "nofollow",
)
"""Columns of the pages that the store keeps with the answer."""


def first_links(answer: Any, out: Any) -> Any:
    """Return, by page, the number that its first link to another site has or had.

    *answer* is the number of each page's answer, 0 where it has none; *out* its links
    to other sites.
    """
    answered = np.flatnonzero(answer)
    answered = answered[np.argsort(answer[answered])]
    counts = out[answered]
    first = np.zeros(len(out), np.int64)
    first[answered] = np.cumsum(counts) - counts + 1
    return first


def check(batch: Any, pages: int) -> None:
    """Raise FormatError for what no answer can say in a crawl of so many *pages*."""
    last = {
        "pass": LAST_PASS,
        "depth": DEEPEST,
        "status": 999,
        "redirect": pages,
        "bytes": LARGEST,
    }
    for name, most in last.items():
        require_between(column_or(batch, name, 0), 0, most, f"{name} is")
    for name in ("pass", "depth", "nofollow"):
        full = batch.column(name).null_count == 0
        require(full, f"{name} is missing on pages that answered")


def told(batch: Any) -> Iterator[Any]:
    """Yield the columns of the store's table from ``pass`` to ``nofollow``."""
    for name in COLUMNS[2:]:
        if name == "state":
            yield codes(batch, name, STATES)
        elif name in {"fetched", "last_modified"}:
            yield seconds(batch, name)
        elif name == "checksum":
            yield [_checksum(text) for text in batch.column(name).to_pylist()]
        elif name == "nofollow":
            yield [mark or None for mark in batch.column(name).to_pylist()]
        else:
            yield batch.column(name).to_pylist()


def _checksum(text: str | None) -> int | None:
    if text is None:
        return None
    digits = len(text) == 16 and all(sign in "0123456789abcdef" for sign in text)
    require(digits, f"{text} is no checksum")
    return signed(int(text, 16))
