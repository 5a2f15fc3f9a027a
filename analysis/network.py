"""An issue network: what analysis computes and the files of a network hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

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
    ``voters``, ``inlinks`` and ``outlinks``. Edges join core nodes and have a ``weight``."""

    missing: list[str]
    """Addresses of pages that would have been needed and were never asked for."""
