"""A crawl to analyse: one of the store, or one read back from its items or a bundle."""

from __future__ import annotations

import contextlib
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from issuecrawl.bundle.archive import is_bundle
from issuecrawl.bundle.extra import require_pyarrow
from issuecrawl.feed import Feed, pages_of
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.link import FOLLOW, RECORD
from issuecrawl.model.page import BUDGET, NOT_PUBLIC, CrawlRecord, Page, State
from issuecrawl.model.site import Sites
from issuecrawl.model.url import parse
from issuecrawl.store import crawls
from issuecrawl.store.database import connect, database_path, transaction
from issuecrawl.store.reader import StoredCrawl
from issuecrawl.store.writer import CrawlWriter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

    from issuecrawl.working import Working


_OF_CRAWL: Final = re.compile(r"[0-9]+(?:_|$)")
"""How folders of crawls begin: with the number, and the options that were given."""


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
    """Open the crawl that *name* stands for: its number, a file of its items, a bundle.

    *seeds* are the starting points of a file whose first item does not name them;
    *work* is told what is being done.
    """
    number = crawls.as_number(name)
    if number is not None:
        if seeds is not None:
            message = f"--seeds goes with a file of items; crawl {number} has its own"
            raise ConfigurationError(message)
        with _connected(database_path(settings["ISSUECRAWL_DB"])) as db:
            # One view of the store, though the crawl may be running.
            db.execute("BEGIN")
            crawls.require_begun(crawls.find(db, number))
            work.on(f"Reading crawl {number}")
            yield Source(str(number), StoredCrawl(db, number), [])
        return
    path = Path(name)
    if not path.is_file():
        message = (
            f"{name} is neither the number of a crawl nor a file of items or a bundle;"
            " scrapy list-crawls shows the crawls there are"
        )
        raise ConfigurationError(message)
    if is_bundle(path):
        with _bundled(path, seeds, work) as source:
            yield source
        return
    with tempfile.TemporaryDirectory(prefix="issuecrawl-") as folder:
        database = Path(folder) / "items.db"
        record, offsets, warnings = Feed(path, work).read(seeds)
        with _connected(database, create=True) as db:
            crawl = _fill(db, database, record, pages_of(path, offsets, work))
            yield Source(folder_name(path), StoredCrawl(db, crawl), warnings)


@contextlib.contextmanager
def _bundled(path: Path, seeds: str | None, work: Working) -> Iterator[Source]:
    """Open the crawl of the bundle at *path*."""
    if seeds is not None:
        message = f"--seeds goes with a file of items; bundle {path} has its own"
        raise ConfigurationError(message)
    require_pyarrow()
    from issuecrawl.bundle.unpack import unpacked  # noqa: PLC0415  # an extra

    with unpacked(path, work) as found, _connected(found.store) as db:
        work.on(f"Reading {path.name}")
        yield Source(folder_name(path), StoredCrawl(db, found.record.crawl), [])


def folder_name(path: Path) -> str:
    """Return a name for the network of a file: never one that a crawl's has.

    >>> folder_name(Path("a/items.jsonl")), folder_name(Path("7.jsonl"))
    ('items', '7-jsonl')
    >>> folder_name(Path("7_threshold-3.zip"))
    '7_threshold-3-zip'
    """
    of_crawl = _OF_CRAWL.match(path.stem)
    return path.name.replace(".", "-") if of_crawl else path.stem


def source_name(name: str) -> str:
    """Return the name of what *name* stands for: a crawl, or a file."""
    number = crawls.as_number(name)
    return folder_name(Path(name)) if number is None else str(number)


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


def _fill(
    db: sqlite3.Connection, database: Path, record: CrawlRecord, pages: Iterator[Page]
) -> int:
    """Write the items to an empty store, as the crawl did."""
    settings = record.settings
    crawl = crawls.create(
        db,
        title=settings["title"],
        given=record.given,
        settings=settings,
        program=record.program,
        suffix_list=record.suffix_list,
        number=record.crawl,
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
