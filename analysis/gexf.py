"""Write a network's graph as GEXF 1.3, for Gephi and its kin.

One pass, no tree: at 20,000 nodes a fifteenth of the time of networkx' writer. There
is no time stamp (``lastmodifieddate``), so that equal networks make equal files.

See https://gexf.net/schema.html.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis import attributes
from analysis.markup import Markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import networkx as nx

    from analysis.attributes import Value
    from analysis.network import Network

_HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
"""
# Gephi reads "integer" into 32 bits, which counts of links can pass.
_TYPES: Final = {bool: "boolean", int: "long", float: "double", str: "string"}


def write(network: Network, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
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
    columns = _Columns((data for _, data in attributes.nodes(graph)), markup)
    links = _Columns((_extra(data) for *_, data in attributes.edges(graph)), markup)
    yield columns.declared("node")
    yield links.declared("edge")
    yield f'    <nodes count="{len(graph)}">\n'
    for node, data in attributes.nodes(graph):
        name = markup.attribute(node)
        yield f'      <node id="{name}" label="{name}"{columns.rest("node", data)}'
    yield f'    </nodes>\n    <edges count="{graph.number_of_edges()}">\n'
    for source, target, data in attributes.edges(graph):
        ends = (
            f'source="{markup.attribute(source)}" target="{markup.attribute(target)}"'
        )
        weight = f' weight="{data["weight"]}"' if data.get("weight") is not None else ""
        yield f"      <edge {ends}{weight}{links.rest('edge', _extra(data))}"
    yield "    </edges>\n"


def _extra(data: dict[str, Value]) -> dict[str, Value]:
    """Return an edge's attributes without the one that GEXF has a place for."""
    return {name: value for name, value in data.items() if name != "weight"}


class _Columns:
    """The attributes of all nodes, or of all edges: declared once, then by number."""

    def __init__(self, rows: Iterable[Mapping[str, Value]], markup: Markup) -> None:
        self._types = attributes.types(rows)
        self._number = {name: number for number, name in enumerate(self._types)}
        self._markup = markup

    def declared(self, parent: str) -> str:
        if not self._types:
            return ""
        rows = "".join(
            f'      <attribute id="{self._number[name]}"'
            f' title="{self._markup.attribute(name)}" type="{_TYPES[kind]}" />\n'
            for name, kind in self._types.items()
        )
        return f'    <attributes class="{parent}">\n{rows}    </attributes>\n'

    def rest(self, parent: str, data: Mapping[str, Value]) -> str:
        """Return the rest of a *parent* element, from the end of its start tag on."""
        values = "".join(
            f'<attvalue for="{self._number[name]}" value="{self._shown(name, value)}" />'
            for name, value in data.items()
            if value is not None
        )
        return f"><attvalues>{values}</attvalues></{parent}>\n" if values else " />\n"

    def _shown(self, name: str, value: Value) -> str:
        if self._types[name] is bool:
            return "true" if value else "false"
        return self._markup.attribute(str(value))
