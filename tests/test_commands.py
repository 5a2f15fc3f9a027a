"""What the commands say, where they say it, and how they end."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

from issuecrawl.model.options import CRAWL, RETENTION
from issuecrawl.store import crawls
from issuecrawl.store.database import connect
from tests.conftest import Command

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Crawl, Finished, LoopbackWeb

SEEDS = "https://a.example/,https://b.example/"
COMMANDS = ("analyze", "crawl", "export", "harvest", "list-crawls")


@pytest.fixture
def scrapy(tmp_path: Path) -> Command:
    return Command(tmp_path, {})


@pytest.fixture
def crawled(web: LoopbackWeb, crawl: Crawl) -> Finished:
    """Crawl two starting points that agree on a third site."""
    web.page("https://a.example/", "https://x.example/")
    web.page("https://b.example/", "https://x.example/")
    web.page("https://x.example/")
    done = crawl(seeds=SEEDS, title="[two] & one")
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_and_fits_the_screen(name: str, scrapy: Command) -> None:
    done = scrapy.scrapy(name, "--help")

    assert done.returncode == 0
    examples = done.stdout.partition("Examples:\n")[2]
    assert examples.count(f"scrapy {name}") == examples.strip().count("\n") + 1
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_help_of_crawl_names_every_argument(scrapy: Command) -> None:
    shown = scrapy.scrapy("crawl", "--help").stdout

    for option in (*CRAWL, *RETENTION):
        assert re.search(rf"^  {option.name}= +\w", shown, re.MULTILINE), option.name


def test_help_of_analyze_names_every_option_of_the_network(scrapy: Command) -> None:
    shown = scrapy.scrapy("analyze", "--help").stdout

    for option in RETENTION:
        assert re.search(rf"^  --{option.name} ", shown, re.MULTILINE), option.name


def test_list_of_commands_says_what_each_does(scrapy: Command) -> None:
    shown = scrapy.scrapy().stdout

    for name in COMMANDS:
        assert re.search(rf"^  {name} +\w", shown, re.MULTILINE)


def test_crawl_logs_what_it_does_and_not_what_scrapy_consists_of(
    crawled: Finished,
) -> None:
    assert "Starting crawl dbPrimaryKey: 1" in crawled.stderr
    assert "Enabled" not in crawled.stderr
    assert "Overridden settings" not in crawled.stderr
    assert not crawled.stdout
    assert re.search(
        r"^  network    1 core node, 2 pages link in$", crawled.stderr, re.MULTILINE
    )


def test_store_without_a_crawl_says_where_none_is(scrapy: Command) -> None:
    done = scrapy.scrapy("list-crawls")

    assert done.returncode == 2
    assert done.stderr.startswith(f"There is no store at {scrapy.folder}")
    assert "start a crawl first" in done.stderr


@pytest.mark.usefixtures("crawled")
def test_crawls_are_listed_as_a_table(crawl: Crawl) -> None:
    done = crawl.scrapy("list-crawls")

    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(
        r"│ 1 +│ \[two\] & one +│ finished +│ 3 retrieved +│ 1 ", done.stdout
    )


@pytest.mark.usefixtures("crawled")
def test_crawls_are_listed_as_json(crawl: Crawl) -> None:
    (listed,) = json.loads(crawl.scrapy("list-crawls", "--json").stdout)

    assert listed["id"] == 1
    assert listed["title"] == "[two] & one"
    assert listed["state"] == "finished"
    assert listed["pages"] == {"retrieved": 3}
    assert listed["pass"] == 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", listed["started"])
    assert listed["took"] > 0
    assert listed["error"] == ""


def test_refused_job_is_listed_with_the_sentence_that_refused_it(
    crawled: Finished, crawl: Crawl
) -> None:
    db = connect(crawled.store)
    made = crawls.create(
        db, title="", given={}, settings={}, program="", suffix_list=""
    )
    crawls.fail(db, made, "[ERROR]depth=-1 cannot be used")
    db.close()

    listed = json.loads(crawl.scrapy("list-crawls", "--json").stdout)[-1]

    assert (listed["state"], listed["error"]) == ("failed", "depth=-1 cannot be used")
    for line in (("analyze", made), crawl.arguments(crawl=made)):
        done = crawl.scrapy(*line)
        assert done.returncode == 2
        assert done.stderr.startswith(f"Crawl {made} failed before it began")


@pytest.mark.usefixtures("crawled")
def test_finished_crawl_is_not_resumed(crawl: Crawl) -> None:
    done = crawl(crawl=1)

    assert done.returncode == 2
    assert done.stderr == (
        "Crawl 1 is finished; scrapy analyze 1 computes its network,"
        " seeds= starts a new crawl\n"
    )


@pytest.mark.usefixtures("crawled")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"crawl": 9}, "There is no crawl 9 in the store; it has 1\n"),
        (
            {"crawl": "one"},
            "crawl=one cannot be used; expected the number of a crawl\n",
        ),
        (
            {"crawl": 1, "depth": 2},
            "A crawl is resumed with its own settings, so depth=",
        ),
    ],
)
def test_crawl_to_resume_is_named_by_number_alone(
    crawl: Crawl, arguments: dict[str, Any], sentence: str
) -> None:
    done = crawl(**arguments)

    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


def test_crawl_that_died_is_named_at_the_next_start_and_resumes(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.example/", "https://x.example/")
    web.hang("https://b.example/")
    web.page("https://x.example/")
    line = crawl.arguments(seeds=SEEDS, votes="pages", threshold=1, out="mine")
    running = crawl.start(*line)
    wait_until(lambda: "https://a.example/" in web.asked())
    second = crawl(crawl=1)
    refused = crawl(seeds="ftp://x.example/")
    running.kill()
    running.communicate()

    assert re.fullmatch(r"Crawl 1 is being run by process \d+; .*\n", second.stderr)
    assert "unfinished" not in refused.stderr
    (listed,) = json.loads(crawl.scrapy("list-crawls", "--json").stdout)
    assert listed["state"] == "stopped"
    so_far = crawl.scrapy("analyze", 1, "--out", "so-far")
    assert "mind       the crawl is not finished (running)" in so_far.stdout

    web.page("https://b.example/", "https://x.example/")
    other = crawl(seeds=SEEDS)
    assert other.stderr.startswith(
        "Crawl 1 lies unfinished; resume it with: scrapy crawl issuenetwork -a crawl=1\n"
    )
    done = crawl(crawl=1)
    assert done.returncode == 0, done.stderr
    # The folder that was given at its start.
    assert (done.folder / "mine" / "network.xml").exists()


def test_damaged_store_is_told_in_one_sentence(crawled: Finished, crawl: Crawl) -> None:
    db = sqlite3.connect(crawled.store)
    db.execute("DROP TABLE answer")
    db.close()

    done = crawl.scrapy("analyze", 1)

    assert done.returncode == 2
    assert done.stderr.startswith("The store cannot be read (no such table: answer)")
    assert done.stderr.count("\n") == 1


def test_harvest_prints_addresses_of_files_and_of_a_pipe(scrapy: Command) -> None:
    path = scrapy.folder / "notes.html"
    path.write_bytes(b'caf\xe9 <a href="https://a.example/?x=1&amp;y=2">www.b.example')

    done = scrapy.scrapy("harvest", path.name)
    with path.open("rb") as notes:
        piped = subprocess.run(
            scrapy.line("harvest", "-"),
            stdin=notes,
            env=scrapy.environment,
            capture_output=True,
            text=True,
            check=True,
        )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "https://a.example/?x=1&y=2\nhttp://www.b.example/\n"
    assert piped.stdout == done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 2, "Name the files to harvest, or - for what is piped in\n"),
        (["none.txt"], 2, "The file none.txt cannot be read (No such file"),
        (["empty.txt"], 1, "No address found; those that begin with http://"),
    ],
)
def test_harvest_of_nothing_says_so(
    scrapy: Command, arguments: list[str], code: int, sentence: str
) -> None:
    (scrapy.folder / "empty.txt").write_text("nothing here")

    done = scrapy.scrapy("harvest", *arguments)

    assert done.returncode == code
    assert done.stderr.startswith(sentence)
    assert not done.stdout


def test_reader_that_has_enough_ends_harvest_quietly(scrapy: Command) -> None:
    lines = "\n".join(f"https://a.example/{n}" for n in range(50_000))
    (scrapy.folder / "many.txt").write_text(lines)
    running = scrapy.start("harvest", "many.txt")
    assert running.stdout is not None
    assert running.stderr is not None

    running.stdout.readline()
    running.stdout.close()

    assert running.stderr.read() == ""
    running.stderr.close()
    assert running.wait(timeout=30) == 0


def wait_until(what: object, seconds: float = 30) -> None:
    assert callable(what)
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)
