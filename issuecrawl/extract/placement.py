"""Where on a page a link stands: body, navigation, header, footer or aside.

The nearest ancestor that is a landmark decides.

1. A ``role`` (the first that ARIA knows): ``navigation`` and its kin, ``banner``,
   ``contentinfo``, ``complementary``, ``main``, ``article``. Any other role takes the
   meaning of an element of 2 away.
2. The elements ``nav``, ``aside``, ``main``, ``article``, ``header`` and ``footer``;
   the last two only outside of ``article``, ``aside``, ``main``, ``nav`` and
   ``section``, inside of which they belong to that part (HTML-AAM, 3.5).
3. Failing that, names in ``id`` and ``class`` of ``div``, ``ul``, ``section``, ``td``
   and the like; see :mod:`issuecrawl.extract.names`. A *class* that says header or
   footer counts only outside of what 2 lists and of elements named as content.

A link outside of all these is in the body.
"""

# ruff: noqa: SIM905 - lists of words are easiest to read and amend as words
from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from issuecrawl.extract.names import told

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from issuecrawl.model.link import Placement


class Region(NamedTuple):
    """What an element says of the links inside it."""

    placement: Placement
    sectioned: bool
    """It lies in a part of the page that may have a header and footer of its own."""


_OUTSIDE: Final = Region("body", sectioned=False)
_NAVIGATION: Final = Region("navigation", sectioned=True)
_ASIDE: Final = Region("aside", sectioned=True)
_MAIN: Final = Region("body", sectioned=True)
_HEADER: Final = Region("header", sectioned=False)
_FOOTER: Final = Region("footer", sectioned=False)

_ROLES: Final = {
    "navigation": _NAVIGATION,
    "menubar": _NAVIGATION,
    "menu": _NAVIGATION,
    "doc-toc": _NAVIGATION,
    "doc-index": _NAVIGATION,
    "doc-pagelist": _NAVIGATION,
    "banner": _HEADER,
    "contentinfo": _FOOTER,
    "complementary": _ASIDE,
    "main": _MAIN,
    "article": _MAIN,
}
_OTHER_ROLES: Final = frozenset(
    "alert application dialog directory document feed figure form generic grid group "
    "heading list listbox log marquee none note presentation radiogroup region row "
    "rowgroup search status table tablist tabpanel toolbar tree".split()
)
_ELEMENTS: Final = {
    "nav": _NAVIGATION,
    "aside": _ASIDE,
    "main": _MAIN,
    "article": _MAIN,
    "header": _HEADER,
    "footer": _FOOTER,
}
_NAMED: Final = frozenset(
    "div section ul ol dl table tbody tr td p span form center".split()
)


class Placements:
    """Answers for the links of one page; each ancestor is looked at once."""

    def __init__(self) -> None:
        self._regions: dict[int, Region] = {}

    def of(self, node: LexborNode) -> Placement:
        """Return where *node* stands. No recursion: pages nest thousands deep."""
        regions = self._regions
        path: list[LexborNode] = []
        region = _OUTSIDE
        parent = node.parent
        while parent is not None:
            known = regions.get(parent.mem_id)
            if known is not None:
                if not path:
                    return known.placement
                region = known
                break
            path.append(parent)
            parent = parent.parent
        for ancestor in reversed(path):
            region = regions[ancestor.mem_id] = _region(ancestor, region)
        return region.placement


def _region(node: LexborNode, around: Region) -> Region:
    """Return what holds inside *node*, given what holds *around* it."""
    tag = node.tag or ""
    attributes = node.attributes
    if not attributes:
        return _by_element(tag, around)
    if roles := attributes.get("role"):
        for role in roles.lower().split():
            if role in _ROLES:
                return _ROLES[role]
            if role in _OTHER_ROLES:
                return _by_names(attributes, around) if tag in _NAMED else around
    if tag in _NAMED:
        around = _by_names(attributes, around)
    return _by_element(tag, around)


def _by_element(tag: str, around: Region) -> Region:
    if tag == "section":
        return around if around.sectioned else Region(around.placement, sectioned=True)
    own = _ELEMENTS.get(tag, around)
    return around if around.sectioned and not own.sectioned else own


def _by_names(attributes: dict[str, str | None], around: Region) -> Region:
    identifier = attributes.get("id") or ""
    classes = attributes.get("class") or ""
    if not identifier and not classes:
        return around
    names = told(identifier, classes)
    if names.by_id:
        return _BY_PLACEMENT[names.by_id]
    if names.by_class:
        region = _BY_PLACEMENT[names.by_class]
        if region.sectioned or not around.sectioned:
            return region
    return Region(around.placement, sectioned=True) if names.content else around


_BY_PLACEMENT: Final = {
    region.placement: region for region in (_NAVIGATION, _ASIDE, _HEADER, _FOOTER)
}
