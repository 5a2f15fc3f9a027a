"""What came of a crawl and its analysis, in sentences of the methods paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Network
    from issuecrawl.model.parameters import Parameters

UNSEEN: Final = {
    "robots": (
        "was kept out by a robots.txt that forbids it or could not be read",
        "were kept out by a robots.txt that forbids them or could not be read",
    ),
    "timeout": ("did not answer in time", "did not answer in time"),
    "error": ("failed", "failed"),
    "budget": ("was beyond a budget", "were beyond a budget"),
    "delay": (
        "is on a site that asks for too long a delay",
        "are on sites that ask for too long a delay",
    ),
    "excluded": ("was excluded", "were excluded"),
    "not public": (
        "is on a host that is not public",
        "are on hosts that are not public",
    ),
    "missing": ("was never asked for", "were never asked for"),
}
"""What became of an address or several, by :data:`analysis.coverage.REASONS`."""

EMPTY: Final = {
    "colink": "no co-links were found",
    "snowball": "no starting point is left",
    "interactor": "no starting point is left",
}
"""Why there may be no core, by analysis."""


def outcome(network: Network) -> Iterator[str]:
    yield excluded(network)
    yield from unseen(network)
    yield from incomplete(network)
    yield from thinned(network.parameters)
    yield from decided(network)
    yield result(network)
    yield from worked_out(network)
    yield from stable(network)


def excluded(network: Network) -> str:
    entries = len(network.parameters.exclude)
    if not entries:
        return "No exclusion list was applied."
    number = network.statistics.excluded
    by = f"an exclusion list of {count(entries, 'entry', 'entries')}"
    if number is None:
        return f"Addresses were left out by {by}; how many is not known."
    return f"{count(number, 'address was', 'addresses were')} left out by {by}."


def unseen(network: Network) -> Iterator[str]:
    """Say what of the addresses due could not be seen."""
    if network.coverage is None:
        return
    due = sum(row.due for row in network.coverage)
    reasons = {
        name: sum(row.unseen.get(name, 0) for row in network.coverage)
        for name in UNSEEN
    }
    total = sum(reasons.values())
    scripted = sum(row.needs_javascript for row in network.coverage)
    of = count(due, "address", "addresses")
    if total:
        parts = [
            f"{number:,} {UNSEEN[name][number != 1]}"
            for name, number in reasons.items()
            if number
        ]
        yield f"Of {of} due, {total:,} could not be seen: {listed(parts)}."
    elif due:
        yield f"Of {of} due, all were seen."
    if scripted:
        yield (
            f"{count(scripted, 'retrieved page shows', 'retrieved pages show')} signs of"
            " having links put in by scripts, which were not run."
        )
    if total or scripted:
        yield "A missing edge is therefore not a missing relation."


def incomplete(network: Network) -> Iterator[str]:
    if network.missing:
        pages = count(len(network.missing), "page")
        was = "was" if len(network.missing) == 1 else "were"
        yield (
            f"The network is incomplete: {pages} that these settings need {was} never"
            " asked for."
        )


def thinned(chosen: Parameters) -> Iterator[str]:
    if chosen.diversity:
        least = count(chosen.diversity, "category", "categories")
        yield f"The core was asked to be of at least {least}."
    if chosen.authority:
        least = count(chosen.authority, "core site")
        yield f"Nodes that fewer than {least} link to were dropped from the core, once."


def decided(network: Network) -> Iterator[str]:
    if network.decisions:
        made = count(len(network.decisions), "decision")
        was = "was" if len(network.decisions) == 1 else "were"
        yield f"{made} of the researcher {was} applied to what was kept."


def result(network: Network) -> str:
    unit = network.parameters.mode
    roles = [role for _, role in network.graph.nodes(data="role")]
    core = roles.count("core")
    if not core:
        return f"The core is empty: {EMPTY[network.parameters.analysis]}."
    around = count(len(network.periphery), "page links", "pages link")
    edges = network.graph.number_of_edges()
    between = f"{count(edges, 'edge')} between them" if core > 1 else "no edge"
    return (
        f"The core has {count(core, unit)} and {between}; {around} into it from outside"
        " (periphery)."
    )


def worked_out(network: Network) -> Iterator[str]:
    """Say how positions and measures came about."""
    if network.layouts and network.graph:
        yield "Positions were computed by ForceAtlas2 (Jacomy et al. 2014)."
    if network.measures is None or not network.measures.nodes:
        return
    yield "Communities are those of the Louvain method (Blondel et al. 2008)."
    if sample := network.measures.betweenness_sample:
        yield f"Betweenness was estimated from {count(sample, 'node')}."


def stable(network: Network) -> Iterator[str]:
    found = network.stability
    if found is None or not found.variants or not found.core:
        return
    variants = len(found.variants)
    always = sum(share == 1 for share in found.shares.values())
    those = "the one variant" if variants == 1 else f"all {variants:,} variants"
    stay = "stays" if always == 1 else "stay"
    before = "Before these decisions, " if network.decisions else ""
    text = (
        f"{before}{always:,} of {count(found.core, 'core node')} {stay} in {those} in which one"
        " starting point is left out or one setting changed"
    )
    hanging = len(found.hangs_on)
    if hanging:
        text += (
            f"; it hangs on {count(hanging, 'starting point')}, without which other"
            " nodes go too"
        )
    yield f"{text}."
