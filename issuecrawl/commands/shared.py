"""What the commands share: examples in ``--help``, errors of one sentence."""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import TYPE_CHECKING, Any

from issuecrawl.model.errors import IssueCrawlError
from issuecrawl.model.options import RETENTION, Option
from issuecrawl.store import crawls
from issuecrawl.store.database import connect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scrapy.commands import ScrapyCommand


class Examples:
    """Puts the class's ``examples`` at the end of ``--help``."""

    examples = ""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)  # type: ignore[misc]
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.epilog = f"Examples:\n{self.examples}"


def complain(command: ScrapyCommand, error: IssueCrawlError) -> None:
    """Print the error's sentence; the command then ends with exit code 2."""
    sys.stderr.write(f"{error}\n")
    command.exitcode = 2


@contextlib.contextmanager
def one_sentence(command: ScrapyCommand) -> Iterator[None]:
    """Turn an error of ours into one sentence and exit code 2."""
    try:
        yield
    except IssueCrawlError as error:
        complain(command, error)


def unfinished_hint(database: Path) -> None:
    """Say which crawls lie unfinished in the store, if there is one."""
    with contextlib.suppress(IssueCrawlError):
        db = connect(database)
        try:
            left = crawls.unfinished(db)
        finally:
            db.close()
        if left:
            sys.stderr.write(
                f"Crawl {left[-1]} lies unfinished; resume it with:"
                f" scrapy crawl issuenetwork -a crawl={left[-1]}\n"
            )


def describe(option: Option) -> str:
    """Return the help of *option* with its choices and default."""
    choices = f": {', '.join(option.choices)}" if option.choices else ""
    default = f" (default {option.default})" if option.default else ""
    return f"{option.help}{choices}{default}"


def add_retention_options(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each retention option; what is not given is the crawl's own."""
    group = parser.add_argument_group(
        "Retention and network (default: the crawl's own value)"
    )
    for option in RETENTION:
        flag = f"--{option.name}"
        if option.form == "flag":
            group.add_argument(
                flag,
                dest=option.name,
                action="store_const",
                const="1",
                help=describe(option),
            )
            group.add_argument(
                f"--no-{option.name}",
                dest=option.name,
                action="store_const",
                const="0",
                help=f"not so: {option.help}",
            )
        else:
            group.add_argument(
                flag, dest=option.name, metavar="VALUE", help=describe(option)
            )


def given_options(opts: argparse.Namespace) -> dict[str, str]:
    """Return the retention options that were given, as text."""
    values: dict[str, Any] = vars(opts)
    return {
        option.name: values[option.name]
        for option in RETENTION
        if values.get(option.name) is not None
    }
