"""Serve a small web on one loopback port, as a forward proxy that answers by itself.

Any client that honours ``http_proxy`` and ``https_proxy`` sees the hosts of the web
under their own names. Requests for http come in absolute form (RFC 9112, 3.2.2);
for https the client asks for a tunnel (RFC 9110, 9.3.6) and finds a server with a
self-signed certificate at its end. A host that is not there gets 502, the answer of
a proxy that cannot reach it.
"""

from __future__ import annotations

import asyncio
import math
import ssl
import threading
import time
from email.utils import formatdate
from http.client import responses
from typing import TYPE_CHECKING, NamedTuple

from issuecrawl.demo.certificate import Certificates
from issuecrawl.demo.web import Answer, address

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from issuecrawl.demo.web import Web

NO_HOST = Answer(502, {"Content-Type": "text/plain"}, b"no such host\n")
HEAD_LIMIT = 2**18
GONE = (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, TimeoutError)
"""What it looks like when a client has gone away."""

UNREADABLE = (asyncio.LimitOverrunError, ValueError)
"""What a request that is none comes to; the connection is closed."""


class Request(NamedTuple):
    method: str
    target: str
    headers: dict[str, str]

    @classmethod
    def parse(cls, head: bytes) -> Request:
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        method, target, _ = first.split(" ", 2)
        fields = (line.split(":", 1) for line in lines if ":" in line)
        return cls(method, target, {k.strip().lower(): v.strip() for k, v in fields})

    @property
    def closes(self) -> bool:
        return self.headers.get("connection", "").lower() == "close"

    def url(self, tunnel: str) -> str:
        """Return what is asked for; *tunnel* is the origin at the tunnel's end."""
        if self.target.startswith("/"):
            origin = tunnel or f"http://{self.headers.get('host', '')}"
            return address(origin + self.target)
        return address(self.target)


class Proxy:
    """A server in a thread of its own; stops with the ``with`` block.

    Leaving the block ends every connection, hanging ones too.
    """

    def __init__(self, web: Web) -> None:
        self.web = web
        self._certificates = Certificates()
        self._ready = threading.Event()
        self._port = 0
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables that lead a client here, and nowhere else."""
        names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        return dict.fromkeys(names, self.url) | {"no_proxy": "", "NO_PROXY": ""}

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._clients: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(
            self._client, "127.0.0.1", 0, limit=HEAD_LIMIT, backlog=1024
        )
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    def _client(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        client = asyncio.create_task(self._converse(reader, writer))
        self._clients.add(client)
        client.add_done_callback(self._clients.discard)

    async def _converse(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        tunnel = ""
        try:
            while True:
                request = await self._read(reader)
                if request.method == "CONNECT":
                    tunnel = await self._open_tunnel(request, writer)
                    if not tunnel:
                        break
                elif not await self._respond(
                    request.url(tunnel), request, reader, writer
                ):
                    break
        except (*GONE, *UNREADABLE, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Request:
        request = Request.parse(await reader.readuntil(b"\r\n\r\n"))
        await reader.readexactly(int(request.headers.get("content-length", 0)))
        return request

    async def _open_tunnel(self, request: Request, writer: asyncio.StreamWriter) -> str:
        """Become the server at the tunnel's end; return its origin, '' if there is none.

        A dead host is cut off in the handshake: cut off before, Scrapy would wait for
        the proxy's answer until DOWNLOAD_TIMEOUT.
        """
        netloc = request.target.lower().removesuffix(":443")
        if not (dead := self.web.is_dead(netloc)) and not self.web.serves(
            f"https://{netloc}"
        ):
            await self._send(NO_HOST, request, writer)
            return ""
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await writer.drain()
        if dead:
            return ""
        await writer.start_tls(self._certificates.context(netloc.partition(":")[0]))
        return f"https://{netloc}"

    async def _respond(
        self,
        url: str,
        request: Request,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Answer one request; return whether the connection goes on."""
        self.web.enter(request.method, url, request.headers, time.time())
        try:
            if self.web.is_dead(url.split("/", 3)[2]):
                return False
            answer = self.web.find(url) or NO_HOST
            if math.isinf(answer.delay):
                await reader.read(1)
                return False
            await asyncio.sleep(answer.delay)
            if answer.raw is not None:
                writer.write(answer.raw)
                await writer.drain()
                return False
            await self._send(answer, request, writer)
        finally:
            self.web.leave(url)
        return not request.closes

    async def _send(
        self, answer: Answer, request: Request, writer: asyncio.StreamWriter
    ) -> None:
        etag = answer.headers.get("ETag")
        unchanged = etag is not None and request.headers.get("if-none-match") == etag
        status = 304 if unchanged else answer.status
        fields = {
            "Date": formatdate(usegmt=True),
            "Content-Length": str(len(answer.body)),
            **answer.headers,
        }
        head = f"HTTP/1.1 {status} {responses.get(status, 'Status')}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(head.encode("latin-1") + b"\r\n")
        if request.method != "HEAD" and not unchanged:
            writer.write(answer.body)
        await writer.drain()
