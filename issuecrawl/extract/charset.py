"""The character set of a page, found the way browsers find it.

In the order of the HTML Standard, "determining the character encoding": byte order
mark; ``charset`` of the HTTP header; a ``meta`` element (or XML declaration) in the
first 1,024 bytes. A page that declares nothing there is UTF-8 if its bytes are, else
windows-1252; that is a guess, and a ``meta`` further down overrules it, as browsers
then read the page again. No statistics are used: they cost milliseconds a page and
change titles and anchor texts only, since nearly all addresses are ASCII.
"""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

from issuecrawl.extract.labels import CODECS, encoding_of

_PRESCAN: Final = 1024
"""Bytes searched for a declaration before the page is parsed."""

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
)
_HEADER_CHARSET: Final = re.compile(
    r';[\t\n\r ]*charset=(?:"([^"]*)"|([^\t\n\r ;,"]+))', re.IGNORECASE
)
_CONTENT_CHARSET: Final = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*"
    r"""(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))""",
    re.IGNORECASE,
)
_XML_ENCODING: Final = re.compile(
    rb"""<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*["']([^"'\x00-\x20]+)["']"""
)
_TAG: Final = re.compile(
    rb"<!--(?:-?>|.*?(?:-->|\Z))"
    rb"|(?P<tag><(?:(?P<meta>meta(?=[\t\n\f\r /]))|/?[a-z][^\t\n\f\r >]*))"
    rb"|<[!/?][^>]*",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    rb"[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*"
    rb"""(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >]*)))?"""
)


class Text(NamedTuple):
    encoding: str
    """Name by the Encoding Standard, in lower case."""

    html: bytes
    """In UTF-8."""

    guessed: bool
    """Nothing declared the encoding: a later ``meta`` may."""


def decode(body: bytes, content_type: str) -> Text:
    """Return the text of *body*, sent with the HTTP header *content_type*."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return Text(encoding, decode_as(body[len(mark) :], encoding), guessed=False)
    label = _HEADER_CHARSET.search(content_type)
    encoding = encoding_of(label[1] or label[2] or "") if label else ""
    encoding = encoding or _prescan(body[:_PRESCAN])
    if encoding:
        return Text(encoding, decode_as(body, encoding), guessed=False)
    if _is_utf8(body):
        return Text("utf-8", body, guessed=True)
    return Text("windows-1252", decode_as(body, "windows-1252"), guessed=True)


def decode_as(body: bytes, encoding: str) -> bytes:
    """Return *body*, read as *encoding*, in UTF-8; what is not in it is U+FFFD.

    An encoding of the class "replacement" (iso-2022-kr, hz-gb-2312) is not read, as
    in browsers: it can smuggle markup past whoever takes it for ASCII.
    """
    if encoding == "utf-8" and _is_utf8(body):
        return body
    if encoding == "replacement":
        return "\ufffd".encode()
    return body.decode(CODECS[encoding], _ERRORS).encode()


def declared(charset: str | None, http_equiv: str, content: str) -> str:
    """Return the encoding that a ``meta`` element with these attributes declares.

    A page whose ``meta`` could be read as ASCII is not UTF-16, so that means UTF-8.
    """
    label = charset
    if label is None and http_equiv.lower() == "content-type":
        found = _CONTENT_CHARSET.search(content)
        label = (found[1] or found[2] or found[3]) if found else None
    encoding = encoding_of(label or "")
    if encoding.startswith("utf-16"):
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding


def _prescan(head: bytes) -> str:
    at = 0
    while tag := _TAG.search(head, at):
        at = tag.end()
        if not tag["tag"]:
            continue
        values: dict[bytes, str] = {}
        while attribute := _ATTRIBUTE.match(head, at):
            at = attribute.end()
            value = attribute[2] or attribute[3] or attribute[4] or b""
            values.setdefault(attribute[1].lower(), value.decode("latin-1"))
        if tag["meta"]:
            encoding = declared(
                values.get(b"charset"),
                values.get(b"http-equiv", ""),
                values.get(b"content", ""),
            )
            if encoding:
                return encoding
    return _xml_declaration(head)


def _xml_declaration(head: bytes) -> str:
    if head.startswith(b"<\0?\0x\0"):
        return "utf-16le"
    if head.startswith(b"\0<\0?\0x"):
        return "utf-16be"
    found = _XML_ENCODING.match(head)
    return declared(found[1].decode("latin-1"), "", "") if found else ""


def _is_utf8(body: bytes) -> bool:
    if body.isascii():
        return True
    try:
        # Not final: a body cut off at the size limit may end within a character.
        _, read = codecs.utf_8_decode(body, "strict", False)  # noqa: FBT003
    except UnicodeDecodeError:
        return False
    return read == len(body) or len(body) - read < 4


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Decode what Python's codecs refuse and the Encoding Standard's do not."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    byte = error.object[error.start]
    if error.encoding == "charmap" and byte < 0xA0:
        return chr(byte), error.start + 1
    if error.encoding == "gb18030" and byte == 0x80:
        return "€", error.start + 1
    return "\ufffd", error.end


_ERRORS: Final = "issuecrawl.charset"
codecs.register_error(_ERRORS, _replace)
