"""The other tables of a report: who links to whom, starting points, coverage."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.matrix import top
from analysis.report.actors import actor
from analysis.sight import WORDS
from analysis.wording import percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.matrix import Matrix as Weights
    from analysis.network import Network, SiteCoverage
    from analysis.report.actors import Actor
    from analysis.stability.result import NodeStability

MATRIX: Final = 25
"""Actors of the matrix; matrix.csv or matrix_long.csv has them all."""

SITES: Final = 50
"""Sites of the coverage; coverage.csv has them all."""

SHADES: Final = 5


class Cell(NamedTuple):
    weight: int | None
    """None where there can be no link, within a site."""
    shade: int
    """0 where there is no link, to :data:`SHADES` for the most."""


class Row(NamedTuple):
    actor: Actor
    cells: list[Cell]
    unseen: bool
    """Some of its pages could not be seen, and so links of it may be missing."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What could not be seen, in all and of the sites where most was not."""

    due: int
    unseen: int
    scripted: int
    """Pages that show signs of having links put in by scripts."""
    excluded: int
    reasons: list[tuple[str, int]]
    rows: list[SiteCoverage]
    lacking: int
    """Sites of which something was not seen."""
    sites: int
    words: dict[str, str]

    @property
    def whole(self) -> bool:
        return not (self.unseen or self.scripted)


@dataclass(frozen=True, slots=True)
class Matrix:
    """How often the most linked of the core are linked to from within it."""

    columns: list[Actor]
    rows: list[Row]
    square: bool
    """Rows are the same nodes as columns."""
    sums: list[tuple[str, list[int]]]
    """What links to each column besides, and all that does: its inlinks."""


def matrix(network: Network, shown: int = MATRIX) -> Matrix:
    found = top(network, shown)
    most = max((weight or 0 for row in found.cells for weight in row), default=0)
    rows = [
        Row(
            actor(network, node),
            [Cell(weight, shade(weight or 0, most)) for weight in row],
            bool(network.graph.nodes[node].get("unseen")),
        )
        for node, row in zip(found.linking, found.cells, strict=True)
    ]
    return Matrix(
        columns=[actor(network, node) for node in found.nodes],
        rows=rows,
        square=found.linking == found.nodes,
        sums=list(_sums(network, found)),
    )


def _sums(network: Network, found: Weights) -> Iterator[tuple[str, list[int]]]:
    nodes, chosen = found.nodes, set(found.linking)
    core, others, outside = Counter[str](), Counter[str](), Counter[str]()
    for source, target, weight in network.graph.edges(data="weight", default=1):
        (core if source in chosen else others)[target] += weight
    for _, target, weight in network.inward:
        outside[target] += weight
    if others.keys() & set(nodes):
        yield "other core nodes", [others[node] for node in nodes]
    yield "the periphery", [outside[node] for node in nodes]
    yield "all", [core[node] + others[node] + outside[node] for node in nodes]


def shade(weight: int, most: int) -> int:
    """Return the shade of a cell: each is for twice as many links, or more.

    >>> [shade(weight, 2) for weight in (0, 1, 2)]
    [0, 1, 2]
    >>> [shade(weight, 1000) for weight in (1, 10, 100, 1000)]
    [1, 2, 3, 5]
    """
    if not weight:
        return 0
    steps = max(most.bit_length() - 1, SHADES - 1)
    return 1 + (weight.bit_length() - 1) * (SHADES - 1) // steps


def coverage(network: Network, shown: int = SITES) -> Coverage | None:
    """Return the coverage, None where it is not known."""
    if network.coverage is None:
        return None
    lacking = [row for row in network.coverage if lack(row) or row.excluded_links]
    lacking.sort(key=lambda row: (-lack(row), -row.excluded_links, row.site))
    totals = {
        name: sum(row.unseen.get(name, 0) for row in network.coverage) for name in WORDS
    }
    return Coverage(
        due=sum(row.due for row in network.coverage),
        unseen=sum(totals.values()),
        scripted=sum(row.needs_javascript for row in network.coverage),
        excluded=sum(row.excluded_links for row in network.coverage),
        reasons=sorted(
            ((WORDS[name], number) for name, number in totals.items() if number),
            key=lambda pair: -pair[1],
        ),
        rows=lacking[:shown],
        lacking=len(lacking),
        sites=len(network.coverage),
        words=WORDS,
    )


def lack(row: SiteCoverage) -> int:
    return sum(row.unseen.values()) + row.needs_javascript


def unstable(network: Network) -> list[tuple[Actor, str, NodeStability]]:
    """Return core nodes that some variant does not keep, the least stable first."""
    if network.stability is None:
        return []
    return [
        (actor(network, one.node), percent(one.share), one)
        for one in network.stability.nodes
        if one.in_core and one.share < 1
    ]
