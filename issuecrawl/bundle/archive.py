"""The zip file of a bundle as it is read: nothing in it is believed before it is checked.

Its last bytes, the comment of the archive, are :data:`SEAL` and the SHA-256 of all
bytes before those 64 digits, so that no byte can change unnoticed.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from issuecrawl.model.errors import BundleChanged, FormatError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

    from issuecrawl.working import Working

SEAL: Final = b"issuecrawl bundle, sha256 of what comes before these 64 digits: "
DIGITS: Final = 64

PART: Final = 1 << 20
"""Bytes that are read at once."""

LONGEST_TEXT: Final = 256 << 20
"""Bytes of a member that is read into memory."""

MOST_MEMBERS: Final = 1000

_MAGIC: Final = b"PK\x03\x04"
_NAME: Final = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)?"
)
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
_ADVICE: Final = "take it from where it was published once more"


def is_bundle(path: Path) -> bool:
    """Tell whether the file begins as a zip does, or ends as a bundle does."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) == _MAGIC:
            return True
        return SEAL in _tail(file)


def may_be_replaced(path: Path) -> bool:
    """Tell whether nothing but a bundle is lost if *path* is written to."""
    if not path.exists():
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return SEAL in _tail(file) or path.stat().st_size == 0


def _tail(file: IO[bytes]) -> bytes:
    size = file.seek(0, 2)
    file.seek(max(0, size - len(SEAL) - DIGITS))
    return file.read()


def digest(file: IO[bytes], until: int, work: Working | None = None) -> str:
    """Return the SHA-256 of the first *until* bytes of *file*, hexadecimal."""
    found = hashlib.sha256()
    file.seek(0)
    while until > 0 and (part := file.read(min(PART, until))):
        found.update(part)
        until -= len(part)
        if work is not None:
            work.advance(len(part))
    return found.hexdigest()


def check_seal(path: Path, work: Working) -> str:
    """Return the sealed SHA-256 of the bundle; BundleChanged if it is not that.

    FormatError for a zip that was never sealed.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        tail = _tail(file)
        work.on(f"Checking {path.name}", size)
        found = digest(file, size - DIGITS, work)
    sealed = tail[-DIGITS:].decode("ascii", "replace")
    if tail == SEAL + found.encode():
        return sealed
    if SEAL[:20] not in tail and not _names_crawl(path):
        message = f"{path} is a zip file, but no bundle; scrapy bundle 7 makes one"
        raise FormatError(message)
    message = f"{path} was changed after it was made: its seal does not fit; {_ADVICE}"
    raise BundleChanged(message)


def _names_crawl(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "crawl.json" in archive.namelist()
    except (*_DAMAGE, OSError, ValueError):
        return True


class Archive:
    """A sealed zip file whose list of members is sound."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._plain_errors():
            self._zip = zipfile.ZipFile(path)
        self._infos = {info.filename: info for info in self._zip.infolist()}
        try:
            self._check_list()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        return list(self._infos)

    def size(self, name: str) -> int:
        return self._infos[name].file_size

    def is_packed(self, name: str) -> bool:
        """Tell whether the zip compresses the member, Parquet's own work aside."""
        return self._infos[name].compress_type != zipfile.ZIP_STORED

    def parts(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of a member; BundleChanged where its checksum does not fit."""
        if name not in self._infos:
            raise FormatError(f"{self.path} has no {name}; {_ADVICE}")
        with self._plain_errors(), self._zip.open(self._infos[name]) as member:
            count = 0
            while part := member.read(PART):
                count += len(part)
                yield part
            if count != self.size(name):
                raise BundleChanged(f"{name} of {self.path} is cut off; {_ADVICE}")

    def read(self, name: str) -> bytes:
        if name in self._infos and self.size(name) > LONGEST_TEXT:
            raise self._refused(f"{name} is too large")
        return b"".join(self.parts(name))

    def extract(self, name: str, path: Path) -> str:
        """Write a member to *path*; return its SHA-256."""
        found = hashlib.sha256()
        with path.open("wb") as file:
            for part in self.parts(name):
                found.update(part)
                file.write(part)
        return found.hexdigest()

    def sha256(self, name: str) -> str:
        found = hashlib.sha256()
        for part in self.parts(name):
            found.update(part)
        return found.hexdigest()

    def _check_list(self) -> None:
        infos = self._zip.infolist()
        if len(infos) > MOST_MEMBERS:
            raise self._refused(f"it lists {len(infos)} files")
        if len(self._infos) != len(infos):
            raise self._refused("it lists a file twice")
        for info in infos:
            # What zipfile makes of a name may differ from what is written.
            if not (
                _NAME.fullmatch(info.filename) and info.orig_filename == info.filename
            ):
                raise self._refused(f"it lists {shown(info.orig_filename)}")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self._refused(f"{info.filename} is packed in a way it never is")
            if info.flag_bits & 1:
                raise self._refused(f"{info.filename} is encrypted")
            if not self._is_possible(info):
                raise self._refused(f"{info.filename} says to be larger than it can be")
        # Members that share bytes would let a small file be read as a huge one.
        if sum(info.compress_size for info in infos) > self.path.stat().st_size:
            raise self._refused("its files overlap")

    @staticmethod
    def _is_possible(info: zipfile.ZipInfo) -> bool:
        if info.compress_type == zipfile.ZIP_STORED:
            return info.file_size == info.compress_size
        # Deflate packs 258 bytes into 2 bits at best.
        return info.file_size <= 1032 * info.compress_size

    def _refused(self, what: str) -> FormatError:
        return FormatError(f"{self.path} cannot be used ({what}); {_ADVICE}")

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except (*_DAMAGE, ValueError, RuntimeError) as error:
            message = f"{self.path} is damaged ({shown(error)}); {_ADVICE}"
            raise BundleChanged(message) from error
