"""Near misses: the candidates that an analysis did not keep, with most votes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analysis.votes import voter_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.core import Core
    from analysis.course import Course
    from analysis.retention import Retention


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A unit that is linked to and not in the core."""

    unit: int
    node: str
    """What it would be in the graph: a site's key, or a page's address."""
    votes: int
    voters: list[str]
    """Who voted, or the pages that did with ``votes=pages``; in order."""


def near(
    course: Course, retention: Retention, core: Core, most: int = 20
) -> list[NearMiss]:
    """Return at most *most* near misses of *retention*, the last analysis of *course*.

    It has to be asked before another analysis is. Units that came to the threshold and
    are not in the core, since they moved, or were dropped, are no near misses.
    """
    chosen = course.view.parameters
    units, votes = retention.tally(1)
    left = ~np.isin(units, sorted(core.nodes))
    left &= ~np.isin(units, [unit for unit, _ in core.came_from])
    if chosen.analysis == "colink":
        left &= votes < chosen.threshold
    units, votes = units[left], votes[left]
    if 0 < most < len(units):
        # All that tie with the last one: their names decide.
        least = np.partition(votes, len(votes) - most)[len(votes) - most]
        units, votes = units[votes >= least], votes[votes >= least]
    names = node_names(course, units.tolist())
    counted = sorted(
        zip(units.tolist(), votes.tolist(), strict=True),
        key=lambda pair: (-pair[1], names[pair[0]]),
    )[:most]
    voters = heard(course, *retention.voices(np.array([u for u, _ in counted], int)))
    return [NearMiss(unit, names[unit], n, voters[unit]) for unit, n in counted]


def node_names(course: Course, units: list[int]) -> dict[int, str]:
    """Return what each of *units* is in a graph."""
    crawl = course.view.crawl
    if course.view.parameters.mode == "site":
        return {unit: crawl.sites[unit].key for unit in units}
    return crawl.urls(units)


def heard(
    course: Course, units: NDArray[np.int64], voices: NDArray[np.int64]
) -> dict[int, list[str]]:
    """Return who is heard for each unit, by pairs of unit and voice."""
    view = course.view
    if view.parameters.votes == "pages":
        names = view.crawl.urls(np.unique(voices).tolist())
    else:
        names = voter_names(view, np.unique(voices).tolist())
    found: dict[int, list[str]] = {}
    for unit, voice in zip(units.tolist(), voices.tolist(), strict=True):
        found.setdefault(unit, []).append(names[voice])
    return {unit: sorted(those) for unit, those in found.items()}
