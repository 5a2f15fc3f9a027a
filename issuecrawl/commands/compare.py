"""``scrapy compare``: what stayed, came and went between networks."""

from __future__ import annotations

import contextlib
import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from scrapy.commands import ScrapyCommand

from analysis.actors import INLINK_MEASURES
from analysis.compare.compute import compare
from analysis.compare.result import Against, Snapshot
from analysis.compare.tables import EDGES_FILE, NODES_FILE, write_edges, write_nodes
from analysis.compare.union import union
from analysis.compute import network
from analysis.files import put, write_all
from analysis.issuenetwork_reader import read
from issuecrawl.commands.shared import (
    Examples,
    one_sentence,
    refuse_unknown,
    whole_number,
)
from issuecrawl.comparison_lines import comparison_lines
from issuecrawl.files import Files
from issuecrawl.items import folder_name, opened, source_name
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.options import parameters
from issuecrawl.networkfile import is_network_file
from issuecrawl.summary import row
from issuecrawl.working import Working

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

    from analysis.compare.result import Comparison

EXPECTED = "two or more crawls, by their numbers, or files of networks or items"
SHOWING = ("map", "pictures")
"""Formats that show what changed."""
LONGEST = 100
"""Characters of a folder's name."""


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy compare 7 12
  scrapy compare 7 12 15 --against previous --periphery --top 50 --by linking_sites
  scrapy compare old.xml 12 --out changes/"""

    def syntax(self) -> str:
        return "CRAWL|NETWORK.xml|ITEMS.jsonl CRAWL|NETWORK.xml|ITEMS.jsonl … [options]"

    def short_desc(self) -> str:
        return "Say what stayed, came and went between networks, and what was not seen"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--against",
            choices=get_args(Against),
            default="first",
            help="which network each is compared with (default: first)",
        )
        scope = parser.add_mutually_exclusive_group()
        scope.add_argument(
            "--core",
            dest="periphery",
            action="store_false",
            default=False,
            help="compare the core alone (default)",
        )
        scope.add_argument(
            "--periphery",
            action="store_true",
            help="compare nodes that link to the core too",
        )
        parser.add_argument(
            "--top",
            metavar="N",
            help="tell of the nodes that rank among the first N of one of the two",
        )
        parser.add_argument(
            "--by",
            choices=INLINK_MEASURES,
            default=INLINK_MEASURES[0],
            help=f"inlinks that ranks go by (default: {INLINK_MEASURES[0]})",
        )
        parser.add_argument(
            "--out",
            metavar="DIR",
            help="folder for the files (default: comparisons/ and the names)",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            refuse_unknown(args, self.parser)
            if len(args) < 2:
                given = f"got {args[0]}" if args else "got none"
                raise ConfigurationError(f"Expected {EXPECTED}; {given}")
            top = None if opts.top is None else whole_number("--top", opts.top, 1)
            Files().folder(opts.out or "")
            warnings: list[str] = []
            work = Working()
            with work.shown(), contextlib.ExitStack() as stack:
                snapshots = [
                    self._snapshot(name, self.settings, work, stack, warnings)
                    for name in args
                ]
                snapshots = _told_apart(snapshots, args)
                found = compare(
                    snapshots,
                    against=opts.against,
                    periphery=opts.periphery,
                    top=top,
                    by=opts.by,
                    tell=work.on,
                )
                folder = Path(opts.out) if opts.out else _folder(args)
                lines = list(_written(snapshots, found, folder, work))
            print("\n".join(lines))
            for warning in warnings:
                sys.stderr.write(f"{warning}\n")

    def _snapshot(
        self,
        name: str,
        settings: BaseSettings,
        work: Working,
        stack: contextlib.ExitStack,
        warnings: list[str],
    ) -> Snapshot:
        if is_network_file(name):
            work.on(f"Reading {name}")
            said: list[str] = []
            found = read(Path(name), said)
            warnings += [f"{name}: {line}" for line in said]
            return Snapshot(folder_name(Path(name)), found)
        source = stack.enter_context(opened(name, settings, None, work))
        if source.warnings:
            self.exitcode = 1
        warnings += [
            f"{source.name}: {line}" for line in (*source.warnings, *source.remarks)
        ]
        work.on(f"Computing the network of {source.name}")
        chosen = parameters(source.crawl.settings)
        return Snapshot(
            source.name, network(source.crawl, chosen, own=True), source.crawl
        )


def _told_apart(snapshots: list[Snapshot], args: list[str]) -> list[Snapshot]:
    """Return *snapshots* under the names given, where files of one name are among them.

    One that is given twice is compared with itself.
    """
    names = [one.name for one in snapshots]
    if len(set(names)) == len(set(args)):
        return snapshots
    return [
        Snapshot(name, one.network, one.crawl)
        for name, one in zip(args, snapshots, strict=True)
    ]


def _folder(args: list[str]) -> Path:
    names = [source_name(name) for name in args]
    joined = "_".join(names)
    if len(joined) > LONGEST:
        joined = f"{names[0][:LONGEST]}_and_{len(names) - 1}_more"
    return Path("comparisons") / joined


def _written(
    snapshots: list[Snapshot], found: Comparison, folder: Path, work: Working
) -> Iterator[str]:
    work.on(f"Writing {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    paths = [
        put(folder, NODES_FILE, functools.partial(write_nodes, found)),
        put(folder, EDGES_FILE, functools.partial(write_edges, found)),
    ]
    paths += write_all(union(snapshots, found), folder, SHOWING)
    yield f"Comparison of {' and '.join(found.names)}"
    yield from comparison_lines(snapshots, found)
    yield f"  written    {folder}/"
    yield row("", ", ".join(sorted(path.name for path in paths)))
