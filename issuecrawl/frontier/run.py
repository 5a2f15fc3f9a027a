"""One run of one crawl: opened or resumed, taken from pass to pass, ended."""

from __future__ import annotations

import contextlib
import json
import logging
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.defer import _schedule_coro

from issuecrawl.files import Files
from issuecrawl.frontier.budget import Limits
from issuecrawl.frontier.frontier import Frontier
from issuecrawl.frontier.health import Health
from issuecrawl.frontier.passes import Passes
from issuecrawl.middlewares.robots import set_delay
from issuecrawl.model.errors import ConfigurationError, IssueCrawlError, StoreError
from issuecrawl.model.options import portable
from issuecrawl.model.page import EXCLUSION, CrawlRecord, Page, State
from issuecrawl.model.suffixes import version as suffix_list_version
from issuecrawl.model.url import identity
from issuecrawl.plan import Plan, make_plan, resume_line
from issuecrawl.store import crawls
from issuecrawl.store.database import connect, plain_errors
from issuecrawl.store.writer import CrawlWriter
from pipelines.graph import LiveGraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler

    from issuecrawl.frontier.failures import Retry
    from issuecrawl.model.parameters import Parameters

logger = logging.getLogger(__name__)

SLOWEST = 60.0
"""Seconds beyond which a server that asks for patience slows its slot no further."""


def program_version() -> str:
    """Return ``issuecrawl`` with its version; an egg on a path has none installed."""
    try:
        return f"issuecrawl {version('issuecrawl')}"
    except PackageNotFoundError:
        return "issuecrawl"


class Run:
    """What spider, scheduler and middlewares share of the running crawl."""

    def __init__(self, crawler: Crawler, arguments: Mapping[str, str]) -> None:
        self.crawler = crawler
        self.arguments = arguments
        settings = crawler.settings
        self.health = Health(settings.getfloat("ISSUECRAWL_HOST_REST"))
        self.retries = settings.getint("RETRY_TIMES")
        self.retry_statuses = frozenset(map(int, settings.getlist("RETRY_HTTP_CODES")))
        self.longest_wait = settings.getfloat("ISSUECRAWL_RETRY_AFTER")
        self.is_open = False
        self.crawl = 0
        self.outcome = ""
        """How the run ended: finished, stopped, paused, refused."""
        self.error: IssueCrawlError | None = None
        self._hold: crawls.Hold | None = None
        self._spelled: dict[int, list[str]] = {}

    plan: Plan
    writer: CrawlWriter
    frontier: Frontier
    passes: Passes
    live: LiveGraph

    @property
    def parameters(self) -> Parameters:
        return self.passes.parameters

    # Begin and end

    def open(self) -> None:
        """Make the crawl, or take hold of the one to resume; begin its pass."""
        self.plan = plan = make_plan(self.arguments, self.crawler.settings)
        for warning in plan.warnings:
            logger.warning("%s", warning)
        db = connect(plan.database, create=plan.crawl is None)
        try:
            self.crawl = plan.crawl or self._create(db)
            self._hold = crawls.Hold(plan.database, self.crawl)
            row = crawls.find(db, self.crawl)
            self.writer = CrawlWriter(
                plan.database, self.crawl, row["salt"], plan.sites, strict=plan.strict
            )
            self._begin(row)
            crawls.set_state(db, self.crawl, "running", crawl_pass=self.passes.number)
        finally:
            db.close()
        self.is_open = True

    def _create(self, db: Any) -> int:
        return crawls.create(
            db,
            title=self.plan.settings["title"],
            given=dict(self.plan.given),
            settings=self.plan.settings,
            program=program_version(),
            suffix_list=suffix_list_version(),
        )

    def _begin(self, row: dict[str, Any]) -> None:
        settings, plan = self.crawler.settings, self.plan
        limits = Limits(
            plan.parameters.depth,
            plan.settings["pages_per_site"],
            plan.settings["pages"],
            settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
        )
        self.frontier = Frontier(self.writer, limits, self.health, self._ended)
        self.live = LiveGraph(
            plan.parameters.threshold if plan.parameters.analysis == "colink" else 1,
            settings.getint("ISSUECRAWL_LIVE_SITES"),
            lambda site: self.writer.site_rows[site].key,  # type: ignore[union-attr]
        )
        self.passes = Passes(self.writer, self.frontier, plan, row)
        self.passes.begin(self.live)

    def refuse(self, error: IssueCrawlError) -> None:
        """Note that the crawl cannot be run; a new one is stored as failed."""
        self.error, self.outcome = error, "refused"
        logger.error("%s", error)
        if "_job" in self.arguments and isinstance(error, ConfigurationError):
            self._store_refusal(error)

    def _store_refusal(self, error: ConfigurationError) -> None:
        try:
            files = Files.of(self.crawler.settings, job=True)
            db = connect(
                files.database(self.crawler.settings["ISSUECRAWL_DB"]), create=True
            )
        except IssueCrawlError:
            return
        crawl = crawls.create(
            db,
            title=str(self.arguments.get("title", "")),
            given=dict(self.arguments),
            settings={},
            program=program_version(),
            suffix_list=suffix_list_version(),
        )
        crawls.fail(db, crawl, f"[ERROR]{error}")
        db.close()

    def fail(self, error: StoreError) -> None:
        """Stop the crawl because the store does not take it any more."""
        if self.error is None:
            self.error, self.outcome = error, "paused"
            logger.error("%s; resume with: %s", error, self.resume_line)
            engine = self.crawler.engine
            if engine is not None:
                _schedule_coro(engine.close_spider_async(reason="store"))

    @property
    def resume_line(self) -> str:
        return resume_line(self.crawl, self.plan.database)

    def close(self, reason: str) -> None:
        """Store what there is, say how the crawl stands, and let go of it."""
        if not self.is_open:
            return
        self.is_open = False
        try:
            if self.error is None:
                self.outcome = "finished" if self.passes.over else "stopped"
                self._send(self.as_item())
            self._store_end()
        finally:
            if self._hold is not None:
                self._hold.release()

    def _store_end(self) -> None:
        try:
            self.writer.close()
        except StoreError as error:
            if self.error is None:
                self.error, self.outcome = error, "paused"
                logger.error("%s; resume with: %s", error, self.resume_line)  # noqa: TRY400
        # A store that takes no more pages may still take a word.
        with contextlib.suppress(StoreError), plain_errors(self.plan.database):
            self._end()

    def _end(self) -> None:
        db = connect(self.plan.database)
        try:
            ended = crawls.find(db, self.crawl)["ended"]
            crawls.set_state(
                db, self.crawl, self.outcome, crawl_pass=self.passes.number, ended=ended
            )
        finally:
            db.close()

    # While it runs

    def tick(self) -> None:
        self.writer.tick()

    def go_on(self) -> bool:
        """Go on to what is due now that all rest; False when the crawl is over."""
        engine: Any = self.crawler.engine
        while self._more():
            request = engine.scheduler.next_request()
            if request is not None:
                engine.crawl(request)
                return True
            if engine.scheduler.has_pending_requests():
                return True
        return False

    def _more(self) -> bool:
        """Give back what got lost, share the budget out, or begin the next pass."""
        lost = self.frontier.in_flight
        for page in lost:
            self._lose(page)
        try:
            return (
                bool(lost) or self.frontier.share_out() or self.passes.next(self.live)
            )
        except StoreError as error:
            self.fail(error)
        except Exception as error:
            # Else Scrapy would log it and call the crawl finished.
            logger.exception("Pass %d could not be ended", self.passes.number)
            self.error = IssueCrawlError(
                f"Pass {self.passes.number} could not be ended ({error}); the pages are"
                f" stored, and the crawl can be resumed: {self.resume_line}"
            )
            self.outcome = "paused"
        return False

    def _lose(self, page: int) -> None:
        url = self.writer.url(page)
        logger.error("Page %s got lost on its way", url)
        item = Page(
            url, State.FAILED.word, "lost", self.crawl, self.frontier.crawl_pass
        )
        self.store(item)
        self._ended(item)

    def store(self, page: Page) -> None:
        """Store *page*, an item that came to its end, and go on from it."""
        try:
            answer = self.writer.record(self.writer.number(page.url), page)
            self.live.add(self.writer.site[answer.page], answer.outward)
            self.frontier.answered(answer)
            self.writer.tick()
        except StoreError as error:
            self.fail(error)
            return
        for url, reason in answer.barred:
            state = State.EXCLUDED if reason == EXCLUSION else State.REFUSED
            self._ended(Page(url, state.word, reason, self.crawl, page.crawl_pass))

    def retry(self, request: Request | None, retry: Retry) -> None:
        assert request is not None  # noqa: S101  # it came with a response or failure
        self.frontier.postpone(request.meta["page"], retry.seconds, retry.url)

    def tried(self, page: int) -> int:
        return self.frontier.tried(page)

    def next_spelling(self, page: int, failed: str) -> str:
        """Return a spelling of *page* to ask for after *failed* did not answer."""
        left = self._spelled.get(page)
        if left is None:
            left = self.writer.other_spellings(page)
            if failed not in left:
                left = [self.writer.url(page), *left]
            self._spelled[page] = left
        left[:] = [url for url in left if url != failed]
        return left.pop(0) if left else ""

    def same_page(self, a: str, b: str) -> bool:
        strict = self.plan.strict
        return identity(a, strict=strict) == identity(b, strict=strict)

    def slow_down(self, slot: str) -> None:
        """Double the delay of *slot*: its server asked for patience."""
        engine: Any = self.crawler.engine
        live = engine.downloader.slots.get(slot)
        delay = live.delay if live else self.crawler.settings.getfloat("DOWNLOAD_DELAY")
        set_delay(self.crawler, slot, min(SLOWEST, max(1.0, 2 * delay)))

    def count(self, key: str, number: int = 1) -> None:
        self.crawler.stats.inc_value(key, number)

    def as_item(self) -> CrawlRecord:
        """Return the crawl as an item, as it stands."""
        row = self.passes.row
        return CrawlRecord(
            self.crawl,
            self.plan.settings,
            self.plan.seeds,
            self.outcome or "running",
            row["started"],
            self.passes.ended,
            row["program"],
            row["suffix_list"],
            row["series"],
            row["series_index"],
            self.writer.timeouts,
            list(self.passes.log),
            portable(json.loads(row["given"])),
        )

    def _ended(self, page: Page) -> None:
        """Send an item for a page that came to its end without a request."""
        self.count(f"issuecrawl/pages/{page.outcome}")
        self._send(page)

    def _send(self, item: Page | CrawlRecord) -> None:
        # Feed exporters listen to this; there is no response to scrape it from.
        self.crawler.signals.send_catch_log(
            signals.item_scraped,
            item=item,
            response=None,
            spider=self.crawler.spider,
        )
