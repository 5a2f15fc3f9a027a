"""The tutorial against the program: its lines are run, and what they print compared."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from issuecrawl.demo.__main__ import crawl
from issuecrawl.demo.folder import web_from
from issuecrawl.demo.proxy import Proxy
from tests.conftest import Command
from tests.documents import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEMO = files("issuecrawl.demo")
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
OWN_ISSUE: Final = "## Your own issue"
STAMP: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
LEFT_OUT: Final = "…"


class Shown(NamedTuple):
    """Lines that are to be run, and what the tutorial says that the last one prints."""

    lines: list[str]
    output: list[str]


def shown(text: str) -> Iterator[Shown]:
    """Yield what is to be run by a page's *text*, in order."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines: list[str] = []
    for block in blocks:
        if re.match(r"scrapy |source |sed ", block):
            if lines:
                yield Shown(lines, [])
            lines = block.splitlines()
        elif lines:
            yield Shown(lines, block.splitlines())
            lines = []
    if lines:
        yield Shown(lines, [])


class Place:
    """A folder with the sample web and ``demo/``, as a checkout has them."""

    def __init__(self, root: Path) -> None:
        self.sites = root / "issuecrawl" / "demo" / "sites"
        with as_file(DEMO / "sites") as sites:
            shutil.copytree(sites, self.sites)
        self.demo = root / "demo"
        self.demo.mkdir()
        self.command = Command(self.demo, {})
        self.command.environment["COLUMNS"] = "90"

    def crawl(self) -> None:
        web = web_from(self.sites)
        with as_file(DEMO / "seeds.txt") as seeds, Proxy(web) as proxy:
            assert crawl(self.demo, seeds, proxy.environment) == 0

    def run(self, line: str) -> str:
        """Do what *line* does in ``demo/`` and return what it prints."""
        if line == "make -C .. demo":
            self.crawl()
            return ""
        if not line.startswith("scrapy "):
            subprocess.run(["bash", "-c", line], cwd=self.demo, check=True)
            return ""
        done = self.command.scrapy(*shlex.split(line)[1:])
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    found = Place(tmp_path_factory.mktemp("tutorial"))
    found.crawl()
    edits = re.search(r"^```\n(decision,.*?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)
    assert edits
    (found.demo / "edits.csv").write_text(edits[1], encoding="utf-8")
    return found


def test_tutorial_shows_what_its_lines_print(place: Place) -> None:
    # From the demo up to the reader's own issue.
    text = TUTORIAL[TUTORIAL.index("## Ask why") : TUTORIAL.index(OWN_ISSUE)]
    compared = 0
    for one in shown(text):
        lines = [line for line in one.lines if not line.startswith(("source ", "cd "))]
        printed = [place.run(line) for line in lines]
        assert_shows(one.output, printed[-1])
        compared += bool(one.output)
    assert compared > 5


def assert_shows(output: list[str], printed: str) -> None:
    """Assert that the lines of *output* come in this order, together but for ``…``."""
    rest = STAMP.sub("(date)", printed).splitlines()
    together = True
    for line in (STAMP.sub("(date)", line) for line in output):
        if line == LEFT_OUT:
            together = False
            continue
        assert line in rest, line
        at = rest.index(line)
        assert at == 0 or not together, rest[0]
        rest = rest[at + 1 :]
        together = True
    assert not rest or output[-1:] in ([], [LEFT_OUT]), rest
