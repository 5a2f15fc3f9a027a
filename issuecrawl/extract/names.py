"""What the usual names in ``id`` and ``class`` say of a part of a page.

A name is split into words at ``-``, ``_`` and camel case; numbers are left out. It
tells something

- if its last word, or all of it, is one of :data:`WORDS`: ``main-nav``,
  ``leftSidebar``, ``side-bar``. What says header or footer must have no word in front
  but ``site``, ``page`` and the like: ``card-header`` is content;
- or if it has such a word and the others say no more than which one or which part of
  it: ``sidebar-left``, ``footer-inner``.

``has``, ``no``, ``with`` or ``content`` in front make it tell nothing: what is called
``has-sidebar`` holds the body. The list is short on purpose: a body link taken for
navigation is lost to a network that counts body links, the opposite costs little.
"""

# ruff: noqa: SIM905 - lists of words are easiest to read and amend as words
from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from issuecrawl.model.link import Placement

WORDS: Final[dict[str, Placement]] = {
    **dict.fromkeys(
        "nav navbar navigation menu menubar mainmenu submenu topmenu topnav sidenav "
        "subnav mainnav breadcrumb breadcrumbs pagination pager toc".split(),
        "navigation",
    ),
    **dict.fromkeys("sidebar sidebars aside".split(), "aside"),
    **dict.fromkeys("header masthead topbar".split(), "header"),
    **dict.fromkeys("footer colophon".split(), "footer"),
}
PARTS: Final = frozenset(
    "wrapper wrap inner outer container content area region links list block box group "
    "top bottom left right first second third primary secondary main widget".split()
)
WHOLE: Final = frozenset(
    "site page main global document doc web website blog layout the region top bottom "
    "sticky".split()
)
DENIALS: Final = frozenset("has have no not with without hide content".split())
CONTENT: Final = frozenset(
    "main content article post entry maincontent pagecontent entrycontent postcontent "
    "articlebody articlecontent bodycontent".split()
)

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_READ: Final = 300
"""Characters of an id or class that are read: these values are kept in a cache."""


class Told(NamedTuple):
    by_id: Placement | None
    by_class: Placement | None
    content: bool
    """A name says that the element holds the content."""


def told(identifier: str, classes: str) -> Told:
    """Return what an element's id and class attribute say.

    >>> told("", "site-footer dark").by_class
    'footer'
    """
    return _told(identifier[:_READ], classes[:_READ])


@lru_cache(maxsize=4096)
def _told(identifier: str, classes: str) -> Told:
    ids = [_WORD.findall(name) for name in identifier.split()]
    names = [_WORD.findall(name) for name in classes.split()]
    return Told(
        next(filter(None, map(_placement, ids)), None),
        next(filter(None, map(_placement, names)), None),
        any("".join(name).lower() in CONTENT for name in ids + names),
    )


def _placement(name: list[str]) -> Placement | None:
    words = [word.lower() for word in name]
    whole = WORDS.get("".join(words))
    if whole or not words:
        return whole
    at = next((index for index, word in enumerate(words) if word in WORDS), None)
    if at is None or not DENIALS.isdisjoint(words[:at]):
        return None
    last = WORDS.get(words[-1])
    if last in {"navigation", "aside"}:
        return last
    if last and WHOLE.issuperset(words[:-1]):
        return last
    others = words[:at] + words[at + 1 :]
    if all(word in PARTS or word in WHOLE or word in WORDS for word in others):
        return WORDS[words[at]]
    return None
