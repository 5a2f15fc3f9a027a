"""Put a network together from the course of its crawl."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from analysis.core import without_authority
from analysis.coverage import coverage, unseen
from analysis.drawing import draw, inward
from analysis.evidence import StoredEvidence
from analysis.excluded import excluded_addresses, excluded_links
from analysis.integers import counted
from analysis.linking import linking
from analysis.members import Members
from analysis.network import (
    Network,
    NetworkPage,
    NetworkSite,
    PeripheryPage,
    Statistics,
)
from analysis.provenance import provenance
from analysis.shortfall import missing_addresses
from analysis.sight import Sight
from analysis.starting_points import starting_points
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from analysis.core import Core
    from analysis.course import Course
    from analysis.decisions import Layer
    from issuecrawl.model.site import Site


def assemble(course: Course, core: Core, layer: Layer) -> Network:
    """Return the network of *course*, which came to *core*."""
    crawl, chosen = course.view.crawl, course.view.parameters
    by_site = chosen.mode == "site"
    units = np.array(sorted(core.nodes), np.int64)
    links = linking(course, (units if by_site else crawl.site[units]).tolist())
    nodes = without_authority(course, core, links)
    members = Members(course, nodes, links)
    inlinks = counted(links.target_site)
    of_core = nodes if by_site else {int(crawl.site[page]) for page in nodes}
    around = {int(crawl.site[page]) for page in members.periphery}
    missing = missing_addresses(course)
    excluded = excluded_links(course)
    settings = crawl.settings
    seeds = course.passes[0].starts
    graph = draw(course, core, members)
    network = Network(
        title=settings.get("title", ""),
        author=settings.get("author", ""),
        email=settings.get("email", ""),
        description=[*crawl.log(), *_remarks(course, of_core, missing)],
        sites=_sites(crawl.sites, of_core, inlinks),
        pages=_pages(course, members),
        periphery_sites=_sites(crawl.sites, around, {}),
        periphery=[
            PeripheryPage(
                members.urls[page],
                crawl.sites[int(crawl.site[page])].key,
                members.targets[page],
            )
            for page in members.periphery
        ],
        starting_points=settings.get("seeds") or [start.url for start in seeds],
        statistics=_statistics(course, excluded),
        parameters=chosen,
        graph=graph,
        missing=missing,
        inward=inward(graph, members, crawl.sites),
        provenance=provenance(crawl),
        evidence=StoredEvidence(course, members.links, members.urls),
        starts=starting_points(course, graph),
    )
    _add_coverage(network, course, members, excluded, of_core)
    layer.name(network)
    return network


def _sites(
    rows: list[Site], chosen: Iterable[int], inlinks: dict[int, int]
) -> list[NetworkSite]:
    return [
        NetworkSite(row.key, _host(row), row.name, row.category, inlinks.get(site, 0))
        for site, row in sorted(
            ((site, rows[site]) for site in chosen), key=lambda pair: pair[1].key
        )
    ]


def _host(site: Site) -> str:
    address = parse(site.home) if site.home else None
    return address.host if address else site.key


def _pages(course: Course, members: Members) -> list[NetworkPage]:
    crawl = course.view.crawl
    dates = crawl.dates(members.pages)
    return [
        NetworkPage(
            members.ids[page],
            members.urls[page],
            crawl.sites[int(crawl.site[page])].key,
            _stamp(dates.get(page)),
            members.targets.get(page, ()),
        )
        for page in members.pages
    ]


def _stamp(seconds: int | None) -> str:
    if seconds is None:
        return ""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))


def _add_coverage(
    network: Network,
    course: Course,
    members: Members,
    excluded: NDArray[np.int64],
    core: set[int],
) -> None:
    """Say what could not be seen, of each site and as ``unseen`` of each node."""
    sight = Sight(course)
    around = course.view.crawl.site[members.periphery].tolist()
    roles = dict.fromkeys(around, "periphery") | dict.fromkeys(core, "core")
    network.coverage = coverage(course, sight, excluded, roles)
    of_nodes = unseen(sight, members, network.coverage)
    for node, data in network.graph.nodes(data=True):
        data["unseen"] = of_nodes.get(node)


def _statistics(course: Course, excluded: NDArray[np.int64]) -> Statistics:
    record = course.view.crawl.record
    return Statistics(
        started=record["started"],
        ended=record["ended"],
        timeouts=record["timeouts"],
        downloaded=int(course.crawled.sum()),
        excluded=excluded_addresses(course, excluded),
    )


def _remarks(course: Course, sites: Iterable[int], missing: list[str]) -> list[str]:
    """Return what a reader of the network has to know of its limits."""
    remarks = []
    if not course.crawled.any():
        remarks.append(
            "[WARNING]No page was retrieved, so that there are no links to count: see"
            " what became of the starting points"
        )
    least = course.view.parameters.diversity
    categories = {course.view.crawl.sites[site].category for site in sites} - {""}
    if least and len(categories) < least:
        remarks.append(
            f"[WARNING]Categories of the core: {', '.join(sorted(categories)) or 'none'};"
            f" that is {len(categories)}, fewer than diversity={least}"
        )
    if missing:
        remarks.append(
            f"[WARNING]Incomplete: {len(missing)} pages that these settings need were"
            " never asked for"
        )
    return remarks
