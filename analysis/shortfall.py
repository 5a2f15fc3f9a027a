"""What a network lacks: pages that were never asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from analysis.course import Course, Pass


@dataclass(frozen=True, slots=True)
class Missing:
    """What the reach of passes demands and was never asked for."""

    pages: NDArray[np.int64]
    homes: set[str]
    """Addresses of starting points that the store does not hold."""

    @property
    def count(self) -> int:
        return len(self.pages) + len(self.homes)


def missing(course: Course, passes: Iterable[Pass]) -> Missing:
    """Return what *passes* of *course* lack.

    A page that came to an end without an answer, refused or failed, is not among
    them; one that a budget left out is.
    """
    crawl = course.view.crawl
    asked = np.zeros(crawl.count + 1, np.bool_)
    homes = set()
    for one in passes:
        asked |= one.reach.asked
        homes |= {start.url for start in one.starts if start.page is None}
    unasked = asked & (crawl.answer == 0)
    unasked[crawl.not_public] = False
    return Missing(np.flatnonzero(unasked), homes)


def missing_addresses(course: Course) -> list[str]:
    """Return the addresses of all that is :func:`missing`."""
    found = missing(course, course.passes)
    urls = course.view.crawl.urls(found.pages.tolist())
    return sorted(found.homes.union(urls.values()))
