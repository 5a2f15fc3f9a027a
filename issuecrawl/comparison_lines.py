"""A comparison of networks, in lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from analysis.compare.result import counts
from analysis.wording import count
from issuecrawl.summary import row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.compare.result import Comparison, NodeChange, Snapshot, Step

SHOWN: Final = 10
"""Nodes that a summary names of each kind."""


def comparison_lines(snapshots: Sequence[Snapshot], found: Comparison) -> Iterator[str]:
    """Yield what is most to be known; all of it stands in the tables."""
    for one in snapshots:
        yield row(one.name, _made(one))
    for remark in found.remarks:
        yield row("mind", remark)
    for step in found.steps:
        if len(found.steps) > 1:
            yield f"  {step.after} against {step.before}"
        yield from _step(step, found.by)


def _made(one: Snapshot) -> str:
    network = one.network
    roles = Counter(role for _, role in network.graph.nodes(data="role"))
    core = count(roles["core"], "core node", "core nodes")
    edges = count(network.graph.number_of_edges(), "edge", "edges")
    began = network.statistics.started
    return f"{core}, {edges}{f', crawled {began} UTC' if began else ''}"


def _step(step: Step, by: str) -> Iterator[str]:
    for name, changes in (("nodes", step.nodes), ("edges", step.edges)):
        told = [f"{number:,} {what}" for what, number in counts(changes).items()]
        yield row(name, ", ".join(told))
    hidden = sum(e.change == "came" and bool(e.looks.unseen) for e in step.edges)
    if hidden:
        text = "came where pages could not be seen before: they may not be new"
        yield row("", f"{count(hidden, 'edge', 'edges')} {text}")
    for change in ("came", "went", "unseen"):
        yield from _listed(change, [n for n in step.nodes if n.change == change])
    yield from _why_unseen(step)
    yield from _movers(step, by)


def _listed(title: str, nodes: list[NodeChange]) -> Iterator[str]:
    for number, node in enumerate(nodes[:SHOWN]):
        looks = node.looks
        told = [f"{reason}: {pages}" for reason, pages in looks.reasons.items()]
        text = f"{node.node} ({', '.join(told)})" if told else node.node
        yield row("" if number else title, text)
    if len(nodes) > SHOWN:
        yield row("", f"and {len(nodes) - SHOWN:,} more")


def _why_unseen(step: Step) -> Iterator[str]:
    reasons: Counter[str] = Counter()
    for edge in step.edges:
        if edge.change == "unseen":
            reasons.update(edge.looks.reasons)
    if reasons:
        told = [f"{reason}: {pages:,}" for reason, pages in reasons.most_common()]
        yield row("edges", f"unseen, by what became of their pages: {', '.join(told)}")


def _movers(step: Step, by: str) -> Iterator[str]:
    movers = step.movers(by)
    for number, (move, node) in enumerate(movers[:SHOWN]):
        ranks = [place.ranks[by] for place in (node.before, node.after) if place]
        way = "up" if move > 0 else "down"
        text = f"{node.node} {way} {abs(move)} ({ranks[0]} to {ranks[1]}, by {by})"
        yield row("" if number else "moved", text)
    if len(movers) > SHOWN:
        yield row("", f"and {len(movers) - SHOWN:,} more")
