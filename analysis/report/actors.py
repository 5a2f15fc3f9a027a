"""Who is in a network, ranked; and why each one is in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from analysis.actors import ranked
from analysis.evidence import rank
from analysis.pictures import naming
from analysis.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.network import EvidenceLink, Network

SHOWN: Final = 50
"""Actors that a report shows; actors.csv has them all."""

MEASURES: Final = (
    ("inlinks", "Crawled population", "links from all crawled pages", "links"),
    ("inlinks_core", "By page", "links from pages of the core", "links"),
    ("linking_sites", "By site", "core sites that link to it", "sites"),
)
"""Attributes to rank by, as the Issue Crawler's comparison tool names them."""

RULES: Final = {
    "seed": "a starting point",
    "privileged": "a starting point, and these stay in",
    "linked": "what was fetched before links to it",
    "kept by decision": "a decision of the researcher keeps it",
}
"""The attribute ``why`` in words, where it has no number."""


@dataclass(frozen=True, slots=True)
class Actor:
    node: str
    label: str
    """Name that a decision gives it, else the id; a host as people read it."""
    url: str


class Place(NamedTuple):
    rank: str
    """With ``=`` where others have the same value."""
    actor: Actor
    value: int


class Ranking(NamedTuple):
    name: str
    meaning: str
    unit: str
    places: list[Place]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a node is in."""

    actor: Actor
    rule: str
    facts: list[str]
    link: EvidenceLink | None
    """The one that says most, where the links are known."""


def actor(network: Network, node: str) -> Actor:
    data = network.graph.nodes[node] if node in network.graph else {}
    label = str(data.get("label") or node)
    # As the map names it.
    label = naming.name(node, data) if _is_host(label) else label
    return Actor(node, label, str(data.get("url") or ""))


def _is_host(label: str) -> bool:
    return "xn--" in label and "/" not in label


def rankings(network: Network, shown: int = SHOWN) -> list[Ranking]:
    """Return the first of the core by each measure that there is."""
    found = []
    for by, name, meaning, unit in MEASURES:
        rows = ranked(network.graph, by)
        ties = Counter(row.rank for row in rows)
        places = [
            Place(
                f"{row.rank:,}{'=' * (ties[row.rank] > 1)}",
                actor(network, row.node),
                int(row.value),
            )
            for row in rows[:shown]
        ]
        if places:
            found.append(Ranking(name, meaning, unit, places))
    return found


def reasons(network: Network, shown: int = SHOWN) -> list[Reason]:
    """Return why the most linked of the core are in."""
    graph, evidence = network.graph, network.evidence
    return [
        Reason(
            actor(network, row.node),
            rule(network, graph.nodes[row.node].get("why") or ""),
            facts(network, graph.nodes[row.node]),
            best(evidence.links(row.node)) if evidence is not None else None,
        )
        for row in ranked(graph)[:shown]
    ]


def rule(network: Network, why: str) -> str:
    """Return in words what kept a node, by its attribute ``why``."""
    voters = why.removeprefix("co-linked by ")
    if voters != why and voters.isdecimal():
        return f"co-linked: {_link(network, int(voters))} to it"
    return RULES.get(why, why)


def facts(network: Network, data: dict[str, Any]) -> list[str]:
    """Return what else is known of why a node is in."""
    found = []
    at, voters = data.get("retained_at"), data.get("voters")
    if at is not None and at >= 0:
        found.append(f"in since pass {at}")
    if voters is not None and data.get("why") != f"co-linked by {voters}":
        found.append(f"{_link(network, voters)} to it in the last analysis")
    found.append(count(data.get("inlinks") or 0, "inlink"))
    return found


def _link(network: Network, voters: int) -> str:
    chosen = network.parameters
    if chosen.votes == "pages":
        return count(voters, "page of another site links", "pages of other sites link")
    noun = "registrable domain" if chosen.voters == "domain" else "site"
    return count(voters, f"other {noun} links", f"other {noun}s link")


def best(links: Iterable[EvidenceLink]) -> EvidenceLink | None:
    """Return the link that says most, by :func:`analysis.evidence.rank`."""
    return min(links, key=rank, default=None)
