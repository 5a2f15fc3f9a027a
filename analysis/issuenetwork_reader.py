"""Read IssueNetwork XML: our own files exactly, old ones with what repairs they need.

Nothing that a file names is loaded, see :mod:`analysis.xml_input`.
"""

from __future__ import annotations

from io import BytesIO
from typing import IO, TYPE_CHECKING

from lxml import etree

from analysis.issuenetwork_parts import TAGS, Parts
from analysis.xml_input import elements, expect_root
from analysis.xml_repair import repaired
from issuecrawl.model.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network


def read(path: Path, warnings: list[str] | None = None) -> Network:
    """Return the network in *path*; each kind of repair adds a line to *warnings*.

    What the format does not hold is None (when a node was retained, its voters) or
    empty (missing pages). Of an old file the options that it does not name are the
    defaults, and its exclusions are substrings.

    Raises FormatError if the file is no IssueNetwork XML, or declares entities.
    """
    if warnings is None:
        warnings = []
    try:
        with path.open("rb") as file:
            return _read(file, path.name, warnings)
    except etree.XMLSyntaxError as error:
        broken = error
    data, repairs = repaired(path.read_bytes())
    try:
        network = _read(BytesIO(data), path.name, repairs)
    except etree.XMLSyntaxError:
        raise FormatError(f"{path.name} is not XML: {broken.msg}") from None
    warnings.extend(repairs)
    return network


def _read(file: IO[bytes], name: str, warnings: list[str]) -> Network:
    expect_root(file, "IssueNetwork", name)
    parts = Parts()
    for element in elements(file, TAGS):
        parts.take(element)
    network = parts.network()
    warnings.extend(parts.warnings())
    return network
