"""The core of a network: its nodes, since when they are in it, who voted for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analysis.integers import counted
from analysis.votes import voters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from analysis.course import Course
    from analysis.linking import Linking
    from analysis.retention import Retention
    from analysis.starts import Start
    from analysis.view import View


@dataclass(frozen=True, slots=True)
class Core:
    """Nodes are units: numbers of pages or sites, as ``mode`` says."""

    nodes: set[int]
    started: set[int]
    """Units of the seeds, in the core or not."""

    retained_at: dict[int, int]
    """Pass that the node was a starting point of first."""

    voices: dict[int, int]
    """How many voters (or pages, with ``votes=pages``) the last analysis counted."""

    starts: dict[int, Start]
    """Starting point of the last pass that the node is one with, the first if several;
    its own before that of a part that is merged into it."""

    came_from: frozenset[tuple[int, int]]
    """(unit, node) for each unit that the node has the voices of: itself, and what
    leads to it by redirects or is merged into it."""

    heard: NDArray[np.int64]
    """(node, voice) rows, which :attr:`voices` counts; ascending."""

    kept: frozenset[int] = frozenset()
    """Nodes that a decision keeps, whatever is counted for them."""


def core_of(course: Course, retention: Retention, also: Iterable[int] = ()) -> Core:
    """Return the core of *course*, whose last analysis is *retention*.

    Voices are counted of the units *also* too, which are not in it.
    """
    retained_at: dict[int, int] = {}
    for number, one in enumerate(course.passes):
        for unit in course.units(one.starts):
            retained_at.setdefault(unit, number)
    last = course.passes[-1].starts
    starts: dict[int, Start] = {}
    came_from = {(unit, unit) for unit in also}
    for start, node in zip(last, course.units(last), strict=True):
        if node not in starts or _is_part(course.view, starts[node], node, start):
            starts[node] = start
        came_from.update((unit, node) for unit in (node, *start.units))
    came_from.update(course.view.merged.items())
    heard = _heard(retention, came_from)
    return Core(
        nodes=set(starts),
        started=set(course.units(course.passes[0].starts)),
        retained_at={node: retained_at[node] for node in starts},
        voices=counted(heard[:, 0]),
        starts=starts,
        came_from=frozenset(came_from),
        heard=heard,
    )


def _is_part(view: View, first: Start, node: int, start: Start) -> bool:
    """Tell whether *first* is what a merged part was kept by, and *start* the node."""
    merged = bool(first.units) and view.merged.keys() >= {*first.units}
    return merged and first.page not in view.seeds and node in start.units


def _heard(retention: Retention, came_from: set[tuple[int, int]]) -> NDArray[np.int64]:
    """Return the voices of each node: its own and those of units it came from."""
    pairs = np.array(sorted(came_from), np.int64).reshape(-1, 2)
    units, voices = retention.voices(pairs[:, 0])
    first = np.searchsorted(units, pairs[:, 0])
    count = np.searchsorted(units, pairs[:, 0], "right") - first
    row = np.repeat(np.arange(len(pairs)), count)
    at = np.arange(len(row)) - (np.cumsum(count) - count)[row] + first[row]
    heard = np.unique(np.stack([pairs[row, 1], voices[at]], axis=1), axis=0)
    return heard[~_of_itself(retention.view, heard)]


def _of_itself(view: View, heard: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of the (node, voice) pairs come from a part that was merged in."""
    nodes, voices = heard.T
    if not view.merged:
        return np.zeros(len(heard), np.bool_)
    if view.parameters.votes == "pages":
        sites = nodes if view.parameters.mode == "site" else view.crawl.site[nodes]
        own: NDArray[np.bool_] = view.crawl.site[voices] == sites
        return own
    parts = {*view.merged.items(), *((whole, whole) for whole in view.merged.values())}
    voter = voters(view)
    pairs = [whole << 32 | int(voter[view.site_of(part)]) for part, whole in parts]
    return np.isin(nodes << 32 | voices, pairs)


def without_authority(course: Course, core: Core, links: Linking) -> set[int]:
    """Return the core without nodes that too few core sites link to.

    Dropped once: a node that loses its links by this stays. Those that privilege
    keeps do so here too.
    """
    chosen = course.view.parameters
    if not chosen.authority:
        return core.nodes
    inner = links.between(core.nodes)
    sites = np.stack([inner.target_unit, inner.source_site], axis=1)
    authority = counted(np.unique(sites, axis=0)[:, 0])
    privileged = chosen.privilege or chosen.analysis != "colink"
    spared = core.kept | (core.started if privileged else set())
    return {
        node
        for node in core.nodes
        if node in spared or authority.get(node, 0) >= chosen.authority
    }
