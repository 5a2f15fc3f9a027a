"""What became, in another crawl, of what only one network has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from analysis.compare.result import Looks
from analysis.compare.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.compare.indexed import Edge, Indexed
    from analysis.compare.witness import Look

NOT_KNOWN: Final = "not known"
"""Of a network from a file, which says nothing of the pages that are not in it."""

REMOVED: Final = "link removed"
STILL: Final = "still linked"
ADDED: Final = "link added"
BEFORE: Final = "linked before"
DETOUR: Final = "redirect not followed"
"""The page links to an address that leads to the node in one crawl, and of which the
other does not know where it leads."""


class Fates:
    """Pages of *here* that link where *there* has no link, as the other crawl saw them.

    *here* is the earlier network and *there* the later one where something *went*;
    where something came it is the other way round.
    """

    def __init__(self, here: Indexed, there: Indexed, *, went: bool) -> None:
        self._here = here
        self._there = there
        self._linked, self._not = (STILL, REMOVED) if went else (BEFORE, ADDED)
        self._looks: dict[str, Look] = {}

    def look_for(self, what: Iterable[str | Edge]) -> None:
        """Look up, all at once, the pages of nodes and edges that only *here* has."""
        if self._there.crawl is None:
            return
        pages: dict[str, str] = {}
        nodes: set[str] = set()
        for one in what:
            for page, targets in self._here.pages_of(one).items():
                pages[page] = self._here.sites[page]
                nodes |= targets
        wanted = sorted(nodes)
        # A file does not tell which addresses led where.
        detours = _witness(self._here).detours(wanted) if self._here.crawl else {}
        self._looks = _witness(self._there).look(pages, wanted, detours)

    def looks(self, one: str | Edge) -> Looks:
        """Return what the other crawl says of a node or edge that was looked for."""
        pages = self._here.pages_of(one)
        if self._there.crawl is None:
            known = {NOT_KNOWN: len(pages)} if pages else {}
            return Looks(len(pages), None, known)
        unseen = 0
        reasons: Counter[str] = Counter()
        for page, targets in pages.items():
            reason, seen = self._fate(self._looks[page], targets)
            reasons[reason] += 1
            unseen += not seen
        return Looks(len(pages), unseen, dict(sorted(reasons.items())))

    def _fate(self, look: Look, targets: set[str]) -> tuple[str, bool]:
        """Return what became of the link, and whether that could be seen."""
        if look.became:
            return look.became, True
        if look.linked & targets:
            return self._linked, True
        if look.unseen:
            return look.unseen, False
        if look.astray & targets:
            return DETOUR, False
        return self._not, True


def _witness(of: Indexed) -> Witness:
    assert of.crawl is not None  # noqa: S101 - callers have asked
    return Witness(of.crawl, of.network.parameters)
