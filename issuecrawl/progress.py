"""How a crawl is getting on: a live display on a terminal, else a line a minute."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.live import Live
from rich.logging import RichHandler
from rich.table import Table
from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from analysis.wording import count
from issuecrawl.model.page import ANSWERED, State
from issuecrawl.summary import duration, summary

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from issuecrawl.frontier.run import Run
    from issuecrawl.spiders.issuenetwork import IssueNetworkSpider

logger = logging.getLogger(__name__)

LIVE_SECONDS: Final = 0.5
LINE_SECONDS: Final = 60.0
MOST_LINKED: Final = 5
ENDS: Final = (State.FAILED, State.GONE, State.REFUSED, State.SKIPPED)


class Progress:
    """A Scrapy extension; prints the summary when the crawl ends."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._console = Console(stderr=True)
        self._live: Live | None = None
        self._shown = create_looping_call(self._show)
        self._handlers: list[logging.Handler] = []
        self._fetched = 0
        self._at = time.monotonic()
        self._rate = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        progress = cls(crawler)
        crawler.signals.connect(progress.opened, signals.spider_opened)
        crawler.signals.connect(progress.closed, signals.spider_closed)
        return progress

    @property
    def run(self) -> Run:
        spider: IssueNetworkSpider = self.crawler.spider  # type: ignore[assignment]
        return spider.run

    def opened(self) -> None:
        if not self.run.is_open:
            return
        self._fetched = fetched(self.run)
        if self._console.is_terminal and not self.crawler.settings["LOG_FILE"]:
            self._live = Live(console=self._console, refresh_per_second=4)
            self._live.start()
            self._log_above()
            self._shown.start(LIVE_SECONDS, now=False)
        else:
            self._shown.start(LINE_SECONDS, now=False)

    def closed(self) -> None:
        if self._shown.running:
            self._shown.stop()
        if self._live is not None:
            self._live.update(table(self.run, self._rate))
            self._live.stop()
            root = logging.getLogger()
            root.handlers[:] = self._handlers
        if self.run.crawl:
            for line in summary(self.run):
                sys.stderr.write(line + "\n")

    def _log_above(self) -> None:
        """Let log lines scroll above the display."""
        root = logging.getLogger()
        self._handlers = root.handlers[:]
        handler = RichHandler(console=self._console, show_path=False)
        handler.setLevel(self.crawler.settings["LOG_LEVEL"])
        root.handlers[:] = [handler]

    def _show(self) -> None:
        now, pages = time.monotonic(), fetched(self.run)
        if now > self._at:
            rate = (pages - self._fetched) / (now - self._at)
            # Smoothed, so that the time left does not jump.
            self._rate = rate if not self._rate else 0.8 * self._rate + 0.2 * rate
        self._at, self._fetched = now, pages
        if self._live is not None:
            self._live.update(table(self.run, self._rate))
        else:
            logger.info("%s", line(self.run, self._rate))


def fetched(run: Run) -> int:
    """Return how many pages came to an answer."""
    pages = run.writer.pages
    return sum(pages[state] for state in (*ANSWERED, State.REDIRECTED))


def figures(run: Run, rate: float) -> list[tuple[str, str]]:
    """Return what there is to say of *run*; *rate* is in pages a second."""
    pages = run.writer.pages
    waiting = pages[State.WAITING] + pages[State.PENDING]
    left = duration(waiting / rate) if rate > 0.01 else "unknown"
    return [
        ("pass", f"{run.passes.number} of {run.parameters.passes - 1}"),
        ("pages fetched", f"{fetched(run):,}"),
        ("waiting", f"{waiting:,}"),
        ("failed", f"{sum(pages[state] for state in ENDS):,}"),
        ("pages per second", f"{rate:.1f}"),
        ("sites at work", str(run.frontier.sites_at_work())),
        ("links between sites", f"{run.writer.links:,}"),
        ("known pages", f"{len(run.writer.site) - 1:,}"),
        ("time left in this pass", left),
    ]


def line(run: Run, rate: float) -> str:
    """Return the figures on one line, for the log."""
    return ", ".join(f"{name} {value}" for name, value in figures(run, rate))


def table(run: Run, rate: float) -> Table:
    """Return the figures as a table, with the sites that have most votes so far."""
    shown = Table(title=f"Crawl {run.crawl}", show_header=False, box=None)
    for name, value in figures(run, rate):
        shown.add_row(name, value)
    graph = run.live.graph()
    votes = sorted(graph.nodes.items(), key=lambda node: (-node[1]["votes"], node[0]))
    for key, site in votes[:MOST_LINKED]:
        by = count(site["votes"], "starting site", "starting sites")
        shown.add_row(key, f"linked to by {by}")
    return shown
