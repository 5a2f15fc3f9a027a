"""Addresses that are left out of a network because everybody links to them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import unescape
from importlib.resources import files
from typing import TYPE_CHECKING, Final
from urllib.parse import quote as percent_encode

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.suffixes import HOSTS_REMEMBERED
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from issuecrawl.model.url import Address

SUBSTRING: Final = "substring:"

ACCEPTED: Final = (
    "a host such as share.example, or part of an address with / or ? in it or"
    f" {SUBSTRING} before it"
)

_COMMENT: Final = re.compile(r"(?:^|\s)#.*")
_VERSION: Final = re.compile(r"^# version: (\S+)", re.MULTILINE)
_OLD_ENTRY: Final = re.compile(r"<ExcludeSubstring>(.*?)</ExcludeSubstring>", re.DOTALL)


class Exclusions:
    """Entries to judge addresses by.

    An entry that looks like a host matches it and its subdomains, on any port;
    ``*.`` or a dot before it changes nothing. One that begins with ``www.`` matches
    the host without it as well, since the two are one page. One with ``/`` or ``?``
    in it, a dot at its end, or ``substring:`` before it matches anywhere in the
    address as the URL Standard writes it, in any case.

    >>> exclusions = Exclusions(["share.example", "/login?"])
    >>> exclusions.matches("http://www.Share.example:8080/x")
    'share.example'
    >>> exclusions.matches("https://x.example/Login?next=/")
    '/login?'
    >>> exclusions.matches("http://notshare.example/?u=http://share.example/")
    """

    def __init__(self, entries: Iterable[str], *, quote: bool = True) -> None:
        """With *quote* off no error shows an entry: it may come from a file."""
        self._hosts: dict[str, str] = {}
        self._bare: dict[str, str] = {}
        self._substrings: list[tuple[str, str]] = []
        for entry in dict.fromkeys(entries):
            if not self._add(entry):
                value = entry if quote else "(an entry of the list)"
                raise ConfigurationError.of("exclude", value, ACCEPTED)
        self._host_entry = lru_cache(HOSTS_REMEMBERED)(self._find_host_entry)

    def matches(self, address: Address | str) -> str | None:
        """Return the entry that excludes *address*; None if none does.

        Host entries are tried first, the most special one first, then substrings in
        the order given. What is no http(s) address matches nothing.
        """
        parsed = parse(address) if isinstance(address, str) else address
        if parsed is None:
            return None
        entry = self._host_entry(parsed.host)
        if entry is not None or not self._substrings:
            return entry
        text = parsed.href.lower()
        return next((entry for part, entry in self._substrings if part in text), None)

    def _find_host_entry(self, host: str) -> str | None:
        if host in self._bare:
            return self._bare[host]
        found = (self._hosts.get(domain) for domain in _domains(host))
        return next((entry for entry in found if entry is not None), None)

    def _add(self, entry: str) -> bool:
        """Take *entry* in; False if it cannot be used."""
        text = entry.strip()
        if is_substring(text):
            part = _as_written(text.removeprefix(SUBSTRING)).lower()
            # Every address has these: the entry would exclude the whole web.
            if part in "http://" or part in "https://":
                return False
            self._substrings.append((part, entry))
            return True
        host = _host(text)
        if host is None:
            return False
        self._hosts.setdefault(host, entry)
        if host.startswith("www."):
            self._bare.setdefault(host[4:], entry)
        return True


def is_substring(entry: str) -> bool:
    """Tell whether *entry* matches anywhere in an address, not just a host.

    >>> is_substring("t.co"), is_substring("www.google."), is_substring("/share?")
    (False, True, True)
    """
    return (
        entry.startswith(SUBSTRING)
        or entry.endswith(".")
        or "/" in entry
        or "?" in entry
    )


def read_exclusions(text: str) -> list[str]:
    r"""Return the entries of a list: one a line, ``#`` begins a comment.

    The exclusion list of an IssueNetwork file is found too; the Issue Crawler took
    every entry for a substring.

    >>> read_exclusions("# ours\nshare.example  # buttons\n")
    ['share.example']
    """
    old = _OLD_ENTRY.findall(text)
    if old:
        return as_substrings(unescape(entry) for entry in old)
    lines = text.removeprefix("\ufeff").splitlines()
    entries = (_COMMENT.sub("", line).strip() for line in lines)
    return list(dict.fromkeys(entry for entry in entries if entry))


def as_substrings(entries: Iterable[str]) -> list[str]:
    """Return *entries* of an old list, marked as the substrings that they are.

    >>> as_substrings(["microsoft.com", "www.google."])
    ['substring:microsoft.com', 'www.google.']
    """
    stripped = (entry.strip() for entry in entries)
    return [
        entry if is_substring(entry) else f"{SUBSTRING}{entry}"
        for entry in dict.fromkeys(stripped)
        if entry
    ]


@cache
def default_exclusions() -> tuple[str, ...]:
    """Return the entries of the list that is shipped with the program."""
    return tuple(read_exclusions(_default_text()))


@cache
def default_version() -> str:
    """Return the date of the list that is shipped, ``YYYY-MM-DD``."""
    found = _VERSION.search(_default_text())
    return found[1] if found else "unknown"


def _default_text() -> str:
    data = files("issuecrawl.model").joinpath("data", "exclusions.txt")
    return data.read_text(encoding="utf-8")


def _domains(host: str) -> Iterator[str]:
    """Yield *host* and what lies after each of its dots, the longest first."""
    yield host
    for dot in re.finditer(r"\.", host):
        yield host[dot.end() :]


def _host(entry: str) -> str | None:
    """Return *entry* as the URL Standard writes hosts; None if it is no host."""
    name = entry.removeprefix("*").removeprefix(".")
    address = parse(f"http://{name}/")
    # A port, credentials or a fragment would be parsed, and lost.
    if address is None or re.search(r"[@#\\\s]|:\d*$", name):
        return None
    return address.host


def _as_written(part: str) -> str:
    """Return *part* of an address in ASCII, as it stands in parsed addresses."""
    if part.isascii():
        return part
    if part[0] not in "/?" and (address := parse(f"http://{part}")) is not None:
        written = address.href.removeprefix("http://")
        return written if part.endswith("/") else written.removesuffix("/")
    return percent_encode(part, safe="/?#[]@!$&'()*+,;=:%~", errors="replace")
