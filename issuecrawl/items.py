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
from issuecrawl.model.page import BUDGET, NOT_PUBLIC, CrawlRecord, Page, State
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

    from issuecrawl.working import Working


@dataclass(frozen=True, slots=True)
class Source:
    """Something to analyse, and what is to be said of it."""

    name: str
    crawl: StoredCrawl
    warnings: list[str]

    @property
    def remarks(self) -> list[str]:
        """What to know of a network that is computed before its crawl is over."""
        state = self.crawl.record["state"]
        if state == "finished":
            return []
        return [f"the crawl is not finished ({state}); this is the network so far"]


@contextlib.contextmanager
def opened(
    name: str, settings: BaseSettings, seeds: str | None, work: Working
) -> Iterator[Source]:
    """Open the crawl that *name* stands for: its number, or a file of its items.

    *seeds* are the starting points of a file whose first item does not name them;
    *work* is told what is being done.
    """
    number = crawls.as_number(name)
    if number is not None:
        if seeds is not None:
            message = f"--seeds goes with a file of items; crawl {number} has its own"
            raise ConfigurationError(message)
        with _connected(database_path(settings["ISSUECRAWL_DB"])) as db:
            crawls.require_begun(crawls.find(db, number))
            work.on(f"Reading crawl {number}")
            yield Source(str(number), StoredCrawl(db, number), [])
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
        record, offsets, warnings = Feed(path, work).read(seeds)
        with _connected(database, create=True) as db:
            crawl = _fill(db, database, record, _pages(path, offsets, work))
            yield Source(folder_name(path), StoredCrawl(db, crawl), warnings)


def folder_name(path: Path) -> str:
    """Return a name for the network of a file: never one that a crawl's has.

    >>> folder_name(Path("a/items.jsonl")), folder_name(Path("7.jsonl"))
    ('items', '7.jsonl')
    """
    return path.name if path.stem.isdigit() else path.stem


@contextlib.contextmanager
def _connected(path: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the store at *path*, so that Ctrl-C ends a query too."""
    db = connect(path, create=create)
    db.set_progress_handler(_go_on, 1_000_000)
    try:
        yield db
    finally:
        db.close()


def _go_on() -> int:
    # Python looks for signals when it enters this; the database would not.
    return 0


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


def _pages(path: Path, offsets: list[int], work: Working) -> Iterator[Page]:
    work.on(f"Taking in the pages of {path.name}", len(offsets))
    names = {field.name for field in fields(Page)}
    with path.open("rb") as file:
        for offset in offsets:
            file.seek(offset)
            item = json.loads(file.readline())
            links = [Link(**link) for link in item.get("links", ())]
            work.advance(1)
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
    elif page.outcome == State.REFUSED.word and page.reason == NOT_PUBLIC:
        writer.set_state(number, State.REFUSED)
    else:
        writer.record(number, page)
        writer.tick()
