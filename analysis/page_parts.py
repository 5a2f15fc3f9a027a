"""Sites and pages of an IssueNetwork file, taken from its elements one at a time."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from analysis.linkgraph import PageLinks
from analysis.network import NetworkPage, NetworkSite, PeripheryPage
from issuecrawl.model.suffixes import without_www
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from lxml.etree import _Element

    from analysis.linkgraph import Linking


class PageParts:
    """Collects sites and pages; what it has to mend is counted in *repairs*."""

    def __init__(self, repairs: Counter[str]) -> None:
        self.repairs = repairs
        self.pages: list[NetworkPage] = []
        self.periphery: list[PeripheryPage] = []
        self._core: dict[str, NetworkSite] = {}
        self._outside: dict[str, NetworkSite] = {}
        self._open: _Element | None = None
        self._key = ""
        self._ids: set[int] = set()
        self._names: dict[str, int] = {}
        self._uncounted: set[str] = set()

    def site(self, element: _Element, *, core: bool) -> str:
        """Return the key of the site that *element* is; its first page opens it."""
        if element is not self._open:
            self._open = element
            self._key = self._enter(element, self._core if core else self._outside)
            if core and whole(element.get("inlinks", "")) is None:
                self._uncounted.add(self._key)
        return self._key

    def page(self, element: _Element) -> None:
        self.pages.append(
            NetworkPage(
                self._new_id(element.get("ID")),
                self._url(element),
                self._site_of(element, core=True),
                element.get("datestamp", ""),
                self._targets(element),
            )
        )

    def external_page(self, element: _Element) -> None:
        self.periphery.append(
            PeripheryPage(
                self._url(element),
                self._site_of(element, core=False),
                self._targets(element),
            )
        )

    def finish(self) -> tuple[list[NetworkSite], list[NetworkSite], PageLinks]:
        """Return core sites, periphery sites, and pages with links that lead to one."""
        linking: Iterable[Linking] = chain(self.pages, self.periphery)
        for page in linking:
            if not self._ids.issuperset(page.targets):
                found = tuple(number for number in page.targets if number in self._ids)
                lost = len(page.targets) - len(found)
                self.repairs["links to a page that is not in the file, dropped"] += lost
                page.targets = found
        # Only where a site came in several parts does this move anything.
        _group(self.pages, self._core)
        _group(self.periphery, self._outside)
        links = PageLinks(self.pages, self.periphery)
        self._count(links)
        return [*self._core.values()], [*self._outside.values()], links

    def _count(self, links: PageLinks) -> None:
        if self._uncounted:
            self.repairs["sites without a number of inlinks, counted"] += len(
                self._uncounted
            )
            counted = links.inlinks_by_site()
            for key in self._uncounted:
                self._core[key].inlinks = counted[key]

    def _enter(self, element: _Element, sites: dict[str, NetworkSite]) -> str:
        host: str = element.get("host", "")
        name: str = element.get("name", "")
        if not host:
            host = self._host_of_first_page(element)
            self.repairs["sites without a host, named by their first page"] += 1
        key = name or host
        count = whole(element.get("inlinks", "")) or 0
        if key in sites:
            self.repairs["sites in more than one part, joined"] += 1
            sites[key].inlinks += count
        else:
            category = element.get("category", "")
            sites[key] = NetworkSite(key, host, name, category, count)
        return key

    def _host_of_first_page(self, element: _Element) -> str:
        url = element[0].get("URL", "") if len(element) else ""
        address = parse(url)
        return without_www(address.host) if address else ""

    def _site_of(self, element: _Element, *, core: bool) -> str:
        parent = element.getparent()
        return self.site(element if parent is None else parent, core=core)

    def _url(self, element: _Element) -> str:
        url: str | None = element.get("URL")
        if url is None:
            self.repairs["pages without an address"] += 1
        return url or ""

    def _new_id(self, text: str | None) -> int:
        number = -1 - len(self._names) if text is None else self._number(text)
        if text is None or number in self._ids:
            self.repairs["pages without an ID of their own, numbered anew"] += 1
            number = self._number(f" {len(self._names)}")
        self._ids.add(number)
        return number

    def _number(self, text: str) -> int:
        """Return the number that *text* is or, since the DTD allows it, stands for."""
        try:
            return int(text)
        except ValueError:
            return self._names.setdefault(text, -1 - len(self._names))

    def _targets(self, element: _Element) -> tuple[int, ...]:
        texts = [link.get("TargetPageID") for link in element.iterchildren("Link")]
        try:
            return tuple(map(int, texts))
        except (TypeError, ValueError):
            return tuple(self._number(text) for text in texts if text is not None)


def whole(text: str) -> int | None:
    r"""Return the number that *text* is, in at most 18 digits; None for anything else.

    >>> whole(" 65\n"), whole("many"), whole("9" * 5000)
    (65, None, None)
    """
    digits = text.strip(" \t\r\n")
    return int(digits) if digits.isdecimal() and len(digits) <= 18 else None


def _group(
    pages: list[NetworkPage] | list[PeripheryPage], sites: dict[str, NetworkSite]
) -> None:
    rank = {key: number for number, key in enumerate(sites)}

    def of_site(page: Linking) -> int:
        return rank[page.site]

    pages.sort(key=of_site)
