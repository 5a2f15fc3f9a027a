"""The harvester: addresses out of any text, as the Issue Crawler took them.

It took ``http://www.x``, ``http://x`` and ``www.x`` from pasted text or HTML source,
and never a bare ``x.org``.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final

from issuecrawl.model.url import identity_of, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from issuecrawl.model.url import Address

# Only with the semicolon: in plain text "?a=1&copy=2" means what it says.
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{2,32});")

# Typographic quotes, ideographic punctuation and invisible spaces end an address;
# who means them in one writes their escapes.
_ENDS: Final = (
    r"\s<>\"`{}|\\^\x00-\x1f\x7f\xab\xbb\u200b\u2018-\u201e\u2026\u3001\u3002"
    r"\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\ufeff"
)

# Quantifiers are possessive, so that "www.ann" is not found in www.anna@x.example.
_HOST: Final = r"(?:\[[0-9a-fA-F:.]++\]|[\w%][\w.%-]*+)(?::[0-9]++)?+"
_ADDRESS: Final = re.compile(
    rf"""
    (?: https?:// (?:[\w.%:+-]++@)? {_HOST} (?!://)
      | (?: (?<![\w@./:-])// | (?<![\w@./-]) ) www\.{_HOST} (?![@\w])
    )
    (?: [/?\#] [^{_ENDS}]*+ )?+
    """,
    re.VERBOSE | re.IGNORECASE,
)

_NEXT: Final = re.compile(
    r"(?:(?<=[,;)\]'])|(?<=\]\())(?=https?://|www\.)", re.IGNORECASE
)
"""Where the next address begins in a row of them without a space."""

_OPENERS: Final = {")": "(", "]": "["}
_AFTER: Final = ".,;:!?'*(["
"""Signs at the end that belong to the sentence around an address."""


def harvest(text: str) -> list[str]:
    """Return the addresses in *text*, one for each page, in order of appearance.

    What begins with ``www.`` is taken for an http address.

    >>> harvest("See http://x.example/a_(b) (or www.y.example), not z.example.")
    ['http://x.example/a_(b)', 'http://www.y.example/']
    >>> harvest('<a href="http://x.example/?a=1&amp;b=2">mail www.ann@x.example</a>')
    ['http://x.example/?a=1&b=2']
    """
    found: dict[str, str] = {}
    for address in _addresses(_plain(text)):
        found.setdefault(identity_of(address), address.href)
    return list(found.values())


def _plain(text: str) -> str:
    """Return *text* without the escapes of HTML and of JSON in its scripts."""
    text = _REFERENCE.sub(lambda reference: unescape(reference[0]), text)
    return text.replace("\\/", "/")


def _addresses(text: str) -> Iterator[Address]:
    for found in _ADDRESS.finditer(text):
        before = text[max(found.start() - 1, 0) : found.start()]
        for piece in _NEXT.split(found[0]):
            address = _address(piece, quoted=before == "'")
            if address is not None:
                yield address
            before = piece[-1:]


def _address(piece: str, *, quoted: bool) -> Address | None:
    found = _ADDRESS.match(piece)
    if found is None:
        return None
    written = found[0].partition("'")[0] if quoted else found[0]
    written = _balanced(written).rstrip(_AFTER)
    if written[:4].lower() != "http":
        written = f"http://{written.removeprefix('//')}"
    return parse(written)


def _balanced(written: str) -> str:
    """Return *written* up to the bracket that closes what was opened before it.

    >>> _balanced("http://x.example/a_(b))")
    'http://x.example/a_(b)'
    """
    opened: list[str] = []
    for position, sign in enumerate(written):
        if sign in "([":
            opened.append(sign)
        elif sign in _OPENERS and (not opened or opened.pop() != _OPENERS[sign]):
            return written[:position]
    return written
