"""From the value of an ``href`` to an address, by the URL Standard.

A reference is resolved against the document's base URL. The path is in UTF-8, the
query in the encoding of the document, which is what its server expects.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

from ada_url import join_url

from issuecrawl.extract.labels import CODECS

MAX_ADDRESS: Final = 8192
"""Characters of an address. Servers refuse longer request lines (RFC 9110, 4.1 asks
them to take 8,000), and a long base times many short references fills the memory."""

MAX_ADDRESSES: Final = 64 * 2**20
"""Characters of all different addresses of one page, for the same reason."""

_NOWHERE: Final = "about:blank"
"""A base that only absolute references can do without."""

_CACHED: Final = 200
"""Characters of a reference up to which its address is remembered from page to page.
Menus repeat; what does not depend on the page's path is parsed once."""

_SPACES: Final = frozenset(map(chr, range(0x21)))
_NON_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_UNSAFE: Final = re.compile(rb"[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]")


class Resolver:
    """Makes addresses of the references of one page, each different one once."""

    def __init__(self, url: str, encoding: str) -> None:
        try:
            self.base = join_url(url, "")
        except ValueError:  # absolute references are links all the same
            self.base = _NOWHERE
        self._root = _root_of(self.base)
        self.page = self.base.partition("#")[0]
        """The address of the page itself, as one of its links would have it."""
        self.unparsable = 0
        """References that no URL parser accepts."""
        self.overlong = 0
        """References left out for :data:`MAX_ADDRESS` or :data:`MAX_ADDRESSES`."""
        self._codec = _query_codec(encoding)
        self._known: dict[str, str | None] = {}
        self._room = MAX_ADDRESSES

    def rebase(self, href: str) -> None:
        """Take *href*, of the first ``base`` element that has one, as the base URL.

        HTML Standard, "set the frozen base URL": relative to the document; one that
        does not parse, and a ``data:`` or ``javascript:`` one, has no effect.
        """
        try:
            base = join_url(self.base, self._encoded(href))
        except ValueError:
            return
        if not base.startswith(("data:", "javascript:")):
            self.base = base
            self._root = _root_of(base)
            self._known.clear()

    def resolve(self, href: str) -> str:
        """Return the http(s) address *href* stands for, without fragment, else ''."""
        head, mark, _ = href.partition("#")
        # White space before the fragment is kept by a URL parser, at the end it is not.
        if mark and head[-1:] not in _SPACES:
            href = head
        try:
            target = self._known[href]
        except KeyError:
            target = self._known[href] = self._parse(href)
        if target is None:
            self.unparsable += 1
            return ""
        if len(target) > MAX_ADDRESS:
            self.overlong += 1
            return ""
        return target

    def _parse(self, href: str) -> str | None:
        try:
            target = self._join(self._encoded(href))
        except ValueError:
            return None
        if not target.startswith(("https://", "http://")):
            return ""
        target = target.partition("#")[0]
        self._room -= len(target)
        # One marker for all that is too long, or they would be kept here.
        return target if self._room > 0 and len(target) <= MAX_ADDRESS else _OVERLONG

    def _join(self, href: str) -> str:
        if len(href) <= _CACHED:
            if href.startswith(("https://", "http://")):
                return _cached_join(_NOWHERE, href)
            if href.startswith("/"):
                return _cached_join(self._root, href)
        return join_url(self.base, href)

    def _encoded(self, href: str) -> str:
        """Return *href* with its query in the document's encoding."""
        if not self._codec or href.isascii():
            return href
        rest, mark, fragment = href.partition("#")
        path, question, query = rest.partition("?")
        return path + question + _NON_ASCII.sub(self._percent, query) + mark + fragment

    def _percent(self, run: re.Match[str]) -> str:
        """URL Standard, "percent-encode after encoding", special-query set."""
        raw = run[0].encode(self._codec, _ERRORS)
        return _UNSAFE.sub(lambda byte: b"%%%02X" % ord(byte[0]), raw).decode("ascii")


@lru_cache(maxsize=16_384)
def _cached_join(base: str, href: str) -> str:
    return join_url(base, href)


def _root_of(base: str) -> str:
    """Return a base that gives references beginning with a slash the same address."""
    try:
        return join_url(base, "/")
    except ValueError:
        return base


_OVERLONG: Final = "#" * (MAX_ADDRESS + 1)


def _query_codec(encoding: str) -> str:
    """Return Python's codec for queries in a document of *encoding*, '' for UTF-8."""
    if encoding.startswith("utf-") or encoding == "replacement":
        return ""
    # gb18030 would write what gbk has no character for in four bytes.
    return "gbk" if encoding == "gbk" else CODECS[encoding]


def _reference(error: UnicodeError) -> tuple[str, int]:
    """Write what the encoding lacks as ``&#n;`` in percent escapes, as browsers do."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(character)}%3B" for character in lacking), error.end


_ERRORS: Final = "issuecrawl.address"
codecs.register_error(_ERRORS, _reference)
