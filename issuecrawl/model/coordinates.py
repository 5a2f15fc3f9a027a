"""Places of nodes, as a table gives them."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING, Final

from issuecrawl.model.errors import ConfigurationError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS: Final = ("node", "latitude", "longitude")

_ALSO: Final = {
    **dict.fromkeys(("node", "id", "site", "url"), "node"),
    **dict.fromkeys(("latitude", "lat"), "latitude"),
    **dict.fromkeys(("longitude", "lon", "lng", "long"), "longitude"),
}
"""What people and gazetteers call the columns."""


def read_coordinates(text: str, name: str) -> dict[str, tuple[float, float]]:
    r"""Return latitude and longitude, in degrees, of each node of a table.

    The columns stand in the order of :data:`COLUMNS`, or as a header names them;
    rows without both numbers are passed over. *name* is the file's, for errors.

    >>> read_coordinates("lat,lon,site\n52.4,4.9,a.example", "places.csv")
    {'a.example': (52.4, 4.9)}
    """
    places: dict[str, tuple[float, float]] = {}
    for line, node, values in _rows(text, name):
        if not node or not all(values):
            continue
        try:
            latitude, longitude = map(float, values)
        except ValueError:
            latitude = longitude = math.nan
        if not (abs(latitude) <= 90 and abs(longitude) <= 180):
            raise ConfigurationError(
                f"{name}: {shown(', '.join(values))} on line {line} is no place;"
                " expected degrees: latitude from -90 to 90, longitude from -180 to 180"
            )
        places[node] = (latitude, longitude)
    if not places:
        raise ConfigurationError(
            f"{name} gives no place; expected a table of {', '.join(COLUMNS)}"
        )
    return places


def _rows(text: str, name: str) -> Iterator[tuple[int, str, list[str]]]:
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    order = [0, 1, 2]
    try:
        for number, row in enumerate(filter(any, rows)):
            cells = [cell.strip() for cell in row]
            names = [_ALSO.get(cell.lower(), "") for cell in cells]
            if number == 0 and set(COLUMNS) <= set(names):
                order = [names.index(column) for column in COLUMNS]
                continue
            cells += [""] * (max(order) + 1 - len(cells))
            node, *values = (cells[place] for place in order)
            yield rows.line_num, node, values
    except csv.Error as error:
        raise ConfigurationError(
            f"{name}: line {rows.line_num} is no CSV ({error}); expected"
            f" {', '.join(COLUMNS)}"
        ) from error
