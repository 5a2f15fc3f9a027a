"""A link as evidence: where it stands, what it says, where it points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["a", "area", "frame", "iframe", "link", "refresh"]
Placement = Literal["body", "navigation", "header", "footer", "aside"]

KINDS: Final[tuple[Kind, ...]] = ("a", "area", "frame", "iframe", "link", "refresh")
"""In the order of their codes in the store."""

PLACEMENTS: Final[tuple[Placement, ...]] = (
    "body",
    "navigation",
    "header",
    "footer",
    "aside",
)
"""In the order of their codes in the store."""

RELS: Final[tuple[str, ...]] = (
    "nofollow",
    "ugc",
    "sponsored",
    "alternate",
    "author",
    "canonical",
    "help",
    "license",
    "me",
    "next",
    "prev",
    "search",
)
"""The link types that are recorded; the code of a set is the sum of ``1 << index``."""

VOTING_KINDS: Final = frozenset({"a", "area", "refresh"})
EMBED_KINDS: Final = frozenset({"frame", "iframe"})
FOLLOWED_KINDS: Final = VOTING_KINDS | EMBED_KINDS

FOLLOW: Final = "follow"
RECORD: Final = "record"


@dataclass(slots=True)
class Link:
    target: str
    """Absolute http(s) address by the WHATWG URL Standard, without fragment."""

    kind: Kind = "a"
    placement: Placement = "body"

    rel: str = ""
    """Those of :data:`RELS` that the element names, in that order, one space apart."""

    anchor: str = ""
    """Visible text (an image's alt), white space collapsed, at most 200 characters."""

    judged: str = FOLLOW
    """``follow``, ``record``, or the reason for which the target is refused."""
