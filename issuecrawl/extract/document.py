"""Reading a page: its title, its links and what it asks of robots.

Links come from ``a`` (SVG's too), ``area``, ``frame``, ``iframe``, ``link`` elements
of the recorded types, and ``meta`` refresh. The page is read as a browser without
scripts reads it: what stands in ``noscript`` counts; what stands in comments, scripts,
``template`` and ``textarea`` does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from issuecrawl.extract import charset
from issuecrawl.extract.address import Resolver
from issuecrawl.extract.links import SELECTOR, Collector, late_encoding
from issuecrawl.extract.mime import HTML, XHTML, media_type
from issuecrawl.extract.nesting import affordable
from issuecrawl.extract.scripted import needs_javascript

if TYPE_CHECKING:
    from issuecrawl.model.link import Link

_EMPTY_ELEMENT: Final = re.compile(
    rb"<(script|style|title|textarea|iframe|noscript|noframes|template|object|select"
    rb"|a|div|span|p|ul|ol|li|td|th)((?:[\t\n\r ][^<>]*)?)/>"
)
"""In XML these may be empty; an HTML parser reads on for their end tags."""


@dataclass(slots=True)
class Document:
    """What a body is and holds."""

    title: str = ""
    """White space collapsed, no control characters, at most 500 characters."""

    links: list[Link] = field(default_factory=list)
    """In document order, repeated ones included; http and https only."""

    refresh: str = ""
    """Address that a ``meta`` refresh of at most 5 s leads to: a redirect. A refresh
    that leads to the page itself is none."""

    nofollow: bool = False
    """The page asks robots not to follow its links."""

    encoding: str = ""
    """Name by the Encoding Standard; '' where no text was read."""

    content_type: str = ""
    """What the body is taken for; links are read from HTML and XHTML."""

    unparsable: int = 0
    """References that no URL parser accepts, and that are no links therefore."""

    overlong: int = 0
    """References left out because their addresses are too long."""

    scripted: bool = False
    """It shows signs of having its content put in by a script."""

    cut: bool = False
    """The page ends where reading on would have taken too long."""


def read(body: bytes, url: str, content_type: str = "") -> Document:
    """Return what *body*, the answer of *url*, holds; never raises for any of it.

    *content_type* is the value of the HTTP header.
    """
    kind = media_type(body, content_type)
    if kind not in {HTML, XHTML}:
        return Document(content_type=kind)
    encoding, html, guessed = charset.decode(body, content_type)
    kept = affordable(html)
    tree = _parse(kept, kind)
    nodes = tree.css(SELECTOR)
    if guessed:
        declared = late_encoding(nodes)
        if declared and declared != encoding:
            encoding = declared
            if not body.isascii():
                html = charset.decode_as(body, encoding)
                kept = affordable(html)
                tree = _parse(kept, kind)
                nodes = tree.css(SELECTOR)
    resolver = Resolver(url, encoding)
    collector = Collector(resolver)
    collector.collect(nodes)
    return Document(
        title=collector.title or "",
        links=collector.links,
        refresh=collector.refresh,
        nofollow=collector.nofollow,
        encoding=encoding,
        content_type=kind,
        unparsable=resolver.unparsable,
        overlong=resolver.overlong,
        scripted=needs_javascript(tree, collector.links),
        cut=len(kept) < len(html),
    )


def _parse(html: bytes, kind: str) -> LexborHTMLParser:
    if kind == XHTML:
        html = _EMPTY_ELEMENT.sub(rb"<\1\2></\1>", html)
    return LexborHTMLParser(html)
