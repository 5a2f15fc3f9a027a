"""The documentation against the program: options, examples, columns, links."""

from __future__ import annotations

import argparse
import dataclasses
import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

import issuecrawl.settings
from analysis.actors import ACTOR_COLUMNS
from analysis.coverage_table import COVERAGE_COLUMNS
from analysis.evidence_table import EVIDENCE_COLUMNS
from analysis.files import BESIDE, FORMATS
from analysis.matrix import LONG_COLUMNS, MATRIX_COLUMNS
from analysis.network import Measures
from analysis.page_table import PAGE_COLUMNS
from analysis.tables import EDGE_COLUMNS, NODE_COLUMNS, START_COLUMNS
from issuecrawl.model.link import Link
from issuecrawl.model.options import CRAWL, RETENTION, SETTINGS, Option, resolve
from issuecrawl.model.page import CrawlRecord, Page, State
from issuecrawl.plan import ARGUMENTS
from issuecrawl.store.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")

COMMANDS = ("analyze", "bundle", "crawl", "export", "harvest", "list-crawls", "why")


def section(title: str) -> str:
    """Return the part of the reference under *title*, up to the next of its level."""
    found = re.search(rf"^(#+) {re.escape(title)}\n", REFERENCE, re.MULTILINE)
    assert found, f"docs/reference.md has no section {title}"
    rest = REFERENCE[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def names(title: str) -> list[str]:
    """Return what stands in the first column of the tables under *title*."""
    return re.findall(r"^\| `([^`]+)`", section(title), re.MULTILINE)


def option_row(option: Option) -> str:
    values = ", ".join(f"`{choice}`" for choice in option.choices)
    forms = {"whole": "whole number", "flag": "`1` or `0`", "text": "text"}
    default = f"`{option.default}`" if option.default else ""
    shown = values or forms[option.form]
    return f"| `{option.name}` | {shown} | {default} | {option.help} |"


@pytest.mark.parametrize("option", CRAWL, ids=lambda option: option.name)
def test_every_argument_of_a_crawl_has_its_row(option: Option) -> None:
    assert option_row(option) in section("Of a crawl alone")


@pytest.mark.parametrize("option", RETENTION, ids=lambda option: option.name)
def test_every_option_of_the_network_has_its_row(option: Option) -> None:
    assert option_row(option) in section("Of retention and network")


def test_no_option_is_described_that_is_not_there() -> None:
    found = [*names("Of a crawl alone"), *names("Of retention and network")]
    assert sorted(found) == sorted(ARGUMENTS)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_has_its_row(setting: Any) -> None:
    value = setting.default
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    default = f"`{shown}`" if shown else ""
    row = f"| `{setting.name}` | {default} | {setting.help} |"
    assert row in section("Of issuecrawl")


def test_no_setting_is_described_that_is_not_there() -> None:
    assert sorted(names("Of issuecrawl")) == sorted(s.name for s in SETTINGS)


def test_defaults_of_scrapys_settings_are_ours() -> None:
    settings = Settings()
    settings.setmodule(issuecrawl.settings)
    rows = re.findall(
        r"^\| `([A-Z_]+)` \| `([^`]*)` \|", section("Of Scrapy"), re.MULTILINE
    )
    assert rows
    for name, default in rows:
        assert str(settings[name]) == default, name


def test_files_and_columns_are_described() -> None:
    section_of_files = section("Files of a network")
    for files in FORMATS.values():
        for file in files:
            assert f"| `{file.name}` |" in section_of_files
    for beside in BESIDE:
        assert f"| `{beside.name}` |" in section_of_files
    assert names("nodes.csv") == list(NODE_COLUMNS)
    assert names("edges.csv") == list(EDGE_COLUMNS)
    assert names("actors.csv") == list(ACTOR_COLUMNS)
    assert names("matrix.csv") == list(MATRIX_COLUMNS)
    assert names("matrix_long.csv") == list(LONG_COLUMNS)
    assert names("pages.csv") == list(PAGE_COLUMNS)
    assert names("starting_points.csv") == list(START_COLUMNS)
    assert names("measures.csv") == [row.name for row in dataclasses.fields(Measures)]
    assert names("evidence.csv") == list(EVIDENCE_COLUMNS)
    assert names("coverage.csv") == list(COVERAGE_COLUMNS)


def test_every_state_of_a_page_is_described() -> None:
    assert names("Page states") == [state.word for state in State]


@pytest.mark.parametrize(
    ("title", "item"), [("The crawl", CrawlRecord), ("A page", Page), ("A link", Link)]
)
def test_every_field_of_an_item_is_described(title: str, item: Any) -> None:
    assert names(title) == [field.name for field in dataclasses.fields(item)]


def test_every_table_of_the_store_is_described() -> None:
    tables = re.findall(r"CREATE TABLE (\w+)", TABLES)
    assert sorted(names("The store")) == sorted(tables)


def examples() -> Iterator[Any]:
    """Yield each ``scrapy`` line of the documentation with the page it stands on."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for block in re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if line.lstrip("$ ").startswith("scrapy "):
                    yield pytest.param(line.lstrip("$ "), id=f"{page.name}: {line}")


def parsed(line: str) -> argparse.Namespace:
    words = shlex.split(re.sub(r"\s[<>|].*", "", line), comments=True)[1:]
    module = import_module(f"issuecrawl.commands.{words[0]}")
    command = module.Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser(exit_on_error=False)
    command.add_options(parser)
    opts, args = parser.parse_known_args(words[1:])
    command.process_options(args, opts)
    assert not [word for word in args if word.startswith("-") and word != "-"], args
    return opts


@pytest.mark.parametrize("line", list(examples()))
def test_example_is_accepted(line: str) -> None:
    assert shlex.split(line)[1] in COMMANDS
    opts = parsed(line)
    settings = {setting.name for setting in SETTINGS}
    for pair in opts.set:
        name = pair.partition("=")[0]
        assert name in settings or hasattr(Settings().attributes.get(name), "value")
    given = getattr(opts, "spargs", None)
    if given is None:
        given = {option.name: vars(opts).get(option.name) for option in RETENTION}
    assert set(given) <= ARGUMENTS
    known = {name: value for name, value in given.items() if value is not None}
    assert resolve(known, read=lambda _: "ads.example\n")


def test_there_are_examples_of_every_command() -> None:
    lines = [str(example.values[0]) for example in examples()]
    assert {shlex.split(line)[1] for line in lines} == set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), target


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for heading in headings
    }
