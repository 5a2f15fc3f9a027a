"""Write a network as node-link JSON, which networkx and d3 read."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from analysis import attributes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from analysis.network import Network


def write(network: Network, path: Path) -> None:
    """Write what :func:`networkx.node_link_graph` reads (``edges="edges"``).

    Under ``network`` stands what is not of the graph: title, author, parameters,
    statistics, starting points. One node or edge a line, for the sake of diff.
    """
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_document(network))


def _document(network: Network) -> Iterator[str]:
    yield '{"directed": true, "multigraph": false, "graph": {},\n"network": '
    yield _text(_metadata(network))
    yield ',\n"nodes": ['
    yield from _rows(
        {"id": node, **data} for node, data in attributes.nodes(network.graph)
    )
    yield '],\n"edges": ['
    yield from _rows(
        {"source": source, "target": target, **data}
        for source, target, data in attributes.edges(network.graph)
    )
    yield "]}\n"


def _metadata(network: Network) -> dict[str, Any]:
    return {
        "title": network.title,
        "author": network.author,
        "email": network.email,
        "parameters": asdict(network.parameters),
        "statistics": asdict(network.statistics),
        "starting_points": network.starting_points,
        "description": network.description,
        "missing": len(network.missing),
        "decisions": [str(one) for one in network.decisions],
    }


def _rows(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    between = "\n"
    for row in rows:
        yield between + _text(row)
        between = ",\n"


def _text(value: object) -> str:
    # json escapes control characters, and leaves lone surrogates, which have no UTF-8.
    return attributes.clean(json.dumps(value, ensure_ascii=False))
