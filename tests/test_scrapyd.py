"""A crawl from an egg on a real Scrapyd: deployed, scheduled, run to its network.

Scrapyd and its crawls run on an interpreter that sees the libraries of this one and
not the checkout, so that what runs is the egg.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sysconfig
import time
import urllib.parse
import urllib.request
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from issuecrawl.demo.proxy import Proxy
from tests.conftest import CHECKOUT, LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKED = ("issuecrawl", "analysis", "pipelines", "setup.py", "pyproject.toml")
PATIENCE = 60
"""Seconds until a test stops waiting for Scrapyd."""


class Scrapyd:
    """A Scrapyd in *folder*, on a port of its own, with the proxy of a web."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        self.python = str(interpreter(folder / "python"))
        self.environment = {**os.environ, **environment}
        for name in ("PYTHONPATH", "SCRAPY_SETTINGS_MODULE"):
            self.environment.pop(name, None)
        self.url = f"http://127.0.0.1:{self._configure()}"
        with (folder / "scrapyd.log").open("wb") as log:
            self.process = subprocess.Popen(
                [self.python, "-m", "scrapyd"],
                cwd=folder,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _configure(self) -> int:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port: int = free.getsockname()[1]
        lines = ("[scrapyd]", f"http_port = {port}", "poll_interval = 0.2")
        text = "\n".join((*lines, "max_proc = 1", "jobs_to_keep = 50"))
        (self.folder / "scrapyd.conf").write_text(text, encoding="utf-8")
        return port

    def get(self, service: str, **arguments: str) -> dict[str, Any]:
        return self._call(f"{service}.json?{urllib.parse.urlencode(arguments)}", None)

    def post(self, service: str, *arguments: tuple[str, str]) -> dict[str, Any]:
        return self._call(f"{service}.json", urllib.parse.urlencode(arguments).encode())

    def _call(self, what: str, data: bytes | None) -> dict[str, Any]:
        # Loopback itself, whatever proxy the environment names.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.url}/{what}", data, timeout=30) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def wait_for(self, what: Any) -> Any:
        """Return what *what* returns once it is something."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if found := what():
                    return found
            except ConnectionError:
                pass
            except OSError as error:
                if not isinstance(getattr(error, "reason", None), ConnectionError):
                    raise
            time.sleep(0.1)
        log = (self.folder / "scrapyd.log").read_text(encoding="utf-8")
        pytest.fail(f"Scrapyd has not done it in {PATIENCE} s:\n{log}")

    def deploy(self) -> None:
        """Build the egg and upload it, as a user would: by scrapyd-deploy."""
        project = self.folder / "project"
        project.mkdir()
        for name in (*PACKED, "README.md", "LICENSE"):
            copy(CHECKOUT / name, project / name)
        config = (CHECKOUT / "scrapy.cfg").read_text(encoding="utf-8")
        config = config.replace("http://localhost:6800", self.url)
        (project / "scrapy.cfg").write_text(config, encoding="utf-8")
        command = [self.python, "-m", "scrapyd_client.deploy", "--version", "1"]
        environment = {**self.environment, "no_proxy": "127.0.0.1"}
        done = subprocess.run(
            command,
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert '"status": "ok"' in done.stdout, done.stdout + done.stderr

    def crawl(self, *arguments: tuple[str, str]) -> str:
        """Schedule a crawl, wait for its end, return its log."""
        named = (("project", "issuecrawl"), ("spider", "issuenetwork"))
        settings = (
            ("setting", "DOWNLOAD_DELAY=0"),
            ("setting", f"ISSUECRAWL_HOME={self.home}"),
        )
        job = self.post("schedule", *named, *settings, *arguments)["jobid"]
        self.wait_for(lambda: job in self.finished())
        log = self.folder / "logs" / "issuecrawl" / "issuenetwork" / f"{job}.log"
        return log.read_text(encoding="utf-8")

    def finished(self) -> set[str]:
        jobs = self.get("listjobs", project="issuecrawl")["finished"]
        return {job["id"] for job in jobs}


def interpreter(folder: Path) -> Path:
    """Return an interpreter that has our libraries, and of ourselves nothing.

    A path file may name a folder; path files that lie in there, such as the one that
    makes an editable install, are not read.
    """
    venv.create(folder, symlinks=True)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    listed = Path(paths["purelib"]) / "libraries.pth"
    listed.write_text("\n".join(sorted(libraries)), encoding="utf-8")
    return folder / "bin" / "python"


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(source, target, ignore=ignored)
    else:
        shutil.copyfile(source, target)


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    """Serve two sites that link to a third."""
    web = LoopbackWeb()
    for host in ("a.test", "b.test"):
        web.page(f"https://{host}/", "https://x.test/1")
    web.page("https://x.test/")
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


@pytest.fixture(scope="module")
def scrapyd(
    web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scrapyd]:
    """Run a Scrapyd that has our egg."""
    scrapyd = Scrapyd(tmp_path_factory.mktemp("scrapyd"), web.environment)
    try:
        scrapyd.wait_for(lambda: scrapyd.get("daemonstatus"))
        scrapyd.deploy()
        yield scrapyd
    finally:
        scrapyd.process.terminate()
        scrapyd.process.wait(PATIENCE)


def networks(scrapyd: Scrapyd) -> list[Path]:
    return sorted(scrapyd.home.glob("networks/*"))


def test_egg_names_its_spider(scrapyd: Scrapyd) -> None:
    listed = scrapyd.get("listspiders", project="issuecrawl")
    assert listed["spiders"] == ["issuenetwork"]


def test_scheduled_crawl_leaves_its_network_at_home(scrapyd: Scrapyd) -> None:
    before = networks(scrapyd)

    log = scrapyd.crawl(
        ("seeds", "https://a.test/,https://b.test/"),
        ("title", "From an egg, with spaces"),
        ("depth", "0"),
    )

    (network,) = set(networks(scrapyd)) - set(before)
    tree = etree.parse(network / "network.xml")
    assert tree.findtext("Title") == "From an egg, with spaces", log
    assert [site.get("host") for site in tree.iterfind("PageList/Site")] == ["x.test"]
    assert (scrapyd.home / "issuecrawl.db").exists()


def test_seeds_of_a_job_may_lie_in_a_file_at_home(scrapyd: Scrapyd) -> None:
    seeds = scrapyd.home / "seeds.txt"
    seeds.write_text("https://a.test/\nhttps://b.test/\n", encoding="utf-8")
    before = networks(scrapyd)

    log = scrapyd.crawl(("seeds", "@seeds.txt"), ("depth", "0"))

    (network,) = set(networks(scrapyd)) - set(before)
    assert (network / "network.txt").read_text(encoding="utf-8").split() == [
        "https://x.test/"
    ], log


def test_wrong_argument_of_a_job_fails_in_one_sentence(scrapyd: Scrapyd) -> None:
    before = networks(scrapyd)

    log = scrapyd.crawl(("seeds", "https://a.test/,https://b.test/"), ("depth", "-1"))

    assert "depth=-1 cannot be used" in log
    assert "Traceback" not in log
    assert networks(scrapyd) == before
    listed = sqlite3.connect(scrapyd.home / "issuecrawl.db")
    with contextlib.closing(listed) as db:
        state, line = db.execute(
            "SELECT state, line FROM crawl JOIN crawl_log ON crawl = id"
            " ORDER BY id DESC"
        ).fetchone()
    assert state == "failed"
    assert "depth=-1 cannot be used" in line


@pytest.mark.parametrize("argument", ["seeds", "exclude"])
def test_file_outside_is_refused_and_not_quoted(
    scrapyd: Scrapyd, argument: str
) -> None:
    secret = scrapyd.folder / "secret.txt"
    secret.write_text("https://secret.test/ a password\n", encoding="utf-8")
    given = {"seeds": "https://a.test/,https://b.test/", argument: f"@{secret}"}

    log = scrapyd.crawl(*given.items())

    assert "ISSUECRAWL_FILES" in log
    assert "password" not in log
    assert "secret.test" not in log
    assert "Traceback" not in log


def test_network_of_a_job_stays_at_home(scrapyd: Scrapyd) -> None:
    outside = scrapyd.folder / "elsewhere"

    log = scrapyd.crawl(
        ("seeds", "https://a.test/,https://b.test/"), ("out", str(outside))
    )

    assert "ISSUECRAWL_FILES" in log
    assert not outside.exists()
