"""Pages that would take a parser hours, by accident or on purpose.

The HTML Standard's parsing is quadratic in three ways, which browsers escape by limits
of their own: many steps walk up all open elements; formatting elements that were never
closed (``<font color=…>``) are made again in each paragraph; and each attribute of a
tag is compared with those before it. Five megabytes of ``<div>`` take lexbor half an
hour, 130 kB of ``<font>`` and ``<p>`` half a minute and gigabytes. Such a page is read
as far as is cheap. This is an estimate from the tags alone: it stops what is common,
not everything that could be made up.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Final

MAX_STEPS: Final = 400_000_000
"""Sum over all tags of how many elements are open: some seconds of a parser.
28,000 nested elements reach it, a page of 100,000 tags in 50 levels has 5,000,000."""

MAX_REMADE: Final = 1_000_000
"""Formatting elements made again; each takes about 100 bytes."""

MAX_ATTRIBUTES: Final = 5_000
"""Of one tag."""

# What is below all of these is not looked at any further.
_SMALL: Final = 25_000
"""Bytes of a page."""
_FEW: Final = 4_000
"""Tags of a page."""
_MANY: Final = 30_000
"""Tags from which on open elements are counted; before, only what is never closed."""
_FEW_FORMATS: Final = 200
"""Different formatting tags."""

_ARK: Final = 3
"""Of equal formatting elements, at most so many are made again ("Noah's Ark")."""

_LONG: Final = 40_000
"""Bytes of a tag up to which its attributes do no harm."""
_LONG_TAG: Final = re.compile(rb"<[a-zA-Z][^<>]{%d,}" % _LONG)
_ATTRIBUTE: Final = re.compile(
    rb"[\t\n\f\r /]+[^\t\n\f\r />=]+"
    rb"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|[^\t\n\f\r >]*))?"""
)
_FORMATS: Final = frozenset(
    b"b big code em font i nobr s small strike strong tt u".split()
)
# Without IGNORECASE, which keeps the search from jumping from one "<" to the next.
_FORMAT_TAG: Final = re.compile(
    b"<(?:"
    + b"|".join(
        b"".join(b"[%c%c]" % (letter, letter - 32) for letter in name)
        for name in sorted(_FORMATS)
    )
    + rb")(?=[\t\n\f\r />])[^>]*"
)
_TAG: Final = re.compile(rb"<(/?)([a-zA-Z][^\t\n\f\r />]*)([^>]*)")

# Void elements, and those that never nest.
_FLAT: Final = frozenset(
    b"a area base br button col embed hr img input link meta param source track wbr "
    b"html head body".split()
)
_CELLS: Final = frozenset([b"td", b"th"])
_MARKERS: Final = _CELLS | {b"caption", b"object", b"applet", b"marquee", b"template"}
"""Elements at whose end formatting within is forgotten."""


def _closers() -> dict[bytes, frozenset[bytes]]:
    """Return which open elements a start tag closes, if they are the innermost."""
    cells = _CELLS | {b"p"}
    items = {b"li": frozenset([b"p", b"li"]), b"option": frozenset([b"option"])}
    items |= {b"select": frozenset([b"option", b"optgroup", b"select"])}
    items |= dict.fromkeys([b"dt", b"dd"], frozenset([b"p", b"dt", b"dd"]))
    items |= dict.fromkeys(_CELLS, cells)
    items |= {b"tr": cells | {b"tr"}}
    bodies = frozenset([b"tbody", b"thead", b"tfoot"])
    return items | dict.fromkeys(bodies, cells | {b"tr"} | bodies)


_CLOSERS: Final = _closers()
_PARAGRAPH: Final = frozenset([b"p"])


def affordable(html: bytes) -> bytes:
    """Return *html*, up to where reading it would cost too much."""
    if len(html) <= _SMALL:
        return html
    if _has_long_tag(html):
        for tag in _LONG_TAG.finditer(html):
            if sum(1 for _ in _ATTRIBUTE.finditer(tag[0])) > MAX_ATTRIBUTES:
                html = html[: tag.start()]
                break
    tags = html.count(b"<")
    if tags <= _FEW:
        return html
    if tags <= _MANY and len(set(_FORMAT_TAG.findall(html))) <= _FEW_FORMATS:
        return html
    return html[: _end(html)]


def _has_long_tag(html: bytes) -> bool:
    """Return whether a tag may be of twice :data:`_LONG` bytes or more."""
    return any(
        html.find(b"<", start, start + _LONG) < 0
        for start in range(0, len(html) - _LONG, _LONG)
    )


def _end(html: bytes) -> int:
    steps = remade = 0
    tree = _Tree()
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _FORMATS:
            tree.format(name, tag[3], closes=bool(tag[1]))
        elif tag[1]:
            tree.close(name)
        elif name not in _FLAT:
            tree.open(name, tag[3])
        steps += tree.depth
        if tree.unclosed > _FEW_FORMATS:
            remade += tree.unclosed
        if steps > MAX_STEPS or remade > MAX_REMADE:
            return tag.start()
    return len(html)


class _Formats:
    """Formatting elements not closed yet, since the last marker."""

    def __init__(self) -> None:
        self.count = 0
        self.lists: defaultdict[bytes, list[bytes]] = defaultdict(list)
        self.equal: Counter[bytes] = Counter()


class _Tree:
    """The open elements of a page, roughly: enough to tell how many there are."""

    def __init__(self) -> None:
        self.depth = 0
        self._names: list[bytes] = []
        self._within: list[int] = [0]
        """How many formatting elements are open within each, and outside of all."""
        self._opened: Counter[bytes] = Counter()
        self._formats = [_Formats()]

    @property
    def unclosed(self) -> int:
        return self._formats[-1].count

    def open(self, name: bytes, attributes: bytes) -> None:
        # Drawings close their elements so; in HTML the slash means nothing.
        if attributes.endswith(b"/") and self._opened[b"svg"]:
            return
        closed = _CLOSERS.get(name, _PARAGRAPH)
        while self._names and self._names[-1] in closed:
            self._pop()
        self._names.append(name)
        self._within.append(0)
        self._opened[name] += 1
        self.depth += 1
        if name in _MARKERS:
            self._formats.append(_Formats())

    def close(self, name: bytes) -> None:
        if self._opened[name]:
            while self._pop() != name:
                pass

    def _pop(self) -> bytes:
        name = self._names.pop()
        self.depth -= 1 + self._within.pop()
        self._opened[name] -= 1
        if name in _MARKERS:
            self._formats.pop()
        return name

    def format(self, name: bytes, attributes: bytes, *, closes: bool) -> None:
        if not closes:
            self._within[-1] += 1
            self.depth += 1
        elif self._within[-1]:
            self._within[-1] -= 1
            self.depth -= 1
        formats = self._formats[-1]
        listed = formats.lists[name]
        if closes and listed:
            formats.equal[listed.pop()] -= 1
            formats.count -= 1
        elif not closes and formats.equal[name + attributes] < _ARK:
            formats.equal[name + attributes] += 1
            formats.count += 1
            listed.append(name + attributes)
