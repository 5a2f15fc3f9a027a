"""The links of a parsed page, in document order."""

# ruff: noqa: SIM905 - lists of words are easiest to read and amend as words
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from issuecrawl.extract.anchor import MAX_ANCHOR, MAX_TITLE, anchor, collapse
from issuecrawl.extract.charset import declared
from issuecrawl.extract.placement import Placements
from issuecrawl.extract.refresh import parse_refresh
from issuecrawl.model.link import RELS, Kind, Link

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from issuecrawl.extract.address import Resolver

    Attributes = dict[str, str | None]

SELECTOR: Final = "title,base,meta,link,a,area,frame,iframe"
"""All that is asked of the tree, in one walk. Disjoint, so that no element comes twice;
what lies in a ``template`` is not of the document and does not come at all."""

_ROBOTS: Final = frozenset({"robots", "issuecrawl"})
"""Names of ``meta`` elements that we obey: every robot's, and ours."""

_NOT_FOLLOWED: Final = frozenset({"nofollow", "none"})
_SYNONYMS: Final = {"previous": "prev", "copyright": "license"}
_RESOURCES: Final = frozenset(
    "stylesheet icon preload prefetch modulepreload preconnect dns-prefetch".split()
)
"""Link types that fetch something for the page itself and lead nowhere."""


class Collector:
    """Sorts the elements that :data:`SELECTOR` picks into the parts of a document."""

    def __init__(self, resolver: Resolver) -> None:
        self.title: str | None = None
        self.links: list[Link] = []
        self.refresh = ""
        self.nofollow = False
        self._resolver = resolver
        self._placements = Placements()
        self._refreshed = False

    def collect(self, nodes: list[LexborNode]) -> None:
        """Read *nodes*, which are all that the selector picked."""
        self._rebase(nodes)
        readers = {
            "a": self._a,
            "area": self._area,
            "frame": self._frame,
            "iframe": self._frame,
            "link": self._link,
            "meta": self._meta,
        }
        for node in nodes:
            reader = readers.get(node.tag or "")
            if reader is not None:
                reader(node, node.attributes)
            elif self.title is None and node.tag == "title":
                self._title(node)

    def _rebase(self, nodes: list[LexborNode]) -> None:
        for node in nodes:
            if node.tag != "base" or _within(node, "svg"):
                continue
            attributes = node.attributes
            if "href" in attributes:
                self._resolver.rebase(attributes["href"] or "")
                return

    def _a(self, node: LexborNode, attributes: Attributes) -> None:
        href = attributes.get("href")
        if href is None:
            # None also is what an empty attribute has for a value.
            if "href" in attributes:
                href = ""
            elif "xlink:href" in attributes and _within(node, "svg"):
                href = attributes["xlink:href"] or ""
            else:
                return
        target = self._resolver.resolve(href)
        if target:
            self._add(node, target, "a", attributes, anchor(node))

    def _area(self, node: LexborNode, attributes: Attributes) -> None:
        if "href" in attributes:
            target = self._resolver.resolve(attributes["href"] or "")
            if target:
                alt = collapse(attributes.get("alt") or "", MAX_ANCHOR)
                self._add(node, target, "area", attributes, alt)

    def _frame(self, node: LexborNode, attributes: Attributes) -> None:
        # An empty src is about:blank, other than an empty href.
        src = attributes.get("src")
        target = self._resolver.resolve(src) if src else ""
        if target:
            kind: Kind = "iframe" if node.tag == "iframe" else "frame"
            self._add(node, target, kind, attributes)

    def _link(self, node: LexborNode, attributes: Attributes) -> None:
        rel = attributes.get("rel")
        href = attributes.get("href")
        if not rel or not href or not _rels(rel):
            return
        if _RESOURCES.isdisjoint(rel.lower().split()):
            target = self._resolver.resolve(href)
            if target:
                self._add(node, target, "link", attributes)

    def _add(
        self,
        node: LexborNode,
        target: str,
        kind: Kind,
        attributes: Attributes,
        text: str = "",
    ) -> None:
        rel = attributes.get("rel")
        rels = _rels(rel) if rel else ""
        self.links.append(Link(target, kind, self._placements.of(node), rels, text))

    def _meta(self, node: LexborNode, attributes: Attributes) -> None:
        content = attributes.get("content")
        if not content:
            return
        if (attributes.get("http-equiv") or "").lower() == "refresh":
            self._refresh(node, content)
        elif (attributes.get("name") or "").strip().lower() in _ROBOTS:
            words = content.lower().replace(",", " ").split()
            self.nofollow = self.nofollow or not _NOT_FOLLOWED.isdisjoint(words)

    def _refresh(self, node: LexborNode, content: str) -> None:
        refresh = parse_refresh(content)
        if refresh is None:
            return
        # Most visitors do not see it, so it moves nobody; but it leads somewhere.
        aside = _within(node, "noscript")
        if not aside:
            if self._refreshed:  # the standard lets the first one win
                return
            self._refreshed = True
        target = self._resolver.resolve(refresh.href) if refresh.href else ""
        if not target or target == self._resolver.page:
            return
        if refresh.redirects and not aside:
            self.refresh = target
        else:
            self.links.append(Link(target, "refresh"))

    def _title(self, node: LexborNode) -> None:
        if not _within(node, "svg"):
            self.title = collapse(node.text(), MAX_TITLE)


def late_encoding(nodes: list[LexborNode]) -> str:
    """Return the encoding that a ``meta`` element among *nodes* declares, '' if none."""
    for node in nodes:
        if node.tag == "meta":
            attributes = node.attributes
            encoding = declared(
                attributes.get("charset"),
                attributes.get("http-equiv") or "",
                attributes.get("content") or "",
            )
            if encoding:
                return encoding
    return ""


def _within(node: LexborNode, tag: str) -> bool:
    parent = node.parent
    while parent is not None and parent.tag != tag:
        parent = parent.parent
    return parent is not None


def _rels(rel: str) -> str:
    return _known_rels(rel[:200])


@lru_cache(maxsize=1024)
def _known_rels(rel: str) -> str:
    words = {_SYNONYMS.get(word, word) for word in rel.lower().split()}
    return " ".join(known for known in RELS if known in words)
