"""The only thing in memory that grows with a crawl: what is known of each address.

An open-addressing table from the 64-bit hash of an address to its page number, and
arrays by page number: 30 to 75 bytes an address, where a dict of integers takes 120.
It is the duplicate filter too.
"""

from __future__ import annotations

from array import array
from typing import Final

import numpy as np

FIRST_SIZE: Final = 1 << 12
FULLEST: Final = 0.6
GROWTH: Final = 1.6
PART: Final = 1 << 16


class AddressMap:
    """From the hash of an address to a number above 0; hashes are never removed."""

    def __init__(self) -> None:
        self._keys = array("Q", [0]) * FIRST_SIZE
        self._numbers = array("I", [0]) * FIRST_SIZE
        self._size = FIRST_SIZE
        self._limit = int(FIRST_SIZE * FULLEST)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def get(self, key: int) -> int:
        """Return the number of *key*, 0 if it is not there."""
        keys, size = self._keys, self._size
        at = key % size
        while (found := keys[at]) != key:
            if not found:
                return 0
            at = at + 1 if at + 1 < size else 0
        return self._numbers[at]

    def add(self, key: int, number: int) -> None:
        """Add *key*; one that is there already keeps its number."""
        keys, size = self._keys, self._size
        at = key % size
        while found := keys[at]:
            if found == key:
                return
            at = at + 1 if at + 1 < size else 0
        keys[at] = key
        self._numbers[at] = number
        self._used += 1
        if self._used > self._limit:
            self._resize(int(size * GROWTH))

    def replace(self, key: int, number: int) -> None:
        """Give *key*, which is there, another number."""
        keys, size = self._keys, self._size
        at = key % size
        while keys[at] != key:
            at = at + 1 if at + 1 < size else 0
        self._numbers[at] = number

    def add_many(self, keys: np.ndarray, numbers: np.ndarray) -> None:
        """Add *keys* (uint64, all different, none there) with their *numbers*."""
        needed = int((self._used + len(keys)) / FULLEST) + 1
        if needed > self._size:
            self._resize(needed)
        self._place(keys, numbers)
        self._used += len(keys)

    def _resize(self, size: int) -> None:
        keys = np.frombuffer(self._keys, np.uint64)
        numbers = np.frombuffer(self._numbers, np.uint32)
        self._keys = array("Q", [0]) * size
        self._numbers = array("I", [0]) * size
        self._size = size
        self._limit = int(size * FULLEST)
        self._place(keys, numbers)

    def _place(self, keys: np.ndarray, numbers: np.ndarray) -> None:
        # In parts, since the work takes ten times the memory of its keys.
        for start in range(0, len(keys), PART):
            part = keys[start : start + PART]
            filled = part != 0
            self._place_part(part[filled], numbers[start : start + PART][filled])

    def _place_part(self, keys: np.ndarray, numbers: np.ndarray) -> None:
        table = np.frombuffer(self._keys, np.uint64)
        values = np.frombuffer(self._numbers, np.uint32)
        at = (keys % np.uint64(self._size)).astype(np.int64)
        while len(keys):
            # Where two keys want one free place, the first of them gets it.
            _, first = np.unique(at, return_index=True)
            wins = np.zeros(len(keys), np.bool_)
            wins[first] = True
            wins &= table[at] == 0
            table[at[wins]] = keys[wins]
            values[at[wins]] = numbers[wins]
            rest = ~wins
            keys, numbers = keys[rest], numbers[rest]
            at = (at[rest] + 1) % self._size
