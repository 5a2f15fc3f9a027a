"""Why a request is not sent."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest


class Refused(IgnoreRequest):
    """The page is not to be asked for; the message is the reason that is stored."""


class Skipped(IgnoreRequest):
    """The page could be asked for, but at a price that is not paid."""


class RobotsUnanswered(Exception):
    """No connection to the host of a robots.txt; ``error`` says why.

    Not a refusal yet: another spelling of the page, or a later try, may answer.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error
