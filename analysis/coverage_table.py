"""Write coverage.csv: what of each site could not be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.sight import REASONS, SEEN
from analysis.tables import write_table

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network

COVERAGE_COLUMNS: Final = (
    "site",
    "role",
    "due",
    *SEEN,
    *(reason.replace(" ", "_") for reason in REASONS),
    "needs_javascript",
    "excluded_links",
)


def has_coverage(network: Network) -> bool:
    return network.coverage is not None


def write_coverage(network: Network, path: Path) -> None:
    """Write a row for each site that was to be asked for pages, by key."""
    assert network.coverage is not None  # noqa: S101  # has_coverage comes first
    write_table(
        path,
        COVERAGE_COLUMNS,
        (
            [
                row.site,
                row.role,
                row.due,
                row.retrieved,
                row.redirected,
                row.gone,
                *(row.unseen.get(reason, 0) for reason in REASONS),
                row.needs_javascript,
                row.excluded_links,
            ]
            for row in network.coverage
        ),
    )
