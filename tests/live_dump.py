"""A Scrapy extension that writes the live graph of a crawl to ``live.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
from scrapy import signals

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class LiveDump:
    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dump = cls()
        crawler.signals.connect(dump.closed, signals.spider_closed)
        return dump

    def closed(self, spider: Any) -> None:
        live = nx.node_link_data(spider.run.live.graph(), edges="edges")
        Path("live.json").write_text(json.dumps(live), encoding="utf-8")
