"""Write the stability of a network as tables: by node, and by variant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.tables import write_table

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.stability.result import Stability

NODES_FILE: Final = "stability.csv"
VARIANTS_FILE: Final = "stability_variants.csv"

NODE_COLUMNS: Final = ("node", "in_core", "kept", "variants", "share", "differs_in")
VARIANT_COLUMNS: Final = (
    "change",
    "value",
    "core",
    "kept",
    "lost",
    "lost_share",
    "lost_others",
    "came",
    "missing",
    "missing_votes",
)


def write_nodes(found: Stability, path: Path) -> None:
    """Write one node a line: the core, least stable first, then newcomers."""
    total = len(found.variants)
    rows = (
        (
            one.node,
            one.in_core,
            one.kept,
            total,
            f"{one.share:.6g}",
            "; ".join(one.differs_in),
        )
        for one in found.nodes
    )
    write_table(path, NODE_COLUMNS, rows)


def write_variants(found: Stability, path: Path) -> None:
    """Write one variant a line, starting points first."""
    others = {one.url: one.others for one in found.starts}
    rows = (
        (
            one.change,
            one.value,
            one.core,
            one.kept,
            len(one.lost),
            f"{len(one.lost) / found.core if found.core else 0:.6g}",
            others[one.value] if one.change == "without" else None,
            len(one.came),
            one.missing,
            one.missing_votes,
        )
        for one in found.variants
    )
    write_table(path, VARIANT_COLUMNS, rows)
