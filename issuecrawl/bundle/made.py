"""``parameters.json``: what the network of a bundle was made with."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.model import suffixes
from issuecrawl.model.coordinates import read_coordinates
from issuecrawl.model.decisions import read_decisions
from issuecrawl.model.errors import FormatError, IssueCrawlError, shown
from issuecrawl.model.options import as_settings, parameters, portable, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from issuecrawl.model.decisions import Decision
    from issuecrawl.model.parameters import Parameters

NAME: Final = "parameters.json"
EDITS: Final = "edits.csv"
COORDINATES: Final = "coordinates.csv"
TABLES: Final[tuple[str, ...]] = (EDITS, COORDINATES)
"""What a researcher laid over the network, as the files came."""

PROGRAM: Final = "issuecrawl"
LIBRARIES: Final = (
    PROGRAM,
    "ada-url",
    "jinja2",
    "networkx",
    "numpy",
    "pyarrow",
    "scipy",
    "typst",
)
"""Whose versions may change a byte of what is made."""


@dataclass(frozen=True, slots=True)
class Making:
    """What a network is made with, besides its crawl."""

    parameters: Parameters
    own: bool
    """Whether the parameters are the crawl's own."""

    given: dict[str, str]
    """Options that were given, as text."""

    formats: tuple[str, ...]
    edits: str = ""
    """Text of the table of decisions, empty where there is none."""
    coordinates: str = ""

    @property
    def decisions(self) -> list[Decision]:
        return read_decisions(self.edits, EDITS) if self.edits else []

    @property
    def places(self) -> dict[str, tuple[float, float]] | None:
        if not self.coordinates:
            return None
        return read_coordinates(self.coordinates, COORDINATES)

    def text(self) -> str:
        said = {
            "own": self.own,
            "parameters": as_settings(self.parameters),
            "given": portable(self.given),
            "formats": list(self.formats),
            "versions": versions(),
        }
        return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def versions() -> dict[str, str]:
    """Return the versions of the program and of the libraries that it makes files with.

    One that is not installed is left out.
    """
    found = {
        "python": platform.python_version(),
        "public suffix list": suffixes.version(),
    }
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def read_making(
    data: bytes, tables: Mapping[str, bytes]
) -> tuple[Making, dict[str, str]]:
    """Return what ``parameters.json`` and the *tables* beside it say, and versions.

    FormatError where they say what cannot be.
    """
    try:
        said = json.loads(data)
        resolved = _resolved(said["parameters"])
        texts = {name: table.decode() for name, table in tables.items()}
        making = Making(
            parameters(resolved),
            said["own"] is True,
            {str(name): str(value) for name, value in said["given"].items()},
            tuple(map(str, said["formats"])),
            texts.get(EDITS, ""),
            texts.get(COORDINATES, ""),
        )
        found = {str(name): str(one) for name, one in said["versions"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError(f"{NAME} cannot be used ({shown(error)})") from error
    except IssueCrawlError as error:
        raise FormatError(f"{NAME} cannot be used: {shown(error)}") from error
    return making, found


def _resolved(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as they are resolved; each is checked as one that was given."""
    given = {
        name: str(int(value)) if isinstance(value, bool) else str(value)
        for name, value in said.items()
        if name != "exclude"
    }
    entries = [str(entry) for entry in said["exclude"]]
    return resolve(given, base={"exclude": entries}, read=str)
