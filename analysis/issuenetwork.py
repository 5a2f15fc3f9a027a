"""Write a network as IssueNetwork XML, the Issue Crawler's own format.

Rows are formatted a page at a time, so that a file takes no memory beside its
network. The layout is the one of the Issue Crawler's documentation; ``URL`` is the
first attribute, in double quotes, because scripts of its users look for
``Page URL="``.
"""

from __future__ import annotations

import logging
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeVar

from analysis.markup import Markup
from analysis.setting_lines import setting_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from analysis.network import (
        Network,
        NetworkPage,
        NetworkSite,
        PeripheryPage,
        Statistics,
    )
    from issuecrawl.model.parameters import Parameters

logger = logging.getLogger(__name__)

P = TypeVar("P", "NetworkPage", "PeripheryPage")

PUBLIC_ID: Final = "-//OneWorld International//DTD IssueNetwork 0.1//EN"
SYSTEM_ID: Final = "http://www.issuecrawler.net/lib/dtd/IssueNetwork_0_1.dtd"

_HEAD: Final = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE IssueNetwork PUBLIC "{PUBLIC_ID}"
  "{SYSTEM_ID}">
<IssueNetwork>
"""


def dtd() -> str:
    """Return the DTD that is shipped with the program, from a zipped egg too."""
    source = files("analysis").joinpath("data", "IssueNetwork_0_1.dtd")
    return source.read_text(encoding="utf-8")


def write(network: Network, path: Path) -> int:
    """Write *network* to *path*; return how many characters XML had no room for.

    Raises ValueError if pages of one site do not stand together, or name a site that
    is not in the network.
    """
    markup = Markup()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_document(network, markup))
    if markup.dropped:
        logger.warning(
            "%d characters that XML has no room for were dropped", markup.dropped
        )
    return markup.dropped


def _document(network: Network, markup: Markup) -> Iterator[str]:
    yield _HEAD
    yield f"   <Title>{markup.text(network.title)}</Title>\n"
    yield f'   <Author name="{markup.attribute(network.author)}"'
    yield f' email="{markup.attribute(network.email)}" />\n'
    yield "   <Description>\n      <![CDATA[\n"
    for line in (*network.description, *setting_lines(network.parameters)):
        if shown := markup.cdata(line):
            yield f"      {shown}\n"
    yield "      ]]>\n   </Description>\n"
    yield "   <PageList>\n"
    yield from _sites(network.sites, network.pages, markup)
    yield "   </PageList>\n   <InwardLinks>\n"
    yield from _external_sites(network.periphery_sites, network.periphery, markup)
    yield "   </InwardLinks>\n"
    yield from _starting_points(network, markup)
    yield from _statistics(network.statistics, markup)
    yield from _settings(network.parameters, markup)
    yield "</IssueNetwork>\n"


def _sites(
    sites: Sequence[NetworkSite], pages: Sequence[NetworkPage], markup: Markup
) -> Iterator[str]:
    for site, of_site in _by_site(sites, pages):
        tag = f'Site {_site(site, markup)} inlinks="{site.inlinks}"'
        yield from _element("Site", tag, (_page(page, markup) for page in of_site))


def _external_sites(
    sites: Sequence[NetworkSite], pages: Sequence[PeripheryPage], markup: Markup
) -> Iterator[str]:
    for site, of_site in _by_site(sites, pages):
        tag = f"ExternalSite {_site(site, markup)}"
        rows = (_external_page(page, markup) for page in of_site)
        yield from _element("ExternalSite", tag, rows)


def _element(name: str, tag: str, rows: Iterator[str]) -> Iterator[str]:
    """Yield the element *name* with the start tag *tag*, empty without *rows*."""
    first = next(rows, None)
    if first is None:
        yield f"      <{tag} />\n"
        return
    yield f"      <{tag}>\n"
    yield first
    yield from rows
    yield f"      </{name}>\n"


def _by_site(
    sites: Sequence[NetworkSite], pages: Sequence[P]
) -> Iterator[tuple[NetworkSite, Iterator[P]]]:
    """Yield each site with its pages, in order."""
    spans = _spans(sites, pages)
    for site in sites:
        span = spans.get(site.key, range(0))
        yield site, (pages[number] for number in span)


def _spans(
    sites: Sequence[NetworkSite], pages: Sequence[NetworkPage | PeripheryPage]
) -> dict[str, range]:
    """Return where the pages of each site stand in *pages*."""
    keys = {site.key for site in sites}
    spans: dict[str, range] = {}
    start = 0
    for key, run in groupby(pages, lambda page: page.site):
        stop = start + sum(1 for _ in run)
        if key in spans or key not in keys:
            raise ValueError(f"pages of {key} are not in the order of the sites")
        spans[key] = range(start, stop)
        start = stop
    return spans


def _site(site: NetworkSite, markup: Markup) -> str:
    host = markup.attribute(site.host)
    name = markup.attribute(site.name)
    category = markup.attribute(site.category)
    return f'URL="" host="{host}" name="{name}" category="{category}"'


def _page(page: NetworkPage, markup: Markup) -> str:
    stamp = ""
    if page.datestamp:
        stamp = f' datestamp="{markup.attribute(page.datestamp)}"'
    url = markup.attribute(page.url)
    return (
        f'         <Page URL="{url}" ID="{page.id}"{stamp}'
        f"{_links(page.targets, 'Page')}"
    )


def _external_page(page: PeripheryPage, markup: Markup) -> str:
    url = markup.attribute(page.url)
    return f'         <ExternalPage URL="{url}"{_links(page.targets, "ExternalPage")}'


_BETWEEN_LINKS: Final = '" />\n            <Link TargetPageID="'


def _links(targets: Sequence[int], parent: str) -> str:
    """Return the rest of a *parent* element, from the end of its start tag on."""
    if len(targets) == 0:
        return " />\n"
    rows = _BETWEEN_LINKS.join(map(str, targets))
    return f'>\n            <Link TargetPageID="{rows}" />\n         </{parent}>\n'


def _starting_points(network: Network, markup: Markup) -> Iterator[str]:
    privilege = 2 if network.parameters.privilege else 0
    yield f'   <StartingPoints privilege="{privilege}">\n'
    for url in network.starting_points:
        yield f'      <StartingPoint URL="{markup.attribute(url)}" />\n'
    yield "   </StartingPoints>\n"


def _statistics(statistics: Statistics, markup: Markup) -> Iterator[str]:
    excluded = "" if statistics.excluded is None else statistics.excluded
    yield f"""\
   <Statistics>
      <CrawlStart datestamp="{markup.attribute(statistics.started)}" />
      <CrawlEnd datestamp="{markup.attribute(statistics.ended)}" />
      <CrawlTimeouts>{statistics.timeouts}</CrawlTimeouts>
      <PagesDownloaded>{statistics.downloaded}</PagesDownloaded>
      <ExcludedPages>{excluded}</ExcludedPages>
   </Statistics>
"""


def _settings(parameters: Parameters, markup: Markup) -> Iterator[str]:
    yield f"""\
   <Settings>
      <Diversity>{parameters.diversity}</Diversity>
      <Authority>{parameters.authority}</Authority>
      <Depth>{parameters.depth}</Depth>
      <ExclusionsList>
"""
    for entry in parameters.exclude:
        yield f"         <ExcludeSubstring>{markup.text(entry)}</ExcludeSubstring>\n"
    yield f"""\
      </ExclusionsList>
      <CoLinkAnalysisMode mode="{parameters.mode}" />
      <CrawlIterations>{parameters.iterations}</CrawlIterations>
   </Settings>
"""
