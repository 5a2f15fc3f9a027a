"""``scrapy why``: what put a node in, or what a candidate lacks."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand

from analysis.compute import worked_out
from analysis.near import near
from analysis.why import Inquiry
from issuecrawl.commands.chosen import chosen
from issuecrawl.commands.shared import (
    Examples,
    add_edits_option,
    add_retention_options,
    add_seeds_option,
    as_json,
    one_sentence,
    refuse_unknown,
    warn,
    whole_number,
)
from issuecrawl.items import opened
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.options import idle
from issuecrawl.summary import row
from issuecrawl.why_lines import (
    account_lines,
    link_lines,
    near_lines,
)
from issuecrawl.working import Working

if TYPE_CHECKING:
    import argparse

    from analysis.near import NearMiss
    from analysis.why import Account
    from issuecrawl.commands.chosen import Chosen
    from issuecrawl.items import Source

LINKS = 10
NEAR = 20


class Command(Examples, ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}
    examples = """\
  scrapy why 7 docs.example.org
  scrapy why 7 docs.example.org https://www.example.net/report --links 50
  scrapy why 7 example.com --threshold 3 --placement body
  scrapy why 7 --near
  scrapy why items.jsonl docs.example.org --json"""

    def syntax(self) -> str:
        return "CRAWL|ITEMS.jsonl [NODE ...] [options]"

    def short_desc(self) -> str:
        return "Say why nodes are in a network, or what candidates lack"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_retention_options(parser)
        super().add_options(parser)
        parser.add_argument(
            "--links",
            default=str(LINKS),
            metavar="N",
            help=f"links shown of each node, the best first (default: {LINKS})",
        )
        parser.add_argument(
            "--near",
            nargs="?",
            const=str(NEAR),
            metavar="N",
            help="list candidates that were not kept, those with most voters first"
            f" (default: {NEAR} of them)",
        )
        parser.add_argument(
            "--json", action="store_true", help="print all of it as JSON"
        )
        add_seeds_option(parser)
        add_edits_option(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with one_sentence(self):
            assert self.settings is not None  # noqa: S101  # set by scrapy.cmdline
            refuse_unknown(args, self.parser)
            links = whole_number("--links", opts.links)
            most = None if opts.near is None else whole_number("--near", opts.near, 1)
            if not args or (len(args) == 1 and most is None):
                message = (
                    "Expected a crawl, by its number, or a file of its items, and what"
                    " to ask for: nodes, or --near for the candidates not kept"
                )
                raise ConfigurationError(message)
            work = Working()
            name, *nodes = args
            with work.shown(), opened(name, self.settings, opts.seeds, work) as source:
                wanted = chosen(source, opts)
                found = _asked(source, wanted, nodes, links, most, work)
            remarks = [*source.remarks, *idle(wanted.given, wanted.resolved)]
            if opts.json:
                print(as_json(_plain(found)))
            else:
                _print(found, wanted, remarks)
            warn(self, source.warnings)


Found = tuple["list[Account]", "list[NearMiss] | None"]


def _asked(
    source: Source,
    wanted: Chosen,
    nodes: list[str],
    links: int,
    most: int | None,
    work: Working,
) -> Found:
    work.on(f"Computing the network of {source.name}")
    with worked_out(
        source.crawl, wanted.parameters, own=wanted.own, decisions=wanted.decisions
    ) as found:
        misses = None
        if most is not None:
            misses = near(found.course, found.retention, found.core, most)
        if not nodes:
            return [], misses
        inquiry = Inquiry(found)
        return [inquiry.account(node, links) for node in nodes], misses


def _print(found: Found, wanted: Chosen, remarks: list[str]) -> None:
    accounts, misses = found
    for account in accounts:
        print("\n".join(account_lines(account, wanted.parameters)))
        total = sum(one.links for one in account.linking)
        if account.links:
            print(f"  {len(account.links):,} of {total:,} links, the best first:")
            print("\n".join(link_lines(account)))
    if misses is not None:
        print("\n".join(near_lines(misses, wanted.parameters)))
    for remark in remarks:
        print(row("mind", remark))


def _plain(found: Found) -> dict[str, Any]:
    accounts, misses = found
    nodes = [
        asdict(account)
        | {
            "links": [
                link._asdict() | ({"verdict": verdict} if verdict else {})
                for verdict, link in account.links
            ]
        }
        for account in accounts
    ]
    answer: dict[str, Any] = {"nodes": nodes}
    if misses is not None:
        answer["near"] = [
            {"node": one.node, "votes": one.votes, "voters": one.voters}
            for one in misses
        ]
    return answer
