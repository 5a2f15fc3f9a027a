"""Bundles that were damaged, or made to do harm."""

from __future__ import annotations

import hashlib
import io
import json
import warnings
import zipfile
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from issuecrawl.bundle.archive import MOST_MEMBERS, SEAL, is_bundle
from issuecrawl.bundle.unpack import unpacked
from issuecrawl.bundle.verify import verify
from issuecrawl.model.errors import BundleChanged, FormatError
from issuecrawl.working import Working
from tests.test_bundle import bundle, parquet, read_table, rewritten

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def genuine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle(tmp_path_factory.mktemp("genuine"))


def refusal(path: Path) -> str:
    """Return the sentence that refuses the bundle at *path*."""
    with pytest.raises(FormatError) as caught, unpacked(path, Working()):
        pass
    return str(caught.value)


def sealed(data: bytes, path: Path) -> Path:
    """Write a zip file whose comment is as long as a seal, with that seal."""
    start = data[:-64]
    path.write_bytes(start + hashlib.sha256(start).hexdigest().encode())
    return path


def zipped(path: Path, fill: Callable[[zipfile.ZipFile], object]) -> Path:
    """Return a sealed zip file that *fill* put members into."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as archive:
        warnings.simplefilter("ignore")
        fill(archive)
        archive.comment = SEAL + 64 * b"0"
    return sealed(buffer.getvalue(), path)


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_one_changed_byte_anywhere_is_noticed(
    genuine: Path, data: st.DataObject
) -> None:
    whole = bytearray(genuine.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    changed = genuine.with_name("changed.zip")
    changed.write_bytes(whole)

    assert is_bundle(changed)
    with pytest.raises(BundleChanged), unpacked(changed, Working()):
        pass


def test_changed_byte_at_either_end_is_noticed(genuine: Path) -> None:
    whole = bytearray(genuine.read_bytes())
    changed = genuine.with_name("ends.zip")
    for at in (*range(40), *range(-64 - len(SEAL) - 22, 0)):
        whole[at] ^= 0x20
        changed.write_bytes(whole)
        whole[at] ^= 0x20

        assert is_bundle(changed)
        with pytest.raises(BundleChanged), unpacked(changed, Working()):
            pass


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b"\0",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"\0" + data,
        lambda data: data[:100] + data[101:],
    ],
    ids=["longer", "shorter", "half", "shifted", "a byte less"],
)
def test_bytes_more_or_less_are_noticed(
    change: Callable[[bytes], bytes], genuine: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(change(genuine.read_bytes()))

    with pytest.raises(BundleChanged), unpacked(path, Working()):
        pass


def test_other_zip_file_is_no_bundle(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")

    assert refusal(path).endswith(
        "is a zip file, but no bundle; scrapy bundle 7 makes one"
    )


def test_bundle_of_a_later_version_is_refused(genuine: Path) -> None:
    with zipfile.ZipFile(genuine) as archive:
        said = json.loads(archive.read("crawl.json")) | {"version": 2}

    path = rewritten(genuine, {"crawl.json": json.dumps(said).encode()})

    assert "has version 2, this program reads 1; use the release" in refusal(path)


@pytest.mark.parametrize(
    "name",
    ["../x", "/etc/x", "a/../../x", "C:\\x", "a\\b", "network/", "a/b/c", ".x", "a\nb"],
)
def test_name_that_leads_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", lambda archive: archive.writestr(name, "x"))

    assert "cannot be used (it lists " in refusal(path)


def test_name_that_ends_early_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.zip", lambda a: a.writestr("crawl.json_x", "{}"))
    data = path.read_bytes().replace(b"crawl.json_x", b"crawl.json\0x")

    assert "cannot be used (it lists " in refusal(sealed(data, path))


def test_member_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        archive.writestr("crawl.json", "{}")
        archive.writestr("crawl.json", "[]")

    assert "it lists a file twice" in refusal(zipped(tmp_path / "a.zip", fill))


def test_thousands_of_members_are_refused(tmp_path: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        for number in range(MOST_MEMBERS + 1):
            archive.writestr(f"n{number}", "")

    assert "it lists 1001 files" in refusal(zipped(tmp_path / "a.zip", fill))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"compress_type": zipfile.ZIP_LZMA}, "packed in a way it never is"),
        ({"flag_bits": 1}, "is encrypted"),
        ({"file_size": 2**40}, "says to be larger than it can be"),
    ],
    ids=str,
)
def test_member_of_a_kind_that_bundles_never_have_is_refused(
    change: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        archive.writestr("crawl.json", "{}" * 999, zipfile.ZIP_DEFLATED)
        for name, value in change.items():
            setattr(archive.infolist()[0], name, value)

    assert reason in refusal(zipped(tmp_path / "a.zip", fill))


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        archive.writestr("a0", b"a" * 9_000_000, zipfile.ZIP_DEFLATED)
        first = archive.infolist()[0]
        for number in range(1, 50):
            other = zipfile.ZipInfo(f"a{number}")
            for name in ("compress_type", "CRC", "compress_size", "file_size"):
                setattr(other, name, getattr(first, name))
            other.header_offset = first.header_offset
            archive.filelist.append(other)

    assert "its files overlap" in refusal(zipped(tmp_path / "a.zip", fill))


def test_size_that_is_not_true_is_noticed(tmp_path: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        archive.writestr("crawl.json", "x" * 9_000, zipfile.ZIP_DEFLATED)
        archive.infolist()[0].file_size = 10

    with (
        pytest.raises(BundleChanged),
        unpacked(zipped(tmp_path / "a.zip", fill), Working()),
    ):
        pass


def test_member_that_is_not_listed_is_refused(genuine: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        with zipfile.ZipFile(genuine) as source:
            for name in source.namelist():
                archive.writestr(name, source.read(name))
        archive.writestr("more.txt", "x")

    path = zipped(genuine.with_name("more.zip"), fill)

    assert refusal(path).endswith("has more than it lists: more.txt")


def changed_table(
    path: Path, name: str, column: str, value: Any, row: int = 0
) -> bytes:
    """Return a table of the bundle with one cell changed, typed as it was."""
    with zipfile.ZipFile(path) as archive, archive.open(name) as file:
        table = pq.read_table(file)
    values = table.column(column).to_pylist()
    values[row] = value
    place = table.schema.get_field_index(column)
    array = pa.array(values, table.schema.field(column).type)
    changed = table.set_column(
        place, table.schema.field(column).with_nullable(nullable=True), array
    )
    if value is not None:
        changed = changed.cast(table.schema)
    return parquet(changed)


BAD_CELLS = [
    ("sites", "number", 2, "sites are not numbered from 1"),
    ("pages", "number", 5, "pages are not numbered from 1"),
    ("pages", "url", "javascript:alert(1)", "javascript:alert(1) is no address"),
    ("pages", "url", "x" * (2**20 + 1), "a text of 1048577 bytes in its column url"),
    ("pages", "site", 0, "pages name sites from 1 to 8, not 0"),
    ("pages", "site", 99, "pages name sites from 1 to 8, not 99"),
    ("pages", "state", "eaten", "eaten in its column state"),
    ("pages", "answer", -1, "answers are numbered from 0"),
    ("pages", "answer", 1, "two pages share an answer"),
    ("pages", "pass", 2**40, "pass is from 0 to 250"),
    ("pages", "depth", -1, "depth is from 0"),
    ("pages", "status", 2**62, "status is from 0 to 999"),
    ("pages", "redirect", 10**6, "redirect is from 0 to"),
    ("pages", "checksum", "x", "x is no checksum"),
    ("pages", "bytes", -(2**63), "bytes is from 0"),
    ("links", "number", 2**63 - 1, "links are not in order"),
    ("links", "source", 0, "links join pages from 1"),
    ("links", "target", 2**32, "links join pages from 1"),
    ("links", "kind", "javascript", "javascript in its column kind"),
    ("links", "placement", "", "in its column placement"),
    ("links", "rel", "evil", "evil is no rel"),
    ("links_within", "source", 10**9, "links join pages from 1"),
    ("links_within", "target", 1, "links within a site leave it"),
    ("starting_points", "page", 0, "starting points are pages from 1"),
    ("starting_points", "pass", -5, "passes are numbered from 0"),
]


@pytest.mark.parametrize(
    ("table", "column", "value", "reason"),
    BAD_CELLS,
    ids=[
        f"{table} {column} {str(value)[:20]}" for table, column, value, _ in BAD_CELLS
    ],
)
def test_cell_that_cannot_be_is_refused(
    table: str, column: str, value: Any, reason: str, genuine: Path
) -> None:
    name, row = f"{table}.parquet", 0
    if table == "pages":
        pages = enumerate(read_table(genuine, name))
        row = next(at for at, page in pages if (page["answer"] or 0) > 1)
    changed = changed_table(genuine, name, column, value, row)

    path = rewritten(genuine, {name: changed})

    assert reason in refusal(path)


def test_empty_cell_where_none_may_be_is_refused(genuine: Path) -> None:
    name = "links.parquet"

    path = rewritten(genuine, {name: changed_table(genuine, name, "source", None)})

    assert f"{name} has other columns than links has" in refusal(path)


def test_table_with_other_columns_is_refused(genuine: Path) -> None:
    other = parquet(pa.table({"number": [1], "key": ["a"]}))

    path = rewritten(genuine, {"sites.parquet": other})

    assert "sites.parquet has other columns than sites has" in refusal(path)


def test_table_with_more_rows_than_the_crawl_says_is_refused(genuine: Path) -> None:
    with zipfile.ZipFile(genuine) as archive, archive.open("spellings.parquet") as file:
        schema = pq.read_schema(file)
    # A few kilobytes that unpack to 4 million rows.
    rows = 2**22
    ones = pa.nulls(rows, pa.int64()).fill_null(1)
    urls = pa.nulls(rows, pa.string()).fill_null("https://a.example/")
    bomb = parquet(pa.Table.from_arrays([ones, urls], schema=schema))
    assert len(bomb) < 100_000

    path = rewritten(genuine, {"spellings.parquet": bomb})

    assert f"spellings.parquet has {rows} rows where crawl.json has 0" in refusal(path)


def test_table_that_is_no_parquet_is_refused(genuine: Path) -> None:
    path = rewritten(genuine, {"links.parquet": b"PAR1" + 100 * b"x" + b"PAR1"})

    assert "links.parquet is no sound Parquet file" in refusal(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"crawl": 0}, "says what no crawl can be"),
        ({"crawl": 2**31}, "says what no crawl can be"),
        ({"crawl": True}, "crawl is True"),
        ({"state": "eaten"}, "says what no crawl can be"),
        ({"started": "yesterday"}, "says what no crawl can be"),
        ({"title": 5}, "title is 5"),
        ({"title": "\ud800"}, "title is ?"),
        ({"log": [1]}, "log is [1]"),
        ({"given": {"depth": 2}}, "given is"),
        ({"rows": {}}, "says what no crawl can be"),
        ({"rows": {"pages": -1}}, "rows is"),
        ({"format": "zoo"}, "is not that of a bundle"),
    ],
    ids=str,
)
def test_record_that_says_what_cannot_be_is_refused(
    change: dict[str, Any], reason: str, genuine: Path
) -> None:
    with zipfile.ZipFile(genuine) as archive:
        said = json.loads(archive.read("crawl.json")) | change

    path = rewritten(genuine, {"crawl.json": json.dumps(said).encode()})

    assert reason in refusal(path)


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "zoo"},
        {"depth": "many"},
        {"depth": 10**30},
        {"threshold": 0},
        {"exclude": [1]},
        {"exclude": ["http://"]},
        {"seeds": "https://a.example/"},
        {"site": "zoo"},
        {"sites": [["https://a.example/"]]},
        {"sites": 5},
        {"identity": []},
    ],
    ids=str,
)
def test_settings_that_no_crawl_has_are_refused(
    change: dict[str, Any], genuine: Path
) -> None:
    with zipfile.ZipFile(genuine) as archive:
        said = json.loads(archive.read("crawl.json"))
    said["settings"] |= change

    path = rewritten(genuine, {"crawl.json": json.dumps(said).encode()})

    assert refusal(path).startswith("crawl.json cannot be used: ")


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"format": NaN}', b"null"]
)
def test_record_that_is_no_record_is_refused(data: bytes, genuine: Path) -> None:
    assert refusal(rewritten(genuine, {"crawl.json": data})).startswith("crawl.json ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"parameters": {"mode": "zoo", "exclude": []}}',
        b'{"parameters": {"mode": "site", "exclude": 5}}',
    ],
)
def test_parameters_that_cannot_be_are_refused(data: bytes, genuine: Path) -> None:
    path = rewritten(genuine, {"parameters.json": data})

    with pytest.raises(FormatError, match=r"parameters\.json cannot be used"):
        verify(path, Working())


def test_format_of_a_later_release_is_not_verified(genuine: Path) -> None:
    with zipfile.ZipFile(genuine) as archive:
        said = json.loads(archive.read("parameters.json"))
    said["formats"] = ["csv", "hologram"]

    found = verify(
        rewritten(genuine, {"parameters.json": json.dumps(said).encode()}), Working()
    )

    assert not found.same
    assert "asks for hologram, unknown to this release" in str(found.files)
