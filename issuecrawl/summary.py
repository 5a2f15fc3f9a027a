"""What a crawl comes to, in lines: settings, counts by state and reason, files."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from analysis.files import left
from analysis.wording import count
from issuecrawl.model.options import RETENTION
from issuecrawl.model.page import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from analysis.network import Network
    from issuecrawl.frontier.run import Run

SHOWN_REASONS: Final = 12

LEFT_OUT: Final = (
    ("issuecrawl/links/unparsable", "links left out (no address)"),
    ("issuecrawl/links/overlong", "links left out (address too long)"),
)
"""Counts of links that give no node, since this run began."""
WIDTH: Final = 88
WARNING: Final = "[WARNING]"
INCOMPLETE: Final = "[WARNING]Incomplete"
"""Begin lines of a Description; the second has a line of its own in a summary."""


def duration(seconds: float) -> str:
    """Return *seconds* as people say it.

    >>> duration(3725)
    '1 h 2 min'
    >>> duration(12.3)
    '12 s'
    """
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def row(name: str, text: str) -> str:
    """Return *text* beside its *name*, on as many lines as it takes."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"  {name:<10} ",
        subsequent_indent=" " * 13,
        break_long_words=False,
        break_on_hyphens=False,
    )


def settings_line(settings: dict[str, object]) -> str:
    """Return the retention options on one line, flags as 1 and 0."""
    parts = []
    for option in RETENTION:
        if option.name in settings and option.name != "exclude":
            value = settings[option.name]
            shown = int(value) if isinstance(value, bool) else value
            parts.append(f"{option.name}={shown}")
    excluded = settings.get("exclude", [])
    entries = count(len(excluded), "entry", "entries")  # type: ignore[arg-type]
    parts.append(f"exclude={entries}")
    return " ".join(parts)


def summary(run: Run) -> Iterator[str]:
    """Yield the lines that end a crawl."""
    writer, passes = run.writer, run.passes
    title = run.plan.settings["title"]
    yield f"Crawl {run.crawl}{f' ({title})' if title else ''}: {run.outcome}"
    yield row("settings", settings_line(run.plan.settings))
    yield (
        f"  took       {duration(writer.took)}, {count(passes.number + 1, 'pass', 'passes')},"
        f" {writer.bytes:,} bytes"
    )
    counted = [
        f"{writer.pages[state]:,} {State(state).word}"
        for state in sorted(writer.pages)
        if writer.pages[state]
    ]
    yield row("pages", ", ".join(counted))
    yield f"  links      {writer.links:,} between sites"
    for key, reason in LEFT_OUT:
        if times := run.crawler.stats.get_value(key):
            yield f"  {times:>9,}  {reason}"
    for reason, times in writer.reasons.most_common(SHOWN_REASONS):
        yield f"  {times:>9,}  {reason}"
    if passes.over and passes.folder is not None:
        yield from network_lines(passes.result, passes.folder, passes.paths)
    elif run.error is None:
        yield f"  resume     {run.resume_line}"


def network_lines(result: Network, folder: Path, paths: list[Path]) -> Iterator[str]:
    """Yield the lines that say what a network holds and where its files are."""
    core = [n for n, data in result.graph.nodes(data=True) if data["role"] == "core"]
    periphery = count(len(result.periphery), "page links in", "pages link in")
    yield f"  network    {count(len(core), 'core node', 'core nodes')}, {periphery}"
    if not core:
        yield "  network    no co-links found"
    if result.decisions:
        yield f"  decisions  {len(result.decisions):,} applied; see decisions.csv"
    if result.missing:
        missing = count(len(result.missing), "page", "pages")
        yield (
            f"  incomplete {missing} would be needed and never asked for;"
            " see missing.txt"
        )
    for line in result.description:
        if line.startswith(WARNING) and not line.startswith(INCOMPLETE):
            yield row("warning", line.removeprefix(WARNING))
    yield f"  written    {folder}/"
    yield row("", ", ".join(sorted(path.name for path in paths)))
    if names := left(folder, paths):
        yield row("mind", f"not written now, left as they were: {', '.join(names)}")
