"""Put a web that was crawled in memory into a store in memory, row by row."""

from __future__ import annotations

import json
import random
import sqlite3
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from issuecrawl.model.link import KINDS, PLACEMENTS, RELS
from issuecrawl.model.options import as_settings
from issuecrawl.model.page import State
from issuecrawl.store.schema import INSIDE_TARGET, SPAN, TABLES
from tests import webs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from issuecrawl.model.parameters import Parameters
    from tests.oracle import PageFacts, Pass, Web

CRAWL = 3
BASE = CRAWL * SPAN


@dataclass
class Crawled:
    """A web, what was asked of it, and the settings it was crawled with."""

    web: Web
    starts: tuple[str, ...]
    parameters: Parameters
    passes: list[Pass]
    by_domain: bool = False
    shuffle: int = 0
    """Seed of the order in which pages and answers are numbered: it must not matter."""

    left_out: frozenset[str] = frozenset()
    """Pages that a budget cut: they were due, and never asked for."""

    pages: dict[str, int] = field(default_factory=dict)
    sites: dict[str, int] = field(default_factory=dict)

    def store(self) -> sqlite3.Connection:
        db = sqlite3.connect(":memory:", isolation_level=None)
        for statement in TABLES.split(";"):
            if statement.strip():
                db.execute(statement)
        self._number(db)
        self._add_crawl(db)
        self._add_pages(db)
        self._add_answers(db)
        rows = [
            (CRAWL, number, self.pages[page], "seed" if number == 0 else "privileged")
            for number, one in enumerate(self.passes)
            for page in (self.starts if number == 0 else sorted(one.starts))
        ]
        insert(db, "starting_point", rows)
        return db

    def asked(self) -> dict[str, int]:
        """Return each page that was asked for, and in which pass first."""
        asked: dict[str, int] = {}
        for number, one in enumerate(self.passes):
            for page in sorted(one.asked):
                if page not in self.left_out:
                    asked.setdefault(page, number)
        return asked

    def _number(self, db: sqlite3.Connection) -> None:
        asked = self.asked()
        known = set(asked) | set(self.starts)
        for one in self.passes:
            known |= one.starts
        for page in asked:
            known |= {link.target for link in self.web.links(page)}
            hop = self.web.facts(page).redirect
            known |= {hop} if hop else set()
        order = random.Random(self.shuffle)  # noqa: S311
        pages = sorted(known)
        order.shuffle(pages)
        self.pages = {page: number for number, page in enumerate(pages, 1)}
        for page in pages:
            key = self.web.site(page)
            if key not in self.sites:
                self.sites[key] = len(self.sites) + 1
                prefix = webs.rule(page) or ""
                name = key if prefix else ""
                voter = self.web.domain(page)
                insert(
                    db,
                    "site",
                    [(BASE + self.sites[key], key, name, "EXAMPLE", voter, prefix)],
                )

    def _add_crawl(self, db: sqlite3.Connection) -> None:
        settings = as_settings(self.parameters) | {
            "title": "",
            "author": "",
            "email": "",
            "seeds": list(self.starts),
            "site": "domain" if self.by_domain else "host",
            "sites": [[prefix, name] for prefix, name in webs.RULES.items()],
            "identity": "normal",
            "pages_per_site": 0,
            "pages": 0,
        }
        stamp = "2026-01-01 00:00:00"
        row: tuple[Any, ...] = (
            *(CRAWL, CRAWL, 1, "", "{}", json.dumps(settings), "issuecrawl", "psl"),
            *(b"salt", "finished", len(self.passes) - 1, stamp, stamp, 0.0, 0, 0),
        )
        insert(db, "crawl", [row])

    def _add_pages(self, db: sqlite3.Connection) -> None:
        asked = self.asked()
        rows = []
        for page, number in self.pages.items():
            if page in asked:
                state = state_of(self.web.facts(page))
            elif page in self.left_out:
                state = State.SKIPPED
            elif not self.web.public(page):
                state = State.REFUSED
            elif self.web.excluded(page, self.parameters.exclude):
                state = State.EXCLUDED
            else:
                state = State.KNOWN
            site = self.sites[self.web.site(page)]
            rows.append((BASE + number, None, site, int(state), page))
        insert(db, "page", rows)

    def _add_answers(self, db: sqlite3.Connection) -> None:
        asked = self.asked()
        order = random.Random(self.shuffle + 1)  # noqa: S311
        pages = sorted(asked)
        order.shuffle(pages)
        links = 0
        for number, page in enumerate(pages, 1):
            facts = self.web.facts(page)
            inside, outward = self._links(page)
            first = links + 1
            rows = []
            for row in outward:
                links += 1
                rows.append((BASE + links, *row))
            insert(db, "link", rows)
            hop = self.pages[facts.redirect] if facts.redirect else None
            if not facts.answers:
                hop = None
            answer: tuple[Any, ...] = (
                *(BASE + number, self.pages[page], asked[page], 0),
                *(int(state_of(facts)), None, 200, None, hop, 1_700_000_000),
                *(None, None, None, "text/html", 100, "title"),
                *(1 if facts.nofollow else None, first, len(rows), inside or None),
            )
            insert(db, "answer", [answer])

    def _links(self, page: str) -> tuple[bytes, list[tuple[Any, ...]]]:
        """Return the links of *page* within its site, packed, and those to others."""
        targets, flags = [], []
        outward: dict[tuple[Any, ...], None] = {}
        for link in self.web.links(page):
            if link.target == page:
                continue
            target, kind = self.pages[link.target], KINDS.index(link.kind)
            placement = PLACEMENTS.index(link.placement)
            rel = sum(1 << RELS.index(word) for word in link.rel.split())
            source_site = self.sites[self.web.site(page)]
            target_site = self.sites[self.web.site(link.target)]
            if source_site == target_site:
                targets.append(target)
                flags.append(placement + 5 * kind + (30 if rel & 7 else 0))
            else:
                row = (self.pages[page], target, source_site, target_site)
                outward[(*row, kind, placement, rel, None)] = None
        packed = np.array(targets, INSIDE_TARGET).tobytes() + bytes(flags)
        return packed, list(outward)


def state_of(facts: PageFacts) -> State:
    if not facts.answers:
        return State.FAILED
    return State.RETRIEVED if facts.redirect is None else State.REDIRECTED


def insert(db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    rows = list(rows)
    if rows:
        marks = ",".join("?" * len(rows[0]))
        db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
