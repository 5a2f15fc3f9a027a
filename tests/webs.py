"""Small webs in memory, with addresses simple enough to read off what they mean."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tests.oracle import Link, PageFacts, Web

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RULES = {
    "https://social.example/one": "one",
    "https://social.example/two": "two",
}
"""Prefix to site: actors on a platform."""


def host(page: str) -> str:
    return page.split("/")[2]


def rule(page: str) -> str | None:
    """Return the prefix of the rule that *page* falls under."""
    for prefix in RULES:
        if page == prefix or page.startswith(prefix + "/"):
            return prefix
    return None


def site(page: str) -> str:
    prefix = rule(page)
    return RULES[prefix] if prefix else host(page)


def domain_site(page: str) -> str:
    """Return the site of *page* while ``site=domain``."""
    prefix = rule(page)
    return RULES[prefix] if prefix else domain(page)


def domain(page: str) -> str:
    """Return the registrable domain, or a rule's site: who votes."""
    prefix = rule(page)
    return RULES[prefix] if prefix else ".".join(host(page).split(".")[-2:])


def home(page: str) -> str:
    return rule(page) or f"https://{host(page)}/"


def public(page: str) -> bool:
    return "." in host(page)


def excluded(page: str, entries: tuple[str, ...]) -> bool:
    """Judge by entries that are hosts, or ``substring:`` and a part of the address."""
    for entry in entries:
        if entry.startswith("substring:"):
            if entry.removeprefix("substring:") in page:
                return True
        elif ("." + host(page)).endswith("." + entry):
            return True
    return False


def web_of(pages: Mapping[str, PageFacts], *, by_domain: bool = False) -> Web:
    return Web(
        pages=pages,
        site=domain_site if by_domain else site,
        domain=domain,
        home=home,
        excluded=excluded,
        public=public,
    )


def web_of_links(
    links: Iterable[tuple[str, str] | tuple[str, Link]],
    redirects: Mapping[str, str] | None = None,
) -> Web:
    """Return a web where every source and redirect answers, and nothing else does."""
    found: defaultdict[str, list[Link]] = defaultdict(list)
    for source, target in links:
        found[source].append(Link(target) if isinstance(target, str) else target)
    pages = {page: PageFacts(tuple(of_page)) for page, of_page in found.items()}
    for page, hop in (redirects or {}).items():
        pages[page] = PageFacts(redirect=hop)
    return web_of(pages)
