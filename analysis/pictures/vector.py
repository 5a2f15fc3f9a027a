"""A picture as SVG: small, its text text, fit to stand in a page of HTML."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from analysis.markup import Markup
from analysis.pictures.marks import PAPER, WIDTH, Disc, Shape, Text
from analysis.pictures.typesetting import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Point
    from analysis.pictures.marks import Mark, Picture


def document(picture: Picture) -> str:
    """Return the element ``svg``; its ids and classes begin with ``picture-``."""
    return "\n".join(_lines(picture)) + "\n"


def _lines(picture: Picture) -> Iterator[str]:
    markup, height = Markup(), _number(picture.height)
    prefix = f"picture-{picture.layout}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img"'
        f' aria-labelledby="{prefix}-title {prefix}-description"'
        f' viewBox="0 0 {WIDTH:g} {height}" width="{WIDTH:g}" height="{height}"'
        f' font-family="{FAMILIES}">'
    )
    yield f'<title id="{prefix}-title">{markup.text(picture.title)}</title>'
    description = markup.text(picture.description)
    yield f'<desc id="{prefix}-description">{description}</desc>'
    yield f'<rect width="{WIDTH:g}" height="{height}" fill="{PAPER}"/>'
    for layer, marks in picture.layers():
        if marks:
            yield f'<g class="picture-{layer}">'
            yield from _layer(marks, markup)
            yield "</g>"
    yield "</svg>"


def _layer(marks: list[Mark], markup: Markup) -> Iterator[str]:
    """Yield marks, those alike under one element that says how they look."""
    for look, group in groupby(marks, _look):
        yield f"<g{look}>"
        for mark in group:
            if isinstance(mark, Disc):
                yield _disc(mark, markup)
            elif isinstance(mark, Shape):
                yield f'<path d="{"".join(_paths(mark))}"/>'
            else:
                yield _text(mark, markup)
        yield "</g>"


def _look(mark: Mark) -> str:
    if isinstance(mark, Text):
        weight = ' font-weight="bold"' if mark.bold else ""
        return f' fill="{mark.colour}"{weight}'
    look = f' fill="{mark.fill}" stroke="{mark.line}"'
    if mark.line != "none":
        look += f' stroke-width="{_number(mark.width)}"'
    if isinstance(mark, Shape) and mark.opacity < 1:
        look += f' opacity="{_number(mark.opacity)}"'
    return look


def _disc(disc: Disc, markup: Markup) -> str:
    place = f'cx="{_number(disc.x)}" cy="{_number(disc.y)}" r="{_number(disc.radius)}"'
    if not disc.title:
        return f"<circle {place}/>"
    return f"<circle {place}><title>{markup.text(disc.title)}</title></circle>"


def _text(text: Text, markup: Markup) -> str:
    """Return text that keeps its width where the font is another."""
    x, y = _number(text.x), _number(text.y)
    end = ' text-anchor="end"' if text.anchor == "end" else ""
    turn = f' transform="rotate({_number(text.angle)} {x} {y})"' if text.angle else ""
    length = ""
    if text.exact:
        length = f' textLength="{_number(text.length)}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{x}" y="{y}" font-size="{_number(text.size)}"{end}{turn}{length}>'
        f"{markup.text(text.text)}</text>"
    )


def _paths(shape: Shape) -> Iterator[str]:
    for part in shape.parts:
        begin, *rest = (_point(point) for point in part)
        if shape.fill != "none":
            yield f"M{begin}L{' '.join(rest)}Z"
        elif len(rest) == 1:
            yield f"M{begin}L{rest[0]}"
        else:
            yield f"M{begin}Q{' '.join(rest)}"


def _point(point: Point) -> str:
    return f"{_number(point[0], 1)} {_number(point[1], 1)}"


def _number(value: float, digits: int = 2) -> str:
    """Return *value* without figures that say nothing.

    >>> _number(2.50), _number(-0.001), _number(7)
    ('2.5', '0', '7')
    """
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
