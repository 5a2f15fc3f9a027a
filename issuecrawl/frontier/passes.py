"""From pass to pass: who starts the next one, and when the crawl is over."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Final

from analysis.compute import network, next_starting_points
from analysis.files import write_all
from issuecrawl.model.exclusions import Exclusions
from issuecrawl.store import crawls
from issuecrawl.store.database import connect, transaction
from issuecrawl.store.reader import StoredCrawl

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network
    from issuecrawl.frontier.frontier import Frontier
    from issuecrawl.plan import Plan
    from issuecrawl.store.writer import CrawlWriter
    from pipelines.graph import LiveGraph

logger = logging.getLogger(__name__)

ERRORS: Final = ("failed", "refused (robots.txt unreachable")
"""Beginnings of the reasons that a reader of the network should know of."""


class Passes:
    """The passes of one crawl; ``number`` is the one under way, from 0."""

    def __init__(
        self,
        writer: CrawlWriter,
        frontier: Frontier,
        plan: Plan,
        row: dict[str, Any],
    ) -> None:
        self.writer = writer
        self.frontier = frontier
        self.plan = plan
        self.row = row
        self.parameters = plan.parameters
        self.number = 0
        self.over = False
        self.ended = ""
        self.paths: list[Path] = []
        self.folder: Path | None = None
        self.log: list[str] = []
        self.result: Network
        self._bytes = writer.bytes
        self._reasons = writer.reasons.copy()
        self._began = time.monotonic()

    def begin(self, live: LiveGraph) -> None:
        """Begin pass 0, or the last pass that was begun before the crawl stopped."""
        stored = self._stored_starts()
        if stored:
            self.number = max(stored)
            starts = stored[self.number]
            first = stored[0]
        else:
            starts = first = list(map(self.writer.number, self.plan.seeds))
            self.writer.add_starting_points(0, [(page, "seed") for page in starts])
            self._say(
                f"Starting crawl dbPrimaryKey: {self.writer.crawl} SeriesID:"
                f" {self.row['series']} SeriesIndex: {self.row['series_index']}"
                f" Title: '{self.plan.settings['title']}'",
                stamp=True,
            )
        live.start(self.writer.site[page] for page in first)
        self._rebuild(live, first)
        self.frontier.begin(self.number, starts)

    def next(self, live: LiveGraph) -> bool:
        """Begin the next pass; False when the crawl is over and its network written."""
        if self.over:
            return False
        self._log_pass()
        self.writer.flush()
        last = self.number + 1 >= self.parameters.passes
        starts: list[int] = []
        if not last:
            starts = self._analyse()
        if starts:
            self.number += 1
            self.frontier.begin(self.number, starts)
            self.writer.flush()
            return True
        if not last:
            self._say("No co-links found: nothing is kept, no further pass")
        self._finish()
        return False

    def _analyse(self) -> list[int]:
        parameters = self.parameters
        final = self.number + 2 >= parameters.passes
        name = {"colink": "colink", "snowball": "snowball"}[parameters.analysis]
        self._say(
            f"Performing {name} analysis. Mode: {1 if parameters.mode == 'page' else 2},"
            f" priviledgeStartingPoints: {str(parameters.privilege).lower()},"
            f" isFinalIteration: {str(final).lower()}"
        )
        self.writer.flush()
        db = connect(self.plan.database)
        try:
            found = next_starting_points(
                StoredCrawl(db, self.writer.crawl), parameters, self.number
            )
        finally:
            db.close()
        pages = [start.page or self.writer.number(start.url) for start in found]
        self.writer.add_starting_points(
            self.number + 1,
            [(page, start.why) for page, start in zip(pages, found, strict=True)],
        )
        return pages

    def _finish(self) -> None:
        self._say("Generating network info...")
        self.ended = crawls.now()
        self.writer.flush()
        db = connect(self.plan.database)
        try:
            with transaction(db):
                db.execute(
                    "UPDATE crawl SET ended = ? WHERE id = ?",
                    (self.ended, self.writer.crawl),
                )
            stored = StoredCrawl(db, self.writer.crawl)
            result = network(stored, self.parameters, own=True)
            self.folder = self.plan.out or self.plan.networks / str(self.writer.crawl)
            # While the store is open: evidence is read from it as it is written.
            self.paths = write_all(result, self.folder, self.plan.formats)
        finally:
            db.close()
        self.result = result
        self.over = True

    def _stored_starts(self) -> dict[int, list[int]]:
        db = connect(self.plan.database)
        try:
            rows = db.execute(
                "SELECT pass, page FROM starting_point WHERE crawl = ? ORDER BY rowid",
                (self.writer.crawl,),
            ).fetchall()
            lines = db.execute(
                "SELECT line FROM crawl_log WHERE crawl = ? ORDER BY rowid",
                (self.writer.crawl,),
            ).fetchall()
        finally:
            db.close()
        self.log = [line for (line,) in lines]
        starts: dict[int, list[int]] = {}
        for in_pass, page in rows:
            starts.setdefault(in_pass, []).append(page)
        return starts

    def _rebuild(self, live: LiveGraph, first: list[int]) -> None:
        """Give the live graph the links that are stored already."""
        exclusions = Exclusions(self.parameters.exclude)
        # Crawled all the same, but links to them do not count.
        apart = {page for page in first if exclusions.matches(self.writer.url(page))}
        for site, outward in self.writer.stored_outward(apart):
            live.add(site, outward)

    def _log_pass(self) -> None:
        count = self.writer.bytes - self._bytes
        seconds = max(0.001, time.monotonic() - self._began)
        self._say(f"Total bytes downloaded: {count}")
        self._say(f"Bytes per second: {count / seconds:.3f}")
        self._bytes, self._began = self.writer.bytes, time.monotonic()
        errors = self.writer.reasons - self._reasons
        for reason in sorted(errors):
            if reason.startswith(ERRORS):
                noun = "page" if errors[reason] == 1 else "pages"
                self._say(f"{errors[reason]} {noun} {reason}", level="ERROR")
        self._reasons = self.writer.reasons.copy()

    def _say(self, text: str, *, level: str = "INFO", stamp: bool = False) -> None:
        """Log *text*, and keep it for the Description, in the Issue Crawler's style."""
        when = time.strftime("%a %b %d %H:%M:%S UTC %Y: ", time.gmtime())
        line = f"[{level}]{when if stamp else ''}{text}"
        self.log.append(line)
        self.writer.log(line)
        logger.info("%s", text)
