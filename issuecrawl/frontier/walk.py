"""One site in one pass: its pages level by level, starting points first.

A level is asked for in the order of the pages that led to it and, within each of
them, of the document. The next level begins when every page of this one has come to
an end, redirects included. So depth is steps, whatever answers first, and a budget
cuts at the same place every time.
"""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LANDING = -1
"""Rank of a page that is fetched because a redirect leads to it, outside the reach."""


class Place(NamedTuple):
    """A page's place in a walk, kept while the page is asked for."""

    walk: Walk
    turn: int
    rank: int
    hops: int


class Walk:
    """The state of one site in one pass. Pages are numbers."""

    __slots__ = (
        "again",
        "at",
        "expanded",
        "flying",
        "hops",
        "landings",
        "level",
        "moved",
        "not_before",
        "order",
        "queued",
        "site",
        "slot",
        "spent",
        "starts",
        "turn",
    )

    def __init__(self, site: int, slot: str) -> None:
        self.site = site
        self.slot = slot
        self.starts: dict[int, int] = {}
        """Starting points of the site, each with its place among those of the pass."""
        self.turn = 0
        """Raised when the walk begins anew; answers for an earlier turn are stale."""
        self.landings: deque[tuple[int, int]] = deque()
        self.again: deque[tuple[int, int, int]] = deque()
        """(page, rank, hops) of pages whose turn comes once more."""
        self.queued = False
        self.not_before = 0.0
        """By the monotonic clock: the site rests until then."""
        self.restart()

    def restart(self) -> None:
        """Begin at level 0 again: a starting point came late, by a redirect."""
        self.turn += 1
        self.again = deque(place for place in self.again if place[1] == LANDING)
        self.level = 0
        self.order = array("I", sorted(self.starts, key=self.starts.__getitem__))
        self.at = 0
        self.hops: deque[tuple[int, int, int]] = deque()
        """(page, rank, hops) reached by redirects from pages of this level."""
        self.moved: dict[int, int] = {}
        """Page of this level to where it redirects within the site."""
        self.expanded: dict[int, array[int]] = {}
        """Page of this level to the pages that follow from it."""
        self.flying = 0
        self.spent = 0
        """Pages of this pass, redirects to them aside: the site's budget is for them."""

    def next_place(self) -> tuple[int, int, int, bool] | None:
        """Return (page, rank, hops) whose turn it is on this level, or None.

        With it comes whether the page has its first turn on the level it belongs to,
        where it counts against the site's budget.
        """
        if self.again:
            return *self.again.popleft(), False
        if self.hops:
            return *self.hops.popleft(), False
        if self.at < len(self.order):
            rank = self.at
            self.at += 1
            return self.order[rank], rank, 0, True
        if self.landings:
            page, hops = self.landings.popleft()
            return page, LANDING, hops, False
        return None

    def descend(self, depth: int, reached: bytearray) -> bool:
        """Go to the next level; False while this one flies, or if it is the last.

        *reached* marks the pages that have a place in the pass.
        """
        if self.flying or self.level >= depth:
            return False
        order = array("I")
        for follow in self._followed():
            for page in follow:
                if not reached[page]:
                    reached[page] = 1
                    order.append(page)
        self.expanded, self.moved = {}, {}
        if order:
            self.level += 1
            self.order, self.at = order, 0
        return bool(order)

    def _followed(self) -> Iterator[Sequence[int]]:
        """Yield what follows from this level, in its order.

        Where two pages redirect to a third, that one's links come at the place of the
        first of the two, whichever answered first.
        """
        for page in self.order:
            final = page
            while final in self.moved:
                final = self.moved.pop(final)
            yield self.expanded.pop(final, ())
