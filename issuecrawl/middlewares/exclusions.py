"""Judge links by the exclusion list and by whether their hosts can be public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from issuecrawl.model.exclusions import Exclusions
from issuecrawl.model.link import FOLLOW
from issuecrawl.model.page import EXCLUSION, NOT_PUBLIC, Page
from issuecrawl.model.public import is_public_host
from issuecrawl.model.url import split

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

KEPT = 1 << 16


class ExclusionsMiddleware(BaseSpiderMiddleware):
    """Marks links that are not to be followed with the reason; none is dropped."""

    def __init__(self, crawler: Crawler, allowed: list[str]) -> None:
        super().__init__(crawler)
        self._allowed = allowed
        self._exclusions: Exclusions | None = None
        self._judged: dict[str, str] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler, crawler.settings.getlist("ISSUECRAWL_ALLOWED_HOSTS"))

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        if isinstance(item, Page):
            for link in item.links:
                if (judged := self.judge(link.target)) != FOLLOW:
                    link.judged = judged
            if item.redirect:
                item.redirect_judged = self.judge(item.redirect)
        return item

    def judge(self, url: str) -> str:
        """Return ``follow``, or why *url* is not to be fetched."""
        judged = self._judged.get(url)
        if judged is None:
            if len(self._judged) >= KEPT:
                self._judged.clear()
            judged = self._judged[url] = self._judge(url)
        return judged

    def _judge(self, url: str) -> str:
        if self._exclusions is None:
            run = self.crawler.spider.run  # type: ignore[union-attr]
            self._exclusions = Exclusions(run.parameters.exclude)
        address = split(url)
        if address is None or not is_public_host(address.host, self._allowed):
            return NOT_PUBLIC
        return EXCLUSION if self._exclusions.matches(address) else FOLLOW
