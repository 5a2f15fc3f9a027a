"""A crawl that is stopped, killed or out of room goes on where it was."""

from __future__ import annotations

import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from issuecrawl.demo.proxy import Proxy
from tests.conftest import Crawl, LoopbackWeb
from tests.stored import ends, rows, state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SEEDS = ",".join(f"https://{name}.test/" for name in "abc")
RESUME = "scrapy crawl issuenetwork -a crawl=1"


def fill(web: LoopbackWeb, *, arms: int = 8, delay: float = 0.02) -> None:
    """Make three sites that link to two more, and those to each other."""
    for name in "abc":
        home = f"https://{name}.test/"
        web.page(home, *(f"/{n}" for n in range(arms)), delay=delay)
        for n in range(arms):
            web.page(
                f"{home}{n}",
                *(f"https://x.test/{n}", f"https://y.test/{name}"),
                f"https://z{n}.test/{name}",
                delay=delay,
            )
    for name, other in ("xy", "yx"):
        pages = (f"/{n}" for n in range(arms))
        web.page(f"https://{name}.test/", *pages, f"https://{other}.test/", delay=delay)
        for n in range(arms):
            page = f"https://{name}.test/{n}"
            web.page(page, f"https://{other}.test/", delay=8 * delay)
    for n in range(arms):
        web.page(f"https://z{n}.test/", delay=delay)


def network(crawl: Crawl, number: int = 1) -> tuple[str, str]:
    folder = crawl.folder / "networks" / str(number)
    return (folder / "nodes.csv").read_text(), (folder / "edges.csv").read_text()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return nodes and edges of the crawl that nothing happens to."""
    web = LoopbackWeb()
    fill(web, delay=0)
    with Proxy(web) as proxy:
        crawl = Crawl(tmp_path_factory.mktemp("undisturbed"), proxy.environment)
        done = crawl(seeds=SEEDS)
    assert done.returncode == 0, done.stderr
    return network(crawl)


@pytest.fixture
def undisturbed(alone: tuple[str, str], web: LoopbackWeb) -> tuple[str, str]:
    """Fill the test's web; return what a crawl of it finds."""
    fill(web)
    return alone


def wait_for(condition: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)


def begun_passes(store: Path) -> int:
    """Return how many passes have their starting points stored."""
    if not store.exists():
        return 0
    try:
        ((count,),) = rows(store, "SELECT COUNT(DISTINCT pass) FROM starting_point")
    except sqlite3.OperationalError:  # not yet made
        return 0
    return int(count)


def finish(process: subprocess.Popen[str]) -> str:
    """Return what the process says on stderr until its end."""
    _, stderr = process.communicate(timeout=60)
    return stderr


@pytest.fixture
def begun(
    web: LoopbackWeb, crawl: Crawl
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return what starts a crawl and waits until so many more requests came."""
    processes = []

    def begin(hits: int, **arguments: Any) -> subprocess.Popen[str]:
        before = len(web.hits)
        process = crawl.start(*crawl.arguments(**arguments))
        processes.append(process)
        wait_for(lambda: len(web.hits) >= before + hits or process.poll() is not None)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def test_crawl_that_is_killed_again_and_again_finds_the_same_network(
    undisturbed: tuple[str, str],
    begun: Callable[..., subprocess.Popen[str]],
    crawl: Crawl,
    web: LoopbackWeb,
) -> None:
    draw = random.Random(4)  # noqa: S311
    store = crawl.folder / "issuecrawl.db"
    arguments: dict[str, Any] = {"seeds": SEEDS}
    killed_in = []
    for passes, hits in ((1, 9), (1, 14), (2, 1), (2, 5)):
        process = begun(draw.randrange(5), **arguments)
        wait_for(lambda n=passes: begun_passes(store) == n)  # type: ignore[misc]
        asked = len(web.hits)
        wait_for(lambda n=asked + hits: len(web.hits) >= n)  # type: ignore[misc]
        process.kill()
        finish(process)
        killed_in.append(begun_passes(store))
        arguments = {"crawl": 1}
    assert killed_in == [1, 1, 2, 2]
    done = crawl(crawl=1)
    assert done.returncode == 0, done.stderr
    assert network(crawl) == undisturbed
    assert state(done.store) == "finished"
    answers = rows(done.store, "SELECT COUNT(*), COUNT(DISTINCT page) FROM answer")
    assert answers[0][0] == answers[0][1]
    assert ends(done.store)  # which looks for pages that are stored twice


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_crawl_that_is_stopped_says_how_to_go_on(
    undisturbed: tuple[str, str],
    begun: Callable[..., subprocess.Popen[str]],
    crawl: Crawl,
    web: LoopbackWeb,
    name: str,
) -> None:
    process = begun(15, seeds=SEEDS)
    process.send_signal(signal.Signals[name])
    stderr = finish(process)
    assert process.returncode == 0
    store = crawl.folder / "issuecrawl.db"
    assert state(store) == "stopped"
    assert f"  resume     {RESUME}\n" in stderr
    assert "Traceback" not in stderr
    asked = web.asked()
    done = crawl(crawl=1)
    assert done.returncode == 0, done.stderr
    assert network(crawl) == undisturbed
    # What was under way when the signal came was waited for, and stored.
    assert len(web.asked()) == len(set(web.asked())) > len(asked)


def test_crawl_that_is_stopped_twice_ends_at_once_and_goes_on_all_the_same(
    undisturbed: tuple[str, str],
    begun: Callable[..., subprocess.Popen[str]],
    crawl: Crawl,
    web: LoopbackWeb,
) -> None:
    web.hang("https://b.test/3")
    process = begun(20, seeds=SEEDS)
    wait_for(lambda: "https://b.test/3" in web.asked())
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stderr = finish(process)
    assert time.monotonic() - began < 10
    assert RESUME in stderr
    assert "Traceback" not in stderr
    assert state(crawl.folder / "issuecrawl.db") == "stopped"
    fill(web)
    done = crawl(crawl=1)
    assert done.returncode == 0, done.stderr
    assert network(crawl) == undisturbed


def test_crawl_that_runs_is_not_run_by_a_second_process(
    begun: Callable[..., subprocess.Popen[str]], crawl: Crawl, web: LoopbackWeb
) -> None:
    fill(web)
    web.hang("https://a.test/1")
    process = begun(4, seeds=SEEDS)
    second = crawl(crawl=1)
    assert second.returncode == 2
    assert f"Crawl 1 is being run by process {process.pid}" in second.stderr
    assert "Traceback" not in second.stderr
    assert state(second.store) == "running"
    process.kill()
    finish(process)
    fill(web)
    other = crawl(seeds="https://x.test/,https://y.test/")
    assert f"Crawl 1 lies unfinished; resume it with: {RESUME}" in other.stderr
    assert state(other.store, 2) == "finished"


def test_four_crawls_at_once_share_one_store(
    undisturbed: tuple[str, str], crawl: Crawl
) -> None:
    processes = [crawl.start(*crawl.arguments(seeds=SEEDS)) for _ in range(4)]
    for process in processes:
        stderr = finish(process)
        assert process.returncode == 0, stderr
    for number in range(1, 5):
        assert network(crawl, number) == undisturbed
        assert state(crawl.folder / "issuecrawl.db", number) == "finished"


def test_store_that_may_not_grow_pauses_the_crawl_and_loses_nothing(
    undisturbed: tuple[str, str],
    begun: Callable[..., subprocess.Popen[str]],
    crawl: Crawl,
) -> None:
    process = begun(25, seeds=SEEDS)
    store = crawl.folder / "issuecrawl.db"
    wait_for(lambda: rows(store, "SELECT COUNT(*) FROM answer")[0][0] > 0)
    size = store.with_name("issuecrawl.db-wal").stat().st_size
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
    stderr = finish(process)
    assert process.returncode == 1
    assert f"The store {store} cannot be used" in stderr
    assert RESUME in stderr
    assert "Traceback" not in stderr
    kept = rows(store, "SELECT COUNT(*) FROM answer")[0][0]
    assert kept > 0
    done = crawl(crawl=1)
    assert done.returncode == 0, done.stderr
    assert network(crawl) == undisturbed


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "none", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a small disk here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_full_disk_pauses_the_crawl_until_there_is_room(
    undisturbed: tuple[str, str], crawl: Crawl, web: LoopbackWeb, small_disk: Path
) -> None:
    many = [f"/many/{n:0100}" for n in range(1500)]
    for name in "abc":
        web.page(f"https://{name}.test/7", *many)
    store = small_disk / "full.db"
    settings = {"ISSUECRAWL_DB": f"sqlite:///{store}"}
    done = crawl(settings, seeds=SEEDS)
    assert done.returncode == 1
    assert "make room on that disk and resume the crawl" in done.stderr
    assert RESUME in done.stderr
    assert "Traceback" not in done.stderr
    remount = ["mount", "-o", "remount,size=64m", str(small_disk)]
    subprocess.run(remount, check=True)
    fill(web, delay=0)
    again = crawl(settings, crawl=1)
    assert again.returncode == 0, again.stderr
    assert network(crawl) == undisturbed


class ImpatientCrawl(Crawl):
    """Waits a second for a store that another process has locked."""

    def line(self, *arguments: object) -> list[str]:
        code = (
            "import issuecrawl.store.database as store, scrapy.cmdline;"
            "store.BUSY_SECONDS = 1.0; scrapy.cmdline.execute()"
        )
        return [sys.executable, "-c", code, *map(str, arguments)]


@pytest.mark.parametrize(("kind", "code"), [(ImpatientCrawl, 1), (Crawl, 0)])
def test_locked_store_is_waited_for_and_then_given_up(
    undisturbed: tuple[str, str],
    crawl: Crawl,
    web: LoopbackWeb,
    kind: type[Crawl],
    code: int,
) -> None:
    runner = kind(crawl.folder, web.environment)
    process = runner.start(*runner.arguments(seeds=SEEDS))
    wait_for(lambda: len(web.hits) > 15)
    store = crawl.folder / "issuecrawl.db"
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        time.sleep(5)
        db.execute("ROLLBACK")
    stderr = finish(process)
    assert process.returncode == code, stderr
    assert "Traceback" not in stderr
    if code:
        assert "another process kept it" in stderr
        assert RESUME in stderr
        assert crawl(crawl=1).returncode == 0
    assert network(crawl) == undisturbed


def test_line_that_resumes_names_a_store_that_lies_elsewhere(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.test/", "https://x.test/")
    web.hang("https://b.test/")
    (crawl.folder / "other").mkdir()
    store = f"sqlite:///{crawl.folder / 'other' / 'my store.db'}"
    elsewhere = {"ISSUECRAWL_DB": store}
    line = crawl.arguments(elsewhere, seeds="https://a.test/,https://b.test/")
    running = crawl.start(*line)
    deadline = time.monotonic() + 30
    while not web.asked("b.test") and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.communicate()

    other = crawl(elsewhere, seeds="https://a.test/", votes="pages", threshold=1)
    assert f"{RESUME} -s 'ISSUECRAWL_DB={store}'\n" in other.stderr
    assert other.returncode == 0, other.stderr


def test_links_without_an_address_are_counted_in_the_summary(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.test/", "http://[broken", "http://host:port/", "/fine")
    web.page("https://b.test/", "https://x.test/")

    done = crawl(seeds="https://a.test/,https://b.test/")

    assert "2  links left out (no address)" in done.stderr
