"""``scrapy analyze``: the network of a stored crawl, with its own or other options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.compute import network
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from analysis.files import write_all
from issuecrawl.commands.shared import (
    Examples,
    add_retention_options,
    given_options,
    one_sentence,
)
from issuecrawl.files import Files
from issuecrawl.items import opened
from issuecrawl.model.options import parameters, resolve
from issuecrawl.summary import network_lines, settings_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from issuecrawl.items import Source


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy analyze 7
  scrapy analyze 7 --mode page --threshold 3 --depth 0 --no-privilege --out net7/
  scrapy analyze 7 --placement body --exclude ads.example,substring:/share
  scrapy analyze items.jsonl --out net/"""

    def syntax(self) -> str:
        return "CRAWL|ITEMS.jsonl [options]"

    def short_desc(self) -> str:
        return "Compute a network from stored items, without another request"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--out", metavar="DIR", help="folder for the network")
        parser.add_argument(
            "--seeds",
            metavar="SEEDS",
            help="starting points of an items file that does not name them",
        )
        parser.add_argument(
            "--engine",
            choices=("sqlite", "duckdb"),
            default="sqlite",
            help="what runs the retention query; duckdb needs the [duckdb] extra",
        )
        add_retention_options(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            given = given_options(opts)
            with opened(args[0], self.settings, opts.seeds) as source:
                for warning in source.warnings:
                    sys.stderr.write(f"{warning}\n")
                    self.exitcode = 1
                self._analyse(source, given, opts)

    def _analyse(
        self, source: Source, given: Mapping[str, str], opts: argparse.Namespace
    ) -> None:
        stored = source.crawl.settings
        resolved = resolve(given, base=stored, read=Files().read)
        chosen, own = parameters(resolved), parameters(stored)
        result = network(source.crawl, chosen, own=chosen == own, engine=opts.engine)
        folder = Path(opts.out) if opts.out else _folder(source, given)
        paths = write_all(result, folder)
        print(f"Analysis of {source.name}")
        print(f"  settings   {settings_line(resolved)}")
        for line in network_lines(result, folder, paths):
            print(line)


def _folder(source: Source, given: Mapping[str, str]) -> Path:
    """Return the default folder: the crawl's, or one that names what differs."""
    differing = [
        f"{name}-{value}".replace("/", "_")[:40]
        for name, value in sorted(given.items())
    ]
    return Path("networks") / "_".join([source.name, *differing])
