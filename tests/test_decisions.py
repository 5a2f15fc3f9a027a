"""Decisions of a researcher: a layer over what retention kept."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from analysis.compute import network
from analysis.files import write_all
from issuecrawl.model.decisions import Decision, read_decisions
from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.parameters import Parameters
from tests.small_crawls import stored
from tests.webs import web_of_links

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network
    from tests.conftest import Crawl, LoopbackWeb

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"
X, Y, Z = "https://x.example/", "https://y.example/", "https://z.example/"

LISTED_IN = (
    "issuenetwork",
    "gexf",
    "graphml",
    "json",
    "txt",
    "pictures",
    "map",
)

WEB = web_of_links(
    [
        (A, X),
        (B, X),
        (A, Y),
        (B, Y),
        (C, Z),
        (A, Z + "far"),
        (X, Y),
        (X + "2", Y + "2"),
        (X, X + "2"),
        (Y, Z),
        (Y, C),
        (Z, X),
    ]
)
"""x and y are kept by a and b; z, which only c and a link to in pass 0, is kept too."""


def decided(text: str, **changes: Any) -> Network:
    changes = {"threshold": 2, **changes}
    crawl = stored(WEB, (A, B), **changes)
    decisions = read_decisions(text)
    return network(crawl, Parameters(**changes), own=False, decisions=decisions)


def core(found: Network) -> set[str]:
    return {n for n, data in found.graph.nodes(data=True) if data["role"] == "core"}


def edges(found: Network) -> dict[tuple[str, str], int]:
    return {(s, t): weight for s, t, weight in found.graph.edges(data="weight")}


def test_core_without_decisions() -> None:
    found = decided("")

    assert core(found) == {"x.example", "y.example"}
    assert edges(found) == {("x.example", "y.example"): 2}
    assert found.decisions == []


def test_dropped_node_leaves_the_core_and_its_pages_the_network() -> None:
    found = decided("drop,x.example,,a service")

    assert core(found) == {"y.example"}
    assert found.graph.nodes["x.example"]["role"] == "periphery"
    assert {page.site for page in found.pages} == {"y.example"}
    assert "[INFO]Decision: drop x.example (a service)" in found.description


def test_kept_node_joins_the_core_with_the_links_that_are_stored() -> None:
    found = decided("keep,z.example")

    assert core(found) == {"x.example", "y.example", "z.example"}
    assert edges(found)["y.example", "z.example"] == 1
    node = found.graph.nodes["z.example"]
    assert node["why"] == "kept by decision"
    assert node["voters"] == 1
    assert node["inlinks"] == 2
    assert node["retained_at"] == -1


def test_kept_node_stays_whatever_authority_asks() -> None:
    assert "z.example" not in core(decided("", authority=1))
    assert core(decided("keep,z.example\nkeep,x.example", authority=9)) == {
        "x.example",
        "z.example",
    }


def test_merged_nodes_are_one_with_links_between_them_gone() -> None:
    found = decided("merge,x.example,y.example,one office")

    assert core(found) == {"y.example"}
    assert edges(found) == {}
    assert found.graph.nodes["y.example"]["voters"] == 2
    assert found.graph.nodes["y.example"]["inlinks"] == 4
    assert [site.inlinks for site in found.sites] == [4]
    assert {page.site for page in found.pages} == {"y.example"}
    assert not [data for _, data in found.graph.nodes("site") if data == "x.example"]


def test_merging_a_kept_node_into_one_that_was_not_keeps_that_one() -> None:
    found = decided("merge,x.example,z.example")

    assert core(found) == {"y.example", "z.example"}
    assert edges(found) == {
        ("z.example", "y.example"): 2,
        ("y.example", "z.example"): 1,
    }
    assert found.graph.nodes["z.example"]["voters"] == 2


def test_merged_node_keeps_its_own_home_page_and_reason() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y), (C, Y), (C, Z + "far")])
    crawl = stored(web, (A, B, C))
    for text, home, why in (
        ("merge,x.example,y.example", Y, "co-linked by 3"),
        # Nobody but c links to a page of z, which was kept for x alone.
        ("merge,x.example,z.example", Z, "co-linked by 2"),
    ):
        decisions = read_decisions(text)
        found = network(crawl, Parameters(), own=False, decisions=decisions)
        data = found.graph.nodes[text.rpartition(",")[2]]
        assert (data["url"], data["why"]) == (home, why)


def test_votes_of_a_node_for_its_own_part_do_not_count() -> None:
    apart = decided("", privilege=True).graph.nodes["x.example"]["voters"]
    joined = decided("merge,a.example,x.example", privilege=True)

    assert apart == 2
    assert joined.graph.nodes["x.example"]["voters"] == 1


def test_merges_lead_on_to_the_last_node() -> None:
    found = decided("merge,x.example,y.example\nmerge,y.example,z.example")

    assert core(found) == {"z.example"}
    assert found.graph.nodes["z.example"]["inlinks"] == 5


def test_pages_are_merged_too() -> None:
    found = decided(f"merge,{X},{Y}", mode="page")

    assert core(found) == {Y}
    assert found.graph.nodes[Y]["inlinks"] == 2
    assert found.graph.nodes[Y]["voters"] == 2


def test_names_and_tags_are_of_the_node_alone() -> None:
    found = decided(
        "rename,x.example,X Alliance\ntag,x.example,NGO\ntag,www.x.example,old"
    )

    assert found.graph.nodes["x.example"]["label"] == "X Alliance"
    assert found.graph.nodes["x.example"]["tags"] == "NGO; old"
    assert "label" not in found.graph.nodes["y.example"]
    assert len(found.decisions) == 3


def test_node_may_be_named_by_an_address_on_it() -> None:
    assert core(decided(f"drop,{X}2")) == {"y.example"}


def test_decision_on_a_node_outside_the_network_is_told() -> None:
    found = decided("tag,z.example,NGO", threshold=2, depth=0)
    text = "[WARNING]Decision without effect: z.example is not in the network"

    assert (text in found.description) == ("z.example" not in found.graph)


def test_stored_crawl_is_as_it_was_after_decisions() -> None:
    crawl = stored(WEB, (A, B))
    before = crawl.site.tolist()
    plain = network(crawl, Parameters(), own=False).graph
    merge = read_decisions("merge,x.example,y.example")
    network(crawl, Parameters(), own=False, decisions=merge)

    assert crawl.site.tolist() == before
    again = network(crawl, Parameters(), own=False).graph
    assert dict(again.nodes(data=True)) == dict(plain.nodes(data=True))
    assert dict(again.edges) == dict(plain.edges)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fold,x.example", "fold on line 1 is no decision; expected keep, drop, merge"),
        ("drop,", "line 1 names no node"),
        ("merge,x.example", "merge x.example on line 1 needs a third column"),
        ("keep,x.example\ndrop,x.example", "lines 1 and 2 contradict each other"),
        ("rename,x.example,X\nrename,x.example,Y", "lines 1 and 2 contradict each"),
        (
            "keep,x.example\ndrop,www.x.example",
            "on lines 1 and 2 (keep x.example; drop www.x.example), which name one node",
        ),
        (
            "merge,https://x.example/,a.example\nmerge,x.example,y.example",
            "on lines 1 and 2 (merge https://x.example/ into a.example; merge x.example",
        ),
        ("rename,x.example,X\nrename,www.x.example,Y", "which name one node"),
        ("drop,x.exampel", "did you mean x.example"),
        ("merge,x.example,y.example\nmerge,y.example,x.example", "in a circle"),
        (
            "merge,x.example,y.example\nrename,x.example,Y",
            "rename x.example on line 2, and merge it into another node",
        ),
    ],
)
def test_what_cannot_be_decided_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        decided(text)

    assert said in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        "# ours\ndecision,node,value,note\n\nMerge into,x.example,y.example,one",
        "decision;node;value;note\nmerge;x.example;y.example;one",
        "merge\tx.example\ty.example\tone",
        "\ufeffmerge, x.example , y.example ,one",
    ],
)
def test_tables_are_read_as_people_save_them(text: str) -> None:
    (found,) = read_decisions(text)

    assert found.action == "merge"
    assert (found.node, found.value, found.note) == ("x.example", "y.example", "one")


def test_decision_that_is_said_twice_is_taken_once() -> None:
    found = decided(
        "merge,x.example,y.example\nmerge,www.x.example,https://y.example/\n"
        "tag,y.example,one\ntag,y.example,two"
    )

    assert "x.example" not in found.graph
    assert found.graph.nodes["y.example"]["tags"] == "one; two"


def test_reason_in_the_third_column_is_a_note() -> None:
    (found,) = read_decisions("drop,x.example,a service")

    assert (found.value, found.note) == ("", "a service")


NODES = st.sampled_from(["x.example", "y.example", "z.example", "a.example"])


@settings(deadline=None, max_examples=25)
@given(st.sets(NODES), st.sampled_from(["site", "page"]))
def test_core_is_what_was_kept_less_what_is_dropped(names: set[str], mode: Any) -> None:
    before = decided("", mode=mode)
    text = "\n".join(f"drop,https://{name}/" for name in sorted(names))
    after = decided(text, mode=mode)

    sites = {f"https://{name}/" for name in names}
    assert core(after) == {n for n in core(before) if n not in names | sites}


def words_of(picture: Path) -> str:
    texts = etree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}text")
    return " ".join("".join(text.itertext()) for text in texts)


def test_decisions_are_listed_in_every_output(tmp_path: Path) -> None:
    found = decided("rename,x.example,<X>,seen & said\ndrop,y.example")
    paths = write_all(found, tmp_path, LISTED_IN)

    told = "rename x.example to <X> (seen & said)"
    for path in paths:
        if path.suffix in {".xml", ".gexf", ".graphml"}:
            text = html.unescape(path.read_text())
            assert f"{told}" in text, path
            assert "drop y.example" in text, path
        if path.suffix == ".svg":
            assert "rename x.example to <X>; drop y.example" in words_of(path)
        if path.name == "map.html":
            (packed,) = re.findall('id="content">(.*?)<', path.read_text())
            content = json.loads(zlib.decompress(base64.b64decode(packed)))
            assert content["decisions"] == [told, "drop y.example"]
    network_of_json = json.loads((tmp_path / "network.json").read_text())["network"]
    assert network_of_json["decisions"] == [told, "drop y.example"]
    table = (tmp_path / "decisions.csv").read_text()
    again = read_decisions(table)
    assert [str(one) for one in again] == [str(one) for one in found.decisions]
    write_all(decided(""), tmp_path, ["txt"])
    assert not (tmp_path / "decisions.csv").exists()


def test_table_of_decisions_may_be_given_again(tmp_path: Path) -> None:
    found = decided(
        "rename,x.example,@x,-- ours\ntag,y.example,=1+1\ntag,y.example,'a'"
    )
    write_all(found, tmp_path, ["txt"])

    table = (tmp_path / "decisions.csv").read_text(encoding="utf-8")
    assert "rename,x.example,'@x,'-- ours" in table
    again = read_decisions(table)
    assert [str(one) for one in again] == [str(one) for one in found.decisions]


def test_edits_of_the_command_change_its_network_and_not_the_store(
    web: LoopbackWeb, crawl: Crawl, tmp_path: Path
) -> None:
    for source in "ab":
        page = f"http://{source}.test/"
        web.page(page, "http://x.test/", "http://y.test/")
    for target in "xy":
        web.page(f"http://{target}.test/")
    seeds = "http://a.test/,http://b.test/"
    assert crawl(seeds=seeds).returncode == 0
    (tmp_path / "edits.csv").write_text("drop,x.test,,no actor\n")
    before = (tmp_path / "networks/1/nodes.csv").read_bytes()

    edited = crawl.scrapy("analyze", 1, "--edits", "edits.csv", "--format", "csv")
    plain = crawl.scrapy("analyze", 1, "--format", "csv")

    assert edited.returncode == 0, edited.stderr
    assert "1 core node," in edited.stdout
    assert "  decisions  1 applied; see decisions.csv\n" in edited.stdout
    assert "left as they were" not in edited.stdout
    assert "left as they were: network.gexf, network.graphml," in plain.stdout
    (folder,) = (tmp_path / "networks").glob("1_edits-*")
    assert (folder / "decisions.csv").read_text() == (
        "decision,node,value,note\ndrop,x.test,,no actor\n"
    )
    assert plain.returncode == 0
    assert (tmp_path / "networks/1/nodes.csv").read_bytes() == before


def test_edits_that_cannot_be_used_end_the_command_with_a_sentence(
    web: LoopbackWeb, crawl: Crawl, tmp_path: Path
) -> None:
    web.page("http://a.test/", "http://x.test/")
    web.page("http://b.test/", "http://x.test/")
    assert crawl(seeds="http://a.test/,http://b.test/").returncode == 0
    (tmp_path / "edits.csv").write_text("drop,x.tset\n")

    done = crawl.scrapy("analyze", 1, "--edits", "edits.csv")

    assert done.returncode == 2
    assert done.stderr == (
        "The edits name x.tset on line 1, which the crawl does not know;"
        " did you mean x.test?\n"
    )
    missing = crawl.scrapy("analyze", 1, "--edits", "nowhere.csv")
    assert missing.returncode == 2
    assert missing.stderr.startswith("The file nowhere.csv cannot be read")


def test_decision_reads_as_a_sentence() -> None:
    assert str(Decision("rename", "x.example", "X")) == "rename x.example to X"
    assert str(Decision("tag", "x.example", "NGO")) == "tag x.example as NGO"
