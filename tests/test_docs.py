"""The documentation against the program: options, flags, examples, links."""

from __future__ import annotations

import argparse
import re
import shlex
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

import issuecrawl.settings
from analysis.actors import INLINK_MEASURES
from analysis.claims import VERDICTS
from analysis.files import ALL
from issuecrawl.model.options import CRAWL, RETENTION, SETTINGS, Option, resolve
from issuecrawl.plan import ARGUMENTS
from tests.documents import PAGES, READING, ROOT, names, section

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMMANDS = sorted(
    file.stem
    for file in (ROOT / "issuecrawl" / "commands").glob("*.py")
    if "class Command(" in file.read_text(encoding="utf-8")
)
OF_THE_NETWORK = "[of retention and network](#of-retention-and-network)"


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


def flags(name: str) -> set[str]:
    """Return the long options that *name* has besides those of every command."""
    parser, plain = argparse.ArgumentParser(), argparse.ArgumentParser()
    command = import_module(f"issuecrawl.commands.{name}").Command()
    command.settings = Settings()
    command.add_options(parser)
    ScrapyCommand.add_options(command, plain)
    common = plain._option_string_actions  # noqa: SLF001 - no public list of them
    return {
        flag
        for flag in parser._option_string_actions  # noqa: SLF001
        if flag.startswith("--") and flag not in common
    }


OF_RETENTION = {f"--{option.name}" for option in RETENTION} | {"--no-privilege"}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "crawl"])
def test_every_flag_of_a_command_has_its_row(name: str) -> None:
    described = [n for n in names(f"scrapy {name}") if n.startswith("--")]
    assert sorted(described) == sorted(flags(name) - OF_RETENTION)
    takes = flags(name) >= OF_RETENTION
    assert (OF_THE_NETWORK in section(f"scrapy {name}")) == takes


def test_every_format_is_named() -> None:
    row = re.search(r"^\| `--format` .*", section("scrapy analyze"), re.MULTILINE)
    assert row
    found = re.findall(r"`([a-z]+)`", row[0])
    assert found == [*ALL, "all"]


def test_every_verdict_on_a_link_is_described() -> None:
    listed = [name for name in names("scrapy why") if name in VERDICTS]
    assert tuple(listed[-len(VERDICTS) :]) == VERDICTS


def test_ranks_go_by_the_measures_of_inlinks() -> None:
    row = re.search(r"^\| `--by` .*", section("scrapy compare"), re.MULTILINE)
    assert row
    assert all(f"`{name}`" in row[0] for name in INLINK_MEASURES)
    assert names("Inlinks, three ways", READING) == [
        "inlinks",
        "inlinks_core",
        "linking_sites",
    ]


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
