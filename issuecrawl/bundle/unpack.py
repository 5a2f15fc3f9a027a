"""Open a bundle: sealed, its files as they were listed, its crawl in a store again."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from issuecrawl.bundle import package
from issuecrawl.bundle.archive import Archive, check_seal
from issuecrawl.bundle.record import NAME, Record, read_record
from issuecrawl.bundle.restore import restore
from issuecrawl.bundle.tables import STORED
from issuecrawl.model.errors import BundleChanged, FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from issuecrawl.working import Working


class Unpacked(NamedTuple):
    archive: Archive
    seal: str
    """SHA-256 of the file but its last 64 bytes, which are that hash."""

    record: Record
    store: Path
    """A store that has the crawl under its number; it goes when the block ends."""


@contextmanager
def unpacked(path: Path, work: Working) -> Iterator[Unpacked]:
    """Open the bundle at *path*; its store is there while the block lasts.

    BundleChanged where a byte is not as it was when the bundle was made; FormatError
    where it is none, of another version, or says what no crawl can be.
    """
    seal = check_seal(path, work)
    archive = Archive(path)
    try:
        record = read_record(archive.read(NAME))
        with tempfile.TemporaryDirectory(prefix="issuecrawl-") as name:
            folder = Path(name)
            work.on(f"Unpacking {path.name}")
            _unpack(archive, folder)
            restore(folder, record, folder / "crawl.db", work)
            yield Unpacked(archive, seal, record, folder / "crawl.db")
    finally:
        archive.close()


def _unpack(archive: Archive, folder: Path) -> None:
    """Check every file by its hash, and put the tables of the crawl into *folder*."""
    listed = package.hashes(archive.read(package.NAME))
    tables = {table.path for table in STORED}
    names = set(archive.names) - {package.NAME}
    if names != listed.keys() or not tables <= names:
        odd = sorted((names ^ listed.keys()) | (tables - names))
        message = f"{archive.path} is incomplete, or has more than it lists: {odd[0]}"
        raise FormatError(message)
    for name in archive.names:
        if name == package.NAME:
            continue
        if name in tables:
            if archive.is_packed(name):
                raise FormatError(f"{name} of {archive.path} is packed, as it never is")
            found = archive.extract(name, folder / name)
        else:
            found = archive.sha256(name)
        if (archive.size(name), found) != listed[name]:
            message = (
                f"{name} of {archive.path} is not what {package.NAME} lists; take the"
                " bundle from where it was published once more"
            )
            raise BundleChanged(message)
