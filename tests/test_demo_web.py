"""The loopback web that demo and tests crawl answers as the real one would."""

from __future__ import annotations

import os
import socket
import ssl
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest

from issuecrawl.demo.web import address

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from tests.conftest import LoopbackWeb


def fetch(web: LoopbackWeb, url: str, **headers: str) -> HTTPResponse:
    unverified = ssl.create_default_context()
    unverified.check_hostname = False
    unverified.verify_mode = ssl.CERT_NONE
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({"http": web.proxy, "https": web.proxy}),
        urllib.request.HTTPSHandler(context=unverified),
    )
    request = urllib.request.Request(url, headers=headers)
    answer: HTTPResponse = opener.open(request, timeout=5)
    return answer


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_page_answers_under_its_own_name(web: LoopbackWeb, scheme: str) -> None:
    url = web.page(f"{scheme}://a.test/x?y=1", "https://b.test/")

    with fetch(web, url) as answer:
        assert '<a href="https://b.test/">' in answer.read().decode()
    assert web.asked() == [url]


def test_http_and_https_of_one_host_are_two_servers(web: LoopbackWeb) -> None:
    web.page("http://a.test/")

    with pytest.raises(OSError, match="502"):
        fetch(web, "https://a.test/")


@pytest.mark.parametrize(
    ("url", "status"), [("http://a.test/none", 404), ("http://nowhere.test/", 502)]
)
def test_what_is_not_there_has_a_status(
    web: LoopbackWeb, url: str, status: int
) -> None:
    web.page("http://a.test/")

    with pytest.raises(urllib.error.HTTPError) as caught:
        fetch(web, url)
    assert caught.value.code == status
    caught.value.close()


def test_redirect_leads_to_another_host(web: LoopbackWeb) -> None:
    web.redirect("http://a.test/", "https://b.test/")
    web.page("https://b.test/", html="there")

    with fetch(web, "http://a.test/") as answer:
        assert answer.read() == b"there"
    assert web.asked() == ["http://a.test/", "https://b.test/"]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_dead_host_cuts_the_connection(web: LoopbackWeb, scheme: str) -> None:
    url = web.page(f"{scheme}://a.test/")
    web.dead("a.test")

    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the scheme
        fetch(web, url)


def test_hanging_page_leaves_the_waiting_to_the_client(web: LoopbackWeb) -> None:
    url = web.hang("http://a.test/")
    port = int(web.proxy.rpartition(":")[2])

    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(0.2)
        client.sendall(f"GET {url} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode())
        with pytest.raises(TimeoutError):
            client.recv(1)


def test_raw_bytes_go_out_as_they_are(web: LoopbackWeb) -> None:
    url = web.raw("http://a.test/", b"HTTP/1.1 200 OK\r\nX: \xff\r\n\r\nrest")

    with fetch(web, url) as answer:
        assert answer.headers["X"] == "\xff"
        assert answer.read() == b"rest"


def test_unchanged_page_is_not_sent_again(web: LoopbackWeb) -> None:
    url = web.page("http://a.test/", headers={"ETag": '"1"'})

    with pytest.raises(urllib.error.HTTPError) as caught:
        fetch(web, url, **{"If-None-Match": '"1"'})
    assert caught.value.code == 304
    caught.value.close()


def test_hits_tell_who_asked(web: LoopbackWeb) -> None:
    web.page("http://a.test/")

    fetch(web, "http://a.test/", **{"User-Agent": "me"}).close()

    (hit,) = web.hits
    assert (hit.method, hit.user_agent, hit.concurrent) == ("GET", "me", 1)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://a.test", "http://a.test/"),
        ("https://a.test:443/#x", "https://a.test/"),
        ("http://a.test:443/", "http://a.test:443/"),
        ("http://küste.test/", "http://xn--kste-0ra.test/"),
    ],
)
def test_address_is_what_a_client_asks_for(url: str, asked: str) -> None:
    assert address(url) == asked


def test_environment_leads_nowhere_but_here(web: LoopbackWeb) -> None:
    names = {name for name in os.environ if name.lower().endswith("_proxy")}
    assert names - {"all_proxy", "ALL_PROXY"} <= set(web.environment)
