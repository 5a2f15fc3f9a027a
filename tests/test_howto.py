"""How-to pages against the program: lines that show what they print are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.documents import ROOT
from tests.test_tutorial import Place, assert_shows, shown

if TYPE_CHECKING:
    from tests.test_tutorial import Shown

PAGES = ("why", "stability", "compare")
"""In this order: what changes the sample web comes last."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    found = Place(tmp_path_factory.mktemp("howto"))
    found.crawl()
    return found


def with_output(name: str) -> list[Shown]:
    text = (ROOT / "docs" / "howto" / f"{name}.md").read_text(encoding="utf-8")
    return [one for one in shown(text) if one.output]


@pytest.mark.parametrize("name", PAGES)
def test_page_shows_what_its_lines_print(name: str, place: Place) -> None:
    found = with_output(name)
    assert found
    for one in found:
        printed = [place.run(line) for line in one.lines]
        assert_shows(one.output, printed[-1])
