"""A report read back as a reader has it: by sections, captions and cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from analysis.report import html

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from analysis.network import Network


@dataclass(frozen=True, slots=True)
class ReportPage:
    tree: LexborHTMLParser

    @classmethod
    def of(cls, network: Network) -> ReportPage:
        return cls(LexborHTMLParser(html(network)))

    def sections(self) -> list[str]:
        return [str(node.attributes["id"]) for node in self.tree.css("main > section")]

    def text(self, selector: str) -> str:
        """Return the text below *selector*, white space collapsed."""
        node = self.tree.css_first(selector)
        assert node is not None, selector
        return words(node)

    def rows(self, caption: str, part: str = "tbody") -> list[list[str]]:
        """Return the cells of the table whose caption has the id *caption*."""
        (named,) = self.tree.css(f"#{caption}")
        table = named.parent
        assert table is not None
        return [
            [words(cell) for cell in row.css("th, td")]
            for row in table.css(f"{part} > tr")
        ]

    def items(self, selector: str) -> list[str]:
        return [words(node) for node in self.tree.css(selector)]


def words(node: LexborNode) -> str:
    return " ".join(node.text().split())
