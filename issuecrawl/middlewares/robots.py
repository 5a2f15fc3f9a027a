"""robots.txt by RFC 9309: no answer means no crawl, and Crawl-delay is kept."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http.request import NO_CALLBACK, Request
from scrapy.robotstxt import RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler
from twisted.internet.defer import Deferred

from issuecrawl.middlewares.connection import cannot_connect, is_lost, words
from issuecrawl.middlewares.refusals import Refused, RobotsUnanswered, Skipped
from issuecrawl.model.public import is_public_host
from issuecrawl.model.suffixes import registrable_icann
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

HOPS: Final = 5
"""Redirects of robots.txt that are followed: RFC 9309, section 2.3.1.2."""

UNREACHABLE: Final = "robots.txt unreachable"

MOST_BYTES: Final = 512 * 1024
"""What is read of a robots.txt: RFC 9309, section 2.5, asks for 500 KiB."""


class Unreachable(RobotParser):
    """Rules of a host whose robots.txt gave no answer: nothing is allowed."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Unreachable:
        return cls("")

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        return False

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        return None


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's own takes every failure of robots.txt for leave to crawl."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._longest = crawler.settings.getfloat("ISSUECRAWL_CRAWL_DELAY")
        self._too_slow: dict[RobotParser, float] = {}
        """Rules that ask for more seconds between requests than we wait."""
        self._retries = crawler.settings.getint("RETRY_TIMES")
        self._allowed = crawler.settings.getlist("ISSUECRAWL_ALLOWED_HOSTS")
        self._agent = self._robotstxt_useragent or self._default_useragent
        crawler.signals.connect(self._keep_delay, signals.robots_parsed)

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        if rp is None:
            return
        if (delay := self._too_slow.get(rp)) is not None:
            raise Skipped(f"crawl-delay {delay:g} s")
        if rp.allowed(request.url, self._agent):
            return
        self._stats.inc_value("robotstxt/forbidden")
        raise Refused(rp.reason if isinstance(rp, Unreachable) else "robots.txt")

    async def robot_parser(self, request: Request) -> RobotParser | None:
        address = parse(request.url)
        if address is None:
            return None
        netloc = f"{address.host}:{address.port}" if address.port else address.host
        if netloc not in self._parsers:
            url = f"{address.scheme}://{netloc}/robots.txt"
            return await self._fetch(url, netloc, request)
        waiting = self._parsers[netloc]
        if isinstance(waiting, Deferred):
            # Of several that wait for one Deferred, only the first gets its result.
            await maybe_deferred_to_future(waiting)
            return await self.robot_parser(request)
        return waiting

    async def _fetch(
        self, url: str, netloc: str, request: Request
    ) -> RobotParser | None:
        waiting = self._parsers[netloc] = Deferred()
        self._stats.inc_value("robotstxt/request_count")
        try:
            rules = await self._rules_or_none(url, request)
        except Exception as error:
            # Nothing was said: whoever waits, and whoever comes, tries for himself.
            del self._parsers[netloc]
            waiting.callback(None)
            raise RobotsUnanswered(error) from error
        self._parsers[netloc] = rules
        waiting.callback(None)
        return rules

    async def _rules_or_none(self, url: str, request: Request) -> RobotParser:
        """Return the rules; none may be asked for where the answer breaks off."""
        for tries_left in range(self._retries, -1, -1):
            try:
                return await self._rules(url, request)
            except Exception as error:
                name = type(error).__name__
                self._stats.inc_value(f"robotstxt/exception_count/{name}")
                if cannot_connect(error) or is_lost(error):
                    raise
                if isinstance(error, DownloadTimeoutError):
                    self.crawler.spider.run.writer.timeouts += 1  # type: ignore[union-attr]
                elif tries_left:
                    continue
                return Unreachable(f"{UNREACHABLE}: {words(error)}")
        raise AssertionError

    async def _rules(self, url: str, request: Request) -> RobotParser:
        response = await self._follow(url, request)
        status = response.status if response is not None else 404
        self._stats.inc_value(f"robotstxt/response_status_count/{status}")
        if status >= 500 or status == 429:
            return Unreachable(f"{UNREACHABLE}: HTTP {status}")
        body = b""
        if response is not None and 200 <= status < 300:
            body = response.body[:MOST_BYTES]
        rules: RobotParser = build_from_crawler(self._parserimpl, self.crawler, body)
        await self.crawler.signals.send_catch_log_async(
            signals.robots_parsed, robotparser=rules, request=request
        )
        return rules

    async def _follow(self, url: str, request: Request) -> Response | None:
        """Return the answer at the end of the redirects from *url*.

        None where they lead to what cannot be asked.
        """
        for _ in range(HOPS + 1):
            response = await self._download(url, request)
            location = response.headers.get(b"Location") or b""
            if not (300 <= response.status < 400 and location):
                return response
            target = parse(location.decode("utf-8", "replace"), url)
            if target is None or not is_public_host(target.host, self._allowed):
                return None
            url = target.href
        return None

    async def _download(self, url: str, request: Request) -> Response:
        address = parse(url)
        host = address.host if address else ""
        robots = Request(
            url,
            priority=self.DOWNLOAD_PRIORITY,
            meta={
                "dont_obey_robotstxt": True,
                "download_slot": registrable_icann(host) or host,
            },
            callback=NO_CALLBACK,
        )
        engine = self.crawler.engine
        assert engine is not None  # noqa: S101  # it made this request
        return await engine.download_async(robots)

    def _keep_delay(self, robotparser: RobotParser, request: Request) -> None:
        delay = robotparser.crawl_delay(self._agent)
        if not delay:
            return
        if delay > self._longest:
            self._too_slow[robotparser] = float(delay)
        else:
            set_delay(self.crawler, request.meta["download_slot"], float(delay))


def set_delay(crawler: Crawler, key: str, delay: float) -> None:
    """Let *delay* seconds lie between requests of slot *key*, if it has not more."""
    engine = crawler.engine
    if engine is None:
        return
    downloader: Any = engine.downloader
    slot = downloader.slots.get(key)
    standing = slot.delay if slot else crawler.settings.getfloat("DOWNLOAD_DELAY")
    wanted = max(delay, standing)
    # The entry outlives the slot, which is collected after a minute of idleness.
    downloader.per_slot_settings[key] = {"delay": wanted, "concurrency": 1, "jitter": 0}
    if slot is not None:
        slot.delay, slot.concurrency, slot.jitter = wanted, 1, 0
