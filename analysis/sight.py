"""What became of each address that the reach of a crawl demands."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from issuecrawl.model.page import NEEDS_JAVASCRIPT, TIMEOUT, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.course import Course
    from analysis.view import Mask

SEEN: Final = ("retrieved", "redirected", "gone")
"""What is known of an address that was seen: its links, where it leads, that it is gone."""

REASONS: Final = (
    "robots",
    "timeout",
    "error",
    "budget",
    "delay",
    "excluded",
    "not public",
    "missing",
)
"""Why an address was not seen: robots.txt forbids it or cannot be read; no answer in
time; any other failure; a budget was spent; the site asks for too long a delay; it is
excluded, or leads to what is; its host, or that of what it leads to, cannot be public;
it was never asked for, though these parameters demand it."""

WORDS: Final = {
    "robots": "robots.txt",
    "timeout": "no answer in time",
    "error": "failed",
    "budget": "budget",
    "delay": "too long a delay asked for",
    "excluded": "excluded",
    "not public": "not public",
    "missing": "never asked for",
}
"""What :data:`REASONS` are called where people read them."""

ENDS: Final = (*SEEN, *REASONS)
NOT_DUE: Final = -1
_CODE: Final = {name: code for code, name in enumerate(ENDS)}


class Sight:
    """The addresses due in all passes of *course*, each with its end."""

    def __init__(self, course: Course) -> None:
        self._view = course.view
        self._asked = course.asked
        starts = [start for one in course.passes for start in one.starts]
        begun = np.zeros(len(self._asked), np.bool_)
        begun[[start.page for start in starts if start.page is not None]] = True
        self._not_begun: Mask = begun & ~self._asked
        """Starting points that are barred."""
        self.unknown = {
            start.url: unit
            for start, unit in zip(starts, course.units(starts), strict=True)
            if start.page is None
        }
        """Home pages that the store does not hold, with their units: all are missing."""

    @cached_property
    def ends(self) -> NDArray[np.int8]:
        """By page number: index in :data:`ENDS`, or :data:`NOT_DUE`."""
        crawl = self._view.crawl
        ends = np.full(crawl.count + 1, NOT_DUE, np.int8)
        ends[self._asked] = _CODE["missing"]
        for name, chosen in self._unanswered().items():
            ends[chosen] = _CODE[name]
        answered = self._asked & (crawl.answer > 0)
        states = crawl.state
        for name, state in (
            ("gone", State.GONE),
            ("error", State.FAILED),
            ("robots", State.REFUSED),
            ("delay", State.SKIPPED),
        ):
            ends[answered & (states == state)] = _CODE[name]
        ends[answered & self._with_reason(TIMEOUT)] = _CODE["timeout"]
        ends[answered & crawl.has_links] = _CODE["retrieved"]
        for page in np.flatnonzero(answered & (states == State.REDIRECTED)).tolist():
            ends[page] = _CODE[self._led(page)]
        return ends

    @cached_property
    def needs_javascript(self) -> Mask:
        """Retrieved pages that show signs of having their content put in by a script."""
        found: Mask = (self.ends == _CODE["retrieved"]) & self._with_reason(
            NEEDS_JAVASCRIPT
        )
        return found

    @cached_property
    def unseen(self) -> Mask:
        """Pages that were due and not seen, or not as a browser shows them."""
        found: Mask = (self.ends >= len(SEEN)) | self.needs_javascript
        return found

    def _unanswered(self) -> dict[str, Mask]:
        crawl = self._view.crawl
        asked = self._asked & (crawl.answer == 0)
        not_public = np.zeros(len(asked), np.bool_)
        not_public[crawl.not_public] = True
        return {
            "budget": asked & (crawl.state == State.SKIPPED),
            "excluded": self._not_begun,
            "not public": (asked | self._not_begun) & not_public,
        }

    def _led(self, page: int) -> str:
        """Return how a redirected page counts: as where it leads is looked at."""
        hop = self._view.crawl.redirect.get(page)
        if hop is None:
            return "error"
        if self._view.excluded[hop]:
            return "excluded"
        if self._view.barred[hop]:
            return "not public"
        return "redirected" if self._asked[hop] else "error"

    def _with_reason(self, reason: str) -> Mask:
        found = np.zeros(len(self._asked), np.bool_)
        found[self._view.crawl.answered_with(reason)] = True
        return found
