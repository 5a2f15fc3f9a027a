"""The pages of a network and of its periphery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.integers import among

if TYPE_CHECKING:
    from analysis.course import Course
    from analysis.linking import Linking


class Members:
    """Pages of the network and of its periphery, as numbers and in order."""

    def __init__(self, course: Course, nodes: set[int], links: Linking) -> None:
        crawl = course.view.crawl
        self.nodes = nodes
        self.by_site = links.by_site
        if links.by_site:
            into = links.where(among(links.target_site, nodes))
            inner = into.where(among(into.source_site, nodes))
            pages = {*into.target.tolist(), *inner.source.tolist()}
        else:
            pages = nodes
            into = links.where(among(links.target, nodes))
        self.links = into
        """Links to pages of the network."""
        outside = {*into.source.tolist()} - pages
        self.urls = crawl.urls(pages | outside)
        order = course.view.order(self.urls)
        self.pages = sorted(pages, key=order.__getitem__)
        self.periphery = sorted(outside, key=order.__getitem__)
        self.ids = {page: number for number, page in enumerate(self.pages, 1)}
        self.targets: dict[int, list[int]] = {}
        pairs = zip(into.source.tolist(), into.target.tolist(), strict=True)
        for source, target in pairs:
            self.targets.setdefault(source, []).append(self.ids[target])
        for ids in self.targets.values():
            ids.sort()
