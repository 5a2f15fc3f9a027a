"""What follows from a request that failed: another try, or an end with a reason."""

from __future__ import annotations

import email.utils
import time
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from scrapy.exceptions import (
    DownloadCancelledError,
    IgnoreRequest,
    ResponseDataLossError,
)

from issuecrawl.frontier.health import IN_A_ROW, NO_ANSWER, ROUNDS
from issuecrawl.middlewares.connection import cannot_connect, is_lost, words
from issuecrawl.middlewares.refusals import Refused, RobotsUnanswered, Skipped
from issuecrawl.model.page import State
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from issuecrawl.frontier.health import Health

BUSY: Final = frozenset({429, 503})
"""Statuses that ask for patience: RFC 6585, section 4; RFC 9110, section 15.6.4."""


class Retry(NamedTuple):
    """The page is asked for again."""

    seconds: float = 0.0
    url: str = ""
    """Another spelling to ask for, if any."""


class End(NamedTuple):
    """The page came to its end."""

    state: State
    reason: str


class Run(Protocol):
    health: Health
    retries: int
    retry_statuses: frozenset[int]
    longest_wait: float

    def tried(self, page: int) -> int: ...
    def next_spelling(self, page: int, failed: str) -> str: ...
    def slow_down(self, slot: str) -> None: ...


def after_answer(response: Response, request: Request, run: Run) -> Retry | None:
    """Return the retry that an answer's status asks for, None where it stands."""
    run.health.answered(_host(request.url))
    if response.status not in run.retry_statuses:
        return None
    seconds = 0.0
    if response.status in BUSY:
        run.slow_down(request.meta["download_slot"])
        seconds = retry_after(response.headers.get(b"Retry-After") or b"")
    if seconds > run.longest_wait or run.tried(request.meta["page"]) > run.retries:
        return None
    return Retry(seconds)


def after_failure(error: BaseException, request: Request, run: Run) -> Retry | End:
    """Return what follows where no answer came."""
    if isinstance(error, Refused):
        return End(State.REFUSED, str(error))
    if isinstance(error, Skipped):
        return End(State.SKIPPED, str(error))
    if isinstance(error, IgnoreRequest):
        # Of those that Scrapy raises: what is too large once it is unpacked.
        return End(State.FAILED, "too large")
    if isinstance(error, RobotsUnanswered):
        return _after_no_connection(error.error, request, run)
    if cannot_connect(error):
        return _after_no_connection(error, request, run)
    if isinstance(error, DownloadCancelledError):
        return End(State.FAILED, "too large")
    if is_lost(error):
        spelling = run.next_spelling(request.meta["page"], request.url)
        if spelling:
            return Retry(url=spelling)
    if run.tried(request.meta["page"]) <= run.retries:
        return Retry()
    if isinstance(error, ResponseDataLossError):
        return End(State.FAILED, "incomplete")
    # One page that hangs is not yet a host that does not answer.
    run.health.failed(_host(request.url))
    return End(State.FAILED, words(error))


def _after_no_connection(
    error: BaseException, request: Request, run: Run
) -> Retry | End:
    page = request.meta["page"]
    spelling = run.next_spelling(page, request.url)
    if spelling:
        return Retry(url=spelling)
    if run.health.failed(_host(request.url)):
        return End(State.FAILED, NO_ANSWER)
    # The host is given up first, unless it answers for other pages meanwhile.
    if run.tried(page) < IN_A_ROW * ROUNDS:
        return Retry()
    return End(State.FAILED, words(error))


def retry_after(value: bytes) -> float:
    """Return the seconds that a Retry-After header asks for (RFC 9110, 10.2.3).

    >>> retry_after(b"7")
    7.0
    >>> retry_after(b"soon")
    0.0
    """
    text = value.decode("ascii", "replace").strip()
    if text.isdigit():
        return float(text)
    try:
        date = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return 0.0
    return max(0.0, date.timestamp() - time.time())


def _host(url: str) -> str:
    address = parse(url)
    return address.host if address else ""
