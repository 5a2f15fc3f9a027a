"""``scrapy bundle``: a crawl and its network in one file, and whether it is sound."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from issuecrawl.bundle.archive import is_bundle, may_be_replaced
from issuecrawl.bundle.extra import require_pyarrow
from issuecrawl.bundle.made import Making
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
    refuse_beside,
    wanted_formats,
    warn,
)
from issuecrawl.files import Files
from issuecrawl.items import opened
from issuecrawl.model.errors import ConfigurationError, FormatError
from issuecrawl.model.options import idle
from issuecrawl.summary import row, settings_line
from issuecrawl.working import Working

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from issuecrawl.bundle.verify import Verified
    from issuecrawl.bundle.write import Written
    from issuecrawl.items import Source

EXPECTED = "one crawl, by its number, one file of its items, or one bundle"


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy bundle 7 --out net7.zip
  scrapy bundle 7 --threshold 3 --edits edits.csv --out net7.zip
  scrapy bundle --verify net7.zip
  scrapy analyze net7.zip --mode page --out net/"""

    def syntax(self) -> str:
        return "CRAWL|ITEMS.jsonl|BUNDLE.zip [options]"

    def short_desc(self) -> str:
        return "Put a crawl and its network into one file, or verify such a file"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_retention_options(parser)
        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="FILE.zip",
            help="the bundle (default: networks/CRAWL.zip, and the options that were"
            " given)",
        )
        parser.add_argument(
            "--verify",
            action="store_true",
            help="make the network of a bundle again and compare; write nothing",
        )
        add_seeds_option(parser)
        add_format_option(parser)
        add_table_options(parser)
        add_engine_option(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            name = one_argument(args, self.parser, EXPECTED)
            require_pyarrow()
            if opts.verify:
                # A bundle says itself what its network is made with.
                refuse_beside("verify", opts)
                self._verify(Path(name))
            else:
                self._bundle(name, opts)

    def _bundle(self, name: str, opts: argparse.Namespace) -> None:
        assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
        out = _out(opts.out) if opts.out else None
        formats = wanted_formats(opts, self.settings)
        work = Working()
        with work.shown(), opened(name, self.settings, opts.seeds, work) as source:
            lines = list(_write(source, opts, out, formats, work))
        print("\n".join(lines))
        warn(self, source.warnings)

    def _verify(self, path: Path) -> None:
        from issuecrawl.bundle.verify import verify  # noqa: PLC0415  # an extra

        if not path.is_file() or not is_bundle(path):
            message = f"{path} is no bundle; expected a file that scrapy bundle wrote"
            raise FormatError(message)
        work = Working()
        with work.shown():
            found = verify(path, work)
        print("\n".join(_verdict(path, found)))
        if not found.same:
            self.exitcode = 1


def _out(name: str) -> Path:
    path = Files().path(name)
    if path.is_dir():
        raise ConfigurationError.of("out", name, "a file to write, not a folder")
    _refuse_loss(path)
    Files().folder(str(path.parent))
    return path


def _refuse_loss(path: Path) -> None:
    if not may_be_replaced(path):
        message = f"{path} is there and is no bundle; name another file with --out"
        raise ConfigurationError(message)


def _write(
    source: Source,
    opts: argparse.Namespace,
    out: Path | None,
    formats: tuple[str, ...],
    work: Working,
) -> Iterator[str]:
    from issuecrawl.bundle.write import write_bundle  # noqa: PLC0415  # an extra

    asked = chosen(source, opts)
    making = Making(
        asked.parameters,
        asked.own,
        asked.given,
        formats,
        Files().read(opts.edits) if opts.edits else "",
        Files().read(opts.coordinates) if opts.coordinates else "",
    )
    path = out or asked.folder.with_name(f"{asked.folder.name}.zip")
    _refuse_loss(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = write_bundle(path, source.crawl, making, work, opts.engine)
    yield f"Bundle of {source.name}"
    yield row("settings", settings_line(asked.resolved))
    for warning in (*source.remarks, *idle(asked.given, asked.resolved)):
        yield row("mind", warning)
    yield from _written(path, opts.out, written)


def _written(path: Path, out: str | None, written: Written) -> Iterator[str]:
    counted = [f"{count:,} {name}" for name, count in written.rows.items()]
    yield row("holds", ", ".join(counted).replace("_", " "))
    files = [name for name in written.members if "/" in name]
    yield row("network", ", ".join(name.partition("/")[2] for name in files))
    yield f"  written    {out or path} ({path.stat().st_size:,} bytes)"
    yield f"  sha256     {_sha256(path)}"


def _sha256(path: Path) -> str:
    """Return what sha256sum says of the file, its seal included."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _verdict(path: Path, found: Verified) -> Iterator[str]:
    title = found.record.settings.get("title")
    yield f"{path.name}: bundle of crawl {found.record.crawl}" + (
        f" ({title})" if title else ""
    )
    yield row("sealed", "no byte has changed since it was made")
    yield f"  sha256     {_sha256(path)}"
    counted = [f"{count:,} {name}" for name, count in found.rows.items()]
    yield row("read", ", ".join(counted).replace("_", " "))
    for one in found.files:
        told = one.difference or one.remark
        said = f"{one.name}: {told}" if told else one.name
        yield f"  {'differs' if one.difference else 'same':<11}{said}"
    if found.same:
        yield row("verdict", "the same, byte for byte, as what its tables give")
        return
    count = sum(bool(one.difference) for one in found.files)
    yield row("verdict", f"NOT the same: {count} of {len(found.files)} files differ")
    if found.versions:
        made = ", ".join(found.versions)
        yield row("mind", f"it was made by {made}; other versions may be why")
