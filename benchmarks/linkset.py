"""Write a synthetic crawl straight into the tables of a store.

Sizes of sites, in-degrees and the share of links between sites (28 %) follow what
crawls of real sites showed: both are skewed, half of the pages are linked to twice or
less, and a page carries about 47 different links.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from issuecrawl.model.page import State
from issuecrawl.store.schema import INSIDE_FLAGS, INSIDE_TARGET, SPAN, TABLES, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

CRAWL = 1
BASE = CRAWL * SPAN
LABELS = ("org", "com", "net", "nl", "de", "fr", "eu", "int")


@dataclass(frozen=True, slots=True)
class LinkSet:
    """Links by page number; those of one page stand together, each target once."""

    source: Ints
    target: Ints
    site: Ints
    """Of each page; index 0 is unused."""


def generate(links: int, seed: int = 7) -> LinkSet:
    """Return about *links* links between the pages of ``links / 935`` sites."""
    rng = np.random.default_rng(seed)
    crawled = max(links // 47, 200)
    hosts = max(crawled // 100, 10)
    sizes = _sizes(hosts, crawled)
    popularity = (rng.permutation(5 * hosts) + 5.0) ** -0.85
    popularity /= popularity.sum()
    pool = 1 + (0.2 * popularity * links).astype(np.int64)
    pool[:hosts] += 8 * sizes
    first = np.concatenate([[0], np.cumsum(pool)])
    host = np.repeat(np.arange(hosts), sizes)
    page = first[host] + np.arange(crawled) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    degree = np.clip(rng.lognormal(3.83, 0.55, crawled), 2, 600).astype(np.int64)
    source, home = np.repeat(page, degree), np.repeat(host, degree)
    target = _inside(rng, first, pool, home)
    outward = np.flatnonzero(rng.random(len(source)) < 0.25)
    target[outward] = _outside(rng, first, pool, popularity, len(outward))
    pairs = np.unique((source << 32 | target)[source != target])
    return _numbered(pairs >> 32, pairs & (1 << 32) - 1, first)


def _sizes(hosts: int, pages: int) -> Ints:
    share = (np.arange(hosts) + 10.0) ** -0.9
    sizes = np.maximum(1, share / share.sum() * pages).astype(np.int64)
    sizes[0] += pages - sizes.sum()
    return sizes


def _inside(rng: np.random.Generator, first: Ints, pool: Ints, home: Ints) -> Ints:
    """Return targets within the site: a third of them its menu, the rest skewed."""
    size, u = pool[home], rng.random(len(home))
    menu = rng.random(len(home)) < 0.35
    return first[home] + np.where(menu, u * np.minimum(30, size), size * u**2).astype(
        np.int64
    )


def _outside(
    rng: np.random.Generator, first: Ints, pool: Ints, popularity: Ints, count: int
) -> Ints:
    """Return targets anywhere: a quarter of them home pages."""
    site = rng.choice(len(pool), count, p=popularity)
    deep = pool[site] * rng.random(count) ** 3
    return first[site] + np.where(rng.random(count) < 0.25, 0, deep).astype(np.int64)


def _numbered(source: Ints, target: Ints, first: Ints) -> LinkSet:
    """Return the links with pages and sites numbered as a crawl would, from 1."""
    used, at = np.unique(np.stack([source, target], axis=1).ravel(), return_index=True)
    number = np.zeros(int(first[-1]), np.int64)
    order = np.argsort(at, kind="stable")
    number[used[order]] = np.arange(1, len(used) + 1)
    site = np.zeros(len(used) + 1, np.int64)
    site[1:] = np.searchsorted(first, used[order], side="right")
    return LinkSet(number[source], number[target], site)


def write(path: Path, links: LinkSet) -> sqlite3.Connection:
    """Create a store at *path* that holds *links* as crawl 1."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(TABLES)
    db.execute("INSERT INTO issuecrawl VALUES (?)", (VERSION,))
    db.execute("BEGIN")
    db.execute(
        "INSERT INTO crawl VALUES (?, 1, 1, 'synthetic', '{}', '{\"site\": \"host\"}', '', '', x'00',"
        " 'finished', 0, '2024-01-01 00:00:00', '2024-01-01 00:00:00', 0, 0, 0)",
        (CRAWL,),
    )
    db.executemany("INSERT INTO site VALUES (?, ?, '', ?, ?, '')", _site_rows(links))
    db.executemany("INSERT INTO page VALUES (?, NULL, ?, ?, ?)", _page_rows(links))
    db.executemany(
        "INSERT INTO answer (id, page, pass, depth, state, first_link, links, inside)"
        " VALUES (?, ?, 0, 0, ?, ?, ?, ?)",
        _answer_rows(links),
    )
    db.executemany(
        "INSERT INTO link VALUES (?, ?, ?, ?, ?, 0, ?, 0, NULL)", _link_rows(links)
    )
    db.executemany(
        "INSERT INTO starting_point VALUES (?, 0, ?, 'seed')",
        ((CRAWL, page) for page in starting_pages(links)),
    )
    db.execute("COMMIT")
    db.execute("PRAGMA journal_mode = WAL")
    return db


def host(site: int) -> str:
    return f"{'abcdefgh'[site % 8]}-site{site}.{LABELS[site % 7]}.example"


def starting_pages(links: LinkSet) -> list[int]:
    """Return the first page of each site, and pages that their site does not link to.

    All pages with links are then in reach.
    """
    inside = links.site[links.source] == links.site[links.target]
    sources = np.unique(links.source)
    _, first = np.unique(links.site[sources], return_index=True)
    unlinked = np.setdiff1d(sources, links.target[inside])
    found: list[int] = np.union1d(sources[first], unlinked).tolist()
    return found


def _site_rows(links: LinkSet) -> Iterator[tuple[int, str, str, str]]:
    for site in range(1, int(links.site.max()) + 1):
        key = host(site)
        yield BASE + site, key, key.rpartition(".")[2].upper(), key


def _page_rows(links: LinkSet) -> Iterator[tuple[int, int, int, str]]:
    crawled = np.zeros(len(links.site), bool)
    crawled[links.source] = True
    state = np.where(crawled, int(State.RETRIEVED), int(State.KNOWN)).tolist()
    for page, site in enumerate(links.site.tolist()):
        if page:
            url = f"https://{host(site)}/section/{page * 7919 % 97}/article-{page}.html"
            yield BASE + page, site, state[page], url


def _answer_rows(links: LinkSet) -> Iterator[tuple[int, int, int, int, int, bytes]]:
    starts = np.flatnonzero(np.diff(links.source, prepend=0))
    ends = np.append(starts[1:], len(links.source))
    number = 1
    for answer, (start, end) in enumerate(
        zip(starts.tolist(), ends.tolist(), strict=True), 1
    ):
        page = int(links.source[start])
        targets = links.target[start:end]
        own = targets[links.site[targets] == links.site[page]]
        flags = (own % 3 == 0) * 1
        blob = (
            own.astype(INSIDE_TARGET).tobytes() + flags.astype(INSIDE_FLAGS).tobytes()
        )
        outward = end - start - len(own)
        yield BASE + answer, page, State.RETRIEVED, number, outward, blob
        number += outward


def _link_rows(links: LinkSet) -> Iterator[tuple[int, int, int, int, int, int]]:
    between = links.site[links.source] != links.site[links.target]
    source, target = links.source[between], links.target[between]
    columns = (source, target, links.site[source], links.site[target], target % 4)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, row in enumerate(rows, 1):
        yield BASE + number, *row
