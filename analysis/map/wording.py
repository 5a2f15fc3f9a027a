"""The lines under a map's title: of what crawl it is, and by which options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.wording import count, days

if TYPE_CHECKING:
    from analysis.network import Network


def facts(network: Network) -> list[str]:
    """Return lines for the page, for a printed map and for one that is exported."""
    parameters = network.parameters
    passes = f"iterations {parameters.iterations}, depth {parameters.depth}"
    when = days(network.statistics.started, network.statistics.ended)
    when = f", {when}" if when else ""
    lines = [
        f"{parameters.analysis} analysis by {parameters.mode}",
        f"threshold {parameters.threshold}, {passes}",
    ]
    if network.provenance is not None:
        lines.insert(0, f"Crawl {network.provenance.crawl}{when}")
    elif when:
        lines.insert(0, f"Crawl{when}")
    if network.missing:
        lines.append(f"incomplete: {len(network.missing)} pages were never asked for")
    if decisions := len(network.decisions):
        lines.append(f"{count(decisions, 'decision')} applied")
    return lines
