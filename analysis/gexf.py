"""Write a network's graph as GEXF 1.3, for Gephi and its kin.

One pass, no tree: ``benchmarks/gexf.py`` has it beside networkx' writer. There is no
time stamp (``lastmodifieddate``), so that equal networks make equal files. Where nodes
lie, how large they are and which colour they have is in the elements that GEXF has for
it, so that Gephi opens the map as it was drawn.

See https://gexf.net/schema.html and https://gexf.net/viz.html.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from analysis.attributes import plain
from analysis.gexf_columns import Columns
from analysis.markup import Markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import networkx as nx

    from analysis.network import Network

_HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
"""
# Gephi reads "integer" into 32 bits, which counts of links can pass.
_TYPES: Final = {bool: "boolean", int: "long", float: "double", str: "string"}
_DRAWN: Final = frozenset({"x", "y", "size", "color"})
_COLOUR: Final = re.compile("#[0-9a-fA-F]{6}")
_AT_ONCE: Final = 1000
_BUFFER: Final = 2**20
"""Bytes written at a time."""

Linked = Mapping[str, Mapping[str, dict[str, Any]]]
Row = tuple[Any, ...]
"""Of a graph: a node or an edge, its attributes last."""


def write(network: Network, path: Path) -> None:
    with path.open("w", _BUFFER, encoding="utf-8", newline="\n") as file:
        file.writelines(_document(network))


def _document(network: Network) -> Iterator[str]:
    markup = Markup()
    yield _HEAD
    yield "  <meta>\n    <creator>issuecrawl</creator>\n"
    about = [network.title, *(f"Decision: {one}." for one in network.decisions)]
    yield f"    <description>{markup.text(' '.join(about))}</description>\n  </meta>\n"
    yield '  <graph mode="static" defaultedgetype="directed" idtype="string">\n'
    yield from _graph(network.graph, markup)
    yield "  </graph>\n</gexf>\n"


def _graph(graph: nx.DiGraph[str], markup: Markup) -> Iterator[str]:
    names = {node: markup.attribute(node) for node in sorted(graph)}
    of, linked = dict(graph.nodes(data=True)), dict(graph.adjacency())
    nodes = [(node, of[node]) for node in names]
    looks = [_looks(data) for _, data in nodes]
    placed = {"label", *_DRAWN} if all(looks) else {"label"}
    columns = Columns([data for _, data in nodes], markup, placed)
    links = Columns(_with_more(linked), markup, {"weight"})
    yield _declared("node", columns, markup)
    yield _declared("edge", links, markup)
    yield f'    <nodes count="{len(nodes)}">\n'
    rows = _with_values(nodes, columns)
    for (node, data, values), drawn in zip(rows, looks, strict=True):
        label = data.get("label")
        shown = names[node] if label is None else markup.attribute(str(label))
        rest = _rest("node", values, drawn)
        yield f'      <node id="{names[node]}" label="{shown}"{rest}'
    yield f'    </nodes>\n    <edges count="{sum(map(len, linked.values()))}">\n'
    yield from (_edges if links.kinds else _bare_edges)(linked, names, links)
    yield "    </edges>\n"


def _with_more(linked: Linked) -> list[dict[str, Any]]:
    """Return the attributes of edges that have more than a weight: seldom any."""
    return [
        data
        for targets in linked.values()
        for data in targets.values()
        if len(data) != 1 or "weight" not in data
    ]


def _bare_edges(linked: Linked, names: Mapping[str, str], _: Columns) -> Iterator[str]:
    """Yield what :func:`_edges` does where there are weights alone, twice as fast."""
    for source, name in names.items():
        begin = f'      <edge source="{name}" target="'
        yield "".join(
            [
                f'{begin}{names[target]}" weight="{data["weight"]}" />\n'
                if type(data.get("weight")) is int
                else f'{begin}{names[target]}"{_weight(data)} />\n'
                for target, data in sorted(linked[source].items(), key=itemgetter(0))
            ]
        )


def _edges(linked: Linked, names: Mapping[str, str], links: Columns) -> Iterator[str]:
    edges = (
        (source, target, linked[source][target])
        for source in names
        for target in sorted(linked[source])
    )
    for source, target, data, values in _with_values(edges, links):
        ends = f'source="{names[source]}" target="{names[target]}"'
        yield f"      <edge {ends}{_weight(data)}{_rest('edge', values)}"


def _weight(data: Mapping[str, Any]) -> str:
    weight = plain(data.get("weight"))
    return "" if weight is None else f' weight="{weight}"'


def _with_values(rows: Iterable[Row], columns: Columns) -> Iterator[Row]:
    """Yield *rows*, each with its attribute values as elements."""
    left = iter(rows)
    while some := list(islice(left, _AT_ONCE)):
        values = columns.written([row[-1] for row in some])
        for row, each in zip(some, values, strict=True):
            yield *row, each


def _declared(parent: str, columns: Columns, markup: Markup) -> str:
    if not columns.kinds:
        return ""
    rows = "".join(
        f'      <attribute id="{number}"'
        f' title="{markup.attribute(name)}" type="{_TYPES[kind]}" />\n'
        for number, (name, kind) in enumerate(columns.kinds.items())
    )
    return f'    <attributes class="{parent}">\n{rows}    </attributes>\n'


def _rest(parent: str, values: str, more: str = "") -> str:
    """Return the rest of a *parent* element, from the end of its start tag on."""
    if values:
        return f"><attvalues>{values}</attvalues>{more}</{parent}>\n"
    return f">{more}</{parent}>\n" if more else " />\n"


def _looks(data: Mapping[str, Any]) -> str:
    """Return place, size and colour as elements; nothing unless all are there."""
    get = data.get
    x, y, size, colour = get("x"), get("y"), get("size"), get("color")
    if not type(x) is type(y) is type(size) is float or type(colour) is not str:
        return ""
    painted = _painted(colour)
    if not painted or not math.isfinite(x + y + size) or size < 0:
        return ""
    return (
        f'{painted}<viz:position x="{x:.6g}" y="{y:.6g}" z="0" />'
        f'<viz:size value="{size:.6g}" />'
    )


@lru_cache(maxsize=100)
def _painted(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        return ""
    red, green, blue = bytes.fromhex(colour[1:])
    return f'<viz:color r="{red}" g="{green}" b="{blue}" />'
