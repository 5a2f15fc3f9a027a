"""``scrapy analyze``: the network of a stored crawl, with its own or other options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from analysis.complete import complete
from analysis.compute import network
from analysis.files import write_all
from issuecrawl.commands.chosen import chosen
from issuecrawl.commands.shared import (
    Examples,
    add_engine_option,
    add_format_option,
    add_retention_options,
    add_seeds_option,
    add_table_options,
    one_argument,
    one_sentence,
    wanted_formats,
    warn,
)
from issuecrawl.files import Files
from issuecrawl.items import opened
from issuecrawl.model.options import idle
from issuecrawl.summary import network_lines, row, settings_line
from issuecrawl.working import Working

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from issuecrawl.items import Source


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy analyze 7
  scrapy analyze 7 --mode page --threshold 3 --depth 0 --no-privilege --out net7/
  scrapy analyze 7 --placement body --exclude ads.example,substring:/share
  scrapy analyze 7 --exclude=-,ads.example          (this list in place of all others)
  scrapy analyze 7 --edits decisions.csv --coordinates places.csv
  scrapy analyze items.jsonl --out net/"""

    def syntax(self) -> str:
        return "CRAWL|ITEMS.jsonl [options]"

    def short_desc(self) -> str:
        return "Compute a network from stored items, without another request"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_retention_options(parser)
        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="DIR",
            help="folder for the network (default: networks/CRAWL, and the options that"
            " were given)",
        )
        add_seeds_option(parser)
        add_format_option(parser)
        add_table_options(parser)
        add_engine_option(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            expected = "one crawl, by its number, or one file of its items"
            name = one_argument(args, self.parser, expected)
            folder = Files().folder(opts.out or "")
            formats = wanted_formats(opts, self.settings)
            work = Working()
            with work.shown(), opened(name, self.settings, opts.seeds, work) as source:
                lines = list(self._analyse(source, opts, folder, formats, work))
            print("\n".join(lines))
            warn(self, source.warnings)

    def _analyse(
        self,
        source: Source,
        opts: argparse.Namespace,
        folder: Path | None,
        formats: tuple[str, ...],
        work: Working,
    ) -> Iterator[str]:
        asked = chosen(source, opts)
        work.on(f"Computing the network of {source.name}")
        result = network(
            source.crawl,
            asked.parameters,
            own=asked.own,
            decisions=asked.decisions,
            engine=opts.engine,
        )
        work.on(f"Measuring the network of {source.name}")
        complete(result, asked.places)
        folder = Path(opts.out) if folder else asked.folder
        work.on(f"Writing {folder}")
        paths = write_all(result, folder, formats)
        yield f"Analysis of {source.name}"
        yield row("settings", settings_line(asked.resolved))
        for warning in (*source.remarks, *idle(asked.given, asked.resolved)):
            yield row("mind", warning)
        yield from network_lines(result, folder, paths)
