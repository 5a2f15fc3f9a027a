"""Registrable domains by the Public Suffix List, from the snapshot shipped here.

The list changes what a site is (``blogspot.ru`` was a public suffix until 2026), so
its date goes into every crawl's record. See https://publicsuffix.org/list/.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from publicsuffixlist import PublicSuffixList

HOSTS_REMEMBERED: Final = 1 << 15

_VERSION: Final = re.compile(r"^// VERSION: (\d{4}-\d\d-\d\d)", re.MULTILINE)


@cache
def _text() -> str:
    data = files("issuecrawl.model").joinpath("data", "public_suffix_list.dat")
    return data.read_text(encoding="utf-8")


@cache
def _suffixes(*, only_icann: bool) -> PublicSuffixList:
    return PublicSuffixList(_text(), only_icann=only_icann)


def is_ip(host: str) -> bool:
    """Tell whether *host*, as the URL Standard writes it, is an IP address.

    The standard takes every host that ends in a number for an IPv4 address.

    >>> is_ip("127.0.0.1"), is_ip("[::1]"), is_ip("x.example")
    (True, True, False)
    """
    return host.startswith("[") or host.rpartition(".")[2].isdecimal()


@lru_cache(HOSTS_REMEMBERED)
def registrable(host: str) -> str | None:
    """Return the registrable domain of *host*, users of a platform told apart.

    None for a public suffix itself, a single label and an IP address. Below an
    unknown top-level domain it is the last two labels (the list's rule ``*``).

    >>> registrable("news.bbc.co.uk"), registrable("alice.github.io")
    ('bbc.co.uk', 'alice.github.io')
    >>> registrable("co.uk"), registrable("intranet"), registrable("[2001:db8::1]")
    (None, None, None)
    """
    return None if is_ip(host) else _suffixes(only_icann=False).privatesuffix(host)


@lru_cache(HOSTS_REMEMBERED)
def registrable_icann(host: str) -> str | None:
    """Return the domain of *host* that was bought from a registry.

    All users of a platform share one, as they share its servers.

    >>> registrable_icann("alice.github.io")
    'github.io'
    """
    return None if is_ip(host) else _suffixes(only_icann=True).privatesuffix(host)


@lru_cache(HOSTS_REMEMBERED)
def without_www(host: str) -> str:
    """Return *host* without ``www.``, unless that leaves a bare public suffix.

    >>> without_www("www.x.example"), without_www("www.org"), without_www("www.co.uk")
    ('x.example', 'www.org', 'www.co.uk')
    """
    # Again and again: www.www.x.example is one with www.x.example, which is one
    # with x.example.
    while host.startswith("www.") and registrable(host[4:]):
        host = host[4:]
    return host


@cache
def version() -> str:
    """Return the date of the list, ``YYYY-MM-DD``."""
    found = _VERSION.search(_text())
    return found[1] if found else "unknown"
