"""Bundles of stored crawls: written, read back as a crawl, verified."""

from __future__ import annotations

import hashlib
import io
import json
import sys
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compute import network
from analysis.files import write_all
from issuecrawl.bundle.extra import require_pyarrow
from issuecrawl.bundle.made import Making
from issuecrawl.bundle.packing import Packing
from issuecrawl.bundle.tables import ALL
from issuecrawl.bundle.unpack import unpacked
from issuecrawl.bundle.verify import verify
from issuecrawl.bundle.write import write_bundle
from issuecrawl.model.errors import AnalysisError
from issuecrawl.model.parameters import Parameters
from issuecrawl.store.database import connect
from issuecrawl.store.reader import StoredCrawl
from issuecrawl.store.schema import TABLES
from issuecrawl.working import Working
from tests.oracle import Link, PageFacts, crawl
from tests.small_crawls import stored
from tests.stored_webs import CRAWL, Crawled
from tests.web_strategies import parameters, webs
from tests.webs import web_of

if TYPE_CHECKING:
    import sqlite3

    from tests.oracle import Web

FORMATS = ("issuenetwork", "gexf", "graphml", "csv", "txt", "json", "evidence")
"""Without what takes seconds to draw."""

A, B, X, Y, Z = (f"https://{name}.example/" for name in "abxyz")
SMALL = web_of(
    {
        A: PageFacts((Link(X), Link(A + "1"), Link("https://gone.example/"))),
        A + "1": PageFacts((Link(Z, placement="footer", rel="nofollow me"), Link(A))),
        B: PageFacts((Link(X), Link(Y))),
        X: PageFacts((Link(Y), Link("https://blocked.example/"), Link("https://lan/"))),
        Y: PageFacts((Link(X),)),
        Z: PageFacts(redirect=Y),
    }
)
"""Links of all sorts; pages that are gone, excluded and not public."""


def small() -> StoredCrawl:
    return stored(SMALL, (A, B), exclude=("blocked.example",))


def making(crawl: StoredCrawl, **changes: Any) -> Making:
    own = Parameters(exclude=tuple(crawl.settings["exclude"]))
    chosen = Making(own, own=True, given={}, formats=FORMATS)
    for name, value in changes.items():
        object.__setattr__(chosen, name, value)
    return chosen


def bundle(folder: Path, name: str = "a.zip", **changes: Any) -> Path:
    """Return a small bundle in *folder*."""
    path, crawl = folder / name, small()
    write_bundle(path, crawl, making(crawl, **changes), Working())
    return path


def tables(db: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a store, but for the key and hashes that it draws anew."""
    names = [line.split()[2] for line in TABLES.splitlines() if "CREATE TABLE" in line]
    rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    # JSON says the same in any order.
    rows["crawl"] = [
        (*row[:4], *map(json.loads, row[4:6]), *row[6:8], *row[9:])
        for row in rows["crawl"]
    ]
    rows["page"] = [(row[0], row[1] is None, *row[2:]) for row in rows["page"]]
    del rows["issuecrawl"]
    return rows


def files(crawl: StoredCrawl, chosen: Parameters, *, own: bool) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        paths = write_all(network(crawl, chosen, own=own), Path(folder), FORMATS)
        return {path.name: path.read_bytes() for path in paths}


def rewritten(path: Path, changes: dict[str, bytes], *, seal: bool = True) -> Path:
    """Return a copy of a bundle with other members, listed and sealed as if genuine."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members |= changes
    copy = path.with_name(f"re-{path.name}")
    with Packing(copy) as packing:
        for name, data in members.items():
            if name != "datapackage.json":
                with packing.member(name) as file:
                    file.write(data)
        said = json.loads(members["datapackage.json"])
        for one in said["resources"]:
            packed = packing.members[one["path"]]
            one |= {"bytes": packed.bytes, "hash": f"sha256:{packed.sha256}"}
        packing.text("datapackage.json", json.dumps(said))
    if not seal:
        data = copy.read_bytes()
        copy.write_bytes(data[:-64] + 64 * b"0")
    return copy


def without_row(path: Path, name: str, row: int = 0) -> bytes:
    """Return the Parquet member *name* of a bundle without one of its rows."""
    with zipfile.ZipFile(path) as archive, archive.open(name) as file:
        table = pq.read_table(file)
    rest = table.filter([at != row for at in range(len(table))])
    return parquet(rest)


def parquet(table: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, store_schema=False, **options)
    return buffer.getvalue()


def read_table(path: Path, name: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(path) as archive, archive.open(name) as file:
        rows: list[dict[str, Any]] = pq.read_table(file).to_pylist()
        return rows


def link(path: Path, source: str, target: str) -> int:
    """Return the row of the link between two pages in a bundle."""
    numbers = {row["url"]: row["number"] for row in read_table(path, "pages.parquet")}
    wanted = (numbers[source], numbers[target])
    rows = read_table(path, "links.parquet")
    return [(row["source"], row["target"]) for row in rows].index(wanted)


def with_rows(path: Path, **counts: int) -> bytes:
    """Return the ``crawl.json`` of a bundle with other numbers of rows."""
    with zipfile.ZipFile(path) as archive:
        said = json.loads(archive.read("crawl.json"))
    said["rows"] |= counts
    return json.dumps(said).encode()


def test_same_crawl_gives_the_same_bytes(tmp_path: Path) -> None:
    assert (
        bundle(tmp_path, "a.zip").read_bytes() == bundle(tmp_path, "b.zip").read_bytes()
    )


def test_store_comes_back_row_by_row(tmp_path: Path) -> None:
    with (
        unpacked(bundle(tmp_path), Working()) as found,
        closing(connect(found.store)) as db,
    ):
        assert tables(db) == tables(small().db)


@settings(max_examples=25, deadline=None)
@given(webs(), parameters(), parameters(), st.integers(0, 9))
def test_networks_of_a_bundle_are_those_of_the_crawl_whatever_the_parameters(
    drawn: tuple[Web, tuple[str, ...], bool],
    chosen: Parameters,
    others: Parameters,
    order: int,
) -> None:
    web, starts, by_domain = drawn
    passes = crawl(web, starts, chosen).passes
    with (
        closing(Crawled(web, starts, chosen, passes, by_domain, order).store()) as db,
        tempfile.TemporaryDirectory() as folder,
    ):
        stored = StoredCrawl(db, CRAWL)
        path = Path(folder) / "a.zip"
        write_bundle(
            path,
            stored,
            Making(others, own=False, given={}, formats=FORMATS),
            Working(),
        )
        with unpacked(path, Working()) as found, closing(connect(found.store)) as again:
            assert tables(again) == tables(db)
            restored = StoredCrawl(again, CRAWL)
            for one, own in ((chosen, True), (others, False)):
                wanted = files(stored, one, own=own)
                assert files(restored, one, own=own) == wanted
        assert verify(path, Working()).same


def test_every_file_is_listed_with_its_size_and_hash(tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle(tmp_path)) as archive:
        said = json.loads(archive.read("datapackage.json"))
        listed = {one["path"]: one for one in said["resources"]}
        assert [*listed, "datapackage.json"] == archive.namelist()
        for path, one in listed.items():
            data = archive.read(path)
            assert one["bytes"] == len(data)
            assert one["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"


def test_datapackage_keeps_the_rules_of_frictionless(tmp_path: Path) -> None:
    """By the profiles of Data Package 2.0; validated with frictionless-py by hand."""
    with zipfile.ZipFile(bundle(tmp_path)) as archive:
        said = json.loads(archive.read("datapackage.json"))
    names = [one["name"] for one in said["resources"]]
    assert len(set(names)) == len(names)
    types = {"integer", "number", "string", "boolean", "datetime"}
    for one in said["resources"]:
        assert {"name", "path", "format", "mediatype", "bytes", "hash"} <= one.keys()
        assert not one["path"].startswith(("/", "."))
        for field in one.get("schema", {}).get("fields", ()):
            assert field["type"] in types
            assert field["description"]
        for key in one.get("schema", {}).get("foreignKeys", ()):
            assert key["reference"]["resource"] in names


def test_tables_are_what_their_schema_says(tmp_path: Path) -> None:
    arrow = {"integer": "int64", "string": "string", "boolean": "bool"}
    arrow |= {"datetime": "timestamp[ms, tz=UTC]", "number": "double"}
    path = bundle(tmp_path)
    with zipfile.ZipFile(path) as archive:
        dictionary = archive.read("DICTIONARY.md").decode()
        for table in ALL:
            if table.path not in archive.namelist():
                continue
            with archive.open(table.path) as file:
                schema = pq.read_schema(file)
            assert schema.names == table.names
            types = [arrow[column.type] for column in table.columns]
            assert [str(kind) for kind in schema.types] == types
            for column in table.columns:
                assert f"| `{column.name}` | {column.type} |" in dictionary


def test_refusals_say_why_of_every_page_that_was_not_retrieved(tmp_path: Path) -> None:
    rows = read_table(bundle(tmp_path), "refusals.parquet")
    assert {row["url"]: (row["state"], row["reason"]) for row in rows} == {
        "https://blocked.example/": ("excluded", "exclusion"),
        "https://lan/": ("refused", "not public"),
    }


def test_files_are_those_of_the_options_chosen(tmp_path: Path) -> None:
    path = bundle(tmp_path, parameters=Parameters(mode="page", threshold=1), own=False)
    wanted = files(small(), Parameters(mode="page", threshold=1), own=False)
    with zipfile.ZipFile(path) as archive:
        found = {
            name.removeprefix("network/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("network/")
        }
    assert found == wanted
    assert verify(path, Working()).same


def test_edits_go_with_the_network_and_are_verified(tmp_path: Path) -> None:
    path = bundle(tmp_path, edits="drop,x.example\n")

    found = verify(path, Working())

    assert found.same
    assert "network/decisions.csv" in [one.name for one in found.files]


def test_row_that_was_taken_out_and_sealed_anew_shows_in_the_network(
    tmp_path: Path,
) -> None:
    path = bundle(tmp_path)
    rest = without_row(path, "links.parquet", link(path, B, X))
    with zipfile.ZipFile(path) as archive:
        count = json.loads(archive.read("crawl.json"))["rows"]["links"] - 1
    changes = {"links.parquet": rest, "crawl.json": with_rows(path, links=count)}

    found = verify(rewritten(path, changes), Working())

    assert not found.same
    differing = {one.name for one in found.files if one.difference}
    assert {"network/network.xml", "network/nodes.csv"} <= differing


@pytest.mark.parametrize(
    "name", ["seeds.txt", "exclusions.txt", "rules.csv", "network/nodes.csv"]
)
def test_file_that_was_changed_and_sealed_anew_differs(
    name: str, tmp_path: Path
) -> None:
    found = verify(rewritten(bundle(tmp_path), {name: b"x\n"}), Working())

    assert [one.name for one in found.files if one.difference] == [name]


def test_view_that_was_changed_and_sealed_anew_differs(tmp_path: Path) -> None:
    path = bundle(tmp_path)
    view = without_row(path, "refusals.parquet")

    found = verify(rewritten(path, {"refusals.parquet": view}), Working())

    assert [one.name for one in found.files if one.difference] == ["refusals.parquet"]


def test_untouched_copy_that_was_sealed_anew_is_the_same(tmp_path: Path) -> None:
    assert verify(rewritten(bundle(tmp_path), {}), Working()).same


def moved(path: Path, by: float) -> bytes:
    """Return the positions of a bundle with one node of the map moved to the right."""
    with zipfile.ZipFile(path) as archive, archive.open("positions.parquet") as file:
        table = pq.read_table(file)
    x = table.column("x").to_pylist()
    x[table.column("layout").to_pylist().index("cluster")] += by
    place = table.schema.get_field_index("x")
    table = table.set_column(place, table.schema.field("x"), pa.array(x, pa.float64()))
    return parquet(table)


def test_files_are_made_again_with_the_positions_of_the_bundle(tmp_path: Path) -> None:
    path = bundle(tmp_path)

    found = verify(rewritten(path, {"positions.parquet": moved(path, 5)}), Working())

    positions = next(one for one in found.files if one.name == "positions.parquet")
    assert positions.remark == "taken as they are; here nodes come to lie 5 away"
    # Those that tell of no position are the same all the same.
    differing = {one.name for one in found.files if one.difference}
    assert "network/network.gexf" in differing
    assert "network/network.xml" not in differing


def test_positions_that_are_nowhere_are_not_taken(tmp_path: Path) -> None:
    path = bundle(tmp_path)

    found = verify(
        rewritten(path, {"positions.parquet": moved(path, float("inf"))}), Working()
    )

    differences = {one.name: one.difference for one in found.files}
    assert differences["positions.parquet"] == (
        "positions.parquet places a node nowhere"
    )


def test_positions_of_other_nodes_are_not_taken(tmp_path: Path) -> None:
    path = bundle(tmp_path)
    rest = without_row(path, "positions.parquet")

    found = verify(rewritten(path, {"positions.parquet": rest}), Working())

    differences = {one.name: one.difference for one in found.files}
    assert differences["positions.parquet"].startswith("places other nodes than")


def test_coordinates_go_with_the_network_and_are_verified(tmp_path: Path) -> None:
    path = bundle(tmp_path, coordinates="x.example,52.4,4.9\na.example,51,4\n")

    assert verify(path, Working()).same
    layouts = {row["layout"] for row in read_table(path, "positions.parquet")}
    assert "geographic" in layouts


def test_without_pyarrow_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(AnalysisError, match=r"pip install issuecrawl\[bundle\]"):
        require_pyarrow()


def test_other_versions_are_named_where_a_file_differs(tmp_path: Path) -> None:
    path = bundle(tmp_path)
    with zipfile.ZipFile(path) as archive:
        said = json.loads(archive.read("parameters.json"))
    said["versions"] |= {"issuecrawl": "0.0.1", "zeta": "9"}

    found = verify(
        rewritten(path, {"parameters.json": json.dumps(said).encode()}), Working()
    )

    assert found.same
    assert found.versions == ["issuecrawl 0.0.1", "zeta 9"]
