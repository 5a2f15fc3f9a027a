"""Items of a crawl: its pages, each with its links, and the crawl itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from issuecrawl.model.link import Link


class State(IntEnum):
    """What became of a page. Codes are stored; each fits one byte of a SQLite row."""

    KNOWN = 2
    """Found, and not due."""
    WAITING = 3
    """Due in this pass."""
    PENDING = 4
    """Asked for, not answered; kept in memory, stored as waiting."""
    RETRIEVED = 5
    UNCHANGED = 6
    REDIRECTED = 7
    FAILED = 8
    GONE = 9
    """Answered 404 or 410."""
    REFUSED = 10
    """Not asked for: robots.txt forbids it, or its host cannot be public."""
    EXCLUDED = 11
    """Not asked for: the exclusion list names it."""
    SKIPPED = 12
    """Not asked for: a budget was spent, or the site asks for too long a delay."""

    @property
    def word(self) -> str:
        return self.name.lower()


ANSWERED: Final = frozenset({State.RETRIEVED, State.UNCHANGED})
"""States of a page whose links are stored."""

# Reasons that go with a state. Free text (an HTTP status, an error) may follow in
# brackets where the reason is one of many.
BUDGET: Final = "budget"
NOT_PUBLIC: Final = "not public"
EXCLUSION: Final = "exclusion"
TIMEOUT: Final = "timeout"
NEEDS_JAVASCRIPT: Final = "needs JavaScript"


@dataclass(slots=True)
class Page:
    """One page that reached a final state, as an item."""

    url: str
    """What was asked of the server (the address itself where nothing was asked)."""

    outcome: str = "retrieved"
    """Word of a :class:`State`."""

    reason: str = ""
    """Why, where the outcome alone does not say: ``robots``, ``HTTP 503``, ``timeout``."""

    crawl: int = 0
    crawl_pass: int = 0

    depth: int = 0
    """Steps from a starting point of the pass within the site."""

    status: int = 0
    """HTTP status, 0 where no answer came."""

    redirect: str = ""
    """Where a redirected page leads: the next hop, without fragment."""

    redirect_judged: str = "follow"
    """As :attr:`Link.judged`, of the next hop."""

    fetched: str = ""
    """``YYYY-MM-DD hh:mm:ss``, UTC."""

    last_modified: str = ""
    """As ``fetched``; empty where the server named no date."""

    etag: str = ""
    checksum: str = ""
    """blake2b-64 of the body as it came, hexadecimal."""

    content_type: str = ""
    bytes: int = 0
    title: str = ""
    nofollow: bool = False
    """The page's robots meta element asks that none of its links be followed."""

    links: list[Link] = field(default_factory=list)


@dataclass(slots=True)
class CrawlRecord:
    """The crawl as an item: the first of a feed, and again the last, when it ends."""

    crawl: int
    settings: dict[str, Any]
    """As resolved; see :mod:`issuecrawl.model.options`."""

    starting_points: list[str]
    state: str = "running"
    started: str = ""
    ended: str = ""
    program: str = ""
    suffix_list: str = ""
    series: int = 0
    series_index: int = 0
    timeouts: int = 0
    log: list[str] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)
    """Arguments as they came; see :func:`issuecrawl.model.options.portable`."""
