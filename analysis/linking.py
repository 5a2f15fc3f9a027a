"""The voting links into a network's sites, as pairs of pages, and what they add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.integers import among
from analysis.standing import STANDING, first_of_each
from analysis.votes import VOTES, Ballot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from analysis.course import Course
    from analysis.view import Mask

PAIRS: Final = f"""
SELECT v.source, v.target, v.source_site, v.target_site, {STANDING}
FROM ({VOTES}) v
CROSS JOIN wanted w
WHERE w.unit = v.target_site
"""


@dataclass(frozen=True, slots=True)
class Linking:
    """Different (source page, target page) pairs that join two sites, ascending."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    source_site: NDArray[np.int64]
    target_site: NDArray[np.int64]
    standing: NDArray[np.int64]
    """Where the pair's links stand; see :mod:`analysis.standing`."""
    holder: NDArray[np.int64]
    """The page that the first of them stands on: *source*, or one merged into it."""
    aim: NDArray[np.int64]
    """The page that it leads to: *target*, or one merged into it."""
    by_site: bool
    """Whether a unit is a site."""

    @property
    def source_unit(self) -> NDArray[np.int64]:
        return self.source_site if self.by_site else self.source

    @property
    def target_unit(self) -> NDArray[np.int64]:
        return self.target_site if self.by_site else self.target

    def where(self, chosen: Mask | NDArray[np.int64]) -> Linking:
        return Linking(
            self.source[chosen],
            self.target[chosen],
            self.source_site[chosen],
            self.target_site[chosen],
            self.standing[chosen],
            self.holder[chosen],
            self.aim[chosen],
            self.by_site,
        )

    def between(self, core: set[int]) -> Linking:
        """Return the links that join two units of *core*."""
        return self.where(among(self.source_unit, core) & among(self.target_unit, core))

    def weights(self) -> dict[tuple[int, int], int]:
        """Return how many links join each two units, in order of their numbers."""
        pairs, counts = np.unique(
            np.stack([self.source_unit, self.target_unit], axis=1),
            axis=0,
            return_counts=True,
        )
        keys = map(tuple, pairs.tolist())
        return dict(zip(keys, counts.tolist(), strict=True))


def linking(course: Course, sites: Iterable[int]) -> Linking:
    """Return the links from all crawled pages of *course* to pages of *sites*."""
    view = course.view
    ballot = Ballot(course.engine, view, course.crawled, course.redirects())
    wanted = view.stored_sites(sites)
    course.engine.table("wanted", {"unit": sorted(wanted)}, key="unit")
    values = ballot.values(own_votes=True)
    columns = course.engine.rows(PAIRS, values)
    source, target, source_site, target_site, standing = columns
    holder, aim = source, target
    if view.merged:
        source, target = view.merged_pages(source), view.merged_pages(target)
        source_site, target_site = view.crawl.site[source], view.crawl.site[target]
    by_site = view.parameters.mode == "site"
    found = Linking(
        source, target, source_site, target_site, standing, holder, aim, by_site
    )
    found = found.where(source_site != target_site)
    pairs = found.source << 32 | found.target
    first, standing = first_of_each(pairs, found.standing)
    return replace(found.where(first), standing=standing)
