"""Put a network together from the elements of an IssueNetwork file, one at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from analysis.linkgraph import graph_from_pages, inward
from analysis.network import Network, Statistics
from analysis.page_parts import PageParts, whole
from analysis.setting_lines import NAMES, split_settings, with_settings
from issuecrawl.model.parameters import Mode, Parameters

if TYPE_CHECKING:
    from lxml.etree import _Element

_NUMBERS: Final = {
    "Diversity": "diversity",
    "Authority": "authority",
    "Depth": "depth",
    "CrawlIterations": "iterations",
}
_EXPECTED: Final = (
    "Title",
    "Author",
    "Description",
    "PageList",
    "InwardLinks",
    "StartingPoints",
    "CrawlStart",
    "CrawlEnd",
    "CrawlTimeouts",
    "PagesDownloaded",
    "ExcludedPages",
    "CoLinkAnalysisMode",
    *_NUMBERS,
)
_REPEATED: Final = (
    "Site",
    "Page",
    "ExternalSite",
    "ExternalPage",
    "StartingPoint",
    "ExcludeSubstring",
)
TAGS: Final = (*_EXPECTED, *_REPEATED)

_SPACE: Final = " \t\n\r"


class Parts:
    """What has been read so far."""

    def __init__(self) -> None:
        self.repairs: Counter[str] = Counter()
        self.pages = PageParts(self.repairs)
        self._once: dict[str, tuple[str, dict[str, str]]] = {}
        """Text and attributes of the elements that occur once."""
        self._starting_points: list[str] = []
        self._exclude: list[str] = []

    def take(self, element: _Element) -> None:
        match element.tag:
            case "Page":
                self.pages.page(element)
            case "ExternalPage":
                self.pages.external_page(element)
            case "Site" | "ExternalSite" as tag:
                self.pages.site(element, core=tag == "Site")
            case "StartingPoint":
                self._starting_points.append(element.get("URL", ""))
            case "ExcludeSubstring":
                if element.text:
                    self._exclude.append(element.text)
            case tag:
                attributes = cast("dict[str, str]", dict(element.attrib))
                self._once[str(tag)] = element.text or "", attributes

    def network(self) -> Network:
        for tag in _EXPECTED:
            if tag not in self._once:
                self.repairs[f"{tag} missing"] += 1
        description, values = split_settings(self._log())
        parameters = self._parameters(values)
        sites, outside, links = self.pages.finish()
        graph = graph_from_pages(
            parameters.mode, sites, outside, links, self._starting_points
        )
        return Network(
            title=self._text("Title"),
            author=self._attribute("Author", "name"),
            email=self._attribute("Author", "email"),
            description=description,
            sites=sites,
            pages=self.pages.pages,
            periphery_sites=outside,
            periphery=self.pages.periphery,
            starting_points=self._starting_points,
            statistics=self._statistics(),
            parameters=parameters,
            graph=graph,
            missing=[],
            inward=inward(graph, parameters.mode, links),
            assumed=self._assumed(values),
        )

    def warnings(self) -> list[str]:
        return [f"{repair}: {count}" for repair, count in self.repairs.items()]

    def _log(self) -> list[str]:
        lines = (line.strip(_SPACE) for line in self._text("Description").split("\n"))
        return [line for line in lines if line]

    def _statistics(self) -> Statistics:
        excluded = self._text("ExcludedPages").strip(_SPACE)
        return Statistics(
            started=self._attribute("CrawlStart", "datestamp"),
            ended=self._attribute("CrawlEnd", "datestamp"),
            timeouts=self._number("CrawlTimeouts", 0),
            downloaded=self._number("PagesDownloaded", 0),
            excluded=self._number("ExcludedPages", 0) if excluded else None,
        )

    def _parameters(self, values: dict[str, str]) -> Parameters:
        """Return the parameters of a file with the setting lines *values*.

        Entries of its list are substrings unless we wrote it: the Issue Crawler
        knew nothing else, while ``t.co`` among ours is a host.
        """
        exclude = self._exclude
        if values.keys() != set(NAMES):
            exclude = sorted(map(_as_substring, exclude))
        default = Parameters()
        numbers: dict[str, Any] = {
            name: self._number(tag, getattr(default, name))
            for tag, name in _NUMBERS.items()
        }
        unusable: list[str] = []
        parameters = with_settings(
            replace(
                default,
                mode=self._mode(),
                privilege=self._privilege(),
                exclude=tuple(exclude),
                **numbers,
            ),
            values,
            unusable,
        )
        for name in unusable:
            self.repairs[f"Setting {name} with a value that cannot be used"] += 1
        return parameters

    def _assumed(self, values: dict[str, str]) -> frozenset[str]:
        told = {name for tag, name in _NUMBERS.items() if tag in self._once}
        return frozenset(NAMES) - values.keys() | set(_NUMBERS.values()) - told

    def _mode(self) -> Mode:
        mode = self._attribute("CoLinkAnalysisMode", "mode")
        if mode not in ("page", "site"):
            self.repairs["CoLinkAnalysisMode neither page nor site, read as page"] += 1
        return "site" if mode == "site" else "page"

    def _privilege(self) -> bool:
        privilege = self._attribute("StartingPoints", "privilege")
        if privilege not in ("0", "2"):
            self.repairs[
                f"privilege {privilege!r}, neither 0 (off) nor 2 (on), read as "
                f"{'off' if privilege == '' else 'on'}"
            ] += 1
        return privilege not in ("0", "")

    def _text(self, tag: str) -> str:
        return self._once.get(tag, ("", {}))[0]

    def _attribute(self, tag: str, name: str) -> str:
        return self._once.get(tag, ("", {}))[1].get(name, "")

    def _number(self, tag: str, default: int) -> int:
        number = whole(self._text(tag))
        if number is not None:
            return number
        if tag in self._once:
            self.repairs[f"{tag} without a number, read as {default}"] += 1
        return default


def _as_substring(entry: str) -> str:
    """Return *entry* so that it matches anywhere in an address.

    >>> _as_substring("download.com"), _as_substring("www.google.")
    ('substring:download.com', 'www.google.')
    """
    if "/" in entry or "?" in entry or entry.endswith("."):
        return entry
    return f"substring:{entry}"
