"""The stability of a network, from stored items alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.core import core_of, without_authority
from analysis.course import Course
from analysis.engines import open_engine
from analysis.linking import linking
from analysis.shortfall import missing
from analysis.stability.tally import Found, tallied
from analysis.stability.variants import variants
from analysis.starts import seeds
from analysis.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from analysis.engines import Engine, EngineName
    from analysis.network import Network
    from analysis.retention import Retention
    from analysis.stability.result import Stability
    from issuecrawl.model.parameters import Parameters
    from issuecrawl.store.reader import StoredCrawl


def stability(
    crawl: StoredCrawl,
    parameters: Parameters,
    *,
    own: bool,
    engine: EngineName = "sqlite",
    tell: Callable[[int, int], object] = lambda _done, _total: None,
) -> Stability:
    """Return how stable the network is that :func:`analysis.compute.network` gives.

    Variants are what such crawls would have given, as far as their pages are there.
    *tell* hears how many are done, of how many.
    """
    view = View(crawl, parameters, own=own)
    database = open_engine(crawl, engine)
    try:
        network = _found(view, database)
        possible, impossible = variants(seeds(view), parameters)
        cores = []
        for done, changed in enumerate(possible):
            tell(done, len(possible))
            varied = view.varied(changed.parameters, changed.without)
            cores.append((changed, _found(varied, database)))
        tell(len(possible), len(possible))
    finally:
        database.close()
    return tallied(network, cores, impossible)


def mark(network: Network, found: Stability) -> None:
    """Tell *network* of its stability.

    Nodes get the attribute ``stability``: the share of variants that keep them, None
    in the periphery.
    """
    network.stability = found
    shares = found.shares
    for node, data in network.graph.nodes(data=True):
        data["stability"] = shares.get(node)


def _found(view: View, engine: Engine) -> Found:
    """Return the core, without what else a network is assembled from."""
    course = Course(view, engine)
    units = _core(course, course.go())
    started = course.units(course.passes[0].starts)
    names = _names(view, units.union(started))
    # Authority is judged by the links of all passes, retention not by the last one's.
    counted = course.passes if view.parameters.authority else course.passes[:-1]
    return Found(
        core=frozenset(names[unit] for unit in units),
        starts=tuple(names[unit] for unit in started),
        missing=missing(course, course.passes).count,
        missing_votes=missing(course, counted).count,
    )


def _core(course: Course, retention: Retention) -> set[int]:
    view = course.view
    if not view.parameters.authority:
        return set(course.units(course.passes[-1].starts))
    core = core_of(course, retention)
    by_site = view.parameters.mode == "site"
    sites = core.nodes if by_site else view.crawl.site[sorted(core.nodes)].tolist()
    return without_authority(course, core, linking(course, sites))


def _names(view: View, units: Iterable[int]) -> dict[int, str]:
    """Return the id that each unit has as a node of the graph."""
    if view.parameters.mode == "page":
        return view.crawl.urls(units)
    return {unit: view.crawl.sites[unit].key for unit in units}
