"""What an answer is: by its Content-Type, and by its first bytes.

Links are read from HTML alone. A header that says HTML is not believed where the
first bytes are those of a known file format or feed (browsers do believe it for a
PDF; a reader of links gains nothing by that). A header that says anything else is
believed, except that ``application/octet-stream``, an unusable header and none are
looked behind: HTML found there is read. The patterns are the MIME Sniffing
Standard's, and those of some formats that it has no need to know.
"""

from __future__ import annotations

import re
from typing import Final

HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
_UNKNOWN: Final = "application/octet-stream"

_UNSURE: Final = frozenset({_UNKNOWN, "unknown/unknown", "application/unknown", "*/*"})
_XHTML_TYPES: Final = frozenset({XHTML, "application/vnd.wap.xhtml+xml"})
_XML_TYPES: Final = frozenset({"text/xml", "application/xml"})

_SNIFFED: Final = 1024
"""Bytes looked at; browsers look at 1,445 of them at most."""

_SIGNATURES: Final = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"8BPS", "image/vnd.adobe.photoshop"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"BZh91AY&SY", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"OggS\0", "application/ogg"),
    (b"fLaC", "audio/flac"),
    (b"ID3\x02", "audio/mpeg"),
    (b"ID3\x03", "audio/mpeg"),
    (b"ID3\x04", "audio/mpeg"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"FLV\x01", "video/x-flv"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x7fELF", "application/x-executable"),
    (b"MZ\x90\0", "application/x-msdownload"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
)
_RIFF: Final = {
    b"WEBP": "image/webp",
    b"WAVE": "audio/wave",
    b"AVI ": "video/avi",
}
_TAG: Final = re.compile(
    rb"<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body"
    rb"|br|p|meta|link|base|frameset|nav|main|header|ul|center|form)[\t\n\f\r >/]",
    re.IGNORECASE,
)
_PROLOG: Final = re.compile(
    rb"(?:[\t\n\f\r ]+|<!--.*?-->|<\?.*?\?>|<!doctype[^>\[]*(?:\[[^\]]*\])?[^>]*>)*",
    re.IGNORECASE | re.DOTALL,
)
_FEEDS: Final = (
    (re.compile(rb"<rss[\t\n\f\r >]", re.IGNORECASE), "application/rss+xml"),
    (re.compile(rb"<feed[\t\n\f\r >]", re.IGNORECASE), "application/atom+xml"),
    (re.compile(rb"<rdf:RDF[\t\n\f\r >]"), "application/rdf+xml"),
    (re.compile(rb"<(?:urlset|sitemapindex)[\t\n\f\r >]"), "application/xml"),
)
_WIDE: Final = re.compile(rb"\xff\xfe|\xfe\xff|<\0|\0<")
"""Start of a page in UTF-16."""

_BINARY: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BINARY_SHARE: Final = 0.1
"""Of control characters in what calls itself HTML, above which it is something else."""


def media_type(body: bytes, content_type: str) -> str:
    """Return what *body* is taken for; only :data:`HTML` and :data:`XHTML` are pages.

    >>> media_type(b"%PDF-1.7 ...", "text/html")
    'application/pdf'
    """
    essence = re.split("[;,]", content_type, maxsplit=1)[0].strip().lower()
    head = body[:_SNIFFED]
    if "/" not in essence or essence in _UNSURE:
        return _sniff(head)
    if essence == HTML:
        if _TAG.match(head):
            return HTML
        return _signature(head) or _feed(head) or _if_text(head, content_type)
    if essence in _XHTML_TYPES:
        return _signature(head) or XHTML
    if essence in _XML_TYPES:
        return XHTML if _root_is_html(head) else essence
    if essence == "text/plain":
        return _signature(head) or essence
    return essence


def _sniff(head: bytes) -> str:
    if known := _signature(head) or _feed(head):
        return known
    start = _skip_mark(head)
    if _TAG.match(start) or start.startswith(b"<!--"):
        return HTML
    if start.startswith(b"<?xml"):
        return XHTML if _root_is_html(head) else "text/xml"
    return _UNKNOWN if _BINARY.search(head) else "text/plain"


def _signature(head: bytes) -> str:
    start = head.lstrip(b"\t\n\f\r ")
    if start.startswith(b"RIFF"):
        return _RIFF.get(start[8:12], "")
    if start[4:8] == b"ftyp":
        return "video/mp4"
    return next((name for sign, name in _SIGNATURES if start.startswith(sign)), "")


def _feed(head: bytes) -> str:
    root = _root(head)
    return next((name for tag, name in _FEEDS if tag.match(root)), "")


def _root_is_html(head: bytes) -> bool:
    return _root(head)[:5].lower() == b"<html"


def _root(head: bytes) -> bytes:
    start = _skip_mark(head)
    prolog = _PROLOG.match(start)
    return start[prolog.end() :] if prolog else start


def _skip_mark(head: bytes) -> bytes:
    """Return *head* as ASCII without byte order mark and leading white space."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head[2:].replace(b"\0", b"")
    return head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\t\n\f\r ")


def _if_text(head: bytes, content_type: str) -> str:
    """Return HTML unless *head* is full of bytes that no text has."""
    if b"\0" in head and (_WIDE.match(head) or "utf-16" in content_type.lower()):
        return HTML
    binary = len(_BINARY.findall(head))
    return _UNKNOWN if binary > len(head) * _BINARY_SHARE else HTML
