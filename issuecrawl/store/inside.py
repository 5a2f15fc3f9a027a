"""Links within a site, packed on the row of the page that has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from issuecrawl.store.schema import INSIDE_FLAGS, INSIDE_TARGET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class InsideLinks:
    """Links of many pages, each within its page's site; arrays of one length."""

    sources: NDArray[np.uint32]
    targets: NDArray[np.uint32]
    flags: NDArray[np.uint8]

    @classmethod
    def unpack(cls, rows: Sequence[tuple[int, bytes]]) -> InsideLinks:
        """Return the links of (page, packed list) rows, in their order."""
        counts = np.array([len(blob) // 5 for _, blob in rows], np.int64)
        # Of n links, each list holds 4 n bytes of targets, then n of flags.
        targets = b"".join(blob[: len(blob) // 5 * 4] for _, blob in rows)
        flags = b"".join(blob[len(blob) // 5 * 4 :] for _, blob in rows)
        sources = np.array([page for page, _ in rows], np.uint32)
        return cls(
            np.repeat(sources, counts),
            np.frombuffer(targets, INSIDE_TARGET),
            np.frombuffer(flags, INSIDE_FLAGS),
        )

    def where(self, mask: NDArray[np.bool_]) -> InsideLinks:
        return InsideLinks(self.sources[mask], self.targets[mask], self.flags[mask])

    @property
    def placements(self) -> NDArray[np.uint8]:
        return self.flags % 5

    @property
    def kinds(self) -> NDArray[np.uint8]:
        return self.flags // 5 % 6

    @property
    def marked(self) -> NDArray[np.bool_]:
        return self.flags >= 30
