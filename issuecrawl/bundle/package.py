"""``datapackage.json``: the files of a bundle as a Frictionless Data Package.

By https://datapackage.org/standard/data-package/ (2.0) and table-schema; the licence
is left to the author.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.bundle import made, record, texts
from issuecrawl.bundle.tables import ALL
from issuecrawl.model.errors import FormatError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from issuecrawl.bundle.packing import Packed
    from issuecrawl.bundle.record import Record
    from issuecrawl.bundle.tables import Column, Table

NAME: Final = "datapackage.json"
PROFILE: Final = "https://datapackage.org/profiles/2.0/datapackage.json"
HASH: Final = "sha256:"
NETWORK: Final = "network/"

_TABLES: Final = {table.path: table for table in ALL}
_MEDIA: Final = {
    "csv": "text/csv",
    "gexf": "application/gexf+xml",
    "graphml": "application/graphml+xml",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "xml": "application/xml",
}
_BINARY: Final = frozenset({"parquet", "pdf", "png"})
_ABOUT: Final = {
    texts.README: "What the bundle is, how to verify it and compute with it",
    texts.DICTIONARY: "Columns of the tables",
    texts.SEEDS: "Starting points of the crawl",
    texts.EXCLUSIONS: "Exclusions in force",
    texts.RULES: "Site rules: address, and site that all below it belongs to",
    record.NAME: "The crawl: options given and resolved, versions, times, log",
    made.NAME: "What the network was made with",
    made.EDITS: "Decisions on nodes of the network",
    made.COORDINATES: "Places of nodes",
}


def text(crawl: Record, members: Mapping[str, Packed]) -> str:
    """Return the description of *members*, each with its size and hash."""
    said: dict[str, Any] = {
        "$schema": PROFILE,
        "name": f"issuecrawl-crawl-{crawl.crawl}",
        "title": crawl.title or f"Issue network of crawl {crawl.crawl}",
        "description": "A crawl, its issue network, and what both were made with; see"
        f" {texts.README}.",
    }
    author = crawl.settings.get("author", "")
    if author:
        said["contributors"] = [{"title": author, "roles": ["author"]}]
    said["resources"] = [_resource(path, one) for path, one in members.items()]
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def hashes(data: bytes) -> dict[str, tuple[int, str]]:
    """Return size and SHA-256 of each file that a ``datapackage.json`` lists."""
    try:
        said = json.loads(data)
        found = {
            str(one["path"]): (int(one["bytes"]), str(one["hash"]))
            for one in said["resources"]
        }
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(f"{NAME} cannot be used ({shown(error)})") from error
    return {
        path: (size, value.removeprefix(HASH)) for path, (size, value) in found.items()
    }


def _resource(path: str, packed: Packed) -> dict[str, Any]:
    suffix = path.rpartition(".")[2]
    table = _TABLES.get(path)
    about = _ABOUT.get(path, "A file of the network")
    said: dict[str, Any] = {
        "name": path.lower().replace("/", "-").replace("_", "-"),
        "path": path,
        "description": table.description if table else about,
    }
    if table:
        said |= {"type": "table", "title": table.title}
    said |= {
        "format": suffix,
        "mediatype": _MEDIA.get(suffix, "application/octet-stream"),
        "bytes": packed.bytes,
        "hash": f"{HASH}{packed.sha256}",
    }
    if suffix not in _BINARY:
        said["encoding"] = "utf-8"
    if table:
        said["schema"] = _schema(table)
    return said


def _schema(table: Table) -> dict[str, Any]:
    said: dict[str, Any] = {"fields": [_field(column) for column in table.columns]}
    if table.key:
        said["primaryKey"] = [table.key]
    keys = [
        {
            "fields": [column.name],
            "reference": {"resource": f"{column.refers}.parquet", "fields": ["number"]},
        }
        for column in table.columns
        if column.refers
    ]
    return said | ({"foreignKeys": keys} if keys else {})


def _field(column: Column) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": column.name,
        "type": column.type,
        "description": column.description,
    }
    limits: dict[str, Any] = {} if column.optional else {"required": True}
    if column.words:
        limits["enum"] = list(column.words)
    return said | ({"constraints": limits} if limits else {})
