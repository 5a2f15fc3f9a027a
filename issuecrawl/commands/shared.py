"""What the commands share: how their ``--help`` reads, errors of one sentence."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import difflib
import io
import json
import os
import sqlite3
import sys
import textwrap
from typing import TYPE_CHECKING, Any, Final

from analysis.files import ALL
from issuecrawl.files import Files
from issuecrawl.formats import EVERY, read_formats
from issuecrawl.model.coordinates import read_coordinates
from issuecrawl.model.decisions import read_decisions
from issuecrawl.model.errors import ConfigurationError, IssueCrawlError
from issuecrawl.model.options import RETENTION, Option
from issuecrawl.plan import resume_line
from issuecrawl.stopping import ctrl_c
from issuecrawl.store import crawls
from issuecrawl.store.database import connect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from scrapy.commands import ScrapyCommand
    from scrapy.settings import BaseSettings

    from issuecrawl.model.decisions import Decision

STOPPED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""

NAME_WIDTH: Final = 14


class Examples:
    """Puts the class's ``examples`` at the end of ``--help``."""

    examples = ""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)  # type: ignore[misc]
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.epilog = f"Examples:\n{self.examples}"
        self.parser = parser


def complain(command: ScrapyCommand, message: object) -> None:
    """Print the sentence; the command then ends with exit code 2."""
    sys.stderr.write(f"{message}\n")
    command.exitcode = 2


@contextlib.contextmanager
def one_sentence(command: ScrapyCommand) -> Iterator[None]:
    """Turn what goes wrong into one sentence and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Not every terminal has the signs of every page.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with ctrl_c():
            yield
    except IssueCrawlError as error:
        complain(command, error)
    except BrokenPipeError:
        # Whoever read the output has enough of it; nor can the interpreter flush it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        name = f"{error.filename} cannot be used" if error.filename else "It failed"
        complain(command, f"{name} ({error.strerror or error}); check path and disk")
    except sqlite3.Error as error:
        advice = "is it being written by another program, or damaged?"
        complain(command, f"The store cannot be read ({error}); {advice}")
    except KeyboardInterrupt:
        sys.stderr.write("Stopped; files that are there are whole\n")
        command.exitcode = STOPPED


def whole_number(option: str, text: str, least: int = 0) -> int:
    """Return the number that *option* was given as, refused if below *least*."""
    # What is longer could not be a number of anything that there is.
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least:
        return int(text)
    more = f" of {least} or more" if least else ""
    raise ConfigurationError.of(option, text, f"a whole number{more}")


def as_json(value: object) -> str:
    """Return *value* as JSON of the signs that standard output has."""
    plain = codecs.lookup(sys.stdout.encoding).name != "utf-8"
    return json.dumps(value, indent=1, ensure_ascii=plain)


def one_argument(
    args: list[str], parser: argparse.ArgumentParser, expected: str
) -> str:
    """Return the one of *args*; what Scrapy did not know for an option is among them."""
    refuse_unknown(args, parser)
    if len(args) != 1:
        given = f"got {', '.join(args)}" if args else "got none"
        raise ConfigurationError(f"Expected {expected}; {given}")
    return args[0]


def refuse_unknown(args: list[str], parser: argparse.ArgumentParser) -> None:
    """Refuse what looks like an option among *args*, and name the one it is near."""
    for name in args:
        if name.startswith("-") and name != "-":
            known = [flag for flag in parser._option_string_actions if flag != name]  # noqa: SLF001
            near = difflib.get_close_matches(name.partition("=")[0], known, 1, 0.7)
            meant = f"did you mean {near[0]}?" if near else "--help lists those it has"
            raise ConfigurationError(f"{name} is no option of this command; {meant}")


def refuse_beside(flag: str, opts: argparse.Namespace) -> None:
    """Refuse what a network is made with beside the option *flag*, which makes none."""
    making = [option.name for option in RETENTION]
    making += ["out", "format", "seeds", "edits", "coordinates"]
    for name in making:
        if vars(opts).get(name) is not None:
            message = f"--{flag} makes no network; leave out --{name}"
            raise ConfigurationError(message)


def warn(command: ScrapyCommand, warnings: Iterable[str]) -> None:
    """Say *warnings* beside the output; an exit code of 1 tells that there are some."""
    for warning in warnings:
        sys.stderr.write(f"{warning}\n")
        command.exitcode = 1


def unfinished_hint(database: Path) -> None:
    """Say which crawls lie unfinished in the store, if there is one."""
    with contextlib.suppress(IssueCrawlError):
        db = connect(database)
        try:
            left = [
                crawl
                for crawl in crawls.unfinished(db)
                if not crawls.is_held(database, crawl)
            ]
        finally:
            db.close()
        if left:
            sys.stderr.write(
                f"Crawl {left[-1]} lies unfinished; resume it with:"
                f" {resume_line(left[-1], database)}\n"
            )


def describe(option: Option, *, default: bool = True) -> str:
    """Return the help of *option* with its choices and, with *default*, its default."""
    notes = []
    if option.choices:
        notes.append(" or ".join(option.choices))
    if default and option.default:
        notes.append(f"default {option.default}")
    return f"{option.help} ({'; '.join(notes)})" if notes else option.help


def listed(option: Option, width: int) -> str:
    """Return the lines that describe *option* as a spider argument."""
    return textwrap.fill(
        describe(option),
        width,
        initial_indent=f"  {option.name}=".ljust(NAME_WIDTH),
        subsequent_indent=" " * NAME_WIDTH,
    )


def add_retention_options(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each retention option; what is not given is the crawl's own."""
    group = parser.add_argument_group(
        "Retention and network (what is not given is as the crawl had it)"
    )
    for option in RETENTION:
        flag, text = f"--{option.name}", describe(option, default=False)
        if option.form != "flag":
            shown = {"whole": "N", "choice": "|".join(option.choices)}
            metavar = shown.get(option.form, "LIST")
            text = option.help
            group.add_argument(flag, dest=option.name, metavar=metavar, help=text)
            continue
        for name, value, said in (
            (flag, "1", text),
            (f"--no-{option.name}", "0", f"the opposite of {flag}"),
        ):
            group.add_argument(
                name, dest=option.name, action="store_const", const=value, help=said
            )


def add_seeds_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seeds",
        metavar="SEEDS",
        help="starting points of an items file that does not name them",
    )


def add_engine_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        choices=("sqlite", "duckdb"),
        default="sqlite",
        help="what runs the retention query; duckdb needs the [duckdb] extra",
    )


def add_format_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        metavar="FORMATS",
        help=f"comma-separated, of {', '.join(ALL)} (default: ISSUECRAWL_FORMATS, that"
        f" is {EVERY})",
    )


def wanted_formats(opts: argparse.Namespace, settings: BaseSettings) -> tuple[str, ...]:
    """Return the formats that ``--format``, else the setting, names."""
    if opts.format is not None:
        return read_formats(opts.format, "--format")
    return read_formats(settings["ISSUECRAWL_FORMATS"], "ISSUECRAWL_FORMATS")


def add_edits_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--edits",
        metavar="FILE",
        help="table of decisions on nodes: keep, drop, merge, rename, tag",
    )


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the tables that a researcher may lay over a network."""
    add_edits_option(parser)
    parser.add_argument(
        "--coordinates",
        metavar="FILE",
        help="table of node, latitude, longitude, for a geographic map",
    )


def edits(opts: argparse.Namespace) -> list[Decision]:
    """Return the decisions of ``--edits``."""
    name: str | None = vars(opts).get("edits")
    return read_decisions(Files().read(name), name) if name else []


def places(opts: argparse.Namespace) -> dict[str, tuple[float, float]] | None:
    """Return the places of ``--coordinates``, None where it is not given."""
    name: str | None = vars(opts).get("coordinates")
    return read_coordinates(Files().read(name), name) if name else None


def given_options(opts: argparse.Namespace) -> dict[str, str]:
    """Return the retention options that were given, as text."""
    values: dict[str, Any] = vars(opts)
    return {
        option.name: values[option.name]
        for option in RETENTION
        if values.get(option.name) is not None
    }
