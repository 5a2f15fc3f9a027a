"""The graph of a network, drawn from integer links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from analysis.integers import among, counted
from analysis.starts import root

if TYPE_CHECKING:
    from analysis.core import Core
    from analysis.course import Course
    from analysis.members import Members
    from issuecrawl.model.site import Site

OUTSIDE = -1
"""``retained_at`` of a node that is not in the core."""


def draw(course: Course, core: Core, members: Members) -> nx.DiGraph[str]:
    """Return the graph by site or page, as :class:`analysis.network.Network` has it.

    Nodes and edges are added in order of their keys, the core first.
    """
    crawl, links = course.view.crawl, members.links
    around = (
        {int(crawl.site[page]) for page in members.periphery}
        if members.by_site
        else set(members.periphery)
    )
    sites = crawl.sites
    if members.by_site:
        key = {site: sites[site].key for site in members.nodes | around}
        order = sorted(key, key=key.__getitem__)
    else:
        key = members.urls
        order = [*members.pages, *members.periphery]
    into, outof = counted(links.target_unit), counted(links.source_unit)
    urls = _home_urls(course, core, members) if members.by_site else members.urls
    graph: nx.DiGraph[str] = nx.DiGraph()
    for role, nodes in (("core", members.nodes), ("periphery", around)):
        for node in (number for number in order if number in nodes):
            site = sites[node if members.by_site else int(crawl.site[node])]
            graph.add_node(
                key[node],
                site=site.key,
                url=urls[node],
                category=site.category,
                role=role,
                starting_point=node in core.started,
                outlinks=outof.get(node, 0),
                **_of_core(core, node, role, into),
            )
    _add_edges(graph, members, key, order)
    return graph


def _of_core(core: Core, node: int, role: str, into: dict[int, int]) -> dict[str, Any]:
    if role != "core":
        return {"retained_at": OUTSIDE, "why": "", "voters": 0, "inlinks": 0}
    return {
        "retained_at": core.retained_at[node],
        "why": core.starts[node].why,
        "voters": core.voices.get(node, 0),
        "inlinks": into.get(node, 0),
    }


def _add_edges(
    graph: nx.DiGraph[str], members: Members, key: dict[int, str], order: list[int]
) -> None:
    place = {node: number for number, node in enumerate(order)}
    weights = members.links.between(members.nodes).weights()
    for pair in sorted(weights, key=lambda pair: (place[pair[0]], place[pair[1]])):
        source, target = pair
        graph.add_edge(key[source], key[target], weight=weights[pair])


def inward(
    graph: nx.DiGraph[str], members: Members, sites: list[Site]
) -> list[tuple[str, str, int]]:
    """Return the links from the periphery to the core, weighted as edges are."""
    links = members.links
    found = links.where(~among(links.source_unit, members.nodes)).weights()
    rows = []
    for (source, target), weight in found.items():
        if members.by_site:
            ends = sites[source].key, sites[target].key
        else:
            ends = members.urls[source], members.urls[target]
        if graph.nodes[ends[1]]["role"] == "core":
            rows.append((*ends, weight))
    return sorted(rows)


def _own_homes(
    course: Course, members: Members, homes: dict[int, str]
) -> dict[int, str]:
    """Return home pages of sites that others were merged into, from their own pages.

    A site has none where its own pages are not of the network; one of *homes* that is
    the root of a page of its own stays.
    """
    view = course.view
    own: dict[int, list[str]] = {}
    for page in (*members.pages, *members.periphery):
        if not view.is_of_part(page):
            site = int(view.crawl.site[page])
            own.setdefault(site, []).append(root(members.urls[page]))
    return {
        site: homes[site] if homes[site] in own[site] else own[site][0]
        for site in own.keys() & {*view.merged.values()} & homes.keys()
    }


def _home_urls(course: Course, core: Core, members: Members) -> dict[int, str]:
    """Return the home page of each site of the graph.

    That is the rule's prefix, or the root of the page that the site was started at.
    """
    crawl = course.view.crawl
    starts = {node: core.starts[node] for node in members.nodes}
    pages = [start.page for start in starts.values() if start.page is not None]
    redirects = course.redirects()
    finals = {page: redirects.final(page) for page in pages}
    urls = crawl.urls(finals.values())
    homes: dict[int, str] = {}
    for page in reversed(members.periphery):
        homes[int(crawl.site[page])] = root(members.urls[page])
    for node, start in starts.items():
        first = start.url if start.page is None else urls[finals[start.page]]
        homes[node] = root(first)
    if course.view.merged:
        homes.update(_own_homes(course, members, homes))
    return {site: crawl.sites[site].home or home for site, home in homes.items()}
