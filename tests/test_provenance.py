"""Where a network comes from: the same from the store and from a feed of the items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from analysis.compute import network
from analysis.provenance import provenance
from issuecrawl.demo.proxy import Proxy
from issuecrawl.items import opened
from issuecrawl.model.options import parameters
from issuecrawl.working import Working
from tests.conftest import Crawl, LoopbackWeb
from tests.small_crawls import network_of
from tests.test_crawl_items import ENDS, SEEDS, fill
from tests.webs import web_of_links

if TYPE_CHECKING:
    from analysis.network import Provenance
    from tests.conftest import Finished


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Crawl a web that has a page for every way to end, as the store's crawl 2."""
    web = LoopbackWeb()
    fill(web)
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        crawl = Crawl(tmp_path_factory.mktemp("provenance"), web.environment)
        assert crawl(seeds="https://x.test/", analysis="interactor").returncode == 0
        seeds = crawl.folder / "seeds.txt"
        seeds.write_text(SEEDS.replace(",", "\n"))
        line = crawl.arguments(
            {"ISSUECRAWL_PAGES_PER_SITE": 6},
            seeds=f"@{seeds}",
            exclude="shared.test",
            out=crawl.folder / "net",
        )
        done = crawl.scrapy(*line, "-o", "items.jsonl")
    assert done.returncode == 0, done.stderr
    return done


def of(crawled: Finished, name: str) -> Provenance:
    settings = Settings({"ISSUECRAWL_DB": crawled.store_url})
    with opened(name, settings, None, Working()) as source:
        chosen = parameters(source.crawl.settings)
        found = network(source.crawl, chosen, own=True).provenance
        assert found == provenance(source.crawl)
        return found


@pytest.fixture(scope="module")
def stored(crawled: Finished) -> Provenance:
    return of(crawled, "2")


def test_crawl_is_named_with_what_ran_it(stored: Provenance) -> None:
    assert (stored.crawl, stored.series, stored.series_index) == (2, 2, 1)
    assert stored.state == "finished"
    assert stored.program.startswith("issuecrawl")
    assert stored.suffix_list
    assert stored.passes == 2


def test_arguments_and_options_are_there_without_folders(stored: Provenance) -> None:
    assert stored.given == {"exclude": "shared.test", "seeds": "@seeds.txt"}
    assert stored.settings["pages_per_site"] == 6
    assert "shared.test" in stored.settings["exclude"]


def test_every_known_page_counts_under_its_state(stored: Provenance) -> None:
    expected: dict[str, int] = {"known": 1}
    for state, _ in ENDS.values():
        expected[state] = expected.get(state, 0) + 1
    assert stored.pages == expected


def test_every_page_that_was_not_retrieved_counts_under_its_reason(
    stored: Provenance,
) -> None:
    expected: dict[str, int] = {}
    for _, reason in ENDS.values():
        if reason:
            expected[reason] = expected.get(reason, 0) + 1
    assert stored.reasons == expected
    counts = list(stored.reasons.values())
    assert counts == sorted(counts, reverse=True)


def test_feed_of_the_items_tells_the_same(
    crawled: Finished, stored: Provenance
) -> None:
    assert of(crawled, str(crawled.folder / "items.jsonl")) == stored


def test_links_between_sites_are_counted() -> None:
    a, b = "https://a.example/", "https://b.example/"
    web = web_of_links([(a, b), (b, a), (a, a + "1"), (a, b + "1")])
    found = network_of(web, (a, b)).provenance
    assert found is not None
    assert found.links == 3
