"""Why nodes are in a network, and what candidates lack."""

from __future__ import annotations

import json
import re
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from analysis.claims import COUNTED, VERDICTS, claims
from analysis.compute import worked_out
from analysis.near import near
from analysis.why import Inquiry
from issuecrawl.demo.proxy import Proxy
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.reader import StoredCrawl
from tests.conftest import Command, Crawl, LoopbackWeb
from tests.oracle import Link, analyze, crawl
from tests.small_crawls import stored
from tests.stored_webs import CRAWL, Crawled
from tests.test_analysis_against_oracle import orders
from tests.web_strategies import parameters, webs
from tests.webs import web_of_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.near import NearMiss
    from analysis.why import Account
    from tests.conftest import Finished
    from tests.oracle import Web

    Drawn = tuple[Web, tuple[str, ...], bool]

A, B, C, X, Y, Z = (f"https://{name}.example/" for name in "abcxyz")


# Of stored crawls


@settings(max_examples=100, deadline=None)
@given(webs(), parameters(), parameters(), orders)
def test_links_counted_are_the_voices_that_the_analysis_heard(
    drawn: Drawn, chosen: Parameters, others: Parameters, order: int
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)
    crawled = Crawled(web, starts, chosen, result.passes, by_domain, order)

    with (
        closing(crawled.store()) as db,
        worked_out(StoredCrawl(db, CRAWL), others, own=others == chosen) as found,
    ):
        units, votes = found.retention.tally(1)
        heard = dict(zip(units.tolist(), votes.tolist(), strict=True))
        voices = found.retention.voices(units)
        misses = near(found.course, found.retention, found.core, 100)
        for unit in range(1, found.course.view.crawl.count + 1):
            if others.mode == "site" and unit >= len(found.course.view.crawl.sites):
                break
            counted = claims(found.course, unit).voices(COUNTED).tolist()
            assert counted == voices[1][voices[0] == unit].tolist()
            assert len(counted) == heard.get(unit, 0)
    core = analyze(result.asked, web, starts, others).network.core
    assert not {miss.node for miss in misses} & core
    assert [miss.votes for miss in misses] == sorted(
        (miss.votes for miss in misses), reverse=True
    )
    for miss in misses:
        assert miss.votes == len(miss.voters) == heard[miss.unit]
        if others.analysis == "colink":
            assert miss.votes < others.threshold


@settings(max_examples=100, deadline=None)
@given(webs(), parameters(), orders)
def test_every_page_has_an_account(
    drawn: Drawn, chosen: Parameters, order: int
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)
    crawled = Crawled(web, starts, chosen, result.passes, by_domain, order)

    with (
        closing(crawled.store()) as db,
        worked_out(StoredCrawl(db, CRAWL), chosen, own=True) as found,
    ):
        inquiry = Inquiry(found)
        for page in crawled.pages:
            account = inquiry.account(page, 3)
            assert len(account.links) <= 3
            heard = result.network.voters.get(account.node)
            assert (account.role == "core") == (heard is not None)
            if heard is not None:
                assert set(account.voters) == heard
                assert account.votes == len(heard)
                assert account.inlinks == result.network.inlinks[account.node]
                assert account.inlinks == sum(one.links for one in account.linking)


def asked(web: Web, starts: tuple[str, ...], node: str, **changes: Any) -> Account:
    chosen = Parameters(**changes)
    found = stored(web, starts, **changes)
    with closing(found.db), worked_out(found, chosen, own=False) as result:
        return Inquiry(result).account(node)


def misses(web: Web, starts: tuple[str, ...], **changes: Any) -> list[NearMiss]:
    chosen = Parameters(**changes)
    found = stored(web, starts, **changes)
    with closing(found.db), worked_out(found, chosen, own=False) as result:
        return near(result.course, result.retention, result.core)


REFUSALS: dict[str, tuple[Link, dict[str, Any]]] = {
    "own voter": (Link("https://blog.x.example/"), {}),
    "placement": (Link(X, placement="footer"), {"placement": "body"}),
    "rel": (Link(X, rel="ugc"), {"rel": "follow"}),
    "embed": (Link(X, kind="iframe"), {}),
    "recorded": (Link(X, kind="link"), {}),
    "excluded": (Link(X), {"exclude": ("x.example",)}),
}


@pytest.mark.parametrize("verdict", REFUSALS)
def test_link_that_is_not_counted_says_why(verdict: str) -> None:
    link, changes = REFUSALS[verdict]
    source = "https://shop.x.example/" if verdict == "own voter" else A
    web = web_of_links([(source, link), (B, Y), (C, Y)])

    found = asked(web, (source, B, C), link.target, depth=0, **changes)

    assert (found.role, found.votes) == ("", 0)
    (refused,) = found.refused
    assert (refused.verdict, refused.links) == (verdict, 1)
    assert found.links[0][0] == verdict
    assert found.excluded_by == (["x.example"] if verdict == "excluded" else [])
    assert verdict in VERDICTS


def test_link_of_the_last_pass_came_too_late() -> None:
    web = web_of_links([(A, X), (B, X), (A, Z), (X, Z), (X, Y)])

    found = asked(web, (A, B), "z.example", depth=0)

    assert (found.votes, found.voters) == (1, ["a.example"])
    assert [(one.verdict, one.voters) for one in found.refused] == [
        ("later", ["x.example"])
    ]


def test_site_that_was_kept_and_moved_is_part_of_where_it_leads() -> None:
    web = web_of_links([(A, X + "1"), (B, X + "1"), (C, Y)], {X: Y})

    moved = asked(web, (A, B, C), "x.example", depth=0)
    final = asked(web, (A, B, C), "y.example", depth=0)

    assert (moved.role, moved.part_of) == ("", "y.example")
    assert (final.role, final.came_from) == ("core", ["x.example"])
    assert final.voters == ["a.example", "b.example", "c.example"]


def test_authority_that_dropped_a_node_is_told() -> None:
    web = web_of_links(
        [*[(one, two) for one in (A, B) for two in (X, Y)], (X, Y), (Y, Z)]
    )

    found = asked(web, (A, B), "x.example", depth=0, authority=1)

    assert (found.role, found.dropped, found.authority) == ("periphery", "authority", 0)


def test_near_misses_come_by_votes_and_name() -> None:
    web = web_of_links(
        [(A, X), (B, X), (C, X), (A, Z), (B, Z), (C, Y), (A, Y + "1"), (B, C)]
    )

    found = misses(web, (A, B, C), threshold=3, depth=0)

    assert [(one.node, one.votes, one.voters) for one in found] == [
        ("y.example", 2, ["a.example", "c.example"]),
        ("z.example", 2, ["a.example", "b.example"]),
        ("c.example", 1, ["b.example"]),
    ]


# The command


SEEDS = f"{A},{B},{C}"


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    web = LoopbackWeb()
    body = '<p>Read the <a href="{}">report on \u202e floods</a>.<footer>{}</footer>'
    web.page(A, html=body.format(X + "report", f'<a href="{Z}">z\xeb\U0001f30d</a>'))
    web.page(B, f"{X}report", X, "https://old.example/")
    web.page(C, Z, "https://facebook.com/x")
    web.page(X, Y, X + "secret", X + "gone")
    web.page("https://x.example/robots.txt", html="User-agent: *\nDisallow: /secret")
    web.page(X + "report", A)
    web.page(X + "secret")
    web.page(Z)
    web.redirect("https://old.example/", Y)
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


@pytest.fixture(scope="module")
def crawled(web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    crawl = Crawl(tmp_path_factory.mktemp("why"), web.environment)
    done = crawl.scrapy(*crawl.arguments(seeds=SEEDS), "-O", "items.jsonl")
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def scrapy(web: LoopbackWeb, crawled: Finished) -> Command:
    return Command(crawled.folder, web.environment)


NAMES = ("x.example", "www.X.example", X, f"{X}report", "x.example/report")


def test_node_of_the_core_is_told_by_any_of_its_names(scrapy: Command) -> None:
    done = scrapy.scrapy("why", 1, *NAMES)

    assert (done.returncode, done.stderr) == (0, "")
    told, *others = re.split(r"^(?=\S)", done.stdout, flags=re.MULTILINE)[1:]
    assert others == [told] * 4
    lines = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "(time)", told).splitlines()
    assert lines == [
        "x.example: in the core",
        "  why        co-linked by 2, 2 needed; in since pass 1",
        "  voters     2: a.example, b.example",
        "  links      3 pairs of pages counted; from b.example (periphery, 2), a.example",
        "             (periphery, 1)",
        "  not seen   1 of 3 addresses of it (robots.txt: 1)",
        "  3 of 3 links, the best first:",
        f'    b.example: "{X}" (body, a)',
        f"      {B} -> {X}, (time)",
        '    a.example: "report on ? floods" (body, a)',
        f"      {A} -> {X}report, (time)",
        f'    b.example: "{X}report" (body, a)',
        f"      {B} -> {X}report, (time)",
    ]


def test_candidate_says_what_it_lacks(scrapy: Command) -> None:
    done = scrapy.scrapy("why", 1, "z.example", "y.example", "--placement", "body")

    assert done.returncode == 0
    z, y = done.stdout.split("y.example: not kept")
    assert "z.example: not kept\n  why not    1 voter, 2 needed" in z
    assert "links      1 of 2 pairs of pages counted; from" in z
    assert "uncounted  1 link outside the body of a page (placement=body)" in z
    assert "a.example" in z
    assert "why not    0 voters, 2 needed" in y
    assert "1 link found in the last pass, whose links no analysis counts" in y


def test_excluded_candidate_names_the_entry(scrapy: Command) -> None:
    done = scrapy.scrapy("why", 1, "facebook.com")

    assert done.returncode == 0
    assert "why not    it is excluded (0 voters counted)" in done.stdout
    assert "excluded   by facebook.com" in done.stdout


def test_near_misses_are_listed(scrapy: Command) -> None:
    done = scrapy.scrapy("why", 1, "--near", "--threshold", "3")

    assert done.returncode == 0
    first, *lines = done.stdout.splitlines()
    assert first == "Near misses, by voters; 3 needed"
    assert lines[:2] == [
        "       2  x.example: a.example, b.example",
        "       2  z.example: a.example, c.example",
    ]
    one = scrapy.scrapy("why", 1, "--near", "1", "--threshold", "3")
    assert one.stdout.splitlines() == [first, lines[0]]


def test_machines_are_told_the_same_of_store_and_items(scrapy: Command) -> None:
    options = ("x.example", "facebook.com", "--near", "--json", "--links", "2")
    by_store = scrapy.scrapy("why", 1, *options)
    by_items = scrapy.scrapy("why", "items.jsonl", *options)

    assert by_store.returncode == 0
    assert by_store.stdout == by_items.stdout
    told = json.loads(by_store.stdout)
    core, candidate = told["nodes"]
    assert (core["node"], core["role"]) == ("x.example", "core")
    assert core["links"][1]["anchor"] == "report on \u202e floods"
    assert core["coverage"]["unseen"] == {"robots": 1}
    assert candidate["refused"][0]["verdict"] == "excluded"
    assert told["near"] == [
        {"node": "old.example", "votes": 1, "voters": ["b.example"]}
    ]


def test_signs_that_the_terminal_has_not_are_told_by_number(scrapy: Command) -> None:
    signs = scrapy.environment | {"PYTHONIOENCODING": "ascii"}
    other = Command(scrapy.folder, signs)
    done = other.scrapy("why", 1, "z.example")
    of_json = other.scrapy("why", 1, "z.example", "--json")

    assert (done.returncode, of_json.returncode) == (0, 0), done.stderr
    assert r'a.example: "z\xeb\U0001f30d" (footer, a)' in done.stdout
    (node,) = json.loads(of_json.stdout)["nodes"]
    assert "z\xeb\U0001f30d" in [link["anchor"] for link in node["links"]]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Expected a crawl, by its number, or a file of its items, and what to"),
        ([1], "Expected a crawl, by its number, or a file of its items, and what to"),
        ([9, "x.example"], "There is no crawl 9 in the store; it has 1"),
        (
            [1, "x.exampel"],
            "The crawl has not come across x.exampel; did you mean x.ex",
        ),
        ([1, "Xamp"], "The crawl has not come across Xamp; did you mean "),
        ([1, "https://nobody.test/"], "The crawl has not come across https://nobody"),
        ([1, "x\x1b[2J"], r"The crawl has not come across x\?\[2J; "),
        ([1, "x.example", "--links", "few"], "--links=few cannot be used; expected a"),
        ([1, "--near", "x.example"], "--near=x.example cannot be used; expected a"),
        ([1, "--near", "0"], "--near=0 cannot be used; expected a whole number of 1"),
        ([1, "x.example", "--nera"], "--nera is no option of this command; did you"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    arguments: list[object], sentence: str, scrapy: Command
) -> None:
    done = scrapy.scrapy("why", *arguments)

    assert done.returncode == 2
    assert re.search(sentence, done.stderr), done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout
