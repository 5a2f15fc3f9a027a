"""``scrapy harvest``: pull addresses out of any text or HTML."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from issuecrawl.commands.shared import Examples, one_sentence
from issuecrawl.files import Files
from issuecrawl.model.harvest import harvest

if TYPE_CHECKING:
    import argparse


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy harvest notes.txt > seeds.txt
  scrapy harvest page.html notes.txt > seeds.txt
  scrapy harvest - < notes.txt"""

    def syntax(self) -> str:
        return "FILE [FILE ...]"

    def short_desc(self) -> str:
        return "Pull addresses out of any text or HTML, one a line"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError
        with one_sentence(self):
            texts = [
                sys.stdin.read() if name == "-" else Files().read(name) for name in args
            ]
            for url in harvest("\n".join(texts)):
                print(url)
