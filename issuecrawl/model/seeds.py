"""Starting points as they are given: in the argument, in a list, in a table."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from issuecrawl.model.errors import ConfigurationError, shown
from issuecrawl.model.textfile import read_text
from issuecrawl.model.url import identity_of, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from issuecrawl.model.url import Address

# An address may hold a comma; only one that another address follows separates.
_SEPARATOR: Final = re.compile(r"\s+|,+(?=https?://|www\.)", re.IGNORECASE)
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)
_WWW: Final = re.compile(r"www\.[^.]", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")

_ACCEPTED: Final = "an http(s) address such as https://x.example/"


class Seed(NamedTuple):
    """One starting point as given."""

    text: str
    line: int
    """Line of the file that it stands on, 0 for one in the argument."""


def read_seeds(
    value: str,
    opener: Callable[[str], str] = read_text,
    *,
    quote: bool = True,
    strict: bool = False,
) -> list[str]:
    """Return the addresses that ``seeds=`` names, one for each page, in order.

    *value* holds addresses with commas or white space between them, or ``@`` and the
    name of a file: one address a line with ``#`` comments, or a CSV table with a
    ``url`` column. *opener* returns that file's text. Addresses come as the URL
    Standard writes them, without fragment; ``www.x`` stands for ``http://www.x``,
    as in the Issue Crawler. With *quote* off no error shows what a file holds; with
    *strict* pages are told apart by strict identity.

    >>> read_seeds("https://a.example/x,y, www.b.example,HTTPS://A.example/x,y#z")
    ['https://a.example/x,y', 'http://www.b.example/']
    """
    value = value.strip()
    if value.startswith("@"):
        source = f"seeds={value}"
        seeds = list(_in_file(_open(value, opener), source))
    else:
        source = "seeds"
        seeds = [Seed(text, 0) for text in _split(value)]
    if not seeds:
        raise ConfigurationError(
            f"{source} names no starting point; expected {_ACCEPTED}"
        )
    pages: dict[str, str] = {}
    for seed in seeds:
        address = _address(seed.text)
        if address is None:
            raise _refusal(seed, source, quote=quote)
        pages.setdefault(identity_of(address, strict=strict), address.href)
    return list(pages.values())


def _open(value: str, opener: Callable[[str], str]) -> str:
    try:
        return opener(value[1:].strip())
    except OSError as error:
        raise ConfigurationError(
            f"seeds={value} cannot be read ({error.strerror or error}); expected a file with"
            " one address a line, or a CSV file with a url column"
        ) from error


def _in_file(text: str, source: str) -> Iterator[Seed]:
    lines = text.removeprefix("\ufeff").splitlines()
    header = next((line for line in lines if _COMMENT.sub("", line).strip()), "")
    for delimiter in ",;\t":
        names = [name.strip(' "').lower() for name in header.split(delimiter)]
        if "url" in names:
            return _in_table(lines, delimiter, names.index("url"), source)
    return _in_list(lines)


def _in_list(lines: list[str]) -> Iterator[Seed]:
    for number, line in enumerate(lines, 1):
        for text in _split(_COMMENT.sub("", line)):
            yield Seed(text, number)


def _in_table(
    lines: list[str], delimiter: str, column: int, source: str
) -> Iterator[Seed]:
    """Yield the seeds of a table; a row without an address is passed over."""
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    header_seen = False
    try:
        for row in rows:
            if not any(row) or row[0].lstrip().startswith("#"):
                continue
            text = row[column].strip() if len(row) > column else ""
            if header_seen and text:
                yield Seed(text, rows.line_num)
            header_seen = True
    except csv.Error as error:
        raise ConfigurationError(
            f"{source}: line {rows.line_num} is no CSV ({error}); expected a table"
            " with a url column"
        ) from error


def _split(text: str) -> list[str]:
    parts = (part.strip(",") for part in _SEPARATOR.split(text))
    return [part for part in parts if part]


def _address(text: str) -> Address | None:
    if _WWW.match(text):
        return parse(f"http://{text}")
    return parse(text) if _SCHEME.match(text) else None


def _refusal(seed: Seed, source: str, *, quote: bool) -> ConfigurationError:
    if not seed.line:
        return ConfigurationError.of(source, seed.text, _ACCEPTED)
    what = f"{shown(seed.text)} on line {seed.line}" if quote else f"line {seed.line}"
    return ConfigurationError(f"{source}: {what} cannot be used; expected {_ACCEPTED}")
