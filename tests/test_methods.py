"""The methods paragraph: right in every figure, and in its grammar."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from analysis.issuenetwork_reader import read
from analysis.network import Provenance, SiteCoverage, Statistics
from analysis.report.methods import (
    counted,
    fetched,
    found,
    other_settings,
    paragraph,
    retained,
    sites,
)
from analysis.report.outcome import (
    excluded,
    incomplete,
    result,
    stable,
    thinned,
    unseen,
)
from analysis.stability.result import NodeStability, Reliance, Stability, Variant
from issuecrawl.model.decisions import Decision
from issuecrawl.model.parameters import Parameters
from tests.networks import small_network
from tests.test_issuenetwork import WALKTHROUGH

if TYPE_CHECKING:
    from analysis.network import Network


def origin(**changes: Any) -> Provenance:
    before = Provenance(
        crawl=7,
        series=7,
        series_index=1,
        state="finished",
        program="issuecrawl 0.1.0",
        suffix_list="2026-10-22",
        given={},
        settings={"site": "host", "sites": [], "identity": "normal"},
        passes=2,
        pages={},
        reasons={},
        links=0,
    )
    return replace(before, **changes)


def crawled(**changes: Any) -> Network:
    """Return a network of a crawl, with some of its fields changed."""
    return small_network(**{"provenance": origin(), **changes})


@pytest.mark.parametrize(
    ("analysis", "sentence"),
    [
        (
            "colink",
            (
                "The network was found by co-link analysis (Rogers and Marres 2000; Rogers"
                " 2013) with issuecrawl 0.1.0."
            ),
        ),
        (
            "snowball",
            "The network was found by a snowball crawl with issuecrawl 0.1.0.",
        ),
        (
            "interactor",
            (
                "The network is the inter-actor network of its starting points, found with"
                " issuecrawl 0.1.0."
            ),
        ),
    ],
)
def test_analysis_and_program_are_named(analysis: Any, sentence: str) -> None:
    assert found(crawled(parameters=Parameters(analysis=analysis))) == sentence


def test_crawl_that_is_not_over_is_no_finished_one() -> None:
    text = found(crawled(provenance=origin(state="stopped")))
    assert text.endswith(
        "The crawl is stopped, not finished: this is the network so far."
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {},
            (
                "From 2 starting points, 3 pages were retrieved between 2026-01-02 03:04 and"
                " 2026-01-02 03:05 UTC, at depth 1: the pages that a pass begins with, and"
                " those of their sites at most 1 step of links away."
            ),
        ),
        (
            {
                "starting_points": ["https://a.test/"],
                "statistics": Statistics(
                    "2026-01-02 03:04:00", "2026-01-02 03:04:59", 0, 1, 0
                ),
                "parameters": Parameters(depth=0),
            },
            (
                "From 1 starting point, 1 page was retrieved at 2026-01-02 03:04 UTC, at"
                " depth 0: the pages alone that a pass begins with."
            ),
        ),
        (
            {
                "statistics": Statistics("2026-01-02 03:04:00", "", 0, 1234, 0),
                "parameters": Parameters(depth=2),
            },
            (
                "From 2 starting points, 1,234 pages were retrieved since 2026-01-02 03:04"
                " UTC, at depth 2: the pages that a pass begins with, and those of their"
                " sites at most 2 steps of links away."
            ),
        ),
        (
            {
                "statistics": Statistics("", "", 0, 0, 0),
                "parameters": Parameters(depth=0),
            },
            (
                "From 2 starting points, 0 pages were retrieved, at depth 0: the pages alone"
                " that a pass begins with."
            ),
        ),
    ],
)
def test_what_was_fetched_is_told_with_times_and_depth(
    changes: dict[str, Any], sentence: str
) -> None:
    assert fetched(crawled(**changes)) == sentence


RULES = [
    (
        Parameters(),
        (
            "In 1 iteration, sites were kept that at least 2 different registrable domains"
            " other than their own link to. Starting points were kept by the same rule"
            " alone."
        ),
    ),
    (
        Parameters(
            mode="page", voters="site", threshold=3, privilege=True, iterations=2
        ),
        (
            "In 2 iterations, each beginning with what the one before it kept, pages were"
            " kept that at least 3 different sites other than their own link to. Starting"
            " points were kept whether linked to or not."
        ),
    ),
    (
        Parameters(threshold=1),
        (
            "In 1 iteration, sites were kept that at least 1 registrable domain other than"
            " their own links to. Starting points were kept by the same rule alone."
        ),
    ),
    (
        Parameters(threshold=1, votes="pages"),
        (
            "In 1 iteration, sites were kept that at least 1 page of another site links to."
            " Starting points were kept by the same rule alone."
        ),
    ),
    (
        Parameters(threshold=1000, votes="pages", mode="page"),
        (
            "In 1 iteration, pages were kept that at least 1,000 different pages of other"
            " sites link to. Starting points were kept by the same rule alone."
        ),
    ),
    (
        Parameters(analysis="snowball", iterations=3),
        (
            "In 3 iterations, each beginning with what the one before it kept, the starting"
            " points were kept and every site that the fetched pages link to."
        ),
    ),
    (
        Parameters(analysis="interactor", mode="page"),
        "No page besides the starting points was taken in.",
    ),
]


@pytest.mark.parametrize(("chosen", "sentence"), RULES)
def test_rule_that_keeps_is_told(chosen: Parameters, sentence: str) -> None:
    assert retained(crawled(parameters=chosen)) == sentence


LINKS = (
    "Links counted are those of a and area elements and of meta refreshes after more"
    " than 5 seconds, {where}, those marked nofollow, ugc or sponsored {marked}; frames"
    " of other sites {frames}."
)


@pytest.mark.parametrize(
    ("chosen", "parts"),
    [
        (
            Parameters(),
            ("wherever they stand on a page", "included", "do not count"),
        ),
        (
            Parameters(placement="body", rel="follow", embeds="vote"),
            (
                (
                    "that stand in the body of a page, not in its navigation, header, footer"
                    " or asides"
                ),
                "left out",
                "count as links",
            ),
        ),
    ],
)
def test_links_that_count_are_told(
    chosen: Parameters, parts: tuple[str, str, str]
) -> None:
    where, marked, frames = parts
    sentence = LINKS.format(where=where, marked=marked, frames=frames)
    assert list(counted(crawled(parameters=chosen))) == [sentence]


@pytest.mark.parametrize(
    ("settings", "beginning"),
    [
        ({"site": "host"}, "A site is a host name without a leading www;"),
        ({"site": "domain"}, "A site is a registrable domain;"),
        (
            {"site": "host", "sites": [["https://a.test/x", "x"]]},
            (
                "A site is a host name without a leading www, or what 1 rule on addresses"
                " names;"
            ),
        ),
        (
            {"site": "host", "sites": [["https://a.test/x", "x"]] * 2},
            (
                "A site is a host name without a leading www, or what 2 rules on addresses"
                " name;"
            ),
        ),
    ],
)
def test_what_a_site_is_is_told(settings: dict[str, Any], beginning: str) -> None:
    (sentence,) = sites(crawled(provenance=origin(settings=settings)))
    assert sentence == (
        f"{beginning} registrable domains are those of the Public Suffix List, version"
        " 2026-10-22."
    )


@pytest.mark.parametrize(
    ("entries", "number", "sentence"),
    [
        (0, 0, "No exclusion list was applied."),
        (1, 1, "1 address was left out by an exclusion list of 1 entry."),
        (252, 20, "20 addresses were left out by an exclusion list of 252 entries."),
        (
            2,
            None,
            (
                "Addresses were left out by an exclusion list of 2 entries; how many is not"
                " known."
            ),
        ),
    ],
)
def test_exclusions_are_counted(
    entries: int, number: int | None, sentence: str
) -> None:
    network = crawled(
        parameters=Parameters(exclude=tuple(f"{n}.test" for n in range(entries))),
        statistics=Statistics("", "", 0, 0, number),
    )
    assert excluded(network) == sentence


def seen(**changes: Any) -> SiteCoverage:
    return SiteCoverage("a.test", "core", **{"due": 4, "retrieved": 4, **changes})


@pytest.mark.parametrize(
    ("coverage", "sentences"),
    [
        (None, []),
        ([], []),
        ([seen(due=1, retrieved=1)], ["Of 1 address due, all were seen."]),
        (
            [seen(unseen={"robots": 1}), seen(unseen={"robots": 1, "error": 1})],
            [
                (
                    "Of 8 addresses due, 3 could not be seen: 2 were kept out by a"
                    " robots.txt that forbids them or could not be read and 1 failed."
                ),
                "A missing edge is therefore not a missing relation.",
            ],
        ),
        (
            [seen(needs_javascript=1)],
            [
                "Of 4 addresses due, all were seen.",
                (
                    "1 retrieved page shows signs of having links put in by scripts, which"
                    " were not run."
                ),
                "A missing edge is therefore not a missing relation.",
            ],
        ),
    ],
)
def test_what_was_not_seen_is_told_by_reason(
    coverage: list[SiteCoverage] | None, sentences: list[str]
) -> None:
    assert list(unseen(crawled(coverage=coverage))) == sentences


def test_settings_other_than_the_crawls_are_told() -> None:
    stored = {"depth": 2, "privilege": True, "exclude": ["x.test"], "site": "host"}
    network = crawled(provenance=origin(settings=stored))

    assert list(other_settings(network)) == [
        (
            "The crawl itself was run with other settings; computed with depth=1 in place of"
            " 2, privilege=0 in place of 1 and another exclusion list, the network is what"
            " such a crawl would have given, as far as its pages are there."
        )
    ]
    assert not list(other_settings(crawled()))


def test_pages_that_lack_are_told() -> None:
    assert list(incomplete(crawled(missing=["x"]))) == [
        "The network is incomplete: 1 page that these settings need was never asked for."
    ]
    assert list(incomplete(crawled(missing=["x", "y"]))) == [
        (
            "The network is incomplete: 2 pages that these settings need were never asked"
            " for."
        )
    ]


def test_authority_is_told_where_it_is_on() -> None:
    assert not list(thinned(Parameters()))
    assert list(thinned(Parameters(authority=1))) == [
        "Nodes that fewer than 1 core site link to were dropped from the core, once."
    ]


def test_result_is_counted() -> None:
    assert result(crawled()) == (
        "The core has 2 sites and 2 edges between them; 1 page links into it from"
        " outside (periphery)."
    )


def test_empty_core_is_no_co_links() -> None:
    empty = crawled(sites=[], pages=[], periphery=[], periphery_sites=[])
    assert result(empty) == "The core is empty: no co-links were found."


def test_stability_is_told_where_it_is_known() -> None:
    variant = Variant("threshold", "3", 1, 1, ("b.test",), (), 0, 0)
    nodes = (
        NodeStability("b.test", in_core=True, kept=0, share=0.0, differs_in=("x",)),
        NodeStability("a.test", in_core=True, kept=1, share=1.0, differs_in=()),
    )
    reliance = (Reliance("https://c.test/", "c.test", 1, 1, 0.5),)
    network = crawled(stability=Stability(2, (variant,), nodes, reliance, ()))

    assert list(stable(network)) == [
        (
            "1 of 2 core nodes stays in the one variant in which one starting point is left"
            " out or one setting changed; it hangs on 1 starting point, without which other"
            " nodes go too."
        )
    ]


def test_decisions_are_counted() -> None:
    network = crawled(decisions=[Decision("drop", "a.test")])
    sentence = "1 decision of the researcher was applied to what was kept."
    assert sentence in paragraph(network)


def test_paragraph_is_one_line_of_whole_sentences() -> None:
    text = paragraph(crawled())
    assert "\n" not in text
    assert "  " not in text
    assert ".." not in text
    assert text.endswith(".")


def test_file_of_the_issue_crawler_is_told_as_far_as_it_goes() -> None:
    network = read(WALKTHROUGH)
    text = paragraph(network)

    assert "It was read from an IssueNetwork file" in text
    assert "at depth 2 as the file counts it" in text
    assert "UTC" not in text
    assert "nofollow" not in text
    assert "pages were kept that several others link to" in text
