"""Links stored per CPU second, bytes a link, and memory a known URL.

    python benchmarks/store.py [--links 1000000] [--rival]

A generated crawl: 47 links a page with placement and anchors, 28 % of them to other
sites, 0.24 new addresses a link of 77 characters. Feeding costs are measured apart
and taken off. ``--rival`` stores the same with a UNIQUE index on the address text.
"""

import argparse
import gc
import random
import resource
import sqlite3
import tempfile
import time
from pathlib import Path

from issuecrawl.model.link import Link
from issuecrawl.model.options import resolve
from issuecrawl.model.page import Page
from issuecrawl.model.site import Sites
from issuecrawl.store import crawls
from issuecrawl.store.database import connect
from issuecrawl.store.writer import CrawlWriter

PLACES = ("body", "body", "body", "navigation", "footer")
PER_PAGE = 47


def host(site):
    return f"www.climate-{site}-network.example"


def address(site, page):
    return f"https://{host(site)}/policy/2009/11/statement-{page}.html"


def feed(links, *, anchors=True, seed=1):
    """Yield pages of a crawl in which in-degrees are skewed as on the Web."""
    draw = random.Random(seed)
    pages = links // PER_PAGE
    sites = max(20, pages // 20)
    crawled = sites // 5 + 1
    known = [8] * sites  # addresses of a site; the first 8 stand in its menu
    for number in range(pages):
        site, page = number % crawled, number // crawled
        found = []
        for _ in range(PER_PAGE):
            where = int(sites * draw.random() ** 2) if draw.random() < 0.28 else site
            if draw.random() < 0.24:
                which = known[where]
                known[where] += 1
            else:
                which = int(known[where] * draw.random() ** 2)
            found.append(
                Link(
                    address(where, which),
                    "a",
                    PLACES[draw.randrange(5)],
                    "",
                    f"statement {which} of the network" if anchors else "",
                )
            )
        yield Page(
            address(site, page),
            status=200,
            etag='"abc"',
            checksum="00ff00ff00ff00ff",
            content_type="text/html; charset=utf-8",
            bytes=30_000,
            title="Global action statement",
            fetched="2026-11-30 12:00:00",
            last_modified="2026-11-30 12:00:00",
            links=found,
        )


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def rss():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


def file_size(path):
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return path.stat().st_size


def ours(folder, links, *, anchors):
    path = folder / "ours.db"
    db = connect(path, create=True)
    settings = resolve({}, read=str)
    crawl = crawls.create(
        db, title="", given={}, settings=settings, program="", suffix_list=""
    )
    salt = crawls.find(db, crawl)["salt"]
    db.close()
    writer = CrawlWriter(path, crawl, salt, Sites())
    gc.collect()
    before = rss()
    spent = stored = 0
    marks = []
    for page in feed(links, anchors=anchors):
        start = cpu()
        number = writer.number(page.url)
        writer.record(number, page)
        writer.tick()
        spent += cpu() - start
        stored += PER_PAGE
        if stored % (links // 5) < PER_PAGE:
            marks.append((stored, spent))
    start = cpu()
    writer.flush()
    spent += cpu() - start
    gc.collect()
    known = len(writer.site) - 1
    memory = (rss() - before) / known
    rows = writer.links
    writer.close()
    return spent, file_size(path), known, memory, rows, marks


def rival(folder, links):
    path = folder / "rival.db"
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-262144;"
        "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE);"
        "CREATE TABLE links(src INTEGER NOT NULL, dst INTEGER NOT NULL);"
    )
    spent = 0
    batch = []

    def put():
        urls = {
            u: 1 for page in batch for u in (page.url, *(x.target for x in page.links))
        }
        db.execute("BEGIN")
        db.executemany(
            "INSERT OR IGNORE INTO pages(url) VALUES(?)", [(u,) for u in urls]
        )
        ids = {
            u: db.execute("SELECT id FROM pages WHERE url=?", (u,)).fetchone()[0]
            for u in urls
        }
        db.executemany(
            "INSERT INTO links VALUES(?,?)",
            [(ids[p.url], ids[x.target]) for p in batch for x in p.links],
        )
        db.execute("COMMIT")
        batch.clear()

    for page in feed(links):
        batch.append(page)
        if len(batch) == 100:
            start = cpu()
            put()
            spent += cpu() - start
    start = cpu()
    put()
    spent += cpu() - start
    db.close()
    return spent, file_size(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--rival", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wall = time.perf_counter()
        spent, size, known, memory, rows, marks = ours(
            folder, args.links, anchors=False
        )
        print(f"links {args.links:,}, between sites {rows:,}, known URLs {known:,}")
        print(f"{'store':<34}{'links/CPU s':>14}{'B/link':>9}")
        print(
            f"{'ours, without anchors':<34}{args.links / spent:>14,.0f}{size / args.links:>9.1f}"
        )
        (folder / "ours.db").unlink()
        spent, size, known, memory, rows, marks = ours(folder, args.links, anchors=True)
        print(
            f"{'ours, with anchors':<34}{args.links / spent:>14,.0f}{size / args.links:>9.1f}"
        )
        if args.rival:
            other, other_size = rival(folder, args.links)
            print(
                f"{'UNIQUE(url), no placement, no anchor':<34}"
                f"{args.links / other:>12,.0f}{other_size / args.links:>9.1f}"
            )
        print(f"memory a known URL: {memory:.0f} B")
        last = (0, 0)
        for mark in marks:
            print(
                f"  to {mark[0]:>12,}: {(mark[0] - last[0]) / (mark[1] - last[1]):>12,.0f} links/CPU s"
            )
            last = mark
        print(f"wall {time.perf_counter() - wall:.0f} s")


if __name__ == "__main__":
    main()
