"""The cluster map: ours beside networkx's ForceAtlas2, and how good they are.

    python benchmarks/layout.py [--nodes 200 2000] [--alone 20000 100000] [--steps 100]

Networks are connected and have half as many communities as the root of their nodes (7,
22, 71, 158), 11 links a node drawn with in-degrees as skewed as the Web's, and 8 of 10
of them within a community. Each row is measured in a process of its own: CPU seconds,
the growth of resident memory, and

- purity: share of a node's ten nearest neighbours on the map that are of its community;
- preservation: share of as many nearest neighbours on the map as it is linked with, that
  it is linked with (mean of nodes; chance is about nothing at 2,000 nodes);
- overlaps: pairs of circles that overlap, circles being as large as on our maps and
  networkx's layout scaled to the area of ours.

Quality is that of 2,000 nodes drawn at random, or of all. "places" is all that
analysis.layout does: forces, room for every circle, and the circle map too.

To reach: at 2,000 nodes a tenth of networkx's time or less at no less purity; at 20,000
about 1.5 s for the forces.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import networkx as nx
import numpy as np
from scipy import sparse
from scipy.spatial import cKDTree

from analysis.layout import place
from analysis.layout.forces import force_atlas
from analysis.paint import sizes

LINKS = 11
WITHIN = 0.8
SAMPLE = 2_000
NEAREST = 10


class Holder:
    """What place looks at of a network."""

    inward = ()

    def __init__(self, graph):
        self.graph = graph


def planted(nodes, seed=1):
    """Return pairs of linked nodes, no two alike, and the community of each node."""
    rng = np.random.default_rng(seed)
    fame = rng.pareto(1.5, nodes) + 0.1
    group = np.arange(nodes) * round(nodes**0.5 / 2) // nodes
    source = np.repeat(np.arange(nodes), LINKS)
    target = rng.choice(nodes, len(source), p=fame / fame.sum())
    for number in range(group[-1] + 1):
        members = np.flatnonzero(group == number)
        mine = group[source] == number
        mine &= rng.random(len(source)) < WITHIN
        share = fame[members] / fame[members].sum()
        target[mine] = rng.choice(members, mine.sum(), p=share)
    # A ring through all, so that there is one part.
    ring = np.column_stack((np.arange(nodes), np.roll(np.arange(nodes), 1)))
    pairs = np.concatenate([np.column_stack((source, target)), ring])
    shuffled = rng.permutation(nodes)
    pairs = np.unique(shuffled[pairs[pairs[:, 0] != pairs[:, 1]]], axis=0)
    return pairs, group[np.argsort(shuffled)]


def drawn(nodes, pairs):
    """Return the graph of a network as analysis has it before it is placed."""
    graph = nx.DiGraph()
    names = [f"{number:06}.test" for number in range(nodes)]
    inlinks = np.bincount(pairs[:, 1], minlength=nodes).tolist()
    for name, links in zip(names, inlinks, strict=True):
        graph.add_node(name, role="core", site=name, category="", inlinks=links)
    graph.add_edges_from(((names[a], names[b]) for a, b in pairs.tolist()), weight=1)
    nx.set_node_attributes(graph, sizes(graph), "size")
    return graph


def neighbours(nodes, pairs):
    ones = np.ones(len(pairs))
    one_way = sparse.coo_array((ones, pairs.T), shape=(nodes, nodes)).tocsr()
    return (one_way + one_way.T).tocsr()


def by_forces(nodes, pairs, _):
    ties = neighbours(nodes, pairs)
    return lambda: force_atlas(ties, seed=1)


def by_place(nodes, pairs, _):
    network = Holder(drawn(nodes, pairs))

    def work():
        layout = place(network)["cluster"]
        return np.array([layout[node] for node in network.graph])

    return work


def by_networkx(nodes, pairs, steps):
    graph = drawn(nodes, pairs).to_undirected()

    def work():
        layout = nx.forceatlas2_layout(graph, max_iter=steps, seed=1)
        return np.array([layout[node] for node in graph])

    return work


WAYS = {"forces": by_forces, "places": by_place, "networkx": by_networkx}


def purity(at, group, chosen):
    _, nearest = cKDTree(at).query(at[chosen], k=NEAREST + 1)
    return float((group[nearest[:, 1:]] == group[chosen, None]).mean())


def preservation(at, ties, chosen):
    tree, shares = cKDTree(at), []
    for node in chosen.tolist():
        linked = ties.indices[ties.indptr[node] : ties.indptr[node + 1]]
        _, nearest = tree.query(at[node], k=len(linked) + 1)
        shares.append(np.isin(nearest[nearest != node], linked).mean())
    return float(np.mean(shares))


def overlaps(at, radii):
    pairs = cKDTree(at).query_pairs(2 * radii.max(), output_type="ndarray")
    one, other = pairs.T
    distance = np.hypot(*(at[one] - at[other]).T)
    return int((distance < radii[one] + radii[other]).sum())


def as_wide_as(at, radii):
    """Return *at* with circles taking up three tenths of its area, as on our maps."""
    taken = np.pi * ((radii * 9 / 8 + 1.5) ** 2).sum()
    reach = np.quantile(np.hypot(*(at - at.mean(axis=0)).T), 0.95)
    return at * np.sqrt(taken / 0.3 / np.pi) / reach


def resident():
    for row in Path("/proc/self/status").read_text().splitlines():
        if row.startswith("VmRSS"):
            return int(row.split()[1]) / 1024
    raise LookupError("VmRSS")


def measured(way, nodes, steps):
    pairs, group = planted(nodes)
    work = WAYS[way](nodes, pairs, steps)
    before, began = resident(), time.process_time()
    at = work()
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    chosen = np.random.default_rng(2).permutation(nodes)[:SAMPLE]
    graph = drawn(nodes, pairs)
    radii = np.array([size for _, size in graph.nodes(data="size")])
    return {
        "seconds": seconds,
        "growth": max(peak - before, 0.0),
        "purity": purity(at, group, chosen),
        "preservation": preservation(at, neighbours(nodes, pairs), chosen),
        "overlaps": overlaps(at if way == "places" else as_wide_as(at, radii), radii),
    }


def row(label, way, nodes, steps):
    answer = subprocess.run(
        [sys.executable, __file__, "run", way, str(nodes), str(steps)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    found = json.loads(answer.stdout)
    print(
        f"  {label:<28}{found['seconds']:>9.2f}{found['growth']:>9.0f}"
        f"{found['purity']:>9.3f}{found['preservation']:>13.3f}"
        f"{found['overlaps']:>10,}",
        flush=True,
    )
    return found


def head(nodes):
    pairs, _ = planted(nodes)
    print(f"{nodes:,} nodes, {len(pairs):,} links")
    print(
        f"  {'':<28}{'CPU s':>9}{'MB':>9}{'purity':>9}{'preservation':>13}"
        f"{'overlaps':>10}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, nargs="*", default=[200, 2_000])
    parser.add_argument("--alone", type=int, nargs="*", default=[20_000, 100_000])
    parser.add_argument("--steps", type=int, nargs="*", default=[100])
    args = parser.parse_args()
    for nodes in args.nodes + args.alone:
        head(nodes)
        ours = row("ours, forces", "forces", nodes, 0)
        row("ours, places", "places", nodes, 0)
        for steps in args.steps if nodes in args.nodes else ():
            theirs = row(f"networkx, {steps:,} steps", "networkx", nodes, steps)
            print(f"  {theirs['seconds'] / ours['seconds']:.1f} x networkx")


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        way, nodes, steps = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
        print(json.dumps(measured(way, nodes, steps)))
    else:
        main()
