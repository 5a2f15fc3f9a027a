"""What a network lacks: pages never asked for, addresses left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.course import Course, Pass

REFUSED: Final = """
SELECT DISTINCT l.target
FROM link l
CROSS JOIN excluded x
CROSS JOIN crawled c
WHERE l.id >= $first AND l.id < $end AND x.page = l.target AND c.page = l.source
"""


def missing_addresses(
    course: Course, passes: Sequence[Pass] | None = None
) -> list[str]:
    """Return the addresses that the reach demands and that were never asked for.

    A page that came to an end without an answer, refused or failed, is not among
    them; one that a budget left out is. With *passes*, only what these demand counts.
    """
    crawl = course.view.crawl
    passes = course.passes if passes is None else passes
    asked = np.zeros(crawl.count + 1, np.bool_)
    for one in passes:
        asked |= one.reach.asked
    unasked = asked & (crawl.answer == 0)
    unasked[crawl.not_public] = False
    urls = set(crawl.urls(np.flatnonzero(unasked).tolist()).values())
    for one in passes:
        urls |= {start.url for start in one.starts if start.page is None}
    return sorted(urls)


def excluded_addresses(course: Course) -> int:
    """Return how many different addresses exclusion refused to crawled pages.

    The temporary table ``crawled`` is that of the last ballot, all crawled pages.
    """
    crawl, excluded = course.view.crawl, course.view.excluded
    if not excluded.any():
        return 0
    numbers = np.flatnonzero(excluded)
    course.engine.table("excluded", {"page": numbers}, key="page")
    values = {"first": crawl.base, "end": crawl.end}
    (targets,) = course.engine.rows(REFUSED, values)
    crawled = np.flatnonzero(course.crawled)
    own = np.isin(crawl.site[crawled], np.unique(crawl.site[numbers]))
    inside = np.unique(crawl.links_inside(crawled[own]).targets).astype(np.int64)
    hops = [hop for page, hop in crawl.redirect.items() if course.asked[page]]
    found = np.concatenate([targets, inside, np.array(hops, np.int64)])
    return len(np.unique(found[excluded[found]]))
