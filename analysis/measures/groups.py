"""Groups of nodes: k-cores, communities, connected components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from analysis.integers import distinct
from analysis.measures.steps import neighbours

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.measures.matrix import CoreMatrix, Ints


class Groups(NamedTuple):
    of: list[int]
    """Number of each node's group: 1 for the largest, of equal ones that of the node
    that comes first."""

    sizes: list[int]

    @classmethod
    def numbered(cls, size: int, parts: Iterable[set[int]]) -> Groups:
        """Return the groups of *size* nodes that *parts* are."""
        ordered = sorted(parts, key=lambda part: (-len(part), min(part)))
        of = [0] * size
        for number, part in enumerate(ordered, 1):
            for node in part:
                of[node] = number
        return cls(of, [len(part) for part in ordered])

    def members(self) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in self.sizes]
        for node, number in enumerate(self.of):
            found[number - 1].add(node)
        return found


def undirected(matrix: CoreMatrix) -> nx.Graph[int]:
    """Return the graph of the nodes' places; weights of both directions are added."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(matrix.n))
    ties = matrix.ties
    rows = np.repeat(np.arange(matrix.n), np.diff(ties.indptr))
    above = rows < ties.indices
    ends = rows[above].tolist(), ties.indices[above].tolist()
    graph.add_weighted_edges_from(zip(*ends, ties.data[above].tolist(), strict=True))
    return graph


def components(graph: nx.Graph[int]) -> Groups:
    return Groups.numbered(len(graph), nx.connected_components(graph))


def communities(graph: nx.Graph[int], seed: int) -> tuple[Groups, float]:
    """Return the communities of the Louvain method, and their modularity.

    As ``networkx.community.louvain_communities``, which shuffles the nodes by *seed*.
    """
    parts = nx.community.louvain_communities(graph, weight="weight", seed=seed)
    groups = Groups.numbered(len(graph), parts)
    if not graph.number_of_edges():
        return groups, 0.0
    quality = nx.community.modularity(graph, groups.members(), weight="weight")
    return groups, float(quality)


def k_core(matrix: CoreMatrix) -> Ints:
    """Return the largest k for which a node has k neighbours that have k such ones too.

    As ``networkx.core_number`` of the graph without directions. Nodes with the fewest
    neighbours left are taken away, round by round.
    """
    ties: Any = matrix.ties
    left = np.diff(ties.indptr).astype(np.int64)
    core = np.zeros(matrix.n, np.int64)
    there = np.ones(matrix.n, np.bool_)
    while there.any():
        k = int(left[there].min())
        leaving = np.flatnonzero(there & (left <= k))
        while len(leaving):
            core[leaving] = k
            there[leaving] = False
            _, around = neighbours(ties, leaving)
            np.subtract.at(left, around, 1)
            leaving = distinct(around[there[around] & (left[around] <= k)])
    return core
