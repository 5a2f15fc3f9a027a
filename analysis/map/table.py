"""The core as a plain table, for a browser that runs no scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from analysis.attributes import clean

if TYPE_CHECKING:
    from analysis.attributes import Value
    from analysis.map.content import Numbering

ROWS: Final = 100


def table(numbering: Numbering) -> str:
    """Return rows of HTML: the core by inlinks, as far as a page without scripts goes."""
    core = sorted(
        zip(numbering.ids[: numbering.core], numbering.data, strict=False),
        key=lambda row: (-float(row[1].get("inlinks") or 0), row[0]),
    )
    rows = [_row(node, data) for node, data in core[:ROWS]]
    if len(core) > ROWS:
        rows.append(
            f'<tr><td colspan="4">and {len(core) - ROWS} more: see nodes.csv</td></tr>'
        )
    return "\n".join(rows)


def _row(node: str, data: dict[str, Value]) -> str:
    name = _cell(data.get("label") or node)
    url = str(data.get("url") or "")
    # An address from a page could be a script; only those of the web are links.
    if url.startswith(("http://", "https://")):
        name = f'<a href="{escape(url)}" rel="noopener noreferrer">{name}</a>'
    cells = [
        name,
        *(_cell(data.get(column)) for column in ("category", "inlinks", "why")),
    ]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _cell(value: Value) -> str:
    return escape(clean("" if value is None else str(value)))
