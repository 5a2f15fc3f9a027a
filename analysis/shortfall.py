"""What a network lacks: pages that were never asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.course import Course, Pass


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
