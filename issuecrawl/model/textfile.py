"""Text files as people save them."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(path: str | Path) -> str:
    """Return the text of the file at *path*; OSError if it cannot be read.

    UTF-8 or, where a byte order mark says so, UTF-16; what is neither is taken for
    Windows-1252, which spreadsheets still write.
    """
    return decode(Path(path).read_bytes())


def decode(data: bytes) -> str:
    r"""Return the text of *data*; never raises.

    >>> decode(b"\xef\xbb\xbfurl"), decode(b"caf\xe9")
    ('url', 'café')
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
