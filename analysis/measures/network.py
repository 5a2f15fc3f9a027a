"""Take the measures of a network, and set those of its nodes on its graph."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.integers import distinct
from analysis.measures.betweenness import betweenness
from analysis.measures.groups import communities, components, k_core, undirected
from analysis.measures.matrix import CoreMatrix
from analysis.measures.ranks import hits, pagerank
from analysis.network import Measures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.measures.matrix import Ints
    from analysis.network import Network

BY_NODE: Final = (
    "inlinks_core",
    "linking_sites",
    "reciprocity",
    "pagerank",
    "hub",
    "hits_authority",
    "betweenness",
    "k_core",
    "community",
    "component",
)
"""Attributes that :func:`measure` gives to nodes."""

Values = dict[str, "Sequence[float | int | None]"]


def measure(network: Network, *, seed: int = 1) -> Measures:
    """Return the measures of the core of *network*; set those of its nodes.

    Every node gets the attributes :data:`BY_NODE`, None where there is no value: in
    the periphery, and reciprocity of a node without links. *seed* decides what
    communities begin with, and what nodes betweenness is estimated from in a core of
    more than 5,000. Values are not rounded.
    """
    matrix = CoreMatrix.of(network.graph)
    values, measures = _taken(matrix, seed)
    for data in network.graph.nodes.values():
        data.update(dict.fromkeys(BY_NODE))
    for name in BY_NODE:
        for node, value in zip(matrix.nodes, values[name], strict=True):
            network.graph.nodes[node][name] = value
    return measures


def _taken(matrix: CoreMatrix, seed: int) -> tuple[Values, Measures]:
    hub, authority = hits(matrix)
    between, sample = betweenness(matrix, seed)
    graph = undirected(matrix)
    parts = components(graph)
    groups, modularity = communities(graph, seed)
    values: Values = {
        "inlinks_core": [int(sum_) for sum_ in matrix.inverse.sum(axis=1)],
        "linking_sites": linking_sites(matrix).tolist(),
        "reciprocity": reciprocity(matrix),
        "pagerank": pagerank(matrix).tolist(),
        "hub": hub.tolist(),
        "hits_authority": authority.tolist(),
        "betweenness": [
            value if math.isfinite(value) else None for value in between.tolist()
        ],
        "k_core": k_core(matrix).tolist(),
        "community": groups.of,
        "component": parts.of,
    }
    measures = Measures(
        nodes=matrix.n,
        edges=matrix.links,
        density=matrix.links / (matrix.n * (matrix.n - 1)) if matrix.n > 1 else 0.0,
        reciprocity=int(matrix.mutual.sum()) / max(matrix.links, 1),
        components=len(parts.sizes),
        largest_component=max(parts.sizes, default=0),
        communities=len(groups.sizes),
        modularity=modularity,
        betweenness_sample=sample,
    )
    return values, measures


def linking_sites(matrix: CoreMatrix) -> Ints:
    """Return how many different sites link to each node."""
    sources, targets = matrix.ends
    pairs = distinct(targets * max(matrix.n, 1) + matrix.site[sources])
    return np.bincount(pairs // max(matrix.n, 1), minlength=matrix.n)


def reciprocity(matrix: CoreMatrix) -> list[float | None]:
    """Return which share of the links of each node, in and out, is answered.

    As ``networkx.reciprocity``; None for a node without links.
    """
    out = np.diff(matrix.weights.indptr)
    both = (out + np.diff(matrix.inverse.indptr)).tolist()
    return [
        2 * answered / links if links else None
        for answered, links in zip(matrix.mutual.tolist(), both, strict=True)
    ]
