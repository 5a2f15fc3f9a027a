"""``scrapy crawl``, with arguments checked before anything is begun."""

from __future__ import annotations

import difflib
import logging
import shutil
import sys
from typing import TYPE_CHECKING, Final

from scrapy.commands import crawl as stock
from scrapy.crawler import AsyncCrawlerProcess

from issuecrawl.commands.shared import (
    Examples,
    listed,
    one_sentence,
    unfinished_hint,
)
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.options import CRAWL, RETENTION
from issuecrawl.plan import make_plan

if TYPE_CHECKING:
    import argparse

    from scrapy import Spider
    from scrapy.crawler import Crawler

    from issuecrawl.frontier.run import Run

SPIDER: Final = "issuenetwork"

TALKATIVE: Final = (
    "scrapy.addons",
    "scrapy.core.engine",
    "scrapy.middleware",
    "scrapy.utils.log",
)
"""Loggers that fill a screen with what Scrapy consists of, at every start."""


class Command(Examples, stock.Command):
    # Made once the arguments are known to do: it begins with a screenful of log.
    requires_crawler_process = False
    examples = """\
  scrapy crawl issuenetwork -a seeds=https://a.example/,https://b.example/
  scrapy crawl issuenetwork -a seeds=@seeds.txt -a mode=page -a privilege=1
  scrapy crawl issuenetwork -a seeds=@seeds.txt -a exclude=@exclusions.txt
  scrapy crawl issuenetwork -a seeds=@seeds.txt -O items.jsonl
  scrapy crawl issuenetwork -a crawl=7                  (resumes crawl 7)"""

    def syntax(self) -> str:
        return f"{SPIDER} -a seeds=... [-a NAME=VALUE ...] [options]"

    def short_desc(self) -> str:
        return "Crawl from starting points to an issue network, or resume a crawl"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        width = min(100, shutil.get_terminal_size().columns - 2)
        parser.description = "\n".join(
            [
                f"{self.short_desc()}.",
                "",
                f"Arguments of {SPIDER}, each as -a NAME=VALUE:",
                *(listed(option, width) for option in (*CRAWL, *RETENTION)),
            ]
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
        with one_sentence(self):
            _require_spider(args)
            # A job's crawl that cannot be run is stored as failed, by the spider.
            if "_job" not in opts.spargs:
                plan = make_plan(opts.spargs, self.settings)
                if plan.crawl is None:
                    unfinished_hint(plan.database)
        if self.exitcode:
            return
        if not self.settings["LOG_FILE"] and self.settings["LOG_LEVEL"] == "INFO":
            _quieten()
        self.crawler_process = AsyncCrawlerProcess(self.settings)
        super().run(args, opts)
        self._judge()

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        self._made = super()._create_crawler(spidercls)
        return self._made

    def _judge(self) -> None:
        """Give the exit code that the crawl's end calls for."""
        run: Run | None = getattr(self._made.spider, "run", None)
        if run is None:
            return
        if run.is_open:
            # A second Ctrl-C stops the reactor, and nobody closes anything.
            run.close("cut off")
            sys.stderr.write(f"Crawl {run.crawl} was cut off; ")
            sys.stderr.write(f"resume it with: {run.resume_line}\n")
        error = run.error
        if error is None:
            return
        self.exitcode = 2 if run.outcome == "refused" else 1
        if not _logged_on_screen(self._made):
            sys.stderr.write(f"{error}\n")


def _require_spider(args: list[str]) -> None:
    if args == [SPIDER]:
        return
    for name in args:
        if name != SPIDER:
            near = difflib.get_close_matches(name, [SPIDER], 1, 0.3)
            meant = f"did you mean {SPIDER}?" if near else "-a goes before NAME=VALUE"
            raise ConfigurationError(f"{name} is no spider; {meant}")
    message = f"Name the spider once: scrapy crawl {SPIDER} -a seeds=@seeds.txt"
    raise ConfigurationError(message)


def _logged_on_screen(crawler: Crawler) -> bool:
    return crawler.settings.getbool("LOG_ENABLED") and not crawler.settings["LOG_FILE"]


def _quieten() -> None:
    # Filters, since Scrapy sets levels anew when it configures logging.
    for name in TALKATIVE:
        logging.getLogger(name).addFilter(_warns)
    logging.getLogger("scrapy.crawler").addFilter(_tells_something)


def _warns(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


def _tells_something(record: logging.LogRecord) -> bool:
    # The same logger says that Ctrl-C was understood.
    return not str(record.msg).startswith("Overridden settings")
