"""What a stored crawl saw of pages that another crawl found links on."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.engines import SQLite
from analysis.view import View
from analysis.votes import VOTES, Ballot
from issuecrawl.model.page import BUDGET, EXCLUSION, NEEDS_JAVASCRIPT, NOT_PUBLIC, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.redirects import Redirects
    from issuecrawl.model.parameters import Parameters
    from issuecrawl.store.reader import StoredCrawl

NOT_ASKED: Final = "not asked for"

_UNANSWERED: Final = {
    State.SKIPPED: BUDGET,
    State.EXCLUDED: EXCLUSION,
    State.REFUSED: NOT_PUBLIC,
}
"""Why a page has no answer, where its state says."""

LINKS: Final = f"SELECT v.source, v.target, v.target_site FROM ({VOTES}) v"


@dataclass(frozen=True, slots=True)
class Look:
    """What became of a page."""

    unseen: str = ""
    """Why it could not be seen; empty where it was."""

    became: str = ""
    """``page gone``, ``page moved``, or empty."""

    linked: frozenset[str] = frozenset()
    """Those of the wanted nodes that it links to."""

    astray: frozenset[str] = frozenset()
    """Those that it links to by way of an address that led there in the other crawl, and
    of which this one does not know where it leads."""


class Witness:
    """The pages of *crawl*, and their links that count under *parameters*."""

    def __init__(self, crawl: StoredCrawl, parameters: Parameters) -> None:
        self._crawl = crawl
        self._view = View(crawl, parameters, own=False)
        self._redirects: Redirects = self._view.redirects(crawl.answer > 0)
        self._by_site = parameters.mode == "site"

    def detours(self, nodes: Iterable[str]) -> dict[str, frozenset[str]]:
        """Return addresses of elsewhere whose redirects lead to *nodes*, with those."""
        wanted, by_site = self._wanted(nodes), self._by_site
        moved = self._redirects.moved()
        unit = self._crawl.site if by_site else np.arange(self._crawl.count + 1)
        ends = {
            page: int(unit[final])
            for page, final in moved.items()
            if int(unit[final]) in wanted and unit[page] != unit[final]
        }
        urls = self._crawl.urls(ends)
        return {urls[page]: frozenset(wanted[end]) for page, end in ends.items()}

    def look(
        self,
        pages: Mapping[str, str],
        nodes: Iterable[str],
        detours: Mapping[str, frozenset[str]],
    ) -> dict[str, Look]:
        """Return what became of *pages*, and which of the *nodes* they link to.

        All are told apart by identity, and redirects are followed to their end; where
        that is not known, *detours* tell where an address leads in another crawl.
        *pages* come with their sites: one that was not asked for is unseen for what kept
        its whole site from being seen, if that is known.
        """
        numbers = self._numbers(pages)
        finals = {url: self._redirects.final(page) for url, page in numbers.items()}
        linked = self._linked(
            set(finals.values()), self._wanted(nodes), self._untold(detours)
        )
        reasons = self._crawl.reasons(finals.values())
        looks = {
            url: self._look(numbers[url], finals[url], linked, reasons)
            if url in numbers
            else Look(unseen=NOT_ASKED)
            for url in pages
        }
        return self._with_sites(looks, pages)

    def _look(
        self,
        page: int,
        final: int,
        linked: Sequence[Mapping[int, set[str]]],
        reasons: Mapping[int, str],
    ) -> Look:
        crawl = self._crawl
        reason = reasons.get(final, "")
        if crawl.has_links[final]:
            moved = "page moved" if crawl.site[page] != crawl.site[final] else ""
            script = reason if reason == NEEDS_JAVASCRIPT else ""
            return Look(script, moved, *(frozenset(by.get(final, ())) for by in linked))
        state = State(int(crawl.state[final]))
        if state == State.GONE:
            return Look(became="page gone")
        if crawl.answer[final]:
            return Look(unseen=reason or state.word)
        return Look(unseen=_UNANSWERED.get(state, NOT_ASKED))

    def _with_sites(
        self, looks: dict[str, Look], sites: Mapping[str, str]
    ) -> dict[str, Look]:
        """Return *looks* with what kept sites from being seen, *sites* of their pages."""
        not_asked = [url for url, look in looks.items() if look.unseen == NOT_ASKED]
        closed = self._closed({sites[url] for url in not_asked})
        told = {
            url: Look(unseen=f"{NOT_ASKED} ({closed[sites[url]]})")
            for url in not_asked
            if sites[url] in closed
        }
        return looks | told

    def _closed(self, sites: set[str]) -> dict[str, str]:
        """Return the commonest reason of each of *sites* that was not seen at all."""
        crawl = self._crawl
        wanted = {at for at, site in enumerate(crawl.sites) if site.key in sites}
        wanted.difference_update(crawl.site[crawl.has_links].tolist())
        asked = (crawl.answer > 0) & (crawl.state != State.REDIRECTED)
        pages = np.flatnonzero(asked & np.isin(crawl.site, sorted(wanted))).tolist()
        said = crawl.reasons(pages)
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for page in pages:
            reason = said.get(page) or State(int(crawl.state[page])).word
            found[crawl.sites[int(crawl.site[page])].key][reason] += 1
        return {
            site: min(reasons, key=lambda reason: (-reasons[reason], reason))
            for site, reasons in found.items()
        }

    def _numbers(self, urls: Iterable[str]) -> dict[str, int]:
        identities = {url: self._view.identity(url) for url in urls}
        found = self._crawl.lookup(set(identities.values()))
        return {url: found[key] for url, key in identities.items() if key in found}

    def _wanted(self, nodes: Iterable[str]) -> dict[int, list[str]]:
        """Return the nodes by site or page number; several where pages became one."""
        if self._by_site:
            places = {site.key: at for at, site in enumerate(self._crawl.sites) if at}
            return {places[node]: [node] for node in nodes if node in places}
        found: dict[int, list[str]] = {}
        for url, page in self._numbers(nodes).items():
            found.setdefault(self._redirects.final(page), []).append(url)
        return found

    def _untold(self, detours: Mapping[str, frozenset[str]]) -> dict[int, list[str]]:
        """Return those of *detours* of which this crawl does not know where they lead."""
        found: dict[int, list[str]] = {}
        for url, page in self._numbers(detours).items():
            end = self._redirects.final(page)
            known = self._crawl.has_links[end] or self._crawl.state[end] == State.GONE
            if not known:
                found.setdefault(end, []).extend(sorted(detours[url]))
        return found

    def _linked(
        self,
        pages: set[int],
        wanted: Mapping[int, list[str]],
        untold: Mapping[int, list[str]],
    ) -> tuple[dict[int, set[str]], dict[int, set[str]]]:
        """Return, by page, nodes it links to, and those it does by detours *untold*."""
        crawled = np.zeros(self._crawl.count + 1, np.bool_)
        crawled[list(pages)] = True
        engine = SQLite(self._crawl)
        try:
            crawled &= self._crawl.has_links
            ballot = Ballot(engine, self._view, crawled, self._redirects)
            rows = engine.rows(LINKS, ballot.values(own_votes=True))
        finally:
            engine.close()
        source, target, site = rows
        units = site if self._by_site else target
        return _named(source, units, wanted), _named(source, target, untold)


def _named(
    sources: NDArray[np.int64],
    ends: NDArray[np.int64],
    names: Mapping[int, list[str]],
) -> dict[int, set[str]]:
    """Return by source the *names* of the ends that have some."""
    known = np.isin(ends, np.array(sorted(names), np.int64))
    found: dict[int, set[str]] = {}
    for source, end in zip(sources[known].tolist(), ends[known].tolist(), strict=True):
        found.setdefault(source, set()).update(names[end])
    return found
