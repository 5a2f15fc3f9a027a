"""Retention: which units the links of a pass keep, and who voted for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.integers import distinct
from analysis.votes import VOTES, Ballot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.engines import Engine
    from analysis.redirects import Redirects
    from analysis.view import Mask, View

UNITS: Final = f"""
SELECT CASE WHEN $by_site = 1 THEN v.target_site ELSE v.target END AS unit,
       CASE WHEN $by_pages = 1 THEN v.source ELSE v.voter END AS voice
FROM ({VOTES}) v
"""

KEPT: Final = f"""
SELECT u.unit, COUNT(DISTINCT u.voice) AS voices
FROM ({UNITS}) u
GROUP BY u.unit
HAVING COUNT(DISTINCT u.voice) >= $threshold
ORDER BY u.unit
"""
"""The retention: the units that enough different voices link to."""

VOICES: Final = f"""
SELECT u.unit, u.voice
FROM ({UNITS}) u
CROSS JOIN wanted w
WHERE w.unit = u.unit
"""

RANKED: Final = f"""
SELECT v.target, v.voter, v.source
FROM ({VOTES}) v
CROSS JOIN wanted w
WHERE w.unit = v.target_site
"""


class Retention:
    """One analysis: the votes of the pages *crawled*, counted by unit.

    A unit is the number of a page or a site, as ``mode`` says; a voice that of a voter
    or of a linking page, as ``votes`` says.
    """

    def __init__(
        self, engine: Engine, view: View, crawled: Mask, redirects: Redirects
    ) -> None:
        self.engine = engine
        self.view = view
        chosen = view.parameters
        ballot = Ballot(engine, view, crawled, redirects)
        self._values = ballot.values(own_votes=chosen.analysis == "snowball")
        self._by = {
            "by_site": int(chosen.mode == "site"),
            "by_pages": int(chosen.votes == "pages"),
        }

    def kept(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the units that are kept, ascending, and how many voices each has."""
        chosen = self.view.parameters
        return self.tally(1 if chosen.analysis == "snowball" else chosen.threshold)

    def tally(self, least: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the units with at least *least* voices, as :meth:`kept` does."""
        values = self._values | self._by | {"threshold": least}
        units, voices = self.engine.rows(KEPT, values)
        return units, voices

    def voices(
        self, units: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the different (unit, voice) pairs of *units*, kept or not, ascending."""
        self.engine.table("wanted", {"unit": np.unique(units)}, key="unit")
        found, voices = self.engine.rows(VOICES, self._values | self._by)
        pairs = distinct(found << 32 | voices)
        return pairs >> 32, pairs & 0xFFFFFFFF

    def most_linked(self, sites: NDArray[np.int64]) -> dict[int, list[int]]:
        """Return the most-linked page of each of *sites*, several where they tie.

        More voters come first, then more linking pages.
        """
        self.engine.table("wanted", {"unit": np.unique(sites)}, key="unit")
        pages, voters, sources = self.engine.rows(RANKED, self._values)
        votes = _different(pages, voters)
        rank = votes << 32 | _different(pages, sources)
        found = np.flatnonzero(votes)
        site = self.view.crawl.site[found]
        highest = np.zeros(len(self.view.crawl.sites), np.int64)
        np.maximum.at(highest, site, rank[found])
        best: dict[int, list[int]] = {}
        for page in found[rank[found] == highest[site]].tolist():
            best.setdefault(int(self.view.crawl.site[page]), []).append(page)
        return best


def _different(
    pages: NDArray[np.int64], values: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return, by page number, how many different *values* stand beside the page."""
    return np.bincount(distinct(pages << 32 | values) >> 32, minlength=1)
