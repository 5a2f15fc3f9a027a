"""Measures of a network: ours beside networkx's, in CPU seconds.

    python benchmarks/metrics.py [--nodes 10000 100000] [--betweenness 1000 5000]

Networks have communities, in-degrees as skewed as the Web's, and 11 links a node (9 or
10 for betweenness). Both sides begin with the same DiGraph, of which ours makes one
matrix that all measures share. Reciprocity is that of each node and of the whole.
Differences are the largest of any node, to networkx with a closer tolerance than its
default where it iterates. Communities are networkx's own on both sides; what differs is
how the graph without directions is made.

To reach: PageRank, HITS and reciprocity together at least 10 times as fast at 100,000
nodes. networkx needs some minutes for betweenness at 5,000.
"""

import argparse
import time

import networkx as nx
import numpy as np

from analysis.measures.betweenness import SAMPLE, betweenness
from analysis.measures.groups import communities, k_core, undirected
from analysis.measures.matrix import CoreMatrix
from analysis.measures.network import measure, reciprocity
from analysis.measures.ranks import hits, pagerank

TOGETHER = ("PageRank", "HITS", "reciprocity")


class Holder:
    """What measure looks at of a network."""

    def __init__(self, graph):
        self.graph = graph


def network(nodes, links, seed=1):
    """Return a core of *nodes* in communities of about 100, links mostly within them."""
    rng = np.random.default_rng(seed)
    fame = rng.pareto(1.5, nodes) + 0.1
    order = np.argsort(rng.random(nodes))
    groups = np.array_split(order, max(nodes // 100, 2))
    of = np.empty(nodes, np.int64)
    for number, members in enumerate(groups):
        of[members] = number
    source = rng.integers(0, nodes, int(links * 1.2))
    target = rng.choice(nodes, len(source), p=fame / fame.sum())
    inside = rng.random(len(source)) < 0.7
    for number, members in enumerate(groups):
        chosen = np.flatnonzero(inside & (of[source] == number))
        share = fame[members] / fame[members].sum()
        target[chosen] = rng.choice(members, len(chosen), p=share)
    pairs = np.unique(np.stack([source, target], 1)[source != target], axis=0)
    pairs = pairs[np.sort(rng.permutation(len(pairs))[:links])]
    weight = 1 + rng.poisson(1, len(pairs))
    graph = nx.DiGraph()
    names = [f"{n:06}.test" for n in range(nodes)]
    graph.add_nodes_from(names, role="core")
    graph.add_weighted_edges_from(
        (names[a], names[b], w)
        for (a, b), w in zip(pairs.tolist(), weight.tolist(), strict=True)
    )
    return graph


def timed(work):
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def difference(one, other):
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def row(name, theirs, ours, apart):
    ratio = f"{theirs / ours:>7.1f} x" if theirs else f"{'':>9}"
    shown = f"{theirs:>10.3f}" if theirs else f"{'':>10}"
    print(f"  {name:<26}{shown}{ours:>10.3f}{ratio}   {apart}", flush=True)


def head(graph):
    print(f"{len(graph):,} nodes, {graph.number_of_edges():,} links")
    print(f"  {'':<26}{'networkx':>10}{'ours':>10}{'ratio':>9}   largest difference")


def by_links(graph):
    """Print what the shared matrix is for."""
    matrix, made = timed(lambda: CoreMatrix.of(graph))
    row("matrix of the links", 0, made, "")
    seconds = [made]
    compared = {
        "PageRank": (
            lambda: nx.pagerank(graph),
            lambda: pagerank(matrix),
            lambda _: nx.pagerank(graph, tol=1e-11 / len(graph), max_iter=500),
        ),
        "HITS": (
            lambda: nx.hits(graph),
            lambda: hits(matrix)[0],
            lambda _: nx.hits(graph, tol=1e-13)[0],
        ),
        "reciprocity": (
            lambda: (nx.reciprocity(graph, list(graph)), nx.reciprocity(graph)),
            lambda: (reciprocity(matrix), matrix.mutual.sum() / matrix.links)[0],
            lambda found: found[0],
        ),
    }
    total = 0
    for name in TOGETHER:
        theirs, mine, exact = compared[name]
        found, slow = timed(theirs)
        values, quick = timed(mine)
        expected = exact(found)
        apart = difference([expected[node] for node in matrix.nodes], values)
        row(name, slow, quick, f"{apart:.1e}")
        total += slow
        seconds.append(quick)
    row("the three, with matrix", total, sum(seconds), "")
    row("the three, matrix at hand", total, sum(seconds[1:]), "")
    return matrix


def by_groups(graph, matrix):
    cores, slow = timed(lambda: nx.core_number(graph.to_undirected()))
    found, quick = timed(lambda: k_core(matrix))
    apart = difference([cores[node] for node in matrix.nodes], found.tolist())
    row("k-core", slow, quick, apart)

    def theirs():
        both = nx.Graph()
        both.add_nodes_from(graph)
        for source, target, weight in graph.edges(data="weight"):
            before = both.get_edge_data(source, target, {"weight": 0})["weight"]
            both.add_edge(source, target, weight=before + weight)
        parts = nx.community.louvain_communities(both, seed=1)
        return nx.community.modularity(both, parts)

    quality, slow = timed(theirs)
    (_, own), quick = timed(lambda: communities(undirected(matrix), 1))
    row("communities, modularity", slow, quick, f"{quality:.3f}, ours {own:.3f}")
    (_, sources), quick = timed(lambda: betweenness(matrix, 1, exact=0))
    row(f"betweenness from {sources or SAMPLE}", 0, quick, "")
    _, quick = timed(lambda: measure(Holder(graph)))
    row("all, set on the nodes", 0, quick, "")


def by_ways(graph):
    head(graph)
    matrix = CoreMatrix.of(graph)
    expected, slow = timed(lambda: nx.betweenness_centrality(graph))
    (found, _), quick = timed(lambda: betweenness(matrix, 1))
    apart = difference([expected[node] for node in matrix.nodes], found)
    row("betweenness, exact", slow, quick, f"{apart:.1e}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--betweenness", type=int, nargs="*", default=[1_000, 5_000])
    args = parser.parse_args()
    for nodes in args.nodes:
        graph = network(nodes, 11 * nodes)
        head(graph)
        by_groups(graph, by_links(graph))
    for nodes in args.betweenness:
        by_ways(network(nodes, (9 if nodes <= 1_000 else 10) * nodes))


if __name__ == "__main__":
    main()
