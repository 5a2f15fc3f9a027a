"""The links that vote, as one SQL text for SQLite and DuckDB.

:class:`Ballot` makes the temporary tables that say what of the stored links counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from issuecrawl.model.link import EMBED_KINDS, KINDS, PLACEMENTS, RELS, VOTING_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from analysis.engines import Engine
    from analysis.redirects import Redirects
    from analysis.view import Mask, View
    from issuecrawl.store.inside import InsideLinks


def _codes(kinds: frozenset[str]) -> str:
    return ", ".join(str(KINDS.index(kind)) for kind in sorted(kinds))


MARKS: Final = sum(1 << RELS.index(word) for word in ("nofollow", "ugc", "sponsored"))

_ROWS: Final = f"""
SELECT c.page AS source, c.site AS source_site, c.voter AS voter,
       COALESCE(m.final, l.target) AS target,
       COALESCE(m.site, l.target_site) AS target_site,
       l.id AS link, l.kind AS kind, l.placement AS placement, l.rel AS rel
FROM {{links}} l
CROSS JOIN crawled c
LEFT JOIN moved m ON m.page = l.target
LEFT JOIN shared s ON s.site = COALESCE(m.site, l.target_site)
WHERE l.id >= $first AND l.id < $end
  AND c.page = l.source
  AND (l.kind IN ({_codes(VOTING_KINDS)})
       OR ($embeds = 1 AND l.kind IN ({_codes(EMBED_KINDS)})))
  AND ($body = 0 OR l.placement = {PLACEMENTS.index("body")})
  AND ($follow = 0 OR (l.rel & {MARKS}) = 0)
  AND COALESCE(m.site, l.target_site) NOT IN (0, c.site)
  AND ($own_votes = 1 OR COALESCE(s.voter, m.site, l.target_site) <> c.voter)
"""

VOTES: Final = f"{_ROWS.format(links='link')}UNION ALL{_ROWS.format(links='outbound')}"
"""One row for each stored link that votes: the pages and sites it joins, whose vote.

It joins the link table to small temporary ones, with itself outermost (``CROSS JOIN``
is how SQLite is told), so that it needs no index on links. ``crawled`` has the pages
whose links count, with site and voter; ``outbound``, shaped as ``link``, links within
a site that a redirect leads out of it; ``moved``, pages that are one with another
(final, site), and those that are barred, as moved to site 0. A voter's number is that
of its first site; ``shared`` has its other ones. The ids of ``outbound`` are the last
that a crawl may have, which no link has.
"""


class Ballot:
    """The temporary tables, made for the links of the pages *crawled*."""

    def __init__(
        self, engine: Engine, view: View, crawled: Mask, redirects: Redirects
    ) -> None:
        self.engine = engine
        self.view = view
        voter = voters(view)
        pages = np.flatnonzero(crawled)
        sites = view.crawl.site[pages]
        columns = {"page": pages, "site": sites, "voter": voter[sites]}
        engine.table("crawled", columns, key="page")
        others = np.flatnonzero(voter != np.arange(len(voter)))
        columns = {"site": others, "voter": voter[others]}
        engine.table("shared", columns, key="site")
        self._make_moved(pages, redirects.moved())

    def values(self, *, own_votes: bool) -> dict[str, int]:
        """Return the values that :data:`VOTES` takes.

        With *own_votes*, sites that share a voter vote for each other.
        """
        chosen = self.view.parameters
        return {
            "first": self.view.crawl.base,
            "end": self.view.crawl.end,
            "embeds": int(chosen.embeds == "vote"),
            "body": int(chosen.placement == "body"),
            "follow": int(chosen.rel == "follow"),
            "own_votes": int(own_votes),
        }

    def _make_moved(self, crawled: NDArray[np.int64], moved: dict[int, int]) -> None:
        site, barred = self.view.crawl.site, self.view.barred
        pages = np.array([page for page in moved if not barred[page]], np.int64)
        finals = np.array([moved[page] for page in pages.tolist()], np.int64)
        left_out = np.flatnonzero(barred)
        nowhere = np.zeros(len(left_out), np.int64)
        self.engine.table(
            "moved",
            {
                "page": np.concatenate([pages, left_out]),
                "final": np.concatenate([finals, nowhere]),
                "site": np.concatenate([site[finals], nowhere]),
            },
            key="page",
        )
        self._make_outbound(crawled, pages, finals)

    def _make_outbound(
        self,
        crawled: NDArray[np.int64],
        pages: NDArray[np.int64],
        finals: NDArray[np.int64],
    ) -> None:
        """Make rows of the links within a site whose target moved to another one."""
        crawl = self.view.crawl
        leaving = pages[crawl.site[pages] != crawl.site[finals]]
        links = outbound(self.view, crawled, leaving)
        self.engine.table(
            "outbound",
            {
                "id": np.arange(crawl.end - len(links.sources), crawl.end),
                "source": links.sources,
                "target": links.targets,
                "target_site": crawl.site[links.targets],
                "kind": links.kinds,
                "placement": links.placements,
                "rel": links.marked * MARKS,
            },
        )


def outbound(
    view: View, crawled: NDArray[np.int64], leaving: NDArray[np.int64]
) -> InsideLinks:
    """Return the links of the pages *crawled* within their sites to pages *leaving*."""
    site = view.crawl.site
    left = np.unique(site[leaving])
    links = view.crawl.links_inside(crawled[np.isin(site[crawled], left)])
    return links.where(np.isin(links.targets, leaving))


def voter_names(view: View, numbers: Iterable[int]) -> dict[int, str]:
    """Return the name of each voter: a registrable domain, or a site's key."""
    sites = view.crawl.sites
    by_site = view.parameters.voters == "site"
    return {at: sites[at].key if by_site else sites[at].voter for at in numbers}


def voters(view: View) -> NDArray[np.int64]:
    """Return the voter of each site, as the number of the first site that it has."""
    sites = view.crawl.sites
    if view.parameters.voters == "site":
        return np.arange(len(sites))
    first: dict[str, int] = {}
    return np.array([first.setdefault(s.voter, at) for at, s in enumerate(sites)])
