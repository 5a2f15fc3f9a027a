"""Networks from a stored crawl, and the next starting points of one that runs."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from analysis.assembly import assemble
from analysis.course import Course
from analysis.decisions import Layer
from analysis.engines import open_engine
from analysis.starts import Start, next_starts, seeds
from analysis.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.core import Core
    from analysis.engines import EngineName
    from analysis.network import Network
    from analysis.retention import Retention
    from issuecrawl.model.decisions import Decision
    from issuecrawl.model.parameters import Parameters
    from issuecrawl.store.reader import StoredCrawl


def next_starting_points(
    crawl: StoredCrawl,
    parameters: Parameters,
    after_pass: int,
    *,
    engine: EngineName = "sqlite",
) -> list[Start]:
    """Return what the pass after *after_pass* of the running *crawl* begins with.

    Starting points of the passes so far are those stored. Empty where nothing is kept.
    """
    view = View(crawl, parameters, own=True)
    database = open_engine(crawl, engine)
    try:
        course = Course(view, database)
        course.begin(seeds(view))
        for number in range(1, after_pass + 1):
            course.begin(_stored(crawl, number))
        return next_starts(view, course.analyse(), course.passes[-1].starts)
    finally:
        database.close()


class Found(NamedTuple):
    """What a crawl came to, while its last analysis can still be asked."""

    course: Course
    retention: Retention
    core: Core
    layer: Layer

    def network(self) -> Network:
        """Put the network together; the last analysis cannot be asked any more."""
        return assemble(self.course, self.core, self.layer)


@contextlib.contextmanager
def worked_out(
    crawl: StoredCrawl,
    parameters: Parameters,
    *,
    own: bool,
    decisions: Sequence[Decision] = (),
    engine: EngineName = "sqlite",
) -> Iterator[Found]:
    """Go through *crawl*; parameters are those of :func:`network`."""
    view = View(crawl, parameters, own=own)
    database = open_engine(crawl, engine)
    try:
        course = Course(view, database)
        retention = course.go()
        layer = Layer(course, decisions)
        layer.merge()
        yield Found(course, retention, layer.core(retention), layer)
    finally:
        database.close()


def network(
    crawl: StoredCrawl,
    parameters: Parameters,
    *,
    own: bool,
    decisions: Sequence[Decision] = (),
    engine: EngineName = "sqlite",
) -> Network:
    """Return the network of *crawl* under *parameters*.

    With *own*, these are the crawl's own and the network is the one it ended with.
    Otherwise it is what such a crawl would have given, as far as its pages are there. *decisions* are applied
    to what was kept.

    Raises ConfigurationError where a decision names a node that the crawl has not seen.
    """
    with worked_out(
        crawl, parameters, own=own, decisions=decisions, engine=engine
    ) as found:
        return found.network()


def _stored(crawl: StoredCrawl, number: int) -> list[Start]:
    rows = [row for row in crawl.starting_points() if row.crawl_pass == number]
    urls = crawl.urls(row.page for row in rows)
    return [Start(row.page, urls[row.page], row.why) for row in rows]
