"""Which files are networks, and not items or crawls."""

from __future__ import annotations

from pathlib import Path


def is_network_file(name: str) -> bool:
    """Tell whether *name* is IssueNetwork XML: by its ending, or by how it begins."""
    if name.lower().endswith(".xml"):
        return True
    path = Path(name)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(100).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
