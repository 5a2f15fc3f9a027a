"""Every link to a candidate, and whether the last analysis counted it, or why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.linking import Linking
from analysis.standing import STANDING, first_of_each, kinds, placements, rels, standing
from analysis.votes import MARKS, outbound, voters
from issuecrawl.model.link import EMBED_KINDS, KINDS, PLACEMENTS, VOTING_KINDS
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.course import Course
    from analysis.view import Mask

    Numbers = NDArray[np.int64]

COUNTED: Final = "counted"
EXCLUDED: Final = "excluded"
NOT_PUBLIC: Final = "not public"
VERDICTS: Final = (
    COUNTED,
    "own voter",
    "later",
    "placement",
    "rel",
    "embed",
    "recorded",
    EXCLUDED,
    NOT_PUBLIC,
)
"""Counted; or not, since its voter is the candidate's own; it was found in the last
pass, whose links no analysis counts; it stands outside the body; its rel marks it; it is
a frame; it is a link element, which never votes; the address is excluded, or not public."""

CLAIMS: Final = f"""
SELECT v.source, v.target, {STANDING}
FROM (SELECT id AS link, source, target, kind, placement, rel FROM link
      WHERE id >= $first AND id < $end) v
CROSS JOIN wanted w
WHERE w.page = v.target
"""


@dataclass(frozen=True, slots=True)
class Claims:
    """Links to one unit from crawled pages of other sites; arrays of one length."""

    course: Course
    source: Numbers
    target: Numbers
    """Redirects resolved as the last analysis did."""
    standing: Numbers
    verdict: Numbers
    """Index in :data:`VERDICTS`."""

    def of(self, verdict: str) -> Linking:
        """Return the pairs of pages with *verdict* that have no better one."""
        pairs = self.source << 32 | self.target
        code = VERDICTS.index(verdict)
        chosen = (self.verdict == code) & ~np.isin(pairs, pairs[self.verdict < code])
        first, stands = first_of_each(pairs[chosen], self.standing[chosen])
        source, target = self.source[chosen][first], self.target[chosen][first]
        view = self.course.view
        site = view.crawl.site
        sites = site[source], site[target]
        by_site = view.parameters.mode == "site"
        return Linking(source, target, *sites, stands, source, target, by_site)

    def voices(self, verdict: str) -> Numbers:
        """Return the voters (or pages, with ``votes=pages``) of links with *verdict*."""
        view = self.course.view
        source = self.source[self.verdict == VERDICTS.index(verdict)]
        if view.parameters.votes == "pages":
            return np.unique(source)
        return np.unique(voters(view)[view.crawl.site[source]])


def claims(course: Course, unit: int) -> Claims:
    """Return the claims on *unit*, a number of a site or page as ``mode`` says."""
    crawl, moved = course.view.crawl, _moved(course)
    finals = np.arange(crawl.count + 1)
    finals[list(moved)] = list(moved.values())
    pages = _pages_of(course, unit, finals)
    source, target, stands = _rows(course, pages, finals)
    final = finals[target]
    kept = course.crawled[source] & (crawl.site[final] != crawl.site[source])
    source, target, stands = source[kept], target[kept], stands[kept]
    verdict = _judged(course, source, target, finals[target], stands)
    return Claims(course, source, finals[target], stands, verdict)


def _moved(course: Course) -> dict[int, int]:
    """Return the pages that the last analysis took for others, and these."""
    barred = course.view.barred
    moved = course.redirects_after(course.last_analysed).moved()
    return {page: final for page, final in moved.items() if not barred[page]}


def _pages_of(course: Course, unit: int, finals: Numbers) -> Numbers:
    """Return the pages that a link to is one to *unit*."""
    view = course.view
    if view.parameters.mode == "site":
        return np.flatnonzero(view.crawl.site[finals] == unit)
    parts = [part for part, whole in view.merged.items() if whole == unit]
    return np.flatnonzero(np.isin(finals, [unit, *parts]))


def _rows(
    course: Course, pages: Numbers, finals: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Return source, target and standing of the links to *pages*, as stored."""
    crawl = course.view.crawl
    course.engine.table("wanted", {"page": pages}, key="page")
    values = {"first": crawl.base, "end": crawl.end}
    source, target, stands = course.engine.rows(CLAIMS, values)
    leaving = pages[crawl.site[pages] != crawl.site[finals[pages]]]
    inside = outbound(course.view, np.flatnonzero(course.crawled), leaving)
    number = np.full(len(inside.sources), SPAN - 1)
    marks = inside.marked * MARKS
    more = standing(number, marks, inside.kinds, inside.placements)
    return (
        np.concatenate([source, inside.sources]).astype(np.int64),
        np.concatenate([target, inside.targets]).astype(np.int64),
        np.concatenate([stands, more]),
    )


def _judged(
    course: Course, source: Numbers, target: Numbers, final: Numbers, stands: Numbers
) -> Numbers:
    view, chosen = course.view, course.view.parameters
    kind = kinds(stands)
    embeds = _among(kind, EMBED_KINDS)
    voter = voters(view)[view.crawl.site]
    tests = {
        EXCLUDED: view.excluded[target],
        NOT_PUBLIC: view.barred[target],
        "recorded": ~embeds & ~_among(kind, VOTING_KINDS),
        "embed": embeds & (chosen.embeds != "vote"),
        "placement": (placements(stands) != PLACEMENTS.index("body"))
        & (chosen.placement == "body"),
        "rel": ((rels(stands) & MARKS) != 0) & (chosen.rel == "follow"),
        "own voter": (voter[source] == voter[final]) & (chosen.analysis != "snowball"),
        "later": ~_analysed(course)[source],
    }
    codes = [VERDICTS.index(name) for name in tests]
    return np.select(list(tests.values()), codes, VERDICTS.index(COUNTED))


def _analysed(course: Course) -> Mask:
    """Return the pages whose links the last analysis looked at."""
    number = course.last_analysed
    inside = course.passes[number].reach.inside
    return inside & course.view.retrieved(number)


def _among(kind: Numbers, names: frozenset[str]) -> Mask:
    return np.isin(kind, [KINDS.index(name) for name in sorted(names)])
