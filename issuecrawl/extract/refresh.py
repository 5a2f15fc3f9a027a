"""``meta http-equiv=refresh``: a redirect, or a link for those who wait."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

MAX_REDIRECT_DELAY: Final = 5
"""Seconds up to which a refresh is a redirect. Longer ones reload news and
slide shows, and their pages are meant to be read."""

_SPACE: Final = r"[\t\n\f\r ]*+"
# HTML Standard, "shared declarative refresh steps", 1-11.
_CONTENT: Final = re.compile(
    rf"{_SPACE}(?:([0-9]++)|(?=\.))[0-9.]*+"
    rf"(?:\Z|(?=[;,\t\n\f\r ]){_SPACE}[;,]?{_SPACE}(.*))",
    re.DOTALL,
)
_URL: Final = re.compile(rf"url{_SPACE}={_SPACE}", re.IGNORECASE)


class Refresh(NamedTuple):
    redirects: bool
    href: str
    """A reference as it stands there; '' leads to the page itself."""


def parse_refresh(content: str) -> Refresh | None:
    """Return what the value of ``content`` says, None if it says nothing.

    >>> parse_refresh("0; URL='/x?a=1;b=2'")
    Refresh(redirects=True, href='/x?a=1;b=2')
    """
    found = _CONTENT.match(content)
    if not found:
        return None
    seconds = (found[1] or "").lstrip("0") or "0"
    redirects = len(seconds) == 1 and int(seconds) <= MAX_REDIRECT_DELAY
    href = found[2] or ""
    named = _URL.match(href)
    if named:
        href = href[named.end() :]
    # Steps 12-20: quotes are taken off after "url=", or where no word begins with u.
    if href[:1] in ("'", '"'):
        href = href[1:].partition(href[0])[0]
    return Refresh(redirects, href)
