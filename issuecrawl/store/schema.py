"""The tables, declared once, in SQL that SQLite and PostgreSQL both understand.

Pages, sites, answers and links of a crawl are counted from 1 within the crawl; the
count is their *number*. A row's ``id`` is ``crawl * SPAN + number``, so that a crawl
is one range of ids in each table, rows are appended, and references within a crawl
(``answer.page``, ``link.source`` …) are small numbers. What an address is and what a
server said of it are two tables, since a row that grows when its page is fetched
splits the leaf it lies in.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 1

SPAN: Final = 2**32
"""Ids that a crawl may use in each table."""

INSIDE_TARGET: Final = "<u4"
INSIDE_FLAGS: Final = "<u1"
"""``answer.inside`` holds n targets, then n flags, as numpy types.

A flag byte is ``placement + 5 * kind + 30 * marked``: codes by PLACEMENTS and KINDS of
:mod:`issuecrawl.model.link`; marked where rel names nofollow, ugc or sponsored.
"""

TABLES: Final = """
CREATE TABLE issuecrawl (schema_version INTEGER NOT NULL);

CREATE TABLE crawl (
    id INTEGER PRIMARY KEY,
    series INTEGER NOT NULL,
    series_index INTEGER NOT NULL,
    title TEXT NOT NULL,
    given TEXT NOT NULL,            -- JSON: arguments as they came
    settings TEXT NOT NULL,         -- JSON: options as resolved
    program TEXT NOT NULL,
    suffix_list TEXT NOT NULL,
    salt BLOB NOT NULL,             -- keys the address hash
    state TEXT NOT NULL,            -- new running paused stopped finished failed
    pass INTEGER NOT NULL,
    started TEXT NOT NULL,          -- YYYY-MM-DD hh:mm:ss, UTC
    ended TEXT NOT NULL,
    took REAL NOT NULL,             -- seconds at work, all runs together
    timeouts INTEGER NOT NULL,
    bytes INTEGER NOT NULL
);

CREATE TABLE crawl_log (crawl INTEGER NOT NULL, line TEXT NOT NULL);

CREATE TABLE site (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    name TEXT NOT NULL,             -- of the rule, else empty
    category TEXT NOT NULL,
    voter TEXT NOT NULL,            -- registrable domain, or the rule's site
    home TEXT NOT NULL              -- the rule's first prefix, else empty
);

CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    hash BIGINT,                    -- of the identity, NULL where url is the identity
    site INTEGER NOT NULL,
    state INTEGER NOT NULL,
    url TEXT NOT NULL               -- the best spelling that occurred
);

CREATE TABLE spelling (page BIGINT NOT NULL, url TEXT NOT NULL);
-- page is an id here: the spellings that occurred of a page, other than page.url

CREATE TABLE answer (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL,
    pass INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    state INTEGER NOT NULL,
    reason TEXT,
    status INTEGER,
    asked TEXT,                     -- the spelling asked, where it is not page.url
    redirect INTEGER,               -- page number of the next hop
    fetched BIGINT,                 -- seconds since 1970
    last_modified BIGINT,           -- seconds since 1970, as the server said
    etag TEXT,
    checksum BIGINT,                -- blake2b-64 of the body, signed
    content_type TEXT,
    bytes INTEGER,
    title TEXT,
    nofollow INTEGER,               -- 1: robots meta element
    first_link INTEGER NOT NULL,    -- its link rows are numbered first_link ...
    links INTEGER NOT NULL,         -- ... to first_link + links - 1
    inside BLOB                     -- links within the site, in document order
);

CREATE TABLE link (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    source_site INTEGER NOT NULL,
    target_site INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    placement INTEGER NOT NULL,
    rel INTEGER NOT NULL,
    anchor TEXT
);

CREATE TABLE starting_point (
    crawl INTEGER NOT NULL,
    pass INTEGER NOT NULL,
    page INTEGER NOT NULL,          -- number, before any redirect
    why TEXT NOT NULL               -- seed | privileged | co-linked by n | linked
);
"""
