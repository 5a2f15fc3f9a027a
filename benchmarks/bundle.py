"""Seconds, memory and size of a bundle.

    python benchmarks/bundle.py [--links 100000 1000000]

The crawl is that of ``benchmarks/store.py``: 47 links a page with placement and anchors,
28 % of them to other sites. Each step runs in a process of its own; its memory is the
peak over what the process had with everything imported. ``tables`` are written without
the network, to show that they stream.
"""

import argparse
import multiprocessing
import resource
import tempfile
import time
from contextlib import closing
from pathlib import Path

from store import feed

from analysis.compute import network
from analysis.files import write_all
from issuecrawl.bundle import parquet, rows
from issuecrawl.bundle.made import Making
from issuecrawl.bundle.packing import Packing
from issuecrawl.bundle.tables import REFUSALS, STORED
from issuecrawl.bundle.unpack import unpacked
from issuecrawl.bundle.verify import verify
from issuecrawl.bundle.write import write_bundle
from issuecrawl.model.options import parameters, resolve
from issuecrawl.model.site import Sites
from issuecrawl.store import crawls
from issuecrawl.store.database import connect, transaction
from issuecrawl.store.reader import StoredCrawl
from issuecrawl.store.writer import CrawlWriter
from issuecrawl.working import Working

FORMATS = ("issuenetwork", "gexf", "graphml", "csv", "txt", "json", "evidence")
"""Without those that are drawn, whose time is not the bundle's."""


def make(folder, links):
    """Store a finished crawl of *links* links, each site started at its first page."""
    path = folder / "crawl.db"
    settings = resolve({}, read=str) | {"site": "host", "sites": [], "seeds": []}
    with closing(connect(path, create=True)) as db:
        crawl = crawls.create(
            db, title="", given={}, settings=settings, program="", suffix_list=""
        )
        salt = crawls.find(db, crawl)["salt"]
        writer = CrawlWriter(path, crawl, salt, Sites())
        firsts = {}
        for page in feed(links):
            number = writer.number(page.url)
            writer.record(number, page)
            writer.tick()
            firsts.setdefault(writer.site[number], number)
        writer.add_starting_points(0, [(page, "seed") for page in firsts.values()])
        writer.close()
        with transaction(db):
            db.execute("UPDATE crawl SET state = 'finished'")


def opened(folder):
    return closing(connect(folder / "crawl.db"))


def tables(folder):
    with opened(folder) as db, Packing(folder / "tables.zip") as packing:
        crawl = StoredCrawl(db, 1)
        for table in (*STORED, REFUSALS):
            with packing.member(table.path) as file:
                parquet.write(file, table, getattr(rows, table.name)(crawl))


def files(folder):
    with opened(folder) as db:
        crawl = StoredCrawl(db, 1)
        chosen = parameters(crawl.settings)
        write_all(network(crawl, chosen, own=True), folder / "net", FORMATS)


def bundle(folder):
    with opened(folder) as db:
        crawl = StoredCrawl(db, 1)
        making = Making(parameters(crawl.settings), own=True, given={}, formats=FORMATS)
        write_bundle(folder / "a.zip", crawl, making, Working())


def read(folder):
    with unpacked(folder / "a.zip", Working()):
        pass


def verified(folder):
    assert verify(folder / "a.zip", Working()).same


STEPS = {
    "tables": tables,
    "network's files, from the store": files,
    "bundle, all of it": bundle,
    "reading it back": read,
    "bundle --verify": verified,
}


def measured(step, folder, answers):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, cpu = time.perf_counter(), time.process_time()
    step(folder)
    end = time.perf_counter(), time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answers.put((end[0] - start, end[1] - cpu, (peak - before) / 1024))


def alone(step, folder):
    """Return wall seconds, CPU seconds and MB of *step* in a process of its own."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=measured, args=(step, folder, answers))
    process.start()
    answer = answers.get()
    process.join()
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--links", type=int, nargs="+", default=[100_000, 1_000_000])
    for links in parser.parse_args().links:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make(folder, links)
            print(f"{links:,} links")
            print(f"  {'step':<34}{'seconds':>9}{'CPU s':>9}{'MB':>9}")
            for title, step in STEPS.items():
                seconds, cpu, memory = alone(step, folder)
                print(f"  {title:<34}{seconds:>9.1f}{cpu:>9.1f}{memory:>9.0f}")
            store = (folder / "crawl.db").stat().st_size
            size = (folder / "a.zip").stat().st_size
            alone_size = (folder / "tables.zip").stat().st_size
            print(
                f"  store {store / 1e6:,.1f} MB, bundle {size / 1e6:,.1f} MB, its tables"
                f" {alone_size / 1e6:,.1f} MB ({alone_size / links:.1f} B a link)"
            )


if __name__ == "__main__":
    main()
