"""``scrapy list-crawls``: the crawls in the store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from scrapy.commands import ScrapyCommand

from issuecrawl.commands.shared import Examples, one_sentence
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.store import crawls
from issuecrawl.store.database import connect, database_path
from issuecrawl.summary import duration

if TYPE_CHECKING:
    import argparse


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy list-crawls
  scrapy list-crawls --json
  scrapy list-crawls -s ISSUECRAWL_DB=sqlite:///other.db"""

    def short_desc(self) -> str:
        return "List the crawls in the store"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print as JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            if args:
                message = f"list-crawls takes no {args[0]}; it lists all of the store"
                raise ConfigurationError(message)
            path = database_path(self.settings["ISSUECRAWL_DB"])
            db = connect(path)
            try:
                listed = crawls.listed(db, path)
            finally:
                db.close()
            if opts.json:
                print(json.dumps([_as_json(crawl) for crawl in listed], indent=2))
            else:
                _print_table(listed)


def _as_json(crawl: crawls.Listed) -> dict[str, object]:
    return {
        "id": crawl.id,
        "title": crawl.title,
        "state": crawl.state,
        "pages": crawl.pages,
        "pass": crawl.crawl_pass,
        "started": crawl.started,
        "took": round(crawl.took, 1),
        "error": crawl.error,
    }


def _print_table(listed: list[crawls.Listed]) -> None:
    if not listed:
        print("No crawl yet")
        return
    table = Table("id", "title", "state", "pages", "pass", "started", "took")
    for crawl in listed:
        pages = "\n".join(f"{count:,} {word}" for word, count in crawl.pages.items())
        table.add_row(
            str(crawl.id),
            crawl.title,
            crawl.state,
            pages or crawl.error,
            str(crawl.crawl_pass),
            crawl.started,
            duration(crawl.took),
        )
    console = Console()
    # Not cut to 80 columns where nobody looks at a screen.
    Console(width=None if console.is_terminal else 160, markup=False).print(table)
