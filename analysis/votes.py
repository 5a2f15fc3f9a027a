"""The links that vote, as one SQL text for SQLite and DuckDB.

Before a text is run, :class:`Ballot` makes the temporary tables that say what of the
stored links counts. A text never joins on more than one of them at a time in a way
that needs an index on the link table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from issuecrawl.model.link import EMBED_KINDS, KINDS, PLACEMENTS, RELS, VOTING_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.engines import Engine
    from analysis.redirects import Redirects
    from analysis.view import Mask, View


def _codes(kinds: frozenset[str]) -> str:
    return ", ".join(str(KINDS.index(kind)) for kind in sorted(kinds))


MARKS: Final = sum(1 << RELS.index(word) for word in ("nofollow", "ugc", "sponsored"))

VOTES: Final = f"""
SELECT c.page AS source, c.site AS source_site, c.voter AS voter,
       COALESCE(m.final, l.target) AS target, a.site AS target_site
FROM {{links}} l
CROSS JOIN crawled c
LEFT JOIN moved m ON m.page = l.target
CROSS JOIN actor a
WHERE l.id >= $first AND l.id < $end
  AND (l.kind IN ({_codes(VOTING_KINDS)})
       OR ($embeds = 1 AND l.kind IN ({_codes(EMBED_KINDS)})))
  AND ($body = 0 OR l.placement = {PLACEMENTS.index("body")})
  AND ($follow = 0 OR (l.rel & {MARKS}) = 0)
  AND c.page = l.source
  AND a.site = COALESCE(m.site, l.target_site)
  AND a.site <> c.site
  AND ($own_votes = 1 OR a.voter <> c.voter)
"""
"""One row for each stored link that votes, with the pages and sites it joins.

``crawled``: pages whose links count, with site and voter. ``moved``: pages that are
one with another (final, site), and pages that are barred, as moved to site 0, which
nobody is. ``actor``: all sites with their voters. ``{{links}}`` is ``link``, or
``outbound``, links within a site that a redirect leads out of it.
"""


class Ballot:
    """The temporary tables, made for the links of the pages *crawled*."""

    def __init__(
        self, engine: Engine, view: View, crawled: Mask, redirects: Redirects
    ) -> None:
        self.engine = engine
        self.view = view
        self.voters = _voters(view)
        """Of each site, as numbers."""
        self._make_tables(np.flatnonzero(crawled), redirects.moved())

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

    def _make_tables(self, crawled: NDArray[np.int64], moved: dict[int, int]) -> None:
        crawl, view = self.view.crawl, self.view
        sites = crawl.site[crawled]
        self.engine.table(
            "crawled",
            {"page": crawled, "site": sites, "voter": self.voters[sites]},
            key="page",
        )
        self.engine.table(
            "actor",
            {"site": np.arange(1, len(self.voters)), "voter": self.voters[1:]},
            key="site",
        )
        barred = np.flatnonzero(view.barred)
        pages = np.array([page for page in moved if not view.barred[page]], np.int64)
        finals = np.array([moved[page] for page in pages.tolist()], np.int64)
        nowhere = np.zeros(len(barred), np.int64)
        self.engine.table(
            "moved",
            {
                "page": np.concatenate([pages, barred]),
                "final": np.concatenate([finals, nowhere]),
                "site": np.concatenate([crawl.site[finals], nowhere]),
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
        left = np.unique(crawl.site[leaving])
        links = crawl.links_inside(crawled[np.isin(crawl.site[crawled], left)])
        links = links.where(np.isin(links.targets, leaving))
        self.engine.table(
            "outbound",
            {
                "id": np.full(len(links.sources), crawl.base),
                "source": links.sources,
                "target": links.targets,
                "target_site": crawl.site[links.targets],
                "kind": links.kinds,
                "placement": links.placements,
                "rel": links.marked * MARKS,
            },
        )


def _voters(view: View) -> NDArray[np.int64]:
    sites = view.crawl.sites
    if view.parameters.voters == "site":
        return np.arange(len(sites))
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(s.voter, len(numbers)) for s in sites])
