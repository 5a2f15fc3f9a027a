"""``scrapy analyze``: the network of a stored crawl, with its own or other options."""

from __future__ import annotations

import sys
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from analysis.compute import network
from analysis.files import write_all
from issuecrawl.commands.shared import (
    Examples,
    add_retention_options,
    given_options,
    one_argument,
    one_sentence,
)
from issuecrawl.files import Files
from issuecrawl.items import opened
from issuecrawl.model.exclusions import Exclusions
from issuecrawl.model.options import exclusions, idle, parameters, resolve
from issuecrawl.startcheck import refuse_excluded
from issuecrawl.summary import network_lines, row, settings_line
from issuecrawl.working import Working

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

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

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            expected = "one crawl, by its number, or one file of its items"
            name = one_argument(args, self.parser, expected)
            folder = Files().folder(opts.out or "")
            work = Working()
            with work.shown(), opened(name, self.settings, opts.seeds, work) as source:
                lines = list(self._analyse(source, opts, folder, work))
            print("\n".join(lines))
            for warning in source.warnings:
                sys.stderr.write(f"{warning}\n")
                self.exitcode = 1

    def _analyse(
        self,
        source: Source,
        opts: argparse.Namespace,
        folder: Path | None,
        work: Working,
    ) -> Iterator[str]:
        given = given_options(opts)
        stored = source.crawl.settings
        resolved = resolve(given, base=stored, read=Files().read)
        _refuse_excluded(stored["seeds"], given.get("exclude", ""))
        chosen, own = parameters(resolved), parameters(stored)
        work.on(f"Computing the network of {source.name}")
        result = network(source.crawl, chosen, own=chosen == own, engine=opts.engine)
        folder = Path(opts.out) if folder else _folder(source, given, resolved)
        work.on(f"Writing {folder}")
        paths = write_all(result, folder)
        yield f"Analysis of {source.name}"
        yield row("settings", settings_line(resolved))
        for warning in (*source.remarks, *idle(given, resolved)):
            yield row("mind", warning)
        yield from network_lines(result, folder, paths)


def _refuse_excluded(seeds: Iterable[str], value: str) -> None:
    own = Exclusions(exclusions(value, (), Files().read))
    for seed in seeds:
        refuse_excluded(seed, f"starting point {seed}", own, shown=True)


def _folder(
    source: Source, given: Mapping[str, str], resolved: Mapping[str, Any]
) -> Path:
    """Return the default folder: the crawl's, or one that names what differs."""
    values = {name: str(value) for name, value in sorted(given.items())}
    if "exclude" in values:
        entries = "\n".join(resolved["exclude"]).encode()
        values["exclude"] = blake2b(entries, digest_size=4).hexdigest()
    differing = [f"{name}-{value}" for name, value in values.items()]
    return Path("networks") / "_".join([source.name, *differing])
