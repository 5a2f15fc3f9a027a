from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.seeds import read_seeds
from issuecrawl.model.textfile import decode

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("value", "seeds"),
    [
        ("https://a.example/", ["https://a.example/"]),
        (
            "https://a.example,https://b.example/x",
            ["https://a.example/", "https://b.example/x"],
        ),
        (
            " https://a.example/ , http://b.example/\nwww.c.example,\n",
            ["https://a.example/", "http://b.example/", "http://www.c.example/"],
        ),
        (
            "https://a.example/x,y,1?q=a,b,HTTP://b.example/,www.c.example/a,b",
            [
                "https://a.example/x,y,1?q=a,b",
                "http://b.example/",
                "http://www.c.example/a,b",
            ],
        ),
        (
            "http://www.a.example/#top https://a.example/",
            ["http://www.a.example/"],
        ),
        ("http://b\u00fccher.example", ["http://xn--bcher-kva.example/"]),
        ("http://[::1]:8080/", ["http://[::1]:8080/"]),
    ],
)
def test_seeds_in_the_argument_are_separated(value: str, seeds: list[str]) -> None:
    assert read_seeds(value) == seeds


def test_seeds_are_told_apart_by_strict_identity_where_asked() -> None:
    value = "http://a.example/ https://a.example/ http://A.example:80/"
    assert read_seeds(value) == ["http://a.example/"]
    assert read_seeds(value, strict=True) == [
        "http://a.example/",
        "https://a.example/",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# ours\nhttps://a.example/\n\n  www.b.example  # friends\nhttps://a.example#x\n",
        "url\nhttps://a.example/\nwww.b.example\n",
        "name,URL\nA,https://a.example/\n\n# later\nB,www.b.example\nC,\nD\n",
        'name;"Url"\n"A; the first";https://a.example/\nB;www.b.example\n',
        "name\turl\nA\thttps://a.example/\nB\twww.b.example\n",
        'url,about\nhttps://a.example/,"two\nlines"\nwww.b.example,x\n',
        "\ufeffurl\r\nhttps://a.example/\r\nwww.b.example\r\n",
    ],
)
def test_seeds_file_is_a_list_or_a_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "seeds.txt"
    expected = ["https://a.example/", "http://www.b.example/"]
    for encoding in ("utf-8", "utf-16"):
        path.write_bytes(text.encode(encoding))
        assert read_seeds(f"@{path}") == expected


@pytest.mark.parametrize(
    "seed",
    [
        "a.example",
        "ftp://a.example/",
        "mailto:a@a.example",
        "http://",
        "https://a..",
        "x",
    ],
)
def test_bad_seed_is_named_with_what_would_do(seed: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read_seeds(f"https://b.example/ {seed}")
    assert str(refusal.value) == (
        f"seeds={seed} cannot be used; expected an http(s) address such as"
        " https://x.example/"
    )


def test_bad_seed_in_a_file_is_named_with_its_line() -> None:
    text = "# ours\nhttps://a.example/\nsecret\n"
    with pytest.raises(ConfigurationError, match=r"seeds=@f.txt: secret on line 3"):
        read_seeds("@f.txt", lambda _: text)
    with pytest.raises(ConfigurationError, match="line 3") as refusal:
        read_seeds("@f.txt", lambda _: text, quote=False)
    assert "secret" not in str(refusal.value)


def test_bad_seed_in_a_table_is_named_with_its_line() -> None:
    text = "name,url\nA,https://a.example/\nB,b.example\n"
    with pytest.raises(ConfigurationError, match=r"b\.example on line 3"):
        read_seeds("@t.csv", lambda _: text)


def test_seeds_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"none\.txt cannot be read"
    ) as refusal:
        read_seeds(f"@{tmp_path}/none.txt")
    assert "No such file" in str(refusal.value)


@pytest.mark.parametrize("text", ["", "# nothing\n\n", "name,url\nA,\n"])
def test_no_seeds_are_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="names no starting point"):
        read_seeds("@f.txt", lambda _: text)


def test_empty_argument_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="names no starting point"):
        read_seeds(" , ")


@given(st.binary())
def test_every_file_has_a_text(data: bytes) -> None:
    decode(data)


@given(st.text(), st.sampled_from(["", "url,name\n"]))
def test_any_text_gives_seeds_or_one_sentence(text: str, header: str) -> None:
    for value in (text, "@f.txt"):
        with suppress(ConfigurationError):
            assert read_seeds(value, lambda _: header + text)
