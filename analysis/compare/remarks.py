"""Differences between networks that lie in how they were made."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from issuecrawl.model.parameters import Parameters
from issuecrawl.model.url import identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.compare.result import Snapshot

OF_THE_CRAWL = ("site", "sites", "identity")
"""Settings, besides the parameters, by which crawls tell sites and pages apart."""


def remarks(snapshots: Sequence[Snapshot]) -> Iterator[str]:
    """Yield what else than the web may have made the networks differ."""
    for field in fields(Parameters):
        values = [getattr(one.network.parameters, field.name) for one in snapshots]
        if len(set(values)) > 1:
            yield _differing(field.name, snapshots, values)
    for name in OF_THE_CRAWL:
        told = [one for one in snapshots if one.network.provenance is not None]
        values = [_setting(one, name) for one in told]
        if any(value != values[0] for value in values[1:]):
            yield _differing(name, told, values)
    first = _starts(snapshots[0])
    for one in snapshots[1:]:
        starts = _starts(one)
        if starts != first:
            yield (
                f"starting points of {one.name}: {len(starts - first)} that"
                f" {snapshots[0].name} has not; {len(first - starts)} left out"
            )
    for one in snapshots:
        if one.network.missing:
            yield (
                f"{one.name} is incomplete: {len(one.network.missing)} pages were never"
                " asked for"
            )


def _differing(
    name: str, snapshots: Sequence[Snapshot], values: Sequence[object]
) -> str:
    told = [
        f"{_shown(value)} in {one.name}"
        for one, value in zip(snapshots, values, strict=True)
    ]
    return f"{name}: {', '.join(told)}"


def _shown(value: object) -> str:
    if isinstance(value, tuple | list):
        return f"{len(value)} entries"
    return str(int(value) if isinstance(value, bool) else value)


def _setting(snapshot: Snapshot, name: str) -> object:
    provenance = snapshot.network.provenance
    return None if provenance is None else provenance.settings.get(name)


def _starts(snapshot: Snapshot) -> set[str]:
    return {identity(url) or url for url in snapshot.network.starting_points}
