"""How numbers, lists and times read in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def count(number: int, one: str, many: str = "") -> str:
    """Return *number* with its noun.

    >>> count(1, "site"), count(2000, "site"), count(2, "entry", "entries")
    ('1 site', '2,000 sites', '2 entries')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def listed(parts: Sequence[str]) -> str:
    """Return *parts* as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def figure(value: float | None) -> str:
    """Return a measure with as many digits as one reads.

    >>> figure(0.12345), figure(2.0), figure(1234), figure(None), figure(0.00001)
    ('0.123', '2', '1,234', '', '0.00001')
    """
    if value is None:
        return ""
    if float(value).is_integer():
        return f"{int(value):,}"
    text = f"{value:,.3f}" if abs(value) >= 0.001 else f"{value:.1g}"
    return _plain(text)


def _plain(text: str) -> str:
    return f"{float(text):f}".rstrip("0") if "e" in text else text


def percent(share: float) -> str:
    """Return *share* in per cent; only none is 0 %, only all is 100 %.

    >>> percent(0.5), percent(0.999), percent(1), percent(0.001), percent(0)
    ('50 %', '99 %', '100 %', '1 %', '0 %')
    """
    whole = round(100 * share)
    if 0 < share < 1:
        whole = min(max(whole, 1), 99)
    return f"{whole} %"


def minute(stamp: str) -> str:
    """Return ``YYYY-MM-DD hh:mm:ss`` without its seconds; other text as it is.

    >>> minute("2026-01-02 03:04:05"), minute("")
    ('2026-01-02 03:04', '')
    """
    return stamp[:-3] if len(stamp) == 19 else stamp


def days(first: str, last: str) -> str:
    """Return the days of two stamps, of which any may be empty.

    >>> days("2026-01-02 03:04:05", "2026-01-03 00:00:00"), days("", "2026-01-03")
    ('2026-01-02 to 2026-01-03', '2026-01-03')
    """
    begin, end = day(first), day(last)
    return f"{begin} to {end}" if begin and end and begin != end else begin or end


def day(stamp: str) -> str:
    """Return the date of ``YYYY-MM-DD hh:mm:ss``."""
    return stamp.partition(" ")[0]
