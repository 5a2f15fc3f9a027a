"""What could not be seen of each node's site, as the map tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.sight import WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.attributes import Value
    from analysis.network import Network


def coverage_of(
    network: Network, nodes: Sequence[dict[str, Value]]
) -> dict[str, dict[str, Any]]:
    """Return coverage by site, of the sites that *nodes* are on.

    Empty where the network was read from a file: nothing is known of what was seen.
    """
    sites = {data.get("site") for data in nodes}
    return {
        row.site: {
            "due": row.due,
            "seen": row.retrieved,
            "redirected": row.redirected,
            "gone": row.gone,
            "unseen": [
                [WORDS[reason], row.unseen[reason]] for reason in sorted(row.unseen)
            ],
            "scripted": row.needs_javascript,
            "excluded": row.excluded_links,
        }
        for row in network.coverage or ()
        if row.site in sites
    }
