"""What the real web's files say, and the program's rules held against it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from issuecrawl.extract.document import read
from issuecrawl.model.public import is_public_host
from issuecrawl.model.site import Sites
from issuecrawl.model.url import identity, parse
from tests import realweb

if TYPE_CHECKING:
    from tests.oracle import Result
    from tests.realweb import Served

Expected = tuple["Result", "Served"]


@pytest.fixture(scope="module")
def expected() -> Expected:
    try:
        return realweb.expected()
    except LookupError as reason:
        pytest.skip(str(reason))


def test_documentation_that_all_link_to_is_kept(expected: Expected) -> None:
    result, _ = expected

    assert len(result.network.voters["docs.python.org"]) >= 2
    assert result.network.retained_at["docs.python.org"] == 1


def test_starting_points_stay(expected: Expected) -> None:
    result, _ = expected

    starts = {realweb.site(realweb.identity(url)) for url in realweb.STARTING_POINTS}
    assert starts <= result.network.core
    assert {result.network.retained_at[start] for start in starts} == {0}


def test_addresses_of_the_real_web_mean_what_they_should(expected: Expected) -> None:
    _, served = expected
    sites = Sites()

    differing = []
    for page, spellings in served.spellings.items():
        for url in spellings:
            address = parse(url)
            assert address is not None
            site = sites.of(address)
            ours = identity(url), site.key, site.voter, is_public_host(address.host)
            host = realweb.site(page)
            right = (
                *(f"https://{page}", host, realweb.registrable(host)),
                realweb.public(page),
            )
            if ours != right:
                differing.append((url, ours, right))

    assert not differing


def test_pages_of_the_real_web_link_where_they_should(expected: Expected) -> None:
    _, served = expected

    differing = []
    for page, url in served.asked_as.items():
        facts = served.get(page)
        if facts is None or not facts.links:
            continue
        parts = urlsplit(url)
        _, headers, body = served.proxy.answer(parts.hostname, parts.path, {})
        document = read(body, url, headers["Content-Type"])
        ours = {
            (identity(link.target), link.kind)
            for link in document.links
            if link.kind != "link"
        }
        right = {(f"https://{link.target}", link.kind) for link in facts.links}
        if ours != right:
            differing.append((page, ours ^ right))

    assert not differing
