"""Time and links of reading a page: ours beside Scrapy's LinkExtractor.

    python benchmarks/extract.py [DIRECTORY]

Reads a generated page of 30 kB with 60 links and, of the HTML files below DIRECTORY,
every n-th, so that about 200 are read. Prints µs of CPU time a page, best of five for
the generated page, one reading each for the files.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from selectolax.lexbor import LexborHTMLParser

from issuecrawl.extract.document import read

HEADER = "text/html; charset=utf-8"
URL = "https://page.example/dir/page.html"
FILES = 200


def generated(links: int = 60, size: int = 30_000) -> bytes:
    """Return a page with a menu, a body and a footer."""
    menu = "".join(f'<li><a href="/part/{n}">Part {n}</a></li>' for n in range(15))
    text = (
        "<p>Some text with <b>markup</b> as pages have it, and no end to it; "
        "which a parser has to go through to come to the next link.</p>\n"
    )
    rest = (size - 1_000) // (links - 18) - 80
    body = "".join(
        f'<p>See <a href="https://site{n}.example/page/{n}?of={n}">the <i>page</i> {n}'
        f"</a>.</p>\n{text * (rest // len(text))}{'word ' * (rest % len(text) // 5)}"
        for n in range(links - 18)
    )
    foot = "".join(f'<a href="/about/{n}">About {n}</a> ' for n in range(3))
    return (
        f"<!doctype html><title>A page</title><nav><ul>{menu}</ul></nav>"
        f"<main>{body}</main><footer>{foot}</footer>"
    ).encode()


def ours(body: bytes, url: str) -> int:
    return sum(link.kind in {"a", "area"} for link in read(body, url, HEADER).links)


def scrapys(body: bytes, url: str) -> int:
    response = HtmlResponse(url, body=body, encoding="utf-8")
    return len(LinkExtractor(unique=False).extract_links(response))


def parse_only(body: bytes, url: str) -> int:  # noqa: ARG001 - called like the others
    LexborHTMLParser(body)
    return 0


READERS = {"lexbor, tree alone": parse_only, "ours": ours, "LinkExtractor": scrapys}


def timed(reader, bodies: list[bytes], rounds: int) -> tuple[float, int]:
    """Return µs a page, best of *rounds*, and the number of links."""
    best = float("inf")
    links = 0
    for _ in range(rounds):
        start = time.process_time()
        links = sum(reader(body, URL) for body in bodies)
        best = min(best, time.process_time() - start)
    return best / len(bodies) * 1e6, links


def table(title: str, bodies: list[bytes], rounds: int) -> None:
    size = sum(map(len, bodies)) / len(bodies) / 1000
    print(f"\n{title}: {len(bodies)} pages, {size:.1f} kB a page")
    rows = {name: timed(reader, bodies, rounds) for name, reader in READERS.items()}
    for name, (cost, links) in rows.items():
        ratio = rows["LinkExtractor"][0] / cost
        print(f"  {name:20}{cost:10.0f} µs a page{ratio:8.1f} x{links:9} links")


def main() -> None:
    table("Generated", [generated()] * 100, 5)
    for directory in sys.argv[1:]:
        files = sorted(Path(directory).rglob("*.html"))
        sample = files[:: max(1, len(files) // FILES)]
        table(f"Files of {len(files)}", [path.read_bytes() for path in sample], 1)


if __name__ == "__main__":
    main()
