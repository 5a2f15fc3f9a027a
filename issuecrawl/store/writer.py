"""Write a running crawl: answers become rows.

They go into the batch of the moment, so that a page, its links and the pages that
they name are stored in one transaction or not at all.
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
from issuecrawl.model.page import ANSWERED, State
from issuecrawl.store.hashing import signed
from issuecrawl.store.inside import InsideLinks
from issuecrawl.store.known import RECENT, KnownPages

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from issuecrawl.model.page import Page
    from issuecrawl.model.site import Sites

_KIND: Final[dict[str, int]] = {kind: code for code, kind in enumerate(KINDS)}
_PLACEMENT: Final[dict[str, int]] = {
    placement: code for code, placement in enumerate(PLACEMENTS)
}
_MARKS: Final = 7
"""Codes of nofollow, ugc and sponsored, summed."""
_FOLLOWED: Final = frozenset(_KIND[kind] for kind in FOLLOWED_KINDS)
_VOTING: Final = frozenset(_KIND[kind] for kind in VOTING_KINDS)
_COUNTED: Final = frozenset({FOLLOW, RECORD})
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


class CrawlWriter(KnownPages):
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
        super().__init__(path, crawl, salt, sites, strict=strict)
        self._insides: dict[int, bytes] = {}
        """Links within the site of answers that may not be stored yet."""
        self.reasons: Counter[str] = Counter()
        """Answers by ``state (reason)``, of those that were not retrieved."""
        self.links = 0
        self.timeouts = 0
        self.bytes = 0
        self.answers = 0
        self._took = 0.0
        self._began = time.monotonic()
        self._load_answers()

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
        inside = InsideLinks.unpack([(page, blob or b"")])
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
            self._bounds,
        )
        for (_, site), links in groupby(rows, key=lambda row: (row[0], row[2])):
            targets = {target for _, target, _ in links} - set(apart)
            counted = (target for target in targets if not self._is_barred(target))
            yield site, Counter(self.site[target] for target in counted)

    def _stored(self, page: int) -> None:
        """See to it that the answer of *page* can be read."""
        if page in self._insides:
            self.batch.flush()
            self._insides.clear()

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

    def _load_answers(self) -> None:
        for page, in_pass, state, reason in self._read.execute(
            "SELECT page, pass, state, reason FROM answer"
            " WHERE id >= ? AND id < ? ORDER BY id",
            self._bounds,
        ):
            self.answers += 1
            self.answer[page] = self.answers
            self.answered_in[page] = in_pass + 1
            if reason:
                self.reasons[f"{State(state).word} ({reason})"] += 1
        (last,) = self._read.execute(
            "SELECT COALESCE(MAX(id), ?) FROM link WHERE id >= ? AND id < ?",
            (self.base, *self._bounds),
        ).fetchone()
        self.links = last - self.base
        self.timeouts, self.bytes, self._took = self._read.execute(
            "SELECT timeouts, bytes, took FROM crawl WHERE id = ?", (self.crawl,)
        ).fetchone()


def _rel_code(rel: str) -> int:
    return sum(1 << RELS.index(word) for word in rel.split())


@lru_cache(1024)
def _seconds(stamp: str) -> int | None:
    """Return ``YYYY-MM-DD hh:mm:ss`` as seconds since 1970."""
    if not stamp:
        return None
    return calendar.timegm(time.strptime(stamp, "%Y-%m-%d %H:%M:%S"))
