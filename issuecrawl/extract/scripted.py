"""Signs that a page has its content put in by a script.

Of such a page a reader without scripts, as ours is, sees a shell: no link of it is
known. It has a script, at most 3 links to follow, fewer than 250 characters of visible
text, and one of these:

1. an element that a framework puts an application into, by its id;
2. a ``noscript`` that speaks of JavaScript;
3. no link at all, no frame, and fewer than 100 characters of text. Pages that a script
   sends on are among these.
"""

# ruff: noqa: SIM905 - lists of words are easiest to read and amend as words
from __future__ import annotations

from typing import TYPE_CHECKING, Final

from issuecrawl.model.link import FOLLOWED_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from issuecrawl.model.link import Link

MOST_LINKS: Final = 3
LITTLE: Final = 250
"""Characters of text below which a page may be a shell."""
NEXT_TO_NONE: Final = 100

_MOST_NODES: Final = 2_000
"""A page of more is no shell; nor is it looked at any further."""

_ROOTS: Final = (
    ", ".join(
        f"#{name}"
        for name in "root app __next __nuxt ___gatsby app-root svelte q-app main-app".split()
    )
    + ", app-root, [ng-app], [ng-version], [data-reactroot]"
)
_SCRIPT: Final = 'script:not([type*="json"])'
_HIDDEN: Final = frozenset({"script", "style", "noscript", "template"})
_FRAMES: Final = frozenset({"iframe", "frame", "object", "embed"})


def needs_javascript(tree: LexborHTMLParser, links: list[Link]) -> bool:
    """Tell whether the page, whose *links* were read from *tree*, shows such signs.

    Costs next to nothing for a page with more than a few links.
    """
    # An iframe in a noscript is a tracker's; one elsewhere is looked for below.
    kinds = FOLLOWED_KINDS - {"iframe"}
    count = 0
    for link in links:
        count += link.kind in kinds
        if count > MOST_LINKS:
            return False
    body = tree.body
    if body is None or tree.css_first(_SCRIPT) is None:
        return False
    text, framed = 0, False
    for seen, node in enumerate(_shown(body)):
        text += len((node.text_content or "").strip()) if node.tag == "-text" else 0
        framed = framed or node.tag in _FRAMES
        if seen > _MOST_NODES or text >= LITTLE:
            return False
    if count == 0 and not framed and text < NEXT_TO_NONE:
        return True
    return tree.css_first(_ROOTS) is not None or any(
        "javascript" in node.text().lower() for node in tree.css("noscript")
    )


def _shown(body: LexborNode) -> Iterator[LexborNode]:
    """Yield what is in *body* in document order, hidden parts left out."""
    node: LexborNode | None = body.first_child
    while node is not None:
        yield node
        inside = None if node.tag in _HIDDEN else node.first_child
        while inside is None:
            if node.next is not None:
                inside = node.next
                break
            parent = node.parent
            if parent is None or parent.mem_id == body.mem_id:
                return
            node = parent
        node = inside
