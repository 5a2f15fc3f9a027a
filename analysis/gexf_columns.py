"""Attribute values as elements of GEXF, by column: what is alike is written once.

What a value becomes is what :func:`analysis.attributes.plain` makes of it.
"""

from __future__ import annotations

from itertools import chain, repeat
from math import isfinite
from typing import TYPE_CHECKING, Any

from analysis import attributes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from analysis.attributes import Value
    from analysis.markup import Markup

_NOTHING = type(None)


class Columns:
    """The attributes of all nodes, or of all edges, in the order found."""

    kinds: dict[str, type]
    """bool, int, float or str by name; the number of each is its place here."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        markup: Markup,
        without: Collection[str] = (),
    ) -> None:
        found, self._markup = list(rows), markup
        self.kinds = {}
        for name in dict.fromkeys(chain.from_iterable(found)):
            if name not in without and (
                kind := _kind([row.get(name) for row in found])
            ):
                self.kinds[name] = kind

    def written(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Return the elements of each of *rows*, as one text."""
        if not self.kinds:
            return repeat("", len(rows))
        forms, columns = zip(
            *(
                self._column(number, kind, [row.get(name) for row in rows])
                for number, (name, kind) in enumerate(self.kinds.items())
            ),
            strict=True,
        )
        return map("".join(forms).__mod__, zip(*columns, strict=True))

    def _column(
        self, number: int, kind: type, values: list[Any]
    ) -> tuple[str, list[Any]]:
        """Return the form of an element, and what goes into it for each of *values*."""
        begin, end = f'<attvalue for="{number}" value="', '" />'
        kinds = set(map(type, values))
        if kind is float and kinds == {float} and all(map(isfinite, values)):
            # Six figures, as attributes.plain has it.
            return f"{begin}%.6g{end}", values
        if kinds == {int} or (kinds == {str} and _is_harmless("".join(values))):
            return f"{begin}%s{end}", values
        if kinds <= {kind, _NOTHING} and kind is not float:
            texts = {value: self._text(value, kind) for value in set(values)}
            known = {value: f"{begin}{text}{end}" for value, text in texts.items()}
            known[None] = ""
            return "%s", [known[value] for value in values]
        return "%s", [
            "" if value is None else f"{begin}{self._text(value, kind)}{end}"
            for value in map(attributes.plain, values)
        ]

    def _text(self, value: Value, kind: type) -> str:
        if kind is bool:
            return "true" if value else "false"
        shown = f"{value:.6g}" if kind is float else str(value)
        return self._markup.attribute(shown)


def _is_harmless(text: str) -> bool:
    return text.isprintable() and not any(char in text for char in '&<>"')


def _kind(values: list[Any]) -> type | None:
    """Return what a column of *values* is, None if it has none."""
    kinds = set(map(type, values))
    if kinds == {float} and any(map(isfinite, values)):
        return float
    if len(kinds) == 1 and kinds <= {bool, int, str}:
        return next(iter(kinds))
    plain = ({"": attributes.plain(value)} for value in values)
    return attributes.types(plain).get("")
