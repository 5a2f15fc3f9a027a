"""``scrapy stability``: how much a network hangs on its seeds and settings."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from analysis.complete import complete
from analysis.compute import network
from analysis.files import FORMATS, put, write_all
from analysis.stability.compute import mark, stability
from analysis.stability.tables import (
    NODES_FILE,
    VARIANTS_FILE,
    write_nodes,
    write_variants,
)
from issuecrawl.commands.chosen import chosen
from issuecrawl.commands.shared import (
    Examples,
    add_engine_option,
    add_retention_options,
    add_seeds_option,
    add_table_options,
    one_argument,
    one_sentence,
    warn,
)
from issuecrawl.files import Files
from issuecrawl.items import opened
from issuecrawl.model.options import idle
from issuecrawl.stability_lines import stability_lines
from issuecrawl.summary import row, settings_line
from issuecrawl.working import Working

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from analysis.engines import EngineName
    from issuecrawl.commands.chosen import Chosen
    from issuecrawl.items import Source

SHOWING = ("map", "report")
"""Formats that show the stability of a network."""

UNDECIDED = "variants are counted without the decisions of the edits"

TABLES = {NODES_FILE: write_nodes, VARIANTS_FILE: write_variants}


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy stability 7
  scrapy stability 7 --threshold 3 --out net7/
  scrapy stability items.jsonl --out net/"""

    def syntax(self) -> str:
        return "CRAWL|ITEMS.jsonl [options]"

    def short_desc(self) -> str:
        return "Say how much a network hangs on each starting point and setting"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_retention_options(parser)
        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="DIR",
            help="folder of the network (default: that of analyze)",
        )
        add_seeds_option(parser)
        add_table_options(parser)
        add_engine_option(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            expected = "one crawl, by its number, or one file of its items"
            name = one_argument(args, self.parser, expected)
            out = Files().folder(opts.out or "")
            work = Working()
            with work.shown(), opened(name, self.settings, opts.seeds, work) as source:
                wanted = chosen(source, opts)
                folder = Path(opts.out) if out else wanted.folder
                lines = list(_vary(source, wanted, opts.engine, folder, work))
            print("\n".join(lines))
            warn(self, source.warnings)


def _vary(
    source: Source, wanted: Chosen, engine: EngineName, folder: Path, work: Working
) -> Iterator[str]:
    def tell(done: int, total: int) -> None:
        work.on(f"Varying {source.name}", total)
        work.advance(done)

    crawl, parameters, own = source.crawl, wanted.parameters, wanted.own
    found = stability(crawl, parameters, own=own, engine=engine, tell=tell)
    yield f"Stability of {source.name}"
    yield row("settings", settings_line(wanted.resolved))
    for warning in (*source.remarks, *idle(wanted.given, wanted.resolved)):
        yield row("mind", warning)
    if wanted.decisions:
        yield row("mind", UNDECIDED)
    yield from stability_lines(found)
    work.on(f"Writing {folder}")
    # The network last: what it reads lazily lies in tables that each analysis makes.
    decisions = wanted.decisions
    result = network(crawl, parameters, own=own, decisions=decisions, engine=engine)
    mark(result, found)
    complete(result, wanted.places)
    paths = write_all(result, folder, [name for name in SHOWING if name in FORMATS])
    for name, write in TABLES.items():
        paths.append(put(folder, name, functools.partial(write, found)))
    yield f"  written    {folder}/"
    yield row("", ", ".join(sorted(path.name for path in paths)))
