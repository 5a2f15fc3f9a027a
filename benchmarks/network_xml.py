"""IssueNetwork XML: our writer beside lxml's two ways, and the DTD check in a stream.

    python benchmarks/network_xml.py [LINKS]

Each row is measured in a process of its own. Memory is the growth of resident memory
over what the interpreter and the network itself take. To reach: the writer at least 5
times as fast as lxml's xmlfile, an element at a time; its peak at most 1.2 times that
of 10,000 links; the check of 100 MB within 20 MB.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import networkx as nx
from lxml import etree

from analysis import issuenetwork
from analysis.issuenetwork_check import check
from analysis.network import Network, NetworkPage, NetworkSite, Statistics
from issuecrawl.model.parameters import Parameters

LINKS_A_PAGE, PAGES_A_SITE = 20, 25
FEW = 10_000
LINKS_OF_100_MB = 2_500_000
DOCTYPE = (
    f'<!DOCTYPE IssueNetwork PUBLIC "{issuenetwork.PUBLIC_ID}" '
    f'"{issuenetwork.SYSTEM_ID}">'
)


def network(links):
    pages = links // LINKS_A_PAGE
    chosen = random.Random(5)
    sites = [
        NetworkSite(host, host, "", "TEST", 3)
        for host in (f"{n:06}.climate.test" for n in range(pages // PAGES_A_SITE))
    ]
    rows = [
        NetworkPage(
            n + 1,
            f"https://{site.host}/policy/2009/11/statement-{n}.html?id={n}&lang=en",
            site.key,
            "2009-11-28 10:27:48",
            tuple(chosen.choices(range(1, pages + 1), k=LINKS_A_PAGE)),
        )
        for n, site in enumerate(site for site in sites for _ in range(PAGES_A_SITE))
    ]
    return Network(
        title="Benchmark",
        author="a",
        email="b",
        description=["[INFO]Starting crawl"],
        sites=sites,
        pages=rows,
        periphery_sites=[],
        periphery=[],
        starting_points=["https://000000.climate.test/"],
        statistics=Statistics("2009-11-28 10:00:00", "2009-11-28 11:00:00", 0, 0, 0),
        parameters=Parameters(),
        graph=nx.DiGraph(),
        missing=[],
    )


def by_site(network):
    pages = iter(network.pages)
    for site in network.sites:
        yield site, [next(pages) for _ in range(PAGES_A_SITE)]


def page_attributes(page):
    return {"URL": page.url, "ID": str(page.id), "datestamp": page.datestamp}


def site_attributes(site):
    return {
        "URL": "",
        "host": site.host,
        "name": site.name,
        "category": site.category,
        "inlinks": str(site.inlinks),
    }


def write_ours(network, path):
    issuenetwork.write(network, path)


def write_xmlfile(network, path):
    with etree.xmlfile(str(path), encoding="utf-8") as file:
        file.write_declaration()
        file.write_doctype(DOCTYPE)
        with file.element("IssueNetwork"), file.element("PageList"):
            for site, pages in by_site(network):
                with file.element("Site", **site_attributes(site)):
                    for page in pages:
                        with file.element("Page", **page_attributes(page)):
                            for target in page.targets:
                                link = etree.Element("Link", TargetPageID=str(target))
                                file.write(link)


def write_tree(network, path):
    root = etree.Element("IssueNetwork")
    listed = etree.SubElement(root, "PageList")
    for site, pages in by_site(network):
        parent = etree.SubElement(listed, "Site", **site_attributes(site))
        for page in pages:
            element = etree.SubElement(parent, "Page", **page_attributes(page))
            for target in page.targets:
                etree.SubElement(element, "Link", TargetPageID=str(target))
    etree.ElementTree(root).write(
        str(path), xml_declaration=True, encoding="utf-8", doctype=DOCTYPE
    )


def check_stream(path):
    assert check(path) == []


def check_tree(path):
    document = etree.parse(path)
    with tempfile.NamedTemporaryFile("w", suffix=".dtd") as file:
        file.write(issuenetwork.dtd())
        file.flush()
        assert etree.DTD(file.name).validate(document)


def resident(line):
    """Return *line* of this process' status (VmRSS, or VmHWM for the peak), in MB."""
    for row in Path("/proc/self/status").read_text().splitlines():
        if row.startswith(line):
            return int(row.split()[1]) / 1024
    raise LookupError(line)


def measured(function, *arguments):
    Path("/proc/self/clear_refs").write_text("5")  # sets the peak back
    before, start = resident("VmRSS"), time.process_time()
    function(*arguments)
    return {
        "seconds": time.process_time() - start,
        "growth": resident("VmHWM") - before,
        "peak": resident("VmHWM"),
    }


def run(name, links, path):
    function = globals()[name]
    if name.startswith("check"):
        return measured(function, path)
    return measured(function, network(links), path)


def row(label, name, links, path):
    answer = subprocess.run(
        [sys.executable, __file__, "run", name, str(links), path],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    found = json.loads(answer.stdout)
    size = path.stat().st_size / 1e6
    print(
        f"{label:<34}{links:>10,}{size:>8.1f}{found['seconds']:>9.2f}"
        f"{found['growth']:>10.1f}"
    )
    return found


def table(links):
    print(f"{'':<34}{'links':>10}{'MB':>8}{'CPU s':>9}{'MB grown':>10}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.xml"
        few = row("issuenetwork.write", "write_ours", FEW, path)
        ours = row("issuenetwork.write", "write_ours", links, path)
        theirs = row("lxml xmlfile, element by element", "write_xmlfile", links, path)
        row("lxml tree", "write_tree", links, path)
        row("(the file of the check)", "write_ours", LINKS_OF_100_MB, path)
        stream = row("issuenetwork_check.check", "check_stream", LINKS_OF_100_MB, path)
        row("lxml tree and etree.DTD", "check_tree", LINKS_OF_100_MB, path)
    print(f"write: {theirs['seconds'] / ours['seconds']:.1f} x xmlfile (reach 5)")
    print(
        f"write: growth {ours['growth']:.1f} MB, at {FEW:,} links {few['growth']:.1f} MB"
    )
    print(f"check: {stream['growth']:.1f} MB (reach 20)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        found = run(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
        print(json.dumps(found))
    else:
        table(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
