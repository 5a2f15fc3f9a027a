"""The meaning of a crawl in sets and loops: what an analysis has to equal.

Written from the text of DESIGN 5 alone and as plainly as it allows. It knows no
store, no arrays, no SQL and no code of ``analysis``; a web is a dict of pages, and
what a page belongs to are functions of its address.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from issuecrawl.model.link import Kind, Placement
    from issuecrawl.model.parameters import Parameters

HOPS = 20
"""Redirects that are followed from one address."""


@dataclass(frozen=True)
class Link:
    target: str
    kind: Kind = "a"
    placement: Placement = "body"
    rel: str = ""


@dataclass(frozen=True)
class PageFacts:
    """What a server answers for one address."""

    links: tuple[Link, ...] = ()
    redirect: str | None = None
    answers: bool = True
    nofollow: bool = False


@dataclass(frozen=True)
class Web:
    """Pages by address, and what an address means. An unknown page never answers."""

    pages: Mapping[str, PageFacts]
    site: Callable[[str], str]
    domain: Callable[[str], str]
    """The voter of a page while ``voters=domain``."""

    home: Callable[[str], str]
    """Where the site of a page is started: the root of its host, or a rule's prefix."""

    excluded: Callable[[str, tuple[str, ...]], bool] = lambda _page, _entries: False
    public: Callable[[str], bool] = lambda _page: True

    def facts(self, page: str) -> PageFacts:
        return self.pages.get(page, PageFacts(answers=False))

    def links(self, page: str) -> tuple[Link, ...]:
        facts = self.facts(page)
        return facts.links if facts.answers and facts.redirect is None else ()


@dataclass
class Pass:
    starts: set[str]
    """Pages as they are started, before redirects."""

    reach: set[str]
    asked: set[str]
    """Every address that the pass has to know the answer of."""

    units: set[str]
    """Pages or sites that the starting points are."""


@dataclass
class Network:
    core: set[str] = field(default_factory=set)

    voters: dict[str, set[str]] = field(default_factory=dict)
    """Who is heard for a node: voters, or linking pages with ``votes=pages``."""

    retained_at: dict[str, int] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)
    edges: dict[tuple[str, str], int] = field(default_factory=dict)

    links: set[tuple[str, str]] = field(default_factory=set)
    """Links to pages of the network from other sites, the periphery's among them."""

    site_inlinks: dict[str, int] = field(default_factory=dict)
    """Of the sites of the core, in either mode."""

    inlinks: dict[str, int] = field(default_factory=dict)

    outlinks: dict[str, int] = field(default_factory=dict)
    """Links to pages of the network on other sites, as pairs of pages."""

    periphery: set[str] = field(default_factory=set)


@dataclass
class Result:
    passes: list[Pass]
    network: Network
    missing: set[str] = field(default_factory=set)

    @property
    def asked(self) -> set[str]:
        return set().union(*(one.asked for one in self.passes))


@dataclass(frozen=True)
class Rules:
    """The rules of a crawl of *web* with *parameters* from the seeds *starts*."""

    web: Web
    starts: tuple[str, ...]
    parameters: Parameters

    def allowed(self, page: str) -> bool:
        excluded = self.web.excluded(page, self.parameters.exclude)
        return self.web.public(page) and not excluded

    def chain(self, page: str, known: set[str] | None = None) -> list[str]:
        """Return *page* and its redirect hops; a loop ends where it closes.

        A hop that is not allowed is not taken. Where *known* is given, only the
        redirects of its pages are.
        """
        chain = [page]
        while len(chain) <= HOPS and (known is None or chain[-1] in known):
            hop = self.web.facts(chain[-1]).redirect
            if hop is None or not self.allowed(hop):
                break
            chain.append(hop)
            if hop in chain[:-1]:
                break
        return chain

    def final(self, page: str, known: set[str] | None = None) -> str:
        """Return the page that *page* is one with: itself where redirects never end."""
        end = self.chain(page, known)[-1]
        if known is not None and end not in known:
            return end
        hop = self.web.facts(end).redirect
        return end if hop is None or not self.allowed(hop) else page

    def unit(self, page: str) -> str:
        return page if self.parameters.mode == "page" else self.web.site(page)

    def voter(self, page: str) -> str:
        by_site = self.parameters.voters == "site"
        return self.web.site(page) if by_site else self.web.domain(page)

    def fetch(self, starts: set[str]) -> Pass:
        """Return the pass that begins with *starts*: reach level by level."""
        started = {one for one in starts if one in self.starts or self.allowed(one)}
        asked: set[str] = set()
        for page in started:
            asked.update(self.chain(page))
        reach: set[str] = set()
        level = {self.final(page) for page in started}
        for _step in range(self.parameters.depth):
            following: set[str] = set()
            for page in level - reach:
                for target in self.followed(page):
                    asked.update(self.chain(target))
                    final = self.final(target)
                    if self.web.site(final) == self.web.site(page):
                        following.add(final)
            reach |= level
            level = following
        reach |= level
        units = {self.unit(self.final(page)) for page in starts}
        return Pass(set(starts), reach, asked, units)

    def followed(self, page: str) -> Iterator[str]:
        """Yield where the links of *page* lead on within its site."""
        if self.web.facts(page).nofollow:
            return
        for link in self.web.links(page):
            inside = self.web.site(link.target) == self.web.site(page)
            if inside and link.kind != "link" and self.allowed(link.target):
                yield link.target

    def votes(self, reach: set[str], known: set[str]) -> set[tuple[str, str]]:
        """Return the (source, target) pairs of voting links to other sites."""
        pairs = set()
        for page in reach:
            for link in self.web.links(page):
                if self.is_vote(link) and self.allowed(link.target):
                    target = self.final(link.target, known)
                    if self.web.site(target) != self.web.site(page):
                        pairs.add((page, target))
        return pairs

    def is_vote(self, link: Link) -> bool:
        kinds = {"a", "area", "refresh"}
        if self.parameters.embeds == "vote":
            kinds |= {"frame", "iframe"}
        marked = {"nofollow", "ugc", "sponsored"} & set(link.rel.split())
        return (
            link.kind in kinds
            and (self.parameters.placement == "any" or link.placement == "body")
            and (self.parameters.rel == "any" or not marked)
        )

    def tally(self, votes: set[tuple[str, str]]) -> dict[str, set[tuple[str, str]]]:
        """Return the votes that count for each unit.

        Those of the unit's own voter do not, except in a snowball.
        """
        counted: dict[str, set[tuple[str, str]]] = {}
        for source, target in votes:
            own = self.voter(source) == self.voter(target)
            if self.parameters.analysis == "snowball" or not own:
                counted.setdefault(self.unit(target), set()).add((source, target))
        return counted

    def voters(self, votes: set[tuple[str, str]]) -> set[str]:
        return {self.voter(source) for source, _target in votes}

    def heard(self, votes: set[tuple[str, str]]) -> set[str]:
        """Return who is counted: voters, or linking pages."""
        if self.parameters.votes == "pages":
            return {source for source, _target in votes}
        return self.voters(votes)

    def is_kept(self, votes: set[tuple[str, str]]) -> bool:
        snowball = self.parameters.analysis == "snowball"
        return snowball or len(self.heard(votes)) >= self.parameters.threshold

    def starting_page(self, unit: str, votes: set[tuple[str, str]]) -> str:
        """Return where *unit* is started: itself, or the home of its best page."""
        if self.parameters.mode == "page":
            return unit
        best = None
        for page in sorted({target for _source, target in votes}):
            of_page = {vote for vote in votes if vote[1] == page}
            rank = (len(self.voters(of_page)), len(of_page))
            if best is None or rank > best[0]:
                best = (rank, page)
        assert best is not None
        return self.web.home(best[1])


def crawl(web: Web, starts: tuple[str, ...], parameters: Parameters) -> Result:
    """Return what a crawl that fetches exactly its reach comes to."""
    rules = Rules(web, starts, parameters)
    passes = [rules.fetch(set(starts))]
    voters: dict[str, set[str]] = {}
    for _iteration in range(parameters.passes - 1):
        known = Result(passes, Network()).asked
        tally = rules.tally(rules.votes(passes[-1].reach, known))
        kept = {unit: votes for unit, votes in tally.items() if rules.is_kept(votes)}
        begun: dict[str, set[str]] = {}
        for unit, votes in kept.items():
            begun.setdefault(rules.starting_page(unit, votes), set()).add(unit)
        following = set(begun)
        if parameters.analysis == "snowball":
            following |= passes[-1].starts
        elif parameters.privilege:
            following |= set(starts)
        passes.append(rules.fetch(following))
        voters = union_of_voters(rules, tally, begun, passes[-1])
    if len(passes) == 1:
        tally = rules.tally(rules.votes(passes[0].reach, passes[0].asked))
        voters = union_of_voters(rules, tally, {}, passes[0])
    return Result(passes, network(rules, passes, voters))


def union_of_voters(
    rules: Rules,
    tally: dict[str, set[tuple[str, str]]],
    begun: dict[str, set[str]],
    last: Pass,
) -> dict[str, set[str]]:
    """Return the voters of each unit of *last*, those of units it came from included."""
    voters = {unit: rules.heard(tally.get(unit, set())) for unit in last.units}
    for page, units in begun.items():
        node = rules.unit(rules.final(page))
        for unit in units:
            voters[node] |= rules.heard(tally[unit])
    return voters


def network(rules: Rules, passes: list[Pass], voters: dict[str, set[str]]) -> Network:
    """Return the network of all *passes*, whose last one's units are the core."""
    known = Result(passes, Network()).asked
    reach = set().union(*(one.reach for one in passes))
    votes = rules.votes(reach, known)
    site, unit = rules.web.site, rules.unit
    core = set(passes[-1].units)
    core -= with_too_little_authority(rules, passes, core, votes)

    if rules.parameters.mode == "page":
        pages = set(core)
    else:
        pages = {target for _, target in votes if site(target) in core}
        pages |= {
            source
            for source, target in votes
            if site(source) in core and site(target) in core
        }
    edges: dict[tuple[str, str], int] = {}
    for source, target in votes:
        if unit(source) in core and unit(target) in core:
            pair = unit(source), unit(target)
            edges[pair] = edges.get(pair, 0) + 1
    return Network(
        core=core,
        voters={node: voters[node] for node in core},
        retained_at={
            node: min(k for k, one in enumerate(passes) if node in one.units)
            for node in core
        },
        pages=pages,
        edges=edges,
        links={(source, target) for source, target in votes if target in pages},
        site_inlinks={
            name: sum(site(target) == name for _, target in votes)
            for name in (core if rules.parameters.mode == "site" else map(site, core))
        },
        inlinks={n: sum(unit(target) == n for _, target in votes) for n in core},
        outlinks={
            node: sum(
                unit(source) == node and unit(target) in core
                for source, target in votes
            )
            for node in core
        },
        periphery={
            source
            for source, target in votes
            if target in pages and source not in pages
        },
    )


def with_too_little_authority(
    rules: Rules, passes: list[Pass], core: set[str], votes: set[tuple[str, str]]
) -> set[str]:
    parameters, site = rules.parameters, rules.web.site
    privileged: set[str] = set()
    if parameters.privilege or parameters.analysis != "colink":
        privileged = passes[0].units
    dropped = set()
    for node in core - privileged:
        linking = {
            site(source)
            for source, target in votes
            if rules.unit(target) == node and rules.unit(source) in core
        }
        if len(linking) < parameters.authority:
            dropped.add(node)
    return dropped


def analyze(
    stored: set[str], web: Web, starts: tuple[str, ...], parameters: Parameters
) -> Result:
    """Return what *parameters* give where only the pages *stored* were asked for.

    The others answer nothing; those that a crawl would have asked for are missing.
    """
    pages = {page: facts for page, facts in web.pages.items() if page in stored}
    result = crawl(replace(web, pages=pages), starts, parameters)
    result.missing = result.asked - stored
    return result
