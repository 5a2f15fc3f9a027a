from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.exclusions import (
    Exclusions,
    as_substrings,
    default_exclusions,
    default_version,
    read_exclusions,
)
from issuecrawl.model.url import parse

labels = st.text(st.sampled_from("abc"), min_size=1, max_size=3)
names = st.lists(labels, min_size=1, max_size=4).map(".".join)


@pytest.mark.parametrize(
    "url",
    [
        "http://www.blocked.example/x",
        "http://blocked.example/",
        "http://BLOCKED.example:8080/y",
        "http://blocked.example./z",
        "https://user@deep.down.blocked.example",
    ],
)
def test_host_entry_matches_host_and_subdomains_on_any_port(url: str) -> None:
    for entry in ("blocked.example", " Blocked.Example ", "*.blocked.example"):
        assert Exclusions([entry]).matches(url) == entry
        assert Exclusions([entry]).matches(parse(url) or "") == entry


@pytest.mark.parametrize(
    "url",
    [
        "http://blocked.example.evil.example/",
        "http://notblocked.example/",
        "http://open.example/",
        "http://share.example/?u=http://blocked.example/",
        "mailto:ann@blocked.example",
    ],
)
def test_host_entry_matches_at_label_borders_alone(url: str) -> None:
    assert Exclusions(["blocked.example"]).matches(url) is None


@pytest.mark.parametrize(
    ("entry", "url", "matches"),
    [
        ("www.google.", "https://www.google.nl/", True),
        ("www.google.", "https://docs.google.com/", False),
        ("/login?", "https://x.example/LOGIN?next=1", True),
        ("x.example/Share", "http://www.x.example/share", True),
        ("substring:t.co", "https://microsoft.com/", True),
        ("t.co", "https://microsoft.com/", False),
        ("?share=", "https://x.example/?share=1", True),
        ("b\u00fccher.example/shop", "https://xn--bcher-kva.example/shop/1", True),
        ("/stra\u00dfe", "https://x.example/stra%C3%9Fe", True),
        ("b\u00fccher.example", "https://www.xn--bcher-kva.example:8/", True),
        ("www.x.example", "https://x.example/", True),
        ("www.x.example", "https://m.x.example/", False),
        ("10.0.0.1", "http://10.0.0.1:8080/", True),
        ("[2001:db8::1]", "http://[2001:DB8:0::1]/", True),
        ("ru", "https://x.ru/", True),
    ],
)
def test_entry_is_a_host_or_a_substring(entry: str, url: str, *, matches: bool) -> None:
    assert Exclusions([entry]).matches(url) == (entry if matches else None)


@pytest.mark.parametrize(
    "entry",
    ["", "two words", "x.example:80", "a@x.example", "substring:", "/", "http://"],
)
def test_entry_that_excludes_all_or_nothing_is_refused(entry: str) -> None:
    with pytest.raises(ConfigurationError, match=f"exclude={re.escape(entry)} cannot"):
        Exclusions([entry])
    with pytest.raises(ConfigurationError) as refusal:
        Exclusions([entry], quote=False)
    assert not entry or f"={entry} " not in str(refusal.value)


def test_most_special_entry_is_named() -> None:
    exclusions = Exclusions(["x.example", "a.x.example", "/y"])
    assert exclusions.matches("http://b.a.x.example/y") == "a.x.example"
    assert exclusions.matches("http://z.example/y") == "/y"


def test_list_is_read_with_comments_and_blank_lines() -> None:
    text = "\ufeff# ours\n\nx.example\n  y.example  # why\n/a#b\nx.example\n-\n"
    assert read_exclusions(text) == ["x.example", "y.example", "/a#b", "-"]


def test_entries_of_an_old_network_are_substrings() -> None:
    text = (
        "<ExclusionsList><ExcludeSubstring>download.com</ExcludeSubstring>\n"
        "<ExcludeSubstring>www.google.</ExcludeSubstring>"
        "<ExcludeSubstring> ?a=1&amp;b </ExcludeSubstring></ExclusionsList>"
    )
    entries = read_exclusions(text)
    assert entries == ["substring:download.com", "www.google.", "?a=1&b"]
    assert as_substrings(entries) == entries
    exclusions = Exclusions(entries)
    assert exclusions.matches("http://notdownload.community.example/")
    assert exclusions.matches("http://x.example/?A=1&B=2") == "?a=1&b"


def test_default_list_holds_hosts_and_no_substring_that_takes_others() -> None:
    exclusions = Exclusions(default_exclusions())
    assert default_version() == "2026-11-30"
    assert len(set(default_exclusions())) == len(default_exclusions()) > 100
    for url in (
        "https://www.facebook.com/sharer.php?u=https://x.example/",
        "https://t.co/a",
        "https://www.google.com/search",
        "https://play.google.com/store",
    ):
        assert exclusions.matches(url)
    for url in (
        "https://chatgpt.community.example/",
        "https://docs.python.org/",
        "https://en.wikipedia.org/",
        "https://sites.google.com/view/x",
        "https://x.example/?u=https://facebook.com/",
    ):
        assert exclusions.matches(url) is None


@given(names, names)
def test_host_entry_matches_exactly_its_domain(entry: str, host: str) -> None:
    expected = f".{host}".endswith(f".{entry}")
    matched = Exclusions([entry]).matches(f"http://{host}:81/{entry}?{entry}")
    assert (matched == entry) is expected


@given(st.lists(names), st.text())
def test_no_address_raises(entries: list[str], url: str) -> None:
    exclusions = Exclusions(entries)
    exclusions.matches(url)
    exclusions.matches(f"http://{url}/")
