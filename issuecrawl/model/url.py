"""Addresses by the WHATWG URL Standard, and which of them are one page.

An *address* is what is asked of a server; its *identity* says which page that is.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from ada_url import join_url, normalize_url

from issuecrawl.model.public import is_public_host
from issuecrawl.model.suffixes import without_www

__all__ = [
    "Address",
    "better_spelling",
    "identity",
    "identity_of",
    "is_public_host",
    "parse",
    "spelling_order",
]

SCHEMES: Final = frozenset({"http", "https"})

LONGEST_HOST: Final = 253
"""RFC 1035, 2.3.4, as text; the URL Standard has no limit."""

_UNRESERVED: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)
"""RFC 3986, 2.3: the characters whose escapes mean the same as themselves."""

_ESCAPE: Final = re.compile("%[0-9A-Fa-f]{2}")

# In "%%32e" the first sign stands for itself. Decoding %32 would turn it into the
# escape %2e, another address; so an escaped digit right after such a sign stays.
_STRAY: Final = re.compile("%(?![0-9A-Fa-f]{2})")
_AFTER_STRAY: Final = re.compile(
    "(?<=%)%[0-9A-Fa-f]{2}|(?<=%[0-9A-Fa-f])%[0-9A-Fa-f]{2}"
)
_HEX_DIGITS: Final = frozenset("0123456789ABCDEFabcdef")


class Address(NamedTuple):
    """An http(s) address and its parts, as the URL Standard writes them."""

    href: str
    """The address without fragment and credentials; a host's trailing dot is kept,
    since this is what is asked of the server."""

    scheme: str
    host: str
    """ASCII, lower case, without trailing dot; an IPv6 address in brackets."""

    port: str
    """Empty where it is the scheme's default."""

    path: str
    query: str
    """Without ``?``; empty where there is none."""


def parse(url: str, base: str | None = None) -> Address | None:
    """Return the address that *url* (relative to *base*) names; None if none.

    None too for any scheme but http and https, and for hosts that no name server can
    answer for: too long, or ending in an empty label.

    >>> parse("//Bücher.example:80/a/../b?q#f", "http://x.example/").href
    'http://xn--bcher-kva.example/b?q'
    >>> parse("mailto:a@x.example"), parse("http://a b.example/")
    (None, None)
    """
    return split(_href(url, base))


def split(href: str) -> Address | None:
    """Return the parts of *href*, text that the URL Standard's serialiser wrote.

    Such as a :class:`Link`'s target: what is written so need not be parsed again.

    >>> split("http://x.example:81/a?b#c")[2:]
    ('x.example', '81', '/a', 'b')
    """
    scheme, _, rest = href.partition("://")
    if scheme not in SCHEMES:
        return None
    # In a serialised http(s) address the first "/" ends the authority, "@" ends the
    # credentials and "#" begins the fragment: elsewhere the three are escaped, or
    # come later (URL Standard, 4.5).
    rest = rest.partition("#")[0]
    authority, _, tail = rest.partition("/")
    authority = authority.rpartition("@")[2]
    if not authority:
        return None
    path, _, query = tail.partition("?")
    if authority[0] == "[":
        host, _, port = authority.partition("]")
        host, port = f"{host}]", port[1:]
    else:
        host, _, port = authority.partition(":")
    if host[-1] == ".":
        host = host[:-1]
        if not host or host[-1] == ".":
            return None
    if len(host) > LONGEST_HOST:
        return None
    return Address(
        f"{scheme}://{authority}/{tail}", scheme, host, port, f"/{path}", query
    )


def identity(url: str, *, strict: bool = False) -> str | None:
    """Return the identity of the page that *url* names; None if it names none.

    >>> identity("http://www.x.example:80/%7euser?utm_source=mail&id=4#top")
    'https://x.example/~user?id=4'
    >>> identity("http://www.x.example/%7euser?utm_source=mail#top", strict=True)
    'http://www.x.example/%7euser?utm_source=mail'
    """
    address = parse(url)
    return identity_of(address, strict=strict) if address else None


def identity_of(address: Address, *, strict: bool = False) -> str:
    """Return the identity of the page at *address*, itself an address.

    Two addresses with one identity are one page: neither scheme nor ``www.`` nor
    known tracking parameters tell them apart, nor escapes that RFC 3986 (6.2.2)
    calls equivalent. With *strict* all of these do. An identity is its own identity.
    """
    _, scheme, host, port, path, query = address
    if strict:
        port = f":{port}" if port else ""
        return f"{scheme}://{host}{port}{path}{'?' if query else ''}{query}"
    if host.startswith("www."):
        host = without_www(host)
    if port:
        # http on 443 would be written without a port once it is called https.
        port = f":{port}" if port != "443" else ""
    if "%" in path:
        path = _canonical_escapes(path)
    if query:
        if "%" in query:
            query = _canonical_escapes(query)
        query = _without_tracking(query)
        if query:
            return f"https://{host}{port}{path}?{query}"
    return f"https://{host}{port}{path}"


def better_spelling(a: str, b: str) -> str:
    """Return which of two spellings of one page's address is asked first.

    >>> better_spelling("http://x.example/", "https://www.x.example/")
    'https://www.x.example/'
    """
    return min(a, b, key=spelling_order)


def spelling_order(href: str) -> tuple[bool, bool, str]:
    """Return the key that sorts spellings: https, then without ``www.``, then text."""
    scheme, _, rest = href.partition("://")
    return scheme != "https", rest.startswith("www."), href


def _href(url: str, base: str | None) -> str:
    """Return the serialised address, empty if *url* cannot be parsed."""
    try:
        return normalize_url(url) if base is None else join_url(base, url)
    except ValueError:
        scalar = _scalar(url)
        if scalar != url:
            return _href(scalar, base)
        if base is not None and _scalar(base) != base:
            return _href(url, _scalar(base))
        return ""


def _scalar(text: str) -> str:
    """Return *text* with lone surrogates replaced, as a browser does (Infra, 4.7)."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _canonical_escape(found: re.Match[str]) -> str:
    character = chr(int(found[0][1:], 16))
    return character if character in _UNRESERVED else found[0].upper()


def _hidden_escape(found: re.Match[str]) -> str:
    """Hide an escape that has to stay: its sign becomes a character no URL holds."""
    escape = found[0].upper()
    digit = chr(int(escape[1:], 16)) in _HEX_DIGITS
    return f"\0{escape[1:]}" if digit else escape


def _canonical_escapes(text: str) -> str:
    if not _STRAY.search(text):
        return _ESCAPE.sub(_canonical_escape, text)
    text = _AFTER_STRAY.sub(_hidden_escape, text)
    return _ESCAPE.sub(_canonical_escape, text).replace("\0", "%")


@cache
def _tracking() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names of tracking parameters, and the beginnings of names."""
    data = files("issuecrawl.model").joinpath("data", "tracking.txt")
    lines = data.read_text(encoding="utf-8").splitlines()
    names = {line for line in lines if line and not line.startswith("#")}
    beginnings = tuple(sorted(name[:-1] for name in names if name.endswith("*")))
    return frozenset(names), beginnings


def _without_tracking(query: str) -> str:
    names, beginnings = _tracking()
    kept = []
    dropped = False
    for parameter in query.split("&"):
        name = parameter.partition("=")[0].lower()
        if name in names or name.startswith(beginnings):
            dropped = True
        else:
            kept.append(parameter)
    return "&".join(kept) if dropped else query
