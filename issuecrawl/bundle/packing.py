"""The zip file of a bundle as it is written: the same bytes for the same content."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from issuecrawl.bundle.archive import DIGITS, PART, SEAL, digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

    from typing_extensions import Buffer

FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can tell; all members have it."""


class Packed(NamedTuple):
    bytes: int
    sha256: str


class Counted(io.RawIOBase):
    """Hands on what is written, and says how much it was and what its hash is."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._bytes = 0
        self._hash = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        view = memoryview(data)
        self._file.write(view)
        self._hash.update(view)
        self._bytes += view.nbytes
        return view.nbytes

    def tell(self) -> int:
        return self._bytes

    @property
    def packed(self) -> Packed:
        return Packed(self._bytes, self._hash.hexdigest())


class Packing:
    """Writes *path*, which is there whole and sealed when the block ends, or as before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.members: dict[str, Packed] = {}
        """Members written so far, in order."""
        self.seal = ""
        """SHA-256 that seals the file, once the block has ended."""
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")

    def __enter__(self) -> Self:
        self._zip = zipfile.ZipFile(self._part, "w")
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        try:
            self._zip.comment = SEAL + b"0" * DIGITS
            self._zip.close()
            if failed is None:
                self.seal = _sealed(self._part)
                self._part.replace(self.path)
        finally:
            self._part.unlink(missing_ok=True)

    @contextmanager
    def member(self, name: str) -> Iterator[Counted]:
        """Give a file to write the member *name* to."""
        info = zipfile.ZipInfo(name, FIRST_DAY)
        info.create_system = 3
        info.external_attr = 0o100644 << 16
        # Parquet packs its columns itself.
        stored = name.endswith(".parquet")
        info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
        with self._zip.open(info, "w", force_zip64=True) as file:
            counted = Counted(file)
            yield counted
            self.members[name] = counted.packed

    def text(self, name: str, text: str) -> None:
        with self.member(name) as file:
            file.write(text.encode())

    def file(self, name: str, path: Path) -> None:
        with path.open("rb") as source, self.member(name) as file:
            while part := source.read(PART):
                file.write(part)


def _sealed(path: Path) -> str:
    """Put the hash of what comes before in place of the last digits; return it."""
    with path.open("r+b") as file:
        end = file.seek(0, 2) - DIGITS
        found = digest(file, end)
        file.seek(end)
        file.write(found.encode())
        file.flush()
        os.fsync(file.fileno())
    return found
