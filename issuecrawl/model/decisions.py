"""Decisions of a researcher on nodes of a network, as a table holds them."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from issuecrawl.model.errors import ConfigurationError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

Action = Literal["keep", "drop", "merge", "rename", "tag"]
ACTIONS: Final[tuple[Action, ...]] = get_args(Action)

TAKES_VALUE: Final = {
    "merge": "the node that it is merged into",
    "rename": "its new name",
    "tag": "a tag",
}
"""What the third column holds, for the actions that need it."""

COLUMNS: Final = ("decision", "node", "value", "note")

_MARK: Final = re.compile(r"^'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Tables of ours put this sign before what a spreadsheet would take for a formula."""


@dataclass(frozen=True, slots=True)
class Decision:
    action: Action
    node: str
    """A site, or the address of a page, as the network names it."""

    value: str = ""
    """See :data:`TAKES_VALUE`; empty for the others."""

    note: str = ""
    """Why, in the researcher's words."""

    line: int = 0
    """Line of the table that it stands on."""

    def __str__(self) -> str:
        """Return the decision as a line of a Description tells it.

        >>> str(Decision("merge", "b.example", "a.example", "one office"))
        'merge b.example into a.example (one office)'
        """
        joint = {"merge": " into ", "rename": " to ", "tag": " as "}.get(self.action)
        value = f"{joint}{self.value}" if joint else ""
        note = f" ({self.note})" if self.note else ""
        return f"{self.action} {self.node}{value}{note}"


def read_decisions(text: str, name: str = "edits") -> list[Decision]:
    r"""Return the decisions of a table: ``decision,node,value,note`` on each line.

    Comma, semicolon or tab; a header, empty lines and lines that begin with ``#`` are
    passed over; ``value`` and ``note`` may be missing. *name* is the file's, for errors.

    >>> read_decisions("decision,node,value\ndrop,cdn.example")[0].action
    'drop'
    """
    decisions = []
    for line, row in _rows(text, name):
        if [cell.lower() for cell in row[:2]] == list(COLUMNS[:2]):
            continue
        decisions.append(_decision(row, line, name))
    _refuse_contradictions(decisions, name)
    return decisions


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((one for one in lines if one.strip() and one.strip()[0] != "#"), "")
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader((f"{one}\n" for one in lines), delimiter=delimiter)
    try:
        for row in rows:
            cells = [_MARK.sub("", " ".join(cell.split())) for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                yield rows.line_num, cells
    except csv.Error as error:
        raise ConfigurationError(
            f"{name}: line {rows.line_num} is no CSV ({error}); expected"
            f" {','.join(COLUMNS)}"
        ) from error


def _decision(row: list[str], line: int, name: str) -> Decision:
    action = row[0].lower().removesuffix(" into")
    node, value, note = ([*row[1:4], "", "", ""])[:3]
    if action not in ACTIONS:
        raise ConfigurationError(
            f"{name}: {shown(row[0])} on line {line} is no decision; expected"
            f" {', '.join(ACTIONS)}"
        )
    if not node:
        raise ConfigurationError(
            f"{name}: line {line} names no node; expected a site or the address of a page"
        )
    if action in TAKES_VALUE and not value:
        raise ConfigurationError(
            f"{name}: {action} {shown(node)} on line {line} needs a third column:"
            f" {TAKES_VALUE[action]}"
        )
    if action not in TAKES_VALUE and value:
        # A reason in the third column is what people write there.
        value, note = "", " ".join(filter(None, [value, note]))
    return Decision(action, node, value, note, line)


def contradiction(
    decisions: Sequence[Decision], unit: Callable[[str], Hashable] = str
) -> tuple[Decision, Decision] | None:
    r"""Return two decisions that cannot both be taken, None where there are none.

    That is a node that is to be in and out, or merged into two, or called by two names.
    *unit* tells which names are of one node.

    >>> found = contradiction(read_decisions("keep,a.example\nkeep,a.example,again"))
    >>> found is None
    True
    """
    taken: dict[tuple[Hashable, bool], Decision] = {}
    for one in decisions:
        if one.action == "tag":
            continue
        before = taken.setdefault((unit(one.node), one.action == "rename"), one)
        values = [
            unit(d.value) if d.action == "merge" else d.value for d in (before, one)
        ]
        if before.action != one.action or values[0] != values[1]:
            return before, one
    return None


def _refuse_contradictions(decisions: list[Decision], name: str) -> None:
    found = contradiction(decisions)
    if found:
        one, other = found
        raise ConfigurationError(
            f"{name}: lines {one.line} and {other.line} contradict each other ({one};"
            f" {other}); leave one of them out"
        )
