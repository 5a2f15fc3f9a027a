"""Peak memory of a crawl that knows a million URLs.

    python benchmarks/memory.py [--pages 2000] [--links 500] [--stock]

Each page names 500 addresses that no other page names, half of them on its own site.
``--stock`` runs Scrapy with LinkExtractor over the same pages beside it, which makes
a Request of each: its queue and its set of fingerprints hold them.
"""

import argparse
import os

import crawl as bench


def body(name, path):
    here = name.split(":")[0]
    links = int(os.environ["BENCH_LINKS"])
    parts = ["<!doctype html><title>many</title>"]
    for n in range(links):
        if n % 2:
            link = f"/policy/2026/action-statement-{path.strip('/').replace('/', '-')}-{n}.html"
        else:
            other = (hash((here, n)) % bench.HOSTS + bench.HOSTS) % bench.HOSTS
            link = f"http://{bench.host(other)}/from/{here}{path}/{n}.html"
        parts.append(f"<a href='{link}'>statement {n}</a>")
    return "".join(parts).encode()


def serve(port):
    bench.body = body
    bench.Server.pages = NothingKept()
    bench.serve(port)


class NothingKept(dict):
    """The server forgets pages, so that its own memory stays small."""

    def __setitem__(self, key, value):
        self.clear()
        super().__setitem__(key, value)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--links", type=int, default=500)
    parser.add_argument("--stock", action="store_true")
    args = parser.parse_args()
    os.environ["BENCH_LINKS"] = str(args.links)
    server, environment = bench.served(serve)
    print(f"{args.pages:,} pages that name {args.pages * args.links:,} addresses")
    for kind in ("ours", "stock") if args.stock else ("ours",):
        one = bench.measured(kind, args.pages, environment)
        if one is None:
            continue
        print(
            f"{kind:<7}{one['pages']:>7,} pages, peak {one['peak']:,.0f} MB, {one['cpu']:.0f} CPU s"
        )
    server.terminate()


if __name__ == "__main__":
    main()
