"""What kind of failure it was where no answer came."""

from __future__ import annotations

from typing import Final

from OpenSSL import SSL
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from twisted.internet.error import ConnectionLost
from twisted.web.client import ResponseNeverReceived

from issuecrawl.model.page import TIMEOUT

CANNOT_CONNECT: Final = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    TunnelError,
)


def cannot_connect(error: BaseException) -> bool:
    """Whether there is no way to the host: by its name, its port or its TLS."""
    return isinstance(error, CANNOT_CONNECT) or _because(error, SSL.Error)


def is_lost(error: BaseException) -> bool:
    """Whether the connection went down before an answer, as in a failed handshake."""
    return _because(error, ConnectionLost)


def _because(error: BaseException, kind: type[BaseException]) -> bool:
    cause = error.__cause__
    return isinstance(cause, ResponseNeverReceived) and any(
        reason.check(kind) for reason in cause.reasons
    )


def words(error: BaseException) -> str:
    """Return in a few words why no answer came."""
    if isinstance(error, CannotResolveHostError):
        return "no such host"
    if isinstance(error, DownloadConnectionRefusedError):
        return "connection refused"
    if isinstance(error, DownloadTimeoutError):
        return TIMEOUT
    if cannot_connect(error):
        return "no connection"
    if isinstance(error, DownloadFailedError):
        return "connection cut"
    if isinstance(error, ResponseDataLossError):
        return "incomplete"
    return type(error).__name__
