"""What a comparison of networks is told in: steps, nodes, edges."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analysis.network import Network
    from issuecrawl.model.parameters import Mode
    from issuecrawl.store.reader import StoredCrawl

Change = Literal["stayed", "came", "went", "unseen"]
"""In both networks; in the later one alone; in the earlier one alone; that too, and a
page that linked to it then, or held the link, could not be seen by the later crawl."""

CHANGES: Final[tuple[Change, ...]] = get_args(Change)

Against = Literal["first", "previous"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A network to compare, under the *name* that it was asked for by."""

    name: str
    network: Network
    crawl: StoredCrawl | None = None
    """What it was computed from; None for one that was read from a file."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What the other crawl says of the pages that link where only one network links.

    For what went these are pages of the earlier network, looked for in the later
    crawl; for what came it is the other way round. Of what stayed nothing is looked up.
    """

    pages: int = 0
    unseen: int | None = 0
    """Those that the other crawl could not see; None where nobody knows."""

    reasons: Mapping[str, int] = field(default_factory=dict)
    """How many pages, by what became of them or of their link."""

    @property
    def told(self) -> str:
        return "; ".join(
            f"{reason}: {pages:,}" for reason, pages in self.reasons.items()
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands in one network."""

    role: str
    """``core`` or ``periphery``."""

    values: Mapping[str, int | None]
    """By inlink measure."""

    ranks: Mapping[str, int]
    """Among the core by inlink measure, 1, 2, 2, 4; none in the periphery."""


@dataclass(frozen=True, slots=True)
class NodeChange:
    node: str
    """Its id in the later network that has it."""

    change: Change
    before: Place | None
    after: Place | None
    found_in: tuple[str, ...]
    """Names of the networks, of all that are compared, that have it."""

    looks: Looks

    def moved(self, measure: str) -> int | None:
        """Return how many ranks it went up, or down if negative."""
        if self.before is None or self.after is None:
            return None
        earlier, later = self.before.ranks.get(measure), self.after.ranks.get(measure)
        return None if earlier is None or later is None else earlier - later


@dataclass(frozen=True, slots=True)
class EdgeChange:
    source: str
    target: str
    change: Change
    before: int | None
    """Its weight in the earlier network."""

    after: int | None
    found_in: tuple[str, ...]
    looks: Looks


@dataclass(frozen=True, slots=True)
class Step:
    """One network beside an earlier one."""

    before: str
    after: str
    nodes: tuple[NodeChange, ...]
    """By id."""

    edges: tuple[EdgeChange, ...]

    def movers(self, measure: str) -> list[tuple[int, NodeChange]]:
        """Return core nodes whose rank is another one, those that moved most first."""
        moved = ((node.moved(measure), node) for node in self.nodes)
        found = [(move, node) for move, node in moved if move]
        return sorted(found, key=lambda pair: (-abs(pair[0]), pair[1].node))


@dataclass(frozen=True, slots=True)
class Comparison:
    names: tuple[str, ...]
    mode: Mode
    against: Against
    by: str
    """The inlink measure that ``top`` goes by."""

    steps: tuple[Step, ...]
    remarks: tuple[str, ...]
    """Differences that lie in how the networks were made."""


def counts(changes: Iterable[NodeChange] | Iterable[EdgeChange]) -> dict[Change, int]:
    """Return how many there are of each change, in the order of :data:`CHANGES`."""
    found = Counter(one.change for one in changes)
    return {change: found[change] for change in CHANGES}
