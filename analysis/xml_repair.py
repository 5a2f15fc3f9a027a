"""Make XML of what old network files have in its place.

The Issue Crawler's writer, or those who passed its files on, left ampersands bare
(``?id=588&taal=nl``), named no encoding, or put lines before the XML declaration.
"""

from __future__ import annotations

import re
from typing import Final

from analysis.markup import FORBIDDEN

# Up to the end of the file where one is not closed: looking for the end of each of
# many would take time by the square of their number.
_CDATA: Final = r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)"
_AMPERSAND: Final = re.compile(
    rf"(?P<kept>{_CDATA}|&(?:amp|lt|gt|quot|apos);|&\#(?P<code>[0-9]+|x[0-9a-fA-F]+);)|&",
    re.DOTALL,
)
_ANGLE: Final = re.compile(rf"(?P<kept>{_CDATA}|<(?=[A-Za-z/!?]))|<", re.DOTALL)
_DECLARATION: Final = re.compile(r"<\?xml\s[^>]*?\?>")
_ENCODING: Final = re.compile(
    rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)"""
)

LAST_RESORT: Final = "windows-1252"
"""Has a character for nearly every byte, and is what unnamed encodings mostly are."""


def repaired(data: bytes) -> tuple[bytes, list[str]]:
    """Return *data* as UTF-8 XML, and one line for each kind of repair.

    >>> repaired(b'<a b="?x=1&y=2"/>')
    (b'<a b="?x=1&amp;y=2"/>', ['1 bare & was read as &amp;'])
    """
    warnings: list[str] = []
    text = _decoded(data, warnings)
    text = _without_prologue(text, warnings)
    text, count = FORBIDDEN.subn("", text)
    _note(warnings, count, "character{s} that XML has no room for {were} dropped")
    text = _with_ampersands(text, warnings)
    text, count = _escape(_ANGLE, text, "&lt;")
    _note(warnings, count, "bare < {were} read as &lt;")
    return text.encode(), warnings


def _decoded(data: bytes, warnings: list[str]) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    found = _ENCODING.search(data[:1000])
    named = found.group(1).decode() if found else "utf-8"
    try:
        return data.decode(named).removeprefix("\ufeff")
    except (LookupError, UnicodeDecodeError):
        warnings.append(f"the file is not {named}; it was read as {LAST_RESORT}")
        return data.decode(LAST_RESORT, errors="replace")


def _without_prologue(text: str, warnings: list[str]) -> str:
    """Return *text* from its first ``<`` on, and without the XML declaration.

    The encoding that a declaration names is no longer the text's.
    """
    start = max(text.find("<"), 0)
    if text[:start]:
        warnings.append("what stands before the first element was dropped")
    return _DECLARATION.sub("", text[start:], count=1)


def _with_ampersands(text: str, warnings: list[str]) -> str:
    dropped = 0

    def reference(found: re.Match[str]) -> str:
        nonlocal dropped
        code = found["code"]
        if code and FORBIDDEN.match(_character(code)):
            dropped += 1
            return ""
        return found[0]

    text, count = _escape(_AMPERSAND, text, "&amp;")
    _note(warnings, count, "bare & {were} read as &amp;")
    text = _AMPERSAND.sub(reference, text)
    _note(warnings, dropped, "reference{s} to no character of XML {were} dropped")
    return text


def _escape(pattern: re.Pattern[str], text: str, bare: str) -> tuple[str, int]:
    """Put *bare* for each match of *pattern* that is not to be kept."""
    count = 0

    def replace(found: re.Match[str]) -> str:
        nonlocal count
        if found["kept"] is not None:
            return found[0]
        count += 1
        return bare

    return pattern.sub(replace, text), count


def _character(code: str) -> str:
    number = int(code[1:], 16) if code[0] == "x" else int(code[:9])
    return chr(number) if number < 0x110000 else "\0"


def _note(warnings: list[str], count: int, wording: str) -> None:
    if count:
        words = {"s": "s", "were": "were"} if count > 1 else {"s": "", "were": "was"}
        warnings.append(f"{count} {wording.format(**words)}")
