"""The tables of a bundle, declared once.

Parquet schemas, the data package, the data dictionary and the checks of what is read
back all come from here. What the columns hold is what the store holds, with words for
its codes; :mod:`issuecrawl.store.schema` says what that means.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from issuecrawl.model.link import KINDS, PLACEMENTS
from issuecrawl.model.page import State

Type = Literal["integer", "number", "string", "boolean", "datetime"]
"""By their names in Frictionless table schemas."""

STATES: Final = tuple(state.word for state in State)


class Column(NamedTuple):
    name: str
    type: Type
    description: str

    optional: bool = False
    """Whether cells may be empty."""

    words: tuple[str, ...] = ()
    """The only values there are; any where empty."""

    refers: str = ""
    """Table whose first column holds the values of this one."""


class Table(NamedTuple):
    name: str
    title: str
    description: str
    columns: tuple[Column, ...]

    key: str = ""
    """Column that tells rows apart."""

    @property
    def path(self) -> str:
        return f"{self.name}.parquet"

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


def _page(name: str, description: str, *, optional: bool = False) -> Column:
    return Column(name, "integer", description, optional, refers="pages")


SITES: Final = Table(
    "sites",
    "Sites",
    "Every site that a known page belongs to.",
    (
        Column("number", "integer", "number of the site, from 1"),
        Column("key", "string", "the site: a host, a domain, or the name of a rule"),
        Column("name", "string", "name by a site rule", optional=True),
        Column(
            "category",
            "string",
            "last label of the host in upper case; empty for an IP address",
            optional=True,
        ),
        Column("voter", "string", "whose voice its links are: a registrable domain"),
        Column("home", "string", "first address of its site rule", optional=True),
    ),
    key="number",
)

PAGES: Final = Table(
    "pages",
    "Pages",
    "Every address that became known, and what came of it. Columns from reason to"
    " nofollow are empty for pages that never came to an answer.",
    (
        Column("number", "integer", "number of the page, from 1, in order of finding"),
        Column("url", "string", "address; of several spellings the best"),
        Column(
            "identity",
            "string",
            "address by which pages are told apart, where it is not the url",
            optional=True,
        ),
        Column("site", "integer", "number of its site", refers="sites"),
        Column("state", "string", "what became of it", words=STATES),
        Column("reason", "string", "why, where the state does not say", optional=True),
        Column(
            "pass", "integer", "pass that it was asked for in, from 0", optional=True
        ),
        Column(
            "depth",
            "integer",
            "steps from a starting point of that pass within the site",
            optional=True,
        ),
        Column("answer", "integer", "place among the answers, from 1", optional=True),
        Column("status", "integer", "HTTP status", optional=True),
        Column("asked", "string", "spelling asked for, if not the url", optional=True),
        _page("redirect", "page that it redirects to", optional=True),
        Column("fetched", "datetime", "when it was asked for, UTC", optional=True),
        Column("last_modified", "datetime", "as the server said, UTC", optional=True),
        Column("etag", "string", "as the server sent it", optional=True),
        Column(
            "checksum",
            "string",
            "BLAKE2b of the body, 64 bits, hexadecimal",
            optional=True,
        ),
        Column("content_type", "string", "as the server sent it", optional=True),
        Column("bytes", "integer", "size of the body", optional=True),
        Column("title", "string", "text of the title element", optional=True),
        Column(
            "nofollow",
            "boolean",
            "the page asks that its links be not followed",
            optional=True,
        ),
    ),
    key="number",
)

LINKS: Final = Table(
    "links",
    "Links between sites",
    "One row for each different source, target, kind, placement and rel, in the order"
    " in which pages were retrieved and links stand on them.",
    (
        Column("number", "integer", "number of the link, ascending"),
        _page("source", "page that links"),
        _page("target", "page linked to"),
        Column("kind", "string", "element that links", words=KINDS),
        Column(
            "placement", "string", "part of the page it stands in", words=PLACEMENTS
        ),
        Column(
            "rel", "string", "link types that it names, a space between", optional=True
        ),
        Column("anchor", "string", "its text, 200 characters of it", optional=True),
    ),
    key="number",
)

LINKS_WITHIN: Final = Table(
    "links_within",
    "Links within sites",
    "Links between pages of one site, by page, in document order.",
    (
        _page("source", "page that links"),
        _page("target", "page linked to"),
        Column("kind", "string", "element that links", words=KINDS),
        Column(
            "placement", "string", "part of the page it stands in", words=PLACEMENTS
        ),
        Column("marked", "boolean", "rel names nofollow, ugc or sponsored"),
    ),
)

SPELLINGS: Final = Table(
    "spellings",
    "Spellings",
    "Other spellings of addresses that occurred, for pages of which several did.",
    (
        _page("page", "page that it is of"),
        Column("url", "string", "the spelling"),
    ),
)

STARTING_POINTS: Final = Table(
    "starting_points",
    "Starting points",
    "What each pass began with, in order. Pass 0 began with the seeds.",
    (
        Column("pass", "integer", "pass, from 0"),
        _page("page", "page, before any redirect"),
        Column("why", "string", "seed, privileged, co-linked by n, or linked"),
    ),
)

STORED: Final = (SITES, PAGES, LINKS, LINKS_WITHIN, SPELLINGS, STARTING_POINTS)
"""What a crawl is read back from."""

REFUSALS: Final = Table(
    "refusals",
    "Pages that were due and not retrieved",
    "A view of the pages that failed, were refused, excluded or skipped, or still wait,"
    " with the reason; for reading, since pages holds it all.",
    (
        _page("page", "number of the page"),
        Column("url", "string", "its address"),
        Column("site", "string", "key of its site"),
        Column("state", "string", "what became of it", words=STATES),
        Column("reason", "string", "why", optional=True),
        Column(
            "pass", "integer", "pass that it was asked for in, from 0", optional=True
        ),
        Column("status", "integer", "HTTP status", optional=True),
        Column("fetched", "datetime", "when it was asked for, UTC", optional=True),
    ),
    key="page",
)

POSITIONS: Final = Table(
    "positions",
    "Positions of nodes",
    "Where each layout puts the nodes of the network, x to the right and y up. Files"
    " that hold positions are verified with these, since another machine may round the"
    " last bit of a layout otherwise.",
    (
        Column("layout", "string", "name of the layout"),
        Column("node", "string", "node of the network"),
        Column("x", "number", "to the right"),
        Column("y", "number", "up"),
    ),
)

ALL: Final = (*STORED, REFUSALS, POSITIONS)
