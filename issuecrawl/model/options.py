"""Every option of a crawl and of an analysis, declared once.

Spider arguments, flags of the commands, ``--help``, ``docs/reference.md`` and the
settings that a crawl stores all come from here. Arguments arrive as strings.
"""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.exclusions import default_exclusions, read_exclusions
from issuecrawl.model.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Form = Literal["choice", "whole", "flag", "text"]


class Option(NamedTuple):
    name: str
    default: str
    form: Form
    help: str
    choices: tuple[str, ...] = ()
    """First the default, for a choice."""


RETENTION: Final = (
    Option(
        "analysis",
        "colink",
        "choice",
        "what is kept: units that several voters link to, everything linked to,"
        " or the starting points alone",
        ("colink", "snowball", "interactor"),
    ),
    Option("mode", "site", "choice", "the unit that is kept", ("site", "page")),
    Option("depth", "1", "whole", "steps within a site from a starting point"),
    Option("iterations", "1", "whole", "analyses, each between two passes"),
    Option("threshold", "2", "whole", "voters that must link to a unit to keep it"),
    Option("privilege", "0", "flag", "starting points stay in"),
    Option(
        "voters",
        "domain",
        "choice",
        "who has one vote: a registrable domain, or each site",
        ("domain", "site"),
    ),
    Option(
        "votes",
        "voters",
        "choice",
        "what is counted: different voters, or different linking pages",
        ("voters", "pages"),
    ),
    Option(
        "placement",
        "any",
        "choice",
        "links that vote: all, or those that stand in the body of a page",
        ("any", "body"),
    ),
    Option(
        "rel",
        "any",
        "choice",
        "links that vote: all, or those not marked nofollow, ugc or sponsored",
        ("any", "follow"),
    ),
    Option(
        "embeds",
        "record",
        "choice",
        "what frames of other sites are: recorded, or votes like links",
        ("record", "vote"),
    ),
    Option("authority", "0", "whole", "linking core sites a core node needs (0 = off)"),
    Option("diversity", "0", "whole", "categories a core should have (0 = off)"),
    Option(
        "exclude",
        "",
        "text",
        "hosts or substrings to leave out, besides the list in force: comma-separated,"
        " or @FILE; an entry - empties that list first",
    ),
)
"""What retention and network depend on; ``analyze`` takes them too."""

CRAWL: Final = (
    Option(
        "seeds", "", "text", "starting points: addresses, comma-separated, or @FILE"
    ),
    Option(
        "crawl",
        "",
        "text",
        "number of a crawl to resume, with the options it was begun with",
    ),
    Option("title", "", "text", "title of the network"),
    Option("author", "", "text", "name of whoever is responsible for it"),
    Option("email", "", "text", "address of whoever is responsible for it"),
    Option("out", "", "text", "folder for the network (default: networks/CRAWL)"),
)
"""What only a crawl takes."""

LIMITS: Final = {"depth": 20, "iterations": 20, "threshold": 1_000_000}
"""Highest values that make sense; above them lies a slip of the keyboard."""


IMPLIED: Final[dict[str, dict[str, tuple[int, str]]]] = {
    "snowball": {
        "threshold": (1, "which keeps everything linked to"),
        "privilege": (1, "which keeps the starting points"),
    },
    "interactor": {
        "iterations": (0, "which has none"),
        "threshold": (1, "which keeps the starting points alone"),
        "privilege": (1, "which keeps the starting points"),
    },
}
"""What an analysis takes an option for, whatever is given, and why."""


class Setting(NamedTuple):
    """A setting that this project adds to Scrapy's."""

    name: str
    default: str | int | float | None
    help: str


SETTINGS: Final = (
    Setting("ISSUECRAWL_DB", "sqlite:///issuecrawl.db", "the store"),
    Setting("ISSUECRAWL_CONTACT", "", "page for webmasters, named in the user agent"),
    Setting("ISSUECRAWL_SITE", "host", "what a site is: host or domain"),
    Setting(
        "ISSUECRAWL_SITES", "", "file of rules: URL prefix, site name, one rule a line"
    ),
    Setting("ISSUECRAWL_IDENTITY", "normal", "normal, or strict: keeps scheme and www"),
    Setting("ISSUECRAWL_PAGES_PER_SITE", 500, "pages of a site a pass (0 = no limit)"),
    Setting("ISSUECRAWL_PAGES", 20_000, "pages of a crawl (0 = no limit)"),
    Setting(
        "ISSUECRAWL_FORMATS",
        "all",
        "files of a network: all, or some of the formats, comma-separated",
    ),
    Setting("ISSUECRAWL_LIVE_SITES", 5_000, "sites in the live graph, by votes"),
    Setting("ISSUECRAWL_CRAWL_DELAY", 60.0, "longest Crawl-delay waited for, seconds"),
    Setting("ISSUECRAWL_RETRY_AFTER", 300.0, "longest Retry-After waited for, seconds"),
    Setting("ISSUECRAWL_HOST_REST", 60.0, "seconds a host rests that does not answer"),
    Setting(
        "ISSUECRAWL_ALLOWED_HOSTS",
        "",
        "hosts or networks crawled though private, comma-separated",
    ),
    Setting("ISSUECRAWL_HOME", "", "folder for store and networks under Scrapyd"),
    Setting(
        "ISSUECRAWL_FILES",
        "",
        "folder that files named in a job must lie in (default: ISSUECRAWL_HOME)",
    ),
)


def check(option: Option, value: str) -> Any:
    """Return *value* as its form asks; ConfigurationError if it has not that form."""
    text = value.strip()
    if option.form == "choice":
        if text not in option.choices:
            raise ConfigurationError.of(option.name, value, " or ".join(option.choices))
        return text
    if option.form == "flag":
        flag = {"1": True, "yes": True, "true": True, "0": False, "no": False}
        flag["false"] = False
        if text.lower() not in flag:
            raise ConfigurationError.of(option.name, value, "1 or 0")
        return flag[text.lower()]
    if option.form == "whole":
        least = 1 if option.name == "threshold" else 0
        most = LIMITS.get(option.name, 10**9)
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ConfigurationError.of(
                option.name, value, f"a whole number from {least} to {most}"
            )
        return int(text)
    return value


def resolve(
    given: Mapping[str, str],
    *,
    base: Mapping[str, Any] | None = None,
    read: Callable[[str], str],
) -> dict[str, Any]:
    """Return every retention option with its value: *given*, else *base*, else default.

    *base* is what a crawl stored. ``exclude`` becomes the sorted list of all entries
    in force. *read* returns the text of a file named with ``@``.
    """
    resolved: dict[str, Any] = {}
    for option in RETENTION:
        if option.name == "exclude":
            continue
        if option.name in given:
            resolved[option.name] = check(option, given[option.name])
        elif base is not None and option.name in base:
            resolved[option.name] = base[option.name]
        else:
            resolved[option.name] = check(option, option.default)
    before = default_exclusions() if base is None else base.get("exclude", ())
    resolved["exclude"] = exclusions(given.get("exclude", ""), before, read)
    _refuse_contradictions(resolved)
    return resolved


def exclusions(value: str, before: Any, read: Callable[[str], str]) -> list[str]:
    """Return the entries in force when *value* is added to those *before*."""
    if value.strip() == "-":
        return []
    if value.startswith("@"):
        added = read_exclusions(read(value[1:]))
    else:
        added = read_exclusions(value.replace(",", "\n"))
    if "-" in added:
        before = ()
        added = [entry for entry in added if entry != "-"]
    return sorted({*before, *added})


def parameters(resolved: Mapping[str, Any]) -> Parameters:
    """Return what analysis takes of *resolved* options, or of a crawl's settings."""
    names = {field.name for field in fields(Parameters)}
    values = {name: value for name, value in resolved.items() if name in names}
    values["exclude"] = tuple(values.get("exclude", ()))
    return Parameters(**values)


def as_settings(chosen: Parameters) -> dict[str, Any]:
    """Return *chosen* as a crawl stores it; :func:`parameters` reads it back."""
    values = asdict(chosen)
    values["exclude"] = list(chosen.exclude)
    return values


def portable(given: Mapping[str, str]) -> dict[str, str]:
    """Return what of *given* says something elsewhere too: no folders of this machine.

    >>> portable({"seeds": "@/home/me/seeds.txt", "out": "/home/me/net", "depth": "2"})
    {'depth': '2', 'seeds': '@seeds.txt'}
    """
    return {
        name: re.sub(r"^@.*[/\\]", "@", value, flags=re.DOTALL)
        for name, value in sorted(given.items())
        if name != "out"
    }


def _refuse_contradictions(resolved: Mapping[str, Any]) -> None:
    if resolved["analysis"] == "colink" and resolved["iterations"] == 0:
        message = (
            "iterations=0 leaves no co-link analysis to do; take 1 or more,"
            " or analysis=interactor for the network among the starting points"
        )
        raise ConfigurationError(message)


def idle(given: Mapping[str, str], resolved: Mapping[str, Any]) -> list[str]:
    """Return a warning for each option *given* that the analysis chosen does not use."""
    analysis = resolved["analysis"]
    return [
        f"{name}={given[name]} changes nothing with analysis={analysis}, {reason}"
        for name, (implied, reason) in IMPLIED.get(analysis, {}).items()
        if name in given and resolved[name] != implied
    ]


def require_voters(
    resolved: Mapping[str, Any], voters: set[str], seeds: int, *, shown: bool = True
) -> None:
    """Refuse a co-link crawl whose starting sites cannot reach the threshold.

    Without *shown* the error keeps to itself who they are.
    """
    if resolved["analysis"] != "colink" or resolved["votes"] == "pages":
        return
    if len(voters) < resolved["threshold"]:
        kind = "registrable domain" if resolved["voters"] == "domain" else "site"
        who = f" ({', '.join(sorted(voters)[:5])})" if shown else ""
        message = (
            f"threshold={resolved['threshold']} cannot be reached by"
            f" {_several(seeds, 'starting point')} on"
            f" {_several(len(voters), kind)}{who};"
            " add starting points of others, lower threshold, or take votes=pages"
        )
        raise ConfigurationError(message)


def _several(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
