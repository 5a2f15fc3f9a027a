"""From spider arguments and settings to a crawl that can be begun, or one sentence.

Checked twice: by ``scrapy crawl`` before a crawler is made, and by the spider, which
under Scrapyd is the only one to do so.
"""

from __future__ import annotations

import difflib
import json
import math
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from issuecrawl.files import Files
from issuecrawl.formats import read_formats
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.options import (
    CRAWL,
    RETENTION,
    SETTINGS,
    check,
    idle,
    parameters,
    resolve,
)
from issuecrawl.model.seeds import read_seeds
from issuecrawl.model.site import Sites, read_rules
from issuecrawl.startcheck import check_starts
from issuecrawl.store import crawls
from issuecrawl.store.database import PREFIX, connect, database_path

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from issuecrawl.model.parameters import Parameters

SCRAPYD_ARGUMENTS: Final = frozenset({"_job", "_version"})
"""What Scrapyd adds to the arguments of a job."""

ARGUMENTS: Final = frozenset(option.name for option in (*CRAWL, *RETENTION))

DEFAULT_DB: Final = next(
    str(setting.default) for setting in SETTINGS if setting.name == "ISSUECRAWL_DB"
)

NUMBERS: Final = (
    *(
        (setting.name, 0, isinstance(setting.default, int))
        for setting in SETTINGS
        if isinstance(setting.default, int | float)
    ),
    ("DOWNLOAD_DELAY", 0, False),
    ("DOWNLOAD_TIMEOUT", 0, False),
    ("CONCURRENT_REQUESTS", 1, True),
    ("CONCURRENT_REQUESTS_PER_DOMAIN", 1, True),
    ("RETRY_TIMES", 0, True),
)
"""Settings that hold a number: the least one, and whether it has to be whole."""


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
    formats: tuple[str, ...]
    """Of the network's files, keys of ``analysis.files.FORMATS``."""
    warnings: list[str] = field(default_factory=list)

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
    given = {
        name: str(value)
        for name, value in arguments.items()
        if name not in SCRAPYD_ARGUMENTS
    }
    job = "_job" in arguments
    files = Files.of(settings, job=job)
    _refuse_unknown(given)
    _refuse_unknown_settings(settings)
    formats = read_formats(settings["ISSUECRAWL_FORMATS"], "ISSUECRAWL_FORMATS")
    database = files.database(settings["ISSUECRAWL_DB"])
    out = files.folder(given.get("out", ""))
    _check_numbers(settings)
    if database.exists():
        connect(database).close()
    elif not job and not database.parent.is_dir():
        message = f"There is no folder {database.parent} for the store; make it first"
        raise ConfigurationError(message)
    if "crawl" in given and "seeds" not in given:
        return _resumed(given, files, database, out, formats)
    if "crawl" in given:
        message = "crawl= resumes and seeds= starts anew; give one of the two"
        raise ConfigurationError(message)
    return _new(given, settings, files, database, out, formats)


def resume_line(crawl: int, database: Path) -> str:
    """Return what resumes *crawl* of the store *database*, typed in this folder."""
    line = f"scrapy crawl issuenetwork -a crawl={crawl}"
    if database != database_path(DEFAULT_DB):
        line += f" -s {shlex.quote(f'ISSUECRAWL_DB={PREFIX}{database}')}"
    return line


def _refuse_unknown(given: Mapping[str, str]) -> None:
    for name in given:
        if name not in ARGUMENTS:
            near = difflib.get_close_matches(name, ARGUMENTS, 1)
            names = ", ".join(option.name for option in (*CRAWL, *RETENTION))
            meant = f"did you mean {near[0]}=?" if near else f"it has {names}"
            message = f"-a {name}= is no argument of issuenetwork; {meant}"
            raise ConfigurationError(message)


def _resumed(
    given: dict[str, str],
    files: Files,
    database: Path,
    out: Path | None,
    formats: tuple[str, ...],
) -> Plan:
    others = sorted(set(given) - {"crawl", "out"})
    if others:
        message = (
            f"A crawl is resumed with its own settings, so {others[0]}= cannot be given"
            " with crawl=; start a new crawl, or use scrapy analyze for another network"
        )
        raise ConfigurationError(message)
    crawl = crawls.as_number(given["crawl"])
    if crawl is None:
        raise ConfigurationError.of("crawl", given["crawl"], "the number of a crawl")
    db = connect(database)
    try:
        row = crawls.find(db, crawl)
    finally:
        db.close()
    if row["state"] == "finished":
        message = (
            f"Crawl {crawl} is finished; scrapy analyze {crawl} computes its network,"
            " seeds= starts a new crawl"
        )
        raise ConfigurationError(message)
    crawls.require_begun(row)
    # Held for a moment, so that a crawl that runs is refused before anything is done.
    crawls.Hold(database, crawl).release()
    stored = crawls.stored_settings(row)
    out = out or files.folder(json.loads(row["given"]).get("out", ""))
    return Plan(
        database, crawl, given, stored, stored["seeds"], out, files.networks(), formats
    )


def _new(
    given: dict[str, str],
    settings: BaseSettings,
    files: Files,
    database: Path,
    out: Path | None,
    formats: tuple[str, ...],
) -> Plan:
    if not given.get("seeds", "").strip():
        message = (
            "A crawl needs starting points: -a seeds=https://a.example/,https://b.example/"
            " or -a seeds=@FILE with one address a line"
        )
        raise ConfigurationError(message)
    resolved = resolve(given, read=files.read)
    resolved |= _identity_settings(settings, files)
    seeds = read_seeds(
        given["seeds"],
        files.read,
        quote=files.quote,
        strict=resolved["identity"] == "strict",
    )
    resolved |= {
        # On one line each: they stand in lines of the log and of tables.
        option.name: " ".join(check(option, given.get(option.name, "")).split())
        for option in CRAWL
        if option.name in {"title", "author", "email"}
    }
    resolved["seeds"] = seeds
    resolved["pages_per_site"] = settings.getint("ISSUECRAWL_PAGES_PER_SITE")
    resolved["pages"] = settings.getint("ISSUECRAWL_PAGES")
    plan = Plan(database, None, given, resolved, seeds, out, files.networks(), formats)
    allowed = settings.getlist("ISSUECRAWL_ALLOWED_HOSTS")
    plan.warnings += idle(given, resolved)
    plan.warnings += check_starts(seeds, given, resolved, plan.sites, allowed, files)
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


def _refuse_unknown_settings(settings: BaseSettings) -> None:
    known = [setting.name for setting in SETTINGS]
    for name in settings:
        if name.startswith("ISSUECRAWL_") and name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.7)
            meant = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
            raise ConfigurationError(f"{name} is no setting of issuecrawl; {meant}")


def _check_numbers(settings: BaseSettings) -> None:
    """Refuse settings that are no number where one is needed, Scrapy's own too."""
    for name, least, whole in NUMBERS:
        text = str(settings[name]).strip()
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = -1
        if not least <= value < math.inf:
            kind = "a whole number" if whole else "a number"
            raise ConfigurationError.of(name, text, f"{kind}, {least} or more")
