"""A stored crawl as one analysis sees it: what it may know, what it leaves out."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from analysis.redirects import Redirects
from issuecrawl.model.exclusions import Exclusions, is_substring
from issuecrawl.model.url import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from issuecrawl.model.parameters import Parameters
    from issuecrawl.store.reader import StoredCrawl

    Mask = NDArray[np.bool_]


class View:
    """*crawl* under *parameters*; with *own*, as it was in each of its passes.

    The own network of a crawl counts an answer from the pass on in which it came, so
    that what a budget put off to a later pass is not known to an earlier analysis.
    Other networks count whatever is stored.
    """

    def __init__(
        self,
        crawl: StoredCrawl,
        parameters: Parameters,
        *,
        own: bool,
        without: frozenset[int] = frozenset(),
    ) -> None:
        self.crawl = crawl
        self.parameters = parameters
        self.own = own
        given = dict.fromkeys(
            start.page for start in crawl.starting_points() if start.crawl_pass == 0
        )
        self.seeds = [page for page in given if page not in without]
        """S_0: the pages given, before redirects; those *without* are as if not given."""
        self.merged: dict[int, int] = {}
        """Units that are one with another by decision, and that other."""

    def varied(
        self, parameters: Parameters, without: frozenset[int] = frozenset()
    ) -> View:
        """Return what a crawl with *parameters*, *without* some seeds, would have seen.

        Shares what exclusion comes to, where that is the same.
        """
        other = View(self.crawl, parameters, own=False, without=without)
        if parameters.exclude == self.parameters.exclude:
            other.excluded, other.barred = self.excluded, self.barred
        return other

    def merge(self, units: Mapping[int, int]) -> None:
        """Make *units* (sites or pages, as ``mode`` says) one with those they map to.

        Pages of a merged unit are of the other's site from now on. What is barred, and
        the course so far, stay as they were.
        """
        assert self.barred is not None  # noqa: S101  # cached, by the sites as they were
        stored, crawl = self.crawl.site, copy.copy(self.crawl)
        parts, wholes = list(units), list(units.values())
        if self.parameters.mode == "site":
            crawl.site = _moved(len(crawl.sites), parts, wholes)[stored]
        else:
            crawl.site = stored.copy()
            crawl.site[parts] = stored[wholes]
        self.crawl, self._stored = crawl, stored
        self.merged = dict(units)

    def stored_sites(self, sites: Iterable[int]) -> set[int]:
        """Return *sites* with those that the store keeps their merged parts under."""
        found = set(sites)
        if not self.merged:
            return found
        of = np.isin(self.crawl.site, sorted(found))
        return found | set(self._stored[of].tolist())

    def is_of_part(self, page: int) -> bool:
        """Tell whether the site of *page*, as stored, is merged into another."""
        return int(self._stored[page]) in self.merged

    def site_of(self, unit: int) -> int:
        """Return the site, as stored, of a page or site (as ``mode`` says)."""
        return unit if self.parameters.mode == "site" else int(self._stored[unit])

    def merged_pages(self, pages: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return *pages*, those that are one with another by decision as that one."""
        if self.parameters.mode == "site":
            return pages
        parts, wholes = list(self.merged), list(self.merged.values())
        return _moved(self.crawl.count + 1, parts, wholes)[pages]

    def answered(self, after_pass: int) -> Mask:
        """Return which pages have an answer that counts in *after_pass*."""
        if self.own:
            in_pass = self.crawl.answered_in
            return (in_pass >= 0) & (in_pass <= after_pass)
        return self.crawl.answer > 0

    def retrieved(self, after_pass: int) -> Mask:
        """Return which pages' links count in *after_pass*."""
        return self.answered(after_pass) & self.crawl.has_links

    def redirects(self, known: Mask) -> Redirects:
        """Return the redirects of the pages *known*, those to barred pages left out."""
        return Redirects(
            {
                page: hop
                for page, hop in self.crawl.redirect.items()
                if known[page] and not self.barred[hop]
            }
        )

    def identity(self, url: str) -> str:
        """Return the identity of the page at *url*, as this crawl tells pages apart."""
        strict = self.crawl.settings.get("identity") == "strict"
        return identity(url, strict=strict) or url

    def order(self, urls: Mapping[int, str]) -> dict[int, tuple[str, str]]:
        """Return what pages are sorted by, for pages given with their addresses.

        That is the key of the page's site, then its identity.
        """
        crawl = self.crawl
        return {
            page: (
                crawl.sites[site].key,
                url if is_identity else self.identity(url),
            )
            for (page, url), site, is_identity in zip(
                urls.items(),
                crawl.site[list(urls)].tolist(),
                crawl.is_identity[list(urls)].tolist(),
                strict=True,
            )
        }

    @cached_property
    def barred(self) -> Mask:
        """Pages that are not considered: excluded, or of a host that is not public."""
        barred = self.excluded.copy()
        barred[self.crawl.not_public] = True
        return barred

    @cached_property
    def excluded(self) -> Mask:
        """Pages whose address an entry of the exclusion list matches."""
        entries, crawl = self.parameters.exclude, self.crawl
        if not entries:
            return np.zeros(crawl.count + 1, np.bool_)
        exclusions = Exclusions(entries)
        # Entries that are hosts match all of a host's pages; others, and pages of a
        # site that is more or less than a host, are judged one by one.
        each = any(map(is_substring, entries)) or crawl.settings.get("site") != "host"
        one_by_one = np.array([each or site.name != "" for site in crawl.sites])
        by_host = [
            not single and exclusions.matches(f"https://{site.key}/") is not None
            for site, single in zip(crawl.sites, one_by_one.tolist(), strict=True)
        ]
        found = np.array(by_host)[crawl.site]
        single = one_by_one[crawl.site]
        if single[1:].any():
            for page, url in crawl.all_urls():
                if single[page]:
                    found[page] = exclusions.matches(url) is not None
        return found


def _moved(count: int, parts: list[int], wholes: list[int]) -> NDArray[np.int64]:
    """Return the numbers below *count*, each of *parts* replaced by its whole."""
    numbers = np.arange(count)
    numbers[parts] = wholes
    return numbers
