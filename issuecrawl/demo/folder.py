"""Fill a web from a folder: a folder for each host, with its files by path.

``index.html`` answers for the folder it lies in. ``web.toml`` beside the hosts tells
how some of them behave; its head says what it knows.
"""

from __future__ import annotations

import mimetypes
import tomllib
from typing import TYPE_CHECKING, Any

from issuecrawl.demo.web import HTML, Answer, Web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

QUIRKS = "web.toml"
INDEX = "index.html"


def web_from(folder: Traversable) -> Web:
    """Return a web of the sites in *folder*."""
    web = Web()
    hosts: dict[str, dict[str, Any]] = {
        entry.name: {} for entry in folder.iterdir() if entry.is_dir()
    }
    hosts |= tomllib.loads((folder / QUIRKS).read_text(encoding="utf-8"))
    for host, quirks in hosts.items():
        for scheme in quirks.get("schemes", ("http", "https")):
            _serve(web, f"{scheme}://{host}", folder / host, quirks)
            for other in quirks.get("also", ()):
                _lead(web, f"{scheme}://{other}", f"{scheme}://{host}")
        if quirks.get("dead"):
            web.dead(host)
    return web


def _serve(web: Web, origin: str, site: Traversable, quirks: dict[str, Any]) -> None:
    dated = {"Last-Modified": quirks["modified"]} if "modified" in quirks else {}
    for path, file in _files(site, "/"):
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        kind = HTML if kind == "text/html" else kind
        web.page(
            origin + path, html=file.read_bytes(), content_type=kind, headers=dated
        )
    for path, target in quirks.get("redirects", {}).items():
        web.redirect(origin + path, target)


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """Yield each file below *folder* with the path that it answers."""
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{path}{entry.name}/")
        else:
            yield path if entry.name == INDEX else path + entry.name, entry


def _lead(web: Web, alias: str, origin: str) -> None:
    """Answer each address of *origin* under *alias* with a redirect there."""
    for url in list(web.answers):
        if url.startswith(f"{origin}/"):
            web.answer(alias + url.removeprefix(origin), Answer(301, {"Location": url}))
