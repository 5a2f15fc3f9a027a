"""Errors this project raises.

IssueCrawlError
├── ConfigurationError   an option, setting or file is wrong; nothing was fetched
├── StoreError           the store cannot be opened, read or written
│   └── CrawlHeld        another process runs this crawl
├── AnalysisError        the stored items cannot answer the question asked of them
└── FormatError          a file is not what its name or place says it is
    └── BundleChanged    a bundle does not hold what it was made with

Each message is one sentence that names what was given and what would do.
"""

from __future__ import annotations

from typing import Final

LONGEST: Final = 200
"""Characters of a value that a message shows."""


class IssueCrawlError(Exception):
    """Base class; catch this to catch everything this project raises."""


class ConfigurationError(IssueCrawlError):
    """An option has a value that cannot be used, or two contradict each other."""

    @classmethod
    def of(cls, option: str, value: object, accepted: str) -> ConfigurationError:
        """Return the error for *option* given as *value* where *accepted* would do."""
        return cls(f"{option}={shown(value)} cannot be used; expected {accepted}")


class StoreError(IssueCrawlError):
    """The store cannot be used; what it holds is left as it is."""


class CrawlHeld(StoreError):
    """A second process asks for a crawl that is running; the message has its pid."""


class AnalysisError(IssueCrawlError):
    """The stored items cannot answer the question asked of them."""


class FormatError(IssueCrawlError):
    """A file cannot be read as the format it should have."""


class BundleChanged(FormatError):
    """A bundle was damaged or changed since it was made."""


def shown(value: object) -> str:
    r"""Return *value* as a sentence can hold it, of whatever file it came from.

    >>> shown("a\x00b"), len(shown(1000 * "x"))
    ('a?b', 203)
    """
    text = "".join(sign if sign.isprintable() else "?" for sign in str(value))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
