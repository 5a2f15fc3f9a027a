"""The texts of a bundle: what it is, what its columns mean, what the crawl was told."""

from __future__ import annotations

import csv
import io
import textwrap
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.bundle.tables import ALL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from issuecrawl.bundle.record import Record
    from issuecrawl.bundle.tables import Column

README: Final = "README.txt"
DICTIONARY: Final = "DICTIONARY.md"
SEEDS: Final = "seeds.txt"
EXCLUSIONS: Final = "exclusions.txt"
RULES: Final = "rules.csv"

WIDTH: Final = 88

_README: Final = """\
{title}

This is a bundle of issuecrawl: a crawl with all that its network is made of, and that
network. Crawl {crawl} ({state}) began {started} and ended {ended}, UTC.

What is in it
  datapackage.json   the files and columns, for programs (Frictionless Data Package)
  DICTIONARY.md      the columns, for people
  crawl.json         the crawl: options as given and as resolved, versions, times, log
  seeds.txt          starting points
  exclusions.txt     hosts and substrings that were left out
  rules.csv          addresses that belong to an actor of their own
  parameters.json    what the network was made with
  *.parquet          sites, pages, links and refusals, one row each
  network/           the network and the files made from it

How to verify it
  scrapy bundle --verify BUNDLE.zip
says whether a byte was changed since it was made, computes the network again out of the
tables alone, and compares every file of network/ byte for byte. The seal that it checks
is the last 64 bytes, the SHA-256 of all before them. Whoever changes data can seal
them again; so publish the SHA-256 of the file where the bundle is cited.

How to compute other networks of it
  scrapy analyze BUNDLE.zip --threshold 3 --out net/
takes a bundle wherever it takes the number of a crawl.

How to read the tables without issuecrawl
  Python   pandas.read_parquet("links.parquet")
  R        arrow::read_parquet("links.parquet")
  DuckDB   SELECT * FROM 'links.parquet'

issuecrawl made it from what web servers answered. Titles, anchors and addresses are
theirs; what a licence allows of them is for the author of the bundle to say.
"""


def readme(record: Record, methods: str) -> str:
    """Return the README; *methods* is the paragraph that tells how it was made."""
    text = _README.format(
        title=_line(record.title) or f"Issue network of crawl {record.crawl}",
        crawl=record.crawl,
        started=record.started or "-",
        ended=record.ended or "not",
        state=record.state,
    )
    return (
        f"{text}\nMethods\n\n{textwrap.fill(methods, WIDTH, break_long_words=False)}\n"
    )


def dictionary() -> str:
    """Return the data dictionary as Markdown."""
    lines = ["# Data dictionary", ""]
    for table in ALL:
        lines += [f"## {table.path}", "", f"{table.title}. {table.description}", ""]
        lines += ["| column | type | empty | holds |", "|---|---|---|---|"]
        lines += [_row(column) for column in table.columns]
        lines.append("")
    return "\n".join(lines)


def _row(column: Column) -> str:
    holds = column.description
    if column.words:
        holds += f": {', '.join(f'`{word}`' for word in column.words)}"
    if column.refers:
        holds += f" (in {column.refers})"
    empty = "may be" if column.optional else "never"
    return f"| `{column.name}` | {column.type} | {empty} | {holds} |"


def of_settings(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the files that hold what a crawl was told, each as a crawl reads it."""
    seeds = settings.get("seeds", [])
    rules = io.StringIO(newline="")
    table = csv.writer(rules, lineterminator="\n")
    table.writerow(("prefix", "site"))
    table.writerows(settings.get("sites", []))
    # A line "-" empties the list in force first, so that this list replaces it.
    entries = ["-", *settings.get("exclude", [])]
    return {
        SEEDS: "".join(f"{_line(seed)}\n" for seed in seeds),
        EXCLUSIONS: "".join(f"{_line(entry)}\n" for entry in entries),
        RULES: rules.getvalue(),
    }


def _line(text: str) -> str:
    return " ".join(text.split())
