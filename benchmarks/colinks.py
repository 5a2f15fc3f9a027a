"""Co-links of a stored crawl: SQLite and DuckDB on one file, beside networkx.

    python benchmarks/colinks.py [--links 10000000] [--mode page] [--networkx]

Each runs in a process of its own, from opening the store to the units that two voters
link to. CPU seconds are the figure to compare; those of reach and of reading pages
are ours alone, since networkx is given the links of all pages. networkx takes some
4 GB at 10 million links. ``--store FILE`` keeps the generated store, or uses one.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from linkset import CRAWL, generate, write

from analysis.course import Course
from analysis.engines import open_engine
from analysis.starts import seeds
from analysis.view import View
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.database import connect
from issuecrawl.store.reader import StoredCrawl

ALL_PAGES = 20
"""A depth within which every page of the generated sites lies."""


class Laps:
    """CPU seconds from one call to the next."""

    def __init__(self):
        self.seconds = {}
        self._last = time.process_time()

    def lap(self, name):
        now = time.process_time()
        self.seconds[name], self._last = now - self._last, now


def with_sql(path, engine, mode):
    laps = Laps()
    crawl = StoredCrawl(connect(path), CRAWL)
    view = View(crawl, Parameters(mode=mode, depth=ALL_PAGES), own=True)
    view.barred  # noqa: B018  # reads sites and states of all pages
    laps.lap("read pages")
    database = open_engine(crawl, engine)
    laps.lap("open")
    course = Course(view, database)
    course.begin(seeds(view))
    laps.lap("reach")
    units, _ = course.analyse().kept()
    laps.lap("retention")
    database.close()
    return len(units), laps.seconds


def with_networkx(path, mode):
    import networkx as nx  # loaded where it is measured

    laps = Laps()
    crawl = StoredCrawl(connect(path), CRAWL)
    site = crawl.site.tolist()
    inside = crawl.links_inside(np.flatnonzero(crawl.has_links))
    laps.lap("read pages")
    graph = nx.DiGraph()
    graph.add_edges_from(
        zip(inside.sources.tolist(), inside.targets.tolist(), strict=True)
    )
    del inside
    graph.add_edges_from(
        crawl.db.execute(
            "SELECT source, target FROM link WHERE id >= ? AND id < ?",
            (crawl.base, crawl.end),
        )
    )
    laps.lap("build")
    voters = {}
    for page in graph:
        unit = page if mode == "page" else site[page]
        own = site[page]
        heard = voters.setdefault(unit, set())
        heard.update(site[source] for source in graph.pred[page] if site[source] != own)
    kept = sum(len(heard) > 1 for heard in voters.values())
    laps.lap("retention")
    return kept, laps.seconds


def measure(path, how, mode):
    kept, laps = (
        with_networkx(path, mode) if how == "networkx" else with_sql(path, how, mode)
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"kept": kept, "laps": laps, "peak": peak}))


def compare(path, modes, contenders):
    print(f"{'':10}{'':6}{'kept':>9}{'CPU s':>8}{'peak MB':>9}  of which")
    for mode in modes:
        for how in contenders:
            line = [sys.executable, __file__, "--measure", how]
            line += ["--mode", mode, "--store", str(path)]
            done = subprocess.run(line, check=True, capture_output=True, text=True)
            found = json.loads(done.stdout)
            parts = ", ".join(f"{n} {s:.2f}" for n, s in found["laps"].items())
            total = sum(found["laps"].values())
            print(
                f"{how:10}{mode:6}{found['kept']:>9,}{total:>8.2f}"
                f"{found['peak']:>9.0f}  {parts}",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("--mode", choices=("page", "site"))
    parser.add_argument("--networkx", action="store_true", help="measure it too")
    parser.add_argument("--store", type=Path, help="file of the generated store")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure == "writing":
        write(given.store, generate(given.links)).close()
        return
    if given.measure:
        measure(given.store, given.measure, given.mode)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or Path(folder) / "colinks.db"
        if not path.exists():
            # In a process of its own too, so that its memory is not counted below.
            line = [sys.executable, __file__, "--measure", "writing"]
            line += ["--links", str(given.links), "--store", str(path)]
            subprocess.run(line, check=True)
        contenders = ["sqlite", "duckdb"] + ["networkx"] * given.networkx
        compare(path, [given.mode] if given.mode else ["page", "site"], contenders)


if __name__ == "__main__":
    main()
