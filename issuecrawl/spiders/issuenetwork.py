"""The spider: what the server said becomes a page item; nothing else is decided here."""

from __future__ import annotations

import email.utils
import hashlib
import logging
import time
from typing import TYPE_CHECKING, Any, Final

import scrapy
from scrapy.exceptions import (
    CloseSpider,
    DontCloseSpider,
    DownloadTimeoutError,
)

from issuecrawl.extract.document import read
from issuecrawl.frontier.failures import Retry, after_answer, after_failure
from issuecrawl.frontier.frontier import MAX_HOPS
from issuecrawl.frontier.run import Run
from issuecrawl.model.page import NEEDS_JAVASCRIPT, Page, State
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
GONE: Final = frozenset({404, 410})


class IssueNetworkSpider(scrapy.Spider):
    """Crawl from starting points to an issue network; see ``scrapy crawl --help``."""

    name = "issuenetwork"

    def __init__(self, **arguments: str) -> None:
        super().__init__(self.name)
        self.arguments = arguments

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.run = Run(crawler, spider.arguments)
        crawler.signals.connect(spider.idle, scrapy.signals.spider_idle)
        return spider

    run: Run

    async def start(self) -> AsyncIterator[Any]:
        if self.run.is_open:
            yield self.run.as_item()

    def idle(self) -> None:
        """Go on to the next pass when this one has nothing left to fetch."""
        if self.run.outcome == "refused":
            raise CloseSpider("refused")
        if self.run.is_open and self.run.go_on():
            raise DontCloseSpider

    def parse(self, response: Response) -> Iterator[Page | Request]:
        try:
            outcome = self._outcome(response)
        except Exception as error:  # a page must not vanish by a fault of ours
            logger.exception("Page %s could not be read", response.url)
            outcome = self._page(response, State.FAILED, f"{type(error).__name__}")
        if isinstance(outcome, Retry):
            self.run.retry(response.request, outcome)
        elif outcome is not None:
            yield outcome

    def failed(self, failure: Failure) -> Iterator[Page]:
        request: Request = failure.request  # type: ignore[attr-defined]
        error: BaseException = failure.value  # type: ignore[assignment]
        assert error is not None  # noqa: S101  # a failure is of something
        if isinstance(error, DownloadTimeoutError):
            self.run.writer.timeouts += 1
        outcome = after_failure(error, request, self.run)
        if isinstance(outcome, Retry):
            self.run.retry(request, outcome)
            return
        page = self._blank(request, outcome.state, outcome.reason)
        yield page

    def _outcome(self, response: Response) -> Page | Request | Retry | None:
        request = response.request
        assert request is not None  # noqa: S101  # Scrapy sets it
        retry = after_answer(response, request, self.run)
        if retry is not None:
            return retry
        if response.status in REDIRECTS:
            return self._redirected(response, request)
        if response.status in GONE:
            return self._page(response, State.GONE, f"HTTP {response.status}")
        if not 200 <= response.status < 300:
            return self._page(response, State.FAILED, f"HTTP {response.status}")
        return self._retrieved(response, request)

    def _redirected(self, response: Response, request: Request) -> Page | Request:
        location = _header(response, b"Location")
        target = parse(location, response.url) if location else None
        if target is None:
            reason = "redirect to another scheme" if ":" in location else "no Location"
            return self._page(response, State.FAILED, reason)
        return self._lead(response, request, target.href)

    def _lead(
        self, response: Response, request: Request, target: str
    ) -> Page | Request:
        """Go on at *target*: the next hop, or this page by another spelling."""
        if self.run.same_page(target, request.url):
            hops = request.meta["hops"] + 1
            if hops > MAX_HOPS:
                return self._page(response, State.FAILED, "too many redirects")
            return request.replace(url=target, meta={**request.meta, "hops": hops})
        page = self._page(response, State.REDIRECTED)
        page.redirect = target
        return page

    def _retrieved(self, response: Response, request: Request) -> Page | Request:
        document = read(response.body, response.url, _header(response, b"Content-Type"))
        if document.refresh and document.refresh != request.url:
            return self._lead(response, request, document.refresh)
        page = self._page(response, State.RETRIEVED)
        page.title = document.title
        page.content_type = document.content_type
        page.nofollow = document.nofollow
        page.links = document.links
        if document.cut:
            page.reason = "cut: too costly to read to its end"
        elif document.scripted:
            page.reason = NEEDS_JAVASCRIPT
        if document.unparsable:
            self.run.count("issuecrawl/links/unparsable", document.unparsable)
        if document.overlong:
            self.run.count("issuecrawl/links/overlong", document.overlong)
        return page

    def _page(self, response: Response, state: State, reason: str = "") -> Page:
        request = response.request
        assert request is not None  # noqa: S101  # Scrapy sets it
        page = self._blank(request, state, reason)
        page.url = response.url
        page.status = response.status
        page.bytes = len(response.body)
        page.content_type = _header(response, b"Content-Type")[:200]
        if state == State.RETRIEVED:
            page.etag = _header(response, b"ETag")[:200]
            page.last_modified = _stamp(_header(response, b"Last-Modified"))
            page.checksum = hashlib.blake2b(response.body, digest_size=8).hexdigest()
        return page

    def _blank(self, request: Request, state: State, reason: str) -> Page:
        return Page(
            request.url,
            state.word,
            reason,
            self.run.crawl,
            request.meta["crawl_pass"],
            request.meta["depth"],
            fetched=time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()),
        )


def _header(response: Response, name: bytes) -> str:
    value = response.headers.get(name)
    return value.decode("utf-8", "replace").strip() if value else ""


def _stamp(date: str) -> str:
    """Return an HTTP date as the store keeps it, empty if it is none."""
    try:
        parsed = email.utils.parsedate_to_datetime(date)
        seconds = parsed.timestamp()
        return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))
    except (TypeError, ValueError, OverflowError, IndexError):
        return ""
