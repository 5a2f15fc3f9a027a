"""Reach: the pages within a number of steps of starting points, site by site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from issuecrawl.model.link import FOLLOWED_KINDS, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from analysis.redirects import Redirects
    from analysis.view import Mask, View

FOLLOWED: Final = sorted(KINDS.index(kind) for kind in FOLLOWED_KINDS)


@dataclass(frozen=True, slots=True)
class Reach:
    """What one pass comes to; arrays by page number."""

    depths: NDArray[np.int16]
    """Steps from the nearest starting point, -1 outside the reach."""

    asked: Mask
    """Addresses that the pass has to know the answer of: starting points, targets of
    steps, and the pages that redirects of both lead over."""

    @property
    def inside(self) -> Mask:
        return self.depths >= 0


def reach(view: View, starts: Iterable[int], in_pass: int) -> Reach:
    """Return the reach of the pages *starts*, which are given before redirects.

    It runs over stored links, so that it depends on them alone and not on the order
    in which pages were found. A step leads from a page to one of its site; where that
    redirects to another site, it ends there.
    """
    crawl = view.crawl
    redirects = view.redirects(view.answered(in_pass))
    goes_on = view.retrieved(in_pass) & ~crawl.nofollow
    depths = np.full(crawl.count + 1, -1, np.int16)
    asked = np.zeros(crawl.count + 1, np.bool_)
    started = np.array(sorted(_started(view, starts)), np.int64)
    _ask(asked, started, redirects)
    level = _each_once(view, redirects.finals(started))
    for depth in range(view.parameters.depth + 1):
        level = level[depths[level] < 0]
        depths[level] = depth
        if depth == view.parameters.depth or not len(level):
            break
        targets = _steps(view, level[goes_on[level]])
        _ask(asked, targets, redirects)
        finals = redirects.finals(targets)
        level = _each_once(view, finals[crawl.site[finals] == crawl.site[targets]])
    return Reach(depths, asked)


def _started(view: View, starts: Iterable[int]) -> set[int]:
    """Return the starting points that are asked for: those given always are."""
    given = set(view.seeds)
    return {page for page in starts if page in given or not view.barred[page]}


def _steps(view: View, level: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the targets of the steps from the pages of *level*, each once."""
    links = view.crawl.links_inside(level)
    targets = links.targets[np.isin(links.kinds, FOLLOWED)]
    found = _each_once(view, targets)
    return found[~view.barred[found]]


def _each_once(view: View, pages: NDArray[np.int64 | np.uint32]) -> NDArray[np.int64]:
    # Ten times faster than to sort or to hash millions of numbers.
    there = np.zeros(view.crawl.count + 1, np.bool_)
    there[pages] = True
    return np.flatnonzero(there)


def _ask(asked: Mask, pages: NDArray[np.int64], redirects: Redirects) -> None:
    asked[pages] = True
    asked[redirects.hops(pages)] = True
