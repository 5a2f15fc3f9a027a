"""What the stability of a network is told in: variants, nodes, starting points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Change = Literal["without", "threshold", "depth", "placement"]


@dataclass(frozen=True, slots=True)
class Variant:
    """The core that the same pages give when one thing is changed."""

    change: Change
    value: str
    """Address of the starting point left out, or the value of the parameter."""

    core: int
    """Nodes of the variant's core."""

    kept: int
    """Those of them that are in the network's."""

    lost: tuple[str, ...]
    """Core nodes of the network that the variant has not, by id."""

    came: tuple[str, ...]
    """Core nodes that it has and the network has not, by id."""

    missing: int
    """Pages that it would need and that were never asked for."""

    missing_votes: int
    """Those of them whose links would have been counted."""

    @property
    def label(self) -> str:
        """Return its name in tables: ``threshold=3``, ``without https://a.test/``."""
        between = " " if self.change == "without" else "="
        return f"{self.change}{between}{self.value}"


@dataclass(frozen=True, slots=True)
class NodeStability:
    node: str
    in_core: bool
    """False for a newcomer: a node of a variant's core, not of the network's."""

    kept: int
    """Variants whose core it is in."""

    share: float
    """Of all variants."""

    differs_in: tuple[str, ...]
    """Labels of the variants without it; with it, for a newcomer."""


@dataclass(frozen=True, slots=True)
class Reliance:
    """How much of a network hangs on one of its starting points."""

    url: str
    node: str
    """The node that the starting point is one with, in the core or not."""

    lost: int
    """Core nodes that go when it is left out."""

    others: int
    """Those of them that are not the starting point itself."""

    share: float
    """Of the core, that is lost."""


@dataclass(frozen=True, slots=True)
class Stability:
    core: int
    """Nodes of the network's core."""

    variants: tuple[Variant, ...]
    """In the order of the starting points, then of the parameters."""

    nodes: tuple[NodeStability, ...]
    """The core, least stable first, then newcomers, most frequent first."""

    starts: tuple[Reliance, ...]
    """Starting points, the one that most hangs on first."""

    left_out: tuple[str, ...]
    """Variants that cannot be, each with the reason."""

    @property
    def shares(self) -> dict[str, float]:
        """Return the share of variants that keep each node of the core."""
        return {one.node: one.share for one in self.nodes if one.in_core}

    @property
    def hangs_on(self) -> tuple[Reliance, ...]:
        """Return the starting points without which nodes besides themselves go."""
        return tuple(one for one in self.starts if one.others)
