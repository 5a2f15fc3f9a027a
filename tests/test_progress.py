"""How work says that it goes on: figures, the live display, a line now and then."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import time
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from rich.console import Console

from issuecrawl import progress
from issuecrawl.model.page import State
from issuecrawl.model.parameters import Parameters
from issuecrawl.summary import duration
from issuecrawl.working import Working

if TYPE_CHECKING:
    from tests.conftest import Crawl, LoopbackWeb

SEEDS = "https://a.example/,https://b.example/"


def run(**pages: int) -> Any:
    """Return what progress reads of a run, with so many pages in each state."""
    states = {State[word.upper()]: count for word, count in pages.items()}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("x.example", votes=3)
    graph.add_node("y.example", votes=1)
    return SimpleNamespace(
        crawl=7,
        parameters=Parameters(iterations=2),
        passes=SimpleNamespace(number=1),
        frontier=SimpleNamespace(sites_at_work=lambda: 12),
        live=SimpleNamespace(graph=lambda: graph),
        writer=SimpleNamespace(
            pages=Counter(states), links=5000, site=[0, *[1] * sum(pages.values())]
        ),
    )


def test_line_has_every_figure() -> None:
    busy = run(retrieved=1200, redirected=34, waiting=590, pending=10, gone=2, failed=3)

    assert progress.line(busy, 2.0) == (
        "pass 1 of 2, pages fetched 1,234, waiting 600, failed 5, pages per second 2.0,"
        " sites at work 12, links between sites 5,000, known pages 1,839,"
        " time left in this pass 5 min"
    )


def test_time_left_is_unknown_before_anything_came() -> None:
    assert progress.line(run(waiting=2), 0.0).endswith("time left in this pass unknown")


def test_table_ends_with_the_sites_that_most_agree_on() -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(progress.table(run(retrieved=1), 1.0))
    lines = [" ".join(row.split()) for row in console.export_text().splitlines()]

    assert lines[0] == "Crawl 7"
    assert "pages fetched 1" in lines
    assert lines[-2:] == [
        "x.example linked to by 3 starting sites",
        "y.example linked to by 1 starting site",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (3540, "59 min"),
        (3599, "1 h 0 min"),
        (90_000, "25 h 0 min"),
    ],
)
def test_duration_is_said_as_people_say_it(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_work_of_known_size_says_how_much_is_done() -> None:
    work = Working()
    work.on("Reading items.jsonl", 200)
    work.advance(50)

    assert work.line() == "Reading items.jsonl, 25 %, 0 s so far"
    work.on("Writing net")
    assert work.line() == "Writing net, 0 s so far"


def test_long_work_says_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    work = Working(seconds=0.01)
    with work.shown():
        work.on("Computing")
        time.sleep(0.2)
    said = capsys.readouterr().err.splitlines()

    assert len(said) > 1
    assert set(said) == {"Computing, 0 s so far"}


def test_short_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    work = Working()
    with work.shown():
        work.on("Computing")

    assert capsys.readouterr() == ("", "")


def on_terminal(crawl: Crawl, *arguments: object) -> str:
    """Run ``scrapy`` on a terminal; return what that shows."""
    ours, theirs = pty.openpty()
    environment = {**crawl.environment, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        crawl.line(*arguments),
        cwd=crawl.folder,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        shown = b""
        try:
            while data := os.read(ours, 4096):
                shown += data
        except OSError:
            pass  # Linux ends so when the last writer is gone.
        finally:
            os.close(ours)
    assert running.returncode == 0, shown
    return shown.decode()


def test_terminal_shows_figures_that_change_and_the_summary_once(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.example/", "https://x.example/")
    web.page("https://b.example/", "https://x.example/")
    web.page("https://x.example/", delay=1.2)

    shown = on_terminal(crawl, *crawl.arguments(seeds=SEEDS))
    analysed = on_terminal(crawl, "analyze", 1)

    assert shown.count("pages fetched") > 2
    assert "x.example  " in shown
    assert "linked to by 2 starting sites" in shown
    assert shown.count("Crawl 1: finished") == 1
    assert analysed.count("Analysis of 1") == 1


def test_ctrl_c_ends_with_the_line_that_resumes(web: LoopbackWeb, crawl: Crawl) -> None:
    web.page("https://a.example/", "https://x.example/")
    web.page("https://b.example/", "https://x.example/", delay=1.0)
    running = crawl.start(*crawl.arguments(seeds=SEEDS))
    until = time.monotonic() + 30
    while "https://b.example/" not in web.asked() and time.monotonic() < until:
        time.sleep(0.02)

    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)

    assert err.count("scrapy crawl issuenetwork -a crawl=1") == 1
    assert re.search(r"^Crawl 1: stopped$", err, re.MULTILINE)
    assert "Traceback" not in err
    assert running.returncode == 0
    done = crawl(crawl=1)
    assert done.returncode == 0
    assert "Crawl 1: finished" in done.stderr
