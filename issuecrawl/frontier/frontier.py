"""The frontier: which page is asked for next, over all sites of a pass.

Everything it holds follows from the starting points of the pass and the stored
links; begun again after a death, it finds the pages that are still due.
"""

from __future__ import annotations

import logging
import time
from array import array
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from issuecrawl.frontier.budget import Budget
from issuecrawl.frontier.health import NO_ANSWER, Health
from issuecrawl.frontier.turns import Turns
from issuecrawl.frontier.walk import LANDING, Place, Walk
from issuecrawl.model.page import ANSWERED, BUDGET, Page, State
from issuecrawl.model.suffixes import registrable_icann
from issuecrawl.model.url import split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from issuecrawl.frontier.budget import Limits
    from issuecrawl.store.writer import Answer, CrawlWriter

logger = logging.getLogger(__name__)

MAX_HOPS: Final = 20
"""Redirects in a row that are followed, as in DESIGN and the Fetch Standard."""

MARGIN: Final = 1 << 16
"""Pages for which room is made at once."""

_DUE: Final = frozenset({State.KNOWN, State.WAITING, State.SKIPPED})


class Due(NamedTuple):
    """A page whose turn it is."""

    page: int
    url: str
    depth: int
    slot: str


class Frontier:
    def __init__(
        self,
        writer: CrawlWriter,
        limits: Limits,
        health: Health,
        ended: Callable[[Page], None],
    ) -> None:
        self.writer = writer
        self.limits = limits
        self.health = health
        self._ended = ended
        """Called for each page that ends here, without a request."""
        self.crawl_pass = 0
        self._budget = Budget(limits.per_crawl)
        self._parked: dict[int, Walk] = {}
        """Walks that want more than their share of the crawl's budget, by site."""
        self._walks: dict[int, Walk] = {}
        self._turns = Turns(limits.at_once)
        self._places: dict[int, list[Place]] = {}
        self._tries: dict[int, int] = {}
        self._spelling: dict[int, str] = {}
        """Spelling to ask for next, of pages whose address did not answer."""
        self.cut = 0
        """Pages that a budget left out in this pass."""
        self._reached = bytearray()
        """By page number: 1 for pages that have a place in the pass."""

    # The pass

    def begin(self, crawl_pass: int, starts: Sequence[int]) -> None:
        """Begin a pass at the pages *starts*, or take it up again."""
        self.crawl_pass = crawl_pass
        self.cut = 0
        self._walks.clear()
        self._turns.clear()
        self._parked.clear()
        for order, page in enumerate(starts):
            walk = self._walk(page)
            walk.starts.setdefault(page, order)
            self._mark_waiting((page,))
        self._reached = bytearray(len(self.writer.site) + MARGIN)
        self._begin_budget()
        for walk in list(self._walks.values()):
            self._from_level_0(walk)

    def _begin_budget(self) -> None:
        answered_in = np.frombuffer(self.writer.answered_in, np.uint8)
        here = np.flatnonzero(answered_in == self.crawl_pass + 1)
        before = np.count_nonzero(answered_in) - len(here)
        sites = np.frombuffer(self.writer.site, np.uint32)[here]
        used = Counter(sites.tolist())
        self._budget.begin(len(self._walks), int(before), used)

    def share_out(self) -> bool:
        """Let sites that wait for their share of the budget go on, now that all rest.

        False when none waits.
        """
        if not self._parked:
            return False
        walks = sorted(self._parked.values(), key=self._rank)
        self._parked.clear()
        left = self.limits.per_crawl - self.writer.answers
        self._budget.share_out([walk.site for walk in walks], left)
        for walk in walks:
            self._turns.wake(walk)
        return True

    def _rank(self, walk: Walk) -> tuple[float, str]:
        site = self.writer.site_rows[walk.site]
        first = min(walk.starts.values(), default=float("inf"))
        return first, site.key if site else ""

    @property
    def in_flight(self) -> list[int]:
        """Pages asked for that have not come to an end."""
        return list(self._places)

    def has_pending(self) -> bool:
        """Whether :meth:`take` gives a page now, or will at :meth:`next_time`."""
        return self._turns.pending()

    def next_time(self) -> float | None:
        """Return when a resting site may be asked again, by the monotonic clock."""
        return self._turns.next_time()

    def sites_at_work(self) -> int:
        return self._turns.at_work()

    def take(self) -> Due | None:
        """Return the page whose turn it is; it is then in flight."""
        return self._turns.take(self._advance)

    def answered(self, answer: Answer) -> None:
        """Take what became of a page in flight; find what is due by it."""
        places = self._places.pop(answer.page, ())
        self._tries.pop(answer.page, None)
        self._spelling.pop(answer.page, None)
        if places:
            self._turns.free(places[0].walk.slot)
        for place in places:
            self._settle(place, answer)

    def postpone(self, page: int, seconds: float = 0.0, url: str = "") -> None:
        """Ask for a page in flight again, after *seconds*, as *url* if given."""
        places = self._places.pop(page, ())
        if url:
            self._spelling[page] = url
        self.writer.set_state(page, State.WAITING)
        if not places:
            return
        self._turns.free(places[0].walk.slot)
        for walk, turn, rank, hops in places:
            if walk.turn == turn:
                walk.flying -= 1
            elif rank != LANDING:
                continue
            walk.again.appendleft((page, rank, hops))
            if seconds > 0:
                self._turns.rest(walk, seconds)
            else:
                self._turns.wake(walk)

    def tried(self, page: int) -> int:
        """Count a try of *page* that failed and return how many have."""
        tries = self._tries[page] = self._tries.get(page, 0) + 1
        return tries

    # One site

    def _advance(self, walk: Walk) -> Due | None:
        if walk.not_before > time.monotonic() or walk.site in self._parked:
            return None
        while True:
            place = walk.next_place()
            if place is None:
                self._cover(len(self.writer.site))
                if walk.descend(self.limits.depth, self._reached):
                    continue
                return None
            *where, first = place
            due = self._visit(walk, *where, first=first)
            if (
                due is not None
                or walk.site in self._parked
                or walk.not_before > time.monotonic()
            ):
                return due

    def _visit(
        self, walk: Walk, page: int, rank: int, hops: int, *, first: bool
    ) -> Due | None:
        """Ask for *page* at its place in *walk*, or go on from what is known of it."""
        writer = self.writer
        state = State(writer.state[page])
        due = state in _DUE and not writer.answer[page]
        if first and (
            due
            or state == State.PENDING
            or writer.answered_in[page] == self.crawl_pass + 1
        ):
            per_site = self.limits.per_site
            if due and per_site and walk.spent >= per_site:
                self._cut(walk, page)
                return None
            walk.spent += 1
        if due:
            return self._ask(walk, page, rank, hops)
        if state == State.PENDING:
            walk.flying += 1
            self._places[page].append(Place(walk, walk.turn, rank, hops))
        elif state == State.REDIRECTED:
            self._hop(walk, page, rank, hops, writer.redirect(page))
        elif state in ANSWERED:
            self._expand(walk, page, rank)
        return None

    def _ask(self, walk: Walk, page: int, rank: int, hops: int) -> Due | None:
        if page not in self._tries and not self._affords(walk):
            if self._budget.closed:
                self._cut(walk, page)
            else:
                walk.again.appendleft((page, rank, hops))
                self._parked[walk.site] = walk
            return None
        url = self._spelling.get(page) or self.writer.url(page)
        address = split(url)
        host = address.host if address else ""
        if self.health.is_dead(host):
            self._fail_unasked(walk, page, url)
            return None
        rest = self.health.rests_for(host)
        if rest > 0:
            walk.again.appendleft((page, rank, hops))
            self._turns.rest(walk, rest)
            return None
        if page not in self._tries:
            self._budget.use(walk.site)
            self._tries[page] = 0
        walk.flying += 1
        self._places[page] = [Place(walk, walk.turn, rank, hops)]
        self.writer.set_state(page, State.PENDING)
        # What a landing page links to is recorded and not followed.
        depth = self.limits.depth if rank == LANDING else walk.level
        return Due(page, url, depth, _slot_key(host))

    def _affords(self, walk: Walk) -> bool:
        """Whether the crawl's budget has a page for *walk* now."""
        most = self.limits.per_crawl
        if not most:
            return True
        asked = self.writer.answers + len(self._places)
        return asked < most and self._budget.allows(walk.site)

    def _cut(self, walk: Walk, page: int) -> None:
        self.cut += 1
        self._tries.pop(page, None)
        if self.writer.state[page] != State.SKIPPED:
            self.writer.set_state(page, State.SKIPPED)
            self._ended(self._unasked(walk, page, State.SKIPPED, BUDGET))

    def _fail_unasked(self, walk: Walk, page: int, url: str) -> None:
        item = self._unasked(walk, page, State.FAILED, NO_ANSWER)
        item.url = url
        self._tries.pop(page, None)
        self.writer.record(page, item)
        self._ended(item)

    def _unasked(self, walk: Walk, page: int, state: State, reason: str) -> Page:
        """Return the item of a page that comes to its end without a request."""
        return Page(
            self.writer.url(page),
            state.word,
            reason,
            self.writer.crawl,
            self.crawl_pass,
            walk.level,
        )

    def _settle(self, place: Place, answer: Answer) -> None:
        walk, turn, rank, hops = place
        if walk.turn == turn:
            walk.flying -= 1
        elif rank != LANDING:
            return
        if answer.state == State.REDIRECTED:
            self._hop(walk, answer.page, rank, hops, answer.redirect)
        elif answer.state in ANSWERED:
            self._expand(walk, answer.page, rank, answer.follow)
        self._turns.wake(walk)

    def _expand(
        self, walk: Walk, page: int, rank: int, follow: Sequence[int] = ()
    ) -> None:
        if rank == LANDING or walk.level >= self.limits.depth:
            return
        # Links that were judged at another depth may go on from this one.
        follow = follow or self.writer.follow(page)
        walk.expanded[page] = array("I", follow)
        # Due on the next level: known so in the transaction that stores the links.
        self._mark_waiting(follow)

    def _hop(self, walk: Walk, page: int, rank: int, hops: int, target: int) -> None:
        """Go on at *target*, where *page* of *walk* leads by a redirect."""
        if not target or hops >= MAX_HOPS:
            return
        outside = self.writer.site[target] != walk.site
        if rank == LANDING or (outside and walk.level > 0):
            other = self._walk(target)
            other.landings.append((target, hops + 1))
            self._turns.wake(other)
        elif outside:
            self._add_start(target, walk.starts.get(walk.order[rank], 0))
        else:
            walk.moved[page] = target
            if not self._is_reached(target):
                self._reached[target] = 1
                walk.hops.append((target, rank, hops + 1))
                self._mark_waiting((target,))

    def _add_start(self, page: int, order: int) -> None:
        walk = self._walk(page)
        if walk.starts.get(page, order + 1) <= order:
            return
        known = page in walk.starts
        walk.starts[page] = order
        if not known:
            self._mark_waiting((page,))
            self._restart(walk)

    def _restart(self, walk: Walk) -> None:
        """Begin *walk* anew: all of its site is unreached but the starting points."""
        sites = np.frombuffer(self.writer.site, np.uint32)
        self._cover(len(sites))
        marks = np.frombuffer(self._reached, np.uint8)
        marks[: len(sites)][sites == walk.site] = 0
        del marks
        self._from_level_0(walk)

    def _from_level_0(self, walk: Walk) -> None:
        walk.restart()
        for page in walk.order:
            self._reached[page] = 1
        self._turns.wake(walk)

    def _is_reached(self, page: int) -> int:
        self._cover(page + 1)
        return self._reached[page]

    def _cover(self, count: int) -> None:
        if count > len(self._reached):
            self._reached.extend(bytes(count - len(self._reached) + MARGIN))

    def _walk(self, page: int) -> Walk:
        site = self.writer.site[page]
        walk = self._walks.get(site)
        if walk is None:
            address = split(self.writer.url(page))
            key = _slot_key(address.host if address else "")
            walk = self._walks[site] = Walk(site, key)
        return walk

    def _mark_waiting(self, pages: Iterable[int]) -> None:
        states, answers = self.writer.state, self.writer.answer
        for page in pages:
            if states[page] == State.KNOWN and not answers[page]:
                self.writer.set_state(page, State.WAITING)


def _slot_key(host: str) -> str:
    return registrable_icann(host) or host
