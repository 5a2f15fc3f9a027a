"""How long the stability of a network takes, beside the network alone.

    python benchmarks/stability.py [--links 100000] [--starts 20] [--mode page]

The crawl is synthetic (``linkset``), in a store of its own; the starting points are
the first pages of its largest sites, and reach goes as deep as their pages lie, so that
nearly all links count. Times are seconds on the clock, from opening the store.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from linkset import CRAWL, generate, write

from analysis.compute import network
from analysis.stability.compute import stability
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.database import connect
from issuecrawl.store.reader import StoredCrawl

ALL_PAGES = 20
"""A depth within which every page of the generated sites lies."""


def first_pages(links, number):
    """Return a page of each of the *number* sites with the most links."""
    sources, degree = np.unique(links.source, return_counts=True)
    outgoing = np.bincount(links.site[sources], weights=degree)
    largest = np.argsort(-outgoing, kind="stable")[:number]
    _, first = np.unique(links.site[sources], return_index=True)
    page = dict(zip(np.unique(links.site[sources]), sources[first], strict=True))
    return [int(page[site]) for site in largest if site in page]


def stored(path, links, starts):
    db = write(path, links)
    db.execute("DELETE FROM starting_point")
    db.executemany(
        "INSERT INTO starting_point VALUES (?, 0, ?, 'seed')",
        ((CRAWL, page) for page in first_pages(links, starts)),
    )
    db.close()


def timed(work, path):
    began = time.perf_counter()
    db = connect(path)
    found = work(StoredCrawl(db, CRAWL))
    db.close()
    return found, time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--links", type=int, default=100_000)
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--mode", choices=("site", "page"), default="site")
    opts = parser.parse_args()
    chosen = Parameters(mode=opts.mode, depth=ALL_PAGES)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.db"
        links = generate(opts.links)
        stored(path, links, opts.starts)
        whole, alone = timed(lambda crawl: network(crawl, chosen, own=False), path)
        found, all_of_it = timed(
            lambda crawl: stability(crawl, chosen, own=False), path
        )
    variants = len(found.variants)
    print(f"links            {len(links.source):>10,}")
    print(f"core nodes       {found.core:>10,}")
    print(f"variants         {variants:>10,}")
    print(f"network alone    {alone:>10.2f} s  ({len(whole.pages):,} pages)")
    print(f"stability        {all_of_it:>10.2f} s")
    print(f"per variant      {all_of_it / (variants + 1):>10.3f} s")


if __name__ == "__main__":
    main()
