"""Cores of variants, counted by node and by starting point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.stability.result import NodeStability, Reliance, Stability, Variant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analysis.stability.variants import Changed


@dataclass(frozen=True, slots=True)
class Found:
    """The core of the network, or of a variant, by ids of nodes."""

    core: frozenset[str]
    starts: tuple[str, ...]
    """The node that each starting point is one with, in the core or not."""

    missing: int
    missing_votes: int


def tallied(
    network: Found, cores: Iterable[tuple[Changed, Found]], impossible: Iterable[str]
) -> Stability:
    """Return what the *cores* of variants say of the *network*."""
    told = [_variant(network, changed, found) for changed, found in cores]
    return Stability(
        core=len(network.core),
        variants=tuple(told),
        nodes=tuple(sorted(_nodes(network.core, told), key=_least_stable_first)),
        starts=tuple(sorted(_relied_on(network, told), key=_most_relied_on_first)),
        left_out=tuple(impossible),
    )


def _variant(network: Found, changed: Changed, found: Found) -> Variant:
    return Variant(
        change=changed.change,
        value=changed.value,
        core=len(found.core),
        kept=len(found.core & network.core),
        lost=tuple(sorted(network.core - found.core)),
        came=tuple(sorted(found.core - network.core)),
        missing=found.missing,
        missing_votes=found.missing_votes,
    )


def _nodes(
    core: frozenset[str], variants: Sequence[Variant]
) -> Iterator[NodeStability]:
    """Yield core nodes and newcomers; a core without variants is wholly stable."""
    differs_in: dict[str, list[str]] = {node: [] for node in core}
    for variant in variants:
        for node in (*variant.lost, *variant.came):
            differs_in.setdefault(node, []).append(variant.label)
    total = len(variants)
    for node, labels in differs_in.items():
        in_core = node in core
        kept = total - len(labels) if in_core else len(labels)
        share = kept / total if total else 1.0
        yield NodeStability(node, in_core, kept, share, tuple(labels))


def _relied_on(network: Found, variants: Sequence[Variant]) -> Iterator[Reliance]:
    without = [variant for variant in variants if variant.change == "without"]
    # A starting point that is the only one has no variant without it.
    for variant, node in zip(without, network.starts, strict=False):
        lost = len(variant.lost)
        others = lost - (node in variant.lost)
        share = lost / len(network.core) if network.core else 0.0
        yield Reliance(variant.value, node, lost, others, share)


def _least_stable_first(one: NodeStability) -> tuple[bool, float, str]:
    return (not one.in_core, one.share if one.in_core else -one.share, one.node)


def _most_relied_on_first(one: Reliance) -> tuple[int, int]:
    return (-one.others, -one.lost)
