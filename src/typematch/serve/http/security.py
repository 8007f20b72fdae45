"""Keep out what a server on somebody's own machine must not answer.

A page from elsewhere can make a browser ask a server on loopback: by another name for it (DNS
rebinding), which the Host header gives away, or across origins, which Origin does.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from typematch.serve.http.problems import problem

MOST_BYTES = 2_000_000  # of a request's body

HEADERS = {
    "Cache-Control": "no-cache",
    # Scripts cannot make markup of texts either: what is indexed is shown as it is written.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class SecurityMiddleware:
    """Checks Host, Origin, token and size of every request; adds headers to every answer.

    Args:
        hosts: names by which the server may be called, without ports.
        token: asked for as ``Authorization: Bearer``, if not empty.
        most_bytes: of a request's body.
        open_to_all: paths for which no token is asked: whole ones, and folders ending in ``/``.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        token: str,
        most_bytes: int,
        open_to_all: Collection[str] = (),
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token
        self._most_bytes = most_bytes
        self._open = frozenset(open_to_all)
        self._open_folders = tuple(path for path in open_to_all if path != "/" and path[-1] == "/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refused(scope["path"], Headers(scope=scope))
        if refused is not None:
            await _refuse(send_with_headers, *refused)
            return
        body = await self._body(receive)
        if body is None:
            size = f"{self._most_bytes:,} bytes"
            await _refuse(send_with_headers, 413, f"this is more than {size}")
            return
        await _while_wanted(self._app, scope, body, receive, send_with_headers)

    def _refused(self, path: str, headers: Headers) -> tuple[int, str] | None:
        """Return the status and reason of a refusal; None where all is well."""
        host = headers.get("host", "")
        if _name_of(f"//{host}") not in self._hosts:
            return 421, "this server is not called so"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "a page from elsewhere may not ask this server"
        if self._token and not (path in self._open or path.startswith(self._open_folders)):
            given = headers.get("authorization", "").encode("utf-8", "replace")
            if not secrets.compare_digest(given, f"Bearer {self._token}".encode()):
                return 401, "this server asks for a token: Authorization: Bearer TOKEN"
        return None

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the whole body; None if it is too large, of which no more is read."""
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return b""  # whoever asked has gone
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._most_bytes:
                return None
            more = message.get("more_body", False)
        return b"".join(parts)


async def _while_wanted(
    app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send
) -> None:
    """Answer a request whose whole body was read, unless whoever asked has gone meanwhile.

    A question that nobody waits for any more must not keep others waiting.
    """
    gone = asyncio.ensure_future(receive())
    sent = False

    async def receive_again() -> Message:
        nonlocal sent
        if sent:
            return await asyncio.shield(gone)
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    answering = asyncio.ensure_future(app(scope, receive_again, send))
    try:
        await asyncio.wait((answering, gone), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            answering.cancel()
            await asyncio.wait((answering,))
        if not answering.cancelled():
            answering.result()
    finally:
        gone.cancel()
        answering.cancel()


def _name_of(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


async def _refuse(send: Send, status: int, what: str) -> None:
    body = json.dumps(problem(what)).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
