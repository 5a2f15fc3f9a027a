"""Write a running crawl: addresses get numbers, answers become rows.

What is asked here is answered from memory, or from what is stored already; what is
written goes into the batch of the moment, so that a page, its links and the pages
that they name are stored in one transaction or not at all.
"""

from __future__ import annotations

import calendar
import time
from array import array
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from issuecrawl.model.link import (
    FOLLOW,
    FOLLOWED_KINDS,
    KINDS,
    PLACEMENTS,
    RECORD,
    RELS,
    VOTING_KINDS,
)
from issuecrawl.model.page import ANSWERED, EXCLUSION, NOT_PUBLIC, State
from issuecrawl.model.site import Site
from issuecrawl.model.url import better_spelling, identity_of, split
from issuecrawl.store.addresses import AddressMap
from issuecrawl.store.batch import BatchWriter
from issuecrawl.store.database import connect
from issuecrawl.store.hashing import address_hash, signed
from issuecrawl.store.reader import Inside
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from issuecrawl.model.page import Page
    from issuecrawl.model.site import Sites
    from issuecrawl.model.url import Address

RECENT: Final = 1 << 16
"""Addresses whose numbers are kept by their text; most links repeat a recent one."""

_KIND: Final[dict[str, int]] = {kind: code for code, kind in enumerate(KINDS)}
_PLACEMENT: Final[dict[str, int]] = {
    placement: code for code, placement in enumerate(PLACEMENTS)
}
_MARKS: Final = 7
"""Codes of nofollow, ugc and sponsored, summed."""
_FOLLOWED: Final = frozenset(_KIND[kind] for kind in FOLLOWED_KINDS)
_VOTING: Final = frozenset(_KIND[kind] for kind in VOTING_KINDS)
_JUDGED: Final = {EXCLUSION: int(State.EXCLUDED), NOT_PUBLIC: int(State.REFUSED)}
_COUNTED: Final = frozenset({FOLLOW, RECORD})
_IMPLIED: Final = 1 << 31
"""Marks the number of an identity that did not occur as a spelling itself."""
_STATES: Final = {state.word: state for state in State}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the frontier needs of a stored answer."""

    page: int
    state: State
    redirect: int = 0
    follow: Sequence[int] = ()
    """Pages of the same site to go on to, in document order, each once."""
    outward: Mapping[int, int] = field(default_factory=dict)
    """Other site to the number of its pages that voting links lead to."""
    barred: Sequence[tuple[str, str]] = ()
    """(address, reason) of pages that became known by it and are not to be fetched."""


class CrawlWriter:
    """The writing side of one crawl; one process has it at a time."""

    def __init__(
        self,
        path: Path,
        crawl: int,
        salt: bytes,
        sites: Sites,
        *,
        strict: bool = False,
    ) -> None:
        self.crawl = crawl
        self.base = crawl * SPAN
        self.sites = sites
        self.strict = strict
        self.batch = BatchWriter(path)
        self._salt = salt
        self._read = connect(path)
        self._map = AddressMap()
        self._recent: dict[str, int] = {}
        self._fresh: dict[int, str] = {}
        """Addresses that may not be stored yet; every other one is."""
        self._insides: dict[int, bytes] = {}
        """Links within the site of answers that may not be stored yet."""
        self._respelled: set[int] = set()
        """Pages of which several spellings occurred."""
        self._barred: list[tuple[str, str]] = []
        self._site_numbers: dict[str, int] = {}
        self.site_rows: list[Site | None] = [None]
        self.site = array("I", [0])
        """By page number, as the three that follow: the page's site."""
        self.state = array("B", [0])
        self.answer = array("I", [0])
        """Number of the page's answer, 0 where it has none."""
        self.answered_in = array("B", [0])
        """1 + pass in which the page came to its answer."""
        self.pages: Counter[int] = Counter()
        """Pages by state."""
        self.reasons: Counter[str] = Counter()
        """Answers by ``state (reason)``, of those that were not retrieved."""
        self.links = 0
        self.timeouts = 0
        self.bytes = 0
        self.answers = 0
        self._took = 0.0
        self._began = time.monotonic()
        self._load()

    # What is known

    def number(self, url: str, judged: str = FOLLOW) -> int:
        """Return the number of the page at *url*, which becomes known by it.

        *url* is written as the URL Standard asks; 0 if it is no http(s) address.
        *judged* is why a page new by this is not to be fetched, if it is not.
        """
        number = self._recent.get(url)
        if number is None:
            if len(self._recent) >= RECENT:
                self._recent.clear()
            number = self._recent[url] = self._intern(url, judged)
        return number

    def url(self, page: int) -> str:
        """Return the address of *page*: the best spelling that occurred so far."""
        fresh = self._fresh.get(page)
        if fresh is not None:
            return fresh
        (url,) = self._read.execute(
            "SELECT url FROM page WHERE id = ?", (self.base + page,)
        ).fetchone()
        return str(url)

    def other_spellings(self, page: int) -> list[str]:
        """Return the spellings of *page* other than its address, best first."""
        self.batch.flush()
        rows = self._read.execute(
            "SELECT DISTINCT url FROM spelling WHERE page = ?", (self.base + page,)
        ).fetchall()
        best = self.url(page)
        return sorted(
            (url for (url,) in rows if url != best),
            key=lambda url: (not url.startswith("https:"), "//www." in url, url),
        )

    def redirect(self, page: int) -> int:
        """Return the next hop of a redirected page, else 0."""
        if self.state[page] != State.REDIRECTED:
            return 0
        self._stored(page)
        (target,) = self._read.execute(
            "SELECT redirect FROM answer WHERE id = ?", (self.base + self.answer[page],)
        ).fetchone()
        return int(target or 0)

    def follow(self, page: int) -> list[int]:
        """Return where the stored links of *page* lead within its site, in order."""
        if self.state[page] not in ANSWERED:
            return []
        blob = self._insides.get(page)
        if blob is None:
            (blob, nofollow) = self._read.execute(
                "SELECT inside, nofollow FROM answer WHERE id = ?",
                (self.base + self.answer[page],),
            ).fetchone()
            if nofollow:
                return []
        inside = Inside.unpack(blob)
        steps = inside.targets[np.isin(inside.kinds, list(_FOLLOWED))]
        return list(dict.fromkeys(steps.tolist()))

    def stored_outward(
        self, apart: Collection[int] = ()
    ) -> Iterator[tuple[int, Counter[int]]]:
        """Yield (site, its voting links as in :class:`Answer`) for stored pages.

        Links to pages that are barred, or *apart* from them, are left out.
        """
        marks = ",".join(map(str, sorted(_VOTING)))
        rows = self._read.execute(
            "SELECT source, target, source_site FROM link"
            f" WHERE id >= ? AND id < ? AND kind IN ({marks}) ORDER BY id",
            (self.base, self.base + SPAN),
        )
        for (_, site), links in groupby(rows, key=lambda row: (row[0], row[2])):
            targets = {target for _, target, _ in links} - set(apart)
            counted = (target for target in targets if not self._is_barred(target))
            yield site, Counter(self.site[target] for target in counted)

    def _is_barred(self, page: int) -> bool:
        state = self.state[page]
        return state == State.EXCLUDED or (
            state == State.REFUSED and not self.answer[page]
        )

    def _stored(self, page: int) -> None:
        """See to it that the answer of *page* can be read."""
        if page in self._insides:
            self.batch.flush()
            self._insides.clear()

    # What becomes known

    def set_state(self, page: int, state: State) -> None:
        old = self.state[page]
        if old != state:
            self.pages[old] -= 1
            self.pages[state] += 1
            self.state[page] = state
            if state != State.PENDING:
                self._note_state(page, int(state))

    def _note_state(self, page: int, state: int) -> None:
        rows = self.batch.rows
        # Rows of new pages are numbered without a gap, the last one last.
        at = page - len(self.site) + len(rows.pages)
        if at >= 0:
            rows.pages[at][3] = state
        else:
            rows.states[self.base + page] = state

    def record(self, page: int, item: Page) -> Answer:
        """Take the answer that *page* came to; return what follows from it.

        It goes into the batch of the moment; call :meth:`tick` when what follows
        from it is in there too.
        """
        # Not later: a page and all that it names go into one batch.
        if len(self._fresh) >= RECENT or len(self._insides) >= RECENT // 32:
            self.flush()
        state = _STATES[item.outcome]
        redirect = (
            self.number(item.redirect, item.redirect_judged) if item.redirect else 0
        )
        first_link = self.links + 1
        inside, follow, outward = self._add_links(page, item)
        self.answers += 1
        self.answer[page] = self.answers
        self.answered_in[page] = item.crawl_pass + 1
        self._insides[page] = b"" if item.nofollow else inside
        self.set_state(page, state)
        if item.reason:
            self.reasons[f"{item.outcome} ({item.reason})"] += 1
        self.bytes += item.bytes
        self.batch.rows.answers.append(
            (
                self.base + self.answers,
                page,
                item.crawl_pass,
                item.depth,
                int(state),
                item.reason or None,
                item.status or None,
                self._asked(page, item.url),
                redirect or None,
                _seconds(item.fetched),
                _seconds(item.last_modified),
                item.etag or None,
                signed(int(item.checksum, 16)) if item.checksum else None,
                item.content_type or None,
                item.bytes or None,
                item.title or None,
                1 if item.nofollow else None,
                first_link,
                self.links + 1 - first_link,
                inside or None,
            )
        )
        self._stamp()
        barred, self._barred = self._barred, []
        follow = [] if item.nofollow else follow
        return Answer(page, state, redirect, follow, outward, barred)

    def _asked(self, page: int, url: str) -> str | None:
        """Return *url* if it is not the page's address, None if it is."""
        if page not in self._respelled or url == self.url(page):
            return None
        return url

    def tick(self) -> None:
        """Write the batch if it is due; call after each page, and now and then."""
        self.batch.tick()

    def add_starting_points(
        self, crawl_pass: int, starts: Iterable[tuple[int, str]]
    ) -> None:
        self.batch.rows.starting_points.extend(
            (self.crawl, crawl_pass, page, why) for page, why in starts
        )

    def log(self, line: str) -> None:
        """Keep *line* for the Description of the network's XML."""
        self.batch.rows.log.append((self.crawl, line))

    @property
    def took(self) -> float:
        """Seconds at work, all runs of this crawl together."""
        return self._took + time.monotonic() - self._began

    def flush(self) -> None:
        self._stamp()
        self.batch.flush()
        self._insides.clear()
        self._fresh.clear()

    def close(self) -> None:
        try:
            self._stamp()
            self.batch.close()
        finally:
            self._read.close()

    def _stamp(self) -> None:
        self.batch.rows.crawl[:] = [(self.timeouts, self.bytes, self.took, self.crawl)]

    def _add_links(
        self, page: int, item: Page
    ) -> tuple[bytes, list[int], Counter[int]]:
        own_site = self.site[page]
        sites, recent, rows = self.site, self._recent, self.batch.rows.links
        targets, flags = array("I"), bytearray()
        seen: set[int] = set()
        follow: dict[int, None] = {}
        outward: set[int] = set()
        for link in item.links:
            target = recent.get(link.target) or self.number(link.target, link.judged)
            if target == page or not target:
                continue
            kind, placement = _KIND[link.kind], _PLACEMENT[link.placement]
            rel = _rel_code(link.rel) if link.rel else 0
            inside = sites[target] == own_site
            if inside:
                flag = placement + 5 * kind + (30 if rel & _MARKS else 0)
                row = target << 8 | flag
            else:
                row = (target << 18 | rel << 6 | kind << 3 | placement) << 1 | 1 << 60
            if row in seen:
                continue
            seen.add(row)
            if inside:
                targets.append(target)
                flags.append(flag)
                if link.judged == FOLLOW and kind in _FOLLOWED:
                    follow[target] = None
            else:
                self.links += 1
                if kind in _VOTING and link.judged in _COUNTED:
                    outward.add(target)
                rows.append(
                    (
                        self.base + self.links,
                        page,
                        target,
                        own_site,
                        sites[target],
                        kind,
                        placement,
                        rel,
                        link.anchor or None,
                    )
                )
        sites_linked = Counter(sites[target] for target in outward)
        return targets.tobytes() + bytes(flags), list(follow), sites_linked

    def _intern(self, url: str, judged: str) -> int:
        key = address_hash(url, self._salt)
        number = self._map.get(key)
        if number:
            if number & _IMPLIED:
                number ^= _IMPLIED
                self._map.replace(key, number)
                self._add_spelling(number, url)
            return number
        address = split(url)
        if address is None:
            return 0
        identity = identity_of(address, strict=self.strict)
        identity_key = key if identity == url else address_hash(identity, self._salt)
        number = self._map.get(identity_key) & ~_IMPLIED
        if number:
            self._map.add(key, number)
            self._add_spelling(number, address.href)
            return number
        is_identity = identity == address.href
        number = self._new(address, identity_key, judged, is_identity=is_identity)
        self._map.add(key, number)
        return number

    def _new(
        self, address: Address, identity_key: int, judged: str, *, is_identity: bool
    ) -> int:
        number = len(self.site)
        self._map.add(identity_key, number if is_identity else number | _IMPLIED)
        site = self.sites.of(address)
        state = _JUDGED.get(judged, int(State.KNOWN))
        if state != State.KNOWN:
            self._barred.append((address.href, judged))
        site_number = self._site_numbers.get(site.key) or self._new_site(site)
        self.site.append(site_number)
        self.state.append(state)
        self.answer.append(0)
        self.answered_in.append(0)
        self.pages[state] += 1
        self._fresh[number] = address.href
        stored_hash = None if is_identity else signed(identity_key)
        self.batch.rows.pages.append(
            [self.base + number, stored_hash, site_number, state, address.href]
        )
        return number

    def _new_site(self, site: Site) -> int:
        number = len(self.site_rows)
        self._site_numbers[site.key] = number
        self.site_rows.append(site)
        self.batch.rows.sites.append(
            (
                self.base + number,
                site.key,
                site.name,
                site.category,
                site.voter,
                site.home,
            )
        )
        return number

    def _add_spelling(self, page: int, href: str) -> None:
        best = self.url(page)
        if href == best:
            return
        self._respelled.add(page)
        if better_spelling(href, best) == best:
            self.batch.rows.spellings.append((self.base + page, href))
            return
        self.batch.rows.spellings.append((self.base + page, best))
        address = split(href)
        assert address is not None  # noqa: S101  # href came from one
        identity = identity_of(address, strict=self.strict)
        stored_hash = (
            None if identity == href else signed(address_hash(identity, self._salt))
        )
        self.batch.rows.urls.append((href, stored_hash, self.base + page))
        self._fresh[page] = href

    # Resume

    def _load(self) -> None:
        bounds = (self.base, self.base + SPAN)
        self._load_sites(bounds)
        self._load_pages(bounds)
        for page, url in self._read.execute(
            "SELECT page, url FROM spelling WHERE page >= ? AND page < ?", bounds
        ):
            key = address_hash(url, self._salt)
            if self._map.get(key):
                self._map.replace(key, page - self.base)
            else:
                self._map.add(key, page - self.base)
            self._respelled.add(page - self.base)
        self._load_answers(bounds)
        (last,) = self._read.execute(
            "SELECT COALESCE(MAX(id), ?) FROM link WHERE id >= ? AND id < ?",
            (self.base, *bounds),
        ).fetchone()
        self.links = last - self.base
        self.timeouts, self.bytes, self._took = self._read.execute(
            "SELECT timeouts, bytes, took FROM crawl WHERE id = ?", (self.crawl,)
        ).fetchone()

    def _load_sites(self, bounds: tuple[int, int]) -> None:
        for row in self._read.execute(
            "SELECT key, name, category, voter, home FROM site"
            " WHERE id >= ? AND id < ? ORDER BY id",
            bounds,
        ):
            site = Site(*row)
            self._site_numbers[site.key] = len(self.site_rows)
            self.site_rows.append(site)

    def _load_pages(self, bounds: tuple[int, int]) -> None:
        rows = self._read.execute(
            "SELECT hash, site, state, url FROM page"
            " WHERE id >= ? AND id < ? ORDER BY id",
            bounds,
        )
        while part := rows.fetchmany(50_000):
            keys: dict[int, int] = {}
            for stored_hash, site, state, url in part:
                number = len(self.site)
                key = address_hash(url, self._salt)
                keys[key] = number
                if stored_hash is not None:
                    keys[stored_hash % 2**64] = number | _IMPLIED
                self.site.append(site)
                self.state.append(state)
                self.pages[state] += 1
            self._map.add_many(
                np.fromiter(keys, np.uint64, len(keys)),
                np.fromiter(keys.values(), np.uint32, len(keys)),
            )
        blank = bytes(len(self.site) - 1)
        self.answer.frombytes(blank * 4)
        self.answered_in.frombytes(blank)

    def _load_answers(self, bounds: tuple[int, int]) -> None:
        for page, in_pass, state, reason in self._read.execute(
            "SELECT page, pass, state, reason FROM answer"
            " WHERE id >= ? AND id < ? ORDER BY id",
            bounds,
        ):
            self.answers += 1
            self.answer[page] = self.answers
            self.answered_in[page] = in_pass + 1
            if reason:
                self.reasons[f"{State(state).word} ({reason})"] += 1


def _rel_code(rel: str) -> int:
    return sum(1 << RELS.index(word) for word in rel.split())


@lru_cache(1024)
def _seconds(stamp: str) -> int | None:
    """Return ``YYYY-MM-DD hh:mm:ss`` as seconds since 1970."""
    if not stamp:
        return None
    return calendar.timegm(time.strptime(stamp, "%Y-%m-%d %H:%M:%S"))
