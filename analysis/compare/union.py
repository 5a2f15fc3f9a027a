"""The networks of a comparison's last step as one, for a map of what changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx

from analysis.network import Network

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.compare.result import Comparison, Snapshot, Step
    from analysis.network import Evidence, EvidenceLink


class BothEvidence:
    """Evidence of the later network, and of the earlier one for edges of it alone."""

    def __init__(self, before: Network, after: Network) -> None:
        self._before, self._after = before.evidence, after.evidence
        self._nodes = sorted({*before.graph, *after.graph})

    def links(self, node: str | None = None) -> Iterator[EvidenceLink]:
        for one in self._nodes if node is None else [node]:
            later = _links(self._after, one)
            edges = {link.linking_node for link in later}
            earlier = _links(self._before, one)
            gone = [link for link in earlier if link.linking_node not in edges]
            yield from sorted(later + gone)


def _links(evidence: Evidence | None, node: str) -> list[EvidenceLink]:
    return list(evidence.links(node)) if evidence else []


def union(snapshots: Sequence[Snapshot], comparison: Comparison) -> Network:
    """Return the union of the last of *snapshots* and what it is compared with.

    Nodes and edges have the attribute ``change``, nodes ``looks`` too, what became of the
    pages that spoke for them in one network alone, and otherwise those of the later
    network that has them. Evidence is of both, coverage of the later one; there are no
    pages, which are those of one crawl.
    """
    step = comparison.steps[-1]
    at = 0 if comparison.against == "first" else len(snapshots) - 2
    earlier, later = snapshots[at], snapshots[-1]
    before, after = earlier.network, later.network
    graph, inward = _drawn(step, before, after)
    sites = {site.key: site for one in (before, after) for site in one.sites}
    around = {site.key: site for one in (before, after) for site in one.periphery_sites}
    shown = {data["site"] for _, data in graph.nodes(data=True)}
    starts = dict.fromkeys([*before.starting_points, *after.starting_points])
    return Network(
        title=_title(earlier, later),
        author=after.author,
        email=after.email,
        description=[f"[INFO]{remark}" for remark in comparison.remarks],
        sites=[replace(sites[key]) for key in sorted(shown & sites.keys())],
        pages=[],
        periphery_sites=[
            replace(around[key]) for key in sorted(shown & around.keys() - sites.keys())
        ],
        periphery=[],
        starting_points=list(starts),
        statistics=after.statistics,
        parameters=after.parameters,
        graph=graph,
        missing=[],
        inward=inward,
        evidence=BothEvidence(before, after) if _has_any(before, after) else None,
        coverage=after.coverage,
    )


def _drawn(
    step: Step, before: Network, after: Network
) -> tuple[nx.DiGraph[str], list[tuple[str, str, int]]]:
    """Return the graph of both networks, and the links from the periphery."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for node in step.nodes:
        data = (before if node.after is None else after).graph.nodes[node.node]
        changed = {"change": node.change, "looks": node.looks.told}
        graph.add_node(node.node, **{**data, **changed})
    inward = []
    for edge in step.edges:
        weight = edge.before if edge.after is None else edge.after
        ends = edge.source, edge.target
        if graph.nodes[edge.source]["role"] == "core":
            graph.add_edge(*ends, weight=weight, change=edge.change)
        else:
            inward.append((*ends, int(weight or 0)))
    return graph, sorted(inward)


def _title(earlier: Snapshot, later: Snapshot) -> str:
    titles = {one.network.title for one in (earlier, later)}
    alike = len(titles) == 1
    words = [_named(one, titled=not alike) for one in (later, earlier)]
    heading = f"{titles.pop()}: " if alike and any(titles) else ""
    return f"{heading}{' compared with '.join(words)}"


def _named(one: Snapshot, *, titled: bool) -> str:
    """Return the name of *one* and, in brackets, what else tells it from others."""
    network = one.network
    name = f"crawl {one.name}" if one.name.isdecimal() else one.name
    more = [network.title if titled else "", network.statistics.started[:10]]
    told = ", ".join(filter(None, more))
    return f"{name} ({told})" if told else name


def _has_any(*networks: Network) -> bool:
    return any(network.evidence is not None for network in networks)
