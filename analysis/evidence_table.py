"""Write evidence.csv: the links that put each core node in, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.network import EvidenceLink
from analysis.tables import write_table

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network

EVIDENCE_COLUMNS: Final = EvidenceLink._fields


def has_evidence(network: Network) -> bool:
    return network.evidence is not None


def write_evidence(network: Network, path: Path) -> None:
    """Write a row for each pair of pages that ``inlinks`` of a core node counts."""
    assert network.evidence is not None  # noqa: S101  # has_evidence comes first
    write_table(path, EVIDENCE_COLUMNS, network.evidence.links())
