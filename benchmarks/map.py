"""Size of map.html, seconds until its first picture, milliseconds of script a frame.

    python benchmarks/map.py [--nodes 5000] [--edges 50000] [--links 8] [--keep FOLDER]

A network in communities, laid out as every network is, with --links links of evidence
an edge. Chromium draws it with software GL, once without and once with evidence; then
the mouse drags it and its wheel zooms it while V8's profiler samples. Script is all that
the profiler sees running but calls of WebGL, which only the lack of a graphics card
makes slow. Any request to anywhere is an error.
"""

import argparse
import json
import random
import shutil
import tempfile
import time
from pathlib import Path

import networkx as nx
from playwright.sync_api import sync_playwright

from analysis.complete import complete
from analysis.map import write
from analysis.network import EvidenceLink, Network, NetworkSite, Statistics
from issuecrawl.model.parameters import Parameters

GROUPS = 20
WITHIN = 0.8
"""Share of edges that stay in their community."""

CHROMIUM = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
VIEW = {"width": 1400, "height": 900}
COUNTING = """() => {
  const { clearRect } = CanvasRenderingContext2D.prototype;
  if (!("redrawn" in window)) {
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      if (this.canvas.className === "over") window.redrawn += 1;
      return clearRect.apply(this, box);
    };
  }
  window.redrawn = 0;
}"""
"""Counts the frames in which the map is drawn anew, and no others."""

STILL = ("(idle)", "(program)", "(garbage collector)", "(root)")
WEBGL = {
    "bindBuffer",
    "bindFramebuffer",
    "bindTexture",
    "bindVertexArray",
    "blendFunc",
    "bufferData",
    "clear",
    "disable",
    "disableVertexAttribArray",
    "drawArrays",
    "drawArraysInstanced",
    "drawElements",
    "enable",
    "enableVertexAttribArray",
    "finish",
    "flush",
    "framebufferTexture2D",
    "readPixels",
    "texImage2D",
    "texParameteri",
    "uniform1f",
    "uniform2f",
    "uniform4f",
    "uniformMatrix3fv",
    "useProgram",
    "vertexAttribDivisor",
    "vertexAttribPointer",
    "viewport",
    "getError",
}


class Links:
    """Evidence of so many links an edge, with texts and addresses of their own."""

    def __init__(self, graph, links):
        self.graph, self.count = graph, links

    def links(self, node=None):
        for target in [node] if node else sorted(self.graph):
            for source in sorted(self.graph.predecessors(target)):
                yield from self.between(source, target)

    def between(self, source, target):
        random.seed(f"{source} {target}")
        for number in range(self.count):
            words = " ".join(f"w{random.randrange(4000)}" for _ in range(3))
            page = f"https://{source}/reports/{random.randrange(90)}/{number}.html"
            at = f"2026-01-{random.randrange(1, 29):02} 03:04:05"
            to = f"https://{target}/about/{random.randrange(40)}"
            yield EvidenceLink(
                target, source, source, page, to, words, "body", "a", "", at
            )


def network(nodes, edges, links):
    random.seed(1)
    names = [f"site-{number}.example" for number in range(nodes)]
    popular = [1 / (1 + number // GROUPS) ** 0.6 for number in range(nodes)]
    graph = nx.DiGraph()
    for number, name in enumerate(names):
        graph.add_node(
            name,
            site=name,
            url=f"https://{name}/",
            category=f"category {number % GROUPS}",
            role="core",
            retained_at=1,
            starting_point=False,
            voters=2,
            why="co-linked by 2",
        )
    groups = [names[group::GROUPS] for group in range(GROUPS)]
    shares = [popular[group::GROUPS] for group in range(GROUPS)]
    while graph.number_of_edges() < edges:
        source = random.randrange(nodes)
        group = (
            source % GROUPS if random.random() < WITHIN else random.randrange(GROUPS)
        )
        target = random.choices(groups[group], shares[group])[0]
        if target != names[source]:
            graph.add_edge(names[source], target, weight=links)
    for name in names:
        graph.nodes[name]["inlinks"] = links * graph.in_degree(name)
        graph.nodes[name]["outlinks"] = links * graph.out_degree(name)
    return Network(
        title="Benchmark",
        author="",
        email="",
        description=[],
        sites=[NetworkSite(name, name, "", "", 0) for name in names],
        pages=[],
        periphery_sites=[],
        periphery=[],
        starting_points=[],
        statistics=Statistics("", "", 0, 0, 0),
        parameters=Parameters(),
        graph=graph,
        missing=[],
    )


def written(found, path):
    began = time.perf_counter()
    write(found, path)
    return path.stat().st_size, time.perf_counter() - began


def opened(browser, path):
    page = browser.new_page(viewport=VIEW)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector("#legend h2", timeout=120_000)
    # The mark is set in the frame after that.
    page.wait_for_timeout(1000)
    drawn = page.evaluate("performance.getEntriesByName('map drawn')[0].startTime")
    return page, drawn, asked


def profiled(page, act):
    """Return milliseconds of script and of WebGL, and frames, while *act* goes on."""
    session = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.setSamplingInterval", {"interval": 200})
    page.evaluate(COUNTING)
    session.send("Profiler.start")
    act(page)
    frames = page.evaluate("redrawn")
    profile = session.send("Profiler.stop")["profile"]
    names = {node["id"]: node["callFrame"]["functionName"] for node in profile["nodes"]}
    script = webgl = 0
    for node, spent in zip(profile["samples"], profile["timeDeltas"], strict=True):
        if names[node] in WEBGL:
            webgl += spent
        elif names[node] not in STILL:
            script += spent
    return script / 1000, webgl / 1000, frames


def drag(page):
    page.mouse.move(700, 450)
    page.mouse.down()
    for step in range(120):
        page.mouse.move(700 + 2 * (step % 60), 450 + step)
        page.wait_for_timeout(16)
    page.mouse.up()


def zoom(page):
    page.mouse.move(800, 450)
    for step in range(40):
        page.mouse.wheel(0, -120 if step < 20 else 120)
        page.wait_for_timeout(50)


def closer(page):
    for _ in range(6):
        page.click("#closer")
    page.wait_for_timeout(500)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--edges", type=int, default=50_000)
    parser.add_argument("--links", type=int, default=8)
    parser.add_argument("--keep", type=Path, help="a folder for the maps")
    given = parser.parse_args()
    chromium = shutil.which("chromium") or parser.error("chromium is not installed")
    found = network(given.nodes, given.edges, given.links)
    complete(found)
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        measure(found, given, chromium, folder)


def measure(found, given, chromium, folder):
    print(f"{given.nodes:,} nodes, {given.edges:,} edges, {given.links} links an edge")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM)
        for evidence in (None, Links(found.graph, given.links)):
            found.evidence = evidence
            path = folder / f"map-{'with' if evidence else 'without'}-evidence.html"
            size, seconds = written(found, path)
            page, drawn, asked = opened(browser, path)
            said = "with evidence" if evidence else "without evidence"
            print(
                f"{said:<18}{size / 1e6:6.2f} MB, written in {seconds:.1f} s,", end=""
            )
            print(f" first picture after {drawn / 1000:.2f} s")
            if [
                url for url in asked if not url.startswith(("file:", "data:", "blob:"))
            ]:
                raise SystemExit(f"requests: {json.dumps(asked)}")
        acts = {"dragging": drag, "zooming": zoom, "come closer": closer}
        for act in (*acts, "dragging"):
            script, webgl, frames = profiled(page, acts[act])
            print(
                f"{act:<18}{script / frames:6.2f} ms of script a frame, {webgl / frames:.2f} ms"
                f" of WebGL calls, {frames} frames"
            )
        browser.close()


if __name__ == "__main__":
    main()
