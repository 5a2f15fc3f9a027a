from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from issuecrawl.model.errors import CrawlHeld, StoreError
from issuecrawl.model.link import Link
from issuecrawl.model.options import resolve
from issuecrawl.model.page import EXCLUSION, Page, State
from issuecrawl.model.site import Sites
from issuecrawl.store import crawls
from issuecrawl.store.addresses import AddressMap
from issuecrawl.store.database import connect, database_path
from issuecrawl.store.reader import StoredCrawl
from issuecrawl.store.writer import CrawlWriter

if TYPE_CHECKING:
    from pathlib import Path

FETCHED = "2026-11-30 12:00:00"


def new_crawl(path: Path) -> int:
    db = connect(path, create=True)
    crawl = crawls.create(
        db,
        title="",
        given={},
        settings=resolve({}, read=str),
        program="",
        suffix_list="",
    )
    db.close()
    return crawl


def writer_of(path: Path, crawl: int) -> CrawlWriter:
    db = connect(path)
    salt = crawls.find(db, crawl)["salt"]
    db.close()
    return CrawlWriter(path, crawl, salt, Sites())


def page(url: str, *targets: str) -> Page:
    return Page(url, fetched=FETCHED, links=[Link(target) for target in targets])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 2**64 - 1), unique=True, max_size=300), st.data())
def test_address_map_is_a_dict(keys: list[int], data: st.DataObject) -> None:
    table, right = AddressMap(), {}
    for number, key in enumerate(keys, 1):
        assert table.get(key) == 0
        table.add(key, number)
        right[key] = number
    for key in [*keys, *data.draw(st.lists(st.integers(1, 2**64 - 1), max_size=20))]:
        assert table.get(key) == right.get(key, 0)


def test_address_map_grows_and_takes_many_at_once() -> None:
    one, many = AddressMap(), AddressMap()
    keys = np.random.default_rng(3).integers(1, 2**63, 50_000, np.uint64)
    keys = np.unique(keys)
    numbers = np.arange(1, len(keys) + 1, dtype=np.uint32)
    many.add_many(keys, numbers)
    for key, number in zip(keys.tolist(), numbers.tolist(), strict=True):
        one.add(key, number)
        assert many.get(key) == number
    assert all(
        one.get(key) == number
        for key, number in zip(keys.tolist(), numbers.tolist(), strict=True)
    )
    assert len(one) == len(many) == len(keys)


def test_spellings_of_one_identity_are_one_page_and_the_best_is_its_address(
    path: Path,
) -> None:
    writer = writer_of(path, new_crawl(path))
    spellings = [
        "http://www.a.test/%7Ex",
        "http://a.test/~x",
        "https://www.a.test/~x",
        "https://a.test/%7ex",
        "https://a.test/~x?utm_source=mail",
    ]
    numbers = {writer.number(url) for url in spellings}
    assert len(numbers) == 1
    number = numbers.pop()
    assert writer.url(number) == "https://a.test/%7ex"
    assert writer.other_spellings(number)[0] == "https://a.test/~x?utm_source=mail"
    writer.close()
    again = writer_of(path, 1)
    assert [again.number(url) for url in spellings] == [number] * 5
    assert again.url(number) == "https://a.test/%7ex"
    again.close()


def test_identity_that_occurs_after_another_spelling_is_a_spelling_too(
    path: Path,
) -> None:
    writer = writer_of(path, new_crawl(path))
    number = writer.number("http://www.a.test/")
    writer.close()
    again = writer_of(path, 1)
    assert again.number("https://a.test/") == number
    assert again.url(number) == "https://a.test/"
    assert again.other_spellings(number) == ["http://www.a.test/"]
    again.close()
    last = writer_of(path, 1)
    for url in ("https://a.test/", "http://www.a.test/", "https://www.a.test/"):
        assert last.number(url) == number
    assert last.url(number) == "https://a.test/"
    last.close()


def test_links_within_a_site_and_between_sites_come_back(path: Path) -> None:
    writer = writer_of(path, new_crawl(path))
    item = page(
        "https://a.test/",
        "https://a.test/two",
        "https://b.test/",
        "https://a.test/one",
        "https://a.test/two",
        "https://a.test/",
    )
    item.links.append(Link("https://b.test/", "area", "footer", "nofollow ugc", "B"))
    item.links.append(Link("https://a.test/f", "iframe", "aside", "nofollow"))
    item.links.append(Link("https://c.test/x", judged=EXCLUSION))
    answer = writer.record(writer.number(item.url), item)
    assert [writer.url(n) for n in answer.follow] == [
        "https://a.test/two",
        "https://a.test/one",
        "https://a.test/f",
    ]
    assert writer.follow(answer.page) == answer.follow
    writer.close()

    db = connect(path)
    crawl = StoredCrawl(db, 1)
    inside = crawl.links_inside(np.array([answer.page]))
    urls = crawl.urls(inside.targets.tolist())
    assert [urls[n] for n in inside.targets.tolist()] == [
        "https://a.test/two",
        "https://a.test/one",
        "https://a.test/f",
    ]
    assert inside.kinds.tolist() == [0, 0, 3]
    assert inside.placements.tolist() == [0, 0, 4]
    assert inside.marked.tolist() == [False, False, True]
    rows = db.execute("SELECT kind, placement, rel, anchor FROM link").fetchall()
    assert rows == [(0, 0, 0, None), (1, 3, 3, "B"), (0, 0, 0, None)]
    states = {url: crawl.state[n] for n, url in crawl.all_urls()}
    assert states["https://c.test/x"] == State.EXCLUDED
    assert states["https://a.test/"] == State.RETRIEVED
    db.close()


def test_resumed_writer_goes_on_where_the_stored_rows_end(path: Path) -> None:
    crawl = new_crawl(path)
    first = writer_of(path, crawl)
    for n in range(250):
        item = page(f"https://a.test/{n}", f"https://b.test/{n}", "https://a.test/0")
        first.record(first.number(item.url), item)
    first.close()
    second = writer_of(path, crawl)
    assert (second.answers, second.links) == (first.answers, first.links)
    assert second.site == first.site
    assert second.state == first.state
    assert second.answered_in == first.answered_in
    assert second.pages == first.pages
    last = second.record(
        second.number("https://c.test/"), page("https://c.test/", "https://d.test/")
    )
    second.close()
    assert last.page == len(first.site)
    db = connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    counts = db.execute("SELECT COUNT(*), COUNT(DISTINCT page) FROM answer").fetchone()
    assert counts == (251, 251)
    db.close()


def test_crawls_of_one_store_keep_their_rows_apart(path: Path) -> None:
    one, two = new_crawl(path), new_crawl(path)
    writers = [writer_of(path, one), writer_of(path, two)]
    for n in range(300):
        for writer in writers:
            item = page(f"https://a.test/{n}", f"https://b{writer.crawl}.test/{n}")
            writer.record(writer.number(item.url), item)
            writer.tick()
    for writer in writers:
        writer.close()
    db = connect(path)
    for crawl in (one, two):
        stored = StoredCrawl(db, crawl)
        assert {site.key for site in stored.sites[1:]} == {"a.test", f"b{crawl}.test"}
        assert int(stored.has_links.sum()) == 300
    db.close()


def test_running_crawl_is_refused_to_a_second_process_with_the_pid(path: Path) -> None:
    crawl = new_crawl(path)
    hold = crawls.Hold(path, crawl)
    code = (
        "from pathlib import Path; import sys;"
        "from issuecrawl.store.crawls import Hold; Hold(Path(sys.argv[1]), 1)"
    )
    refused = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    import os

    assert f"Crawl 1 is being run by process {os.getpid()}" in refused.stderr
    hold.release()
    crawls.Hold(path, crawl).release()


def test_crawl_held_is_a_store_error() -> None:
    assert issubclass(CrawlHeld, StoreError)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            b"this is no database, but long enough to be read as one" * 50,
            "name another",
        ),
        (None, "There is no store at"),
    ],
)
def test_store_that_cannot_be_opened_gets_one_sentence(
    path: Path, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StoreError, match=sentence) as caught:
        connect(path)
    assert "\n" not in str(caught.value)


def test_store_that_several_want_at_once_is_whole_for_each(tmp_path: Path) -> None:
    def opened(path: Path) -> None:
        meeting.wait()
        if path.exists():
            connect(path).close()
        connect(path, create=True).close()

    meeting = threading.Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        for number in range(40):
            path = tmp_path / f"{number}.db"
            list(pool.map(opened, [path] * 4))
            db = connect(path)
            assert crawls.listed(db, path) == []
            db.close()
    assert not list(tmp_path.glob(".*"))


def test_database_of_another_program_is_left_alone(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="not one of issuecrawl"):
        connect(path)


def test_store_of_another_schema_version_is_not_read(path: Path) -> None:
    new_crawl(path)
    other = sqlite3.connect(path)
    other.execute("UPDATE issuecrawl SET schema_version = 99")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="schema version 99"):
        connect(path)


def store_many(writer: CrawlWriter) -> None:
    for n in range(1, 5_000):
        item = page(f"https://a.test/{n}", f"https://b.test/{n}")
        writer.record(writer.number(item.url), item)
        writer.tick()
    writer.flush()


def test_full_disk_keeps_what_is_stored_and_says_so(path: Path) -> None:
    writer = writer_of(path, new_crawl(path))
    item = page("https://a.test/0", "https://b.test/0")
    writer.record(writer.number(item.url), item)
    writer.flush()
    # A database that may not grow answers as one on a full disk does.
    writer.batch._db.execute("PRAGMA max_page_count = 20")  # noqa: SLF001
    with pytest.raises(StoreError, match=r"make room|full"):
        store_many(writer)
    with pytest.raises(StoreError):
        writer.close()
    again = writer_of(path, 1)
    assert again.url(again.number("https://a.test/0")) == "https://a.test/0"
    assert again.state[again.number("https://a.test/0")] == State.RETRIEVED
    again.close()


def test_store_address_must_be_sqlite() -> None:
    with pytest.raises(Exception, match="ISSUECRAWL_DB=mysql"):
        database_path("mysql://x")
