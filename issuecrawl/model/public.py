"""Which hosts can be public, and so be actors.

Real pages link to the machines they were written on; such a link is kept, and its
target refused.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final

from issuecrawl.model.suffixes import HOSTS_REMEMBERED

if TYPE_CHECKING:
    from collections.abc import Collection

PRIVATE_NAMES: Final = (
    ".home.arpa",  # RFC 8375
    ".internal",  # ICANN resolution 2024.07.29.06
    ".local",  # RFC 6762
    ".localhost",  # RFC 6761
    ".onion",  # RFC 7686: no name server may answer
)

_NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052


@lru_cache(HOSTS_REMEMBERED)
def _can_be_public(host: str) -> bool:
    ip = _ip(host)
    if ip is not None:
        return _is_public_ip(ip)
    host = host.rstrip(".")
    return "." in host and not host.endswith(PRIVATE_NAMES)


def is_public_host(host: str, allowed: Collection[str] = ()) -> bool:
    """Tell whether *host*, as an ``Address`` has it, can be public.

    *allowed* names hosts (each with its subdomains) and networks in CIDR notation
    that count as public here, for crawls of a web of one's own.

    >>> is_public_host("x.example"), is_public_host("intranet")
    (True, False)
    >>> is_public_host("10.0.0.7"), is_public_host("10.0.0.7", ["10.0.0.0/24"])
    (False, True)
    """
    return _can_be_public(host) or any(_allows(entry, host) for entry in allowed)


def _allows(entry: str, host: str) -> bool:
    ip = _ip(host)
    entry = entry.strip().lower().rstrip(".")
    if ip is None or "/" not in entry:
        bare = host.rstrip(".")
        return bool(entry) and (bare == entry or bare.endswith(f".{entry}"))
    try:
        return ip in ip_network(entry, strict=False)
    except ValueError:
        return False


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None


def _is_public_ip(ip: IPv4Address | IPv6Address) -> bool:
    """Tell whether *ip* is routed; one that carries an IPv4 address is as that is."""
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if ip in _NAT64:
            inner = IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public_ip(inner)
        if ip.is_site_local:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved
