"""``crawl.json``: what a bundle says of its crawl as a whole."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.bundle.tables import STORED
from issuecrawl.model.errors import FormatError, IssueCrawlError, shown
from issuecrawl.model.exclusions import Exclusions
from issuecrawl.model.options import RETENTION, check, portable
from issuecrawl.model.site import Sites
from issuecrawl.store import crawls
from issuecrawl.store.schema import SPAN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from issuecrawl.store.reader import StoredCrawl

NAME: Final = "crawl.json"
FORMAT: Final = "issuecrawl bundle"
VERSION: Final = 1

STATES: Final = ("new", "running", "paused", "stopped", "finished")
_STAMP: Final = re.compile(r"(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?")
_MOST_SITES: Final = 2**26
"""Sites that :mod:`issuecrawl.store.reader` tells apart."""


@dataclass(frozen=True, slots=True)
class Record:
    """A row of the store's table ``crawl``, its log, and how many rows it has elsewhere.

    The key of the store's address hashes is no part of it: it keeps pages of the web
    from choosing addresses that collide, and is drawn anew where a bundle is read.
    """

    crawl: int
    series: int
    series_index: int
    title: str
    state: str
    crawl_pass: int
    """The pass that it was in, from 0."""

    started: str
    ended: str
    took: float
    """Seconds at work."""

    timeouts: int
    bytes: int
    program: str
    suffix_list: str
    given: dict[str, str]
    """Arguments as they came, those that name places on a disk aside."""

    settings: dict[str, Any]
    """Options as resolved."""

    log: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    """Rows of the tables, by name."""

    @classmethod
    def of(cls, crawl: StoredCrawl) -> Record:
        row = crawl.record
        same = {one.name for one in fields(cls)} & row.keys()
        return cls(
            crawl=crawl.crawl,
            crawl_pass=row["pass"],
            given=portable(json.loads(row["given"])),
            settings=crawl.settings,
            log=crawl.log(),
            **{name: row[name] for name in same - {"given", "settings"}},
        )

    def text(self) -> str:
        """Return it as JSON, the same for the same record."""
        said = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return json.dumps(said, ensure_ascii=False, indent=1, sort_keys=False) + "\n"


def read_record(data: bytes) -> Record:
    """Return the record in the bytes of a ``crawl.json``.

    FormatError where it is none, of another version, or says what cannot be.
    """
    said = _object(data)
    if said.get("format") != FORMAT:
        raise FormatError(f"{NAME} is not that of a bundle; expected an {FORMAT}")
    version = said.get("version")
    if version != VERSION:
        message = (
            f"The bundle has version {shown(version)}, this program reads {VERSION};"
            " use the release that made it, or a later one"
        )
        raise FormatError(message)
    for one in fields(Record):
        if not _is(said.get(one.name), str(one.type)):
            value = shown(said.get(one.name))
            raise FormatError(f"{NAME} cannot be used: {one.name} is {value}")
    record = Record(**{one.name: said[one.name] for one in fields(Record)})
    _check(record)
    return record


def _object(data: bytes) -> dict[str, Any]:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{NAME} is no JSON ({shown(error)})") from error
    if not isinstance(said, dict):
        raise FormatError(f"{NAME} is no object")
    return said


def _is(value: Any, kind: str) -> bool:
    match kind:
        case "int":
            return type(value) is int and 0 <= value < 2**63
        case "float":
            return type(value) in (int, float) and 0 <= value < 2**63
        case "str":
            return _is_text(value)
        case "list[str]":
            return isinstance(value, list) and all(map(_is_text, value))
        case "dict[str, str]":
            return isinstance(value, dict) and all(map(_is_text, value.values()))
        case "dict[str, int]":
            return isinstance(value, dict) and all(
                _is(one, "int") for one in value.values()
            )
    return isinstance(value, dict)


def _is_text(value: Any) -> bool:
    """Tell whether it is text that a database takes: JSON may hold half a character."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def _check(record: Record) -> None:
    rows = record.rows
    wrong = [
        not 0 < record.crawl <= crawls.MOST,
        record.state not in STATES,
        not (_STAMP.fullmatch(record.started) and _STAMP.fullmatch(record.ended)),
        set(rows) != {table.name for table in STORED},
        any(count >= SPAN for count in rows.values()),
        rows.get("sites", 0) >= _MOST_SITES,
    ]
    if any(wrong):
        raise FormatError(f"{NAME} cannot be used: it says what no crawl can be")
    try:
        _check_settings(record.settings)
    except (IssueCrawlError, TypeError, ValueError) as error:
        raise FormatError(f"{NAME} cannot be used: {shown(error)}") from error


def _check_settings(settings: Mapping[str, Any]) -> None:
    """Refuse options that no crawl can have been resolved to."""
    for option in RETENTION:
        value = settings.get(option.name, option.default)
        if option.name == "exclude":
            continue
        text = str(int(value)) if isinstance(value, bool) else str(value)
        if option.name in settings and check(option, text) != value:
            raise FormatError(f"{option.name} is {shown(value)}")
    for name in ("exclude", "seeds"):
        if not _is(settings.get(name, []), "list[str]"):
            raise FormatError(f"{name} is no list of texts")
    for name in ("title", "author", "email"):
        if not _is_text(settings.get(name, "")):
            raise FormatError(f"{name} is no text")
    if settings.get("identity", "normal") not in ("normal", "strict"):
        raise FormatError(f"identity is {shown(settings['identity'])}")
    Exclusions(settings.get("exclude", []))
    rules = settings.get("sites", [])
    if not all(_is(rule, "list[str]") and len(rule) == 2 for rule in rules):
        raise FormatError("sites are no rules")
    Sites(settings.get("site", "host"), [(prefix, name) for prefix, name in rules])
