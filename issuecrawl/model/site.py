"""The site that a page belongs to, and whose voice it is.

What a site is decides what a network shows, so it is asked here and nowhere else.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.suffixes import (
    HOSTS_REMEMBERED,
    is_ip,
    registrable,
    without_www,
)
from issuecrawl.model.url import identity_of, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from issuecrawl.model.url import Address

By = Literal["host", "domain"]

HEADERS: Final = frozenset({"prefix", "url", "url prefix"})
"""First fields that make the first line of a rules file its header."""


_BORDER: Final = re.compile("[/?&]")


@dataclass(frozen=True, slots=True)
class Site:
    """An actor: what the pages of one host, domain or rule have in common."""

    key: str
    """Tells sites apart: a host, a domain, or the name of a rule."""

    name: str
    """As the rule says; empty where none applies."""

    category: str
    """Last label of the host in upper case; empty for an IP address or one label."""

    voter: str
    """Whose voice its links are: a registrable domain, the host if it has none, or
    the rule's site."""

    home: str
    """First prefix of the rule; empty where none applies."""


class Sites:
    """From address to site: by host or by domain, and by rules above both.

    A rule is a URL prefix and the site's name. Prefixes are compared on identity,
    the longest first, and end at a border: ``/``, ``?`` or the end of the address
    (``&`` too in a prefix that has a query).

    >>> sites = Sites(rules=[("https://social.example/ann", "Ann")])
    >>> sites.of(parse("http://www.social.example/ann?page=2")).key
    'Ann'
    >>> sites.of(parse("http://blog.social.example/anna"))
    Site(key='blog.social.example', name='', category='EXAMPLE', \
voter='social.example', home='')
    """

    def __init__(self, by: By = "host", rules: Sequence[tuple[str, str]] = ()) -> None:
        if by not in {"host", "domain"}:
            raise ConfigurationError.of("ISSUECRAWL_SITE", by, "host or domain")
        self.by = by
        self._named: dict[str, Site] = {}
        self._prefixes: dict[str, Site] = {}
        self._hosts: set[str] = set()
        for prefix, name in rules:
            self._add_rule(prefix, name)
        self._of_host = lru_cache(HOSTS_REMEMBERED)(self._site_of_host)

    def of(self, address: Address) -> Site:
        """Return the site of the page at *address*."""
        if self._hosts and without_www(address.host) in self._hosts:
            for beginning in _beginnings(identity_of(address)):
                site = self._prefixes.get(beginning)
                if site is not None:
                    return site
        return self._of_host(address.host)

    def _site_of_host(self, host: str) -> Site:
        domain = registrable(host)
        key = domain or host if self.by == "domain" else without_www(host)
        # A rule may give pages on a platform to the site of a host: one actor.
        return self._named.get(key) or Site(
            key=key, name="", category=_category(host), voter=domain or host, home=""
        )

    def _add_rule(self, prefix: str, name: str) -> None:
        address = _parse_prefix(prefix)
        if address is None or not name:
            raise ConfigurationError.of(
                "ISSUECRAWL_SITES",
                f"{prefix},{name}",
                "rules of an http(s) address and the name of a site",
            )
        site = self._named.get(name)
        if site is None:
            site = Site(name, name, _category(address.host), name, address.href)
            self._named[name] = site
        # "/" at the end is the border, so that /ann/ and /ann are one prefix.
        beginning = identity_of(address).removesuffix("/")
        if self._prefixes.setdefault(beginning, site) is not site:
            raise ConfigurationError.of(
                "ISSUECRAWL_SITES",
                prefix,
                f"one site for a prefix, not {self._prefixes[beginning].key} and {name}",
            )
        self._hosts.add(without_www(address.host))


def read_rules(text: str) -> list[tuple[str, str]]:
    r"""Return the rules of a file: on each line a URL prefix and a site's name.

    Between the two stands a tab, ``->`` or a comma (quotes as in CSV). Empty lines,
    lines that begin with ``#`` and a header are passed over.

    >>> read_rules("# ours\nhttps://social.example/ann -> Ann")
    [('https://social.example/ann', 'Ann')]
    """
    rules: list[tuple[str, str]] = []
    header_allowed = True
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = [field.strip() for field in _fields(line)]
        is_header = header_allowed and fields[0].lower() in HEADERS
        header_allowed = False
        if is_header:
            continue
        if len(fields) != 2 or not all(fields) or _parse_prefix(fields[0]) is None:
            raise ConfigurationError(
                f"ISSUECRAWL_SITES: line {number} of the file cannot be used;"
                " expected an http(s) address, a comma, a tab or ->, and a name"
            )
        rules.append((fields[0], fields[1]))
    return rules


def _fields(line: str) -> list[str]:
    for separator in ("\t", "->"):
        if separator in line:
            return line.split(separator, 1)
    try:
        return next(csv.reader([line], skipinitialspace=True))
    except csv.Error:
        return [line]


def _parse_prefix(prefix: str) -> Address | None:
    """Return the address of a rule's prefix, which may lack its scheme.

    None where it has a fragment: without it the prefix would say more than is meant.
    """
    if "#" in prefix:
        return None
    return parse(prefix if "://" in prefix else f"https://{prefix}")


def _beginnings(identity: str) -> Iterator[str]:
    """Yield *identity*, and what lies before each of its borders, the longest first.

    >>> list(_beginnings("https://x.example/a/b?c"))
    ['https://x.example/a/b?c', 'https://x.example/a/b', \
'https://x.example/a', 'https://x.example']
    """
    yield identity
    borders = [found.start() for found in _BORDER.finditer(identity, len("https://"))]
    query = identity.find("?")
    for border in reversed(borders):
        if identity[border] != "&" or -1 < query < border:
            yield identity[:border]


def _category(host: str) -> str:
    if is_ip(host) or "." not in host:
        return ""
    return host.rpartition(".")[2].upper()
