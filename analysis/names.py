"""Which node of a crawl a name stands for, as people write it."""

from __future__ import annotations

import difflib
from functools import cached_property
from typing import TYPE_CHECKING, Final

from issuecrawl.model.suffixes import without_www
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from analysis.course import Course


CLOSE: Final = 3
"""Names that are offered for one that is not known."""


class Names:
    """Finds the unit (number of a site or page, as ``mode`` says) of a name."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._by_site = course.view.parameters.mode == "site"

    def unit(self, name: str) -> int | None:
        """Return the unit of *name*, None if the crawl knows no such node.

        A name is a site's key, a host with or without ``www.``, or an address: of the
        page, or in site mode of any page of the site.
        """
        page = self._page(name)
        if not self._by_site:
            return None if page is None else self._course.redirects().final(page)
        for key in (name, without_www(name.lower().strip("/"))):
            if key in self._sites:
                return self._sites[key]
        return None if page is None else int(self._course.view.crawl.site[page])

    def near(self, name: str) -> list[str]:
        """Return names of sites that resemble *name*, or that it is a part of."""
        words = without_www(name.lower().strip("/ "))
        close = difflib.get_close_matches(words, self._sites, CLOSE, 0.7)
        parts = sorted((key for key in self._sites if words in key), key=len)
        return list(dict.fromkeys([*close, *parts]))[:CLOSE] if words else close

    @cached_property
    def _sites(self) -> dict[str, int]:
        sites = self._course.view.crawl.sites
        return {site.key: number for number, site in enumerate(sites) if number}

    def _page(self, name: str) -> int | None:
        view = self._course.view
        address = parse(name if "://" in name else f"https://{name}")
        if address is None:
            return None
        identity = view.identity(address.href)
        return view.crawl.lookup([identity]).get(identity)
