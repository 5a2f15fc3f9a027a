"""``scrapy bundle``, and bundles in place of a crawl's number."""

from __future__ import annotations

import hashlib
import re
import signal
import time
import zipfile
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from issuecrawl.bundle.unpack import unpacked
from issuecrawl.demo.proxy import Proxy
from issuecrawl.store.database import connect
from issuecrawl.working import Working
from tests.conftest import FORMATS, Command, Crawl, LoopbackWeb
from tests.test_analyze import SEEDS, fill
from tests.test_bundle import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Finished


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    web = LoopbackWeb()
    fill(web)
    # Spellings of one page, a page that is not to be followed, and one that is gone.
    web.page(
        "https://a.example/1", "http://www.x.example/", "https://x.example/?utm_id=1"
    )
    web.page("https://b.example/1", "https://y.example/", "https://nowhere.example/")
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


@pytest.fixture(scope="module")
def crawled(web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Crawl, and bundle the crawl."""
    crawl = Crawl(tmp_path_factory.mktemp("crawled"), web.environment)
    done = crawl(seeds=SEEDS, title="Of <all> sorts", author="A", privilege=1)
    assert done.returncode == 0, done.stderr
    done = crawl.scrapy("bundle", 1, "--format", FORMATS, "--out", "net.zip")
    assert (done.returncode, done.stderr) == (0, "")
    return done


@pytest.fixture
def scrapy(web: LoopbackWeb, crawled: Finished) -> Command:
    return Command(crawled.folder, web.environment)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_bundle_says_what_it_holds_and_its_hash(crawled: Finished) -> None:
    size = (crawled.folder / "net.zip").stat().st_size

    assert f"written    net.zip ({size:,} bytes)" in crawled.stdout
    assert re.search(r"sha256     [0-9a-f]{64}$", crawled.stdout, re.MULTILINE)
    assert re.search(r"holds      \d+ sites, \d+ pages, \d+ links", crawled.stdout)


def test_bundle_holds_the_network_of_the_crawl(crawled: Finished) -> None:
    with zipfile.ZipFile(crawled.folder / "net.zip") as archive:
        held = {
            name.removeprefix("network/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("network/")
        }
    assert held == files(crawled.network())


def test_store_of_a_crawl_comes_back_row_by_row(crawled: Finished) -> None:
    with (
        unpacked(crawled.folder / "net.zip", Working()) as found,
        closing(connect(found.store)) as again,
        closing(connect(crawled.store)) as db,
    ):
        wanted = tables(db)
        assert wanted["spelling"]
        assert tables(again) == wanted


@pytest.mark.parametrize(
    "options",
    [(), ("--mode", "page", "--threshold", 1), ("--analysis", "interactor")],
    ids=str,
)
def test_analysis_of_a_bundle_is_that_of_its_crawl(
    options: tuple[object, ...], scrapy: Command
) -> None:
    line = (*options, "--format", FORMATS, "--out")

    first = scrapy.scrapy("analyze", 1, *line, "of-crawl")
    done = scrapy.scrapy("analyze", "net.zip", *line, "of-bundle")

    assert (first.returncode, done.returncode, done.stderr) == (0, 0, "")
    assert files(scrapy.folder / "of-bundle") == files(scrapy.folder / "of-crawl")


def test_export_takes_a_bundle(scrapy: Command) -> None:
    done = scrapy.scrapy("export", "net.zip", "--format", "csv,gexf")

    assert done.returncode == 0
    exported = files(scrapy.folder / "networks" / "net")
    assert exported.items() <= files(scrapy.folder / "networks" / "1").items()


def test_bundle_of_a_bundle_is_that_bundle(scrapy: Command) -> None:
    done = scrapy.scrapy("bundle", "net.zip", "--format", FORMATS, "--out", "again.zip")

    assert done.returncode == 0
    again = (scrapy.folder / "again.zip").read_bytes()
    assert again == (scrapy.folder / "net.zip").read_bytes()


def test_verifying_names_every_file_and_the_verdict(
    scrapy: Command, crawled: Finished
) -> None:
    done = scrapy.scrapy("bundle", "--verify", "net.zip")

    assert (done.returncode, done.stderr) == (0, "")
    same = re.findall(r"^  same       (.+)$", done.stdout, re.MULTILINE)
    network = {f"network/{name}" for name in files(crawled.network())}
    assert network < set(same)
    assert "verdict    the same, byte for byte" in done.stdout
    seal = re.search(r"sha256     (\w+)", crawled.stdout)
    assert seal
    assert seal[0] in done.stdout
    assert (
        seal[1] == hashlib.sha256((scrapy.folder / "net.zip").read_bytes()).hexdigest()
    )


def test_bundle_with_one_changed_byte_is_refused(scrapy: Command) -> None:
    data = bytearray((scrapy.folder / "net.zip").read_bytes())
    data[len(data) // 2] ^= 1
    (scrapy.folder / "changed.zip").write_bytes(data)

    verified = scrapy.scrapy("bundle", "--verify", "changed.zip")
    analysed = scrapy.scrapy("analyze", "changed.zip", "--out", "no")

    assert (verified.returncode, analysed.returncode) == (2, 2)
    for done in (verified, analysed):
        assert done.stdout == ""
        assert done.stderr == (
            "changed.zip was changed after it was made: its seal does not fit;"
            " take it from where it was published once more\n"
        )
    assert not (scrapy.folder / "no").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--verify", "none.zip"),
            "none.zip is no bundle; expected a file that scrapy",
        ),
        (("--verify", "issuecrawl.db"), "issuecrawl.db is no bundle; expected a file"),
        (("--verify", "net.zip", "--depth", 0), "--verify makes no network; leave out"),
        (
            ("--verify", "net.zip", "--no-privilege"),
            "--verify makes no network; leave out --privilege",
        ),
        ((1, "--out", "networks"), "out=networks cannot be used; expected a file to"),
        (
            (1, "--out", "/dev/null"),
            "/dev/null is there and is no bundle; name another file with --out",
        ),
        (("net.zip", "--seeds", SEEDS), "--seeds goes with a file of items; bundle"),
    ],
    ids=str,
)
def test_bad_input_is_refused_in_one_sentence(
    arguments: tuple[object, ...], sentence: str, scrapy: Command
) -> None:
    done = scrapy.scrapy("bundle", *arguments)

    assert done.returncode == 2
    assert done.stderr.startswith(sentence), done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_store_is_not_replaced_by_a_bundle(scrapy: Command) -> None:
    before = (scrapy.folder / "issuecrawl.db").read_bytes()
    done = scrapy.scrapy("bundle", 1, "--format", "csv", "--out", "issuecrawl.db")

    assert (done.returncode, done.stdout) == (2, "")
    assert "issuecrawl.db is there and is no bundle; name another" in done.stderr
    assert (scrapy.folder / "issuecrawl.db").read_bytes() == before


def test_bundle_takes_the_place_of_one_and_of_an_empty_file(scrapy: Command) -> None:
    (scrapy.folder / "empty.zip").touch()
    for _ in range(2):
        done = scrapy.scrapy("bundle", 1, "--format", "csv", "--out", "empty.zip")
        assert done.returncode == 0, done.stderr


def test_ctrl_c_leaves_no_half_a_bundle(scrapy: Command, crawled: Finished) -> None:
    before = (crawled.folder / "net.zip").read_bytes()
    running = scrapy.start("bundle", 1, "--format", FORMATS, "--out", "net.zip")
    until = time.monotonic() + 30
    while not list(crawled.folder.glob(".net.zip.*")) and time.monotonic() < until:
        time.sleep(0.001)

    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)

    assert (running.returncode, err) == (
        130,
        "Stopped; files that are there are whole\n",
    )
    assert (crawled.folder / "net.zip").read_bytes() == before
    assert not list(crawled.folder.glob(".net.zip.*"))


def test_network_of_a_bundle_without_a_name_lies_with_the_others(
    scrapy: Command,
) -> None:
    done = scrapy.scrapy("bundle", 1, "--threshold", 3, "--format", "csv")

    assert done.returncode == 0
    assert (scrapy.folder / "networks" / "1_threshold-3.zip").exists()
    path = "networks/1_threshold-3.zip"
    again = scrapy.scrapy("analyze", path, "--format", "csv")
    assert again.returncode == 0, again.stderr
    # It is the crawl's own network: the folder is not that of the other threshold.
    assert "written    networks/1_threshold-3-zip/" in again.stdout
