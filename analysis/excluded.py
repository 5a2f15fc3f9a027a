"""Addresses that the exclusion list left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.integers import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.course import Course

REFUSED: Final = """
SELECT DISTINCT c.site, l.target
FROM link l
CROSS JOIN excluded x
CROSS JOIN crawled c
WHERE l.id >= $first AND l.id < $end AND x.page = l.target AND c.page = l.source
"""


def excluded_links(course: Course) -> NDArray[np.int64]:
    """Return the (site, excluded page that its crawled pages link to) pairs, each once.

    The temporary table ``crawled`` is that of the last ballot, all crawled pages.
    """
    crawl, excluded = course.view.crawl, course.view.excluded
    if not excluded.any():
        return np.zeros((0, 2), np.int64)
    numbers = np.flatnonzero(excluded)
    course.engine.table("excluded", {"page": numbers}, key="page")
    values = {"first": crawl.base, "end": crawl.end}
    sites, targets = course.engine.rows(REFUSED, values)
    crawled = np.flatnonzero(course.crawled)
    own = np.isin(crawl.site[crawled], np.unique(crawl.site[numbers]))
    inside = crawl.links_inside(crawled[own])
    barred = inside.where(excluded[inside.targets])
    within = barred.targets.astype(np.int64)
    pairs = np.concatenate([sites << 32 | targets, crawl.site[within] << 32 | within])
    found = distinct(pairs)
    return np.stack([found >> 32, found & 0xFFFFFFFF], axis=1)


def excluded_addresses(course: Course, links: NDArray[np.int64]) -> int:
    """Return how many addresses exclusion refused: to *links*, and to redirects."""
    crawl, excluded = course.view.crawl, course.view.excluded
    hops = [hop for page, hop in crawl.redirect.items() if course.asked[page]]
    found = np.concatenate([links[:, 1], np.array(hops, np.int64)])
    return len(np.unique(found[excluded[found]]))
