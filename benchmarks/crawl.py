"""Pages per CPU second of a crawl on loopback, side by side in one run.

    python benchmarks/crawl.py [--pages 2000] [--only KIND ...]

A web of 400 hosts, pages of 30 KB with 60 links, served by a process of its own; all
names are resolved to loopback. robots.txt is obeyed by all. CPU is that of the crawling process between
the opening and the closing of its spider.

    stock   Scrapy with LinkExtractor, a Request a link, links to a JSON lines feed
    fetch   Scrapy that fetches the same pages and reads nothing
    ours    issuecrawl: all stored, with placement, anchors, refusals, live graph
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer

HOSTS = 400
TLDS = ("org", "com", "net", "nl", "de")
KINDS = ("stock", "fetch", "ours")


def host(number):
    port = os.environ.get("BENCH_PORT", "80")
    return f"www.h{number:04d}.{TLDS[number % 5]}.test:{port}"


WORDS = [
    "policy",
    "action",
    "statement",
    "network",
    "global",
    "report",
    "campaign",
    "member",
    "water",
]


def body(name, path):
    """The page at a path of a host: 60 links, a third of them to other hosts."""
    draw = random.Random(f"{name}{path}")
    here = int(name[5:9])
    out = [
        (
            f"<!doctype html><html><head><meta charset=utf-8><title>{path} of {name}</title></head><body>"
            "<header class=site-header><a href='/'>Home</a></header><nav><ul>"
        )
    ]
    out += [f"<li><a href='/p/{n}.html'>Section {n}</a></li>" for n in range(12)]
    out.append("</ul></nav><main><article>")
    for n in range(40):
        text = " ".join(draw.choices(WORDS, k=70))
        if draw.random() < 0.5:
            link = f"http://{host((here + 1 + int(HOSTS * draw.random() ** 3)) % HOSTS)}/p/{draw.randrange(40)}.html"
        else:
            link = f"../p/{draw.randrange(40)}.html?ref={draw.randrange(4)}"
        out.append(
            f"<p>{text} <a href='{link}'>{draw.choice(WORDS)} {n}</a> {text[:120]}</p>"
        )
    out.append("</article></main><footer><ul>")
    for n in range(7):
        share = f"https://www.facebook.com/sharer/sharer.php?u=http://{name}{path}"
        out.append(
            f"<li><a href='{share if n == 0 else f'/about/{n}.html'}'>About {n}</a></li>"
        )
    out.append("</ul></footer></body></html>")
    return "".join(out).encode()


class Server(asyncio.Protocol):
    pages = {}

    def connection_made(self, transport):
        self.transport, self.rest = transport, b""

    def data_received(self, data):
        self.rest += data
        while b"\r\n\r\n" in self.rest:
            head, self.rest = self.rest.split(b"\r\n\r\n", 1)
            path = head.split(b" ", 2)[1].decode()
            name = head.lower().partition(b"host: ")[2].partition(b"\r")[0].decode()
            self.transport.write(self.answer(name, path))

    def answer(self, name, path):
        if path == "/robots.txt":
            text = b"User-agent: *\nDisallow: /private/\n"
            return (
                b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
                % len(text)
                + text
            )
        key = (name, path)
        if key not in self.pages:
            text = body(name, path)
            self.pages[key] = (
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                b"Content-Length: %d\r\n\r\n" % len(text)
            ) + text
        return self.pages[key]


def serve(port):
    async def main():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Server, "127.0.0.1", 0)
        os.environ["BENCH_PORT"] = str(server.sockets[0].getsockname()[1])
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    asyncio.run(main())


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


COMMON = {
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
    "ROBOTSTXT_OBEY": True,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "LOG_LEVEL": "WARNING",
    "USER_AGENT": "issuecrawl",
    "TWISTED_DNS_RESOLVER": "__main__.Loopback",
}


class Loopback(CachingThreadedResolver):
    """Every name is this machine."""

    def getHostByName(self, name, timeout=()):
        return defer.succeed("127.0.0.1")


def child(kind, pages, folder):
    """Crawl in this process; print pages, CPU seconds, peak memory."""
    import scrapy
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    seeds = [f"http://{host(n)}/p/0.html" for n in range(HOSTS)]

    class Stock(scrapy.Spider):
        name = "stock"
        extractor = LinkExtractor()

        async def start(self):
            for url in seeds:
                yield scrapy.Request(url)

        def parse(self, response):
            links = self.extractor.extract_links(response)
            yield {
                "url": response.url,
                "links": [{"url": link.url, "text": link.text} for link in links],
            }
            for link in links:
                if ".test:" in link.url:
                    yield scrapy.Request(link.url)

    class Fetch(scrapy.Spider):
        name = "fetch"

        async def start(self):
            for n in range(pages):
                if self.crawler.engine.needs_backout():
                    await self.crawler.signals.wait_for(signals.scheduler_empty)
                yield scrapy.Request(
                    f"http://{host(n % HOSTS)}/p/{n // HOSTS}.html", dont_filter=True
                )

        def parse(self, response):
            pass

    settings = dict(COMMON)
    arguments = {}
    if kind == "ours":
        from issuecrawl import settings as project
        from issuecrawl.spiders.issuenetwork import IssueNetworkSpider as spider

        settings = {k: v for k, v in vars(project).items() if k.isupper()} | COMMON
        settings["ISSUECRAWL_DB"] = f"sqlite:///{folder}/bench.db"
        settings["ISSUECRAWL_CONTACT"] = "https://contact.example/"
        settings["ISSUECRAWL_PAGES"] = 0
        settings["ISSUECRAWL_PAGES_PER_SITE"] = 0
        settings |= json.loads(os.environ.get("BENCH_SETTINGS", "{}"))
        arguments = {
            "seeds": ",".join(seeds),
            "depth": os.environ.get("BENCH_DEPTH", "9"),
            "iterations": "1",
            "out": f"{folder}/out",
        }
    else:
        spider = {"stock": Stock, "fetch": Fetch}[kind]
        if kind == "stock":
            settings["FEEDS"] = {f"{folder}/feed.jsonl": {"format": "jsonlines"}}
    if kind != "fetch":
        settings["CLOSESPIDER_PAGECOUNT"] = pages + HOSTS  # robots.txt counts
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    seen = {}
    crawler.signals.connect(
        lambda: seen.update(start=cpu()), signals.spider_opened, weak=False
    )
    crawler.signals.connect(
        lambda: seen.update(end=cpu()), signals.spider_closed, weak=False
    )
    process.crawl(crawler, **arguments)
    process.start()
    stats = crawler.stats.get_stats()
    got = stats.get("downloader/response_status_count/200", 0)
    robots = stats.get("robotstxt/response_count", 0) or stats.get(
        "robotstxt/request_count", 0
    )
    print(
        json.dumps(
            {
                "pages": got - robots,
                "cpu": seen["end"] - seen["start"],
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


def served(target):
    """Start *target*, a server, in a process; return it and its crawls' environment."""
    port = multiprocessing.Value("i", 0)
    server = multiprocessing.Process(target=target, args=(port,), daemon=True)
    server.start()
    while not port.value:
        time.sleep(0.05)
    paths = [str(Path(__file__).resolve().parent.parent)]
    paths.append(os.environ.get("PYTHONPATH", ""))
    ours = {"BENCH_PORT": str(port.value), "PYTHONPATH": os.pathsep.join(paths)}
    return server, os.environ | ours


def measured(kind, pages, environment):
    """Crawl in a process of its own; return what it printed, None if it failed."""
    line = [sys.executable, __file__, "--pages", str(pages), "--child", kind]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*line, folder],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.findall(r"^\{.*\}$", done.stdout, re.MULTILINE)
    if not found:
        print(done.stderr[-2000:])
        return None
    return json.loads(found[-1])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--only", nargs="*", default=KINDS, choices=KINDS)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(args.child[0], args.pages, args.child[1])
        return
    server, environment = served(serve)
    results = {}
    print(f"page: {len(body(host(0), '/p/0.html')):,} bytes")
    for kind in args.only:
        one = measured(kind, args.pages, environment)
        if one is None:
            continue
        results[kind] = one
        rate = one["pages"] / one["cpu"]
        base = results.get("stock")
        ratio = f"{rate / (base['pages'] / base['cpu']):6.1f} x stock" if base else ""
        print(
            f"{kind:<8}{one['pages']:>7,} pages {one['cpu']:8.1f} CPU s"
            f" {rate:8.0f} pages/CPU s {one['peak']:6.0f} MB {ratio}"
        )
    server.terminate()


if __name__ == "__main__":
    main()
