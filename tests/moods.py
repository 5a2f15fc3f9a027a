"""Webs that answer one time this way, another time that way."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from issuecrawl.demo.proxy import Proxy
from tests.conftest import LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from issuecrawl.demo.web import Answer


class MoodyWeb(LoopbackWeb):
    def __init__(self) -> None:
        super().__init__()
        self.first: dict[str, list[Answer]] = {}
        """Address to the answers that come before the one it has for good."""
        self.connections: defaultdict[str, list[float]] = defaultdict(list)
        """When a dead host, as netloc, was connected to, by the monotonic clock."""
        self.revives: dict[str, int] = {}
        """Dead host to the connections that are cut before it answers."""

    def find(self, url: str) -> Answer | None:
        waiting = self.first.get(url)
        return waiting.pop(0) if waiting else super().find(url)

    def is_dead(self, netloc: str) -> bool:
        if not super().is_dead(netloc):
            return False
        self.connections[netloc].append(time.monotonic())
        return len(self.connections[netloc]) <= self.revives.get(netloc, 10**9)

    def times(self, domain: str) -> list[float]:
        """Return when the hosts of *domain* were asked for anything, ascending."""
        hosts = (urlsplit(hit.url).hostname or "" for hit in self.hits)
        return [
            hit.time
            for hit, host in zip(self.hits, hosts, strict=True)
            if host == domain or host.endswith(f".{domain}")
        ]


@pytest.fixture
def moody() -> Iterator[MoodyWeb]:
    web = MoodyWeb()
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web
