"""How a crawl treats servers: one at a time, as slowly as they ask, and not for ever."""

from __future__ import annotations

import gzip
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from issuecrawl.demo.proxy import Proxy
from issuecrawl.demo.web import Answer
from tests.conftest import CONTACT, Crawl, LoopbackWeb
from tests.moods import moody  # noqa: F401  # a fixture
from tests.stored import ends, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.conftest import Finished
    from tests.moods import MoodyWeb

EARLY = 0.02
"""Seconds by which a timer may seem to be early, seen from the server."""


def gaps(times: Sequence[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(sorted(times))]


def seeds(*names: str) -> str:
    return ",".join(f"https://{name}/" for name in names)


def plain(*names: str) -> str:
    """Return seeds without TLS, whose handshakes blur what a server sees of delays."""
    return ",".join(f"http://{name}/" for name in names)


@pytest.fixture
def moody_crawl(moody: MoodyWeb, tmp_path: Path) -> Crawl:  # noqa: F811
    return Crawl(tmp_path, moody.environment)


ROBOTS = {
    "deny.test": "refused (robots.txt)",
    "ours.test": "refused (robots.txt)",
    "bom.test": "refused (robots.txt)",
    "moved.test": "refused (robots.txt)",
    "http500.test": "refused (robots.txt unreachable: HTTP 500)",
    "hangs.test": "refused (robots.txt unreachable: timeout)",
    "cut.test": "refused (robots.txt unreachable: connection cut)",
    "half.test": "refused (robots.txt unreachable: incomplete)",
    "never.test": "skipped (crawl-delay 600 s)",
    "beside.never.test": "retrieved",
    "none.test": "retrieved",
    "http401.test": "retrieved",
    "loop.test": "retrieved",
    "inward.test": "retrieved",
    "others.test": "retrieved",
}
"""Host to the end that its robots.txt brings its home page to."""


@pytest.fixture(scope="module")
def robots_web() -> Iterator[LoopbackWeb]:
    web = LoopbackWeb()
    for host in ROBOTS:
        web.page(f"https://{host}/", "/private/x")
        web.page(f"https://{host}/private/x")
    nothing = "User-agent: *\nDisallow: /\n"
    web.robots("deny.test", nothing)
    web.robots("ours.test", "User-agent: issuecrawl\nDisallow: /\n")
    web.robots("others.test", "User-agent: x\nDisallow: /\n\n" + PRIVATE)
    web.robots("bom.test", "\ufeff" + nothing)
    web.robots("http401.test", nothing, status=401)
    web.robots("http500.test", "", status=500)
    web.hang("https://hangs.test/robots.txt")
    web.raw("https://cut.test/robots.txt", b"")
    web.raw("https://half.test/robots.txt", SHORT)
    web.redirect("https://moved.test/robots.txt", "https://deny.test/robots.txt")
    web.redirect("https://loop.test/robots.txt", "/robots.txt")
    web.redirect("https://inward.test/robots.txt", "http://127.0.0.1/robots.txt")
    web.page("http://127.0.0.1/robots.txt", html=nothing)
    web.robots("never.test", "User-agent: *\nCrawl-delay: 600\n")
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


PRIVATE = "User-agent: *\nDisallow: /private\n"
SHORT = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<p>"


@pytest.fixture(scope="module")
def by_robots(
    robots_web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory
) -> Finished:
    run = Crawl(tmp_path_factory.mktemp("robots"), robots_web.environment)
    done = run({"DOWNLOAD_TIMEOUT": 1.5}, seeds=seeds(*ROBOTS))
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize(("host", "end"), ROBOTS.items())
def test_robots_txt_says_what_becomes_of_the_home_page(
    by_robots: Finished, host: str, end: str
) -> None:
    assert ends(by_robots.store)[f"https://{host}/"] == end


def test_nothing_is_asked_of_a_host_that_does_not_allow_it(
    by_robots: Finished, robots_web: LoopbackWeb
) -> None:
    assert by_robots.returncode == 0
    for host, end in ROBOTS.items():
        assert bool(robots_web.asked(host)) == (end == "retrieved"), host
    assert ends(by_robots.store)["https://others.test/private/x"] == (
        "refused (robots.txt)"
    )
    assert "https://others.test/private/x" not in robots_web.asked()
    assert not robots_web.asked("127.0.0.1")
    assert "http://127.0.0.1/robots.txt" not in {hit.url for hit in robots_web.hits}


def test_robots_txt_that_breaks_off_is_asked_for_three_times_in_all(
    by_robots: Finished, robots_web: LoopbackWeb
) -> None:
    assert by_robots.returncode == 0
    hits = [hit.url for hit in robots_web.hits]
    assert hits.count("https://cut.test/robots.txt") == 3
    assert hits.count("https://hangs.test/robots.txt") == 1
    assert hits.count("https://deny.test/robots.txt") == 2  # one by moved.test


def test_crawl_delay_is_kept_from_the_first_page_on(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    for name in ("a", "b"):
        web.page(f"http://{name}.test/", "/1")
        web.page(f"http://{name}.test/1")
    web.robots("a.test", "User-agent: *\nCrawl-delay: 0.5\n")
    done = crawl(seeds=plain("a.test", "b.test"))
    assert done.returncode == 0, done.stderr
    times = [hit.time for hit in web.hits if "//a.test" in hit.url]
    assert len(times) == 3
    assert min(gaps(times)) >= 0.5 - EARLY


def test_user_agent_names_version_and_contact(
    by_robots: Finished, robots_web: LoopbackWeb
) -> None:
    assert by_robots.returncode == 0
    agents = {hit.user_agent for hit in robots_web.hits}
    (agent,) = agents
    assert re.fullmatch(rf"issuecrawl(/\d[\w.]*)? \(\+{re.escape(CONTACT)}\)", agent)


def test_time_out_of_robots_txt_is_counted(by_robots: Finished) -> None:
    assert rows(by_robots.store, "SELECT timeouts FROM crawl") == [(1,)]
    xml = (by_robots.network() / "network.xml").read_text(encoding="utf-8")
    assert "<CrawlTimeouts>1</CrawlTimeouts>" in xml


def test_hosts_of_one_domain_share_a_slot_and_its_delay(
    moody: MoodyWeb,  # noqa: F811
    moody_crawl: Crawl,
) -> None:
    for host in ("one.a.test", "two.a.test", "b.test"):
        moody.page(f"http://{host}/", "/1", "/2", delay=0.6)
        moody.page(f"http://{host}/1")
        moody.page(f"http://{host}/2")
    done = moody_crawl(
        {"DOWNLOAD_DELAY": 0.3},
        seeds=plain("one.a.test", "two.a.test", "b.test"),
    )
    assert done.returncode == 0, done.stderr
    assert set(ends(done.store).values()) == {"retrieved"}
    shared, own = moody.times("a.test"), moody.times("b.test")
    assert len(shared) == 8
    assert min(gaps(shared)) >= 0.3 - EARLY
    for hit in moody.hits:
        if hit.url in ("http://one.a.test/", "http://two.a.test/"):
            # The answer takes 0.6 s, and nobody of the domain is asked meanwhile.
            during = [t for t in shared if hit.time < t < hit.time + 0.6 - EARLY]
            assert not during
    assert own[-1] < shared[-3]
    assert max(hit.concurrent for hit in moody.hits) == 1


def test_without_a_contact_a_crawl_warns_once_and_goes_half_as_fast(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    for name in ("a", "b"):
        web.page(f"http://{name}.test/", "/1")
        web.page(f"http://{name}.test/1")
    done = crawl(
        {"ISSUECRAWL_CONTACT": "", "DOWNLOAD_DELAY": 0.2},
        seeds=plain("a.test", "b.test"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("names no page for webmasters") == 1
    times = [hit.time for hit in web.hits if "//a.test" in hit.url]
    assert len(times) == 3
    assert min(gaps(times)) >= 0.4 - EARLY


def test_server_that_asks_for_patience_gets_it_and_others_go_on(
    moody: MoodyWeb,  # noqa: F811
    moody_crawl: Crawl,
) -> None:
    for name in ("busy", "idle"):
        moody.page(f"https://{name}.test/", "/1", "/2")
        moody.page(f"https://{name}.test/1")
        moody.page(f"https://{name}.test/2")
    moody.first["https://busy.test/"] = [Answer(503, {"Retry-After": "2"})]
    moody.status("https://busy.test/2", 429)
    moody.page("https://shut.test/")
    moody.status("https://shut.test/", 503, {"Retry-After": "86400"})
    done = moody_crawl(seeds=seeds("busy.test", "idle.test", "shut.test"))
    assert done.returncode == 0, done.stderr
    stored = ends(done.store)
    assert stored["https://busy.test/"] == stored["https://busy.test/1"] == "retrieved"
    assert stored["https://busy.test/2"] == "failed (HTTP 429)"
    assert stored["https://shut.test/"] == "failed (HTTP 503)"
    _, first, again, then, *more = moody.times("busy.test")
    assert again - first >= 2 - EARLY
    # No delay at all becomes one of a second, then of two, then of four.
    assert then - again >= 1 - EARLY
    assert [round(gap) for gap in gaps([then, *more])] == [1, 2, 4]
    assert max(moody.times("idle.test")) < again
    assert len(moody.asked("shut.test")) == 1


def test_host_that_cannot_be_reached_rests_and_is_then_given_up(
    moody: MoodyWeb,  # noqa: F811
    moody_crawl: Crawl,
) -> None:
    moody.page("https://a.test/")
    for number in range(4):
        moody.page(f"https://dead.test/{number}")
        moody.page(f"https://asleep.test/{number}")
    moody.page("http://busy.test/")
    moody.first["http://busy.test/"] = [Answer(503, {"Retry-After": "1"}, delay=0.8)]
    moody.dead("dead.test")
    moody.dead("asleep.test")
    moody.revives["asleep.test"] = 4
    numbered = [f"https://{h}.test/{n}" for n in range(4) for h in ("dead", "asleep")]
    done = moody_crawl(
        {"ISSUECRAWL_HOST_REST": 3},
        seeds=",".join(["https://a.test/", "http://busy.test/", *numbered]),
    )
    assert done.returncode == 0, done.stderr
    stored = ends(done.store)
    assert {stored[f"https://dead.test/{number}"] for number in range(4)} == {
        "failed (host does not answer)"
    }
    tries = moody.connections["dead.test"]
    assert len(tries) == 6
    assert tries[3] - tries[2] >= 3 - EARLY
    # The shorter wait is not lengthened by the longer one.
    assert 1.8 - EARLY <= gaps(moody.times("busy.test"))[-1] < 2.8
    assert {stored[f"https://asleep.test/{number}"] for number in range(4)} == {
        "retrieved"
    }
    assert stored["https://a.test/"] == "retrieved"
    assert "dead.test failed to connect 3 times in a row; it rests 3 s" in done.stderr


def test_page_that_hangs_holds_up_neither_its_site_nor_others(
    moody: MoodyWeb,  # noqa: F811
    moody_crawl: Crawl,
) -> None:
    moody.page("https://a.test/", *(f"/{n}" for n in range(4)), "/cut")
    for number in range(1, 4):
        moody.page(f"https://a.test/{number}", "/deeper")
    moody.page("https://a.test/deeper")
    moody.hang("https://a.test/0")
    moody.raw("https://a.test/cut", b"")
    moody.page("https://b.test/", "/1")
    moody.page("https://b.test/1")
    done = moody_crawl(
        {"DOWNLOAD_TIMEOUT": 1}, seeds=seeds("a.test", "b.test"), depth=2
    )
    assert done.returncode == 0, done.stderr
    stored = ends(done.store)
    assert stored.pop("https://a.test/0") == "failed (timeout)"
    assert stored.pop("https://a.test/cut") == "failed (connection cut)"
    assert set(stored.values()) == {"retrieved"}
    assert moody.asked().count("https://a.test/0") == 3
    first_try = next(h.time for h in moody.hits if h.url == "https://a.test/0")
    assert max(moody.times("b.test")) < first_try + 1
    assert rows(done.store, "SELECT timeouts FROM crawl") == [(3,)]


def test_bodies_that_are_too_large_or_break_off_are_told(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    large = b"<p>" + bytes(2_000_000)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    web.page("https://a.test/", "/large", "/endless", "/bomb", "/half")
    web.page("https://a.test/large", html=large)
    web.raw("https://a.test/endless", head + large)
    web.page(
        "https://a.test/bomb",
        html=gzip.compress(large),
        headers={"Content-Encoding": "gzip"},
    )
    web.raw("https://a.test/half", SHORT)
    web.page("https://b.test/")
    done = crawl({"DOWNLOAD_MAXSIZE": 100_000}, seeds=seeds("a.test", "b.test"))
    assert done.returncode == 0, done.stderr
    stored = ends(done.store)
    for path in ("large", "endless", "bomb"):
        assert stored[f"https://a.test/{path}"] == "failed (too large)", path
    assert stored["https://a.test/half"] == "failed (incomplete)"
    assert "3  failed (too large)" in done.stderr
    (bytes_read,) = rows(done.store, "SELECT bytes FROM crawl")[0]
    assert bytes_read < 10_000
