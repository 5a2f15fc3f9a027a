"""Fonts: how wide text is, and SVG set as PNG and PDF.

Typst does both, with a font that is shipped, so that what is measured is what is drawn
and no font of the machine matters. Only for characters that the shipped font lacks are
the machine's fonts looked at.
"""

from __future__ import annotations

import atexit
import json
import math
from contextlib import ExitStack
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final, Literal

import typst

from analysis.pictures.marks import INK, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

FAMILY: Final = "Liberation Sans"
FAMILIES: Final = f"{FAMILY}, Arial, Helvetica, sans-serif"
"""For SVG: those that take the same room, where the first is not there."""

_FILES: Final = ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf")
_EM: Final = 1000
_MEASURE: Final = f"""\
#set text(font: "{FAMILY}", size: {_EM}pt)
#let wide(c, weight) = measure(text(c, weight: weight)).width.pt()
#context [#metadata(json(bytes(sys.inputs.chars)).map(
  c => (wide(c, "regular"), wide(c, "bold")))) <widths>]
""".encode()
_DOCUMENT: Final = b"""\
#set page(width: auto, height: auto, margin: 0pt)
#set document(title: sys.inputs.title, date: none)
#image(bytes(sys.inputs.svg), format: "svg")
"""

DENSITY: Final = 288
"""Pixels an inch of a PNG: three for each unit, 2,160 across."""

_LACKING: Final = "\U0010fffd"
"""Of private use, so that no font has it: as wide as all that the shipped one lacks."""

_WIDER: Final = 1.3
"""How much wider than the shipped font those of machines are, at most: DejaVu Sans."""

_known: dict[str, tuple[float, float]] = {}
"""Width of characters, in sizes of the font: regular and bold."""

_foreign: set[str] = set()
"""Characters that the shipped font lacks; hardly one is wider than the font's size."""


@cache
def _fonts(*, of_the_machine: bool = False) -> typst.Fonts:
    # Files in a zipped egg are laid out for as long as the process needs them.
    stack = ExitStack()
    atexit.register(stack.close)
    folder = files("analysis.pictures") / "fonts"
    paths = [stack.enter_context(as_file(folder / name)) for name in _FILES]
    return typst.Fonts(
        include_system_fonts=of_the_machine,
        include_embedded_fonts=False,
        font_paths=sorted({str(path.parent) for path in paths}),
    )


def learn(texts: Iterable[str]) -> None:
    """Measure the characters of *texts* at once, which is quicker than one by one."""
    new = sorted({char for text in texts for char in text} - _known.keys())
    if not new:
        return
    new.append(_LACKING)
    rows = typst.query(
        _MEASURE,
        "<widths>",
        field="value",
        one=True,
        font_paths=_fonts(),
        sys_inputs={"chars": json.dumps(new)},
    )
    *found, lacking = json.loads(rows)
    for char, (regular, bold) in zip(new, found, strict=False):
        if [regular, bold] == lacking:
            _foreign.add(char)
            _known[char] = 1.0, 1.0
        else:
            _known[char] = regular / _EM, bold / _EM


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the room that *text* takes; pairs that are set closer are not looked at."""
    learn([text])
    if _foreign.isdisjoint(text):
        return size * sum(_known[char][bold] for char in text)
    # All of it may be set in a font that has what is lacking.
    wide = (_known[char][bold] * (1.0 if char in _foreign else _WIDER) for char in text)
    return size * sum(wide)


def shortened(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return *text* without its middle, where it takes more than *room*.

    >>> shortened("www.example.org", 10, 50)
    'www.…org'
    """
    if width(text, size, bold=bold) <= room:
        return text
    short, long = 0, len(text)
    while long - short > 1:
        kept = (short + long) // 2
        cut = _without_middle(text, kept)
        short, long = (
            (kept, long) if width(cut, size, bold=bold) <= room else (short, kept)
        )
    return _without_middle(text, short)


def _without_middle(text: str, kept: int) -> str:
    end = kept // 2
    return f"{text[: kept - end]}…{text[len(text) - end :]}"


def line(
    text: str,
    size: float,
    *,
    room: float = math.inf,
    bold: bool = False,
    colour: str = INK,
) -> Text:
    """Return *text* on one line that *room* is enough for, to be put somewhere."""
    short = shortened(text, size, room, bold=bold)
    length = round(width(short, size, bold=bold), 2)
    exact = _foreign.isdisjoint(short)
    return Text(0, 0, short, size, length, exact=exact, bold=bold, colour=colour)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Return *text* in lines that *room* is enough for, broken at spaces."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(shortened(word, size, room, bold=bold))
    return lines


def compiled(svg: str, title: str, form: Literal["png", "pdf"]) -> bytes:
    """Return the picture *svg* in another format."""
    learn([svg])
    page = typst.compile(
        _DOCUMENT,
        format=form,
        ppi=DENSITY if form == "png" else None,
        font_paths=_fonts(of_the_machine=not _foreign.isdisjoint(svg)),
        sys_inputs={"svg": svg, "title": title},
    )
    return bytes(page)
