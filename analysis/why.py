"""Why a node is in a network, or why a candidate is not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analysis.claims import COUNTED, VERDICTS, claims
from analysis.evidence import StoredEvidence, rank
from analysis.integers import among
from analysis.linking import linking
from analysis.names import Names
from analysis.near import heard, node_names
from issuecrawl.model.errors import AnalysisError, shown
from issuecrawl.model.exclusions import Exclusions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.claims import Claims
    from analysis.compute import Found
    from analysis.network import EvidenceLink, SiteCoverage


@dataclass(slots=True)
class Refused:
    """Links to a candidate that the last analysis did not count."""

    verdict: str
    """One of :data:`analysis.claims.VERDICTS`."""
    links: int
    """Different pairs of pages."""
    voters: list[str]
    """Those that it did not count for another link."""


@dataclass(slots=True)
class LinkingNode:
    node: str
    role: str
    """``core``, ``periphery``, or empty."""
    links: int
    """Different pairs of pages."""


@dataclass(slots=True)
class Account:
    """What there is to say of one node or candidate."""

    node: str
    role: str
    """``core``; ``periphery``, or empty: it was not kept."""
    starting_point: bool
    why: str = ""
    """As the attribute of a core node."""
    retained_at: int = -1
    came_from: list[str] = field(default_factory=list)
    """Units that are one with a core node, by redirects or by decision."""
    part_of: str = ""
    """Core node that a candidate is one with."""
    dropped: str = ""
    """``authority`` or ``decision``, which took a node out that was kept."""
    authority: int = 0
    """Core sites that link to a node that authority dropped."""
    votes: int = 0
    voters: list[str] = field(default_factory=list)
    """Who voted in the last analysis, or the pages that did with ``votes=pages``."""
    refused: list[Refused] = field(default_factory=list)
    excluded_by: list[str] = field(default_factory=list)
    """Entries of the exclusion list that match addresses of a candidate."""
    inlinks: int = 0
    """Pairs of pages: those of a core node, or those that were counted."""
    linking: list[LinkingNode] = field(default_factory=list)
    """By role, number of links, and name."""
    links: list[tuple[str, EvidenceLink]] = field(default_factory=list)
    """The best links, each with its verdict; a core node's have none. The best of each
    linking node comes first, then the second best."""
    coverage: SiteCoverage | None = None
    """Of its site, if it was to be asked for pages."""


class Inquiry:
    """Answers why; made once the last analysis has been asked all it is to be asked."""

    def __init__(self, found: Found) -> None:
        self.course = found.course
        self.core = found.core
        self._dropped = found.layer.dropped
        self._names = Names(found.course)
        self.network = found.network()
        self._coverage = {row.site: row for row in self.network.coverage or ()}

    def account(self, name: str, most: int = 10) -> Account:
        """Return why what *name* stands for is in the network or not.

        With the *most* best links. Raises AnalysisError for what the crawl has not seen.
        """
        unit = self._unit(name)
        node = node_names(self.course, [unit])[unit]
        graph = self.network.graph
        role = graph.nodes[node]["role"] if node in graph else ""
        site = self._site(unit)
        found = Account(node, role, unit in self.core.started)
        found.coverage = self._coverage.get(self.course.view.crawl.sites[site].key)
        if role == "core":
            self._kept(found, unit, most)
        else:
            self._not_kept(found, unit, most)
        return found

    def _unit(self, name: str) -> int:
        unit = self._names.unit(name)
        if unit is not None:
            return self.course.view.merged.get(unit, unit)
        near = self._names.near(name)
        hint = (
            f"did you mean {' or '.join(near)}?" if near else "--near lists candidates"
        )
        raise AnalysisError(f"The crawl has not come across {shown(name)}; {hint}")

    def _site(self, unit: int) -> int:
        by_site = self.course.view.parameters.mode == "site"
        return unit if by_site else int(self.course.view.crawl.site[unit])

    def _kept(self, found: Account, unit: int, most: int) -> None:
        data = self.network.graph.nodes[found.node]
        found.why, found.retained_at = data["why"], data["retained_at"]
        found.inlinks, found.votes = data["inlinks"], data["voters"]
        units = [one for one, node in self.core.came_from if node == unit != one]
        found.came_from = sorted(node_names(self.course, units).values())
        rows = self.core.heard[self.core.heard[:, 0] == unit]
        found.voters = heard(self.course, rows[:, 0], rows[:, 1]).get(unit, [])
        assert self.network.evidence is not None  # noqa: S101  # it is of a crawl
        links = list(self.network.evidence.links(found.node))
        self._show(found, [("", link) for link in links], most)

    def _not_kept(self, found: Account, unit: int, most: int) -> None:
        self._say_what_took_it_out(found, unit)
        made = claims(self.course, unit)
        counted = made.voices(COUNTED)
        units = np.full(len(counted), unit)
        found.votes = len(counted)
        found.voters = heard(self.course, units, counted).get(unit, [])
        links: list[tuple[str, EvidenceLink]] = []
        for verdict in VERDICTS:
            these = self._evidence(made, verdict)
            links += [(verdict, link) for link in these]
            if verdict == COUNTED:
                found.inlinks = len(these)
            elif these:
                others = sorted({link.voter for link in these} - set(found.voters))
                found.refused.append(Refused(verdict, len(these), others))
        found.excluded_by = self._entries(made)
        self._show(found, links, most)

    def _say_what_took_it_out(self, found: Account, unit: int) -> None:
        nodes = [node for one, node in self.core.came_from if one == unit != node]
        names = node_names(self.course, nodes)
        found.part_of = min(names.values(), default="")
        if unit in self._dropped:
            found.dropped = "decision"
        elif unit in self.core.nodes:
            found.dropped = "authority"
            links = linking(self.course, [self._site(unit)])
            into = links.where(among(links.target_unit, {unit}))
            inner = into.where(among(into.source_unit, self.core.nodes))
            found.authority = len(np.unique(inner.source_site))

    def _evidence(self, made: Claims, verdict: str) -> list[EvidenceLink]:
        pairs = made.of(verdict)
        urls = self.course.view.crawl.urls(
            {*pairs.source.tolist(), *pairs.target.tolist()}
        )
        return list(StoredEvidence(self.course, pairs, urls).links())

    def _entries(self, made: Claims) -> list[str]:
        view = self.course.view
        targets = np.unique(made.target[view.excluded[made.target]])
        exclusions = Exclusions(view.parameters.exclude)
        urls = view.crawl.urls(targets.tolist()).values()
        return sorted({exclusions.matches(url) or "" for url in urls} - {""})

    def _show(
        self, found: Account, links: list[tuple[str, EvidenceLink]], most: int
    ) -> None:
        """Put the best of *links* and who they are of into *found*."""
        by_node: dict[str, list[tuple[str, EvidenceLink]]] = {}
        for verdict, link in links:
            by_node.setdefault(link.linking_node, []).append((verdict, link))
        found.linking = sorted(
            (
                LinkingNode(node, self._role(node), len(these))
                for node, these in by_node.items()
            ),
            key=lambda one: (one.role != "core", -one.links, one.node),
        )
        found.links = _in_turn((by_node[one.node] for one in found.linking), most)

    def _role(self, node: str) -> str:
        graph = self.network.graph
        return str(graph.nodes[node]["role"]) if node in graph else ""


def _in_turn(
    groups: Iterable[list[tuple[str, EvidenceLink]]], most: int
) -> list[tuple[str, EvidenceLink]]:
    """Return the best of each group, then the second best of each, up to *most*."""
    order = VERDICTS.index
    ranked = [
        sorted(group, key=lambda one: (order(one[0]) if one[0] else 0, rank(one[1])))
        for group in groups
    ]
    found: list[tuple[str, EvidenceLink]] = []
    depth = 0
    while len(found) < most and any(len(group) > depth for group in ranked):
        found += [group[depth] for group in ranked if len(group) > depth]
        depth += 1
    return found[:most]
