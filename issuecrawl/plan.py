"""From spider arguments and settings to a crawl that can be begun, or one sentence.

Checked twice: by ``scrapy crawl`` before a crawler is made, and by the spider, which
under Scrapyd is the only one to do so.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.files import Files
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.exclusions import Exclusions, default_exclusions
from issuecrawl.model.options import (
    CRAWL,
    RETENTION,
    check,
    parameters,
    require_voters,
    resolve,
)
from issuecrawl.model.public import is_public_host
from issuecrawl.model.seeds import read_seeds
from issuecrawl.model.site import Sites, read_rules
from issuecrawl.model.url import parse
from issuecrawl.store import crawls
from issuecrawl.store.database import connect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

    from issuecrawl.model.parameters import Parameters

ARGUMENTS: Final = frozenset(option.name for option in (*CRAWL, *RETENTION))


@dataclass(slots=True)
class Plan:
    """What a crawl is to do."""

    database: Path
    crawl: int | None
    """The crawl to resume, None for a new one."""
    given: dict[str, str]
    settings: dict[str, Any]
    """As the crawl stores them: retention options, who, seeds, what a site is."""
    seeds: list[str]
    out: Path | None
    networks: Path
    """Folder of the networks of crawls that name no folder of their own."""
    warnings: list[str]

    @property
    def parameters(self) -> Parameters:
        return parameters(self.settings)

    @property
    def sites(self) -> Sites:
        return Sites(self.settings["site"], [tuple(r) for r in self.settings["sites"]])

    @property
    def strict(self) -> bool:
        return bool(self.settings["identity"] == "strict")


def make_plan(arguments: Mapping[str, str], settings: BaseSettings) -> Plan:
    """Return the plan for these *arguments*; ConfigurationError or StoreError if none."""
    given = {name: str(value) for name, value in arguments.items() if name != "_job"}
    job = "_job" in arguments
    files = Files.of(settings, job=job)
    _refuse_unknown(given)
    database = files.database(settings["ISSUECRAWL_DB"])
    out = files.folder(given.get("out", ""))
    if "crawl" in given and "seeds" not in given:
        return _resumed(given, database, out, files.networks())
    if "crawl" in given:
        message = "crawl= resumes and seeds= starts anew; give one of the two"
        raise ConfigurationError(message)
    return _new(given, settings, files, database, out)


def _refuse_unknown(given: Mapping[str, str]) -> None:
    for name in given:
        if name not in ARGUMENTS:
            near = difflib.get_close_matches(name, ARGUMENTS, 1)
            meant = f"did you mean {near[0]}?" if near else ", ".join(sorted(ARGUMENTS))
            message = f"-a {name}= is no argument of this spider; {meant}"
            raise ConfigurationError(message)


def _resumed(
    given: dict[str, str], database: Path, out: Path | None, networks: Path
) -> Plan:
    others = sorted(set(given) - {"crawl", "out"})
    if others:
        message = (
            f"A crawl is resumed with its own settings, so {others[0]}= cannot be given"
            " with crawl=; start a new crawl, or use scrapy analyze for another network"
        )
        raise ConfigurationError(message)
    text = given["crawl"].strip()
    if not (text.isascii() and text.isdigit()):
        raise ConfigurationError.of("crawl", given["crawl"], "the number of a crawl")
    db = connect(database)
    try:
        row = crawls.find(db, int(text))
    finally:
        db.close()
    if row["state"] == "finished":
        message = (
            f"Crawl {text} is finished; scrapy analyze {text} computes its network,"
            " seeds= starts a new crawl"
        )
        raise ConfigurationError(message)
    stored = crawls.stored_settings(row)
    return Plan(database, int(text), given, stored, stored["seeds"], out, networks, [])


def _new(
    given: dict[str, str],
    settings: BaseSettings,
    files: Files,
    database: Path,
    out: Path | None,
) -> Plan:
    if not given.get("seeds", "").strip():
        message = (
            "A crawl needs starting points: -a seeds=https://a.example/,https://b.example/"
            " or -a seeds=@FILE with one address a line"
        )
        raise ConfigurationError(message)
    resolved = resolve(given, read=files.read)
    seeds = read_seeds(given["seeds"], files.read, quote=files.quote)
    resolved |= _identity_settings(settings, files)
    resolved |= {
        option.name: check(option, given.get(option.name, option.default))
        for option in CRAWL
        if option.name in {"title", "author", "email"}
    }
    resolved["seeds"] = seeds
    resolved["pages_per_site"] = settings.getint("ISSUECRAWL_PAGES_PER_SITE")
    resolved["pages"] = settings.getint("ISSUECRAWL_PAGES")
    plan = Plan(database, None, given, resolved, seeds, out, files.networks(), [])
    _check_seeds(plan, settings)
    return plan


def _identity_settings(settings: BaseSettings, files: Files) -> dict[str, Any]:
    by = settings["ISSUECRAWL_SITE"]
    if by not in {"host", "domain"}:
        raise ConfigurationError.of("ISSUECRAWL_SITE", by, "host or domain")
    identity = settings["ISSUECRAWL_IDENTITY"]
    if identity not in {"normal", "strict"}:
        raise ConfigurationError.of("ISSUECRAWL_IDENTITY", identity, "normal or strict")
    rules = settings["ISSUECRAWL_SITES"]
    sites = [list(rule) for rule in read_rules(files.read(rules))] if rules else []
    return {"site": by, "identity": identity, "sites": sites}


def _check_seeds(plan: Plan, settings: BaseSettings) -> None:
    sites, chosen = plan.sites, plan.parameters
    own = Exclusions(set(chosen.exclude) - set(default_exclusions()))
    shipped = Exclusions(default_exclusions() if chosen.exclude else ())
    allowed = settings.getlist("ISSUECRAWL_ALLOWED_HOSTS")
    voters: set[str] = set()
    for seed in plan.seeds:
        address = parse(seed)
        if address is None:
            continue
        if not is_public_host(address.host, allowed):
            message = (
                f"The starting point {seed} is not public; name its host in"
                " ISSUECRAWL_ALLOWED_HOSTS to crawl it all the same"
            )
            raise ConfigurationError(message)
        if entry := own.matches(seed):
            message = (
                f"The starting point {seed} is on your exclusion list ({entry});"
                " take it off one of the two"
            )
            raise ConfigurationError(message)
        if entry := shipped.matches(seed):
            plan.warnings.append(
                f"The starting point {seed} is on the default exclusion list ({entry});"
                " it is crawled, links to it from elsewhere do not count"
            )
        site = sites.of(address)
        voters.add(site.voter if chosen.voters == "domain" else site.key)
    require_voters(plan.settings, voters, len(plan.seeds))
