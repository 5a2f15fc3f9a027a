"""Imports run one way: the ground floor knows no Scrapy, the rooms not each other."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
GROUND = ("issuecrawl.model", "issuecrawl.store")
ROOMS = ("analysis", "pipelines")


def sources(*rooms: str) -> list[Path]:
    return sorted(
        path for room in rooms for path in (ROOT / room.replace(".", "/")).rglob("*.py")
    )


def imports(path: Path, source: str | None = None) -> Iterator[str]:
    """Yield the full name of each module, or name of one, that a file imports.

    Imports under ``if TYPE_CHECKING`` count: a type is knowledge too.
    """
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(source or path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def within(name: str, *rooms: str) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def named(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


@pytest.mark.parametrize("path", named(sources(*GROUND)))
def test_ground_floor_imports_itself_and_libraries_alone(path: str) -> None:
    for name in imports(ROOT / path):
        assert not within(name, "scrapy", *ROOMS), name
        assert not within(name, "issuecrawl") or within(name, *GROUND), name


@pytest.mark.parametrize("path", named(sources(*ROOMS)))
def test_room_imports_the_ground_floor_and_not_its_neighbour(path: str) -> None:
    room = path.split("/", maxsplit=1)[0]
    (neighbour,) = set(ROOMS) - {room}
    for name in imports(ROOT / path):
        assert not within(name, neighbour), name
        assert not within(name, "issuecrawl") or within(name, *GROUND), name


@pytest.mark.parametrize("path", named(sources("analysis")))
def test_analysis_knows_no_scrapy(path: str) -> None:
    assert not [name for name in imports(ROOT / path) if within(name, "scrapy")]


def test_issuecrawl_itself_is_empty() -> None:
    assert (ROOT / "issuecrawl/__init__.py").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import scrapy.http", "scrapy.http"),
        ("from issuecrawl import settings", "issuecrawl.settings"),
        ("from .. import settings", "issuecrawl.settings"),
        ("from . import url", "issuecrawl.model.url"),
        ("def f():\n    from scrapy import Item", "scrapy.Item"),
    ],
)
def test_every_way_of_importing_is_seen(source: str, found: str) -> None:
    assert list(imports(ROOT / "issuecrawl/model/page.py", source)) == [found]
