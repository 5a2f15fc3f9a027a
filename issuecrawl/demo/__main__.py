"""Crawl the sample web with the real command and show the network: ``make demo``."""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from issuecrawl.demo.folder import web_from
from issuecrawl.demo.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Mapping

DATA = files("issuecrawl.demo")

# Nobody is bothered on loopback, and nobody there reads the contact page.
SETTINGS = (
    "DOWNLOAD_DELAY=0",
    "ISSUECRAWL_HOST_REST=1",
    "ISSUECRAWL_CONTACT=https://contact.example/",
)


def crawl(folder: Path, seeds: Path, proxy: Mapping[str, str]) -> int:
    """Run ``scrapy crawl issuenetwork`` in *folder*; return its exit code."""
    command = [sys.executable, "-m", "scrapy", "crawl", "issuenetwork"]
    for argument in (f"seeds=@{seeds}", "title=The Varn barrage", "author=make demo"):
        command += ["-a", argument]
    for setting in SETTINGS:
        command += ["-s", setting]
    ours = {"SCRAPY_SETTINGS_MODULE": "issuecrawl.settings"}
    environment = {**os.environ, **proxy, **ours}
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def core(network: Path) -> Table:
    """Return the sites of the core, those with most voters first."""
    with (network / "nodes.csv").open(encoding="utf-8", newline="") as lines:
        nodes = [row for row in csv.DictReader(lines) if row["role"] == "core"]
    nodes.sort(key=lambda row: (-int(row["voters"]), row["site"]))
    table = Table("site", title="Core of the network", title_justify="left")
    for name in ("voters", "inlinks", "outlinks"):
        table.add_column(name, justify="right")
    for row in nodes:
        table.add_row(row["site"], row["voters"], row["inlinks"], row["outlinks"])
    return table


def newest(networks: Path) -> Path:
    """Return the network of the last crawl; each has its crawl's number for a name.

    Networks of analyses may lie beside them, under other names.
    """
    crawls = [folder for folder in networks.iterdir() if folder.name.isdecimal()]
    return max(crawls, key=lambda folder: int(folder.name))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m issuecrawl.demo", description=__doc__
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path("demo"),
        help="where the store and the networks go (default: demo)",
    )
    folder: Path = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with as_file(DATA / "seeds.txt") as seeds, Proxy(web_from(DATA / "sites")) as proxy:
        code = crawl(folder, seeds, proxy.environment)
    if code:
        print("The crawl failed; its log is above.", file=sys.stderr)
        return code
    network = newest(folder / "networks")
    console = Console()
    console.print(core(network))
    for line in (
        f"The network lies in {network}",
        f"Its map, to open in a browser: {(network / 'map.html').as_uri()}",
        f"Its report: {(network / 'report.html').as_uri()}",
    ):
        console.print(line, soft_wrap=True, highlight=False)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        # The crawl has said how it is resumed; shells give 130 for Ctrl-C.
        sys.exit(130)
