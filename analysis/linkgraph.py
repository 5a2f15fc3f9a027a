"""The graph of a network, from its pages and their links alone.

This is what a network file gives back. Where the crawl is at hand, compute does better:
voters and when a node was retained are None here, and ``outlinks`` counts links into the
network alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import networkx as nx

from issuecrawl.model.suffixes import without_www
from issuecrawl.model.url import identity, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from analysis.network import NetworkPage, NetworkSite, PeripheryPage
    from issuecrawl.model.parameters import Mode

    Linking = NetworkPage | PeripheryPage


class PageLinks:
    """Links between the pages of a network that lead to another site."""

    def __init__(
        self, pages: Sequence[NetworkPage], periphery: Sequence[PeripheryPage]
    ) -> None:
        self.pages = pages
        self.periphery = periphery
        self._by_id = {page.id: page for page in pages}

    def of(self, page: Linking) -> Iterator[NetworkPage]:
        for target in set(page.targets):
            found = self._by_id[target]
            if found.site != page.site:
                yield found

    def linking(self) -> Iterator[Linking]:
        yield from self.pages
        yield from self.periphery

    def everywhere(self) -> Iterator[tuple[Linking, NetworkPage]]:
        for page in self.linking():
            for target in self.of(page):
                yield page, target

    def inlinks_by_site(self) -> Counter[str]:
        return Counter(target.site for _, target in self.everywhere())


def graph_from_pages(
    mode: Mode,
    sites: Sequence[NetworkSite],
    periphery_sites: Sequence[NetworkSite],
    links: PageLinks,
    starting_points: Iterable[str],
) -> nx.DiGraph[str]:
    """Return the graph of *links* between sites or pages, as *mode* says.

    Nodes and attributes are those of :attr:`analysis.network.Network.graph`.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    started = {identity(url) or url for url in starting_points}
    if mode == "site":
        _add_sites(graph, sites, periphery_sites, links, started)
    else:
        _add_pages(graph, (*sites, *periphery_sites), links, started)
    unit = _site_key if mode == "site" else _address
    _add_links(graph, links, unit)
    return graph


def _site_key(page: Linking) -> str:
    return page.site


def _address(page: Linking) -> str:
    return page.url


def _add_sites(
    graph: nx.DiGraph[str],
    sites: Sequence[NetworkSite],
    periphery_sites: Sequence[NetworkSite],
    links: PageLinks,
    started: set[str],
) -> None:
    homes = _homes(links)
    starting = _starting_sites(links, started)
    for role, members in (("periphery", periphery_sites), ("core", sites)):
        for site in members:
            graph.add_node(
                site.key,
                site=site.key,
                url=homes.get(site.key, f"http://{site.host}/"),
                category=site.category,
                role=role,
                retained_at=None,
                why=None,
                starting_point=site.key in starting
                or (not site.name and site.host in starting),
                voters=None,
                inlinks=site.inlinks,
                outlinks=0,
            )


def _add_pages(
    graph: nx.DiGraph[str],
    sites: Sequence[NetworkSite],
    links: PageLinks,
    started: set[str],
) -> None:
    categories = {site.key: site.category for site in sites}
    for role, members in (("periphery", links.periphery), ("core", links.pages)):
        for page in members:
            graph.add_node(
                page.url,
                site=page.site,
                url=page.url,
                category=categories[page.site],
                role=role,
                retained_at=None,
                why=None,
                starting_point=(identity(page.url) or page.url) in started,
                voters=None,
                inlinks=0,
                outlinks=0,
            )
    for _, target in links.everywhere():
        graph.nodes[target.url]["inlinks"] += 1


def _add_links(
    graph: nx.DiGraph[str], links: PageLinks, unit: Callable[[Linking], str]
) -> None:
    for page, target in links.everywhere():
        source, found = unit(page), unit(target)
        graph.nodes[source]["outlinks"] += 1
        if graph.nodes[source]["role"] != "core":
            continue
        if graph.has_edge(source, found):
            graph[source][found]["weight"] += 1
        else:
            graph.add_edge(source, found, weight=1)


def inward(
    graph: nx.DiGraph[str], mode: Mode, links: PageLinks
) -> list[tuple[str, str, int]]:
    """Return the links from nodes of the periphery to core nodes, by weight."""
    unit = _site_key if mode == "site" else _address
    weights = Counter((unit(page), unit(target)) for page, target in links.everywhere())
    return sorted(
        (source, target, weight)
        for (source, target), weight in weights.items()
        if graph.nodes[source]["role"] != "core"
        and graph.nodes[target]["role"] == "core"
    )


def _homes(links: PageLinks) -> dict[str, str]:
    """Return the home page of each site: scheme and host of its most-linked page.

    Sites that link to a page count first, then pages, as in the choice of starting
    points between two passes.
    """
    sources: defaultdict[str, list[Linking]] = defaultdict(list)
    for page, target in links.everywhere():
        sources[target.url].append(page)
    best: dict[str, tuple[int, int, str]] = {}
    for member in links.linking():
        linking = sources[member.url]
        rank = (-len({page.site for page in linking}), -len(linking), member.url)
        best[member.site] = min(best.get(member.site, rank), rank)
    return {site: _home(url) for site, (_, _, url) in best.items()}


def _home(url: str) -> str:
    address = parse(url)
    if address is None:
        return url
    return "/".join(address.href.split("/", 3)[:3]) + "/"


def _starting_sites(links: PageLinks, started: set[str]) -> set[str]:
    """Return keys and hosts of the sites that starting points lie on."""
    found = {
        page.site
        for page in links.linking()
        if (identity(page.url) or page.url) in started
    }
    for url in started:
        if address := parse(url):
            found.add(without_www(address.host))
    return found
