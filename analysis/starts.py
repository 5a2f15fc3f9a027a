"""Starting points: who begins the next pass, where, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.retention import Retention
    from analysis.view import View


@dataclass(slots=True)
class Start:
    """A page that a pass begins with, before redirects."""

    page: int | None
    """None where the store does not hold it: a home page that nothing links to."""

    url: str
    why: str
    """``seed``, ``privileged``, ``co-linked by n`` or ``linked``."""

    units: tuple[int, ...] = ()
    """Pages or sites that are kept and started here, as in :class:`Retention`."""


def seeds(view: View, why: str = "seed") -> list[Start]:
    """Return S_0 in the order given."""
    urls = view.crawl.urls(view.seeds)
    return [Start(page, urls[page], why) for page in view.seeds]


def next_starts(
    view: View, retention: Retention, before: Iterable[Start]
) -> list[Start]:
    """Return S_{k+1}, where *before* is S_k and *retention* the analysis between them.

    Those that are started again come first, in their order; then what is kept, by
    site key and identity.
    """
    again: list[Start] = []
    if view.parameters.analysis == "snowball":
        given = set(view.seeds)
        again = [
            Start(s.page, s.url, "privileged" if s.page in given else "linked")
            for s in before
        ]
    elif view.parameters.privilege:
        again = seeds(view, "privileged")
    kept = _kept_pages if view.parameters.mode == "page" else _kept_sites
    return _united(view, [*again, *kept(view, retention)])


def _kept_pages(view: View, retention: Retention) -> list[Start]:
    units, votes = retention.kept()
    urls = view.crawl.urls(units.tolist())
    starts = [
        Start(page, urls[page], _why(view, count), (page,))
        for page, count in zip(units.tolist(), votes.tolist(), strict=True)
    ]
    order = view.order(urls)
    return sorted(starts, key=lambda start: order[start.page or 0])


def _kept_sites(view: View, retention: Retention) -> list[Start]:
    units, votes = retention.kept()
    sites = view.crawl.sites
    homes = _homes(view, retention, units.tolist())
    identities = {site: view.identity(url) for site, url in homes.items()}
    pages = view.crawl.lookup(identities.values())
    urls = view.crawl.urls(pages.values())
    count = dict(zip(units.tolist(), votes.tolist(), strict=True))
    starts = []
    for site in sorted(homes, key=lambda site: sites[site].key):
        page = pages.get(identities[site])
        url = homes[site] if page is None else urls[page]
        starts.append(Start(page, url, _why(view, count[site]), (site,)))
    return starts


def _homes(view: View, retention: Retention, units: list[int]) -> dict[int, str]:
    """Return the home page of each site: its rule's, or that of its best page's host."""
    sites = view.crawl.sites
    homes = {site: sites[site].home for site in units if sites[site].home}
    others = [site for site in units if site not in homes]
    if not others:
        return homes
    best = retention.most_linked(np.array(others, np.int64))
    urls = view.crawl.urls(page for pages in best.values() for page in pages)
    for site, pages in best.items():
        first = urls[pages[0]]
        if len(pages) > 1:
            first = min((urls[page] for page in pages), key=view.identity)
        homes[site] = root(first)
    return homes


def root(url: str) -> str:
    """Return scheme and host of an address as the address of a page.

    >>> root("https://x.example:8080/a/b?c=/d")
    'https://x.example:8080/'
    """
    return "/".join(url.split("/", 3)[:3]) + "/"


def _why(view: View, votes: int) -> str:
    return (
        "linked" if view.parameters.analysis == "snowball" else f"co-linked by {votes}"
    )


def _united(view: View, starts: list[Start]) -> list[Start]:
    """Return *starts* with those of one page made one, in the place of the first."""
    found: dict[int | str, Start] = {}
    for start in starts:
        key = start.page or view.identity(start.url)
        first = found.setdefault(key, start)
        if first is not start:
            first.units = (*first.units, *start.units)
    return list(found.values())
