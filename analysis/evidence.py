"""Evidence from a stored crawl: which links put each node in."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.network import EvidenceLink
from analysis.standing import link_of, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from analysis.course import Course
    from analysis.linking import Linking

MARKED: Final = "marked"
"""Of a link within its site, which a redirect leads out of it, no more is stored than
whether rel marks it as nofollow, ugc or sponsored."""

TOGETHER: Final = 20_000
"""Links whose texts are read at once; those of a node always are."""


def rank(link: EvidenceLink) -> tuple[bool, bool, bool, bool, str, str]:
    """Return what links are sorted by so that those that say most come first.

    That is links of a text, with words of their own, which nothing marks.
    """
    return (
        link.placement != "body",
        not link.anchor.strip(),
        bool(link.rel),
        link.kind != "a",
        link.source,
        link.target,
    )


class StoredEvidence:
    """The pairs of pages *links*: numbers held, texts read on demand.

    It reads through the connection of the crawl, and ends with it. *urls* are those of
    all pages that the links join.
    """

    def __init__(self, course: Course, links: Linking, urls: Mapping[int, str]) -> None:
        self._crawl = course.view.crawl
        if course.view.merged:
            pages = {*links.holder.tolist(), *links.aim.tolist()}
            urls = {**urls, **self._crawl.urls(pages - urls.keys())}
        self._urls = urls
        self._by_site = links.by_site
        self._voters = course.view.parameters.voters
        sites = self._crawl.sites
        keys = {
            unit: sites[unit].key if links.by_site else urls[unit]
            for unit in np.unique(links.target_unit).tolist()
        }
        units = sorted(keys, key=keys.__getitem__)
        self._nodes = [keys[unit] for unit in units]
        """Nodes that are linked to, in order."""
        self._places = {node: at for at, node in enumerate(self._nodes)}
        place = {unit: at for at, unit in enumerate(units)}
        rank = np.array([place[unit] for unit in links.target_unit.tolist()], np.int64)
        order = np.argsort(rank, kind="stable")
        self._links = links.where(order)
        """Those to one node stand together, in order of the nodes."""
        self._rank = rank[order]

    def links(self, node: str | None = None) -> Iterator[EvidenceLink]:
        """Yield the links to *node*, or to every core node, as :class:`Evidence` says."""
        if node is None:
            yield from self._between(0, len(self._rank))
        elif node in self._places:
            at = self._places[node]
            start, end = np.searchsorted(self._rank, [at, at + 1]).tolist()
            yield from self._between(start, end)

    def _between(self, start: int, end: int) -> Iterator[EvidenceLink]:
        while start < end:
            last = self._rank[min(start + TOGETHER, end) - 1]
            until = int(np.searchsorted(self._rank, last, "right"))
            yield from sorted(self._read(np.arange(start, until)))
            start = until

    def _read(self, chosen: NDArray[np.int64]) -> Iterator[EvidenceLink]:
        links, crawl, urls = self._links.where(chosen), self._crawl, self._urls
        numbers = link_of(links.standing).tolist()
        anchors = crawl.anchors(numbers)
        stamps = self._stamps(np.unique(links.holder).tolist())
        for rank, source, holder, aim, site, link, standing in zip(
            self._rank[chosen].tolist(),
            links.source.tolist(),
            links.holder.tolist(),
            links.aim.tolist(),
            links.source_site.tolist(),
            numbers,
            links.standing.tolist(),
            strict=True,
        ):
            linking = crawl.sites[site]
            placement, kind, rel = words(standing)
            yield EvidenceLink(
                node=self._nodes[rank],
                linking_node=linking.key if self._by_site else urls[source],
                voter=linking.voter if self._voters == "domain" else linking.key,
                source=urls[holder],
                target=urls[aim],
                anchor=anchors.get(link) or "",
                placement=placement,
                kind=kind,
                rel=rel if link in anchors else rel and MARKED,
                fetched=stamps.get(holder, ""),
            )

    def _stamps(self, pages: list[int]) -> dict[int, str]:
        return {
            page: time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))
            for page, seconds in self._crawl.fetched(pages).items()
        }
