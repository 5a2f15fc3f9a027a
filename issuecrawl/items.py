"""A crawl to analyse: one of the store, or one read back from a feed of its items."""

from __future__ import annotations

import contextlib
import json
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from issuecrawl.files import Files
from issuecrawl.model.errors import ConfigurationError, FormatError
from issuecrawl.model.link import FOLLOW, RECORD, Link
from issuecrawl.model.options import resolve
from issuecrawl.model.page import BUDGET, CrawlRecord, Page, State
from issuecrawl.model.seeds import read_seeds
from issuecrawl.model.site import Sites
from issuecrawl.model.url import identity, parse
from issuecrawl.store import crawls
from issuecrawl.store.database import connect, database_path, transaction
from issuecrawl.store.reader import StoredCrawl
from issuecrawl.store.writer import CrawlWriter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings


@dataclass(frozen=True, slots=True)
class Source:
    """Something to analyse, and what is to be said of it."""

    name: str
    crawl: StoredCrawl
    warnings: list[str]


@contextlib.contextmanager
def opened(name: str, settings: BaseSettings, seeds: str | None) -> Iterator[Source]:
    """Open the crawl that *name* stands for: its number, or a file of its items.

    *seeds* are the starting points of a file whose first item does not name them.
    """
    if name.isascii() and name.isdigit():
        db = connect(database_path(settings["ISSUECRAWL_DB"]))
        try:
            crawls.find(db, int(name))
            yield Source(name, StoredCrawl(db, int(name)), [])
        finally:
            db.close()
        return
    path = Path(name)
    if not path.is_file():
        message = (
            f"{name} is neither the number of a crawl nor a file of items;"
            " scrapy list-crawls shows the crawls there are"
        )
        raise ConfigurationError(message)
    with tempfile.TemporaryDirectory(prefix="issuecrawl-") as folder:
        database = Path(folder) / "items.db"
        record, offsets, warnings = _read(path, seeds)
        db = connect(database, create=True)
        try:
            crawl = _fill(db, database, record, _pages(path, offsets))
            yield Source(path.stem, StoredCrawl(db, crawl), warnings)
        finally:
            db.close()


def _read(path: Path, seeds: str | None) -> tuple[CrawlRecord, list[int], list[str]]:
    """Return the crawl's record, the offsets of its page items, and warnings.

    Of several items of one page the last counts: the earlier ones were lost with
    their batch when the crawl died, and fetched again.
    """
    record: CrawlRecord | None = None
    last: dict[str, int] = {}
    warnings: list[str] = []
    with path.open("rb") as file:
        number, offset = 0, 0
        for line in file:
            number, at, offset = number + 1, offset, offset + len(line)
            if not line.strip():
                continue
            try:
                item = json.loads(line)
                if "starting_points" in item:
                    record = _crawl_record(item)
                else:
                    last[identity(item["url"]) or item["url"]] = at
            except (ValueError, KeyError, TypeError):
                warnings.append(
                    f"{path.name}, line {number} is incomplete and left out"
                )
    if seeds is not None:
        record = _with_seeds(record, seeds)
    if record is None:
        message = (
            f"{path.name} does not begin with the crawl's own item;"
            " name its starting points with --seeds"
        )
        raise FormatError(message)
    return record, sorted(last.values()), warnings


def _crawl_record(item: dict[str, Any]) -> CrawlRecord:
    names = {field.name for field in fields(CrawlRecord)}
    return CrawlRecord(**{name: item[name] for name in item if name in names})


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


def _fill(
    db: sqlite3.Connection, database: Path, record: CrawlRecord, pages: Iterator[Page]
) -> int:
    """Write the items to an empty store, as the crawl did."""
    settings = record.settings
    crawl = crawls.create(
        db,
        title=settings["title"],
        given={},
        settings=settings,
        program=record.program,
        suffix_list=record.suffix_list,
    )
    salt = crawls.find(db, crawl)["salt"]
    sites = Sites(settings["site"], [tuple(rule) for rule in settings["sites"]])
    strict = settings["identity"] == "strict"
    writer = CrawlWriter(database, crawl, salt, sites, strict=strict)
    starts = [writer.number(url) for url in record.starting_points]
    writer.add_starting_points(0, [(page, "seed") for page in starts])
    for line in record.log:
        writer.log(line)
    for page in pages:
        _add(writer, page)
    writer.timeouts = record.timeouts
    writer.close()
    with transaction(db):
        db.execute(
            "UPDATE crawl SET state = ?, started = ?, ended = ?, series = ?,"
            " series_index = ? WHERE id = ?",
            (
                record.state,
                record.started,
                record.ended,
                record.series or crawl,
                record.series_index or 1,
                crawl,
            ),
        )
    return crawl


def _pages(path: Path, offsets: list[int]) -> Iterator[Page]:
    names = {field.name for field in fields(Page)}
    with path.open("rb") as file:
        for offset in offsets:
            file.seek(offset)
            item = json.loads(file.readline())
            links = [Link(**link) for link in item.get("links", ())]
            yield Page(**{n: item[n] for n in item if n in names} | {"links": links})


def _add(writer: CrawlWriter, page: Page) -> None:
    for link in page.links:
        if link.judged == RECORD:
            link.judged = FOLLOW
    address = parse(page.url)
    if address is None:
        return
    number = writer.number(address.href)
    if page.outcome == State.SKIPPED.word and page.reason == BUDGET:
        writer.set_state(number, State.SKIPPED)
    elif page.outcome == State.EXCLUDED.word:
        writer.set_state(number, State.EXCLUDED)
    else:
        writer.record(number, page)
        writer.tick()
