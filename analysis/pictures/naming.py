"""What a node is called in a picture: short, on one line, and harmless."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SCHEME: Final = re.compile(r"^https?://(?:www\.)?", re.IGNORECASE)
_LONGEST: Final = 400


def name(node: str, data: Mapping[str, Any]) -> str:
    """Return the label that an edit gave *node*, or its id as people read it.

    >>> name("https://www.xn--bcher-kva.example/a/", {})
    'bücher.example/a'
    """
    if data.get("label"):
        return one_line(str(data["label"]))
    short = _SCHEME.sub("", node).rstrip("/")
    host, slash, path = short.partition("/")
    return one_line(_readable(host) + slash + path) or one_line(node)


def one_line(text: str) -> str:
    r"""Return *text* without what cannot be seen, white space collapsed.

    Marks that turn the direction of writing go too: they would turn what is around.

    >>> one_line("a\x00\n\u202eb")
    'a b'
    """
    visible = (char if char.isprintable() else " " for char in text[:_LONGEST])
    words = "".join(visible).split()
    return "".join(_unpiled(unicodedata.normalize("NFC", " ".join(words))))


def _unpiled(text: str) -> Iterator[str]:
    """Yield *text* with two accents on a letter at most: more would cover others."""
    accents = 0
    for char in text:
        accents = accents + 1 if unicodedata.combining(char) else 0
        if accents <= 2:
            yield char


def _readable(host: str) -> str:
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return host
