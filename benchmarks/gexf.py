"""GEXF: our writer beside networkx's, for the same graph with places and colours.

    python benchmarks/gexf.py [--nodes 10000] [--links 100000]

The graph has what analysis gives a network: 20 attributes a node, position, size and
colour, and weighted links. networkx gets the latter in its own form, ``viz``. Both begin
with the graph in memory. Each writes in a process of its own: CPU seconds and the growth
of resident memory. Then networkx reads both files: the same nodes, attributes, places
and links. To reach: at least 10 times as fast.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import networkx as nx
import numpy as np
from networkx.utils import graphs_equal

from analysis import attributes, gexf
from analysis.paint import colouring, sizes

DRAWN = ("x", "y", "size", "color")
MEASURES = ("pagerank", "hub", "hits_authority", "betweenness", "reciprocity")
COUNTS = ("inlinks", "inlinks_core", "linking_sites", "outlinks", "k_core", "community")


class Holder:
    """What the writer looks at of a network."""

    title = "Benchmark"
    decisions = ()

    def __init__(self, graph):
        self.graph = graph


def network(nodes, links):
    rng = np.random.default_rng(7)
    graph = nx.DiGraph()
    names = [f"www.{number:06}.climate.test" for number in range(nodes)]
    for name in names:
        graph.add_node(
            name,
            site=name,
            url=f"https://{name}/?a=1&b=2",
            category="ABCDEFGHI"[int(rng.integers(9))],
            role="core",
            starting_point=bool(rng.integers(2)),
            retained_at=1,
            why="co-linked by 2",
            voters=2,
            unseen=0,
            **{one: float(rng.random()) for one in MEASURES},
            **{one: int(rng.integers(1000)) for one in COUNTS},
        )
    size, colour = sizes(graph), colouring(graph).of
    at = (rng.normal(size=(nodes, 2)) * 1000).round(2).tolist()
    for name, (x, y) in zip(names, at, strict=True):
        graph.nodes[name].update(size=size[name], color=colour[name], x=x, y=y)
    pairs = np.unique(rng.integers(0, nodes, (links * 6 // 5, 2)), axis=0)
    chosen = pairs[pairs[:, 0] != pairs[:, 1]]
    for a, b in rng.permutation(chosen)[:links].tolist():
        graph.add_edge(names[a], names[b], weight=int(rng.integers(1, 99)))
    return graph


def as_networkx_has_it(graph):
    """Return *graph* with the attributes our file has, drawn ones under ``viz``."""
    found = nx.DiGraph()
    for node, data in attributes.nodes(graph):
        red, green, blue = bytes.fromhex(data["color"][1:])
        viz = {
            "color": {"r": red, "g": green, "b": blue, "a": 1.0},
            "position": {"x": data["x"], "y": data["y"], "z": 0.0},
            "size": data["size"],
        }
        plain = {name: value for name, value in data.items() if name not in DRAWN}
        found.add_node(node, label=node, viz=viz, **plain)
    for source, target, data in attributes.edges(graph):
        found.add_edge(source, target, **data)
    return found


def resident():
    for row in Path("/proc/self/status").read_text().splitlines():
        if row.startswith("VmRSS"):
            return int(row.split()[1]) / 1024
    raise LookupError("VmRSS")


def run(way, nodes, links, path):
    graph = network(nodes, links)
    if way == "networkx":
        graph = as_networkx_has_it(graph)
    before, began = resident(), time.process_time()
    if way == "networkx":
        nx.write_gexf(graph, path, version="1.3")
    else:
        gexf.write(Holder(graph), path)
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "growth": max(peak - before, 0.0)}


def row(way, nodes, links, path):
    answer = subprocess.run(
        [sys.executable, __file__, "run", way, str(nodes), str(links), path],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    found = json.loads(answer.stdout)
    size = path.stat().st_size / 1e6
    print(
        f"  {way:<12}{found['seconds']:>9.2f}{found['growth']:>10.0f}{size:>9.1f}",
        flush=True,
    )
    return found


def read(path):
    graph = nx.read_gexf(path, version="1.3")
    graph.graph.clear()
    for *_, data in graph.edges(data=True):
        data.pop("id", None)  # networkx's writer numbers edges
    return graph


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--links", type=int, default=100_000)
    args = parser.parse_args()
    print(f"{args.nodes:,} nodes, {args.links:,} links")
    print(f"  {'':<12}{'CPU s':>9}{'MB grown':>10}{'MB':>9}")
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder) / "ours.gexf", Path(folder) / "networkx.gexf"
        ours = row("ours", args.nodes, args.links, one)
        theirs = row("networkx", args.nodes, args.links, other)
        equal = graphs_equal(read(one), read(other))
    print(f"  {theirs['seconds'] / ours['seconds']:.1f} x networkx (reach 10)")
    print(f"  read back by networkx: {'the same' if equal else 'DIFFERENT'}")
    return 0 if equal else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        way, nodes, links = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
        print(json.dumps(run(way, nodes, links, Path(sys.argv[5]))))
    else:
        raise SystemExit(main())
