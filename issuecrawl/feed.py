"""A feed of a crawl's items, read back: which of them count, and what is wrong."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from issuecrawl.files import Files
from issuecrawl.model.errors import FormatError
from issuecrawl.model.link import Link
from issuecrawl.model.options import resolve
from issuecrawl.model.page import CrawlRecord, Page
from issuecrawl.model.seeds import read_seeds
from issuecrawl.model.url import identity
from issuecrawl.store import crawls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from issuecrawl.working import Working


class Feed:
    """A file of items: where the page items lie that count, and what is wrong.

    Of several items of one page the last counts: the earlier ones were lost with
    their batch when the crawl died, and fetched again. Of several crawls in a file,
    which ``-o`` appends to, the last counts.
    """

    def __init__(self, path: Path, work: Working) -> None:
        self.path = path
        self.record: CrawlRecord | None = None
        self.offsets: dict[str, int] = {}
        self.broken: list[int] = []
        self.warnings: list[str] = []
        self._work = work

    def read(self, seeds: str | None) -> tuple[CrawlRecord, list[int], list[str]]:
        """Return the crawl's record, the offsets of its page items, and warnings."""
        self._work.on(f"Reading {self.path.name}", self.path.stat().st_size)
        with self.path.open("rb") as file:
            number, offset = 0, 0
            for line in file:
                number, at, offset = number + 1, offset, offset + len(line)
                self._work.advance(len(line))
                if line.strip():
                    self._take(line, number, at)
        if seeds is not None:
            self.record = _with_seeds(self.record, seeds)
        if self.record is None:
            raise FormatError(self._complaint())
        return self.record, sorted(self.offsets.values()), [*self._incomplete()]

    def _take(self, line: bytes, number: int, at: int) -> None:
        try:
            item = json.loads(line)
            if "starting_points" in item:
                self._begin(_crawl_record(item))
            else:
                self.offsets[self._identity(item["url"])] = at
        except (ValueError, KeyError, TypeError):
            self.broken.append(number)

    def _begin(self, record: CrawlRecord) -> None:
        before = self.record
        if before is not None and before.started != record.started:
            self.warnings.append(
                f"{self.path.name} holds crawl {before.crawl} ({before.started}) and"
                f" crawl {record.crawl} ({record.started}); the last one is taken"
            )
            self.offsets.clear()
        self.record = record

    def _identity(self, url: str) -> str:
        settings = self.record.settings if self.record is not None else {}
        return identity(url, strict=settings.get("identity") == "strict") or url

    def _incomplete(self) -> Iterator[str]:
        yield from self.warnings
        if self.broken:
            others = len(self.broken) - 1
            more = f", and {others} more," if others else ""
            yield (
                f"{self.path.name}, line {self.broken[0]}{more} is incomplete"
                " and left out"
            )

    def _complaint(self) -> str:
        if self.broken and not self.offsets:
            return (
                f"{self.path.name} holds no items, one on a line as JSON;"
                " write the feed of a crawl with -O items.jsonl"
            )
        return (
            f"{self.path.name} does not begin with the crawl's own item;"
            " name its starting points with --seeds"
        )


def _crawl_record(item: dict[str, Any]) -> CrawlRecord:
    names = {field.name for field in fields(CrawlRecord)}
    record = CrawlRecord(**{name: item[name] for name in item if name in names})
    record.crawl = crawls.as_number(str(record.crawl)) or 1
    record.given = {name: str(value) for name, value in dict(record.given).items()}
    return record


def _with_seeds(record: CrawlRecord | None, seeds: str) -> CrawlRecord:
    starts = read_seeds(seeds, Files().read)
    if record is None:
        settings = resolve({}, read=Files().read)
        settings |= {"site": "host", "sites": [], "identity": "normal"}
        settings |= {"title": "", "author": "", "email": "", "seeds": starts}
        return CrawlRecord(
            1, settings, starts, started=crawls.now(), ended=crawls.now()
        )
    record.starting_points = starts
    record.settings["seeds"] = starts
    return record


def pages_of(path: Path, offsets: list[int], work: Working) -> Iterator[Page]:
    work.on(f"Taking in the pages of {path.name}", len(offsets))
    names = {field.name for field in fields(Page)}
    with path.open("rb") as file:
        for offset in offsets:
            file.seek(offset)
            item = json.loads(file.readline())
            links = [Link(**link) for link in item.get("links", ())]
            work.advance(1)
            yield Page(**{n: item[n] for n in item if n in names} | {"links": links})
