"""What a running crawl knows of addresses: their numbers, sites and states.

Asked here, it is answered from memory, or from what is stored already; what becomes
known goes into the batch of the moment.
"""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from issuecrawl.model.link import FOLLOW
from issuecrawl.model.page import EXCLUSION, NOT_PUBLIC, State
from issuecrawl.model.site import Site
from issuecrawl.model.url import better_spelling, identity_of, spelling_order, split
from issuecrawl.store.addresses import AddressMap
from issuecrawl.store.batch import BatchWriter
from issuecrawl.store.database import connect
from issuecrawl.store.hashing import address_hash, signed
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    from pathlib import Path

    from issuecrawl.model.site import Sites
    from issuecrawl.model.url import Address

RECENT: Final = 1 << 16
"""Addresses whose numbers are kept by their text; most links repeat a recent one."""

_JUDGED: Final = {EXCLUSION: int(State.EXCLUDED), NOT_PUBLIC: int(State.REFUSED)}
_IMPLIED: Final = 1 << 31
"""Marks the number of an identity that did not occur as a spelling itself."""


class KnownPages:
    """The pages that one crawl knows, by number from 1; loaded from what is stored."""

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
        self._respelled: set[int] = set()
        """Pages of which several spellings occurred."""
        self._barred: list[tuple[str, str]] = []
        """(address, reason) of pages new since they were last asked for."""
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
        self._load_sites()
        self._load_pages()
        self._load_spellings()

    @property
    def _bounds(self) -> tuple[int, int]:
        return self.base, self.base + SPAN

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
        return sorted((url for (url,) in rows if url != best), key=spelling_order)

    def _is_barred(self, page: int) -> bool:
        state = self.state[page]
        return state == State.EXCLUDED or (
            state == State.REFUSED and not self.answer[page]
        )

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

    def _load_sites(self) -> None:
        for row in self._read.execute(
            "SELECT key, name, category, voter, home FROM site"
            " WHERE id >= ? AND id < ? ORDER BY id",
            self._bounds,
        ):
            site = Site(*row)
            self._site_numbers[site.key] = len(self.site_rows)
            self.site_rows.append(site)

    def _load_pages(self) -> None:
        rows = self._read.execute(
            "SELECT hash, site, state, url FROM page"
            " WHERE id >= ? AND id < ? ORDER BY id",
            self._bounds,
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

    def _load_spellings(self) -> None:
        for page, url in self._read.execute(
            "SELECT page, url FROM spelling WHERE page >= ? AND page < ?", self._bounds
        ):
            key = address_hash(url, self._salt)
            if self._map.get(key):
                self._map.replace(key, page - self.base)
            else:
                self._map.add(key, page - self.base)
            self._respelled.add(page - self.base)
