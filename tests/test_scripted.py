"""Pages whose content a script puts in, told by what they are without it."""

from __future__ import annotations

import pytest

from issuecrawl.extract.document import read

SCRIPT = '<script src="/main.js"></script>'
LONG = "A sentence that a reader without scripts can read as well. " * 5


def scripted(html: str, kind: str = "text/html") -> bool:
    return read(html.encode(), "https://page.example/", kind).scripted


@pytest.mark.parametrize(
    "html",
    [
        f'<body><div id="root"></div>{SCRIPT}',
        f'<title>App</title><div id=app><div class="spinner">Loading</div></div>{SCRIPT}',
        f'<div id="__next"></div><a href="/imprint">Imprint</a>{SCRIPT}',
        f"<body><noscript>Please enable <b>JavaScript</b></noscript><a href=/>Home</a>{SCRIPT}",
        f'<link rel="canonical" href="/"><app-root></app-root>{SCRIPT}',
        '<body><script>location.href = "/real"</script>',
        f'<body><noscript><iframe src="//tracker.example/"></iframe></noscript>{SCRIPT}',
    ],
)
def test_shell_of_an_application_needs_javascript(html: str) -> None:
    assert scripted(html)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>Gone fishing",
        '<div id="root"></div>',
        f'<p>{LONG}<div id="root"></div>{SCRIPT}',
        f'<div id="root">{"<a href=/{}>x</a>" * 4}</div>{SCRIPT}'.format(*"1234"),
        f"<noscript>You need JavaScript to comment.</noscript><p>{LONG}{SCRIPT}",
        f'<frameset><frame src="/a"></frameset>{SCRIPT}',
        f'<iframe src="/content"></iframe>{SCRIPT}',
        f'<p>Welcome to our page.<a href="/in">Enter</a>{SCRIPT}',
        '<script type="application/ld+json">{}</script><p>Short',
    ],
)
def test_page_that_can_be_read_does_not(html: str) -> None:
    assert not scripted(html)


def test_what_is_no_page_does_not() -> None:
    assert not scripted(f'<div id="root"></div>{SCRIPT}', "text/plain")


def test_page_of_many_elements_is_no_shell() -> None:
    assert scripted(f"<body>{SCRIPT}{'<p> ' * 900}")
    assert not scripted(f"<body>{SCRIPT}{'<p> ' * 2_100}")
    # What is hidden is not looked at.
    assert scripted(f"<body>{SCRIPT}<noscript>{'<i>x</i>' * 2_100}</noscript>")
