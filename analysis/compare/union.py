"""The networks of a comparison's last step as one, for a map of what changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx

from analysis.network import Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.compare.result import Comparison, Snapshot


def union(snapshots: Sequence[Snapshot], comparison: Comparison) -> Network:
    """Return the union of the last of *snapshots* and what it is compared with.

    Nodes and edges have the attribute ``change``, and otherwise those of the later
    network that has them. It is a graph alone: it has no pages, no evidence and no
    coverage, which are those of one crawl.
    """
    step = comparison.steps[-1]
    at = 0 if comparison.against == "first" else len(snapshots) - 2
    before, after = snapshots[at].network, snapshots[-1].network
    graph: nx.DiGraph[str] = nx.DiGraph()
    for node in step.nodes:
        data = (before if node.after is None else after).graph.nodes[node.node]
        graph.add_node(node.node, **{**data, "change": node.change})
    inward = []
    for edge in step.edges:
        weight = edge.before if edge.after is None else edge.after
        ends = edge.source, edge.target
        if graph.nodes[edge.source]["role"] == "core":
            graph.add_edge(*ends, weight=weight, change=edge.change)
        else:
            inward.append((*ends, int(weight or 0)))
    sites = {site.key: site for one in (before, after) for site in one.sites}
    around = {site.key: site for one in (before, after) for site in one.periphery_sites}
    shown = {data["site"] for _, data in graph.nodes(data=True)}
    return Network(
        title=f"{step.after} compared with {step.before}",
        author=after.author,
        email=after.email,
        description=[f"[INFO]{remark}" for remark in comparison.remarks],
        sites=[replace(sites[key]) for key in sorted(shown & sites.keys())],
        pages=[],
        periphery_sites=[
            replace(around[key]) for key in sorted(shown & around.keys() - sites.keys())
        ],
        periphery=[],
        starting_points=list(
            dict.fromkeys([*before.starting_points, *after.starting_points])
        ),
        statistics=after.statistics,
        parameters=after.parameters,
        graph=graph,
        missing=[],
        inward=sorted(inward),
    )
