"""Which variants of a network there are: one thing changed in each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.stability.result import Change
    from analysis.starts import Start
    from issuecrawl.model.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Changed:
    """What a variant changes, and what it is computed with."""

    change: Change
    value: str
    parameters: Parameters
    without: frozenset[int] = frozenset()
    """Pages that are no starting points."""


class Variants(NamedTuple):
    possible: list[Changed]
    impossible: list[str]
    """Those that cannot be, each with the reason."""


def variants(starts: list[Start], parameters: Parameters) -> Variants:
    """Return the variants of the network of *starts* under *parameters*."""
    possible: list[Changed] = []
    impossible: list[str] = []
    for found in (*_without(starts, parameters), *_otherwise(parameters)):
        if isinstance(found, str):
            impossible.append(found)
        else:
            possible.append(found)
    return Variants(possible, impossible)


def _without(starts: list[Start], chosen: Parameters) -> Iterator[Changed | str]:
    if len(starts) == 1:
        yield f"without {starts[0].url} (there is no other starting point)"
        return
    for start in starts:
        left_out = frozenset({start.page or 0})
        yield Changed("without", start.url, chosen, left_out)


def _otherwise(chosen: Parameters) -> Iterator[Changed | str]:
    if chosen.analysis != "colink":
        yield f"threshold (analysis={chosen.analysis} has none)"
    else:
        for value in (chosen.threshold - 1, chosen.threshold + 1):
            if value < 1:
                yield f"threshold={value} (1 is the lowest)"
                continue
            changed = replace(chosen, threshold=value)
            yield Changed("threshold", str(value), changed)
    if chosen.depth:
        less = chosen.depth - 1
        yield Changed("depth", str(less), replace(chosen, depth=less))
    else:
        yield "a smaller depth (it is 0)"
    if chosen.placement == "body":
        yield "placement=body (it is so already)"
    else:
        yield Changed("placement", "body", replace(chosen, placement="body"))
