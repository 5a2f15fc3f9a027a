"""Columns of a bundle's tables as numbers of the store, checked on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from issuecrawl.model.errors import FormatError, shown
from issuecrawl.model.link import RELS
from issuecrawl.store.schema import INSIDE_FLAGS, INSIDE_TARGET

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

LATEST: Final = 253_402_300_799
"""The last second of the year 9999."""
EARLIEST: Final = -62_135_596_800
"""The first second of the year 1."""


def require(fits: bool, what: str) -> None:  # noqa: FBT001 - read as a sentence
    """Raise FormatError, which tells of *what*, unless it *fits*."""
    if not fits:
        raise FormatError(f"The tables do not fit together ({shown(what)})")


def require_between(values: Any, least: int, most: int, what: str) -> None:
    if len(values):
        low, high = int(values.min()), int(values.max())
        seen = low if low < least else high
        fits = least <= low and high <= most
        require(fits, f"{what} from {least} to {most}, not {seen}")


def column(batch: Any, name: str) -> NDArray[np.int64]:
    """Return a column of integers without empty cells."""
    found: NDArray[np.int64] = batch.column(name).to_numpy(zero_copy_only=False)
    return found


def column_or(batch: Any, name: str, empty: int) -> NDArray[np.int64]:
    """Return a column of integers, with *empty* for an empty cell."""
    filled = pc.fill_null(batch.column(name), empty)
    found: NDArray[np.int64] = filled.to_numpy(zero_copy_only=False)
    return found


def codes(
    batch: Any, name: str, of: Sequence[str] | Mapping[str, int]
) -> NDArray[np.int64]:
    """Return the codes of a column of words that were checked: by place or as mapped."""
    words = list(of)
    places = pc.index_in(batch.column(name), value_set=pa.array(words))
    found: NDArray[np.int64] = places.to_numpy(zero_copy_only=False).astype(np.int64)
    if isinstance(of, dict):
        found = np.array([of[word] for word in words], np.int64)[found]
    return found


def rel_codes(rels: Any) -> NDArray[np.int64]:
    """Return the code of each set of link types, 0 for an empty cell."""
    encoded = pc.fill_null(rels, "").dictionary_encode()
    known = np.array([_rel(text) for text in encoded.dictionary.to_pylist()], np.int64)
    found: NDArray[np.int64] = known[encoded.indices.to_numpy()]
    return found


def _rel(text: str) -> int:
    found = text.split(" ") if text else []
    require(set(found) <= set(RELS), f"{text} is no rel")
    return sum(1 << RELS.index(word) for word in set(found))


def seconds(batch: Any, name: str) -> list[int | None]:
    """Return a column of times in seconds since 1970."""
    stamps = batch.column(name).cast(pa.int64())
    whole = pc.divide(stamps, 1000)
    require_between(
        pc.fill_null(whole, 0).to_numpy(zero_copy_only=False),
        EARLIEST,
        LATEST,
        f"{name} is",
    )
    found: list[int | None] = whole.to_pylist()
    return found


class Within:
    """Links within sites as the store packs them, for pages asked for in order."""

    def __init__(self, batches: Iterator[tuple[Any, Any, Any]]) -> None:
        self._groups = _groups(batches)
        self._next = next(self._groups, None)

    def of(self, page: int) -> bytes | None:
        """Return the packed links of *page*, None where it has none."""
        if self._next is None or self._next[0] != page:
            return None
        found, self._next = self._next[1], next(self._groups, None)
        return found

    def finish(self) -> None:
        """Refuse links that no page asked for: those of pages that never answered."""
        require(self._next is None, "links within a site are out of order")


def _groups(batches: Iterator[tuple[Any, Any, Any]]) -> Iterator[tuple[int, bytes]]:
    """Yield (source, packed list) of links whose sources come in order."""
    source = target = np.zeros(0, np.int64)
    flags = source
    for batch in batches:
        source = np.concatenate([source, batch[0]])
        target = np.concatenate([target, batch[1]])
        flags = np.concatenate([flags, batch[2]])
        starts = np.flatnonzero(np.diff(source, prepend=-1))
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            yield int(source[start]), _packed(target[start:end], flags[start:end])
        if len(starts):
            last = starts[-1]
            source, target, flags = source[last:], target[last:], flags[last:]
    if len(source):
        yield int(source[0]), _packed(target, flags)


def _packed(target: NDArray[np.int64], flags: NDArray[np.int64]) -> bytes:
    return target.astype(INSIDE_TARGET).tobytes() + flags.astype(INSIDE_FLAGS).tobytes()
