"""``scrapy export``: a network's files, from the store or from an old network.xml."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.compute import network
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from analysis.files import ALL, write_all
from analysis.issuenetwork_check import check
from analysis.issuenetwork_reader import read
from issuecrawl.commands.shared import Examples, one_sentence
from issuecrawl.items import opened
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.options import parameters
from issuecrawl.summary import network_lines

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from analysis.network import Network


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy export 7 --format issuenetwork,gexf,graphml,csv,txt,json --out net7/
  scrapy export old.xml --format gexf --out old/
  scrapy export --check network.xml"""

    def syntax(self) -> str:
        return "CRAWL|NETWORK.xml|ITEMS.jsonl [options]"

    def short_desc(self) -> str:
        return "Write a network in other formats, or check an IssueNetwork file"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--out", metavar="DIR", help="folder for the files")
        parser.add_argument(
            "--format",
            default=",".join(ALL),
            metavar="FORMATS",
            help=f"comma-separated, of {', '.join(ALL)} (default: all)",
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="validate an IssueNetwork file against the DTD, write nothing",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            if opts.check:
                self._check(Path(args[0]))
                return
            formats = _formats(opts.format)
            result = self._network(args[0], self.settings)
            stem = Path(args[0]).stem
            folder = Path(opts.out) if opts.out else Path("networks") / stem
            paths = write_all(result, folder, formats)
            for line in network_lines(result, folder, paths):
                print(line)

    def _check(self, path: Path) -> None:
        faults = check(path)
        for fault in faults:
            print(f"{path.name}: {fault}")
        if faults:
            self.exitcode = 2
        else:
            print(f"{path.name}: valid IssueNetwork 0.1, all references resolve")

    def _network(self, name: str, settings: BaseSettings) -> Network:
        if name.lower().endswith(".xml"):
            warnings: list[str] = []
            result = read(Path(name), warnings)
            for warning in warnings:
                sys.stderr.write(f"{warning}\n")
            return result
        with opened(name, settings, None) as source:
            for warning in source.warnings:
                sys.stderr.write(f"{warning}\n")
                self.exitcode = 1
            return network(source.crawl, parameters(source.crawl.settings), own=True)


def _formats(text: str) -> list[str]:
    formats = [part.strip() for part in text.split(",") if part.strip()]
    for name in formats:
        if name not in ALL:
            raise ConfigurationError.of("--format", name, f"some of {', '.join(ALL)}")
    return formats
