"""Whether a crawl may begin with the starting points it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.exclusions import Exclusions, default_exclusions
from issuecrawl.model.options import exclusions, require_voters
from issuecrawl.model.public import is_public_host
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from issuecrawl.files import Files
    from issuecrawl.model.site import Sites


class Lists(NamedTuple):
    """The two exclusion lists in force, and whether errors may show what they match."""

    own: Exclusions
    shipped: Exclusions
    shown: bool

    @classmethod
    def of(cls, value: str, in_force: Iterable[str], files: Files) -> Lists:
        """Return the lists that the argument *value* leads to."""
        shown = files.quote or not value.startswith("@")
        own = exclusions(value, (), files.read)
        return cls(
            Exclusions(own, quote=shown),
            Exclusions(set(in_force) & set(default_exclusions()) - set(own)),
            shown,
        )


def check_starts(
    seeds: Sequence[str],
    given: Mapping[str, str],
    settings: Mapping[str, Any],
    sites: Sites,
    allowed: Sequence[str],
    files: Files,
) -> list[str]:
    """Return warnings; ConfigurationError for *seeds* that no crawl can begin with.

    *given* are the arguments as they came, *settings* as they were resolved.
    """
    lists = Lists.of(given.get("exclude", ""), settings["exclude"], files)
    shown = files.quote or not given["seeds"].strip().startswith("@")
    warnings: list[str] = []
    voters: set[str] = set()
    for number, seed in enumerate(seeds, 1):
        address = parse(seed)
        if address is None:
            continue
        name = f"starting point {seed if shown else f'no. {number}'}"
        if not is_public_host(address.host, allowed):
            message = (
                f"The {name} is not public; name its host in"
                " ISSUECRAWL_ALLOWED_HOSTS to crawl it all the same"
            )
            raise ConfigurationError(message)
        warnings += _judge(seed, name, lists)
        site = sites.of(address)
        voters.add(site.voter if settings["voters"] == "domain" else site.key)
    require_voters(settings, voters, len(seeds), shown=shown)
    return warnings


def refuse_excluded(seed: str, name: str, own: Exclusions, *, shown: bool) -> None:
    """Refuse a starting point that the user's *own* list excludes."""
    if entry := own.matches(seed):
        by = f" ({entry})" if shown else ""
        message = (
            f"The {name} is on your exclusion list{by}; take it off one of the two"
        )
        raise ConfigurationError(message)


def _judge(seed: str, name: str, lists: Lists) -> list[str]:
    refuse_excluded(seed, name, lists.own, shown=lists.shown)
    if entry := lists.shipped.matches(seed):
        message = (
            f"The {name} is on the default exclusion list ({entry}); it is crawled,"
            " links to it from elsewhere do not count (exclude=- empties the list)"
        )
        return [message]
    return []
