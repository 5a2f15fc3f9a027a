"""The report of a network: one HTML file to read, to print and to hand in.

It needs no script and loads nothing. Templates lie in ``templates``; what stands in
them is worked out by the other modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.matrix import fits
from analysis.report import actors, citation, methods, overview, settings, tables
from analysis.report.maps import maps
from analysis.report.outcome import EMPTY
from analysis.report.page import rendered
from analysis.report.words import WORDS

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network

__all__ = ["html", "write"]


class Section(NamedTuple):
    """A part of the report; its template is named after its id."""

    id: str
    title: str
    page: bool = False
    """Begins a page when printed."""


def write(network: Network, path: Path) -> None:
    """Write the report; :func:`analysis.complete.complete` comes before."""
    path.write_text(html(network), encoding="utf-8", newline="\n")


def html(network: Network) -> str:
    return rendered(
        {
            **_begin(network),
            "maps": maps(network),
            **_actors(network),
            **_seen(network),
            **_stability(network),
            **_end(network),
            "sections": sections(network),
        }
    )


def sections(network: Network) -> list[Section]:
    """Return the parts that *network* has something for."""
    core = _core(network)
    wanted = {
        Section("glance", "At a glance"): True,
        Section("map", "Map", page=True): core and network.layouts,
        Section("actors", "Ranked actors", page=True): core,
        Section("why", "Why each is in", page=True): core,
        Section("matrix", "Who links to whom", page=True): core > 1,
        Section("measures", "The network in figures"): network.measures is not None
        and core,
        Section("starts", "Starting points", page=True): True,
        Section("coverage", "What could not be seen"): network.coverage is not None,
        Section("stability", "How stable it is", page=True): network.stability,
        Section("decisions", "Decisions of the researcher"): network.decisions,
        Section("methods", "Methods and how to cite", page=True): True,
        Section("settings", "Settings", page=True): True,
        Section("words", "Words"): True,
    }
    return [section for section, there in wanted.items() if there]


def _core(network: Network) -> int:
    return sum(role == "core" for _, role in network.graph.nodes(data="role"))


def _begin(network: Network) -> dict[str, Any]:
    origin = network.provenance
    return {
        "heading": overview.heading(network),
        "program": origin.program if origin else "",
        "warnings": overview.warnings(network),
        "figures": list(overview.figures(network)),
        "core": _core(network),
        "empty": EMPTY[network.parameters.analysis],
        "unit": network.parameters.mode,
        "definitions": overview.definitions(network),
    }


def _actors(network: Network) -> dict[str, Any]:
    return {
        "shown_actors": actors.SHOWN,
        "rankings": actors.rankings(network),
        "reasons": actors.reasons(network),
        "evidence": network.evidence is not None,
        "matrix": tables.matrix(network),
        "matrix_file": "matrix.csv" if fits(network) else "matrix_long.csv",
    }


def _seen(network: Network) -> dict[str, Any]:
    return {
        "starts": network.starts,
        "starting_points": network.starting_points,
        "coverage": tables.coverage(network),
        "missing": network.missing,
        "lines": settings.LINES,
    }


def _stability(network: Network) -> dict[str, Any]:
    found = network.stability
    unstable = tables.unstable(network)
    return {
        "stability": found,
        "hanging": found.hangs_on if found else (),
        "reliances": found.starts[: tables.SITES] if found else (),
        "variants": found.variants[: tables.SITES] if found else (),
        "unstable": unstable[: tables.SITES],
        "unstable_total": len(unstable),
    }


def _end(network: Network) -> dict[str, Any]:
    origin = network.provenance
    return {
        "decisions": network.decisions,
        "paragraph": methods.paragraph(network),
        "citation": citation.network_citation(network),
        "works": citation.works(network),
        "formats": citation.FORMATS,
        "settings": settings.settings(network),
        "differing": methods.differing(network),
        "given": origin.given if origin else {},
        "exclusions": network.parameters.exclude,
        "rules": settings.rules(network),
        "pages": settings.pages(network),
        "log": network.description,
        "words": WORDS,
    }
