"""Hypothesis strategies: small webs in which co-links, detours and traps are common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from issuecrawl.model.parameters import Parameters
from tests.oracle import Link, PageFacts
from tests.webs import web_of

if TYPE_CHECKING:
    from issuecrawl.model.link import Kind, Placement
    from issuecrawl.model.parameters import Analysis
    from tests.oracle import Web

HOSTS = (
    "a.example",
    "b.example",
    "c.example",
    "shop.x.example",
    "blog.x.example",
    "x.example",
    "y.example",
)
TRAPS = ("https://blocked.example/", "https://intranet/", "https://gone.example/")
"""An excluded page, one that is not public, and one that never answers."""

ON_A_PLATFORM = (
    "https://social.example/one",
    "https://social.example/one/1",
    "https://social.example/two",
    "https://social.example/",
)
EXCLUSIONS = ("blocked.example", "shop.x.example", "x.example", "substring:/2")


@st.composite
def addresses(draw: st.DrawFn) -> list[str]:
    """Draw pages of 3 to 7 sites, home pages among them."""
    hosts = draw(st.lists(st.sampled_from(HOSTS), min_size=3, max_size=7, unique=True))
    found = [
        f"https://{host}/{path}"
        for host in hosts
        for path in ("", "1", "2", "3")[: draw(st.integers(1, 4))]
    ]
    if draw(st.booleans()):
        found += ON_A_PLATFORM
    return found


PLAIN: tuple[Kind, Placement, str] = ("a", "body", "")
STYLES: tuple[tuple[Kind, Placement, str], ...] = (
    *[PLAIN] * 8,
    ("a", "body", "nofollow"),
    ("a", "navigation", ""),
    ("a", "footer", "ugc"),
    ("a", "aside", "nofollow me"),
    ("a", "header", "author"),
    ("area", "body", ""),
    ("refresh", "body", ""),
    ("frame", "body", ""),
    ("iframe", "body", ""),
    ("iframe", "footer", "sponsored"),
    ("link", "body", ""),
)
"""Kind, placement and rel of a link; simple ones are more frequent."""


@st.composite
def webs(draw: st.DrawFn) -> tuple[Web, tuple[str, ...], bool]:
    """Draw a web, starting points in it, and whether a site is a registrable domain."""
    found = draw(addresses())
    hubs = draw(st.lists(st.sampled_from(found), min_size=1, max_size=4))
    target = st.sampled_from([*found, *hubs * 4, *TRAPS])
    link = st.builds(
        lambda target, style: Link(target, *style), target, st.sampled_from(STYLES)
    )
    pages: dict[str, PageFacts] = {}
    for page in found:
        what = draw(st.integers(0, 19))
        if what < 15:
            of_page = draw(st.lists(link, max_size=6))
            pages[page] = PageFacts(tuple(of_page), nofollow=what > 12)
        elif what < 19:
            pages[page] = PageFacts(redirect=draw(target))
    starts = draw(st.lists(st.sampled_from(found), min_size=1, max_size=5, unique=True))
    by_domain = draw(st.integers(0, 3)) == 3
    return web_of(pages, by_domain=by_domain), tuple(starts), by_domain


@st.composite
def parameters(draw: st.DrawFn) -> Parameters:
    analysis: Analysis = draw(
        st.sampled_from(["colink", "colink", "snowball", "interactor"])
    )
    return Parameters(
        analysis=analysis,
        mode=draw(st.sampled_from(["page", "site"])),
        depth=draw(st.integers(0, 2)),
        iterations=draw(st.integers(1 if analysis == "colink" else 0, 2)),
        threshold=draw(st.sampled_from([1, 2, 2, 3])),
        privilege=draw(st.booleans()),
        voters=draw(st.sampled_from(["domain", "site"])),
        votes=draw(st.sampled_from(["voters", "pages"])),
        placement=draw(st.sampled_from(["any", "body"])),
        rel=draw(st.sampled_from(["any", "follow"])),
        embeds=draw(st.sampled_from(["record", "vote"])),
        authority=draw(st.sampled_from([0, 0, 1, 2])),
        exclude=tuple(
            sorted(draw(st.lists(st.sampled_from(EXCLUSIONS), max_size=2, unique=True)))
        ),
    )
