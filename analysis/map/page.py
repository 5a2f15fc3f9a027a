"""Write map.html: template, script, style and data, in one file."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any, Final

from analysis.attributes import clean
from analysis.map.content import Numbering, content
from analysis.map.deflated import packed
from analysis.map.evidence import Blocks, blocks
from analysis.map.table import table

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network

DATA: Final = resources.files("analysis.map") / "data"

POLICY: Final = (
    "default-src 'none'",
    "script-src 'sha256-{script}'",
    "style-src 'sha256-{style}'",
    # A picture that is made, and the layout's worker; nothing from anywhere.
    "img-src data: blob:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
)


def write(network: Network, path: Path) -> None:
    """Write the map of *network*, completed by :func:`analysis.complete.complete`.

    The same network gives the same bytes, and the page asks for nothing from anywhere.
    """
    numbering = Numbering(network)
    evidence = (
        blocks(network.evidence, numbering) if network.evidence else Blocks(shown=0)
    )
    script, style = _shipped("map.js"), _shipped("map.css")
    page = Template(_shipped("page.html")).substitute(
        policy=_policy(script, style),
        title=escape(clean(network.title) or "Issue network"),
        style=style,
        script=script,
        content=packed({**content(network, numbering), **_index(evidence)}),
        evidence="\n".join(
            f'<script type="text/plain" id="evidence-{number}">{block}</script>'
            for number, block in enumerate(evidence.packed)
        ),
        table=table(numbering),
    )
    path.write_text(page, encoding="utf-8", newline="\n")


def _index(evidence: Blocks) -> dict[str, Any]:
    """Return which block holds what."""
    return {
        "evidence": {
            "of": [[number, block] for number, block in sorted(evidence.of.items())],
            "shown": evidence.shown,
            "nodes": evidence.nodes,
        }
    }


def _shipped(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    """Return a policy that lets this script and this style work, and no other."""
    return "; ".join(POLICY).format(script=_digest(script), style=_digest(style))


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
