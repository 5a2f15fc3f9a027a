"""Of which crawl a network is, and what that crawl came to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from analysis.network import Provenance
from issuecrawl.model.options import portable
from issuecrawl.model.page import ANSWERED, BUDGET, EXCLUSION, NOT_PUBLIC, State

if TYPE_CHECKING:
    from issuecrawl.store.reader import StoredCrawl

UNASKED: Final = {
    State.SKIPPED: BUDGET,
    State.REFUSED: NOT_PUBLIC,
    State.EXCLUDED: EXCLUSION,
}
"""Why a page without an answer is in a state; those with one name their reason."""

REASONS: Final = """
SELECT COALESCE(reason, ''), state, COUNT(*)
FROM answer
WHERE id >= ? AND id < ? AND state NOT IN ({retrieved})
GROUP BY 1, 2
"""


def provenance(crawl: StoredCrawl) -> Provenance:
    """Return where *crawl* comes from; of its feed, read back, it is the same.

    A redirected page ended without being retrieved too, and has no reason.
    """
    record = crawl.record
    return Provenance(
        crawl=crawl.crawl,
        series=record["series"],
        series_index=record["series_index"],
        state=_state(record),
        program=record["program"],
        suffix_list=record["suffix_list"],
        given=portable(json.loads(record["given"])),
        settings=crawl.settings,
        passes=int(crawl.answered_in.max(initial=-1)) + 1,
        pages=_pages(crawl),
        reasons=_reasons(crawl),
        links=_links(crawl),
    )


def _state(record: dict[str, Any]) -> str:
    # A crawl writes its network before it says that it is over.
    return "finished" if record["ended"] else str(record["state"])


def _pages(crawl: StoredCrawl) -> dict[str, int]:
    codes, counts = np.unique(crawl.state[1:], return_counts=True)
    found = dict(zip(codes.tolist(), counts.tolist(), strict=True))
    return {state.word: found[state] for state in State if state in found}


def _reasons(crawl: StoredCrawl) -> dict[str, int]:
    """Return reasons by number of pages, the most frequent first."""
    found: dict[str, int] = {}
    left = {int(state) for state in (*ANSWERED, State.REDIRECTED)}
    sql = REASONS.format(retrieved=", ".join(map(str, sorted(left))))
    for reason, state, count in crawl.db.execute(sql, (crawl.base, crawl.end)):
        name = reason or State(state).word
        found[name] = found.get(name, 0) + count
    unanswered = crawl.answer == 0
    for state, reason in UNASKED.items():
        if count := int(np.count_nonzero(unanswered & (crawl.state == state))):
            found[reason] = found.get(reason, 0) + count
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _links(crawl: StoredCrawl) -> int:
    # Links are numbered without a gap.
    (last,) = crawl.db.execute(
        "SELECT COALESCE(MAX(id), ?) FROM link WHERE id >= ? AND id < ?",
        (crawl.base, crawl.base, crawl.end),
    ).fetchone()
    return int(last) - crawl.base
