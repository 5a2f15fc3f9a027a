from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.network import Measures, NetworkPage, PeripheryPage, StartingPoint
from analysis.page_table import write_pages
from analysis.tables import write_measures, write_starting_points
from tests.networks import small_network

if TYPE_CHECKING:
    from pathlib import Path


def test_pages_stand_by_id_and_before_the_periphery(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    network = small_network(
        pages=[
            NetworkPage(1, "https://a.test/", "a.test", "2026-01-02 03:04:05", (2, 3)),
            NetworkPage(2, "https://b.test/", "b.test", "", (1,)),
            NetworkPage(3, "=b", "b.test", "", ()),
        ],
        periphery=[PeripheryPage("https://c.test/", "c.test", (1, 2))],
    )

    write_pages(network, path)

    assert path.read_text() == (
        "id,url,site,role,datestamp,inlinks,outlinks\n"
        "1,https://a.test/,a.test,core,2026-01-02 03:04:05,2,2\n"
        "2,https://b.test/,b.test,core,,2,1\n"
        "3,'=b,b.test,core,,1,0\n"
        ",https://c.test/,c.test,periphery,,0,2\n"
    )


def test_links_within_a_site_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    network = small_network()
    network.pages[0].targets = (1, 2)
    network.periphery[0].site = "b.test"

    write_pages(network, path)

    assert path.read_text().splitlines()[1:] == [
        "1,https://a.test/?x=1&y=2,a.test,core,2026-01-02 03:04:05,2,1",
        "2,https://b.test/,b.test,core,,1,1",
        ",https://c.test/,b.test,periphery,,0,1",
    ]


def test_starting_points_stand_in_the_order_given(tmp_path: Path) -> None:
    path = tmp_path / "starting_points.csv"
    b, a = "https://b.test/", "https://a.test/"
    network = small_network(
        starts=[
            StartingPoint(b, "failed", "timeout", b, "b.test", ""),
            StartingPoint(a, "retrieved", "", "https://a.test/en", "a.test", "core"),
        ]
    )

    write_starting_points(network, path)

    assert path.read_text() == (
        "url,state,reason,final_url,node,role\n"
        "https://b.test/,failed,timeout,https://b.test/,b.test,\n"
        "https://a.test/,retrieved,,https://a.test/en,a.test,core\n"
    )


def test_measures_of_the_network_are_named(tmp_path: Path) -> None:
    path = tmp_path / "measures.csv"
    measures = Measures(3, 2, 1 / 3, 0.0, 2, 2, 2, -0.5, 500)

    write_measures(small_network(measures=measures), path)

    assert path.read_text() == (
        "name,value\nnodes,3\nedges,2\ndensity,0.333333\nreciprocity,0.0\n"
        "components,2\nlargest_component,2\ncommunities,2\nmodularity,-0.5\n"
        "betweenness_sample,500\n"
    )
