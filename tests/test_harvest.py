from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from issuecrawl.model.harvest import harvest
from issuecrawl.model.url import identity


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("http://www.x.example", ["http://www.x.example/"]),
        ("https://x.example/a", ["https://x.example/a"]),
        ("www.x.example", ["http://www.x.example/"]),
        ("WWW.X.example/A", ["http://www.x.example/A"]),
        ("x.example and x.example/a", []),
        ("See http://x.example/a.", ["http://x.example/a"]),
        ("Is it http://x.example/?", ["http://x.example/"]),
        ("(see http://x.example/a)", ["http://x.example/a"]),
        ("http://x.example/a_(b), c", ["http://x.example/a_(b)"]),
        ("(http://x.example/a_(b))", ["http://x.example/a_(b)"]),
        ("[a](http://x.example/b) c", ["http://x.example/b"]),
        (
            "[http://x.example](http://y.example/b)",
            ["http://x.example/", "http://y.example/b"],
        ),
        ("**http://x.example/**", ["http://x.example/"]),
        ("<http://x.example/a>", ["http://x.example/a"]),
        ('"http://x.example/a"', ["http://x.example/a"]),
        ("\u201chttp://x.example/a\u201d", ["http://x.example/a"]),
        ("'http://x.example/a','b'", ["http://x.example/a"]),
        ("http://x.example/it's", ["http://x.example/it's"]),
        (
            "http://x.example/,http://y.example/a,b;www.z.example",
            ["http://x.example/", "http://y.example/a,b", "http://www.z.example/"],
        ),
        ("\u89c1http://x.example/a\u3002", ["http://x.example/a"]),
        ("http://b\u00fccher.example/", ["http://xn--bcher-kva.example/"]),
        ("http://[2001:db8::1]:8080/a", ["http://[2001:db8::1]:8080/a"]),
        ("http://x.example:8080 http://y.example:", None),
        ("http://u:p@x.example/", ["http://x.example/"]),
        ("http://http://x.example/", ["http://x.example/"]),
        (
            "http://archive.example/2010/http://x.example/",
            ["http://archive.example/2010/http://x.example/"],
        ),
        ("ftp://www.x.example/ a/www.x.example", []),
    ],
)
def test_addresses_are_found_as_people_write_them(
    text: str, found: list[str] | None
) -> None:
    expected = found or ["http://x.example:8080/", "http://y.example/"]
    assert harvest(text) == ([] if found == [] else expected)


@pytest.mark.parametrize(
    "text",
    [
        "ann@x.example",
        "ann@www.x.example",
        "www.ann@x.example",
        "mailto:www.ann@x.example",
        '<a href="mailto:ann@www.x.example">',
    ],
)
def test_mail_address_is_never_taken(text: str) -> None:
    assert harvest(text) == []


def test_html_source_is_read_with_its_references() -> None:
    source = (
        '<a href="http://x.example/?a=1&amp;b=2&copy=3">x</a>'
        "<a href='//www.y.example/p'>y</a><a href=http://z.example/>z</a>"
        "<pre>&lt;a href=&quot;http://q.example/&quot;&gt;</pre>"
        '<script>{"u":"https:\\/\\/s.example\\/a"}</script>'
        "<style>a{background:url(http://t.example/t.png)}</style>"
    )
    assert harvest(source) == [
        "http://x.example/?a=1&b=2&copy=3",
        "http://www.y.example/p",
        "http://z.example/",
        "http://q.example/",
        "https://s.example/a",
        "http://t.example/t.png",
    ]


def test_each_page_is_listed_once_where_it_first_occurs() -> None:
    text = (
        "http://y.example http://www.x.example/#a https://x.example http://y.example/"
    )
    assert harvest(text) == ["http://y.example/", "http://www.x.example/"]


@pytest.mark.parametrize(
    "piece", ["http://a/,", "http://a/)", "www.", "http://a@", "(", "http://a:b", "&"]
)
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    # A quadratic search would take hours here.
    assert len(harvest(piece * 50_000)) <= 1


paths = st.text(st.sampled_from("abc123-_~/=&"), max_size=12).map(
    lambda text: f"/{text}z"
)
planted = st.lists(
    st.builds(
        "{}{}.example{}".format,
        st.sampled_from(["http://", "https://", "http://www.", "www."]),
        st.text(st.sampled_from("abc"), min_size=1, max_size=3),
        paths,
    ),
    max_size=5,
)
around = st.sampled_from(
    [
        " {} ",
        "({})",
        "<{}>",
        '"{}"',
        "'{}'",
        "\n{},\n",
        "[{}]",
        " {}. ",
        "\u201e{}\u201c",
    ]
)
filling = st.text(
    st.characters(exclude_characters="/.@:&\\[](){}", exclude_categories=["Cs"])
)


@given(planted, around, filling)
def test_every_planted_address_is_found(urls: list[str], form: str, text: str) -> None:
    written = f" {text} ".join(form.format(url) for url in urls)
    found = [identity(url) for url in harvest(f"{text} {written} {text}")]
    wanted = [identity(url if "://" in url else f"http://{url}") for url in urls]
    assert found == list(dict.fromkeys(wanted))


@given(st.text())
def test_no_text_raises_and_all_found_are_addresses(text: str) -> None:
    for url in harvest(text) + harvest(f"http://{text}"):
        assert identity(url) is not None
