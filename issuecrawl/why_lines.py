"""Why a node is in a network or not, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.sight import WORDS
from analysis.wording import count
from issuecrawl.model.page import NEEDS_JAVASCRIPT
from issuecrawl.summary import row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.near import NearMiss
    from analysis.network import SiteCoverage
    from analysis.why import Account
    from issuecrawl.model.parameters import Parameters

NAMED: Final = 10
"""Voters and linking nodes that a line names."""

NOT_COUNTED: Final = {
    "own voter": "from its own voter, which has no vote for it",
    "later": "found in the last pass, whose links no analysis counts",
    "placement": "outside the body of a page (placement=body)",
    "rel": "marked nofollow, ugc or sponsored (rel=follow)",
    "embed": "by frames, which do not vote (embeds=record)",
    "recorded": "by link elements, which never vote",
    "excluded": "to addresses that are excluded",
    "not public": "to addresses that cannot be public",
}
"""What :data:`analysis.claims.VERDICTS` mean, after a number of links."""


def account_lines(found: Account, chosen: Parameters) -> Iterator[str]:
    """Yield all there is to say of a node but its links."""
    state = "in the core" if found.role == "core" else "not kept"
    around = ", links into the core" if found.role == "periphery" else ""
    yield f"{plain(found.node)}: {state}{around}"
    if found.role == "core":
        yield row("why", f"{_rule(found, chosen)}{_since(found)}")
    else:
        yield row("why not", _why_not(found, chosen))
    if found.starting_point and found.why not in {"seed", "privileged"}:
        yield row("", "it was among the starting points given")
    if found.came_from:
        yield row("one with", f"moved or merged from {_some(found.came_from)}")
    if found.voters:
        yield row(_voices(chosen), f"{found.votes:,}: {_some(found.voters)}")
    yield from _links_counted(found)
    for one in found.refused:
        who = f": {_some(one.voters)}" if one.voters else ""
        links = count(one.links, "link", "links")
        yield row("uncounted", f"{links} {NOT_COUNTED[one.verdict]}{who}")
    if found.excluded_by:
        yield row("excluded", f"by {_some(found.excluded_by)}")
    if found.coverage is not None:
        yield from _coverage(found.coverage)


def _rule(found: Account, chosen: Parameters) -> str:
    if found.why == "seed":
        return "a starting point, which analysis=interactor keeps"
    if found.why == "privileged":
        return "a starting point, which privilege keeps"
    if found.why == "linked":
        return "linked to, which is enough with analysis=snowball"
    if found.why.startswith("co-linked"):
        return f"{found.why}, {chosen.threshold} needed"
    return found.why


def _since(found: Account) -> str:
    if found.retained_at > 0:
        return f"; in since pass {found.retained_at}"
    return ""


def _why_not(found: Account, chosen: Parameters) -> str:
    if found.part_of:
        return f"it is one with {plain(found.part_of)}"
    if found.dropped == "decision":
        return "a decision drops it"
    if found.dropped == "authority":
        sites = count(found.authority, "core site links", "core sites link")
        return f"{sites} to it, authority={chosen.authority}"
    if chosen.analysis == "interactor":
        return "analysis=interactor keeps the starting points alone"
    votes = count(found.votes, *_noun(chosen))
    if found.excluded_by and not found.votes:
        return f"it is excluded ({votes} counted)"
    if chosen.analysis == "snowball":
        return f"{votes} in the pages that were analysed"
    return f"{votes}, {chosen.threshold} needed"


def _noun(chosen: Parameters) -> tuple[str, str]:
    if chosen.votes == "pages":
        return "linking page", "linking pages"
    return "voter", "voters"


def _voices(chosen: Parameters) -> str:
    return "pages" if chosen.votes == "pages" else "voters"


def _links_counted(found: Account) -> Iterator[str]:
    if not found.inlinks and not found.linking:
        return
    nodes = [
        f"{plain(one.node)} ({f'{one.role}, ' if one.role else ''}{one.links:,})"
        for one in found.linking[:NAMED]
    ]
    rest = len(found.linking) - len(nodes)
    more = f" and {rest:,} more" if rest else ""
    total = sum(one.links for one in found.linking)
    pairs = count(total, "pair of pages", "pairs of pages")
    told = pairs if total == found.inlinks else f"{found.inlinks:,} of {pairs}"
    yield row("links", f"{told} counted; from {', '.join(nodes)}{more}")


def _coverage(site: SiteCoverage) -> Iterator[str]:
    unseen = {WORDS[name]: number for name, number in site.unseen.items()}
    if site.needs_javascript:
        unseen[NEEDS_JAVASCRIPT] = site.needs_javascript
    if unseen:
        parts = ", ".join(f"{name}: {number:,}" for name, number in unseen.items())
        total = sum(unseen.values())
        yield row("not seen", f"{total:,} of {site.due:,} addresses of it ({parts})")


def link_lines(found: Account) -> Iterator[str]:
    """Yield the best links, two lines each."""
    for verdict, link in found.links:
        marks = [link.placement, *([link.rel] if link.rel else []), link.kind]
        if verdict:
            marks.append(verdict)
        said = f'"{plain(link.anchor)}"' if link.anchor else "no text"
        yield f"    {plain(link.linking_node)}: {said} ({', '.join(marks)})"
        yield f"      {plain(link.source)} -> {plain(link.target)}, {link.fetched}"


def near_lines(found: Sequence[NearMiss], chosen: Parameters) -> Iterator[str]:
    """Yield the near misses, a line each."""
    yield _near_title(found, chosen)
    for one in found:
        yield f"  {one.votes:>6,}  {plain(one.node)}: {_some(one.voters)}"


def _near_title(found: Sequence[NearMiss], chosen: Parameters) -> str:
    if not found:
        return "Near misses: none"
    needed = f"; {chosen.threshold} needed" if chosen.analysis == "colink" else ""
    return f"Near misses, by {_noun(chosen)[1]}{needed}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(map(plain, names[:NAMED]))
    rest = len(names) - NAMED
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def plain(text: str) -> str:
    r"""Return *text*, of whatever page it came from, without signs that steer a terminal.

    >>> plain("a\x1b[2Jb")
    'a?[2Jb'
    """
    return "".join(sign if sign.isprintable() else "?" for sign in text)
