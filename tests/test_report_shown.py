"""The report in a browser: nothing is asked for, nothing is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from analysis.complete import complete
from analysis.network import SiteCoverage
from analysis.report import write
from analysis.stability.compute import mark, stability
from issuecrawl.model.parameters import Parameters
from tests.browsers import browsers, needed, pages
from tests.small_crawls import network_of, stored
from tests.webs import web_of_links

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from analysis.network import Network

pytestmark = needed

PAPER = 673
"""Pixels between the margins of A4."""

LONG = "https://" + "averylongnameofahostindeed." * 5 + "example/"
OUTSIDE = """
() => [...document.querySelectorAll("main *")]
  .filter((element) => !element.closest("svg"))
  .filter((element) => !element.closest(".scroll") || matchMedia("print").matches)
  .filter((element) => {
    const {left, right} = element.getBoundingClientRect();
    return left < -1 || right > document.documentElement.clientWidth + 1;
  })
  .map((element) => element.outerHTML.slice(0, 200))
"""


@pytest.fixture(scope="module")
def browser(driver: Any) -> Iterator[Any]:
    yield from browsers(driver)


def large() -> Network:
    """Return a network with all tables full, and names that are long."""
    many = [f"https://node-number-{n:02}.example/" for n in range(40)] + [LONG]
    starts = ("https://first.example/", "https://second.example/", many[0])
    links = [(start, target) for start in starts[:2] for target in many]
    links += [(source, many[at - 1]) for at, source in enumerate(many)]
    links += [(many[1], f"https://x.example/{'y' * 300}/{n}") for n in range(3)]
    web = web_of_links(links)
    result = network_of(web, starts)
    mark(result, stability(stored(web, starts), Parameters(), own=False))
    result.title = "W" * 120
    result.coverage = [
        SiteCoverage(
            site=target.split("/")[2],
            role="core",
            due=12345,
            retrieved=1234,
            unseen={"robots": 1234, "timeout": 1234, "not public": 1234},
            needs_javascript=1234,
            excluded_links=12345,
        )
        for target in many
    ]
    complete(result)
    return result


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write(large(), path)
    return path


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    yield from pages(browser, report)


def test_nothing_is_asked_for_and_no_policy_is_broken(page: Any, report: Path) -> None:
    page.wait_for_load_state("networkidle")
    assert page.asked == [report.as_uri()]
    assert page.said == []


@pytest.mark.parametrize("width", [1200, 390])
def test_nothing_stands_beyond_the_window(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []


def test_no_table_is_cut_off_on_paper(page: Any) -> None:
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 900})
    assert page.evaluate(OUTSIDE) == []


def test_lists_are_open_on_paper(page: Any) -> None:
    page.emulate_media(media="print")
    assert page.locator("details li").last.bounding_box()["height"] > 0


def test_it_prints(page: Any) -> None:
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
