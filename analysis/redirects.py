"""Which page a page that redirects is one with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MAX_HOPS: Final = 20
"""As in the Fetch Standard; further ones are not followed."""


class Redirects:
    """Pages and their next hops, as far as these are known and may be taken.

    >>> redirects = Redirects({1: 2, 2: 3, 4: 5, 5: 4})
    >>> [redirects.final(page) for page in (1, 3, 4)]
    [3, 3, 4]
    >>> redirects.chain(4)
    [4, 5]
    """

    def __init__(self, hops: Mapping[int, int]) -> None:
        self._hops = hops
        self._sources = np.array(sorted(hops), np.int64)

    def chain(self, page: int) -> list[int]:
        """Return *page* and the pages its redirects lead over, each once."""
        chain = [page]
        while len(chain) <= MAX_HOPS:
            hop = self._hops.get(chain[-1])
            if hop is None or hop in chain:
                break
            chain.append(hop)
        return chain

    def final(self, page: int) -> int:
        """Return the page that *page* is one with.

        That is *page* itself where redirects go in a circle, or on and on.
        """
        end = self.chain(page)[-1]
        return page if end in self._hops else end

    def finals(self, pages: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the final page of each of *pages*."""
        found = pages.copy()
        for index in self._leading_on(pages):
            found[index] = self.final(int(pages[index]))
        return found

    def hops(self, pages: NDArray[np.int64]) -> list[int]:
        """Return the pages that redirects of *pages* lead over."""
        leading = pages[self._leading_on(pages)].tolist()
        return [hop for page in leading for hop in self.chain(page)[1:]]

    def moved(self) -> dict[int, int]:
        """Return every page that is one with another, and that other."""
        finals = {page: self.final(page) for page in self._sources.tolist()}
        return {page: final for page, final in finals.items() if page != final}

    def _leading_on(self, pages: NDArray[np.int64]) -> list[int]:
        found: list[int] = np.flatnonzero(np.isin(pages, self._sources)).tolist()
        return found
