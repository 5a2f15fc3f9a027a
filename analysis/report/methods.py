"""The methods paragraph: how a network was found, ready to stand in a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.report.outcome import outcome
from analysis.wording import count, listed, minute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Network
    from issuecrawl.model.parameters import Parameters


def paragraph(network: Network) -> str:
    """Return the paragraph as plain text, one line without markup.

    Of a network that was read from a file it says what the file tells.
    """
    return " ".join(sentences(network))


def sentences(network: Network) -> Iterator[str]:
    yield found(network)
    yield fetched(network)
    yield from other_settings(network)
    yield retained(network)
    yield from counted(network)
    yield from sites(network)
    yield from outcome(network)


def found(network: Network) -> str:
    origin = network.provenance
    program = f" with {origin.program}" if origin and origin.program else ""
    how = {
        "colink": "The network was found by co-link analysis (Rogers and Marres 2000;"
        f" Rogers 2013){program}.",
        "snowball": f"The network was found by a snowball crawl{program}.",
        "interactor": "The network is the inter-actor network of its starting points,"
        f" found{program or ' by a crawl'}.",
    }
    text = how[network.parameters.analysis]
    if origin is None:
        text += (
            " It was read from an IssueNetwork file and is told as far as that goes."
        )
    elif origin.state != "finished":
        text += (
            f" The crawl is {origin.state}, not finished: this is the network so far."
        )
    return text


def fetched(network: Network) -> str:
    """Say what was begun with, when and how far it went.

    Times of a file of the Issue Crawler are those of its own clock.
    """
    chosen, statistics = network.parameters, network.statistics
    starts = count(len(network.starting_points), "starting point")
    pages = count(statistics.downloaded, "page was", "pages were")
    began, ended = minute(statistics.started), minute(statistics.ended)
    zone = " UTC" if network.provenance else ""
    when = ""
    if began and ended:
        same = began == ended
        when = f" at {ended}" if same else f" between {began} and {ended}"
    elif began:
        when = f" since {began}"
    when += zone if when else ""
    return f"From {starts}, {pages} retrieved{when}, at {_depth(network, chosen)}."


def _depth(network: Network, chosen: Parameters) -> str:
    if "analysis" in network.assumed:
        return f"depth {chosen.depth} as the file counts it"
    if chosen.depth == 0:
        return "depth 0: the pages alone that a pass begins with"
    steps = count(chosen.depth, "step")
    return (
        f"depth {chosen.depth}: the pages that a pass begins with, and those of their"
        f" sites at most {steps} of links away"
    )


def other_settings(network: Network) -> Iterator[str]:
    """Say what of the crawl's own settings the network was not computed with."""
    if network.provenance is None:
        return
    changed = [
        f"{name}={_shown(now)} in place of {_shown(then)}"
        for name, then, now in differing(network)
        if name != "exclude"
    ]
    if any(name == "exclude" for name, _, _ in differing(network)):
        changed.append("another exclusion list")
    if changed:
        yield (
            f"The crawl itself was run with other settings; computed with"
            f" {listed(changed)}, the network is what such a crawl would have given,"
            " as far as its pages are there."
        )


def differing(network: Network) -> list[tuple[str, Any, Any]]:
    """Return (parameter, its value in the crawl, in the network) where they differ."""
    origin = network.provenance
    if origin is None:
        return []
    rows = []
    for name in type(network.parameters).__slots__:
        now = getattr(network.parameters, name)
        then = origin.settings.get(name, now)
        then = tuple(then) if isinstance(then, list) else then
        if then != now:
            rows.append((name, then, now))
    return rows


def _shown(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def retained(network: Network) -> str:
    chosen = network.parameters
    unit = chosen.mode
    if chosen.analysis == "interactor":
        return f"No {unit} besides the starting points was taken in."
    rounds = f"In {count(chosen.iterations, 'iteration')}"
    if chosen.iterations > 1:
        rounds += ", each beginning with what the one before it kept"
    if chosen.analysis == "snowball":
        return (
            f"{rounds}, the starting points were kept and every {unit} that the fetched"
            " pages link to."
        )
    stay = (
        "Starting points were kept whether linked to or not."
        if chosen.privilege
        else "Starting points were kept by the same rule alone."
    )
    if {"threshold", "voters", "votes"} & network.assumed:
        others = "several others link to; how many, the file does not tell"
        return f"{rounds}, {unit}s were kept that {others}. {stay}"
    return f"{rounds}, {unit}s were kept that {voters(chosen)}. {stay}"


def voters(chosen: Parameters) -> str:
    """Return who has to link to a unit to keep it.

    >>> from issuecrawl.model.parameters import Parameters
    >>> voters(Parameters(threshold=1, voters="site"))
    'at least 1 site other than their own links to'
    >>> voters(Parameters(votes="pages"))
    'at least 2 different pages of other sites link to'
    """
    least = chosen.threshold
    if chosen.votes == "pages":
        return (
            "at least 1 page of another site links to"
            if least == 1
            else f"at least {least:,} different pages of other sites link to"
        )
    noun = "registrable domain" if chosen.voters == "domain" else "site"
    return (
        f"at least 1 {noun} other than their own links to"
        if least == 1
        else f"at least {least:,} different {noun}s other than their own link to"
    )


def counted(network: Network) -> Iterator[str]:
    """Say which links count, as far as it is known."""
    chosen = network.parameters
    if {"placement", "rel", "embeds"} & network.assumed:
        return
    where = (
        "that stand in the body of a page, not in its navigation, header, footer or"
        " asides"
        if chosen.placement == "body"
        else "wherever they stand on a page"
    )
    marked = "left out" if chosen.rel == "follow" else "included"
    frames = (
        "frames of other sites count as links"
        if chosen.embeds == "vote"
        else "frames of other sites do not count"
    )
    yield (
        "Links counted are those of a and area elements and of meta refreshes after"
        f" more than 5 seconds, {where}, those marked nofollow, ugc or sponsored"
        f" {marked}; {frames}."
    )


def sites(network: Network) -> Iterator[str]:
    """Say what a site and a registrable domain is, which only the store tells."""
    origin = network.provenance
    if origin is None:
        return
    by = (
        "a registrable domain"
        if origin.settings.get("site") == "domain"
        else "a host name without a leading www"
    )
    text = f"A site is {by}"
    if rules := origin.settings.get("sites"):
        text += f", or what {count(len(rules), 'rule')} on addresses "
        text += "names" if len(rules) == 1 else "name"
    if origin.suffix_list:
        text += (
            "; registrable domains are those of the Public Suffix List, version"
            f" {origin.suffix_list}"
        )
    yield f"{text}."
