"""CPU seconds until why a node is in a network, and until all evidence is written.

    python benchmarks/why.py [--links 1000000] [--store FILE]

On the feed of store.py, written as a crawl writes it, with anchors; every site that has
pages is a starting point. First the steps, then the whole command, each in a process of
its own. ``--store FILE`` keeps the generated store, or uses one.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from store import PER_PAGE, address, feed

from analysis.compute import worked_out
from analysis.near import near
from analysis.why import Inquiry
from issuecrawl.model.options import parameters, resolve
from issuecrawl.model.site import Sites
from issuecrawl.store import crawls
from issuecrawl.store.database import connect, transaction
from issuecrawl.store.reader import StoredCrawl
from issuecrawl.store.writer import CrawlWriter

CRAWL = 1


def with_texts(path, links):
    """Store the feed as a crawl of which every site with pages is a starting point."""
    settings = resolve({"privilege": "1"}, read=str)
    settings |= {"site": "host", "sites": [], "identity": "normal"}
    settings |= {"title": "", "author": "", "email": ""}
    sites = max(20, links // PER_PAGE // 20) // 5 + 1
    settings["seeds"] = [address(site, 0) for site in range(sites)]
    db = connect(path, create=True)
    crawl = crawls.create(
        db, title="", given={}, settings=settings, program="", suffix_list=""
    )
    writer = CrawlWriter(path, crawl, crawls.find(db, crawl)["salt"], Sites())
    starts = [(writer.number(url), "seed") for url in settings["seeds"]]
    writer.add_starting_points(0, starts)
    for page in feed(links):
        writer.record(writer.number(page.url), page)
        writer.tick()
    writer.close()
    with transaction(db):
        db.execute("UPDATE crawl SET state = 'finished'")
    db.close()


class Laps(dict):
    def __init__(self):
        self.last = time.process_time()

    def lap(self, name):
        now = time.process_time()
        self[name], self.last = now - self.last, now


def measure(path):
    laps = Laps()
    crawl = StoredCrawl(connect(path), CRAWL)
    chosen = parameters(crawl.settings)
    laps.lap("read")
    with worked_out(crawl, chosen, own=False) as found:
        laps.lap("analyse")
        misses = near(found.course, found.retention, found.core)
        laps.lap("near")
        inquiry = Inquiry(found)
        laps.lap("network")
        nodes = inquiry.network.graph.nodes(data="inlinks")
        best = max(nodes, key=lambda row: row[1])[0]
        inquiry.account(best)
        laps.lap("node")
        inquiry.account(misses[0].node if misses else best)
        laps.lap("candidate")
        pairs = sum(1 for _ in inquiry.network.evidence.links())
        laps.lap("all evidence")
    core = len(inquiry.network.sites)
    print(json.dumps({"laps": laps, "core": core, "pairs": pairs}))


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def command(path, node):
    line = [sys.executable, "-m", "scrapy", "why", str(CRAWL), *node]
    line += ["-s", f"ISSUECRAWL_DB=sqlite:///{path}"]
    before = spent()
    subprocess.run(line, check=True, capture_output=True)
    return spent() - before


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(given.measure)
        return
    with tempfile.TemporaryDirectory() as name:
        texts = given.store or Path(name) / "texts.db"
        if not texts.exists():
            with_texts(texts, given.links)
        line = [sys.executable, __file__, "--measure", str(texts)]
        done = subprocess.run(line, check=True, capture_output=True, text=True)
        found = json.loads(done.stdout)
        print(f"core sites {found['core']:,}, pairs of evidence {found['pairs']:,}")
        for step, seconds in found["laps"].items():
            print(f"  {step:<14}{seconds:>8.2f} s")
        host = address(0, 0).split("/")[2]
        print(f"scrapy why 1 {host}: {command(texts, [host]):.2f} s")
        print(f"scrapy why 1 --near: {command(texts, ['--near']):.2f} s")


if __name__ == "__main__":
    main()
