"""The documentation against the program: files, columns, words, items, tables."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from analysis.actors import ACTOR_COLUMNS
from analysis.compare import fates
from analysis.compare import tables as comparison
from analysis.compare.result import CHANGES
from analysis.coverage_table import COVERAGE_COLUMNS
from analysis.evidence_table import EVIDENCE_COLUMNS
from analysis.files import BESIDE, FORMATS
from analysis.matrix import LONG_COLUMNS, MATRIX_COLUMNS
from analysis.measures import BY_NODE
from analysis.network import Measures
from analysis.page_table import PAGE_COLUMNS
from analysis.sight import REASONS
from analysis.stability import tables as stability
from analysis.tables import EDGE_COLUMNS, NODE_COLUMNS, START_COLUMNS
from issuecrawl.bundle import made, package, record, texts
from issuecrawl.bundle import tables as bundle
from issuecrawl.model.link import Link
from issuecrawl.model.page import CrawlRecord, Page, State
from issuecrawl.store.schema import TABLES
from tests.documents import READING, names, section


def test_every_measure_and_reason_is_explained() -> None:
    explained = {
        *names("Inlinks, three ways", READING),
        *names("Of each node", READING),
    }
    assert explained >= set(BY_NODE)
    reasons = names("What could not be seen", READING)
    assert reasons == [
        *(reason.replace(" ", "_") for reason in REASONS),
        "needs_javascript",
    ]


def test_every_change_and_what_it_hangs_on_is_explained() -> None:
    told = names("What changed", READING)
    assert told[: len(CHANGES)] == list(CHANGES)
    looks = {fates.STILL, fates.REMOVED, fates.ADDED, fates.BEFORE, fates.NOT_KNOWN}
    looks |= {fates.DETOUR}
    assert looks <= set(told)


def test_what_a_bundle_holds_is_described() -> None:
    found = names("Files of a bundle")
    members = [*found[: found.index("network/")], "network/"]
    about = {package.NAME, record.NAME, made.NAME, *made.TABLES, package.NETWORK}
    said = {texts.README, texts.DICTIONARY, texts.SEEDS, texts.EXCLUSIONS, texts.RULES}
    assert set(members) == about | said | {table.path for table in bundle.ALL}
    for table in bundle.ALL:
        columns = ", ".join(f"`{name}`" for name in table.names)
        assert f"| `{table.name}` | {columns} |" in section("Files of a bundle")


def test_columns_of_stability_and_comparison_are_described() -> None:
    assert names(stability.NODES_FILE) == list(stability.NODE_COLUMNS)
    assert names(stability.VARIANTS_FILE) == list(stability.VARIANT_COLUMNS)
    assert names(comparison.NODES_FILE) == list(comparison.NODE_COLUMNS)
    assert names(comparison.EDGES_FILE) == list(comparison.EDGE_COLUMNS)


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
