"""Check an IssueNetwork file: by the DTD, and that each link's target exists."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final
from xml.parsers import expat

from lxml import etree

from analysis.issuenetwork import PUBLIC_ID, SYSTEM_ID, dtd
from analysis.xml_input import SAFE, expect_root
from issuecrawl.model.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.etree import _Element

MOST: Final = 100
"""Messages after which a check ends; a file that breaks a rule breaks it often."""

_PLACE: Final = re.compile(r", line \d+, column \d+$")

_SMALL: Final = 1 << 23
"""Page numbers below it take a byte each, greater ones a place in a set."""


def check(path: Path) -> list[str]:
    """Return what is wrong with the file, ``line n: …`` each; nothing if it is valid.

    The file streams through: 100 MB of it take a few MB of memory. Only the DTD that
    is shipped with the program is ever loaded.
    """
    pages = _Pages()
    try:
        with path.open("rb") as file:
            expect_root(file, "IssueNetwork", path.name)
            _expect_doctype(file)
            messages = _validate(file, pages)
    except FormatError as error:
        return [f"line 1: {error}"]
    except etree.XMLSyntaxError as error:
        return [f"line {error.lineno or 1}: {_PLACE.sub('', error.msg)}"]
    if not messages:
        messages = _references(path, pages)
    return messages


class _PackagedDTD(etree.Resolver):  # type: ignore[misc]  # lxml has no types
    """Answers for the one system identifier; everything else is empty."""

    def resolve(
        self,
        system_url: str,
        public_id: str,  # lxml's signature
        context: object,
    ) -> object:
        text = dtd() if system_url == SYSTEM_ID else ""
        return self.resolve_string(text, context)


def _validate(file: IO[bytes], pages: _Pages) -> list[str]:
    options = {**SAFE, "load_dtd": True, "dtd_validation": True}
    parser = etree.iterparse(
        file,
        events=("end",),
        tag=("Page", "ExternalPage", "Site", "ExternalSite"),
        **options,
    )
    parser.resolvers.add(_PackagedDTD())
    try:
        for _, element in parser:
            pages.take(element)
            # Emptied, not cut off: the DTD's content model is checked against what
            # stands in the parent.
            element.clear()
            if element.tag in ("Site", "ExternalSite") and len(parser.error_log) > MOST:
                break
    except etree.XMLSyntaxError:
        # Raised once the file is through, for the first of what the log holds.
        if not parser.error_log:
            raise
    return [_message(entry) for entry in parser.error_log][:MOST]


def _message(entry: etree._LogEntry) -> str:
    return f"line {entry.line}: {_PLACE.sub('', entry.message)}"


def _expect_doctype(file: IO[bytes]) -> None:
    """Raise FormatError unless the file names our DTD and adds nothing to it."""
    found: list[tuple[object, ...]] = []
    rooted: list[str] = []
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = lambda *doctype: found.append(doctype)
    parser.StartElementHandler = lambda tag, _: rooted.append(tag)
    with suppress(expat.ExpatError):
        while not (found or rooted) and (piece := file.read(1 << 12)):
            parser.Parse(piece)
    file.seek(0)
    if not found or found[0][1:3] != (SYSTEM_ID, PUBLIC_ID):
        raise FormatError(f"the DOCTYPE does not name {PUBLIC_ID} at {SYSTEM_ID}")
    if found[0][3]:
        raise FormatError("the DOCTYPE has declarations of its own")


class _Pages:
    """Which page numbers are defined and linked to, in a byte each."""

    _DEFINED, _LINKED = 1, 2

    def __init__(self) -> None:
        self._marks = bytearray(1)
        self._others: dict[str, int] = {}
        self.repeated: set[str] = set()

    def take(self, element: _Element) -> None:
        if element.tag == "Page":
            page = element.get("ID", "")
            if self._mark(page, self._DEFINED):
                self.repeated.add(page)
        for link in element.iterchildren("Link"):
            self._mark(link.get("TargetPageID", ""), self._LINKED)

    def wanting(self) -> set[str]:
        """Return numbers that are linked to and defined nowhere."""
        found = {str(n) for n, mark in enumerate(self._marks) if mark == self._LINKED}
        found.update(n for n, mark in self._others.items() if mark == self._LINKED)
        return found

    def _mark(self, page: str, mark: int) -> bool:
        """Add *mark*; return whether the page had it."""
        # A number written another way, as 07, is another NMTOKEN.
        bare = page.isdecimal() and page[0] != "0" and len(page) < 8
        number = int(page) if bare else _SMALL
        if number >= _SMALL:
            before = self._others.get(page, 0)
            self._others[page] = before | mark
        else:
            if number >= len(self._marks):
                self._marks.extend(bytes(number + number // 8 - len(self._marks) + 1))
            before = self._marks[number]
            self._marks[number] = before | mark
        return bool(before & mark)


def _references(path: Path, pages: _Pages) -> list[str]:
    """Return messages on numbers that are wanting or repeated, where they stand."""
    wanting = pages.wanting()
    if not wanting and not pages.repeated:
        return []
    parser = expat.ParserCreate()
    messages: list[str] = []
    seen: set[str] = set()

    def start(tag: str, attributes: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if tag == "Link" and attributes["TargetPageID"] in wanting:
            target = attributes["TargetPageID"]
            messages.append(f"line {line}: TargetPageID {target} names no Page")
        elif tag == "Page" and (page := attributes["ID"]) in pages.repeated:
            if page in seen:
                messages.append(f"line {line}: ID {page} is another Page's already")
            seen.add(page)

    parser.StartElementHandler = start
    with path.open("rb") as file:
        while len(messages) < MOST and (piece := file.read(1 << 16)):
            parser.Parse(piece)
    return messages[:MOST]
