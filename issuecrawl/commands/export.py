"""``scrapy export``: a network's files, from the store or from an old network.xml."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from analysis.compute import network
from analysis.files import FORMATS, write_all
from analysis.issuenetwork_check import check
from analysis.issuenetwork_reader import read
from issuecrawl.commands.shared import (
    Examples,
    add_format_option,
    add_seeds_option,
    one_argument,
    one_sentence,
    refuse_beside,
    wanted_formats,
)
from issuecrawl.files import Files
from issuecrawl.items import opened, source_name
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.options import parameters
from issuecrawl.networkfile import is_network_file
from issuecrawl.summary import network_lines
from issuecrawl.working import Working

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from scrapy.settings import BaseSettings

    from analysis.network import Network

EXPECTED = "one crawl, by its number, one network.xml, or one file of items"


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
        parser.add_argument(
            "--out",
            metavar="DIR",
            help="folder for the files (default: networks/ and the crawl's number or"
            " the file's name)",
        )
        add_format_option(parser)
        add_seeds_option(parser)
        parser.add_argument(
            "--check",
            action="store_true",
            help="validate an IssueNetwork file against the DTD, write nothing",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            name = one_argument(args, self.parser, EXPECTED)
            if opts.check:
                refuse_beside("check", opts)
                self._check(Path(name))
                return
            formats = wanted_formats(opts, self.settings)
            folder = Files().folder(opts.out or "")
            warnings: list[str] = []
            work = Working()
            with (
                work.shown(),
                self._network(
                    name, opts.seeds, self.settings, work, warnings
                ) as result,
            ):
                default = Path("networks") / source_name(name)
                folder = Path(opts.out) if folder else default
                _refuse_loss(Path(name), folder, formats)
                work.on(f"Writing {folder}")
                paths = write_all(result, folder, formats)
            for line in network_lines(result, folder, paths):
                print(line)
            for warning in warnings:
                sys.stderr.write(f"{warning}\n")

    def _check(self, path: Path) -> None:
        faults = check(path)
        for fault in faults:
            print(f"{path.name}: {fault}")
        if faults:
            self.exitcode = 2
        else:
            print(f"{path.name}: valid IssueNetwork 0.1, all references resolve")

    @contextlib.contextmanager
    def _network(
        self,
        name: str,
        seeds: str | None,
        settings: BaseSettings,
        work: Working,
        warnings: list[str],
    ) -> Iterator[Network]:
        if is_network_file(name):
            work.on(f"Reading {name}")
            yield read(Path(name), warnings)
            return
        with opened(name, settings, seeds, work) as source:
            if source.warnings:
                warnings += source.warnings
                self.exitcode = 1
            warnings += source.remarks
            work.on(f"Computing the network of {source.name}")
            chosen = parameters(source.crawl.settings)
            yield network(source.crawl, chosen, own=True)


def _refuse_loss(source: Path, folder: Path, formats: Iterable[str]) -> None:
    """Refuse to write over the file that is read: an old one may be the only one."""
    names = {file.name for name in formats for file in FORMATS[name]}
    if source.name in names and source.resolve().parent == folder.resolve():
        message = f"{source} would be written over; name another folder with --out"
        raise ConfigurationError(message)
