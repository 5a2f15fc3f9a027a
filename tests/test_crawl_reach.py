"""What a crawl asks for: steps within a site, redirects, spellings, frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from issuecrawl.demo.proxy import Proxy
from tests.conftest import Crawl, LoopbackWeb
from tests.stored import core, depths, ends, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.conftest import Finished

SEEDS = (
    "https://a.test/",
    "http://up.test/",
    "https://www.bare.test/",
    "https://old.test/",
    "https://frames.test/",
    "https://nofollow.test/",
)
ODD = "https://a.test/odd{x|y}?q=[^`\\]{1|2}"


class OneWeb(LoopbackWeb):
    """Every way to get from one page to another, on a few sites."""

    def fill(self) -> None:
        self.page("https://a.test/", *self._links())
        self._redirects()
        self.page("https://a.test/plain", "/deeper")
        self.page("https://a.test/deeper")
        self.page("https://a.test/odd%7Bx|y%7D?q=[^`\\]{1|2}", title="odd")
        pdf = b"%PDF-1.4 <a href='https://a.test/in-pdf'>x</a>"
        self.page("https://a.test/report.pdf", html=pdf, content_type="application/pdf")
        self.page(
            "https://frames.test/",
            html="<frameset><frame src=/one><frame src=https://a.test/framed>"
            "</frameset>",
        )
        self.page("https://frames.test/one")
        self.page(
            "https://nofollow.test/",
            html="<meta name=robots content=nofollow><a href=/hidden>x</a>",
        )
        self.page("https://nofollow.test/hidden")

    def _links(self) -> list[str]:
        names = (
            "plain",
            "out",
            "loop1",
            "h0",
            "cookie",
            "ex",
            "ftp",
            "file",
            "nowhere",
        )
        links = [f"https://a.test/{name}" for name in names]
        more = ("report.pdf", "meta", "late", "self", "upwards")
        return [*links, *(f"https://a.test/{name}" for name in more), ODD]

    def _redirects(self) -> None:
        self.redirect("http://up.test/", "https://up.test/")
        self.page("https://up.test/", "/more")
        self.page("https://up.test/more")
        self.redirect("https://www.bare.test/", "https://bare.test/")
        self.page("https://bare.test/", "/more")
        self.page("https://bare.test/more")
        self.redirect("https://old.test/", "https://new.test/home")
        self.page("https://new.test/home", "/next")
        self.page("https://new.test/next")
        self.redirect("https://a.test/out", "https://landing.test/page", 302)
        self.page("https://landing.test/page", "/more")
        self.page("https://landing.test/more")
        self.redirect("https://a.test/loop1", "/loop2")
        self.redirect("https://a.test/loop2", "/loop1")
        for hop in range(25):
            self.redirect(f"https://a.test/h{hop}", f"/h{hop + 1}")
        self.redirect("https://a.test/self", "/self")
        self.redirect("https://a.test/ex", "https://excluded.test/x")
        self.page("https://excluded.test/x")
        self.redirect("https://a.test/ftp", "ftp://a.test/x")
        self.redirect("https://a.test/file", "file:///etc/passwd")
        self.status("https://a.test/nowhere", 302)
        refresh = "<meta http-equiv=refresh content='{};url={}'>"
        self.page("https://a.test/meta", html=refresh.format(5, "/after-meta"))
        self.page("https://a.test/after-meta")
        self.page("https://a.test/late", html=refresh.format(30, "/after-late"))
        self.page("https://a.test/upwards", html=refresh.format(0, "#"))
        self.redirect("https://a.test/cookie", "/cookie", 302)
        self.answers["https://a.test/cookie"].headers["Set-Cookie"] = "seen=1"

    def enter(
        self, method: str, url: str, headers: Mapping[str, str], now: float
    ) -> None:
        super().enter(method, url, headers, now)
        if url == "https://a.test/cookie" and "seen" in headers.get("cookie", ""):
            self.page(url, title="with the cookie")


@pytest.fixture(scope="module")
def one_web() -> Iterator[OneWeb]:
    web = OneWeb()
    web.fill()
    with Proxy(web) as proxy:
        web.proxy, web.environment = proxy.url, proxy.environment
        yield web


@pytest.fixture(scope="module")
def crawled(one_web: OneWeb, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    run = Crawl(tmp_path_factory.mktemp("reach"), one_web.environment)
    done = run(
        seeds=",".join(SEEDS), privilege=1, iterations=1, exclude="excluded.test"
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize(
    ("page", "end"),
    [
        ("https://a.test/plain", "retrieved"),
        ("https://a.test/deeper", "known"),
        ("https://up.test/", "retrieved"),
        ("https://up.test/more", "retrieved"),
        ("https://bare.test/", "retrieved"),
        ("https://bare.test/more", "retrieved"),
        ("https://old.test/", "redirected"),
        ("https://new.test/home", "retrieved"),
        ("https://new.test/next", "retrieved"),
        ("https://a.test/out", "redirected"),
        ("https://landing.test/page", "retrieved"),
        ("https://landing.test/more", "known"),
        ("https://a.test/loop1", "redirected"),
        ("https://a.test/loop2", "redirected"),
        ("https://a.test/h20", "redirected"),
        ("https://a.test/h21", "known"),
        ("https://a.test/self", "failed (too many redirects)"),
        ("https://a.test/cookie", "retrieved"),
        ("https://a.test/ex", "redirected"),
        ("https://excluded.test/x", "excluded"),
        ("https://a.test/ftp", "failed (redirect to another scheme)"),
        ("https://a.test/file", "failed (redirect to another scheme)"),
        ("https://a.test/nowhere", "failed (no Location)"),
        ("https://a.test/meta", "redirected"),
        ("https://a.test/after-meta", "retrieved"),
        ("https://a.test/late", "retrieved"),
        ("https://a.test/after-late", "known"),
        ("https://a.test/upwards", "retrieved"),
        ("https://a.test/report.pdf", "retrieved"),
        ("https://frames.test/one", "retrieved"),
        ("https://a.test/framed", "known"),
        ("https://nofollow.test/hidden", "known"),
    ],
)
def test_page_comes_to_its_end(crawled: Finished, page: str, end: str) -> None:
    assert ends(crawled.store)[page] == end


def test_nothing_is_asked_but_what_came_to_an_end(
    crawled: Finished, one_web: OneWeb
) -> None:
    asked = set(one_web.asked())
    stored = ends(crawled.store)
    never = {url for url, end in stored.items() if end in ("known", "excluded")}
    assert not asked & never
    assert not one_web.asked("excluded.test")
    assert not [hit for hit in one_web.hits if "excluded.test" in hit.url]


def test_no_page_but_those_that_redirect_to_themselves_is_asked_twice(
    crawled: Finished, one_web: OneWeb
) -> None:
    assert crawled.returncode == 0
    again = {"https://a.test/self", "https://a.test/cookie"}
    asked = [url for url in one_web.asked() if url not in again]
    assert len(asked) == len(set(asked))
    assert one_web.asked().count("https://a.test/cookie") == 2


def test_spellings_of_one_page_are_one_row(crawled: Finished) -> None:
    stored = ends(crawled.store)
    assert "http://up.test/" not in stored
    assert "https://www.bare.test/" not in stored


def test_address_is_asked_for_as_its_writer_wrote_it(
    crawled: Finished, one_web: OneWeb
) -> None:
    (asked,) = [url for url in one_web.asked("a.test") if "odd" in url]
    (stored,) = [url for url in ends(crawled.store) if "odd" in url]
    assert asked == stored
    assert "[^`" in asked
    assert ends(crawled.store)[stored] == "retrieved"


def test_site_that_moved_is_in_the_network_under_its_new_name(
    crawled: Finished,
) -> None:
    assert "new.test" in core(crawled.network())
    assert "old.test" not in core(crawled.network())


def test_what_is_no_page_has_no_links(crawled: Finished) -> None:
    assert "https://a.test/in-pdf" not in ends(crawled.store)


def test_long_arm_of_a_diamond_that_answers_first_takes_nothing_away(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.test/", "/short", "/long1")
    web.page("https://a.test/short", "/tip", delay=0.5)
    web.page("https://a.test/long1", "/long2")
    web.page("https://a.test/long2", "/tip")
    web.page("https://a.test/tip", "/beyond")
    web.page("https://a.test/beyond", "/too-far")
    web.page("https://b.test/")
    done = crawl(
        {"CONCURRENT_REQUESTS_PER_DOMAIN": 4},
        seeds="https://a.test/,https://b.test/",
        depth=3,
    )
    assert done.returncode == 0, done.stderr
    assert depths(done.store)["https://a.test/tip"] == (0, 2)
    assert depths(done.store)["https://a.test/beyond"] == (0, 3)
    assert "https://a.test/too-far" not in web.asked()


def test_page_at_the_depth_limit_goes_on_when_it_starts_the_next_pass(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.test/", "/limit")
    web.page("https://a.test/limit", "/neighbour", "/other")
    web.page("https://a.test/neighbour", "/beyond")
    web.page("https://a.test/other")
    for voter in ("b", "c"):
        web.page(f"https://{voter}.test/", "https://a.test/limit")
    done = crawl(
        seeds="https://a.test/,https://b.test/,https://c.test/", mode="page", depth=1
    )
    assert done.returncode == 0, done.stderr
    assert depths(done.store)["https://a.test/limit"] == (0, 1)
    assert depths(done.store)["https://a.test/neighbour"] == (1, 1)
    assert "https://a.test/beyond" not in web.asked()
    assert web.asked().count("https://a.test/limit") == 1


def test_depth_0_asks_for_the_starting_points_alone(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    for site in ("a", "b"):
        web.page(f"https://{site}.test/", "/more", "https://x.test/deep/page")
    web.page("https://x.test/", "/more")
    done = crawl(seeds="https://a.test/,https://b.test/", depth=0)
    assert done.returncode == 0, done.stderr
    assert sorted(web.asked()) == [f"https://{s}.test/" for s in ("a", "b", "x")]


def test_site_is_asked_level_by_level_in_the_order_of_the_document(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page("https://a.test/2nd", "/z", "/late")
    web.page("https://a.test/", "/m", "/b", "/z")
    web.page("https://a.test/m", "/m2", "/m1")
    web.page("https://a.test/z", "/z1")
    web.redirect("https://a.test/b", "/moved")
    web.page("https://a.test/moved", "/b1")
    for name in ("m1", "m2", "b1", "z1", "late"):
        web.page(f"https://a.test/{name}")
    web.page("https://b.test/")
    done = crawl(seeds="https://a.test/2nd,https://a.test/,https://b.test/", depth=2)
    assert done.returncode == 0, done.stderr
    paths = [url.removeprefix("https://a.test/") for url in web.asked("a.test")]
    assert paths == [
        "2nd",
        "",
        *["z", "late", "m", "b", "moved", "z1", "m2", "m1", "b1"],
    ]


def test_spelling_that_answers_is_asked_where_the_better_one_does_not(
    web: LoopbackWeb, crawl: Crawl
) -> None:
    web.page(
        "https://a.test/",
        *("https://tls.test/", "http://tls.test/"),
        *("https://bare.test/", "https://www.bare.test/"),
        *("https://once.test/", "https://b.test/x"),
    )
    web.page("https://b.test/", "https://tls.test/", "https://bare.test/")
    web.page("http://tls.test/", "/more")
    web.page("http://tls.test/more")
    web.page("https://www.bare.test/")
    web.page("http://once.test/")
    done = crawl(seeds="https://a.test/,https://b.test/", timeout=90)
    assert done.returncode == 0, done.stderr
    stored = ends(done.store)
    assert stored["https://tls.test/"] == stored["https://bare.test/"] == "retrieved"
    assert stored["http://tls.test/more"] == "retrieved"
    asked = dict(
        rows(
            done.store,
            "SELECT url, asked FROM answer JOIN page ON page.id = page + (1 << 32)",
        )
    )
    assert asked["https://tls.test/"] == "http://tls.test/"
    assert asked["https://bare.test/"] == "https://www.bare.test/"
    assert not web.asked("once.test")
