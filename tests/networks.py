"""Networks to write: one to count by hand, and any at all by hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
from hypothesis import strategies as st

from analysis.linkgraph import PageLinks, graph_from_pages
from analysis.markup import FORBIDDEN
from analysis.network import (
    Network,
    NetworkPage,
    NetworkSite,
    PeripheryPage,
    Statistics,
)
from issuecrawl.model.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Callable


def small_network(**changes: Any) -> Network:
    """Return two sites that link to each other, and one that links to both."""
    sites = [
        NetworkSite("a.test", "a.test", "", "TEST", 2),
        NetworkSite("b.test", "b.test", "", "TEST", 2),
    ]
    pages = [
        NetworkPage(
            1, "https://a.test/?x=1&y=2", "a.test", "2026-01-02 03:04:05", (2,)
        ),
        NetworkPage(2, "https://b.test/", "b.test", "", (1,)),
    ]
    periphery_sites = [NetworkSite("c.test", "c.test", "", "TEST", 0)]
    periphery = [PeripheryPage("https://c.test/", "c.test", (1, 2))]
    starting_points = ["https://c.test/", "https://a.test/?x=1&y=2"]
    network = Network(
        title="Small",
        author="An Author",
        email="author@a.test",
        description=["[INFO]Starting crawl"],
        sites=sites,
        pages=pages,
        periphery_sites=periphery_sites,
        periphery=periphery,
        starting_points=starting_points,
        statistics=Statistics("2026-01-02 03:04:00", "2026-01-02 03:05:00", 1, 3, 0),
        parameters=Parameters(exclude=("facebook.com",)),
        graph=nx.DiGraph(),
        missing=[],
    )
    for name, value in changes.items():
        setattr(network, name, value)
    if "graph" not in changes:
        network.graph = _graph(network)
    return network


def _graph(network: Network) -> nx.DiGraph[str]:
    return graph_from_pages(
        network.parameters.mode,
        network.sites,
        network.periphery_sites,
        PageLinks(network.pages, network.periphery),
        network.starting_points,
    )


HOSTILE = st.text(
    st.one_of(
        st.sampled_from(
            "&<>\"'\x00\x0b\x1b\x7f\x85\u2028\ud800\udfff\ufffe\t\n\r ]=+-@"
        ),
        st.characters(codec=None),
    ),
    max_size=20,
) | st.sampled_from(["]]>", "<![CDATA[", "&amp;", "=cmd|' /C calc'!A0", '"><x>'])
"""Text as pages and users can bring it into a title or an address."""

_STAMPS = st.just("") | st.datetimes().map(lambda at: at.strftime("%4Y-%m-%d %H:%M:%S"))
_COUNTS = st.integers(0, 2**40)
_PARAMETERS = st.builds(
    Parameters,
    analysis=st.sampled_from(["colink", "snowball", "interactor"]),
    mode=st.sampled_from(["page", "site"]),
    depth=st.integers(0, 9),
    iterations=st.integers(0, 9),
    threshold=st.integers(1, 99),
    privilege=st.booleans(),
    voters=st.sampled_from(["domain", "site"]),
    votes=st.sampled_from(["voters", "pages"]),
    placement=st.sampled_from(["any", "body"]),
    rel=st.sampled_from(["any", "follow"]),
    embeds=st.sampled_from(["record", "vote"]),
    authority=st.integers(0, 9),
    diversity=st.integers(0, 9),
    exclude=st.lists(st.text("abc./?&<", min_size=1, max_size=9), unique=True).map(
        lambda entries: tuple(sorted(entries))
    ),
)
_LOG = st.lists(
    HOSTILE | st.sampled_from(["[INFO]Setting threshold: 9", "[INFO]Done"]), max_size=4
)


def _text(draw: Callable[..., Any], *, hostile: bool) -> str:
    return str(draw(HOSTILE if hostile else st.text("aé&<>\"'.-/ ", max_size=12)))


@st.composite
def networks(draw: Callable[..., Any], *, hostile: bool = True) -> Network:
    """Draw a network; unless *hostile*, one of characters that XML has room for."""
    core = draw(st.integers(0, 4))
    outside = draw(st.integers(0, 3))
    keys = [f"{number}.test" for number in range(core + outside)]
    sites = [
        NetworkSite(key, key, draw(st.sampled_from(["", key])), "TEST", draw(_COUNTS))
        for key in keys
    ]
    pages: list[NetworkPage] = []
    for key in keys[:core]:
        for _ in range(draw(st.integers(0, 3))):
            number = len(pages) + 1
            url = f"https://{key}/{number}{_text(draw, hostile=hostile)}"
            pages.append(NetworkPage(number, url, key, draw(_STAMPS)))
    ids = st.sets(st.integers(1, len(pages))) if pages else st.just(set())
    targets = ids.map(lambda chosen: tuple(sorted(chosen)))
    for page in pages:
        page.targets = draw(targets)
    periphery = [
        PeripheryPage(
            f"https://{key}/{_text(draw, hostile=hostile)}", key, draw(targets)
        )
        for key in keys[core:]
    ]
    log = [line.strip() for line in draw(_LOG)] if hostile else ["[INFO]x", "]]>"]
    return small_network(
        title=_text(draw, hostile=hostile),
        author=_text(draw, hostile=hostile),
        email=_text(draw, hostile=hostile),
        description=log,
        sites=sites[:core],
        pages=pages,
        periphery_sites=[_without_inlinks(site) for site in sites[core:]],
        periphery=periphery,
        starting_points=[f"https://{key}/" for key in keys],
        statistics=draw(
            st.builds(
                Statistics,
                _STAMPS,
                _STAMPS,
                _COUNTS,
                _COUNTS,
                st.none() | _COUNTS,
            )
        ),
        parameters=draw(_PARAMETERS),
        missing=draw(st.lists(HOSTILE, max_size=2)),
    )


def _without_inlinks(site: NetworkSite) -> NetworkSite:
    return NetworkSite(site.key, site.host, site.name, site.category, 0)


def graph_without_nothing(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """Return *graph* as a format gives it back that has no None and no U+0000."""
    plain: nx.DiGraph[str] = nx.DiGraph()
    for node, data in graph.nodes(data=True):
        plain.add_node(_plain(node), **_known(data))
    for source, target, data in graph.edges(data=True):
        plain.add_edge(_plain(source), _plain(target), **_known(data))
    return plain


def _known(data: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in data.items() if value is not None}


def _plain(value: Any) -> Any:
    return FORBIDDEN.sub("", value) if isinstance(value, str) else value
