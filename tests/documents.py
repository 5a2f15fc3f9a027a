"""What the documentation says, for the tests that hold it to the program."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
READING = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")


def section(title: str, page: str = REFERENCE) -> str:
    """Return the part of *page* under *title*, up to the next of its level."""
    found = re.search(rf"^(#+) {re.escape(title)}\n", page, re.MULTILINE)
    assert found, f"there is no section {title}"
    rest = page[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def names(title: str, page: str = REFERENCE) -> list[str]:
    """Return what stands in the first column of the tables under *title*."""
    cells = re.findall(r"^\| (`[^|]*) \|", section(title, page), re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
