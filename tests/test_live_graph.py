"""The graph that progress shows is the one that the store holds."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from issuecrawl.model.link import KINDS, VOTING_KINDS
from issuecrawl.model.page import State
from issuecrawl.store.schema import SPAN
from pipelines.graph import LiveGraph
from tests.stored import rows

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Crawl, LoopbackWeb

NAMES = ("a", "b", "c", "d")
SEEDS = ",".join(f"https://{name}.test/" for name in NAMES)
DUMP = {"EXTENSIONS": json.dumps({"tests.live_dump.LiveDump": 1})}


def fill(web: LoopbackWeb) -> None:
    for number, name in enumerate(NAMES):
        home = f"https://{name}.test/"
        web.page(
            home,
            *("/1", "/2", "https://share.test/x", "https://intern/"),
            *(f"https://s{n}.test/" for n in range(number, 6)),
        )
        web.page(f"{home}1", "https://s0.test/deep", "https://b.test/", "/2")
        web.page(f"{home}2", "https://s0.test/deep", "https://s0.test/", delay=0.2)
    for number in range(6):
        web.page(f"https://s{number}.test/", "https://s1.test/x", "https://a.test/")


def stored_graph(
    store: Path, threshold: int, seeds: tuple[str, ...], apart: tuple[str, ...] = ()
) -> nx.DiGraph:
    """Compute the graph by sets and loops from the rows of links."""
    site = dict(rows(store, "SELECT id - ?, key FROM site", SPAN))
    barred = {
        page
        for (page,) in rows(
            store,
            "SELECT id - ? FROM page WHERE state = ? OR state = ? AND NOT EXISTS"
            " (SELECT 1 FROM answer WHERE page = page.id - ?)",
            *(SPAN, State.EXCLUDED, State.REFUSED, SPAN),
        )
    }
    pairs = {
        (source, target, site[source_site], site[target_site])
        for source, target, source_site, target_site, kind in rows(
            store, "SELECT source, target, source_site, target_site, kind FROM link"
        )
        if KINDS[kind] in VOTING_KINDS and target not in barred
    }
    weight = Counter((one, other) for _, _, one, other in pairs if other not in apart)
    voters: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in weight:
        if one in seeds:
            voters[other].add(one)
    shown = {*seeds, *(s for s, who in voters.items() if len(who) >= threshold)}
    graph: nx.DiGraph = nx.DiGraph()
    for key in shown:
        graph.add_node(key, votes=len(voters[key]), starting=key in seeds)
    for (one, other), pages in weight.items():
        if one in shown and other in shown:
            graph.add_edge(one, other, weight=pages)
    return graph


def same(one: nx.DiGraph, other: nx.DiGraph) -> bool:
    return dict(one.nodes(data=True)) == dict(other.nodes(data=True)) and {
        (a, b): data for a, b, data in one.edges(data=True)
    } == {(a, b): data for a, b, data in other.edges(data=True)}


def live_graph(crawl: Crawl) -> nx.DiGraph:
    data = json.loads((crawl.folder / "live.json").read_text(encoding="utf-8"))
    return nx.node_link_graph(data, edges="edges")


def run(runner: Crawl, **arguments: Any) -> Path:
    """Crawl to the end; return the store."""
    done = runner(DUMP, **arguments)
    assert done.returncode == 0, done.stderr
    return done.store


def stop_when_asked(
    runner: Crawl, web: LoopbackWeb, url: str, **arguments: Any
) -> nx.DiGraph:
    """Crawl until *url* is asked for; return the live graph of that moment."""
    process = runner.start(*runner.arguments(DUMP, **arguments))
    end = time.monotonic() + 20
    while url not in web.asked() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    return live_graph(runner)


@pytest.mark.parametrize("exclude", ["share.test", "share.test,c.test/x"])
def test_live_graph_is_that_of_the_store(
    web: LoopbackWeb, crawl: Crawl, exclude: str
) -> None:
    fill(web)
    store = run(crawl, seeds=SEEDS, exclude=exclude)
    live = live_graph(crawl)
    seeds = tuple(f"{name}.test" for name in NAMES)
    right = stored_graph(store, 2, seeds)
    assert same(live, right)
    assert "share.test" not in live
    assert live["a.test"]["s0.test"] == {"weight": 4}
    assert live.nodes["s4.test"] == {"votes": 4, "starting": False}


def test_live_graph_is_the_same_after_a_stop(web: LoopbackWeb, crawl: Crawl) -> None:
    fill(web)
    halfway = stop_when_asked(
        crawl, web, "https://a.test/2", seeds=SEEDS, exclude="share.test"
    )
    right = stored_graph(
        run(crawl, crawl=1), 2, tuple(f"{name}.test" for name in NAMES)
    )
    assert same(live_graph(crawl), right)
    assert not same(halfway, right)


def test_links_to_a_starting_point_on_the_default_list_do_not_count(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    listed = "https://www.facebook.com/"
    web.page(listed, "https://a.test/")
    for name in "ab":
        web.page(f"https://{name}.test/", listed, "/1", "/2")
        for path in "12":
            web.page(f"https://{name}.test/{path}", delay=0.5)
    seeds = f"{listed},https://a.test/,https://b.test/"
    before = stop_when_asked(crawl, web, "https://a.test/1", seeds=seeds)
    keys = ("facebook.com", "a.test", "b.test")
    right = stored_graph(run(crawl, crawl=1), 2, keys, ("facebook.com",))
    assert right.nodes["facebook.com"]["votes"] == 0
    assert same(before, right)
    assert same(live_graph(crawl), right)


@given(
    st.dictionaries(
        st.integers(0, 4), st.dictionaries(st.integers(0, 9), st.integers(1, 3))
    ),
    st.integers(1, 12),
)
def test_bound_keeps_starting_sites_and_then_the_most_voted(
    linked: dict[int, dict[int, int]], most: int
) -> None:
    whole, bounded = (LiveGraph(2, size, "s{}".format) for size in (1000, most))
    for live in (whole, bounded):
        live.start(range(3))
        for site, outward in linked.items():
            live.add(site, outward)
    nodes = dict(whole.graph().nodes(data=True))
    right = sorted(
        nodes, key=lambda key: (not nodes[key]["starting"], -nodes[key]["votes"], key)
    )[:most]
    kept = bounded.graph()
    assert set(kept) == set(right)
    assert same(kept, whole.graph().subgraph(right))
