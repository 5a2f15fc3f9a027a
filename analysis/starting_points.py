"""What became of the starting points that were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.network import StartingPoint
from analysis.provenance import UNASKED
from issuecrawl.model.page import EXCLUSION, NOT_PUBLIC, State

if TYPE_CHECKING:
    import networkx as nx

    from analysis.course import Course


def starting_points(course: Course, graph: nx.DiGraph[str]) -> list[StartingPoint]:
    """Return each starting point with its end, in the order given.

    State and reason are those of the page that its redirects lead to.
    """
    view, crawl = course.view, course.view.crawl
    starts = course.passes[0].starts
    pages = view.seeds
    redirects = course.redirects()
    finals = [redirects.final(page) for page in pages]
    urls, reasons = crawl.urls(finals), crawl.reasons(finals)
    given = crawl.settings.get("seeds") or []
    if len(given) != len(pages):
        given = [start.url for start in starts]
    found = []
    for url, final, unit in zip(given, finals, course.units(starts), strict=True):
        by_site = view.parameters.mode == "site"
        node = crawl.sites[unit].key if by_site else crawl.urls([unit])[unit]
        state = State(int(crawl.state[final]))
        found.append(
            StartingPoint(
                url=url,
                state=state.word,
                reason=reasons.get(final) or _reason(course, final, state),
                final_url=urls[final],
                node=node,
                role=graph.nodes[node]["role"] if node in graph else "",
            )
        )
    return found


def _reason(course: Course, page: int, state: State) -> str:
    """Return why *page* is in its state, where its answer does not say."""
    view = course.view
    if view.crawl.answer[page] == 0:
        return UNASKED.get(state, "")
    hop = view.crawl.redirect.get(page)
    if hop is not None and view.barred[hop]:
        return EXCLUSION if view.excluded[hop] else NOT_PUBLIC
    return ""
