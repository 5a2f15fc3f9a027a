"""Put the report on its page: templates, and what is let into them."""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from analysis import wording
from analysis.attributes import clean
from issuecrawl.model.url import parse

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

TEMPLATES: Final[Traversable] = files("analysis.report") / "templates"

LONGEST: Final = 120
"""Characters of an address that are shown; the link has them all."""


def rendered(context: dict[str, Any]) -> str:
    return environment().get_template("report.html").render(context)


@functools.cache
def environment() -> Environment:
    """Return what makes a page of the templates.

    All that is put in is escaped, and rid of characters that no file can hold.
    """
    # Read as resources are, so that a zipped egg works.
    found = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters["web"] = web_address
    found.filters["short"] = short
    for name in ("count", "figure", "listed", "percent"):
        found.filters[name] = getattr(wording, name)
    return found


def _template(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _cleaned(value: object) -> object:
    if isinstance(value, Markup):
        return Markup(clean(value))  # noqa: S704 - it is markup already
    return clean(value) if isinstance(value, str) else value


def web_address(url: str) -> str:
    """Return *url* if a link may lead there, else nothing.

    >>> web_address("https://a.example/x"), web_address("javascript:alert(1)")
    ('https://a.example/x', '')
    """
    address = parse(clean(url))
    return address.href if address is not None else ""


def short(url: str, longest: int = LONGEST) -> str:
    """Return *url* with its middle left out if it is too long to read.

    >>> short("https://a.example/" + 9 * "x", 17)
    'https://…xxxxxxxx'
    """
    if len(url) <= longest:
        return url
    half = (longest - 1) // 2
    return f"{url[:half]}…{url[-half:]}"
