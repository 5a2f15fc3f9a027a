"""The lines under a map's title: of what crawl it is, and by which options."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.network import Network


def facts(network: Network) -> list[str]:
    """Return lines for the page, for a printed map and for one that is exported."""
    parameters = network.parameters
    passes = f"iterations {parameters.iterations}, depth {parameters.depth}"
    lines = [
        f"{parameters.analysis} analysis by {parameters.mode}",
        f"threshold {parameters.threshold}, {passes}",
    ]
    if network.provenance is not None:
        lines.insert(0, f"Crawl {network.provenance.crawl}{_days(network)}")
    elif _days(network):
        lines.insert(0, f"Crawl{_days(network)}")
    if network.missing:
        lines.append(f"incomplete: {len(network.missing)} pages were never asked for")
    if decisions := len(network.decisions):
        lines.append(
            f"{decisions} {'decision' if decisions == 1 else 'decisions'} applied"
        )
    return lines


def _days(network: Network) -> str:
    first, last = network.statistics.started[:10], network.statistics.ended[:10]
    if not first:
        return ""
    return f", {first}" if last in ("", first) else f", {first} to {last}"
