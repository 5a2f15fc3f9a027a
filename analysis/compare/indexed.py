"""A network by what it has in common with others: nodes, links, the pages that link."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from analysis.actors import INLINK_MEASURES, ranked
from analysis.compare.result import Place
from analysis.linkgraph import PageLinks
from analysis.measures.matrix import CoreMatrix
from analysis.measures.network import linking_sites
from issuecrawl.model.url import identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.compare.result import Snapshot
    from analysis.network import NetworkPage, PeripheryPage

Edge = tuple[str, str]
Pages = dict[str, set[str]]
"""Address of a linking page, and keys of nodes that it links to."""


class Indexed:
    """The network of *snapshot*; nodes go by keys that are the same in all networks.

    That is the site, or the identity of the page. Measures of inlinks that the graph
    lacks are added to it.
    """

    def __init__(self, snapshot: Snapshot, *, strict: bool, periphery: bool) -> None:
        self.name = snapshot.name
        self.network = snapshot.network
        self.crawl = snapshot.crawl
        self._strict = strict
        self._by_page = self.network.parameters.mode == "page"
        graph = self.network.graph
        self.ids: dict[str, str] = {
            self.key(node): node
            for node, role in graph.nodes(data="role")
            if periphery or role == "core"
        }
        """Ids of the nodes that are compared, by key."""
        self.edges: dict[Edge, int] = {}
        """Weights, by keys."""
        links = list(graph.edges(data="weight"))
        for source, target, weight in links + (
            self.network.inward if periphery else []
        ):
            edge = self.key(source), self.key(target)
            self.edges[edge] = self.edges.get(edge, 0) + weight

    def key(self, node: str) -> str:
        """Return what the node *node* goes by in all networks."""
        if not self._by_page:
            return node
        return identity(node, strict=self._strict) or node

    @cached_property
    def given(self) -> set[str] | None:
        """Keys of the starting points' nodes; None where only addresses are known."""
        starts = self.network.starts
        return None if starts is None else {self.key(start.node) for start in starts}

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where each node stands, by key."""
        graph = self.network.graph
        _count_inlinks(self)
        ranks = {
            name: {one.node: one.rank for one in ranked(graph, name)}
            for name in INLINK_MEASURES
        }
        return {
            key: Place(
                role=graph.nodes[node]["role"],
                values={name: graph.nodes[node].get(name) for name in INLINK_MEASURES},
                ranks={
                    name: of_nodes[node]
                    for name, of_nodes in ranks.items()
                    if node in of_nodes
                },
            )
            for key, node in self.ids.items()
        }

    @cached_property
    def sites(self) -> dict[str, str]:
        """Site of each page, by its address."""
        found = {page.url: page.site for page in self.network.pages}
        found.update((page.url, page.site) for page in self.network.periphery)
        return found

    @cached_property
    def _carried(self) -> dict[Edge, Pages]:
        """Pages that hold the links of each edge, periphery and all."""
        found: defaultdict[Edge, Pages] = defaultdict(dict)
        for page, target in self._links():
            edge = self._node(page), self._node(target)
            found[edge].setdefault(page.url, set()).add(edge[1])
        return found

    @cached_property
    def _linking(self) -> dict[str, Pages]:
        """Pages that link to each core node, and those of each periphery node."""
        found: defaultdict[str, Pages] = defaultdict(dict)
        for (source, target), pages in self._carried.items():
            for page, targets in pages.items():
                found[target].setdefault(page, set()).update(targets)
                place = self.places.get(source)
                if place is not None and place.role != "core":
                    found[source].setdefault(page, set()).update(targets)
        return found

    def pages_of(self, what: str | Edge) -> Pages:
        """Return the pages that a node is here for, or that hold an edge's links."""
        if isinstance(what, str):
            return self._linking.get(what, {})
        return self._carried.get(what, {})

    def _links(self) -> Iterable[tuple[NetworkPage | PeripheryPage, NetworkPage]]:
        network = self.network
        return PageLinks(network.pages, network.periphery).everywhere()

    def _node(self, page: NetworkPage | PeripheryPage) -> str:
        return self.key(page.url) if self._by_page else page.site


def _count_inlinks(indexed: Indexed) -> None:
    graph = indexed.network.graph
    if indexed.network.measures is not None:
        return
    matrix = CoreMatrix.of(graph)
    sums = np.asarray(matrix.weights.sum(axis=0)).ravel().tolist()
    sites = linking_sites(matrix).tolist()
    for node, pairs, linking in zip(matrix.nodes, sums, sites, strict=True):
        graph.nodes[node]["inlinks_core"] = int(pairs)
        graph.nodes[node]["linking_sites"] = linking
