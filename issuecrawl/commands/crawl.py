"""``scrapy crawl``, with arguments checked before anything is begun."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.commands import crawl as stock

from issuecrawl.commands.shared import (
    Examples,
    complain,
    describe,
    unfinished_hint,
)
from issuecrawl.model.errors import IssueCrawlError
from issuecrawl.model.options import CRAWL, RETENTION
from issuecrawl.plan import make_plan

if TYPE_CHECKING:
    import argparse

    from scrapy import Spider
    from scrapy.crawler import Crawler

SPIDER = "issuenetwork"


class Command(Examples, stock.Command):
    examples = """\
  scrapy crawl issuenetwork -a seeds=https://a.example/,https://b.example/
  scrapy crawl issuenetwork -a seeds=@seeds.txt -a mode=page -a privilege=1
  scrapy crawl issuenetwork -a crawl=7                     resume crawl 7
  scrapy crawl issuenetwork -a seeds=@seeds.txt -o items.jsonl"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        lines = [f"  {o.name:<12}{describe(o)}" for o in (*CRAWL, *RETENTION)]
        parser.description = "\n".join(
            ["Run a spider. Arguments of issuenetwork, each as -a NAME=VALUE:", *lines]
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args == [SPIDER]:
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            try:
                plan = make_plan(opts.spargs, self.settings)
            except IssueCrawlError as error:
                complain(self, error)
                return
            if plan.crawl is None:
                unfinished_hint(plan.database)
        super().run(args, opts)
        self._judge()

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        self._made = super()._create_crawler(spidercls)
        return self._made

    def _judge(self) -> None:
        """Give the exit code that the crawl's end calls for."""
        run = getattr(self._made.spider, "run", None)
        error = getattr(run, "error", None)
        if run is not None and error is not None:
            sys.stderr.write(f"{error}\n")
            self.exitcode = 2 if run.outcome == "refused" else 1
