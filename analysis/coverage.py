"""Coverage: what of each site could not be seen.

A site whose pages were not seen has no links in the network for that alone; a missing
edge is then no missing relation.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from analysis.integers import counted
from analysis.network import SiteCoverage
from analysis.sight import ENDS, REASONS, Sight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from analysis.course import Course
    from analysis.members import Members

__all__ = ["REASONS", "coverage", "unseen"]


def coverage(
    course: Course,
    sight: Sight,
    excluded: NDArray[np.int64],
    roles: Mapping[int, str],
) -> list[SiteCoverage]:
    """Return the coverage of every site that was to be asked for pages, by key.

    *excluded* is :func:`analysis.shortfall.excluded_links`; *roles* are those of sites.
    """
    crawl = course.view.crawl
    due = np.flatnonzero(sight.ends >= 0)
    found = counted(crawl.site[due] << 8 | sight.ends[due])
    scripted = counted(crawl.site[sight.needs_javascript])
    barred = counted(excluded[:, 0])
    homes = Counter(sight.unknown.values())
    sites = {*crawl.site[due].tolist(), *homes}
    rows = []
    for site in sites:
        ends = {name: found.get(site << 8 | code, 0) for code, name in enumerate(ENDS)}
        ends["missing"] += homes[site]
        rows.append(
            SiteCoverage(
                site=crawl.sites[site].key,
                role=roles.get(site, ""),
                due=sum(ends.values()),
                retrieved=ends["retrieved"],
                redirected=ends["redirected"],
                gone=ends["gone"],
                unseen={name: ends[name] for name in REASONS if ends[name]},
                needs_javascript=scripted.get(site, 0),
                excluded_links=barred.get(site, 0),
            )
        )
    return sorted(rows, key=lambda row: row.site)


def unseen(sight: Sight, members: Members, sites: list[SiteCoverage]) -> dict[str, int]:
    """Return, by node, how many of its addresses were due and not seen.

    Pages that need JavaScript are among them. In page mode a node's address is the
    page. Nodes that nothing was due of are left out.
    """
    if members.by_site:
        return {
            row.site: sum(row.unseen.values()) + row.needs_javascript for row in sites
        }
    return {
        url: int(sight.unseen[page])
        for page, url in members.urls.items()
        if sight.ends[page] >= 0
    }
