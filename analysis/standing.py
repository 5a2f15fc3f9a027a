"""Where the links of a pair of pages stand, in one number: the first link and its marks.

The number of the link row, then rel, kind and placement by the codes of
:mod:`issuecrawl.model.link`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from issuecrawl.model.link import KINDS, PLACEMENTS, RELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

STANDING: Final = (
    "((v.link - $first) * 262144 + v.rel * 64 + v.kind * 8 + v.placement) AS standing"
)
"""A column of :data:`analysis.votes.VOTES`."""

_LINK: Final = 18
_REL: Final = 6
_KIND: Final = 3
_PLACEMENT: Final = 7
_RELS: Final = (1 << _LINK - _REL) - 1


def first_of_each(
    pairs: NDArray[np.int64], standing: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each different pair occurs, pairs ascending, and how it stands.

    That is as its first link does, but in the body if any of its links stands there.

    >>> first_of_each(np.array([5, 5]), np.array([9 << 18 | 1, 3 << 18 | 2]))[1] >> 18
    array([3])
    """
    order = np.lexsort((standing, pairs))
    first = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    if not len(first):
        return order, standing
    ordered = standing[order]
    # Body has the lowest code.
    lowest = np.minimum.reduceat(ordered & _PLACEMENT, first)
    found = ordered[first]
    return order[first], np.where(lowest == 0, found & ~_PLACEMENT, found)


def standing(
    number: NDArray[np.int64],
    rel: NDArray[np.int64],
    kind: NDArray[np.uint8],
    placement: NDArray[np.uint8],
) -> NDArray[np.int64]:
    """Return the number that says all that, as :data:`STANDING` does."""
    marks = rel.astype(np.int64) << _REL | kind.astype(np.int64) << _KIND
    return number.astype(np.int64) << _LINK | marks | placement


def link_of(standing: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the link row, which a link within a site does not have."""
    return standing >> _LINK


def rels(standing: NDArray[np.int64]) -> NDArray[np.int64]:
    return standing >> _REL & _RELS


def kinds(standing: NDArray[np.int64]) -> NDArray[np.int64]:
    return standing >> _KIND & 7


def placements(standing: NDArray[np.int64]) -> NDArray[np.int64]:
    return standing & _PLACEMENT


def words(standing: int) -> tuple[str, str, str]:
    """Return placement, kind and rel.

    >>> words(9 << 18 | 0b11 << 6 | 1 << 3 | 3)
    ('footer', 'area', 'nofollow ugc')
    """
    codes = standing >> _REL & _RELS
    rel = " ".join(word for at, word in enumerate(RELS) if codes >> at & 1)
    kind = KINDS[standing >> _KIND & 7]
    return PLACEMENTS[standing & _PLACEMENT], kind, rel
