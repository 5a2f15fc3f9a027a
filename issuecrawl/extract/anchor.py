"""The text of a link, as a visitor sees it."""

# ruff: noqa: SIM905 - lists of words are easiest to read and amend as words
from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_ANCHOR: Final = 200
MAX_TITLE: Final = 500

_HIDDEN: Final = frozenset(
    "script style template title desc metadata defs iframe noembed noframes textarea "
    "select object video audio".split()
)
"""Elements whose text is not shown, or not as text of the link."""

_APART: Final = frozenset(
    "address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 "
    "h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split()
)
"""Elements that stand on a line of their own, so that words do not run together."""

_CONTROLS: Final = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])


def collapse(text: str, limit: int) -> str:
    r"""Return *text* on one line, without control characters, cut at *limit*.

    >>> collapse(" a\n\x1b b ", 200)
    'a b'
    """
    text = " ".join(text.split())
    if not text.isprintable():
        text = " ".join(text.translate(_CONTROLS).split())
    return text if len(text) <= limit else text[:limit].rstrip()


def anchor(link: LexborNode) -> str:
    """Return the visible text of *link*, else what its images stand for."""
    first = link.first_child
    if first is None:
        return ""
    if first.tag == "-text" and first.next is None:
        return collapse(first.text(), MAX_ANCHOR)
    texts, images = _walk(first)
    return collapse("".join(texts), MAX_ANCHOR) or collapse(
        " ".join(images), MAX_ANCHOR
    )


def is_link(node: LexborNode) -> bool:
    """Return whether *node*, an ``a`` element, leads anywhere."""
    attributes = node.attributes
    return "href" in attributes or "xlink:href" in attributes


def _walk(first: LexborNode) -> tuple[list[str], list[str]]:
    """Return the texts of *first* and its later siblings, and what images say there.

    Ends once there is enough text. The text of a link within the link (which markup
    can do by way of ``object`` or SVG) is left to that one; so nothing is read twice.
    """
    texts: list[str] = []
    images: list[str] = []
    length = 0
    waiting: list[LexborNode | None] = [first]
    while waiting and length <= MAX_ANCHOR:
        node = waiting.pop()
        if node is None:  # the end of an element that stands apart
            texts.append(" ")
            continue
        following = node.next
        if following is not None:
            waiting.append(following)
        tag = node.tag
        if tag == "-text":
            text = node.text()
            texts.append(text)
            length += len(text.strip())
        elif tag == "img":
            images.append(node.attributes.get("alt") or "")
        elif tag == "title":
            images.append(node.text())
        elif tag not in _HIDDEN and not (tag == "a" and is_link(node)):
            if tag in _APART:
                texts.append(" ")
                waiting.append(None)
            child = node.first_child
            if child is not None:
                waiting.append(child)
    return texts, images
