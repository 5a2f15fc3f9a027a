"""How many pages each site of a pass may ask for, so that the crawl keeps its budget.

Each site gets the same share of what the crawl has left, and what sites leave over is
shared again among those that want more when all have come to rest. What is cut then
depends on the links alone, not on who answers first.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Limits(NamedTuple):
    """What a pass may ask for; 0 is no limit."""

    depth: int
    per_site: int
    per_crawl: int
    at_once: int
    """Requests at once to one registrable domain."""


class Budget:
    """The crawl's budget in one pass. Sites are numbers."""

    def __init__(self, per_crawl: int) -> None:
        self.per_crawl = per_crawl
        self.closed = False
        """Nothing is left."""
        self._used: Counter[int] = Counter()
        self._share = 0
        """What a site may use before all have come to rest."""
        self._allowed: dict[int, int] = {}

    def begin(self, sites: int, spent_before: int, used: Mapping[int, int]) -> None:
        """Begin a pass of so many starting sites, or take it up at *used* pages a site.

        Half is shared out: sites that redirects lead to get their share of the rest.
        """
        self._used = Counter(used)
        self._allowed = {}
        left = self.per_crawl - spent_before
        self.closed = bool(self.per_crawl) and left <= 0
        self._share = left // (2 * sites) if sites else 0

    def use(self, site: int) -> None:
        self._used[site] += 1

    def allows(self, site: int) -> bool:
        """Whether *site* may ask for one more page now."""
        if not self.per_crawl:
            return True
        return self._used[site] < self._allowed.get(site, self._share)

    def share_out(self, sites: Sequence[int], left: int) -> None:
        """Share *left* pages among the sites that want more, the first ones first.

        Those that have used least are raised first, so that all end level.
        """
        self._share = 0
        if left <= 0:
            self.closed = True
            return
        level, raised = _level([self._used[site] for site in sites], left)
        for site in sites:
            self._allowed[site] = level
            if self._used[site] <= level and raised:
                self._allowed[site] = level + 1
                raised -= 1


def _level(used: Sequence[int], left: int) -> tuple[int, int]:
    """Return how far *left* raises the lowest of *used*, and what remains of it.

    >>> _level([3, 3, 9], 5)
    (5, 1)
    >>> _level([0, 4], 10)
    (7, 0)
    """
    ascending = sorted(used)
    total = 0
    level = ascending[0]
    for count, value in enumerate(ascending, 1):
        total += value
        level = (left + total) // count
        if count == len(ascending) or level < ascending[count]:
            return level, left + total - level * count
    return level, 0
