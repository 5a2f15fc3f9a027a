"""The report: every part there, with the figures of the network; safe and whole."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from analysis.actors import ranked
from analysis.complete import complete
from analysis.compute import network
from analysis.coverage import REASONS
from analysis.issuenetwork_reader import read
from analysis.network import EvidenceLink, SiteCoverage
from analysis.report import actors, html, tables, write
from analysis.report.methods import paragraph
from analysis.report.outcome import UNSEEN
from analysis.sight import WORDS
from analysis.stability.compute import mark, stability
from analysis.wording import figure
from issuecrawl.model.decisions import Decision
from issuecrawl.model.options import RETENTION
from issuecrawl.model.parameters import Parameters
from tests.networks import HOSTILE, networks, small_network
from tests.oracle import Link, PageFacts
from tests.report_page import ReportPage
from tests.small_crawls import network_of, stored
from tests.test_issuenetwork import WALKTHROUGH
from tests.webs import web_of, web_of_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.network import Network

A, B, C, X, Y, Z = (f"https://{name}.example/" for name in "abcxyz")

WEB = web_of(
    {
        A: PageFacts((Link(X), Link(Y, placement="navigation"), Link(A + "1"))),
        A + "1": PageFacts((Link(X + "1"), Link("https://ads.example/"))),
        B: PageFacts((Link(X), Link(Y), Link(B + "gone"))),
        B + "gone": PageFacts(answers=False),
        C: PageFacts(redirect=A),
        X: PageFacts((Link(Y), Link(Y + "1"))),
        Y: PageFacts((Link(X),)),
    }
)
STARTS = (A, B, C)
NOTHING = "\N{EN DASH}"
CHOSEN: dict[str, Any] = {"exclude": ("ads.example",)}


@pytest.fixture
def found() -> Network:
    """Return a network that has everything a report can tell of."""
    crawl = stored(WEB, STARTS, **CHOSEN)
    chosen = Parameters(**CHOSEN)
    result = network(crawl, chosen, own=False)
    result.title, result.author = "Barrages", "An Author"
    result.statistics.started = "2026-01-02 03:04:05"
    result.statistics.ended = "2026-01-03 03:04:05"
    result.decisions = [Decision("rename", "x.example", "The X", "shorter")]
    result.graph.nodes["x.example"]["label"] = "The X"
    mark(result, stability(crawl, chosen, own=False))
    complete(result)
    return result


@pytest.fixture
def page(found: Network) -> ReportPage:
    return ReportPage.of(found)


@pytest.mark.parametrize("host", ["xn--bcher-kva.test", "blog.xn--bcher-kva.test"])
def test_hosts_are_named_as_people_read_them(host: str) -> None:
    found = small_network()
    found.graph.add_node(host, role="core")

    assert actors.actor(found, host).label == host.replace(
        "xn--bcher-kva", "b\u00fccher"
    )


def label(found: Network, node: str) -> str:
    return str(found.graph.nodes[node].get("label", node))


def test_report_has_every_part_in_order_and_in_its_contents(page: ReportPage) -> None:
    parts = "glance map actors why matrix measures starts coverage stability"
    expected = [*parts.split(), "decisions", "methods", "settings", "words"]
    assert page.sections() == expected
    links = page.tree.css("nav a")
    assert [link.attributes["href"] for link in links] == [
        f"#{id_}" for id_ in expected
    ]
    titles = page.items("main > section > h2")
    assert page.items("nav a") == titles


def test_heading_says_whose_network_it_is_and_when(page: ReportPage) -> None:
    assert page.text("h1") == "Barrages"
    assert page.text("title") == "Barrages"
    assert page.items(".by span")[:3] == [
        "An Author",
        "2026-01-02 to 2026-01-03",
        "crawl 3",
    ]


def test_figures_are_those_of_the_network(found: Network, page: ReportPage) -> None:
    shown = dict(zip(page.items(".figures dt"), page.items(".value"), strict=True))
    coverage = found.coverage or []
    assert shown == {
        "core sites": "2",
        "edges": str(found.graph.number_of_edges()),
        "periphery pages": str(len(found.periphery)),
        "starting points": "3",
        "pages retrieved": str(found.statistics.downloaded),
        "not seen": str(sum(sum(row.unseen.values()) for row in coverage)),
    }
    assert shown["not seen"] != "0"


def test_actors_are_ranked_by_each_measure(found: Network, page: ReportPage) -> None:
    rows = page.rows("actors-caption")
    for at, by in enumerate(("inlinks", "inlinks_core", "linking_sites")):
        expected = [
            (label(found, row.node), f"{row.value:,}")
            for row in ranked(found.graph, by)
        ]
        got = [(row[3 * at + 1], row[3 * at + 2]) for row in rows]
        assert got == expected
        assert [row[3 * at].rstrip("=") for row in rows] == [
            str(row.rank) for row in ranked(found.graph, by)
        ]


def test_shared_ranks_are_marked() -> None:
    web = web_of_links([(A, X), (B, X), (A, Y), (B, Y)])
    tied = network_of(web, (A, B))
    complete(tied)

    assert [row[0] for row in ReportPage.of(tied).rows("actors-caption")] == [
        "1=",
        "1=",
    ]


def test_each_actor_says_why_it_is_in(found: Network, page: ReportPage) -> None:
    reasons = page.items(".reasons > li")
    assert len(reasons) == 2
    inlinks = found.graph.nodes["x.example"]["inlinks"]
    assert reasons[0].startswith(
        "The X — co-linked: 2 other registrable domains link to it"
        f" in since pass 1 · {inlinks} inlinks"
    )
    assert f"{A} → {X} link in the body" in reasons[0]


@dataclass
class Told:
    """Evidence that is told, not stored."""

    known: list[EvidenceLink]

    def links(self, node: str | None = None) -> Iterator[EvidenceLink]:
        return (link for link in self.known if node in {None, link.node})


def link_to_x(source: str, placement: str, anchor: str) -> EvidenceLink:
    return EvidenceLink(
        node="x.example",
        linking_node="a.example",
        voter="a.example",
        source=source,
        target=X,
        anchor=anchor,
        placement=placement,
        kind="a",
        rel="nofollow",
        fetched="2026-01-02 03:04:05",
    )


BEST = link_to_x(A + "z", "body", "read this")
LINKS = [
    link_to_x(A, "footer", "host"),
    link_to_x(A + "b", "body", " "),
    BEST,
    link_to_x(B, "body", "later"),
]


def test_best_evidence_stands_in_a_body_and_has_a_text(found: Network) -> None:
    assert actors.best(LINKS) == BEST
    assert actors.best(reversed(LINKS)) == BEST
    assert actors.best([]) is None
    found.evidence = Told(LINKS)
    first, second = ReportPage.of(found).items(".reasons > li")
    assert (
        f"read this on {A}z → {X} link in the body, nofollow, retrieved"
        " 2026-01-02 03:04:05 UTC" in first
    )
    assert "No crawled page of another site links to it." in second


def test_matrix_leads_from_row_to_column(found: Network, page: ReportPage) -> None:
    nodes = [row.node for row in ranked(found.graph)]
    rows = page.rows("matrix-caption")
    assert [row[0] for row in rows] == [
        f"{label(found, node)}{' ○' * bool(found.graph.nodes[node].get('unseen'))}"
        for node in nodes
    ]
    for source, row in zip(nodes, rows, strict=True):
        for target, cell in zip(nodes, row[1:], strict=True):
            weight = found.graph.edges.get((source, target), {}).get("weight")
            assert cell == (str(weight) if weight else "")


def test_matrix_adds_up_to_the_inlinks(found: Network, page: ReportPage) -> None:
    *_, sums = page.rows("matrix-caption", "tfoot")
    inlinks = [figure(row.value) for row in ranked(found.graph)]
    assert sums == ["all", *inlinks]


def test_measures_of_the_whole_are_defined(found: Network, page: ReportPage) -> None:
    assert found.measures is not None
    rows = {
        name: value for name, value, meaning in page.rows("measures-caption") if meaning
    }
    assert rows == {
        name.capitalize(): figure(getattr(found.measures, name))
        for name in (
            *("nodes", "edges", "density", "reciprocity", "components"),
            *("communities", "modularity"),
        )
    }


def test_starting_points_say_what_became_of_them(
    found: Network, page: ReportPage
) -> None:
    rows = page.rows("starts-caption")
    assert found.starts is not None
    assert [row[0] for row in rows] == list(STARTS)
    assert [row[2:] for row in rows] == [
        [start.node, start.role or NOTHING] for start in found.starts
    ]
    assert rows[2][1] == f"retrieved, leads to {A}"


def test_coverage_names_what_was_not_seen(found: Network, page: ReportPage) -> None:
    text = page.text("#coverage .warning")
    assert text.startswith("A missing edge is not a missing relation.")
    unseen = {row.site: row for row in found.coverage or [] if row.unseen}
    rows = [row for row in page.rows("coverage-caption") if row[6] != "0"]
    assert {row[0]: row[2:7] for row in rows} == {
        site: [
            *(str(n) for n in (row.due, row.retrieved, row.redirected, row.gone)),
            str(sum(row.unseen.values())),
        ]
        for site, row in unseen.items()
    }
    assert sum(int(row[1]) for row in page.rows("unseen-caption")) == sum(
        sum(row.unseen.values()) for row in unseen.values()
    )


def test_every_reason_of_coverage_has_its_words() -> None:
    assert set(WORDS) == set(UNSEEN) == set(REASONS)


def test_stability_tells_variants_nodes_and_what_they_hang_on(
    found: Network, page: ReportPage
) -> None:
    known = found.stability
    assert known is not None
    assert [row[:3] for row in page.rows("variants-caption")] == [
        [one.label, str(one.core), str(one.kept)] for one in known.variants
    ]
    hangs = page.rows("hangs-caption")
    assert [(row[0], row[1]) for row in hangs] == [
        (one.url, str(one.lost)) for one in known.starts
    ]
    assert "as it was counted, without the decisions" in page.text("#stability")
    assert "Before these decisions, " in paragraph(found)
    shaky = [one for one in known.nodes if one.in_core and one.share < 1]
    assert [row[0] for row in page.rows("unstable-caption")] == [
        label(found, one.node) for one in shaky
    ]
    assert shaky


def test_decisions_are_listed(page: ReportPage) -> None:
    assert page.items("#decisions li") == ["rename x.example to The X (shorter)"]


def test_methods_paragraph_and_citation_are_there(
    found: Network, page: ReportPage
) -> None:
    quoted = page.items("#methods blockquote")
    assert quoted[0] == paragraph(found)
    assert quoted[1].startswith("An Author (2026): Barrages.")
    assert "Crawl 3, 2026-01-02 to 2026-01-03." in quoted[1]
    assert "Jacomy" in page.text("#methods")


def test_every_option_has_its_value(found: Network, page: ReportPage) -> None:
    rows = {row[0]: row[1] for row in page.rows("settings-caption")}
    assert [option.name for option in RETENTION] == list(rows)[: len(RETENTION)]
    assert rows["threshold"] == "2"
    assert rows["exclude"] == "1 entry"
    assert page.items("#settings details li")[0] == "ads.example"
    found.parameters = Parameters(depth=0, exclude=("ads.example",))
    changed = {row[0]: row[1] for row in ReportPage.of(found).rows("settings-caption")}
    assert changed["depth"] == "0 (1)"


def test_empty_network_says_so() -> None:
    empty = network_of(web_of_links([(A, X), (B, Y)]), (A, B))
    complete(empty)
    page = ReportPage.of(empty)

    assert "The network is empty: no co-links were found." in page.text("#glance")
    assert not {"map", "actors", "why", "matrix"} & set(page.sections())


def test_incomplete_network_says_so_first(found: Network) -> None:
    found.missing = [f"https://m.example/{n}" for n in range(300)]
    found.description.append("[WARNING]Categories of the core: ORG")
    page = ReportPage.of(found)

    warnings = page.items("#glance .warning")
    assert "Incomplete: 300 pages that these settings need" in warnings[0]
    assert warnings[1] == "Mind: Categories of the core: ORG"
    assert "… the first 200; missing.txt has all." in page.text("#settings")


def test_network_read_from_a_file_is_told_as_far_as_known() -> None:
    old = read(WALKTHROUGH)
    complete(old)
    page = ReportPage.of(old)

    assert not {"coverage", "stability", "decisions"} & set(page.sections())
    assert "The links themselves are not known" in page.text("#why")
    assert page.items("#starts li") == old.starting_points
    rows = {row[0]: row[1] for row in page.rows("settings-caption")}
    assert rows["depth"] == "2"
    assert rows["threshold"] == "not told by the file"


def test_nothing_is_cut_without_saying_so() -> None:
    many = [f"https://n{number:02}.example/" for number in range(60)]
    links = [(start, target) for start in (A, B) for target in many]
    web = web_of_links([*links, (many[30], many[0])])
    large = network_of(web, (A, B))
    complete(large)
    page = ReportPage.of(large)

    assert len(page.rows("actors-caption")) == actors.SHOWN
    assert "the first 50 of 60; actors.csv lists all" in page.text("#actors")
    assert "the first 50 of 60 by inlinks" in page.text("#why")
    head, *_ = page.rows("matrix-caption", "thead")
    assert len(head) == 1 + tables.MATRIX
    assert page.rows("matrix-caption") == [
        ["n30.example", *("1" * (name == "n00.example") for name in head[1:])]
    ]
    said = page.text("#matrix")
    assert "Of 60 core nodes, columns are the 25 with most inlinks" in said
    assert "matrix.csv has all" in said
    sums = {row[0]: row[1:3] for row in page.rows("matrix-caption", "tfoot")}
    assert sums == {"the periphery": ["2", "2"], "all": ["3", "2"]}


def test_links_of_core_nodes_without_a_row_are_added_up() -> None:
    links = [(start, target) for start in (A, B) for target in (X, Y, Z)]
    found = network_of(web_of_links([*links, (X, Z), (Y, Z), (Y, X)]), (A, B))

    small = tables.matrix(found, 1)

    assert [actor.node for actor in small.columns] == ["z.example"]
    assert [row.actor.node for row in small.rows] == ["y.example"]
    assert dict(small.sums) == {
        "other core nodes": [1],
        "the periphery": [2],
        "all": [4],
    }


def test_long_coverage_is_cut_to_the_sites_that_lack_most(found: Network) -> None:
    found.coverage = [
        SiteCoverage(f"s{n:02}.example", "", 99, 0, unseen={"robots": n + 1})
        for n in range(60)
    ]
    page = ReportPage.of(found)

    rows = page.rows("coverage-caption")
    assert [row[0] for row in rows[:2]] == ["s59.example", "s58.example"]
    assert len(rows) == tables.SITES
    assert "the 50 of 60 sites of which most was not seen" in page.text("#coverage")


def test_same_network_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        result = network_of(WEB, STARTS, **CHOSEN)
        complete(result)
        write(result, tmp_path / name)

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


ELEMENTS = {
    *[
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "nav",
        "main",
        "section",
        "footer",
        "p",
        "h1",
        "h2",
        "h3",
    ],
    *[
        "a",
        "abbr",
        "bdi",
        "blockquote",
        "br",
        "code",
        "div",
        "dl",
        "dt",
        "dd",
        "li",
        "ol",
        "ul",
        "q",
        "small",
        "span",
        "strong",
    ],
    *[
        "table",
        "caption",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "figure",
        "figcaption",
    ],
    *[
        "svg",
        "g",
        "path",
        "circle",
        "rect",
        "text",
        "tspan",
        "desc",
        "line",
        "polygon",
        "-text",
        "-comment",
        "-doctype",
    ],
}


def intruders(tree: Any) -> list[str]:
    """Return what of a page no template of ours and no picture puts there."""
    found = []
    for node in tree.css("*"):
        if node.tag not in ELEMENTS:
            found.append(node.tag)
        for name, value in node.attributes.items():
            if name.startswith("on") or (
                name in {"href", "src", "action"}
                and not (value or "").startswith(("http://", "https://", "#"))
            ):
                found.append(f"{node.tag} {name}={value}")
    return found


def skeleton(tree: Any) -> list[str]:
    """Return elements with the names of their attributes, links aside."""
    return [
        f"{node.tag} {sorted(node.attributes)}"
        for node in tree.css("*")
        if node.tag not in {"a", "style"}
    ]


@settings(max_examples=60, deadline=None)
@given(networks())
def test_hostile_text_brings_in_no_element(drawn: Network) -> None:
    tree = ReportPage.of(drawn).tree
    assert intruders(tree) == []


@settings(max_examples=60, deadline=None)
@given(HOSTILE, HOSTILE, HOSTILE)
def test_hostile_names_leave_the_page_as_it_is(
    title: str, name: str, anchor: str
) -> None:
    def report(*texts: str) -> ReportPage:
        result = network_of(web_of_links([(A, X), (B, X)]), (A, B))
        result.title, result.author = f"t{texts[0]}", f"a{texts[0]}"
        result.graph.nodes["x.example"]["label"] = f"n{texts[1]}"
        result.description.append(f"[WARNING]{texts[1]}")
        result.decisions = [Decision("tag", "x.example", texts[1])]
        result.evidence = Told([BEST._replace(anchor=f"t{texts[2]}")])
        complete(result)
        return ReportPage.of(result)

    hostile = report(title, name, anchor).tree
    assert intruders(hostile) == []
    harmless = report("", "", "").tree
    assert without_map(skeleton(hostile)) == without_map(skeleton(harmless))


def without_map(lines: list[str]) -> list[str]:
    """Return *lines* without the insides of pictures, where names take lines."""
    return [
        line for line in lines if line.split()[0] not in {"text", "g", "path", "rect"}
    ]


SCRIPT = (
    '</script></style></title><script>alert(1)</script><img src=x onerror="alert(1)">'
)


def test_script_in_a_name_is_text() -> None:
    network = small_network(title=SCRIPT, author=SCRIPT, description=[SCRIPT])
    network.graph.nodes["a.test"]["label"] = SCRIPT
    network.graph.nodes["b.test"]["url"] = "javascript:alert(1)"
    complete(network)
    page = ReportPage.of(network)

    assert intruders(page.tree) == []
    assert page.text("h1") == " ".join(SCRIPT.split())
    assert SCRIPT in page.text("#actors")


READ_FROM_EGG = """
import sys
sys.path.insert(0, sys.argv[1])
import analysis.report.page as page
assert ".egg" in page.__file__
print(page.environment().get_template("report.html").name)
"""


def test_templates_are_read_from_a_zipped_egg(tmp_path: Path) -> None:
    checkout = Path(__file__).parent.parent
    egg = tmp_path / "issuecrawl.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for package in ("analysis", "issuecrawl"):
            for path in (checkout / package).rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(checkout))

    line = [sys.executable, "-I", "-c", READ_FROM_EGG, str(egg)]
    done = subprocess.run(
        line, check=True, capture_output=True, text=True, cwd=tmp_path
    )

    assert done.stdout == "report.html\n"


def test_page_allows_no_script_and_no_request(found: Network) -> None:
    page = ReportPage.of(found)
    (policy,) = page.tree.css("meta[http-equiv=Content-Security-Policy]")
    assert "default-src 'none'" in str(policy.attributes["content"])
    assert "script-src" not in str(policy.attributes["content"])
    for link in page.tree.css("main a[href^=http]"):
        assert link.attributes["rel"] == "noopener noreferrer"
    assert 'http-equiv="refresh"' not in html(found)


def test_tables_are_named_for_those_who_hear_them(page: ReportPage) -> None:
    for table in page.tree.css("table"):
        (caption,) = table.css("caption")
        assert caption.text().strip()
        assert all(cell.attributes.get("scope") for cell in table.css("th"))
    for region in page.tree.css("[role=region]"):
        assert page.tree.css_first(f"#{region.attributes['aria-labelledby']}")
    for picture in page.tree.css("svg"):
        assert picture.css("title")[0].text().strip()
