"""The hash that stands for an address in memory and in the ``page`` table."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


def address_hash(identity: str, salt: bytes) -> int:
    """Return an unsigned 64-bit hash of *identity*, keyed by the crawl's *salt*.

    The key keeps a page from choosing addresses whose hashes meet.

    >>> address_hash("https://x.example/", b"salt") < 2**64
    True
    """
    # Lone surrogates occur in text that was never parsed; any bytes do for a hash.
    text = identity.encode("utf-8", "surrogatepass")
    # A copy costs less than to take the key in anew.
    hashed = _keyed(salt).copy()
    hashed.update(text)
    return int.from_bytes(hashed.digest(), "little")


@lru_cache(8)
def _keyed(salt: bytes) -> blake2b:
    return blake2b(digest_size=8, key=salt)


def signed(value: int) -> int:
    """Return the 64-bit pattern of *value* as the database keeps it.

    >>> signed(2**64 - 1), signed(5)
    (-1, 5)
    """
    return value - 2**64 if value >= 2**63 else value
