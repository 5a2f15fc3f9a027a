"""A network to draw: five nodes, two of them outside, with all that a map can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.complete import complete
from tests.small_crawls import network_of
from tests.webs import web_of_links

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.network import EvidenceLink, Network

STARTS = ("https://first.test/", "https://second.example/")
CORE = ("https://a.example/", "https://b.test/", "https://c.example/")


def drawn_network(title: str = "Five actors") -> Network:
    """Return a core of a.example, b.test and c.example, which could not be seen.

    a and b link to each other; first.test and second.example, of the periphery, link to
    all three, first.test to a.example from three pages.
    """
    links = [(start, target) for start in STARTS for target in CORE]
    links += [(CORE[0], CORE[1]), (CORE[1], CORE[0])]
    for page in (f"{STARTS[0]}one", f"{STARTS[0]}two"):
        links += [(STARTS[0], page), (page, CORE[0])]
    found = network_of(web_of_links(links), STARTS)
    found.title = title
    for node, category in zip(("a.example", "b.test"), ("NGO", "press"), strict=True):
        found.graph.nodes[node]["category"] = category
    return found


def completed(found: Network) -> Network:
    complete(found)
    return found


class ListedEvidence:
    """Evidence that is a list."""

    def __init__(self, links: Sequence[EvidenceLink]) -> None:
        self._links = sorted(links)

    def links(self, node: str | None = None) -> Iterator[EvidenceLink]:
        return (link for link in self._links if node in (None, link.node))
