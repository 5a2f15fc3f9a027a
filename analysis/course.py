"""The course of a crawl, pass by pass, worked out from what is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analysis.reach import Reach, reach
from analysis.retention import Retention
from analysis.starts import Start, next_starts, seeds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.engines import Engine
    from analysis.redirects import Redirects
    from analysis.view import Mask, View


@dataclass(frozen=True, slots=True)
class Pass:
    starts: list[Start]
    reach: Reach


class Course:
    """Passes of a crawl under *view*; begins with the seeds alone."""

    def __init__(self, view: View, engine: Engine) -> None:
        self.view = view
        self.engine = engine
        self.passes: list[Pass] = []
        self.asked: Mask = np.zeros(view.crawl.count + 1, np.bool_)
        """Addresses asked for in the passes so far."""
        self.crawled: Mask = self.asked.copy()
        """Retrieved pages of the reach of the passes so far."""

    def begin(self, starts: list[Start]) -> None:
        """Add the pass that begins with *starts*."""
        number = len(self.passes)
        pages = [start.page for start in starts if start.page is not None]
        self.passes.append(Pass(starts, reach(self.view, pages, number)))
        self.asked |= self.passes[-1].reach.asked
        self.crawled |= self.passes[-1].reach.inside & self.view.retrieved(number)

    def redirects(self) -> Redirects:
        """Return the redirects known after the last pass."""
        return self.redirects_after(len(self.passes) - 1)

    def redirects_after(self, number: int) -> Redirects:
        """Return the redirects known after pass *number*."""
        asked = np.logical_or.reduce(
            [one.reach.asked for one in self.passes[: number + 1]]
        )
        return self.view.redirects(asked & self.view.answered(number))

    @property
    def last_analysed(self) -> int:
        """Number of the pass whose links the last analysis counted."""
        return max(0, len(self.passes) - 2)

    def analyse(self) -> Retention:
        """Return the analysis of the last pass's links."""
        last = len(self.passes) - 1
        crawled = self.passes[-1].reach.inside & self.view.retrieved(last)
        return Retention(self.engine, self.view, crawled, self.redirects())

    def go(self) -> Retention:
        """Go through all passes; return the last analysis, whose votes are counted.

        Without an iteration that is the analysis of the starting points' own links.
        """
        self.begin(seeds(self.view))
        retention = self.analyse()
        while len(self.passes) < self.view.parameters.passes:
            if len(self.passes) > 1:
                retention = self.analyse()
            self.begin(next_starts(self.view, retention, self.passes[-1].starts))
        return retention

    def units(self, starts: Iterable[Start]) -> list[int]:
        """Return the unit that each of *starts* is one with, after the last pass."""
        starts = list(starts)
        known = np.array([start.page or 0 for start in starts], np.int64)
        finals = self.redirects().finals(known)
        by_site = self.view.parameters.mode == "site"
        found = self.view.crawl.site[finals] if by_site else finals
        merged = self.view.merged
        return [
            merged.get(int(unit), int(unit))
            if start.page is not None
            else merged.get(start.units[0], start.units[0])
            for start, unit in zip(starts, found, strict=True)
        ]
