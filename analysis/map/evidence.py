"""The evidence a map holds: the best links of each edge, in blocks read on demand."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from analysis.evidence import rank
from analysis.map.deflated import packed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from analysis.map.content import Numbering
    from analysis.network import Evidence, EvidenceLink

BOUND: Final = 8_000_000
"""Characters of all blocks together, and so bytes of the file."""

LINKS: Final = (3, 2, 1)
"""Links shown of an edge, as many as there is room for."""

BLOCK: Final = 2_000
"""Links in a block, unless one node has more: what opening a panel has to inflate."""


@dataclass(slots=True)
class Linking:
    """A node, or a site that is none, that links to a node."""

    node: str
    voter: str
    links: int
    """All of them."""
    best: list[EvidenceLink]


@dataclass(slots=True)
class Blocks:
    """Evidence as a page holds it."""

    packed: list[str] = field(default_factory=list)
    of: dict[int, int] = field(default_factory=dict)
    """Block of each node that has evidence."""
    shown: int = LINKS[0]
    """Links of an edge at most."""
    nodes: int = 0
    """Nodes that evidence is known of; fewer are in blocks if there was no room."""


def blocks(evidence: Evidence, numbering: Numbering, bound: int = BOUND) -> Blocks:
    """Return as much of *evidence* as *bound* characters hold.

    Three links of an edge, else two, else one; if that is too much, the nodes with the
    fewest inlinks go without.
    """
    found = {
        number: list(linking)
        for node, linking in _by_node(evidence)
        if (number := numbering.of.get(node)) is not None
    }
    for shown in LINKS:
        made = _made(found, numbering, shown, bound)
        if len(made.of) == len(found):
            break
    return made


def _by_node(evidence: Evidence) -> Iterator[tuple[str, Iterator[Linking]]]:
    for node, links in groupby(evidence.links(), key=lambda link: link.node):
        yield node, map(_linking, _groups(links))


def _groups(links: Iterable[EvidenceLink]) -> Iterator[Iterator[EvidenceLink]]:
    return (group for _, group in groupby(links, key=lambda link: link.linking_node))


def _linking(links: Iterable[EvidenceLink]) -> Linking:
    """Keep the best of *links*, counting them; there may be very many."""
    count = 0

    def counted() -> Iterator[EvidenceLink]:
        nonlocal count
        for link in links:
            count += 1
            yield link

    best = heapq.nsmallest(LINKS[0], counted(), key=rank)
    return Linking(best[0].linking_node, best[0].voter, count, best)


def _made(
    found: dict[int, list[Linking]], numbering: Numbering, shown: int, bound: int
) -> Blocks:
    made, room = Blocks(shown=shown, nodes=len(found)), bound
    for numbers in _batches(found, numbering, shown):
        block = packed(_block({n: found[n] for n in numbers}, numbering.of, shown))
        room -= len(block)
        if room < 0:
            break
        made.of.update(dict.fromkeys(numbers, len(made.packed)))
        made.packed.append(block)
    return made


def _batches(
    found: dict[int, list[Linking]], numbering: Numbering, shown: int
) -> Iterator[list[int]]:
    """Yield nodes that share a block, those with most inlinks first."""

    def by_inlinks(number: int) -> tuple[float, int]:
        return (-float(numbering.data[number].get("inlinks") or 0), number)

    batch: list[int] = []
    held = 0
    for number in sorted(found, key=by_inlinks):
        links = sum(min(linking.links, shown) for linking in found[number])
        if batch and held + links > BLOCK:
            yield batch
            batch, held = [], 0
        batch.append(number)
        held += links
    if batch:
        yield batch


def _block(
    nodes: dict[int, list[Linking]], numbers: dict[str, int], shown: int
) -> dict[str, Any]:
    """Return a block: texts once, and by node rows that name them by number."""
    places: dict[str, int] = {}

    def text(value: str) -> int:
        return places.setdefault(value, len(places))

    rows = {
        str(number): [_row(one, numbers, text, shown) for one in linking]
        for number, linking in nodes.items()
    }
    return {"nodes": rows, "texts": list(places)}


def _row(
    linking: Linking,
    numbers: dict[str, int],
    text: Callable[[str], int],
    shown: int,
) -> list[Any]:
    """Return number (or -1), name and voter of what links, links in all, the best."""
    return [
        numbers.get(linking.node, -1),
        text(linking.node),
        text(linking.voter),
        linking.links,
        [
            [
                text(value)
                for value in (
                    link.source,
                    link.target,
                    link.anchor,
                    link.placement,
                    link.kind,
                    link.rel,
                    link.fetched,
                )
            ]
            for link in linking.best[:shown]
        ],
    ]
