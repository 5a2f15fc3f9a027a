"""The frontier as a Scrapy scheduler.

A page becomes a Request when its turn comes; what is under way is a matter of memory
alone, since whatever has no answer in the store is due again after a death.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import call_later, create_looping_call

from issuecrawl.model.errors import IssueCrawlError, StoreError

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import CallLaterResult

    from issuecrawl.frontier.frontier import Due
    from issuecrawl.spiders.issuenetwork import IssueNetworkSpider

logger = logging.getLogger(__name__)

TICK: Final = 0.25
"""Seconds between two looks at whether a batch is due to be written."""


class FrontierScheduler(BaseScheduler):
    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._volatile: deque[Request] = deque()
        """Requests of pages in flight: redirects between spellings of one page."""
        self._ticks = create_looping_call(self._tick)
        self._timer: CallLaterResult | None = None
        self._timer_due = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def open(self, spider: Spider) -> None:
        self.spider: IssueNetworkSpider = spider  # type: ignore[assignment]
        run = self.spider.run
        try:
            run.open()
        except IssueCrawlError as error:
            # The spider closes when it is idle: there is no engine to stop yet.
            run.refuse(error)
            return
        self._ticks.start(TICK, now=False)

    def close(self, reason: str) -> None:
        if self._ticks.running:
            self._ticks.stop()
        if self._timer is not None:
            self._timer.cancel()
        self.spider.run.close(reason)

    def has_pending_requests(self) -> bool:
        run = self.spider.run
        return bool(self._volatile) or (run.is_open and run.frontier.has_pending())

    def enqueue_request(self, request: Request) -> bool:
        self._volatile.append(request)
        return True

    def next_request(self) -> Request | None:
        if self._volatile:
            return self._volatile.popleft()
        run = self.spider.run
        if not run.is_open:
            return None
        try:
            due = run.frontier.take()
        except StoreError as error:
            self._give_up(error)
            return None
        if due is None:
            self._wake_later()
            return None
        return self._request(due)

    def _request(self, due: Due) -> Request:
        return Request(
            due.url,
            callback=self.spider.parse,
            errback=self.spider.failed,
            dont_filter=True,
            meta={
                "page": due.page,
                "crawl_pass": self.spider.run.frontier.crawl_pass,
                "depth": due.depth,
                "download_slot": due.slot,
                "hops": 0,
                "handle_httpstatus_all": True,
                # Else Scrapy escapes more than the URL Standard does, and the page
                # that answers is another one.
                "verbatim_url": True,
            },
        )

    def _wake_later(self) -> None:
        when = self.spider.run.frontier.next_time()
        if when is None:
            return
        if self._timer is not None:
            if self._timer_due <= when:
                return
            self._timer.cancel()
        self._timer_due = when
        self._timer = call_later(max(0.05, when - time.monotonic()), self._wake)

    def _wake(self) -> None:
        self._timer = None
        engine = self.crawler.engine
        if engine is not None and self.spider.run.is_open:
            request = self.next_request()
            if request is not None:
                # The engine looks at its scheduler only when something happens.
                engine.crawl(request)

    def _tick(self) -> None:
        try:
            self.spider.run.tick()
        except StoreError as error:
            self._give_up(error)

    def _give_up(self, error: StoreError) -> None:
        if self._ticks.running:
            self._ticks.stop()
        self.spider.run.fail(error)
