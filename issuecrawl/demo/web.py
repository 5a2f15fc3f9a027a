"""A small web held in memory: which address answers what, and who asked.

The demo fills it from a folder, tests a page at a time. It knows addresses as text,
exactly as they are asked for: ``http`` and ``https``, or ``www.`` and none, are
different addresses here, since telling that they are one is the crawler's business.
"""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

HTML = "text/html; charset=utf-8"
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Hit(NamedTuple):
    """One request, as it came."""

    time: float
    """Seconds since 1970, when the request was read."""

    method: str
    url: str
    user_agent: str
    headers: Mapping[str, str]
    """Names in lower case."""

    concurrent: int
    """Requests under way at that host, this one included."""


@dataclass(slots=True)
class Answer:
    """What an address answers."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    delay: float = 0.0
    """Seconds before the answer; infinity hangs until the client gives up."""

    raw: bytes | None = None
    """Sent in place of all that, as it is; then the connection is closed."""


def address(url: str) -> str:
    """Return *url* as a client asks for it: host in ASCII, no fragment, a path.

    >>> address("https://BÜCHER.test:443#top")
    'https://xn--bcher-kva.test/'
    """
    parts = urlsplit(url)
    netloc = parts.netloc.lower().removesuffix(DEFAULT_PORTS[parts.scheme])
    netloc = netloc.encode("idna").decode()
    return parts._replace(netloc=netloc, path=parts.path or "/", fragment="").geturl()


class Web:
    """Hosts with their pages. Safe to fill from one thread and serve from another."""

    def __init__(self) -> None:
        self.hits: list[Hit] = []
        self.answers: dict[str, Answer] = {}
        self._origins: set[str] = set()
        self._dead: set[str] = set()
        self._busy: Counter[str] = Counter()

    def page(
        self,
        url: str,
        *links: str,
        html: str | bytes | None = None,
        title: str = "",
        content_type: str = HTML,
        headers: Mapping[str, str] | None = None,
        delay: float = 0.0,
    ) -> str:
        """Answer *url* with *html*, or with a page that holds *links*; return *url*."""
        body = document(title or url, links) if html is None else html
        if isinstance(body, str):
            body = body.encode()
        named = {"Content-Type": content_type, **(headers or {})}
        return self.answer(url, Answer(200, named, body, delay))

    def redirect(self, url: str, to: str, status: int = 301) -> str:
        """Answer *url* with a redirect to *to*, which is sent as it is written."""
        return self.answer(url, Answer(status, {"Location": to}))

    def robots(self, host: str, text: str, status: int = 200) -> None:
        """Answer robots.txt of *host*, on http and https."""
        for scheme in DEFAULT_PORTS:
            answer = Answer(status, {"Content-Type": "text/plain"}, text.encode())
            self.answer(f"{scheme}://{host}/robots.txt", answer)

    def status(
        self, url: str, status: int, headers: Mapping[str, str] | None = None
    ) -> str:
        """Answer *url* with an HTTP status and an empty body."""
        return self.answer(url, Answer(status, dict(headers or {})))

    def hang(self, url: str) -> str:
        """Take requests for *url* and never answer."""
        return self.answer(url, Answer(delay=float("inf")))

    def raw(self, url: str, data: bytes) -> str:
        """Answer *url* with *data*, head and all, and close; no data: close at once."""
        return self.answer(url, Answer(raw=data))

    def dead(self, host: str) -> None:
        """Cut every connection for *host* without an answer, CONNECT included."""
        self._dead.add(urlsplit(address(f"http://{host}")).netloc)

    def alive(self, host: str) -> None:
        """Take back :meth:`dead`."""
        self._dead.discard(urlsplit(address(f"http://{host}")).netloc)

    def answer(self, url: str, answer: Answer) -> str:
        """Answer *url* with *answer*; its host exists from now on."""
        asked = address(url)
        parts = urlsplit(asked)
        self._origins.add(f"{parts.scheme}://{parts.netloc}")
        self.answers[asked] = answer
        return url

    def is_dead(self, netloc: str) -> bool:
        return netloc in self._dead

    def serves(self, origin: str) -> bool:
        """Tell whether a server listens there: ``https://a.example``."""
        return origin in self._origins

    def find(self, url: str) -> Answer | None:
        """Return the answer for *url*; None where no host would give one.

        A query that no answer was given for is ignored, as a server of files does.
        """
        parts = urlsplit(url)
        if not self.serves(f"{parts.scheme}://{parts.netloc}"):
            return None
        missing = Answer(404, {"Content-Type": HTML}, b"<!doctype html><p>Not found.\n")
        return self.answers.get(url) or self.answers.get(url.partition("?")[0], missing)

    def enter(
        self, method: str, url: str, headers: Mapping[str, str], now: float
    ) -> None:
        """Note a request as it comes."""
        host = urlsplit(url).netloc
        self._busy[host] += 1
        agent = headers.get("user-agent", "")
        self.hits.append(Hit(now, method, url, agent, headers, self._busy[host]))

    def leave(self, url: str) -> None:
        """Note that a request is over."""
        self._busy[urlsplit(url).netloc] -= 1

    def asked(self, host: str = "") -> list[str]:
        """Return the addresses asked for so far, robots.txt aside, in order."""
        return [
            hit.url
            for hit in self.hits
            if urlsplit(hit.url).path != "/robots.txt"
            and host in ("", urlsplit(hit.url).hostname)
        ]


def document(title: str, links: tuple[str, ...]) -> str:
    """Return a page of HTML that links to *links*."""
    items = "".join(
        f'<p><a href="{html.escape(link)}">{html.escape(link)}</a>' for link in links
    )
    return f"<!doctype html><title>{html.escape(title)}</title>{items}\n"
