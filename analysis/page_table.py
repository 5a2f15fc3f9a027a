"""Write the pages of a network and of its periphery: pages.csv."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from analysis.linkgraph import PageLinks
from analysis.network import NetworkPage
from analysis.tables import write_table

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network

PAGE_COLUMNS: Final = (
    "id",
    "url",
    "site",
    "role",
    "datestamp",
    "inlinks",
    "outlinks",
)


def write_pages(network: Network, path: Path) -> None:
    """Write one page a line: those of the network by id, then the periphery's.

    Links within a site do not count.
    """
    links = PageLinks(network.pages, network.periphery)
    out, into = [], Counter[int]()
    for page in links.linking():
        targets = [target.id for target in links.of(page)]
        out.append(len(targets))
        into.update(targets)
    rows = (
        (page.id, page.url, page.site, "core", page.datestamp, into[page.id], count)
        if isinstance(page, NetworkPage)
        else (None, page.url, page.site, "periphery", None, 0, count)
        for page, count in zip(links.linking(), out, strict=True)
    )
    write_table(path, PAGE_COLUMNS, rows)
