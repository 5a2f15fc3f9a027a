"""Draw the network of a crawl in site mode as SVG, for the README.

    python docs/images/draw.py demo/networks/1 > docs/images/demo.svg

A circle's area grows with the voters; starting points have a ring; the periphery is
small and grey. The same network gives the same picture.
"""

from __future__ import annotations

import csv
import math
import sys
from html import escape
from pathlib import Path
from typing import Any

import networkx as nx

from analysis import issuenetwork_reader

WIDTH, HEIGHT, MARGIN = 880, 540, 60
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #222; text-anchor: middle;
    paint-order: stroke; stroke: #fff; stroke-width: 4px }
  line { stroke: #7a8ca3; stroke-opacity: .55 }
  .core { fill: #d9662b } .periphery { fill: #a9b4c0 }
  .start { stroke: #222; stroke-width: 1.5 }
"""


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def read(network: Path) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    for row in rows(network / "nodes.csv"):
        graph.add_node(row["id"], **row)
    for row in rows(network / "edges.csv"):
        graph.add_edge(row["source"], row["target"], weight=int(row["weight"]))
    add_periphery(graph, network / "network.xml")
    return graph


def add_periphery(graph: nx.DiGraph[str], path: Path) -> None:
    """Add the links into the core: edges of a network join core nodes only."""
    found = issuenetwork_reader.read(path)
    site = {page.id: page.site for page in found.pages}
    for page in found.periphery:
        for target in page.targets:
            graph.add_edge(page.site, site[target], weight=1)


def places(graph: nx.DiGraph[str]) -> dict[str, tuple[float, float]]:
    """Return where each node goes, in the picture's units."""
    spots: dict[str, Any] = nx.kamada_kawai_layout(graph.to_undirected(), weight=None)
    across = [spot[0] for spot in spots.values()]
    down = [spot[1] for spot in spots.values()]

    def scale(value: float, values: list[float], length: int) -> float:
        spread = max(values) - min(values) or 1
        return MARGIN + (value - min(values)) / spread * (length - 2 * MARGIN)

    return {
        node: (scale(x, across, WIDTH), scale(y, down, HEIGHT))
        for node, (x, y) in spots.items()
    }


def radius(node: dict[str, str]) -> float:
    voters = int(node["voters"] or 0)
    return 4 + 6 * math.sqrt(voters) if node["role"] == "core" else 5


def edge(
    start: tuple[float, float], end: tuple[float, float], gap: float, weight: int
) -> str:
    """Return the line from *start* towards *end*; its head stops *gap* short of it."""
    (x1, y1), (x2, y2) = start, end
    part = 1 - (gap + 3) / (math.dist(start, end) or 1)
    x2, y2 = x1 + (x2 - x1) * part, y1 + (y2 - y1) * part
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        f' stroke-width="{0.6 + 0.5 * weight:.1f}" marker-end="url(#head)"/>'
    )


def circle(node: dict[str, str], spot: tuple[float, float]) -> str:
    (x, y), size = spot, radius(node)
    started = " start" if node["starting_point"] == "true" else ""
    kind = node["role"] + started
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"/>'


def label(node: dict[str, str], spot: tuple[float, float]) -> str:
    (x, y), size = spot, radius(node)
    name = node["site"].encode().decode("idna").removesuffix(".example")
    return f'<text x="{x:.1f}" y="{y + size + 13:.1f}">{escape(name)}</text>'


HEAD = """<defs>
<marker id="head" viewBox="0 0 6 6" refX="5" refY="3" markerUnits="userSpaceOnUse"
 markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 6 3 0 6Z" fill="#7a8ca3"/>
</marker></defs>"""


def draw(graph: nx.DiGraph[str]) -> str:
    spots = places(graph)
    edges = sorted(graph.edges.data("weight"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
            f"<style>{STYLE}</style>",
            HEAD,
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            *(edge(spots[a], spots[b], radius(graph.nodes[b]), w) for a, b, w in edges),
            *(circle(graph.nodes[node], spots[node]) for node in sorted(graph)),
            *(label(graph.nodes[node], spots[node]) for node in sorted(graph)),
            "</svg>",
        ]
    )


if __name__ == "__main__":
    print(draw(read(Path(sys.argv[1]))))
