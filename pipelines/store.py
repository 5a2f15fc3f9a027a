"""Store each page with its links, in one transaction with what it makes due."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from issuecrawl.model.page import Page

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class Run(Protocol):
    """The running crawl, as ``spider.run`` has it."""

    def store(self, page: Page) -> None: ...


class StorePipeline:
    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        if isinstance(item, Page):
            run: Run = self.crawler.spider.run  # type: ignore[union-attr]
            run.store(item)
        return item
