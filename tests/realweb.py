"""What a crawl of the shared real web must find, worked out from its files.

Nothing here is the program's: libxml2 parses, urllib splits addresses, tldextract's
own snapshot names registrable domains, and the proxy's module is asked what it would
answer. libxml2 reads tokens by the HTML standard since 2.14, and links are a matter of
tokens: on these pages it finds exactly what html5lib finds, twenty times as fast.

``python -m tests.realweb`` prints the expected network.
"""

from __future__ import annotations

import functools
import importlib.util
import ipaddress
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin, urlsplit

import tldextract
from lxml import etree

from issuecrawl.model.parameters import Parameters
from tests.oracle import Link, PageFacts, Result, Web, crawl

if TYPE_CHECKING:
    from issuecrawl.model.link import Kind

SHARED = Path(__file__).resolve().parents[2] / "shared" / "realweb"

STARTING_POINTS = (
    "https://docs.scrapy.org/en/latest/",
    "https://docs.pytest.org/en/stable/",
    "https://www.sphinx-doc.org/en/master/",
    "https://flask.palletsprojects.com/en/2.2.x/",
    "https://docs.celeryq.dev/en/stable/",
)
PARAMETERS = Parameters(depth=1, iterations=1, mode="site", privilege=True)

TRACKING = re.compile(r"(utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid)=")
UNRESERVED = re.compile(r"%(2[dDeE]|3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|5[fF]|7[eE])")
SOURCES: dict[Kind, str] = {
    "a": "href",
    "area": "href",
    "frame": "src",
    "iframe": "src",
}
REFRESH = re.compile(
    r"\s*(\d+)[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE
)

domains = tldextract.TLDExtract(
    cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True
)


def root() -> Path:
    """Return the folder the web is laid out in, which is filled if it is not there.

    Raises LookupError where the shared web is not at hand.
    """
    if not (SHARED / "fetch.sh").is_file():
        message = f"no real web: {SHARED} is not there"
        raise LookupError(message)
    default = Path.home() / ".cache" / "issuecrawl" / "realweb"
    folder = Path(os.environ.get("ISSUECRAWL_REALWEB") or default)
    if not (folder / "root").is_dir():
        subprocess.run([SHARED / "fetch.sh", folder], check=True)
    return folder / "root"


@functools.cache
def registrable(host: str) -> str:
    return domains(host).top_domain_under_public_suffix or host


def clean(address: str) -> str | None:
    """Return an absolute http(s) address without fragment, port and credentials.

    None for what is no such address.
    """
    address = re.sub(r"[\t\r\n]", "", address.strip("\0 \t\r\n\f"))
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").rstrip("."), parts.port
        host = host.encode("idna").decode() if not host.isascii() else host
    except (ValueError, UnicodeError):
        return None
    if parts.scheme not in ("http", "https") or not host or set(host) & set(" <>^|%{}"):
        return None
    default = {"http": 80, "https": 443}[parts.scheme]
    at = f":{port}" if port and port != default else ""
    path = quote(parts.path.replace("\\", "/") or "/", safe="/%:@!$&'()*+,;=~|[]^")
    query = quote(parts.query, safe="/%:@!$&()*+,;=~|[]^?`{}\\")
    return f"{parts.scheme}://{host}{at}{path}{'?' if query else ''}{query}"


def identity(address: str) -> str:
    """Return the identity of a clean address, written without scheme."""
    parts = urlsplit(address)
    host = parts.netloc
    if host.startswith("www.") and domains(host[4:]).domain:
        host = host[4:]
    path = re.sub(r"%[0-9a-fA-F]{2}", lambda m: m[0].upper(), parts.path)
    path = UNRESERVED.sub(lambda m: chr(int(m[1], 16)), path)
    query = "&".join(p for p in parts.query.split("&") if not TRACKING.match(p))
    return f"{host}{path}{'?' if query else ''}{query}"


def host_of(page: str) -> str:
    """Return host and port of an identity."""
    return re.split(r"[/?]", page, maxsplit=1)[0]


def site(page: str) -> str:
    return host_of(page).split(":")[0]


def public(page: str) -> bool:
    host = site(page)
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and host.split(".")[-1] not in (
            "local",
            "internal",
            "localhost",
        )


class Served(Mapping[str, PageFacts]):
    """The pages that the proxy answers, parsed when they are asked for."""

    def __init__(self, folder: Path) -> None:
        spec = importlib.util.spec_from_file_location("serve", SHARED / "serve.py")
        assert spec is not None
        assert spec.loader is not None
        serve: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(serve)
        # The proxy's answers need none of the certificate that its start makes.
        serve.self_signed = lambda _hosts: None
        self.proxy: Any = serve.RealWeb(folder, None, 0.0, None)
        self.spellings: defaultdict[str, set[str]] = defaultdict(set)
        self.parsed: dict[str, PageFacts | None] = {}
        self.asked_as: dict[str, str] = {}

    def __getitem__(self, page: str) -> PageFacts:
        if page not in self.parsed:
            self.parsed[page] = self.ask(page)
        facts = self.parsed[page]
        if facts is None:
            raise KeyError(page)
        return facts

    def __iter__(self) -> Iterator[str]:
        return iter(self.parsed)

    def __len__(self) -> int:
        return len(self.parsed)

    def spell(self, address: str) -> str:
        page = identity(address)
        self.spellings[page].add(address)
        return page

    def best(self, page: str) -> list[str]:
        """Return the spellings of *page* in the order in which they are tried."""
        return sorted(
            self.spellings[page],
            key=lambda url: (url[:5] != "https", "://www." in url, url),
        )

    def home(self, page: str) -> str:
        address = self.best(page)[0]
        return self.spell(urljoin(address, "/"))

    def ask(self, page: str) -> PageFacts | None:
        for address in self.best(page):
            parts = urlsplit(address)
            host = parts.hostname or ""
            if self.proxy.knows(host):
                self.asked_as[page] = address
                target = parts.path + (f"?{parts.query}" if parts.query else "")
                return self.understand(address, *self.proxy.answer(host, target, {}))
            if parts.scheme == "http":
                break  # The proxy answers 502, which is an answer of the page.
        return None

    def understand(
        self, address: str, status: int, headers: dict[str, str], body: bytes
    ) -> PageFacts | None:
        if status in (301, 302):
            hop = clean(urljoin(address, headers["Location"]))
            return PageFacts(redirect=self.spell(hop)) if hop else None
        if status != 200:
            return None
        if "html" not in headers["Content-Type"]:
            return PageFacts()
        return self.parse(address, body)

    def parse(self, address: str, body: bytes) -> PageFacts:
        tree = etree.HTML(body, etree.HTMLParser(huge_tree=True))
        if tree is None:
            return PageFacts()
        base = next(
            (urljoin(address, e.get("href")) for e in tree.iter("base")), address
        )
        links = []
        for kind, value in link_elements(tree):
            refresh = REFRESH.fullmatch(value) if kind == "refresh" else None
            target = clean(joined(base, refresh[2] if refresh else value))
            if target is None or (kind == "refresh" and not refresh):
                continue
            page = self.spell(target)
            if refresh and int(refresh[1]) <= 5:
                return PageFacts(redirect=page)
            links.append(Link(page, kind=kind))
        robots = [
            element.get("content", "").lower()
            for element in tree.iter("meta")
            if element.get("name", "").lower() == "robots"
        ]
        return PageFacts(tuple(links), nofollow="nofollow" in ",".join(robots))


def joined(base: str, value: str) -> str:
    try:
        return urljoin(base, value.strip())
    except ValueError:
        return ""


def link_elements(tree: Any) -> Iterator[tuple[Kind, str]]:
    """Yield the links of *tree* as (kind, value), in document order."""
    for element in tree.iter("meta", *SOURCES):
        if next(element.iterancestors("template"), None) is not None:
            continue
        if element.tag != "meta":
            value = element.get(SOURCES[element.tag], element.get("xlink:href"))
            if value is not None:
                yield element.tag, value
        elif element.get("http-equiv", "").lower() == "refresh":
            yield "refresh", element.get("content", "")


def expected() -> tuple[Result, Served]:
    """Return what a crawl with :data:`PARAMETERS` comes to, and the web it is of."""
    served = Served(root())
    starts = tuple(served.spell(url) for url in STARTING_POINTS)
    web = Web(
        pages=served,
        site=site,
        domain=lambda page: registrable(site(page)),
        home=served.home,
        public=public,
    )
    return crawl(web, starts, PARAMETERS), served


def report() -> Iterator[str]:
    """Yield the expected network in lines."""
    result, served = expected()
    network = result.network
    answered = sum(served.get(page) is not None for page in result.asked)
    yield f"{len(result.asked)} pages asked for, {answered} of them answer"
    yield f"{len(network.pages)} pages, {len(network.periphery)} in the periphery"
    for node in sorted(network.core):
        voters = " ".join(sorted(network.voters[node]))
        yield f"{node}  in {network.inlinks[node]} out {network.outlinks[node]}: {voters}"
    for (source, target), weight in sorted(network.edges.items()):
        yield f"{source} -> {target}  {weight}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report())
