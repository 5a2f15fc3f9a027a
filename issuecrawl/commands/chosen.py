"""The network that a command is asked for: options given, and what they come to."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from issuecrawl.commands.shared import edits, given_options, places
from issuecrawl.files import Files
from issuecrawl.model.exclusions import Exclusions
from issuecrawl.model.options import exclusions, parameters, resolve
from issuecrawl.startcheck import refuse_excluded

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from issuecrawl.items import Source
    from issuecrawl.model.decisions import Decision
    from issuecrawl.model.parameters import Parameters


class Chosen(NamedTuple):
    given: dict[str, str]
    resolved: dict[str, Any]
    parameters: Parameters

    own: bool
    """Whether these are the crawl's own."""

    decisions: list[Decision]
    places: dict[str, tuple[float, float]] | None
    """Latitude and longitude by node or site, for a geographic layout."""

    folder: Path
    """Default folder of the network: the crawl's, or one that names what differs."""


def chosen(source: Source, opts: argparse.Namespace) -> Chosen:
    """Return what the retention options in *opts* choose of *source*.

    Raises ConfigurationError for what cannot be, or would exclude a starting point.
    """
    given = given_options(opts)
    stored = source.crawl.settings
    resolved = resolve(given, base=stored, read=Files().read)
    _refuse_excluded(stored["seeds"], given.get("exclude", ""))
    found = parameters(resolved)
    own = found == parameters(stored)
    decisions = edits(opts)
    folder = _folder(source.name, given, resolved, decisions)
    return Chosen(given, resolved, found, own, decisions, places(opts), folder)


def _refuse_excluded(seeds: Iterable[str], value: str) -> None:
    own = Exclusions(exclusions(value, (), Files().read))
    for seed in seeds:
        refuse_excluded(seed, f"starting point {seed}", own, shown=True)


def _folder(
    name: str,
    given: dict[str, str],
    resolved: dict[str, Any],
    decisions: list[Decision],
) -> Path:
    values = {name: str(value) for name, value in sorted(given.items())}
    if "exclude" in values:
        values["exclude"] = _digest(resolved["exclude"])
    if decisions:
        values["edits"] = _digest(map(str, decisions))
    differing = [f"{name}-{value}" for name, value in values.items()]
    return Path("networks") / "_".join([name, *differing])


def _digest(lines: Iterable[str]) -> str:
    return blake2b("\n".join(lines).encode(), digest_size=4).hexdigest()
