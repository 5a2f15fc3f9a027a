"""What is read from the bytes of a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from issuecrawl.extract.document import Document, read
from issuecrawl.extract.labels import CODECS, encoding_of
from issuecrawl.extract.refresh import parse_refresh
from issuecrawl.model.link import KINDS, PLACEMENTS, RELS, Link

PAGE = "http://page.example/dir/"


def page(
    html: str | bytes, url: str = PAGE, header: str = "text/html; charset=utf-8"
) -> Document:
    """Read *html* as the answer of *url*."""
    return read(html.encode() if isinstance(html, str) else html, url, header)


def targets(document: Document, *kinds: str) -> list[str]:
    return [link.target for link in document.links if link.kind in (kinds or KINDS)]


def only(html: str) -> Link:
    """Return the one link of *html*."""
    (link,) = page(html).links
    return link


# Addresses


def test_first_base_with_a_href_decides_and_may_be_relative() -> None:
    document = page(
        '<base target="_blank"><base href="/board/">'
        '<base href="http://wrong.example/ignored/">'
        '<a href="index.php/fa/12/0/">picture</a><a href="?page=2">next</a>'
        '<a href="#post3">third</a><a href="">empty</a>'
        '<a href="//partner.example/wiki">partner</a><a href="../../../up">up</a>',
        "http://forum.example/index.php/mv/msg/7/0/",
    )

    assert targets(document) == [
        "http://forum.example/board/index.php/fa/12/0/",
        "http://forum.example/board/?page=2",
        "http://forum.example/board/",
        "http://forum.example/board/",
        "http://partner.example/wiki",
        "http://forum.example/up",
    ]


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("http://other.example/x/", ["http://other.example/x/a"]),
        ("", ["http://page.example/dir/a"]),
        ("http://[bad", ["http://page.example/dir/a"]),
        ("data:text/html,x", ["http://page.example/dir/a"]),
        ("javascript:void(0)", ["http://page.example/dir/a"]),
        ("ftp://files.example/", []),
        ("mailto:someone@mail.example", []),
    ],
)
def test_unusual_bases(base: str, expected: list[str]) -> None:
    assert targets(page(f'<base href="{base}"><a href="a">x</a>')) == expected


def test_base_below_a_link_is_its_base_and_one_in_a_drawing_is_none() -> None:
    html = '<svg><base href="/no/"></base></svg><a href="a">x</a><base href="/yes/">'

    assert targets(page(html)) == ["http://page.example/yes/a"]


def test_white_space_in_addresses() -> None:
    document = page(
        '<a href="\n      http://www.blog.example/news\n  ">one</a>'
        '<a href="\t/feeds/atom.xml\t">two</a>'
        '<a href="http://other.example/long-\n   name">three</a>'
        '<a href="my page.html">four</a><a href=" ?post=1 ">five</a>'
        '<a href="   ">six</a><a href="a #b">seven</a><a href=" #b">eight</a>',
        "http://blog.example/contact/",
    )

    assert targets(document) == [
        "http://www.blog.example/news",
        "http://blog.example/feeds/atom.xml",
        "http://other.example/long-%20%20%20name",
        "http://blog.example/contact/my%20page.html",
        "http://blog.example/contact/?post=1",
        "http://blog.example/contact/",
        "http://blog.example/contact/a%20",
        "http://blog.example/contact/",
    ]


def test_unparsable_references_are_counted_and_the_others_kept() -> None:
    document = page(
        '<a href="/good1">g1</a><a href="http://[IP-Adresse">placeholder</a>'
        '<a href="http://host.example:port/foo">port word</a>'
        "<a href=\"http://[URL='https://img.example/a'][IMG alt=&quot;x.png&quot;]"
        'https://s.example/x.png[/IMG]">forum code</a><a href="http://">nothing</a>'
        '<a href="http://good.example/2">g2</a><a href="good3.html">g3</a>',
        "http://mix.example/list/",
    )

    assert targets(document) == [
        "http://mix.example/good1",
        "http://good.example/2",
        "http://mix.example/list/good3.html",
    ]
    assert document.unparsable == 4


def test_page_of_an_unparsable_address_is_read() -> None:
    assert targets(page('<a href="http://a.example">x</a>', "not an address")) == [
        "http://a.example/"
    ]


def test_entities_in_addresses() -> None:
    document = page(
        '<a href="?a=1&copy=2&reg=3&section=4&lt=5">raw</a>'
        '<a href="?a=1&amp;copy=2&amp;reg=3">escaped</a>'
        '<a href="?x=1&copy;2">real</a><a href="?x=1&lang=en&para=2">lang</a>'
        '<a href="/caf&eacute;">accent</a><a href="/r&eacute">end</a>'
    )

    assert targets(document) == [
        "http://page.example/dir/?a=1&copy=2&reg=3&section=4&lt=5",
        "http://page.example/dir/?a=1&copy=2&reg=3",
        "http://page.example/dir/?x=1%C2%A92",
        "http://page.example/dir/?x=1&lang=en&para=2",
        "http://page.example/caf%C3%A9",
        "http://page.example/r%C3%A9",
    ]


def test_nul_bytes_end_nothing() -> None:
    document = page(
        '<title>N\0ul</title><p>Call <a href="tel:111\x00222">111-222</a></p>\0'
        '<a href="/after-null">after</a><a href="/pa\0th">inside</a>'
    )

    assert document.title == "N\ufffdul"
    assert targets(document) == [
        "http://page.example/after-null",
        "http://page.example/pa%EF%BF%BDth",
    ]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/x/y", ["http://a.example/z", "http://b.example/"]),
        ("https://a.example/x/y", ["https://a.example/z", "https://b.example/"]),
        ("https://c.example:8080/", ["https://c.example:8080/z", "https://b.example/"]),
    ],
)
def test_same_references_on_different_sites(url: str, expected: list[str]) -> None:
    html = '<a href="/z">x</a><a href="//b.example">y</a>'

    assert targets(page(html, url)) == expected
    assert targets(page(f'<base href="{url}">{html}')) == expected


def test_overlong_addresses_are_counted() -> None:
    document = page(f'<a href="/{"x" * 9000}">x</a><a href="/y">y</a>')

    assert targets(document) == ["http://page.example/y"]
    assert (document.overlong, document.unparsable) == (1, 0)


# Which elements are links


def test_kinds_of_links() -> None:
    document = page(
        '<link rel="canonical" href="http://canonical.example/page">'
        '<link rel="alternate" hreflang="fr" href="/fr/">'
        '<link rel="stylesheet" href="/style.css">'
        '<link rel="alternate stylesheet" href="/other.css">'
        '<a href="/a-plain">a</a><a name="not-a-link">b</a>'
        '<a href="/a-download" download>d</a>'
        '<map name="m"><area href="/area-1" alt="Map of&#10;it"><area nohref></map>'
        '<svg><a xlink:href="/svg-xlink"><text>x</text></a>'
        '<a href="/svg-href" xlink:href="/not-this"><text>y</text></a></svg>'
        '<a xlink:href="/no-svg">z</a>'
        '<iframe src="/framed"></iframe><iframe src=""></iframe><iframe></iframe>'
        '<img src="/pic.png" srcset="/pic-2x.png 2x">'
        '<form action="/search"><button formaction="/other">go</button></form>'
        '<object data="/movie.swf"></object><blockquote cite="http://c.example/">q'
        '</blockquote><a href="mailto:someone@mail.example">m</a>'
        '<a href="JavaScript:void(0)">js</a><a href=" tel:+100">tel</a>'
        '<a href="data:text/html,%3Ca%20href=x%3E">data</a>'
        '<a href="ftp://files.example/pub/">ftp</a><a href="#here">frag</a>',
        "http://types.example/",
    )

    assert [(link.kind, link.target, link.anchor) for link in document.links] == [
        ("link", "http://canonical.example/page", ""),
        ("link", "http://types.example/fr/", ""),
        ("a", "http://types.example/a-plain", "a"),
        ("a", "http://types.example/a-download", "d"),
        ("area", "http://types.example/area-1", "Map of it"),
        ("a", "http://types.example/svg-xlink", "x"),
        ("a", "http://types.example/svg-href", "y"),
        ("iframe", "http://types.example/framed", ""),
        ("a", "http://types.example/", "frag"),
    ]
    assert document.unparsable == 0


def test_frameset() -> None:
    html = '<frameset><frame src="menu.html"><frame src="http://b.example"></frameset>'

    assert targets(page(html), "frame") == [
        "http://page.example/dir/menu.html",
        "http://b.example/",
    ]


def test_text_that_looks_like_links_is_none_and_noscript_counts() -> None:
    document = page(
        '<title>Hidden</title><style>/* <a href="/in-style">x</a> */</style>'
        "<script>var s='<a href=\"/in-script\">x</a>';</script>"
        '<noscript><link rel="author" href="/in-head-noscript"></noscript>'
        '<body><!-- <a href="/in-comment">old</a> -->'
        '<template><a href="/in-template">t</a><base href="/t/"></template>'
        '<textarea><a href="/in-textarea">ta</a></textarea>'
        '<iframe><a href="/in-iframe">f</a></iframe>'
        '<noscript><a href="/in-noscript">n</a></noscript><a href="/real">real</a>'
    )

    assert targets(document) == [
        "http://page.example/in-head-noscript",
        "http://page.example/in-noscript",
        "http://page.example/real",
    ]


@pytest.mark.parametrize(
    ("rel", "expected"),
    [
        ("nofollow", "nofollow"),
        ("external UGC  nofollow\nnofollow", "nofollow ugc"),
        ("noopener noreferrer", ""),
        ("me author sponsored", "sponsored author me"),
        ("previous copyright", "license prev"),
        ("", ""),
    ],
)
def test_rel_names_the_recorded_types_in_order(rel: str, expected: str) -> None:
    assert only(f'<a rel="{rel}" href="/">x</a>').rel == expected


def test_repeated_links_are_kept_in_document_order() -> None:
    html = '<a href="/b">1</a><a href="/a">2</a><area href="/b"><a href="/b">3</a>'

    assert [link.target[-1] for link in page(html).links] == ["b", "a", "b", "b"]


# Anchor texts


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("plain", "plain"),
        ("  white\n\t space&nbsp;here ", "white space here"),
        ("<b>M</b>arkup <i>in</i> it", "Markup in it"),
        ("<div>one</div><div>two</div>three", "one two three"),
        ("one<br>two", "one two"),
        ('<img alt="An image" src="x">', "An image"),
        ('text <img alt="An image" src="x">', "text"),
        ('<img alt="one"> <img alt=""><img><img alt="two">', "one two"),
        ("<svg><title>Drawing</title><path/></svg>", "Drawing"),
        ("<svg><title>Drawing</title></svg> Text", "Text"),
        ("<svg><text>Shown</text></svg>", "Shown"),
        ("<style>a {}</style><script>b()</script>c", "c"),
        ("<!-- no -->yes", "yes"),
        ("esc\x1b[31m bell\x07 del\x7f &#133;c1", "esc[31m bell del …c1"),
        ("", ""),
        ("x" * 300, "x" * 200),
        ("x" * 199 + " yz", "x" * 199),
        ("&lt;b&gt;", "<b>"),
    ],
)
def test_anchor_text(inside: str, text: str) -> None:
    assert only(f'<a href="/">{inside}</a>').anchor == text


def test_text_of_a_link_inside_a_link_is_its_own() -> None:
    document = page(
        '<svg><a href="/o">out<a href="/i">in</a>er<a>no link</a></a></svg>'
    )

    assert [link.anchor for link in document.links] == ["outerno link", "in"]


# Placement


@pytest.mark.parametrize(
    ("around", "placement"),
    [
        ("{}", "body"),
        ("<nav>{}</nav>", "navigation"),
        ("<nav><ul><li><b>{}</b></li></ul></nav>", "navigation"),
        ("<header>{}</header>", "header"),
        ("<header><nav>{}</nav></header>", "navigation"),
        ("<footer>{}</footer>", "footer"),
        ("<footer><section>{}</section></footer>", "footer"),
        ("<footer><section><header>{}</header></section></footer>", "footer"),
        ("<aside>{}</aside>", "aside"),
        ("<aside><footer>{}</footer></aside>", "aside"),
        ("<main>{}</main>", "body"),
        ("<main><aside>{}</aside></main>", "aside"),
        ("<main><header>{}</header></main>", "body"),
        ("<article><header>{}</header></article>", "body"),
        ("<article><footer>{}</footer></article>", "body"),
        ("<section><footer>{}</footer></section>", "body"),
        ("<aside><article>{}</article></aside>", "body"),
        ("<div role=navigation>{}</div>", "navigation"),
        ("<div role=banner>{}</div>", "header"),
        ("<div role=contentinfo>{}</div>", "footer"),
        ("<div role='unheard-of Complementary'>{}</div>", "aside"),
        ("<div class=sidebar><div role=main>{}</div></div>", "body"),
        ("<nav role=presentation>{}</nav>", "body"),
        ("<footer role=none>{}</footer>", "body"),
        ("<header role=navigation>{}</header>", "navigation"),
        ("<article><div role=contentinfo>{}</div></article>", "footer"),
        ("<div id=nav>{}</div>", "navigation"),
        ("<ul class='menu'><li>{}</li></ul>", "navigation"),
        ("<div class='wide main-nav'>{}</div>", "navigation"),
        ("<div class=mainMenu>{}</div>", "navigation"),
        ("<p class=breadcrumbs>{}</p>", "navigation"),
        ("<div class=nav-wrapper>{}</div>", "navigation"),
        ("<table><tr><td id=left_nav>{}</td></tr></table>", "navigation"),
        ("<div id=sidebar>{}</div>", "aside"),
        ("<div class=region-sidebar-first>{}</div>", "aside"),
        ("<div class=side-bar>{}</div>", "aside"),
        ("<section class=sidebar><p>{}</p></section>", "aside"),
        ("<div id=footer>{}</div>", "footer"),
        ("<div class=siteFooter>{}</div>", "footer"),
        ("<div class=footer-2>{}</div>", "footer"),
        ("<div class=masthead>{}</div>", "header"),
        ("<div class=site-header><ul class=nav>{}</ul></div>", "navigation"),
        ("<div class=has-sidebar>{}</div>", "body"),
        ("<div class='content-with-sidebar no-nav'>{}</div>", "body"),
        ("<div class=content-sidebar-wrap>{}</div>", "body"),
        ("<div class=card-header>{}</div>", "body"),
        ("<div class=entry-footer>{}</div>", "body"),
        ("<div class=toctree-wrapper>{}</div>", "body"),
        ("<div class=navigate>{}</div>", "body"),
        ("<div class=canvas>{}</div>", "body"),
        ("<div class=post><div class=header>{}</div></div>", "body"),
        ("<main><div class=page-header>{}</div></main>", "body"),
        ("<div id=content><div id=header>{}</div></div>", "header"),
        ("<div class=sidebar><div class=content>{}</div></div>", "aside"),
        ("<li class=menu>{}</li>", "body"),
    ],
)
def test_placement(around: str, placement: str) -> None:
    html = around.format('<a href="/">x</a>')

    assert page(f"<body>{html}").links[0].placement == placement


def test_placement_of_one_link_is_not_that_of_its_neighbour() -> None:
    link = '<a href="/">x</a>'
    html = f"<nav>{link}</nav>{link}<div><aside>{link}</aside>{link}</div>{link}"

    assert [found.placement for found in page(html).links] == [
        "navigation",
        "body",
        "aside",
        "body",
        "body",
    ]


# Refresh and robots


@pytest.mark.parametrize(
    ("url", "head", "redirect", "links"),
    [
        (
            "/m1",
            '<meta content="0;url=next.html" http-equiv="refresh">',
            "/next.html",
            [],
        ),
        ("/m2", '<META HTTP-EQUIV="Refresh" CONTENT="1800">', "", []),
        (
            "/m3",
            "<meta http-equiv=refresh content=\"0; URL='http://q.example/x?a=1;b=2'\">",
            "http://q.example/x?a=1;b=2",
            [],
        ),
        (
            "/m4",
            '<noscript><meta http-equiv="refresh" content="0; URL=/nojs"></noscript>',
            "",
            ["/nojs"],
        ),
        (
            "/m5",
            '<meta http-equiv="Refresh" content="330;URL=/m5?again=1">',
            "",
            ["/m5?again=1"],
        ),
        ("/m6", '<meta http-equiv="refresh" content="0; url=/m6">', "", []),
        ("/m6", '<meta http-equiv="refresh" content="0; url=/m6#there">', "", []),
        ("/m7", '<meta http-equiv="refresh" content="5; url=/x">', "/x", []),
        ("/m7", '<meta http-equiv="refresh" content="5.9; url=/x">', "/x", []),
        ("/m7", '<meta http-equiv="refresh" content="6; url=/x">', "", ["/x"]),
        ("/m8", '<meta http-equiv="refresh" content="0; url=javascript:a()">', "", []),
        (
            "/m9",
            (
                '<meta http-equiv="refresh" content="0; url=/first">'
                '<meta http-equiv="refresh" content="0; url=/second">'
            ),
            "/first",
            [],
        ),
        (
            "/m10",
            '<base href="http://b.example/"><meta http-equiv=refresh content="1;x">',
            "http://b.example/x",
            [],
        ),
    ],
)
def test_refresh(url: str, head: str, redirect: str, links: list[str]) -> None:
    site = "http://meta.example"
    document = page(
        f"<head><title>M</title>{head}</head><a href=/body>x</a>", site + url
    )

    absolute = [redirect if redirect[:4] in ("", "http") else site + redirect]
    assert document.refresh == absolute[0]
    assert targets(document, "refresh") == [site + link for link in links]
    assert targets(document, "a")[0].endswith("/body")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", None),
        ("x", None),
        ("url=/x", None),
        ("0x", None),
        (".5;/x", (True, "/x")),
        ("  3 , /x", (True, "/x")),
        ("3 /x", (True, "/x")),
        ("0000000005;/x", (True, "/x")),
        ("9" * 10_000 + ";/x", (False, "/x")),
        ("0;URL = /x", (True, "/x")),
        ('0;url="/x', (True, "/x")),
        ("0;'/x'y", (True, "/x")),
        ("0;uri=/x", (True, "uri=/x")),
        ("0;", (True, "")),
        ("0" * 200_000 + "x", None),
    ],
)
def test_content_of_a_refresh(content: str, expected: tuple[bool, str] | None) -> None:
    assert parse_refresh(content) == expected


@pytest.mark.parametrize(
    ("meta", "nofollow"),
    [
        ('<meta name="robots" content="noindex, nofollow">', True),
        ('<META NAME="Robots" CONTENT="NONE">', True),
        ('<meta name="issuecrawl" content="nofollow">', True),
        ('<meta name="robots" content="index,follow">', False),
        ('<meta name="otherbot" content="nofollow">', False),
        ('<meta name="robots">', False),
        ("", False),
    ],
)
def test_robots_meta(meta: str, *, nofollow: bool) -> None:
    document = page(f'{meta}<a href="/x">x</a>')

    assert document.nofollow is nofollow
    assert len(document.links) == 1


# Titles


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A\n  title </title>", "A title"),
        ("<title>one</title><title>two</title>", "one"),
        ("<svg><title>drawing</title></svg><title>page</title>", "page"),
        ("<title>a\x1b]0;b\x07\r\n2024-01-01 c</title>", "a]0;b 2024-01-01 c"),
        ("<title>&lt;b&gt; &amp;</title>", "<b> &"),
        (f"<title>{'x' * 600}</title>", "x" * 500),
        ("<p>none", ""),
    ],
)
def test_title(html: str, title: str) -> None:
    assert page(html).title == title


# Character sets

_CYRILLIC = '<title>Каталог</title><a href="/каталог/?q=мир#якорь">ссылка</a>'
_PATH = "http://page.example/%D0%BA%D0%B0%D1%82%D0%B0%D0%BB%D0%BE%D0%B3/?q="


@pytest.mark.parametrize(
    ("start", "codec", "header", "encoding", "query"),
    [
        ("", "cp1251", "text/html; charset=windows-1251", "windows-1251", "%EC%E8%F0"),
        ("", "cp1251", 'text/html;charset="CP1251"', "windows-1251", "%EC%E8%F0"),
        ("", "koi8-r", "text/html; x=y; charset=koi8-r", "koi8-r", "%CD%C9%D2"),
        ("\ufeff", "utf-8", "text/html; charset=windows-1251", "utf-8", None),
        ("\ufeff", "utf-16-le", "text/html; charset=utf-8", "utf-16le", None),
        ("\ufeff", "utf-16-be", "", "utf-16be", None),
        ("", "utf-16-le", "text/html; charset=utf-16", "utf-16le", None),
        (
            "<meta charset=windows-1251>",
            "cp1251",
            "text/html",
            "windows-1251",
            "%EC%E8%F0",
        ),
        (
            (
                "<!-- <meta charset=utf-8> --><meta content='text/html;charset=koi8-r' "
                "http-equiv=Content-Type>"
            ),
            "koi8-r",
            "text/html; charset=no-such",
            "koi8-r",
            "%CD%C9%D2",
        ),
        ("<meta charset=utf-16>", "utf-8", "text/html", "utf-8", None),
        (
            '<?xml version="1.0" encoding="koi8-r"?>',
            "koi8-r",
            "text/html",
            "koi8-r",
            "%CD%C9%D2",
        ),
        ("", "utf-8", "text/html", "utf-8", None),
        (
            f"<p>{'x' * 2000}<meta charset=windows-1251>",
            "cp1251",
            "text/html",
            "windows-1251",
            "%EC%E8%F0",
        ),
        (
            f"<script>'<meta charset=koi8-r>'</script>{' ' * 1500}<meta charset=cp1251>",
            "cp1251",
            "text/html; charset=cp1251",
            "windows-1251",
            "%EC%E8%F0",
        ),
    ],
)
def test_character_set(
    start: str, codec: str, header: str, encoding: str, query: str | None
) -> None:
    document = page((start + _CYRILLIC).encode(codec), header=header)

    assert document.encoding == encoding
    assert document.title == "Каталог"
    assert document.links[0].anchor == "ссылка"
    assert document.links[0].target == _PATH + (query or "%D0%BC%D0%B8%D1%80")


def test_undeclared_bytes_that_are_no_utf8_are_windows_1252() -> None:
    document = page(
        '<title>Caf\xe9 \x93</title><a href="?é">x</a>'.encode("latin-1"),
        header="text/html",
    )

    assert (document.title, document.encoding) == ("Café “", "windows-1252")
    assert targets(document) == ["http://page.example/dir/?%E9"]


def test_utf8_cut_off_within_a_character_is_utf8() -> None:
    assert (
        page("<title>é</title>é".encode()[:-1], header="text/html").encoding == "utf-8"
    )


def test_declared_utf8_with_wrong_bytes_keeps_the_rest() -> None:
    document = page(b'<title>\xe9t\xc3\xa9</title><a href="/\xff">x</a>')

    assert document.title == "\ufffdté"
    assert targets(document) == ["http://page.example/%EF%BF%BD"]


def test_query_in_an_encoding_that_lacks_a_character() -> None:
    document = page(
        '<a href="?é=&#1084;&x=%20&y= \'">x</a>'.encode("cp1252"),
        header="text/html; charset=latin1",
    )

    assert targets(document) == [
        "http://page.example/dir/?%E9=%26%231084%3B&x=%20&y=%20%27"
    ]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("ISO-8859-1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("GB2312", "gbk"),
        (" utf8\n", "utf-8"),
        ("shift_jis", "shift_jis"),
        ("utf-7", ""),
        ("hex", ""),
        ("", ""),
    ],
)
def test_labels_of_the_encoding_standard(label: str, name: str) -> None:
    assert encoding_of(label) == name


@pytest.mark.parametrize("encoding", sorted(CODECS))
@given(body=st.binary(max_size=60))
def test_every_encoding_reads_every_byte(encoding: str, body: bytes) -> None:
    document = page(
        b'<a href="/?' + body + b'">', header=f"text/html; charset={encoding}"
    )

    assert document.encoding in (encoding, "") or body[:2] in (b"\xff\xfe", b"\xfe\xff")


# What is not a page

_HTML = b'<!doctype html><title>T</title><a href="http://target.example/ok">x</a>'


@pytest.mark.parametrize(
    ("body", "header", "taken_for"),
    [
        (_HTML, "", "text/html"),
        (_HTML, "text/html", "text/html"),
        (_HTML, "Text/HTML ; charset=utf-8", "text/html"),
        (_HTML, "application/octet-stream", "text/html"),
        (_HTML, "html", "text/html"),
        (b"\xef\xbb\xbf\n " + _HTML, "", "text/html"),
        (_HTML.decode().encode("utf-16"), "", "text/html"),
        (_HTML, "application/xhtml+xml", "application/xhtml+xml"),
        (b'<?xml version="1.0"?>\n<html>' + _HTML, "text/xml", "application/xhtml+xml"),
        (b"text first " + _HTML, "text/html", "text/html"),
        (b"\0" + _HTML, "text/html", "text/html"),
    ],
)
def test_pages(body: bytes, header: str, taken_for: str) -> None:
    document = page(body, header=header)

    assert document.content_type == taken_for
    assert targets(document) == ["http://target.example/ok"]


@pytest.mark.parametrize(
    ("body", "header", "taken_for"),
    [
        (b"%PDF-1.4\n" + _HTML, "application/pdf", "application/pdf"),
        (b"%PDF-1.4\n" + _HTML, "text/html", "application/pdf"),
        (b"\n%PDF-1.4\n" + _HTML, "", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n" + _HTML, "", "image/png"),
        (b"\xff\xd8\xff\xe0" + _HTML, "text/html", "image/jpeg"),
        (b"GIF89a" + _HTML, "text/html", "image/gif"),
        (b"PK\x03\x04" + _HTML, "application/octet-stream", "application/zip"),
        (b"PK\x03\x04" + _HTML, "application/epub+zip", "application/epub+zip"),
        (b"\x1f\x8b\x08" + _HTML, "text/html", "application/gzip"),
        (b"RIFF\x00\x00\x00\x00WEBP" + _HTML, "text/html", "image/webp"),
        (b"\0\0\0\x20ftypisom" + _HTML, "text/html", "video/mp4"),
        (bytes(range(32)) * 40 + _HTML, "text/html", "application/octet-stream"),
        (b"\x01\x02" + _HTML, "", "application/octet-stream"),
        (_HTML, "text/plain", "text/plain"),
        (b"only words", "", "text/plain"),
        (_HTML, "text/css", "text/css"),
        (_HTML, "application/json", "application/json"),
        (_HTML, "image/svg+xml", "image/svg+xml"),
        (
            b"<?xml version='1.0'?><rss><a href='http://a.example'/></rss>",
            "text/xml",
            "text/xml",
        ),
        (
            b"<?xml version='1.0'?><!-- --> <rss version='2.0'><a href='http://a.example'/>",
            "text/html",
            "application/rss+xml",
        ),
        (b"<feed xmlns='x'><a href='http://a.example'/>", "", "application/atom+xml"),
    ],
)
def test_what_is_no_page_has_no_links(body: bytes, header: str, taken_for: str) -> None:
    document = page(body, header=header)

    assert document.content_type == taken_for
    assert document.links == []


def test_empty_body() -> None:
    assert page(b"", header="text/html") == Document(
        encoding="utf-8", content_type="text/html"
    )
    assert page(b"", header="").links == []


def test_empty_elements_of_xhtml_swallow_nothing() -> None:
    html = '<html><head><title/><script src="x.js"/></head><body><a href="/x"/><p>y</p>'

    assert targets(page(html, header="application/xhtml+xml")) == [
        "http://page.example/x"
    ]
    assert targets(page(html)) == []


# Size and shape


def test_links_nested_deep_are_found() -> None:
    depth = 10_000
    html = "<div>" * depth + '<a href="/deep">x</a>' + "</div>" * depth + "<a href=/y>"

    assert targets(page(html)) == ["http://page.example/deep", "http://page.example/y"]


def test_link_around_deep_markup_has_its_text() -> None:
    html = '<a href="/">' + "<span>" * 10_000 + "deep" + "</span>" * 10_000 + "</a>"

    assert only(html).anchor == "deep"


def test_hundred_thousand_links_are_all_found() -> None:
    items = "".join(
        f'<li><a href="http://h{i % 1000}.example/p/{i}">entry {i}</a>\n'
        for i in range(100_000)
    )
    document = page(f"<title>Directory</title><ul>{items}</ul>")

    assert len(document.links) == 100_000
    assert document.links[0].target == "http://h0.example/p/0"
    assert document.links[-1].target == "http://h999.example/p/99999"
    assert document.links[-1].anchor == "entry 99999"


@pytest.mark.parametrize(
    "bomb",
    [
        "<div>" * 500_000,
        "<span>" * 50_000 + "</b>" * 500_000,
        "<li><ul>" * 50_000,
        "".join(f"<font color={n}><p>" for n in range(20_000)),
        "<a " + " ".join(f"a{n}=1" for n in range(100_000)) + ' href="/no">x</a>',
    ],
    ids=["nested", "unmatched", "lists", "unclosed", "attributes"],
)
def test_page_that_no_parser_can_afford_is_cut_and_says_so(bomb: str) -> None:
    document = page(f'<a href="/first">x</a>{bomb}<a href="/last">y</a>')

    assert document.cut
    assert targets(document) == ["http://page.example/first"]


@pytest.mark.parametrize(
    "much",
    [
        "<p><b>never closed" * 20_000,
        "<table><tr><td><font color=red>x</font></table>" * 20_000,
        "".join(f'<p><i class="c{n}">x</i>' for n in range(20_000)),
        "<svg>" + "<path d='M 1 2'/>" * 50_000 + "</svg>",
        f'<img src="data:image/png;base64,{"A" * 500_000}">',
        f"<svg><path d='{'M 1 2 ' * 50_000}'></svg>",
        "<p>" + "<br>" * 100_000,
        "<table>" + "<tr><td><font size=1>never closed" * 20_000 + "</table>",
        "<table>"
        + "".join(f"<tr><td><font face=f{n}>x</td>" for n in range(20_000))
        + "</table>",
        "<ul>" + "<li>x<ul><li>y</ul>" * 20_000 + "</ul>",
    ],
    ids=[
        "sloppy",
        "tables",
        "classes",
        "drawing",
        "image",
        "path",
        "breaks",
        "cells",
        "fonts",
        "lists",
    ],
)
def test_large_pages_are_read_to_the_end(much: str) -> None:
    document = page(f'<a href="/first">x</a>{much}<a href="/last">y</a>')

    assert not document.cut
    assert targets(document)[-1] == "http://page.example/last"


# Any input

_SCRAPS = st.sampled_from(
    [
        '<a href="',
        "<a href=x>",
        "</a>",
        '">',
        "<svg>",
        "<title>",
        "<base href=",
        "<nav class=",
        "<template>",
        "<noscript>",
        "<table>",
        "<meta charset=",
        "<meta http-equiv=refresh content='0;",
        "gbk>",
        "utf-16>",
        "iso-2022-jp>",
        "http://[",
        "//",
        "?é#",
        "&#0;",
        "<!--",
        "-->",
        "\0",
        "<![CDATA[",
        "</p>",
        "<iframe src=",
        "<frameset>",
        "<link rel=next href=",
        "<area href=",
    ]
)
_HEADERS = st.sampled_from(
    ["", "text/html", "text/html; charset=gbk", "application/xhtml+xml", "text/xml"]
)


def _sound(document: Document) -> bool:
    return document.title.strip() == document.title and all(
        link.target.startswith(("http://", "https://"))
        and "#" not in link.target
        and link.target.isascii()
        and len(link.anchor) <= 200
        and link.kind in KINDS
        and link.placement in PLACEMENTS
        and set(link.rel.split()) <= set(RELS)
        for link in document.links
    )


@given(body=st.binary(max_size=300), header=_HEADERS | st.text(max_size=30))
def test_bytes_never_raise(body: bytes, header: str) -> None:
    assert _sound(read(body, PAGE, header))


@given(
    parts=st.lists(_SCRAPS | st.text(max_size=6), max_size=40),
    header=_HEADERS,
    codec=st.sampled_from(["utf-8", "utf-16", "cp1252"]),
    url=st.sampled_from([PAGE, "https://page.example/?é", "", "mailto:x@mail.example"]),
)
def test_broken_markup_never_raises(
    parts: list[str], header: str, codec: str, url: str
) -> None:
    assert _sound(read("".join(parts).encode(codec, "replace"), url, header))


@given(
    hrefs=st.lists(st.text(st.characters(codec="utf-8", exclude_characters='\r\0"&')))
)
def test_each_reference_is_a_link_counted_or_of_another_scheme(
    hrefs: list[str],
) -> None:
    document = page("".join(f'<a href="{href}">x</a>' for href in hrefs))
    other = [href for href in hrefs if ":" in href]

    assert len(document.links) + document.unparsable <= len(hrefs)
    assert len(document.links) + document.unparsable >= len(hrefs) - len(other)
