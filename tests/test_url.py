from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from issuecrawl.model.url import (
    better_spelling,
    identity,
    identity_of,
    is_public_host,
    parse,
    spelling_order,
)

ONE_PAGE = [
    ["http://p.example/%7euser", "http://p.example/%7Euser", "http://p.example/~user"],
    ["http://p.example/a%2fb", "http://p.example/a%2Fb"],
    [
        "http://p.example/%E4%BD%A0",
        "http://p.example/%e4%bd%a0",
        "http://p.example/\u4f60",
    ],
    ["http://p.example/a b", "http://p.example/a%20b"],
    ["http://p.example/?q=a b", "http://p.example/?q=a%20b"],
    ["http://p.example/?q=%7e", "http://p.example/?q=~"],
    [
        "HTTP://Host.EXAMPLE:80/",
        "http://host.example",
        "http://host.example/",
        "http://host.example:080/",
        "http://host.example#f",
        "http://host.example/?",
        "http://host.example./",
        "https://host.example:443",
        "http://www.host.example",
        "http://www.www.host.example",
        "https://user:secret@host.example/",
        "https://host.example/?utm_source=x&UTM_Medium=y&fbclid=1&utm%5Fterm=z",
    ],
    ["http://host.example:8080/", "https://www.host.example:8080/"],
    [
        "http://b\u00fccher.example/",
        "http://xn--bcher-kva.example/",
        "http://B%C3%BCcher.example/",
    ],
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
    ],
    ["http://[::1]/", "http://[0:0:0:0:0:0:0:1]:80/"],
]

DIFFERENT_PAGES = [
    ("http://p.example/a%2Fb", "http://p.example/a/b"),
    ("http://p.example/x%3Fy", "http://p.example/x?y"),
    ("http://p.example/?q=a+b", "http://p.example/?q=a%2Bb"),
    ("http://p.example/Dia%25", "http://p.example/Dia"),
    ("http://p.example/Page", "http://p.example/page"),
    ("http://p.example/page", "http://p.example/page/"),
    ("http://p.example/%C3%A9/%C3%89", "http://p.example/e%CC%81/"),
    ("http://host.example/", "http://host.example:8080/"),
    ("https://host.example/x", "https://host.example:80/x"),
    ("http://stra\u00dfe.example/", "http://strasse.example/"),
    ("http://host.example/", "http://host.example/?q"),
    ("http://host.example/?a&b", "http://host.example/?b&a"),
    ("http://www.org/", "http://org/"),
    ("http://www.github.io/", "http://github.io/"),
    ("http://www.co.uk/", "http://co.uk/"),
    ("http://wwwfoo.org/", "http://foo.org/"),
    ("http://p.example/%%32e/a", "http://p.example/%2e/a"),
]

RELATIVE = [
    ("../download/", "http://root.example/", "http://root.example/download/"),
    ("../../x", "http://root.example/a/b", "http://root.example/x"),
    ("./", "http://root.example/./././", "http://root.example/"),
    (
        "././download.html",
        "http://root.example/dir/",
        "http://root.example/dir/download.html",
    ),
    (
        "\\search\\",
        "https://slash.example/search/something",
        "https://slash.example/search/",
    ),
    ("/nb%5Cnb.nsf/x", "http://slash.example/", "http://slash.example/nb%5Cnb.nsf/x"),
    ("/nb\\nb.nsf/x", "http://slash.example/", "http://slash.example/nb/nb.nsf/x"),
    (
        "///fr.example/new/1/",
        "https://www.first.example/new/1/",
        "https://fr.example/new/1/",
    ),
    (
        "//www.other.example/p",
        "https://www.first.example/",
        "https://www.other.example/p",
    ),
    (
        "www.noscheme.example/p",
        "http://www.first.example/dir/",
        "http://www.first.example/dir/www.noscheme.example/p",
    ),
    (
        "http:relative",
        "http://www.first.example/dir/x",
        "http://www.first.example/dir/relative",
    ),
    ("/a//b///c", "http://root.example/", "http://root.example/a//b///c"),
    ("/a/%2e%2E/b", "http://root.example/", "http://root.example/b"),
    ("/a/..;/b", "http://root.example/", "http://root.example/a/..;/b"),
    ("?", "http://root.example/p?old=1", "http://root.example/p?"),
    ("", "http://root.example/p?old=1#f", "http://root.example/p?old=1"),
    ("#new", "http://root.example/p?old=1#f", "http://root.example/p?old=1"),
    (";params", "http://root.example/a/b", "http://root.example/a/;params"),
    ("g;x=1/../y", "http://root.example/a/b", "http://root.example/a/y"),
    ("/C:/x", "http://root.example/", "http://root.example/C:/x"),
]

NO_PAGE = [
    "mailto:a@b.example",
    "tel:1",
    "javascript:void(0)",
    "javascript:http://x.example/",
    "data:text/html,x",
    "ftp://x.example/",
    "http://",
    "http:///",
    "http://%20e-monsite.com/",
    "http://.../",
    "http://a.example../",
    "http://x.example:99999/",
    f"http://{'a.' * 127}example/",
    "x.example",
    "",
    "\0",
]

hosts = st.sampled_from(
    [
        "x.example",
        "www.x.example",
        "www.www.x.example.",
        "www.org",
        "[::1]",
        "b\u00fc.test",
    ]
)
parts = st.text(st.sampled_from("ab/.?&=%25eE7~#:@ ;\u00e9"), max_size=20)
addresses = st.builds(
    "{}://{}{}{}/{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["", "user@", "u:p@"]),
    hosts,
    st.sampled_from(["", ":80", ":443", ":8080"]),
    parts,
)


@pytest.mark.parametrize("spellings", ONE_PAGE, ids=lambda urls: urls[0])
def test_spellings_of_one_page_have_one_identity(spellings: list[str]) -> None:
    assert len({identity(url) for url in spellings}) == 1


@pytest.mark.parametrize(("one", "other"), DIFFERENT_PAGES)
def test_different_pages_have_different_identities(one: str, other: str) -> None:
    assert identity(one) != identity(other)


@pytest.mark.parametrize(("url", "base", "expected"), RELATIVE)
def test_relative_address_is_resolved_as_browsers_do(
    url: str, base: str, expected: str
) -> None:
    address = parse(url, base)
    assert address is not None
    assert address.href == expected


@pytest.mark.parametrize("url", NO_PAGE)
def test_what_is_no_http_address_is_no_page(url: str) -> None:
    assert parse(url) is None
    assert identity(url) is None


def test_address_keeps_the_escapes_of_the_writer_and_no_secrets() -> None:
    address = parse("http://user:secret@Www.X.example.:8080/%7ea%2fb?q=%7e#part")
    assert address == (
        "http://www.x.example.:8080/%7ea%2fb?q=%7e",
        "http",
        "www.x.example",
        "8080",
        "/%7ea%2fb",
        "q=%7e",
    )


def test_at_sign_in_a_path_is_no_credential() -> None:
    address = parse("https://x.example/@ann?to=b@y.example")
    assert address is not None
    assert address.href == "https://x.example/@ann?to=b@y.example"


@pytest.mark.parametrize(
    ("given_query", "kept"),
    [
        ("?utm_source=a", ""),
        ("?id=4&utm_source=a", "?id=4"),
        ("?gclid=a&id=4&FBCLID=b", "?id=4"),
        ("?ref=a&source=b", "?ref=a&source=b"),
        ("?a=1&&b", "?a=1&&b"),
        ("?outm_source=a", "?outm_source=a"),
        ("?q=utm_source", "?q=utm_source"),
    ],
)
def test_only_tracking_parameters_leave_the_query(given_query: str, kept: str) -> None:
    assert identity(f"https://x.example/{given_query}") == f"https://x.example/{kept}"


def test_strict_identity_keeps_scheme_www_and_every_parameter() -> None:
    url = "http://u:p@www.X.example.:80/%7ea?utm_source=a#part"
    assert identity(url, strict=True) == "http://www.x.example/%7ea?utm_source=a"


def test_best_spelling_is_https_then_without_www_then_first_by_text() -> None:
    ordered = [
        "https://x.example/%7e",
        "https://x.example/~",
        "https://www.x.example/%7e",
        "http://x.example/%7e",
        "http://www.x.example/%7e",
    ]
    for one, other in itertools.combinations(ordered, 2):
        assert better_spelling(one, other) == better_spelling(other, one) == one


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("x.example", True),
        ("x.test", True),
        ("41.226.11.244", True),
        ("[2606:4700::1111]", True),
        ("[::ffff:808:808]", True),
        ("localhost", False),
        ("localhost.", False),
        ("x.localhost", False),
        ("intranet", False),
        ("site.local", False),
        ("metadata.google.internal", False),
        ("abcdefghij.onion", False),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("192.0.2.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),  # noqa: S104
        ("255.255.255.255", False),
        ("[::]", False),
        ("[::1]", False),
        ("[fe80::1]", False),
        ("[fd00::1]", False),
        ("[fec0::1]", False),
        ("[2001:db8::1]", False),
        ("[::ffff:10.0.0.1]", False),
        ("[64:ff9b::a00:1]", False),
        ("[2002:a00:1::]", False),
    ],
)
def test_host_that_cannot_be_public_is_known(host: str, *, public: bool) -> None:
    assert is_public_host(host) is public


def test_allowed_hosts_and_networks_count_as_public() -> None:
    allowed = ["Wiki.local", "10.1.0.0/16", "127.0.0.1", "fd00::/8"]
    for host in ("wiki.local", "de.wiki.local", "10.1.2.3", "127.0.0.1", "[fd00::1]"):
        assert is_public_host(host, allowed)
    for host in ("notwiki.local", "10.2.0.1", "127.0.0.2", "localhost", "[::1]"):
        assert not is_public_host(host, allowed)


@given(addresses)
@example("http://x.example/%%32e/../a")
@example("http://x.example/%2%65")
@example("http://x.example/%%32%65%%37E")
def test_identity_is_its_own_identity(url: str) -> None:
    for strict in (False, True):
        page = identity(url, strict=strict)
        assert page is not None
        assert identity(page, strict=strict) == page
        address = parse(page)
        assert address is not None
        assert address.href == page


@given(addresses)
def test_address_is_its_own_address(url: str) -> None:
    address = parse(url)
    assert address is not None
    assert parse(address.href) == address
    assert identity_of(address) == identity(url)


@given(addresses, st.text(max_size=5))
def test_scheme_www_fragment_and_tracking_never_matter(url: str, label: str) -> None:
    address = parse(url)
    assert address is not None
    joint = "&" if address.query else "?"
    href = address.href if address.query else address.href.removesuffix("?")
    assert identity(f"{href}{joint}utm_x=1#{label}") == identity(url)


@given(st.text(), st.none() | st.text())
@example("http://x.example/\udc80", "http://y.example/\ud800")
@example("http://\udc80.example/", None)
@example("\ud83d\ude00", "http://x.example/")
@example("http://x.example/" + "a" * 1_000_000, None)
@example("http://" + "www." * 250_000 + "example/", None)
def test_no_text_raises(url: str, base: str | None) -> None:
    parse(url, base)
    identity(url)
    is_public_host(url)


@given(st.lists(addresses, min_size=1, max_size=6))
def test_best_of_many_spellings_does_not_depend_on_their_order(urls: list[str]) -> None:
    best = urls[0]
    for url in urls[1:]:
        best = better_spelling(best, url)
    assert best == min(urls, key=spelling_order)
