"""Coverage: what was due of each site, and what of it was not seen."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compute import network
from analysis.coverage import REASONS
from issuecrawl.store.reader import StoredCrawl
from tests.oracle import Rules, analyze, crawl
from tests.stored_webs import CRAWL, Crawled
from tests.test_analysis_against_oracle import orders
from tests.web_strategies import parameters, webs

if TYPE_CHECKING:
    from analysis.network import Network
    from issuecrawl.model.parameters import Parameters
    from tests.oracle import Web

    Drawn = tuple[Web, tuple[str, ...], bool]


@settings(max_examples=200, deadline=None)
@given(webs(), parameters(), parameters(), orders, st.data())
def test_numbers_add_up_to_what_the_reach_demands(
    drawn: Drawn,
    chosen: Parameters,
    others: Parameters,
    order: int,
    data: st.DataObject,
) -> None:
    web, starts, by_domain = drawn
    result = crawl(web, starts, chosen)
    cut = data.draw(st.frozensets(st.sampled_from(sorted(result.asked)), max_size=2))
    crawled = Crawled(web, starts, chosen, result.passes, by_domain, order, cut)
    stored = result.asked - cut
    expected = analyze(stored, web, starts, others)

    with closing(crawled.store()) as db:
        found = network(StoredCrawl(db, CRAWL), others, own=False)

    assert found.coverage is not None
    rules = Rules(web, starts, others)
    begun = {page for one in expected.passes for page in one.starts}
    due = expected.asked | begun
    sites = {row.site: row for row in found.coverage}
    assert list(sites) == sorted({web.site(page) for page in due})
    unseen = dict.fromkeys(REASONS, 0)
    for key, row in sites.items():
        pages = {page for page in due if web.site(page) == key}
        seen = row.retrieved + row.redirected + row.gone
        assert row.due == len(pages) == seen + sum(row.unseen.values())
        answered = {page for page in pages & stored if web.facts(page).answers}
        assert row.retrieved == sum(
            web.facts(page).redirect is None for page in answered
        )
        assert row.unseen.keys() <= set(REASONS)
        assert all(row.unseen.values())
        for reason, count in row.unseen.items():
            unseen[reason] += count
    assert unseen["budget"] + unseen["missing"] == len(found.missing)
    assert unseen["excluded"] + unseen["not public"] == len(
        {page for page in begun if not rules.allowed(page)} - expected.asked
    ) + len({page for page in due & stored if leads_astray(rules, page)})
    assert_marked(found)


def leads_astray(rules: Rules, page: str) -> bool:
    """Tell whether *page* redirects to one that is barred."""
    facts = rules.web.facts(page)
    return facts.redirect is not None and not rules.allowed(facts.redirect)


def assert_marked(found: Network) -> None:
    """Each node of the graph says what could not be seen of it."""
    assert found.coverage is not None
    if found.parameters.mode == "site":
        assert dict(found.graph.nodes(data="unseen")) == {
            row.site: sum(row.unseen.values()) for row in found.coverage if row.role
        }
    else:
        marks = {unseen for _, unseen in found.graph.nodes(data="unseen")}
        assert marks <= {0, 1, None}
    roles = {row.site: row.role for row in found.coverage}
    core = {site.key for site in found.sites}
    around = {site.key for site in found.periphery_sites} - core
    assert {site for site, role in roles.items() if role == "core"} == core
    assert {site for site, role in roles.items() if role == "periphery"} == around
