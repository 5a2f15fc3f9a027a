"""The stability of a network, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.wording import count
from issuecrawl.summary import row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.stability.result import NodeStability, Reliance, Stability, Variant

SHOWN: Final = 10
"""Starting points, and nodes, that a summary names."""


def stability_lines(found: Stability) -> Iterator[str]:
    """Yield what is most to be known; all of it stands in the tables."""
    core = [one for one in found.nodes if one.in_core]
    variants = len(found.variants)
    total = count(variants, "variant", "variants")
    stable = sum(one.kept == variants for one in core) or "none"
    kept = f"{stable} of them kept by all {total}"
    yield row("core", f"{count(len(core), 'node', 'nodes')}, {kept}")
    for text in found.left_out:
        yield row("left out", text)
    yield from _variants(found)
    yield from _starts(found)
    yield from _nodes("least sure", [one for one in core if one.kept < variants])
    yield from _nodes("newcomers", [one for one in found.nodes if not one.in_core])
    lacking = sum(one.missing_votes > 0 for one in found.variants)
    if lacking:
        yield row(
            "incomplete",
            f"{count(lacking, 'variant lacks', 'variants lack')} pages that were never"
            " asked for and whose links would count",
        )


def _variants(found: Stability) -> Iterator[str]:
    """Yield a table of the parameters' variants; those of starting points follow."""
    shown = [one for one in found.variants if one.change != "without"]
    if not shown:
        return
    yield f"  {'variant':<18}{'core':>8}{'kept':>8}{'lost':>8}{'came':>8}{'missing':>9}"
    yield from map(_line, shown)


def _line(one: Variant) -> str:
    counts = f"{one.core:>8,}{one.kept:>8,}{len(one.lost):>8,}{len(one.came):>8,}"
    return f"  {one.label:<18}{counts}{one.missing:>9,}"


def _starts(found: Stability) -> Iterator[str]:
    hanging = found.hangs_on
    if found.starts and not hanging:
        yield row("hangs on", "no single starting point")
    for number, one in enumerate(hanging[:SHOWN]):
        yield row("" if number else "hangs on", _without(one, found.core))
    if len(hanging) > SHOWN:
        yield row("", f"and {len(hanging) - SHOWN} more")


def _without(one: Reliance, core: int) -> str:
    itself = ", itself included" if one.lost > one.others else ""
    return f"{one.url}: {one.lost} of {core} go without it ({one.share:.0%}){itself}"


def _nodes(title: str, nodes: list[NodeStability]) -> Iterator[str]:
    for number, one in enumerate(nodes[:SHOWN]):
        yield row("" if number else title, f"{one.share:>4.0%}  {one.node}")
    if len(nodes) > SHOWN:
        yield row("", f"and {len(nodes) - SHOWN} more")
