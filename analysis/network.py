"""An issue network: what analysis computes and the files of a network hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import networkx as nx

    from analysis.stability.result import Stability
    from issuecrawl.model.decisions import Decision
    from issuecrawl.model.parameters import Parameters


@dataclass(slots=True)
class NetworkSite:
    """A site of the core or of the periphery."""

    key: str
    host: str
    """The key, or the host of a rule's prefix."""

    name: str
    """A rule's name, or empty."""

    category: str
    inlinks: int
    """Different (source page, target page) pairs from crawled pages of other sites;
    0 in the periphery."""


@dataclass(slots=True)
class NetworkPage:
    """A page of the network."""

    id: int
    url: str
    site: str
    """Key of its site."""

    datestamp: str = ""
    """``YYYY-MM-DD hh:mm:ss``, UTC; empty for a page that never answered."""

    targets: Sequence[int] = ()
    """Ids of the pages of the network it links to, ascending."""


@dataclass(slots=True)
class PeripheryPage:
    """A crawled page that links into the network and is not of it."""

    url: str
    site: str
    targets: Sequence[int] = ()


@dataclass(slots=True)
class Statistics:
    started: str
    """As :attr:`NetworkPage.datestamp`."""

    ended: str
    timeouts: int
    downloaded: int
    excluded: int | None
    """None where an old file leaves it open."""


class EvidenceLink(NamedTuple):
    """A pair of pages that counts among the inlinks of a node, and where it stands."""

    node: str
    """Node of the graph that is linked to."""
    linking_node: str
    """Node that the linking page is of, in the core, in the periphery or in neither."""
    voter: str
    source: str
    """Address of the linking page."""
    target: str
    """Address of the page linked to, redirects resolved."""
    anchor: str
    """Text of the pair's first link; empty where none is stored."""
    placement: str
    """As :data:`issuecrawl.model.link.PLACEMENTS`: body if one of the links stands there,
    else that of the first."""
    kind: str
    rel: str
    fetched: str
    """When the linking page was retrieved; ``YYYY-MM-DD hh:mm:ss``, UTC."""


class Evidence(Protocol):
    """Why nodes are in: the links that count for them."""

    def links(self, node: str | None = None) -> Iterator[EvidenceLink]:
        """Yield the links to *node*, or to every core node.

        By node, linking node, source and target; one row for each pair of pages that
        ``inlinks`` of the node counts.
        """


@dataclass(slots=True)
class SiteCoverage:
    """What a crawl saw of a site it had to ask for pages, and what it could not see."""

    site: str
    """Key of the site."""

    role: str
    """``core``, ``periphery``, or empty for a site that is neither."""

    due: int
    """Addresses that the reach of the passes demands."""

    retrieved: int
    """Those of them whose links are known."""

    redirected: int = 0
    """Those that lead to another address, which is counted by itself."""

    gone: int = 0

    unseen: dict[str, int] = field(default_factory=dict)
    """Those that were not seen, by reason: keys of ``analysis.coverage.REASONS``."""

    needs_javascript: int = 0
    """Retrieved pages that show signs of having their links put in by a script."""

    excluded_links: int = 0
    """Different excluded addresses that its crawled pages link to."""


@dataclass(slots=True)
class StartingPoint:
    """A starting point that was given, and what became of it."""

    url: str
    state: str
    """Word of a page state."""
    reason: str
    final_url: str
    """Where its redirects lead; *url* itself where there are none."""
    node: str
    """The node it is one with, in the graph or not."""
    role: str
    """``core``, ``periphery``, or empty."""


@dataclass(slots=True)
class Provenance:
    """Of which crawl a network is, and what that crawl came to."""

    crawl: int
    series: int
    series_index: int
    state: str
    program: str
    suffix_list: str
    given: dict[str, str]
    """Arguments of the crawl as they came."""
    settings: dict[str, Any]
    """Options of the crawl as resolved."""
    passes: int
    pages: dict[str, int]
    """Pages that are known, by word of their state."""
    reasons: dict[str, int]
    """Pages that ended without being retrieved, by reason."""
    links: int
    """Stored links between sites."""


@dataclass(slots=True)
class Measures:
    """Measures of the core as a whole; those of nodes are attributes of the graph."""

    nodes: int
    edges: int
    density: float
    reciprocity: float
    """Share of edges that are answered; 0 without an edge."""
    components: int
    """Weakly connected ones."""
    largest_component: int
    communities: int
    modularity: float
    betweenness_sample: int
    """Nodes that betweenness was estimated from; 0 where it is exact."""


Point = tuple[float, float]


@dataclass(slots=True)
class Network:
    title: str
    author: str
    email: str

    description: list[str]
    """Log lines, ``[INFO]…``; the writer adds the parameters that have no other place."""

    sites: list[NetworkSite]
    """Core sites, by key."""

    pages: list[NetworkPage]
    """Pages of the network, by site and identity, with ids 1, 2, …"""

    periphery_sites: list[NetworkSite]
    periphery: list[PeripheryPage]
    """Sorted as :attr:`pages`."""

    starting_points: list[str]
    statistics: Statistics
    parameters: Parameters

    graph: nx.DiGraph[str]
    """Nodes are site keys in site mode and page addresses (as in :attr:`pages` and
    :attr:`periphery`) in page mode, with the attributes ``site``, ``url``,
    ``category``, ``role`` (core or periphery), ``retained_at``, ``starting_point``,
    ``voters``, ``inlinks`` and ``outlinks``. Edges join core nodes and have a
    ``weight``. :func:`analysis.complete.complete` adds measures, size, colour, position.
    """

    missing: list[str]
    """Addresses of pages that would have been needed and were never asked for."""

    inward: list[tuple[str, str, int]] = field(default_factory=list)
    """Links from nodes of the periphery to core nodes: source, target, weight; sorted."""

    assumed: frozenset[str] = frozenset()
    """Names of parameters that the file read does not tell: their values are defaults.
    """

    decisions: list[Decision] = field(default_factory=list)
    """What a researcher decided on nodes, in the order given; applied already."""

    # What only the store tells: None for a network that is read from a file.
    evidence: Evidence | None = None
    coverage: list[SiteCoverage] | None = None
    """Sites that were asked for pages, by key."""
    starts: list[StartingPoint] | None = None
    """In the order given."""
    provenance: Provenance | None = None

    # What analysis.stability adds, where it is asked for.
    stability: Stability | None = None

    # What analysis.complete adds.
    measures: Measures | None = None
    layouts: dict[str, dict[str, Point]] = field(default_factory=dict)
    """Positions of all nodes by layout (``cluster``, ``circle``, ``geographic``): x to
    the right, y up, in the unit of the nodes' ``size``, which is a radius. Those of
    ``cluster`` are the graph's attributes ``x`` and ``y`` too."""
