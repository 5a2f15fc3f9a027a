"""Compare networks: what stayed, came and went, and what could not be seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from analysis.actors import INLINK_MEASURES
from analysis.compare.fates import Fates
from analysis.compare.indexed import Indexed
from analysis.compare.remarks import remarks
from analysis.compare.result import Comparison, EdgeChange, Looks, NodeChange, Step
from issuecrawl.model.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analysis.compare.indexed import Edge
    from analysis.compare.result import Against, Change, Snapshot


def compare(
    snapshots: Sequence[Snapshot],
    *,
    against: Against = "first",
    periphery: bool = False,
    top: int | None = None,
    by: str = INLINK_MEASURES[0],
    tell: Callable[[str], object] = lambda _text: None,
) -> Comparison:
    """Return how the networks of *snapshots* differ, each from the first or previous.

    The core is compared, with *periphery* that too. With *top*, only nodes that rank
    among the first so many of one of the two, by the inlink measure *by*, are told of,
    and the edges between them. *tell* hears what is being done.

    Raises AnalysisError for fewer than two, and for networks of different modes.
    """
    _refuse(snapshots)
    settings = [one.network.provenance for one in snapshots]
    strict = all(one and one.settings.get("identity") == "strict" for one in settings)
    networks = [Indexed(one, strict=strict, periphery=periphery) for one in snapshots]
    first = [(networks[0], one) for one in networks[1:]]
    steps = []
    for before, after in first if against == "first" else pairwise(networks):
        tell(f"Comparing {after.name} with {before.name}")
        shown = _shown(before, after, top, by)
        steps.append(_Pair(before, after, networks).step(shown))
    return Comparison(
        names=tuple(one.name for one in networks),
        mode=snapshots[0].network.parameters.mode,
        against=against,
        by=by,
        steps=tuple(steps),
        remarks=tuple(remarks(snapshots)),
    )


def _refuse(snapshots: Sequence[Snapshot]) -> None:
    if len(snapshots) < 2:
        given = snapshots[0].name if snapshots else "none"
        raise AnalysisError(f"A comparison takes two networks or more; got {given}")
    first = snapshots[0]
    for one in snapshots[1:]:
        mode, other = first.network.parameters.mode, one.network.parameters.mode
        if mode != other:
            message = (
                f"{first.name} is a network of {mode}s and {one.name} one of {other}s;"
                " compare networks of one mode"
            )
            raise AnalysisError(message)


def _shown(before: Indexed, after: Indexed, top: int | None, by: str) -> set[str]:
    """Return the keys of the nodes that are told of."""
    if top is None:
        return {*before.ids, *after.ids}
    return {
        key
        for one in (before, after)
        for key, place in one.places.items()
        if place.ranks.get(by, top + 1) <= top
    }


class _Pair:
    """Two of *networks*, an earlier and a later one."""

    def __init__(
        self, before: Indexed, after: Indexed, networks: Sequence[Indexed]
    ) -> None:
        self._before, self._after, self._networks = before, after, networks
        self._gone = Fates(before, after, went=True)
        self._new = Fates(after, before, went=False)

    def step(self, shown: set[str]) -> Step:
        before, after = self._before, self._after
        self._gone.look_for(
            [*before.ids.keys() - after.ids, *before.edges.keys() - after.edges]
        )
        self._new.look_for(
            [*after.ids.keys() - before.ids, *after.edges.keys() - before.edges]
        )
        # Of all nodes, since what became of them says something of their edges.
        nodes = {key: self._node(key) for key in {*before.ids, *after.ids}}
        edges = [
            self._edge(edge, nodes)
            for edge in {*before.edges, *after.edges}
            if shown.issuperset(edge)
        ]
        return Step(
            before=before.name,
            after=after.name,
            nodes=tuple(sorted((nodes[key] for key in shown), key=lambda n: n.node)),
            edges=tuple(sorted(edges, key=lambda e: (e.source, e.target))),
        )

    def _node(self, key: str) -> NodeChange:
        earlier = self._before.places.get(key)
        later = self._after.places.get(key)
        looks = self._looks(key, earlier, later)
        change = _change(earlier, later, looks)
        if change != "stayed":
            looks = self._with_starting_point(key, looks)
        return NodeChange(
            node=self._id(key),
            change=change,
            before=earlier,
            after=later,
            found_in=tuple(one.name for one in self._networks if key in one.ids),
            looks=looks,
        )

    def _edge(self, edge: Edge, nodes: dict[str, NodeChange]) -> EdgeChange:
        earlier = self._before.edges.get(edge)
        later = self._after.edges.get(edge)
        looks = self._looks(edge, earlier, later)
        change = _change(earlier, later, looks)
        ends = Counter(nodes[end].change for end in edge)
        del ends["stayed"]
        if change == "went" and ends["unseen"]:
            change = "unseen"
        if change != "stayed":
            told = {f"node {what}": number for what, number in sorted(ends.items())}
            looks = replace(looks, reasons={**looks.reasons, **told})
        return EdgeChange(
            source=self._id(edge[0]),
            target=self._id(edge[1]),
            change=change,
            before=earlier,
            after=later,
            found_in=tuple(one.name for one in self._networks if edge in one.edges),
            looks=looks,
        )

    def _looks(self, what: str | Edge, earlier: object, later: object) -> Looks:
        """Return what the network that lacks *what* says of it."""
        if later is None:
            return self._gone.looks(what)
        return self._new.looks(what) if earlier is None else Looks()

    def _with_starting_point(self, key: str, looks: Looks) -> Looks:
        """Return *looks* with what starting points have to do with it."""
        given, now = self._before.given, self._after.given
        if given is None or now is None or (key in given) == (key in now):
            return looks
        reason = "starting point left out" if key in given else "new starting point"
        return replace(looks, reasons={**looks.reasons, reason: 1})

    def _id(self, key: str) -> str:
        return self._after.ids.get(key) or self._before.ids[key]


def _change(earlier: object, later: object, looks: Looks) -> Change:
    if later is None:
        return "unseen" if looks.unseen else "went"
    return "came" if earlier is None else "stayed"
