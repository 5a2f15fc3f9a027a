"""What a report begins with: whose network it is, its figures, what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.wording import count, days, figure, minute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Network

WARNING: Final = "[WARNING]"
_INCOMPLETE: Final = f"{WARNING}Incomplete"


@dataclass(frozen=True, slots=True)
class Heading:
    title: str
    by: str
    """Author, and how to reach them."""
    when: str
    crawl: str
    """Which crawl it is, empty where that is not known."""


class Figure(NamedTuple):
    value: str
    name: str
    note: str = ""


class Definition(NamedTuple):
    """A measure of the whole network."""

    name: str
    value: str
    meaning: str


def heading(network: Network) -> Heading:
    origin = network.provenance
    crawl = ""
    if origin is not None:
        crawl = f"crawl {origin.crawl}"
        if origin.series != origin.crawl or origin.series_index > 1:
            crawl += f" (series {origin.series}, number {origin.series_index})"
    email = f" ({network.email})" if network.author and network.email else network.email
    return Heading(
        title=network.title.strip() or _untitled(network),
        by=f"{network.author}{email}",
        when=days(network.statistics.started, network.statistics.ended),
        crawl=crawl,
    )


def _untitled(network: Network) -> str:
    if network.provenance is None:
        return "Issue network"
    return f"Issue network of crawl {network.provenance.crawl}"


def figures(network: Network) -> Iterator[Figure]:
    unit = network.parameters.mode
    core = sum(role == "core" for _, role in network.graph.nodes(data="role"))
    yield Figure(f"{core:,}", f"core {unit}{'s' * (core != 1)}", "kept by the analysis")
    edges = network.graph.number_of_edges()
    yield Figure(f"{edges:,}", "edge" + "s" * (edges != 1), "between core nodes")
    around = len(network.periphery)
    name = "periphery page" + "s" * (around != 1)
    yield Figure(f"{around:,}", name, "link in, are not linked to")
    yield _starting_points(network)
    pages = network.statistics.downloaded
    ended = minute(network.statistics.ended)
    note = f"until {ended}" if ended else ""
    yield Figure(f"{pages:,}", f"page{'s' * (pages != 1)} retrieved", note)
    if network.coverage is not None:
        due = sum(row.due for row in network.coverage)
        unseen = sum(sum(row.unseen.values()) for row in network.coverage)
        yield Figure(
            f"{unseen:,}", "not seen", f"of {count(due, 'address', 'addresses')} due"
        )


def _starting_points(network: Network) -> Figure:
    number = len(network.starting_points)
    name = "starting point" + "s" * (number != 1)
    if network.starts is None:
        return Figure(f"{number:,}", name)
    kept = sum(start.role == "core" for start in network.starts)
    return Figure(f"{number:,}", name, f"{kept:,} of them in the core")


def warnings(network: Network) -> list[str]:
    """Return what a reader has to know before reading on."""
    found = []
    origin = network.provenance
    if origin is not None and origin.state != "finished":
        found.append(
            f"The crawl is {origin.state}, not finished: this is the network so far."
        )
    if network.missing:
        pages = count(len(network.missing), "page")
        found.append(
            f"Incomplete: {pages} that these settings need had not been asked for when"
            " the network was computed; missing.txt lists them."
        )
    found += [
        line.removeprefix(WARNING).strip()
        for line in network.description
        if line.startswith(WARNING) and not line.startswith(_INCOMPLETE)
    ]
    return found


def definitions(network: Network) -> list[Definition]:
    """Return the measures of the core as a whole, each with its definition."""
    measures = network.measures
    if measures is None or not measures.nodes:
        return []
    found = [
        Definition("Nodes", figure(measures.nodes), "Sites or pages of the core."),
        Definition(
            "Edges",
            figure(measures.edges),
            "Ordered pairs of core nodes of which the first links to the second.",
        ),
        Definition(
            "Density",
            figure(measures.density),
            "Edges as a share of all that are possible between so many nodes.",
        ),
        Definition(
            "Reciprocity",
            figure(measures.reciprocity),
            "Share of the edges that are answered by one in the other direction.",
        ),
        Definition(
            "Components",
            figure(measures.components),
            "Parts of the core that no edge joins, whatever its direction; the largest"
            f" has {count(measures.largest_component, 'node')}.",
        ),
        Definition(
            "Communities",
            figure(measures.communities),
            "Groups with more edges within than between them (Louvain method, always"
            " begun alike).",
        ),
        Definition(
            "Modularity",
            figure(measures.modularity),
            "How many more of the edges lie within communities than chance would put"
            " there; 0 is as by chance, 1 the most.",
        ),
    ]
    if measures.betweenness_sample:
        meaning = "Nodes that betweenness, which other files hold, was estimated from."
        sample = figure(measures.betweenness_sample)
        found.append(Definition("Betweenness sample", sample, meaning))
    return found
