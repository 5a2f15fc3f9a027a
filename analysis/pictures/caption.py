"""What stands below a picture: what it shows, and how it came about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from analysis.pictures import typesetting
from analysis.pictures.legend import MARGIN
from analysis.pictures.marks import FAINT, WIDTH
from analysis.pictures.naming import one_line
from analysis.wording import count, days

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Network
    from analysis.pictures.marks import Text
    from issuecrawl.model.parameters import Parameters

TITLE: Final = 12.0
SIZE: Final = 9.0
_TITLE_LINES: Final = 3
_LISTED: Final = 20
_KINDS: Final = {
    "colink": "co-link network",
    "snowball": "snowball network",
    "interactor": "inter-actor network",
}
_MAPS: Final = {
    "cluster": "Cluster map",
    "circle": "Circle map",
    "geographic": "Geographic map",
}
NOTHING: Final = {
    "colink": "no co-links found",
    "snowball": "no links found",
    "interactor": "no starting point is left",
}


def title(network: Network) -> str:
    return one_line(network.title) or "Network without a title"


def drawn(network: Network, text: str, top: float) -> tuple[list[Text], float]:
    """Return title and *text* in lines below *top*, and where they end."""
    heading, room = title(network), WIDTH - 2 * MARGIN
    typesetting.learn([heading, text, "…"])
    heads = typesetting.wrapped(heading, TITLE, room, bold=True)
    if len(heads) > _TITLE_LINES:
        heads[_TITLE_LINES - 1] = f"{heads[_TITLE_LINES - 1]} …"
        heads = [
            typesetting.shortened(line, TITLE, room, bold=True)
            for line in heads[:_TITLE_LINES]
        ]
    found, y = [], top
    for words in heads:
        y += TITLE * 1.3
        line = typesetting.line(words, TITLE, bold=True)
        found.append(replace(line, x=MARGIN, y=round(y, 2)))
    y += 2
    for words in typesetting.wrapped(text, SIZE, room):
        y += SIZE * 1.4
        line = typesetting.line(words, SIZE, colour=FAINT)
        found.append(replace(line, x=MARGIN, y=round(y, 2)))
    return found, y + SIZE * 0.4


def sentences(network: Network, layout: str, labels: int) -> str:
    """Return what is below the title; *labels* is how many nodes have one."""
    return " ".join(f"{part}." for part in _parts(network, layout, labels))


def _parts(network: Network, layout: str, labels: int) -> Iterator[str]:
    graph, parameters = network.graph, network.parameters
    core = sum(data["role"] == "core" for data in graph.nodes.values())
    kind = f"{_KINDS[parameters.analysis]} of {parameters.mode}s"
    if compared(network):
        kind = f"{kind} and an earlier one, laid on each other"
    place = _MAPS.get(layout, f"{layout.capitalize()} map")
    yield (
        f"{place} of a {kind}: {count(core, 'node')} and"
        f" {count(graph.number_of_edges(), 'link')} in the core,"
        f" {count(len(graph) - core, 'node')} in the periphery"
        + ("" if core else f" ({NOTHING[parameters.analysis]})")
    )
    yield _settings(parameters)
    yield from _crawled(network)
    if decisions := network.decisions:
        listed = [one_line(str(replace(one, note=""))) for one in decisions[:_LISTED]]
        if more := len(decisions) - len(listed):
            listed.append(f"and {more:,} more, see decisions.csv")
        yield f"Decisions applied: {'; '.join(listed)}"
    if network.missing:
        yield (
            f"Incomplete: {count(len(network.missing), 'page')} it would need"
            " never asked for"
        )
    if 0 < labels < len(graph):
        yield f"Labels of {labels:,} of {len(graph):,} nodes, the largest that had room"


def compared(network: Network) -> bool:
    """Return whether *network* is one of a comparison, whose nodes say what changed."""
    return any(data.get("change") for data in network.graph.nodes.values())


def _settings(parameters: Parameters) -> str:
    analysis, words = parameters.analysis, []
    if analysis == "colink":
        what = " linking pages" if parameters.votes == "pages" else ""
        words.append(f"threshold {parameters.threshold}{what}")
    if analysis != "interactor":
        words.append(count(parameters.iterations, "iteration"))
    words.append(f"depth {parameters.depth}")
    if analysis == "colink" and parameters.privilege:
        words.append("starting points kept")
    if parameters.placement == "body":
        words.append("links in the body of pages alone")
    return ", ".join(words).capitalize()


def _crawled(network: Network) -> Iterator[str]:
    """Yield when the crawl was and with which program, as far as that is known."""
    when = days(network.statistics.started, network.statistics.ended)
    program = f"with {network.provenance.program}" if network.provenance else ""
    if words := one_line(f"{when} {program}"):
        yield f"Crawled {words}"
    if not network.provenance:
        yield "Drawn by issuecrawl"
