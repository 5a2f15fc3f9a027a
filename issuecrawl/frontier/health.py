"""Hosts that do not answer: they rest, and after a second round are left alone."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Final

logger = logging.getLogger(__name__)

IN_A_ROW: Final = 3
"""Failures to connect after which a host rests."""

ROUNDS: Final = 2

NO_ANSWER: Final = "host does not answer"
"""Reason of pages that fail because their host was given up."""


@dataclass(slots=True)
class _Record:
    failures: int = 0
    rounds: int = 0
    until: float = 0.0


class Health:
    """Failures to connect, by host; *rest* is in seconds."""

    def __init__(self, rest: float) -> None:
        self.rest = rest
        self._hosts: dict[str, _Record] = {}

    def answered(self, host: str) -> None:
        self._hosts.pop(host, None)

    def failed(self, host: str) -> bool:
        """Count a failure to connect; return whether the host is given up by it."""
        record = self._hosts.setdefault(host, _Record())
        record.failures += 1
        if record.failures < IN_A_ROW:
            return False
        record.failures = 0
        record.rounds += 1
        if record.rounds < ROUNDS:
            record.until = time.monotonic() + self.rest
            logger.info(
                "%s failed to connect %d times in a row; it rests %g s",
                host,
                IN_A_ROW,
                self.rest,
            )
            return False
        logger.info("%s does not answer; its pages fail without a request", host)
        return True

    def is_dead(self, host: str) -> bool:
        record = self._hosts.get(host)
        return record is not None and record.rounds >= ROUNDS

    def rests_for(self, host: str) -> float:
        """Return for how many seconds *host* is not to be asked."""
        record = self._hosts.get(host)
        return max(0.0, record.until - time.monotonic()) if record else 0.0
