"""Judge links by depth: what a page at the depth limit names is recorded only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from issuecrawl.model.link import FOLLOW, RECORD
from issuecrawl.model.page import Page

if TYPE_CHECKING:
    from scrapy.http import Response


class DepthMiddleware(BaseSpiderMiddleware):
    """Depth here is steps within a site from a starting point of the pass.

    A recorded link is stored like any other: found again by a shorter way, its page
    goes on from there.
    """

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        if isinstance(item, Page):
            run = self.crawler.spider.run  # type: ignore[union-attr]
            if item.depth >= run.parameters.depth:
                for link in item.links:
                    if link.judged == FOLLOW:
                        link.judged = RECORD
        return item
