"""The site graph of a running crawl, small enough to look at while it grows."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class LiveGraph:
    """Starting sites, and sites that at least *threshold* of them link to.

    At most *most* sites, those with the most votes (starting sites first, then by
    key); sites are numbers inside and keys in :meth:`graph`. A link counts once for
    each pair of pages.
    """

    def __init__(self, threshold: int, most: int, key: Callable[[int], str]) -> None:
        self.threshold = threshold
        self.most = most
        self._key = key
        self._starting: set[int] = set()
        self._weights: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """Linking site to linked site to the pairs of pages between them."""
        self._votes: Counter[int] = Counter()
        """Linked site to the number of starting sites that link to it."""

    def start(self, sites: Iterable[int]) -> None:
        """Make *sites* starting sites, as they are from the first pass on."""
        for site in sites:
            if site not in self._starting:
                self._starting.add(site)
                self._votes.update(self._weights.get(site, ()))

    def add(self, site: int, outward: Mapping[int, int]) -> None:
        """Add the links of one page of *site*: linked site to linked pages."""
        weights = self._weights[site]
        if site in self._starting:
            self._votes.update(linked for linked in outward if linked not in weights)
        weights.update(outward)

    def graph(self) -> nx.DiGraph:
        """Return the graph as it is now; nodes have votes and starting, edges weight."""
        graph: nx.DiGraph = nx.DiGraph()
        shown = self._shown()
        for site in shown:
            graph.add_node(
                self._key(site),
                votes=self._votes[site],
                starting=site in self._starting,
            )
        inside = set(shown)
        for site in shown:
            for linked, weight in self._weights.get(site, Counter()).items():
                if linked in inside:
                    graph.add_edge(self._key(site), self._key(linked), weight=weight)
        return graph

    def _shown(self) -> list[int]:
        voted = {s for s, votes in self._votes.items() if votes >= self.threshold}
        return sorted(
            self._starting | voted,
            key=lambda s: (s not in self._starting, -self._votes[s], self._key(s)),
        )[: self.most]
