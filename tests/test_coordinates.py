from __future__ import annotations

import pytest

from issuecrawl.model.coordinates import read_coordinates
from issuecrawl.model.errors import ConfigurationError

PLACES = {"a.example": (52.37, 4.9), "b.example": (-33.9, 151.2)}


@pytest.mark.parametrize(
    "text",
    [
        "a.example,52.37,4.9\nb.example,-33.9,151.2",
        "node;latitude;longitude\na.example;52.37;4.9\nb.example;-33.9;151.2",
        "name\tLng\tLat\tSite\nA\t4.9\t52.37\ta.example\nB\t151.2\t-33.9\tb.example",
        "\ufeffsite,lat,lon\n\na.example,52.37,4.9\nc.example,,\nb.example,-33.9,151.2\n",
    ],
)
def test_places_are_read_as_tables_have_them(text: str) -> None:
    assert read_coordinates(text, "places.csv") == PLACES


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a.example,52.37,north", "52.37, north on line 1 is no place"),
        ("site,lat,lon\na.example,91,0", "91, 0 on line 2 is no place"),
        ("a.example,nan,0", "nan, 0 on line 1 is no place"),
        ("", "places.csv gives no place"),
        ("site,lat,lon\n", "places.csv gives no place"),
    ],
)
def test_what_is_no_place_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read_coordinates(text, "places.csv")

    assert said in str(refusal.value)
