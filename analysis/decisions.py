"""Decisions of a researcher as a layer over what retention kept.

Applied after the last analysis, to numbers: the stored items and the course of the
crawl stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from analysis.core import core_of
from analysis.drawing import OUTSIDE
from analysis.names import Names
from analysis.starts import Start, root
from issuecrawl.model.decisions import contradiction
from issuecrawl.model.errors import ConfigurationError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.core import Core
    from analysis.course import Course
    from analysis.network import Network
    from analysis.retention import Retention
    from issuecrawl.model.decisions import Action, Decision

BY_DECISION = "kept by decision"


class Layer:
    """*decisions* on the nodes of *course*, as numbers of units."""

    def __init__(self, course: Course, decisions: Sequence[Decision]) -> None:
        self.course = course
        self.decisions = decisions
        names = Names(course)
        self._units = {one: _unit(names, one.node, one) for one in decisions}
        self._refuse_contradictions(names)
        self._merged = self._merges(names)
        self._refuse_decided_parts()

    def merge(self) -> None:
        """Make merged units one, in all that is worked out from now on."""
        if self._merged:
            self.course.view.merge(self._merged)

    def core(self, retention: Retention) -> Core:
        """Return the core with what is kept and without what is dropped."""
        core = core_of(self.course, retention, self._of("keep"))
        dropped = set(self._of("drop"))
        added = [unit for unit in self._of("keep") if unit not in core.nodes]
        starts = core.starts | {unit: self._start(unit) for unit in added}
        return replace(
            core,
            nodes=(core.nodes | set(added)) - dropped,
            starts=starts,
            retained_at=core.retained_at | dict.fromkeys(added, OUTSIDE),
            kept=frozenset(self._of("keep")),
        )

    @property
    def dropped(self) -> frozenset[int]:
        return frozenset(self._of("drop"))

    def name(self, network: Network) -> None:
        """Give nodes of *network* their names and tags, and list the decisions.

        What is decided of a node that is not in the network gets a warning.
        """
        graph = network.graph
        idle: list[Decision] = []
        for one in self.decisions:
            node = self._key(self._merged.get(self._units[one], self._units[one]))
            if one.action in {"rename", "tag"} and node not in graph:
                idle.append(one)
            elif one.action == "rename":
                graph.nodes[node]["label"] = one.value
            elif one.action == "tag":
                tags = [graph.nodes[node].get("tags"), one.value]
                graph.nodes[node]["tags"] = "; ".join(filter(None, tags))
        network.decisions = list(self.decisions)
        network.description += [f"[INFO]Decision: {one}" for one in self.decisions]
        network.description += [
            f"[WARNING]Decision without effect: {one.node} is not in the network"
            for one in idle
        ]

    def _of(self, action: Action) -> list[int]:
        return [self._units[one] for one in self.decisions if one.action == action]

    def _merges(self, names: Names) -> dict[int, int]:
        into = {
            self._units[one]: _unit(names, one.value, one)
            for one in self.decisions
            if one.action == "merge"
        }
        return {unit: _end(unit, into, self.decisions) for unit in into}

    def _refuse_contradictions(self, names: Names) -> None:
        """Refuse decisions that contradict each other, under whatever names."""
        found = contradiction(self.decisions, names.unit)
        if found:
            lines = " and ".join(str(one.line) for one in found)
            told = "; ".join(shown(one) for one in found)
            message = (
                f"The edits contradict each other on lines {lines} ({told}), which name"
                " one node; leave one of them out"
            )
            raise ConfigurationError(message)

    def _refuse_decided_parts(self) -> None:
        """Refuse a decision on a node that is part of another one."""
        for one in self.decisions:
            if one.action != "merge" and self._units[one] in self._merged:
                message = (
                    f"The edits {one.action} {shown(one.node)} on line {one.line}, and"
                    " merge it into another node; decide on that one"
                )
                raise ConfigurationError(message)

    def _key(self, unit: int) -> str:
        crawl = self.course.view.crawl
        if self.course.view.parameters.mode == "site":
            return crawl.sites[unit].key
        return crawl.urls([unit])[unit]

    def _start(self, unit: int) -> Start:
        """Return what a unit that is kept by decision would be started at."""
        crawl = self.course.view.crawl
        if self.course.view.parameters.mode == "page":
            return Start(unit, crawl.urls([unit])[unit], BY_DECISION, (unit,))
        home = crawl.sites[unit].home
        if not home:
            page = int(np.flatnonzero(crawl.site == unit)[0])
            home = root(crawl.urls([page])[page])
        return Start(None, home, BY_DECISION, (unit,))


def _unit(names: Names, name: str, decision: Decision) -> int:
    unit = names.unit(name)
    if unit is not None:
        return unit
    near = names.near(name)
    hint = f"did you mean {' or '.join(near)}?" if near else "nodes.csv lists nodes"
    message = f"The edits name {shown(name)} on line {decision.line}, which the crawl does not know; {hint}"
    raise ConfigurationError(message)


def _end(unit: int, into: dict[int, int], decisions: Sequence[Decision]) -> int:
    """Return the unit that *unit* is one with, over as many merges as it takes."""
    seen = {unit}
    while unit in into:
        unit = into[unit]
        if unit in seen:
            circle = "; ".join(str(one) for one in decisions if one.action == "merge")
            message = f"The edits merge in a circle ({circle}); leave one of them out"
            raise ConfigurationError(message)
        seen.add(unit)
    return unit
