"""The settings of a network, as given and as resolved, for a reader to repeat it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from analysis.report.methods import differing
from analysis.wording import count
from issuecrawl.model.options import RETENTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Network

LINES: Final = 200
"""Lines of the log and addresses of the missing pages that a report shows."""

OF_CRAWL: Final = {
    "site": "what a site is: host or domain",
    "identity": "normal, or strict: keeps scheme and www",
    "pages_per_site": "pages of a site a pass (0 = no limit)",
    "pages": "pages of a crawl (0 = no limit)",
}
"""Settings that a crawl stores besides its options, with their meaning."""


class Setting(NamedTuple):
    name: str
    value: str
    meaning: str
    then: str = ""
    """Value of the crawl itself, where that is another one."""


def settings(network: Network) -> list[Setting]:
    """Return every option with its value; one that a file does not tell says so."""
    then = {name: before for name, before, _ in differing(network)}
    found = []
    for option in RETENTION:
        value = _shown(getattr(network.parameters, option.name))
        if option.name in network.assumed:
            value = "not told by the file"
        before = _shown(then[option.name]) if option.name in then else ""
        meaning = option.help.partition("; an entry -")[0]
        found.append(Setting(option.name, value, meaning, before))
    return [*found, *_of_crawl(network)]


def _of_crawl(network: Network) -> Iterator[Setting]:
    origin = network.provenance
    if origin is None:
        return
    for name, meaning in OF_CRAWL.items():
        if name in origin.settings:
            yield Setting(name, _shown(origin.settings[name]), meaning)
    rules = origin.settings.get("sites") or []
    yield Setting("sites", count(len(rules), "rule"), "rules that name sites")
    yield Setting("program", origin.program, "what fetched the pages")
    yield Setting("suffix list", origin.suffix_list, "the Public Suffix List")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple | list):
        return count(len(value), "entry", "entries")
    return str(value)


def rules(network: Network) -> list[tuple[str, str]]:
    """Return the rules that name sites: beginning of an address, name."""
    origin = network.provenance
    found = origin.settings.get("sites") or [] if origin else []
    return [(str(prefix), str(name)) for prefix, name in found]


def pages(network: Network) -> list[tuple[str, int]]:
    """Return how many pages the crawl knows, by state.

    What was due and what was only found is told apart by the store alone, not by a
    feed; both were never asked for.
    """
    origin = network.provenance
    if origin is None:
        return []
    unasked = {"known", "waiting", "pending"}
    found = [(s, n) for s, n in origin.pages.items() if s not in unasked]
    left = sum(n for s, n in origin.pages.items() if s in unasked)
    return [*found, ("never asked for", left)] if left else found
