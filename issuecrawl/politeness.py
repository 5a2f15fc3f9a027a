"""Who is asking, and how fast: the user agent, and the price of naming no contact."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from issuecrawl.frontier.run import program_version

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)


class Politeness:
    """A Scrapy add-on: it sets what follows from ``ISSUECRAWL_CONTACT``."""

    def update_settings(self, settings: BaseSettings) -> None:
        contact = settings["ISSUECRAWL_CONTACT"]
        if settings["USER_AGENT"] == "issuecrawl":
            name = program_version().replace(" ", "/")
            agent = f"{name} (+{contact})" if contact else name
            settings.set("USER_AGENT", agent, settings.getpriority("USER_AGENT") or 0)
        if not contact:
            logger.warning(
                "ISSUECRAWL_CONTACT names no page for webmasters; the crawl goes half"
                " as fast (-s ISSUECRAWL_CONTACT=https://example.org/our-crawl)"
            )
            settings.set(
                "DOWNLOAD_DELAY",
                2 * settings.getfloat("DOWNLOAD_DELAY"),
                settings.getpriority("DOWNLOAD_DELAY") or 0,
            )
