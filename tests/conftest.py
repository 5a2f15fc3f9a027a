"""Fixtures: a web on loopback, and the real command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from issuecrawl.demo.proxy import Proxy
from issuecrawl.demo.web import Web

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CHECKOUT = Path(__file__).resolve().parent.parent
FORMATS = "issuenetwork,gexf,graphml,csv,txt,json"
CONTACT = "https://contact.example/about-this-crawl"


class LoopbackWeb(Web):
    """A web that is served; ``proxy`` is where."""

    proxy: str
    environment: dict[str, str]


@pytest.fixture
def web() -> Iterator[LoopbackWeb]:
    """Serve an empty web for one test to fill."""
    web = LoopbackWeb()
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has come to its end."""

    returncode: int
    stdout: str
    stderr: str

    folder: Path
    """Where it ran."""

    @property
    def store(self) -> Path:
        return self.folder / "issuecrawl.db"

    @property
    def store_url(self) -> str:
        return f"sqlite:///{self.store}"

    def network(self, crawl: int = 1) -> Path:
        """Folder of a crawl's network, where no ``out`` was given."""
        return self.folder / "networks" / str(crawl)


class Command:
    """Runs ``scrapy`` as a user would, in a folder of the test's own."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("ISSUECRAWL_")},
            **environment,
            "PYTHONPATH": str(CHECKOUT),
            "SCRAPY_SETTINGS_MODULE": "issuecrawl.settings",
            "COLUMNS": "100",
        }

    def scrapy(self, *arguments: object, timeout: float = 60) -> Finished:
        """Run ``scrapy`` with *arguments* to its end."""
        done = subprocess.run(
            self.line(*arguments),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Finished(done.returncode, done.stdout, done.stderr, self.folder)

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        """Start ``scrapy`` with *arguments*; the caller ends it."""
        return subprocess.Popen(
            self.line(*arguments),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def line(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "scrapy", *map(str, arguments)]


class Crawl(Command):
    """Runs ``scrapy crawl issuenetwork`` on the loopback web, without a delay."""

    def __call__(
        self,
        settings: Mapping[str, object] | None = None,
        timeout: float = 60,
        **arguments: object,
    ) -> Finished:
        """Crawl with spider *arguments* to the end; Scrapy's *settings* come on top."""
        return self.scrapy(*self.arguments(settings, **arguments), timeout=timeout)

    def arguments(
        self, settings: Mapping[str, object] | None = None, **arguments: object
    ) -> list[str]:
        """Return the arguments of ``scrapy`` for that crawl."""
        named = {
            "DOWNLOAD_DELAY": 0,
            "ISSUECRAWL_DB": f"sqlite:///{self.folder / 'issuecrawl.db'}",
            "ISSUECRAWL_CONTACT": CONTACT,
            "ISSUECRAWL_HOST_REST": 0.2,
            # Without what takes seconds to draw.
            "ISSUECRAWL_FORMATS": FORMATS,
            **(settings or {}),
        }
        line = ["crawl", "issuenetwork"]
        for name, value in arguments.items():
            line += ["-a", f"{name}={value}"]
        for name, value in named.items():
            line += ["-s", f"{name}={value}"]
        return line


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """Return what drives browsers; there can be one at a time."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver


@pytest.fixture
def crawl(web: LoopbackWeb, tmp_path: Path) -> Crawl:
    """Return what runs a crawl of the test's web in a folder of its own."""
    return Crawl(tmp_path, web.environment)


@pytest.fixture
def scrapy(tmp_path: Path, web: LoopbackWeb) -> Command:
    """Return what runs any command of ours in a folder of its own."""
    return Command(tmp_path, web.environment)
