"""Open XML that strangers wrote: no entity, no external DTD, no address is loaded."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Final

from lxml import etree

from issuecrawl.model.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SAFE: Final = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "attribute_defaults": False,
}
"""Arguments of every parser here. Left at its default, ``huge_tree`` keeps libxml2's
own limits on depth, text and amplification."""

_PIECE: Final = 1 << 14


def expect_root(file: IO[bytes], root: str, name: str) -> None:
    """Leave *file* at its start if it is XML with the root element *root*.

    Raises FormatError, which calls the file *name*, if the root is another or an
    entity is declared: a network needs none, and each can be a bomb or a leak.
    Raises XMLSyntaxError if the file breaks before its root element.
    """
    parser = etree.XMLPullParser(events=("start",), **SAFE)
    element = _first_element(file, parser)
    file.seek(0)
    declared = element.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise FormatError(f"{name} declares entities, which no network needs")
    if element.tag != root:
        found = etree.QName(element).localname
        raise FormatError(f"{name} has the root element {found} instead of {root}")


def _first_element(
    file: IO[bytes], parser: etree.XMLPullParser[etree._Element]
) -> etree._Element:
    while piece := file.read(_PIECE):
        parser.feed(piece)
        for _, element in parser.read_events():
            return element
    parser.close()
    raise etree.XMLSyntaxError("no element found", None, 0, 0)


def elements(file: IO[bytes], tags: Sequence[str]) -> Iterator[etree._Element]:
    """Yield each element of *tags* at its end, with children that are not of *tags*.

    An element is emptied, and those before it are cut off, once the next is asked for.
    Raises XMLSyntaxError for what is not XML, and for references to entities: none
    is declared, and the parser would leave them out without a word.
    """
    parser = etree.iterparse(file, events=("end",), tag=tags, **SAFE)
    for _, element in parser:
        yield element
        element.clear()
        parent = element.getparent()
        if parent is not None:
            while parent[0] is not element:
                del parent[0]
    for entry in parser.error_log:
        raise etree.XMLSyntaxError(entry.message, None, entry.line, entry.column)
