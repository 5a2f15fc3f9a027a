"""Retention: which units the links of a pass keep, and who voted for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.votes import VOTES, Ballot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.engines import Engine
    from analysis.redirects import Redirects
    from analysis.view import Mask, View

FILL: Final = f"""
INSERT INTO vote
SELECT CASE WHEN $by_site = 1 THEN v.target_site ELSE v.target END,
       CASE WHEN $by_pages = 1 THEN v.source ELSE v.voter END
FROM ({VOTES}) v
"""

KEPT: Final = """
SELECT unit, COUNT(*) AS votes
FROM (SELECT DISTINCT unit, voice FROM vote) v
GROUP BY unit
HAVING COUNT(*) >= $threshold
ORDER BY unit
"""

VOICES: Final = """
SELECT DISTINCT v.unit, v.voice
FROM wanted w
JOIN vote v ON v.unit = w.unit
ORDER BY v.unit, v.voice
"""

RANKED: Final = f"""
SELECT v.target, v.target_site, v.voter, v.source
FROM ({VOTES}) v
JOIN wanted w ON w.unit = v.target_site
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
        engine.table("vote", {"unit": (), "voice": ()}, key="unit, voice")
        by = {
            "by_site": int(chosen.mode == "site"),
            "by_pages": int(chosen.votes == "pages"),
        }
        for links in ("link", "outbound"):
            engine.run(FILL.format(links=links), self._values | by)

    def kept(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the units that are kept, ascending, and how many voices each has."""
        chosen = self.view.parameters
        threshold = 1 if chosen.analysis == "snowball" else chosen.threshold
        units, votes = self.engine.rows(KEPT, {"threshold": threshold})
        return units, votes

    def voices(
        self, units: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the different (unit, voice) pairs of *units*, kept or not."""
        self.engine.table("wanted", {"unit": np.unique(units)}, key="unit")
        found, voices = self.engine.rows(VOICES, {})
        return found, voices

    def most_linked(self, sites: NDArray[np.int64]) -> dict[int, list[int]]:
        """Return the most-linked page of each of *sites*, several where they tie.

        More voters come first, then more linking pages.
        """
        self.engine.table("wanted", {"unit": np.unique(sites)}, key="unit")
        parts = [
            self.engine.rows(RANKED.format(links=links), self._values)
            for links in ("link", "outbound")
        ]
        pages, of_site, voters, sources = map(np.concatenate, zip(*parts, strict=True))
        return _best(pages, of_site, voters, sources)


def _best(
    pages: NDArray[np.int64],
    of_site: NDArray[np.int64],
    voters: NDArray[np.int64],
    sources: NDArray[np.int64],
) -> dict[int, list[int]]:
    found, first = np.unique(pages, return_index=True)
    site = of_site[first]
    votes = _different(pages, voters, found)
    linking = _different(pages, sources, found)
    order = np.lexsort((-linking, -votes, site))
    rank = np.stack([votes[order], linking[order]], axis=1)
    new_site = np.diff(site[order], prepend=-1) != 0
    leader = np.maximum.accumulate(np.where(new_site, np.arange(len(order)), 0))
    level = (rank == rank[leader]).all(axis=1)
    best: dict[int, list[int]] = {}
    for number in np.flatnonzero(level).tolist():
        best.setdefault(int(site[order[number]]), []).append(int(found[order[number]]))
    return best


def _different(
    pages: NDArray[np.int64], values: NDArray[np.int64], found: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many different *values* stand beside each page that is *found*."""
    pairs = np.unique(pages << 32 | values) >> 32
    return np.searchsorted(pairs, found, "right") - np.searchsorted(pairs, found)
