"""``scrapy analyze``: networks out of stored items, without a request."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from issuecrawl.demo.proxy import Proxy
from tests.conftest import Command, Crawl, LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Finished

SEEDS = "https://a.example/,https://b.example/,https://c.example/"
ITEMS = "items.jsonl"


def fill(web: LoopbackWeb) -> None:
    """Three starting points, two sites that they agree on, one behind a redirect."""
    a, b, c = (f"https://{name}.example" for name in "abc")
    x, y = "https://x.example", "https://y.example"
    web.page(f"{a}/", f"{a}/1", f"{x}/", f"{b}/")
    web.page(f"{a}/1", f"{a}/2", f"{x}/p", f"{y}/")
    web.page(f"{a}/2", f"{y}/deep")
    web.page(f"{b}/", f"{b}/1", f"{x}/", "https://lonely.example/")
    web.page(f"{b}/1", f"{y}/", f"{x}/p")
    web.page(f"{c}/", f"{c}/1", f"{x}/p", "https://old.example/")
    web.page(f"{c}/1", f"{y}/deep", f"{a}/")
    web.page(f"{x}/", f"{x}/p", f"{y}/", f"{a}/", "https://z.example/")
    web.page(f"{x}/p", f"{y}/deep", f"{b}/")
    web.page(f"{y}/", f"{y}/deep", f"{x}/", "https://z.example/")
    web.page(f"{y}/deep", f"{x}/p")
    web.page("https://z.example/", f"{x}/", f"{y}/")
    web.page("https://lonely.example/", f"{x}/")
    web.redirect("https://old.example/", f"{y}/")


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    web = LoopbackWeb()
    fill(web)
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


@pytest.fixture(scope="module")
def wide(web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Crawl more than any of the analyses below needs, with a feed of its items."""
    crawl = Crawl(tmp_path_factory.mktemp("wide"), web.environment)
    line = crawl.arguments(
        {"ISSUECRAWL_FORMATS": "all"},
        seeds=SEEDS,
        depth=2,
        iterations=2,
        analysis="snowball",
        title="Wide",
    )
    done = crawl.scrapy(*line, "-O", ITEMS)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def scrapy(web: LoopbackWeb, wide: Finished) -> Command:
    return Command(wide.folder, web.environment)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_own_options_give_the_network_of_the_crawl(
    scrapy: Command, wide: Finished
) -> None:
    done = scrapy.scrapy("analyze", 1, "--out", "same")

    assert done.returncode == 0
    assert not done.stderr
    assert files(wide.folder / "same") == files(wide.network())


def test_items_give_the_network_of_the_crawl(scrapy: Command, wide: Finished) -> None:
    done = scrapy.scrapy("analyze", ITEMS, "--out", "from-items")

    assert (done.returncode, done.stderr) == (0, "")
    assert files(wide.folder / "from-items") == files(wide.network())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"depth": 0},
        {"mode": "page", "depth": 2},
        {"threshold": 3, "iterations": 2},
        {"privilege": 1, "depth": 0, "votes": "pages"},
        {"analysis": "interactor"},
    ],
    ids=lambda options: " ".join(f"{k}={v}" for k, v in options.items()) or "defaults",
)
def test_other_options_give_what_a_crawl_with_them_gives(
    options: dict[str, Any],
    scrapy: Command,
    web: LoopbackWeb,
    tmp_path: Path,
) -> None:
    given = {"analysis": "colink", "depth": 1, "iterations": 1, **options}
    flags = [
        f"--{name}={value}" for name, value in given.items() if name != "privilege"
    ]
    flags.append("--privilege" if options.get("privilege") else "--no-privilege")
    asked = len(web.hits)

    analysed = scrapy.scrapy("analyze", 1, *flags, "--out", tmp_path / "analysed")
    assert len(web.hits) == asked
    crawled = Crawl(tmp_path, web.environment)(seeds=SEEDS, **options)

    assert analysed.returncode == crawled.returncode == 0
    assert not (tmp_path / "analysed" / "missing.txt").exists()
    for name in ("nodes.csv", "edges.csv", "network.txt", "network.gexf"):
        wanted = (crawled.network() / name).read_bytes()
        found = (tmp_path / "analysed" / name).read_bytes()
        # The title is the crawl's own.
        assert found.replace(b"Wide", b"") == wanted, name


def test_pages_never_asked_for_are_listed_and_told(crawl: Crawl) -> None:
    done = crawl(seeds=SEEDS, depth=0)
    assert done.returncode == 0

    deeper = crawl.scrapy("analyze", 1, "--depth", 1, "--out", "deeper")

    missing = (done.folder / "deeper" / "missing.txt").read_text().splitlines()
    assert "https://a.example/1" in missing
    assert f"incomplete {len(missing)} pages would be needed" in deeper.stdout
    # Gone with the reason for it.
    crawl.scrapy("analyze", 1, "--out", "deeper")
    assert not (done.folder / "deeper" / "missing.txt").exists()


def test_network_of_other_options_spares_that_of_the_crawl(
    scrapy: Command, wide: Finished
) -> None:
    before = files(wide.network())

    done = scrapy.scrapy("analyze", 1, "--mode", "page", "--exclude", "z.example")

    (folder,) = wide.folder.glob("networks/1_exclude-*_mode-page")
    assert f"{folder.relative_to(wide.folder)}/" in done.stdout
    assert files(wide.network()) == before


def test_number_for_a_name_spares_the_network_of_that_crawl(
    scrapy: Command, wide: Finished
) -> None:
    (wide.folder / "1.jsonl").write_bytes((wide.folder / ITEMS).read_bytes())

    done = scrapy.scrapy("analyze", "1.jsonl")

    assert "networks/1-jsonl/" in done.stdout


def test_exclusions_add_to_the_crawls_own_or_replace_them(scrapy: Command) -> None:
    def entries(*flags: str) -> str:
        return scrapy.scrapy("analyze", 1, "--out", "x", *flags).stdout

    assert "exclude=253" in entries("--exclude", "x.example")
    assert "exclude=0 entries" in entries("--exclude", "-")
    assert "exclude=1 entry" in entries("--exclude=-,x.example")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Expected one crawl, by its number, or one file of its items; got none"),
        ([1, 2], "Expected one crawl, by its number, .* got 1, 2"),
        ([9], "There is no crawl 9 in the store; it has 1"),
        (["99999999999999999999"], "99999999999999999999 is neither the number"),
        (["nothing.jsonl"], "nothing.jsonl is neither the number of a crawl nor a"),
        ([1, "--treshold", 3], "--treshold is no option .* did you mean --threshold"),
        ([1, "--depth", "-1"], "depth=-1 cannot be used; expected a whole number"),
        ([1, "--mode", "pages"], "mode=pages cannot be used; expected site or page"),
        (
            [1, "--analysis", "colink", "--iterations", 0],
            "iterations=0 leaves no co-link",
        ),
        ([1, "--exclude", "a.example"], "https://a.example/ is on your exclusion list"),
        ([1, "--exclude", "http://"], "exclude=http:// cannot be used"),
        ([1, "--seeds", SEEDS], "--seeds goes with a file of items; crawl 1 has its"),
        ([1, "--out", ITEMS], "out=items.jsonl cannot be used; expected a folder"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    arguments: list[object], sentence: str, scrapy: Command
) -> None:
    done = scrapy.scrapy("analyze", *arguments)

    assert done.returncode == 2
    assert re.search(sentence, done.stderr), done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_store_that_is_not_there_is_named(scrapy: Command, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'none.db'}"

    done = scrapy.scrapy("analyze", 1, "-s", f"ISSUECRAWL_DB={url}")

    assert done.returncode == 2
    assert done.stderr.startswith(f"There is no store at {tmp_path / 'none.db'}; start")
    assert not (tmp_path / "none.db").exists()


def test_broken_last_line_costs_its_page_and_one_warning(
    scrapy: Command, wide: Finished
) -> None:
    lines = (wide.folder / ITEMS).read_bytes().splitlines(keepends=True)
    last = lines[-2][:40]
    (wide.folder / "broken.jsonl").write_bytes(b"".join([*lines[:-2], last]))

    done = scrapy.scrapy("analyze", "broken.jsonl", "--out", "broken")

    assert done.returncode == 1
    assert done.stderr == (
        f"broken.jsonl, line {len(lines) - 1} is incomplete and left out\n"
    )
    assert (wide.folder / "broken" / "network.xml").exists()


def test_items_without_the_crawl_need_its_starting_points(
    scrapy: Command, wide: Finished
) -> None:
    lines = (wide.folder / ITEMS).read_bytes().splitlines(keepends=True)
    pages = [line for line in lines if b'"starting_points"' not in line]
    (wide.folder / "pages.jsonl").write_bytes(b"".join(pages))
    options = ("--analysis", "snowball", "--depth", 2, "--iterations", 2)

    refused = scrapy.scrapy("analyze", "pages.jsonl", *options)
    done = scrapy.scrapy(
        "analyze", "pages.jsonl", *options, "--seeds", SEEDS, "--out", "pages"
    )

    assert refused.returncode == 2
    assert refused.stderr.endswith("name its starting points with --seeds\n")
    assert done.returncode == 0
    for name in ("nodes.csv", "edges.csv"):
        wanted = (wide.network() / name).read_bytes()
        assert (wide.folder / "pages" / name).read_bytes() == wanted


def test_file_that_holds_no_items_is_refused(scrapy: Command, wide: Finished) -> None:
    (wide.folder / "array.json").write_text('[\n{"url": "https://a.example/"},\n]\n')

    done = scrapy.scrapy("analyze", "array.json")

    assert done.returncode == 2
    assert done.stderr == (
        "array.json holds no items, one on a line as JSON;"
        " write the feed of a crawl with -O items.jsonl\n"
    )


def test_of_two_crawls_in_a_feed_the_last_is_taken(
    scrapy: Command, wide: Finished
) -> None:
    lines = (wide.folder / ITEMS).read_text().splitlines()
    earlier = json.loads(lines[0]) | {"started": "2001-01-01 00:00:00"}
    elsewhere = {"url": "https://elsewhere.example/", "links": []}
    both = [json.dumps(earlier), json.dumps(elsewhere), *lines]
    (wide.folder / "both.jsonl").write_text("\n".join(both))

    done = scrapy.scrapy("analyze", "both.jsonl", "--out", "both")

    assert done.returncode == 1
    assert "holds crawl 1 (2001-01-01 00:00:00) and crawl 1 (" in done.stderr
    assert files(wide.folder / "both") == files(wide.network())


def test_ctrl_c_stops_and_leaves_nothing_half_written(
    scrapy: Command, wide: Finished
) -> None:
    lines = (wide.folder / ITEMS).read_text().splitlines()
    path = wide.folder / "long.jsonl"
    path.write_text("\n".join([lines[0], *(20_000 * lines[1:2])]) + "\n")
    running = scrapy.start("analyze", path.name, "--out", "long")
    until = time.monotonic() + 30
    while not is_reading(running.pid, path) and time.monotonic() < until:
        time.sleep(0.01)

    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)

    assert running.returncode == 130
    assert (out, err) == ("", "Stopped; files that are there are whole\n")
    assert not (wide.folder / "long").exists()


def is_reading(pid: int, path: Path) -> bool:
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as opened:
        return str(path) in [str(Path(entry).readlink()) for entry in opened]
    return False
