"""Whose turn it is: one registrable domain after the other, its sites in turn."""

from __future__ import annotations

import heapq
import itertools
import time
from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from issuecrawl.frontier.walk import Walk

T = TypeVar("T")


class Slot:
    """Sites that share one politeness: those of one registrable domain."""

    __slots__ = ("busy", "queued", "walks")

    def __init__(self) -> None:
        self.walks: deque[Walk] = deque()
        self.busy = 0
        self.queued = False


class Turns:
    """The walks that have something to ask for, and those that rest."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._slots: dict[str, Slot] = {}
        self._ready: deque[Slot] = deque()
        self._resting: list[tuple[float, int, Walk]] = []
        self._tie = itertools.count()

    def clear(self) -> None:
        self._slots.clear()
        self._ready.clear()
        self._resting.clear()

    def pending(self) -> bool:
        """Whether a walk may have its turn now, or will at :meth:`next_time`."""
        return bool(self._ready or self._resting)

    def next_time(self) -> float | None:
        """Return when the first rest ends, by the monotonic clock."""
        return self._resting[0][0] if self._resting else None

    def at_work(self) -> int:
        return sum(1 for slot in self._slots.values() if slot.busy)

    def take(self, advance: Callable[[Walk], T | None]) -> T | None:
        """Return the first thing that *advance* gets out of a walk; its slot is busy."""
        self._end_rests()
        while self._ready:
            slot = self._ready.popleft()
            slot.queued = False
            due = self._from(slot, advance)
            if slot.walks and slot.busy < self._at_once:
                self._queue(slot)
            if due is not None:
                return due
        return None

    def _from(self, slot: Slot, advance: Callable[[Walk], T | None]) -> T | None:
        while slot.walks:
            walk = slot.walks.popleft()
            walk.queued = False
            due = advance(walk)
            if due is not None:
                slot.busy += 1
                self._join(slot, walk)
                return due
        return None

    def wake(self, walk: Walk) -> None:
        """Let *walk* have its turn: there is something to ask for, or may be."""
        slot = self._slots.get(walk.slot)
        if slot is None:
            slot = self._slots[walk.slot] = Slot()
        self._join(slot, walk)
        if slot.busy < self._at_once:
            self._queue(slot)

    def free(self, key: str) -> None:
        """Take note that a request of the slot *key* is over."""
        slot = self._slots.get(key)
        if slot is None:
            return
        slot.busy = max(0, slot.busy - 1)
        if slot.walks:
            self._queue(slot)

    def rest(self, walk: Walk, seconds: float) -> None:
        walk.not_before = until = time.monotonic() + seconds
        heapq.heappush(self._resting, (until, next(self._tie), walk))

    def _end_rests(self) -> None:
        now = time.monotonic()
        while self._resting and self._resting[0][0] <= now:
            self.wake(heapq.heappop(self._resting)[2])

    def _join(self, slot: Slot, walk: Walk) -> None:
        if not walk.queued:
            walk.queued = True
            slot.walks.append(walk)

    def _queue(self, slot: Slot) -> None:
        if not slot.queued:
            slot.queued = True
            self._ready.append(slot)
