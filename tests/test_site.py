from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.site import Site, Sites, read_rules
from issuecrawl.model.suffixes import (
    is_ip,
    registrable,
    registrable_icann,
    version,
    without_www,
)
from issuecrawl.model.url import parse

# url, registrable domain of a registry, registrable domain with platforms, site
HOSTS = [
    ("http://www.bbc.co.uk/news", "bbc.co.uk", "bbc.co.uk", "bbc.co.uk"),
    ("http://news.bbc.co.uk/", "bbc.co.uk", "bbc.co.uk", "news.bbc.co.uk"),
    ("http://alice.github.io/", "github.io", "alice.github.io", "alice.github.io"),
    ("http://bob.github.io/x", "github.io", "bob.github.io", "bob.github.io"),
    ("http://p.blogspot.com/", "blogspot.com", "p.blogspot.com", "p.blogspot.com"),
    ("http://p.blogspot.ru/", "blogspot.ru", "blogspot.ru", "p.blogspot.ru"),
    ("http://test.uk.com/", "uk.com", "test.uk.com", "test.uk.com"),
    ("http://mysite.br.com/", "br.com", "mysite.br.com", "mysite.br.com"),
    (
        "http://shop.example.com.br/",
        "example.com.br",
        "example.com.br",
        "shop.example.com.br",
    ),
    ("http://blogs.uct.ac.za/", "uct.ac.za", "uct.ac.za", "blogs.uct.ac.za"),
    ("http://www.ofai.ac.at/", "ofai.ac.at", "ofai.ac.at", "ofai.ac.at"),
    ("http://en.wikipedia.org/", "wikipedia.org", "wikipedia.org", "en.wikipedia.org"),
    ("http://a.b.c.kommune.no/", "c.kommune.no", "c.kommune.no", "a.b.c.kommune.no"),
    (
        "http://foo.wordpress.com/",
        "wordpress.com",
        "wordpress.com",
        "foo.wordpress.com",
    ),
    (
        "http://sub.dom.appspot.com/",
        "appspot.com",
        "dom.appspot.com",
        "sub.dom.appspot.com",
    ),
    (
        "http://bucket.s3.amazonaws.com/k",
        "amazonaws.com",
        "bucket.s3.amazonaws.com",
        "bucket.s3.amazonaws.com",
    ),
    ("http://WWW.org/", "www.org", "www.org", "www.org"),
    ("http://www.com/", "www.com", "www.com", "www.com"),
    ("http://www.co.uk/", "www.co.uk", "www.co.uk", "www.co.uk"),
    ("http://e-dreams.fr/", "e-dreams.fr", "e-dreams.fr", "e-dreams.fr"),
    ("http://www.fr/", "www.fr", "www.fr", "www.fr"),
    ("http://www.www.org/", "www.org", "www.org", "www.org"),
    ("http://ww2.site.fr/", "site.fr", "site.fr", "ww2.site.fr"),
    ("http://www2.site.fr/", "site.fr", "site.fr", "www2.site.fr"),
    ("http://wwwfoo.org/", "wwwfoo.org", "wwwfoo.org", "wwwfoo.org"),
    ("http://org/", None, None, "org"),
    ("http://www/", None, None, "www"),
    ("http://www.github.io/", "github.io", "www.github.io", "www.github.io"),
    ("http://www.gouv.fr/", "www.gouv.fr", "www.gouv.fr", "www.gouv.fr"),
    (
        "http://www.interieur.gouv.fr/",
        "interieur.gouv.fr",
        "interieur.gouv.fr",
        "interieur.gouv.fr",
    ),
    ("http://localhost/wp-content/", None, None, "localhost"),
    ("http://127.0.0.1:8888/pulp/", None, None, "127.0.0.1"),
    ("http://41.226.11.244/a", None, None, "41.226.11.244"),
    ("http://[2001:db8::1]:8080/", None, None, "[2001:db8::1]"),
    ("http://intranet/", None, None, "intranet"),
    ("http://intranet:8080/", None, None, "intranet"),
    ("http://example.com:8080/", "example.com", "example.com", "example.com"),
    ("https://example.com/", "example.com", "example.com", "example.com"),
    ("http://example.com./", "example.com", "example.com", "example.com"),
    ("http://site.local/", "site.local", "site.local", "site.local"),
    ("http://a.foo.bad/", "foo.bad", "foo.bad", "a.foo.bad"),
    ("http://www.\u98df\u72ee.\u4e2d\u56fd/", "xn--85x722f.xn--fiqs8s", None, None),
]

RULES = (
    ("https://social.example/ann", "Ann"),
    ("http://www.social.example/ann/work/", "Ann at work"),
    ("https://forum.example/?user=5", "Five"),
    ("https://b\u00fccher.example", "Books"),
    ("https://social.example/ann-two", "Ann"),
    ("https://social.example/xorg", "x.example"),
)

labels = st.sampled_from(
    ["www", "a", "b", "co", "uk", "com", "org", "github", "io", "kobe", "jp", "city"]
)
some_hosts = st.lists(labels, min_size=1, max_size=5).map(".".join)


def site_of(url: str, sites: Sites | None = None) -> Site:
    address = parse(url)
    assert address is not None
    return (sites or Sites()).of(address)


@pytest.mark.parametrize(("url", "icann", "domain", "site"), HOSTS)
def test_site_and_domains_of_a_host(
    url: str, icann: str | None, domain: str | None, site: str | None
) -> None:
    address = parse(url)
    assert address is not None
    domain, site = (domain or icann, site or icann)
    assert registrable_icann(address.host) == icann
    assert registrable(address.host) == domain
    assert site_of(url).key == site
    assert site_of(url).voter == domain or address.host
    assert site_of(url, Sites("domain")).key == domain or address.host


@pytest.mark.parametrize(
    ("url", "category"),
    [
        ("http://www.buitenhof.nl/", "NL"),
        ("http://x.co.uk/", "UK"),
        ("http://x.example.:8080/", "EXAMPLE"),
        ("http://x.xn--fiqs8s/", "XN--FIQS8S"),
        ("http://41.226.11.244/", ""),
        ("http://[2001:db8::1]:8080/", ""),
        ("http://intranet/", ""),
    ],
)
def test_category_is_the_last_label(url: str, category: str) -> None:
    assert site_of(url).category == category


def test_shop_and_blog_of_one_domain_are_two_sites_and_one_voice() -> None:
    shop, blog = site_of("https://shop.x.example/"), site_of("https://blog.x.example/")
    assert shop.key != blog.key
    assert shop.voter == blog.voter == "x.example"
    domains = Sites("domain")
    assert site_of("https://shop.x.example/", domains).key == "x.example"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://social.example/ann", "Ann"),
        ("http://www.social.example:80/ann/", "Ann"),
        ("https://social.example/ann/posts/1", "Ann"),
        ("https://social.example/ann?page=2", "Ann"),
        ("https://social.example/%61nn", "Ann"),
        ("https://social.example/ann-two", "Ann"),
        ("https://social.example/anna", "social.example"),
        ("https://social.example/ann&x", "social.example"),
        ("https://social.example/", "social.example"),
        ("https://social.example:8080/ann", "social.example"),
        ("https://m.social.example/ann", "m.social.example"),
        ("https://social.example/ann/work", "Ann at work"),
        ("https://social.example/ann/work/1", "Ann at work"),
        ("https://social.example/ann/workshop", "Ann"),
        ("https://forum.example/?user=5", "Five"),
        ("https://forum.example/?user=5&page=2", "Five"),
        ("https://forum.example/?user=55", "forum.example"),
        ("https://xn--bcher-kva.example/x", "Books"),
        ("https://xn--bcher-kva.example/", "Books"),
    ],
)
def test_rule_holds_up_to_a_border_and_the_longest_wins(url: str, key: str) -> None:
    for by in ("host", "domain"):
        if by == "domain":
            key = key.removeprefix("m.")
        assert site_of(url, Sites(by, RULES)).key == key


def test_site_of_a_rule_is_its_own_voice_and_starts_at_the_first_prefix() -> None:
    site = site_of("http://social.example/ann-two", Sites(rules=RULES))
    assert site == Site("Ann", "Ann", "EXAMPLE", "Ann", "https://social.example/ann")


def test_rule_named_after_a_host_makes_one_site_of_both() -> None:
    sites = Sites(rules=RULES)
    on_platform = site_of("https://social.example/xorg/1", sites)
    assert site_of("https://www.x.example/", sites) is on_platform


def test_rules_are_read_with_tabs_arrows_commas_and_comments() -> None:
    text = (
        "\ufeffprefix,site\n# people\n\n"
        "https://social.example/ann\tAnn\n"
        "social.example/bob -> Bob, jr.\n"
        '"https://social.example/c,d","C, D"\n'
        "https://social.example/e , #5\n"
    )
    assert read_rules(text) == [
        ("https://social.example/ann", "Ann"),
        ("social.example/bob", "Bob, jr."),
        ("https://social.example/c,d", "C, D"),
        ("https://social.example/e", "#5"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "https://social.example/ann",
        "https://social.example/ann,",
        ",Ann",
        "ftp://social.example/ann,Ann",
        "https://social.example/#!/ann,Ann",
        "https://social.example/ann,Ann,Bob",
    ],
)
def test_bad_rule_is_refused_by_its_line(line: str) -> None:
    with pytest.raises(ConfigurationError, match="line 2") as refusal:
        read_rules(f"# ours\n{line}\n")
    assert "social" not in str(refusal.value)


def test_prefix_with_two_names_is_refused() -> None:
    rules = [("https://x.example/a", "A"), ("http://www.x.example/a/", "B")]
    with pytest.raises(ConfigurationError, match="not A and B"):
        Sites(rules=rules)


def test_sites_by_anything_else_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="host or domain"):
        Sites("page")  # type: ignore[arg-type]


def test_version_of_the_suffix_list_is_its_date() -> None:
    assert version() >= "2026-10-22"
    assert len(version()) == 10


def test_data_is_read_from_a_zipped_egg(tmp_path: Path) -> None:
    package = Path(__file__).parents[1] / "issuecrawl"
    egg = tmp_path / "issuecrawl.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        archive.write(package / "__init__.py", "issuecrawl/__init__.py")
        for path in (package / "model").rglob("*.*"):
            if path.suffix in {".py", ".txt", ".dat"}:
                archive.write(path, f"issuecrawl/{path.relative_to(package)}")
    program = (
        f"import sys; sys.path.insert(0, {str(egg)!r})\n"
        "from issuecrawl.model import exclusions, suffixes, url\n"
        "print(url.__file__.startswith(sys.path[0]), suffixes.registrable('a.co.uk'),"
        " url.identity('http://x.example/?gclid=1'),"
        " 't.co' in exclusions.default_exclusions())"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout == "True a.co.uk https://x.example/ True\n"


@given(some_hosts)
def test_nothing_ever_falls_into_a_bare_public_suffix(host: str) -> None:
    for by in ("host", "domain"):
        key = site_of(f"http://{host}/", Sites(by)).key
        assert key == host or registrable(key) is not None


@given(some_hosts)
def test_www_never_tells_two_sites_apart(host: str) -> None:
    if registrable(host) is not None:
        assert without_www(f"www.{host}") == without_www(host)
        assert site_of(f"http://www.{host}/") == site_of(f"https://{host}:8443/x")


@given(st.ip_addresses())
def test_ip_address_is_a_site_of_its_own_without_category(address: object) -> None:
    host = f"[{address}]" if ":" in str(address) else str(address)
    site = site_of(f"http://{host}:8080/")
    assert is_ip(site.key)
    assert (site.voter, site.category) == (site.key, "")
