"""Parameters as lines of a Description, for what IssueNetwork XML has no place for."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, get_args, get_type_hints

from issuecrawl.model.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACED: Final = frozenset(
    {
        "mode",
        "depth",
        "iterations",
        "privilege",
        "authority",
        "diversity",
        "exclude",
    }
)
"""Parameters that have an element or attribute of their own."""

NAMES: Final = tuple(
    field.name for field in fields(Parameters) if field.name not in PLACED
)
"""The other parameters, in the order of their lines."""

_LINE: Final = re.compile(r"\[INFO\]Setting (?P<name>\w+): (?P<value>.*)")


def setting_lines(parameters: Parameters) -> list[str]:
    """Return one line for each parameter of :data:`NAMES`.

    >>> setting_lines(Parameters())[:2]
    ['[INFO]Setting analysis: colink', '[INFO]Setting threshold: 2']
    """
    return [f"[INFO]Setting {name}: {getattr(parameters, name)}" for name in NAMES]


def split_settings(lines: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return *lines* without those :func:`setting_lines` put last, and their values.

    A name that comes a second time, going up, belongs to the log of the crawl.

    >>> split_settings(["[INFO]Done", "[INFO]Setting threshold: 3"])
    (['[INFO]Done'], {'threshold': '3'})
    """
    values: dict[str, str] = {}
    end = len(lines)
    while end and (found := _LINE.fullmatch(lines[end - 1])):
        name = found["name"]
        if name not in NAMES or name in values:
            break
        values[name] = found["value"]
        end -= 1
    return list(lines[:end]), values


def with_settings(
    parameters: Parameters, values: dict[str, str], unusable: list[str]
) -> Parameters:
    """Return *parameters* with *values*.

    The name of one that cannot be used goes to *unusable* and changes nothing.
    """
    hints = get_type_hints(Parameters)
    changes: dict[str, Any] = {}
    for name, text in values.items():
        accepted = get_args(hints[name])
        if hints[name] is int and text.isascii() and text.isdecimal():
            changes[name] = int(text)
        elif text in accepted:
            changes[name] = text
        else:
            unusable.append(name)
    return replace(parameters, **changes)
