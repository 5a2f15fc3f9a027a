"""Arguments that no crawl can begin with: one sentence each, and nothing stored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

import issuecrawl.settings
from analysis.files import ALL
from issuecrawl.model.errors import ConfigurationError, StoreError
from issuecrawl.plan import Plan, make_plan

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Crawl

TWO = "https://a.example/,https://b.example/"


def settings(folder: Path, **changes: Any) -> Settings:
    found = Settings()
    found.setmodule(issuecrawl.settings)
    found.set("ISSUECRAWL_DB", f"sqlite:///{folder / 'issuecrawl.db'}")
    found.setdict(changes)
    return found


def plan(folder: Path, /, changes: Any = None, **given: str) -> Plan:
    return make_plan({"seeds": TWO, **given}, settings(folder, **(changes or {})))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"seeds": ""}, "A crawl needs starting points: -a seeds="),
        ({"seeds": "ftp://x.example/"}, r"seeds=ftp://x\.example/ cannot be used"),
        ({"seeds": "@nowhere.txt"}, r"The file nowhere\.txt cannot be read"),
        (
            {"seeds": "https://a.example/"},
            "threshold=2 cannot be reached by 1 starting",
        ),
        ({"seeds": "https://a.x.example/,https://b.x.example/"}, "on 1 registrable"),
        ({"threshold": "3"}, "threshold=3 cannot be reached by 2 starting points"),
        ({"threshold": "0"}, "threshold=0 cannot be used; expected a whole number"),
        ({"depth": "-1"}, "depth=-1 cannot be used; expected a whole number from 0"),
        ({"depth": "deep"}, "depth=deep cannot be used"),
        ({"depth": "99"}, "depth=99 cannot be used"),
        ({"mode": "pages"}, "mode=pages cannot be used; expected site or page"),
        ({"privilege": "maybe"}, "privilege=maybe cannot be used; expected 1 or 0"),
        ({"iterations": "0"}, "iterations=0 leaves .* analysis=interactor"),
        ({"depht": "1"}, r"-a depht= is no argument .* did you mean depth=\?"),
        ({"q": "1"}, "-a q= is no argument .* it has seeds, crawl, title"),
        ({"crawl": "7"}, "crawl= resumes and seeds= starts anew"),
        ({"exclude": "a.example"}, r"https://a\.example/ is on your .* \(a\.example\)"),
        ({"exclude": "http://"}, "exclude=http:// cannot be used"),
        ({"exclude": "@nowhere.txt"}, r"The file nowhere\.txt cannot be read"),
        ({"seeds": f"{TWO},http://localhost/"}, "http://localhost/ is not public"),
        ({"out": "/dev/null/x"}, "out=/dev/null/x cannot be used; expected a folder"),
    ],
)
def test_bad_argument_is_named_with_what_would_do(
    given: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as refused:
        plan(tmp_path, **given)

    assert "\n" not in str(refused.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ISSUECRAWL_PAGES", "many"),
        ("ISSUECRAWL_PAGES_PER_SITE", "-1"),
        ("ISSUECRAWL_HOST_REST", "inf"),
        ("DOWNLOAD_DELAY", "slow"),
        ("CONCURRENT_REQUESTS_PER_DOMAIN", "0"),
        ("ISSUECRAWL_SITE", "server"),
        ("ISSUECRAWL_IDENTITY", "lax"),
        ("ISSUECRAWL_DB", "issuecrawl.db"),
        ("ISSUECRAWL_SITE", "x\x1b[31m"),
    ],
)
def test_bad_setting_is_named_with_its_value(
    name: str, value: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        plan(tmp_path, {name: value})

    shown = value.replace("\x1b", "?")
    assert str(refused.value).startswith(f"{name}={shown} cannot be used; expected ")


def test_store_that_cannot_be_is_refused_before_a_crawl_starts(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no store " * 100)

    with pytest.raises(StoreError, match="file is not a database"):
        plan(tmp_path, {"ISSUECRAWL_DB": f"sqlite:///{tmp_path / 'notes.txt'}"})
    with pytest.raises(ConfigurationError, match=r"no folder .*none for"):
        plan(tmp_path, {"ISSUECRAWL_DB": f"sqlite:///{tmp_path / 'none' / 'x.db'}"})


def test_title_is_one_line(tmp_path: Path) -> None:
    assert (
        plan(tmp_path, title=" Dikes\nand  dams ").settings["title"] == "Dikes and dams"
    )


def test_fewer_voters_do_where_pages_vote(tmp_path: Path) -> None:
    assert plan(tmp_path, seeds="https://a.example/", votes="pages").seeds


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.txt", "# ours\nhttps://a.example/  # one\n\nwww.b.example\n"),
        ("table.csv", "name,url\nA,https://a.example/\nB,http://www.b.example/\n"),
    ],
)
def test_seeds_come_from_lists_and_tables(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    found = plan(tmp_path, seeds=f"@{tmp_path / name}")

    assert found.seeds == ["https://a.example/", "http://www.b.example/"]


def test_strict_identity_keeps_both_schemes_among_the_seeds(tmp_path: Path) -> None:
    both = "http://a.example/,https://a.example/,https://b.example/"

    assert len(plan(tmp_path, seeds=both).seeds) == 2
    assert len(plan(tmp_path, {"ISSUECRAWL_IDENTITY": "strict"}, seeds=both).seeds) == 3


def test_own_exclusions_add_to_the_default_list_or_replace_it(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("mine.example\n", encoding="utf-8")
    default = set(plan(tmp_path).parameters.exclude)

    def with_list(value: str) -> set[str]:
        return set(plan(tmp_path, exclude=value).parameters.exclude)

    assert with_list(f"@{tmp_path / 'list.txt'}") == default | {"mine.example"}
    assert with_list("-") == set()
    assert with_list("-,mine.example") == {"mine.example"}


def test_seed_on_the_default_list_is_crawled_with_a_warning(tmp_path: Path) -> None:
    seeds = f"{TWO},https://www.facebook.com/group"

    (warning,) = plan(tmp_path, seeds=seeds).warnings

    assert "https://www.facebook.com/group is on the default exclusion list" in warning
    assert not plan(tmp_path, seeds=seeds, exclude="-").warnings


@pytest.mark.parametrize(
    ("given", "warnings"),
    [
        ({"analysis": "snowball", "threshold": "3"}, ["threshold=3 changes nothing"]),
        ({"analysis": "interactor", "iterations": "2"}, ["iterations=2 changes"]),
        ({"analysis": "snowball"}, []),
        ({"analysis": "snowball", "privilege": "1"}, []),
    ],
)
def test_option_that_the_analysis_ignores_gets_a_warning(
    given: dict[str, str], warnings: list[str], tmp_path: Path
) -> None:
    found = plan(tmp_path, **given).warnings

    assert len(found) == len(warnings)
    assert all(re.match(*pair) for pair in zip(warnings, found, strict=True))


def test_file_of_any_usual_encoding_is_read(tmp_path: Path) -> None:
    path = tmp_path / "seeds.csv"
    path.write_bytes("url;caf\xe9\nhttps://a.example/;\xe9\n".encode("cp1252"))

    assert plan(tmp_path, seeds=f"@{path}", votes="pages").seeds


JOB = {"_job": "1"}


def test_files_of_a_network_are_chosen_by_the_setting(tmp_path: Path) -> None:
    def formats(value: str) -> tuple[str, ...]:
        return plan(tmp_path, {"ISSUECRAWL_FORMATS": value}).formats

    assert plan(tmp_path).formats == ALL
    assert formats("csv, gexf") == ("csv", "gexf")
    with pytest.raises(ConfigurationError, match=r"FORMATS=gexff cannot .* all, or"):
        formats("csv,gexff")


def test_setting_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        plan(tmp_path, {"ISSUECRAWL_PAGES_PER_SITES": 5})

    assert str(refusal.value) == (
        "ISSUECRAWL_PAGES_PER_SITES is no setting of issuecrawl;"
        " did you mean ISSUECRAWL_PAGES_PER_SITE?"
    )


def job(folder: Path, /, changes: Any = None, **given: str) -> Plan:
    """Plan as under Scrapyd, whose folder is not the home."""
    named = {"ISSUECRAWL_DB": "sqlite:///issuecrawl.db", "ISSUECRAWL_HOME": str(folder)}
    return make_plan(
        {"seeds": TWO, **JOB, **given}, settings(folder, **(named | (changes or {})))
    )


def test_job_keeps_store_and_networks_in_the_home(tmp_path: Path) -> None:
    found = job(tmp_path, out="mine")

    assert found.database == tmp_path / "issuecrawl.db"
    assert found.out == tmp_path / "mine"
    assert found.networks == tmp_path / "networks"
    assert job(tmp_path, {"ISSUECRAWL_DB": "sqlite:///b/c.db"}).database == (
        tmp_path / "b" / "c.db"
    )


@pytest.mark.parametrize("home", ["", "relative"])
def test_job_needs_an_absolute_home(home: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"ISSUECRAWL_HOME=.* absolute path"):
        job(tmp_path, {"ISSUECRAWL_HOME": home})


@pytest.mark.parametrize(
    ("changes", "given"),
    [
        ({}, {"seeds": "@/etc/hostname"}),
        ({}, {"seeds": "@../seeds.txt"}),
        ({}, {"seeds": "@link.txt"}),
        ({}, {"exclude": "@/etc/hostname"}),
        ({}, {"out": "/tmp"}),  # noqa: S108  # refused, not used
        ({"ISSUECRAWL_DB": "sqlite:////tmp/x.db"}, {}),
        ({"ISSUECRAWL_SITES": "/etc/hostname"}, {}),
    ],
)
def test_job_names_no_file_outside_its_folder(
    changes: dict[str, str], given: dict[str, str], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "link.txt").symlink_to("/etc/hostname")

    with pytest.raises(ConfigurationError, match="lies outside the folder"):
        job(home, changes, **given)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("https://a.example/\nroot:secret\n", {}),
        ("https://secret.example/\nhttps://x.secret.example/\n", {}),
        ("https://a.example/\nhttp://secret/\n", {}),
        (
            "https://a.example/\nhttps://secret.example/\n",
            {"exclude": "secret.example"},
        ),
    ],
)
def test_error_of_a_job_keeps_what_a_file_holds(
    text: str, changes: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "seeds.txt").write_text(text, encoding="utf-8")
    value = changes.get("exclude", "")

    with pytest.raises(ConfigurationError) as refused:
        job(tmp_path, seeds="@seeds.txt", **changes)

    assert "secret" not in str(refused.value).replace(f"({value})", "")


def test_error_of_a_job_keeps_what_an_exclusion_list_holds(tmp_path: Path) -> None:
    for text in ("b.example\nsecret line\n", "b.example\n"):
        (tmp_path / "list.txt").write_text(text, encoding="utf-8")
        with pytest.raises(ConfigurationError) as refused:
            job(tmp_path, exclude="@list.txt")
        assert "secret" not in str(refused.value)
        assert "(b.example)" not in str(refused.value)


def test_command_refuses_with_one_line_and_no_log(crawl: Crawl) -> None:
    done = crawl(seeds=TWO, depth=-1)

    assert done.returncode == 2
    assert done.stderr == (
        "depth=-1 cannot be used; expected a whole number from 0 to 20\n"
    )
    assert not done.stdout
    assert not done.store.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["issuenet"], "issuenet is no spider; did you mean issuenetwork?\n"),
        (["issuenetwork", "depth=1"], "depth=1 is no spider; -a goes before"),
        ([], "Name the spider once: scrapy crawl issuenetwork -a seeds="),
    ],
)
def test_spider_is_named_once_and_rightly(
    crawl: Crawl, arguments: list[str], sentence: str
) -> None:
    done = crawl.scrapy("crawl", *arguments)

    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
