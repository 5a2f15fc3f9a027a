"""``scrapy harvest``: pull addresses out of any text or HTML."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from issuecrawl.commands.shared import Examples, one_sentence
from issuecrawl.files import Files
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.harvest import harvest
from issuecrawl.model.textfile import decode

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
        with one_sentence(self):
            if not args:
                message = "Name the files to harvest, or - for what is piped in"
                raise ConfigurationError(message)
            found = harvest("\n".join(_text(name) for name in args))
            for url in found:
                print(url)
            if not found:
                sys.stderr.write(
                    "No address found; those that begin with http://, https:// or www."
                    " count\n"
                )
                self.exitcode = 1


def _text(name: str) -> str:
    return decode(sys.stdin.buffer.read()) if name == "-" else Files().read(name)
