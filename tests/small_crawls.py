"""Small webs as stored crawls, for tests that count by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.compute import network, next_starting_points
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.reader import StoredCrawl
from tests.oracle import Pass
from tests.stored_webs import CRAWL, Crawled

if TYPE_CHECKING:
    from collections.abc import Collection

    from analysis.network import Network
    from analysis.starts import Start
    from tests.oracle import Web


def stored(
    web: Web, starts: tuple[str, ...], *later: Collection[str], **changes: Any
) -> StoredCrawl:
    """Return a crawl of *web* that has asked for all of its pages in pass 0.

    Pages *later* were asked for in pass 1, 2, … instead; *changes* are parameters.
    """
    first = set(web.pages) | set(starts)
    passes = [Pass(set(starts), set(), first.difference(*later), set())]
    passes += [Pass(set(), set(), set(pages), set()) for pages in later]
    crawled = Crawled(web, starts, Parameters(**changes), passes)
    return StoredCrawl(crawled.store(), CRAWL)


def network_of(web: Web, starts: tuple[str, ...], **changes: Any) -> Network:
    """Return the network of a crawl that has all pages of *web*."""
    crawl = stored(web, starts, **changes)
    return network(crawl, Parameters(**changes), own=False)


def starts_after(web: Web, starts: tuple[str, ...], **changes: Any) -> list[Start]:
    """Return the starting points of pass 1."""
    crawl = stored(web, starts, **changes)
    return next_starting_points(crawl, Parameters(**changes), 0)
