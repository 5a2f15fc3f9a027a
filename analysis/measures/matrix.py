"""The links of a core as sparse matrices, which all measures share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CoreMatrix:
    """Links between *n* core nodes, without those of a node to itself."""

    nodes: list[str]
    """By id; their places are rows and columns."""

    site: Ints
    """A number for the site of each node."""

    weights: Any
    """CSR, n x n: row links to column with that weight."""

    @classmethod
    def of(cls, graph: nx.DiGraph[str]) -> CoreMatrix:
        """Return the matrix of the nodes of *graph* whose role is core."""
        sites = {
            node: data.get("site", node)
            for node, data in graph.nodes(data=True)
            if data.get("role") == "core"
        }
        place = {node: number for number, node in enumerate(sorted(sites))}
        numbers: dict[object, int] = {}
        site = [numbers.setdefault(sites[node], len(numbers)) for node in place]
        return cls([*place], np.array(site, np.int64), _weights(graph, place))

    @property
    def n(self) -> int:
        return len(self.nodes)

    @property
    def links(self) -> int:
        return int(self.weights.nnz)

    @cached_property
    def ends(self) -> tuple[Ints, Ints]:
        """Places of the sources and targets of all links, by source."""
        rows = np.repeat(np.arange(self.n), np.diff(self.weights.indptr))
        return rows, self.weights.indices.astype(np.int64)

    @cached_property
    def inverse(self) -> Any:
        """CSR: row is linked to by column with that weight."""
        return self.weights.T.tocsr()

    @cached_property
    def pattern(self) -> Any:
        """CSR: 1 where row links to column."""
        return _ones(self.weights)

    @cached_property
    def inverse_pattern(self) -> Any:
        """CSR: 1 where row is linked to by column."""
        return _ones(self.inverse)

    @cached_property
    def ties(self) -> Any:
        """CSR, symmetric: the weights between two nodes, added up both ways."""
        both = (self.weights + self.inverse).tocsr()
        both.sort_indices()
        return both

    @cached_property
    def mutual(self) -> Ints:
        """How many nodes each one links to that link back."""
        both = self.pattern.multiply(self.inverse_pattern)
        found: Ints = np.asarray(both.sum(axis=1)).ravel().astype(np.int64)
        return found


def _weights(graph: nx.DiGraph[str], place: dict[str, int]) -> Any:
    size = len(place)
    targets: list[str] = []
    links: list[dict[str, Any]] = []
    adjacent = dict(graph.adjacency())
    for node in place:
        targets.extend(adjacent[node])
        links.extend(adjacent[node].values())
    counts = [len(adjacent[node]) for node in place]
    columns = np.array([place.get(target, -1) for target in targets], np.int32)
    values = np.array([data.get("weight", 1) for data in links], np.float64)
    rows = np.repeat(np.arange(size, dtype=np.int32), counts)
    chosen = (columns >= 0) & (columns != rows)
    ends = rows[chosen], columns[chosen]
    found = sparse.csr_array((values[chosen], ends), shape=(size, size))
    found.sort_indices()
    return found


def _ones(matrix: Any) -> Any:
    return sparse.csr_array(
        (np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape
    )
