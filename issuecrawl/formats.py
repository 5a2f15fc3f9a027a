"""Which files of a network are wanted, as options and settings name them."""

from __future__ import annotations

from typing import Final

from analysis.files import ALL
from issuecrawl.model.errors import ConfigurationError

EVERY: Final = "all"


def read_formats(text: str, option: str) -> tuple[str, ...]:
    """Return the formats that *text* names, commas between them.

    ConfigurationError, which names *option*, for one that there is not.

    >>> read_formats("csv, gexf,csv", "--format")
    ('csv', 'gexf')
    """
    names = [part.strip() for part in text.split(",") if part.strip()]
    if EVERY in names:
        return ALL
    for name in names or [text]:
        if name not in ALL:
            raise ConfigurationError.of(
                option, name, f"{EVERY}, or some of {', '.join(ALL)}"
            )
    return tuple(dict.fromkeys(names))
