"""Protect a local server from web pages: Host, Origin, token and size checks, security headers.

A page of another site can send requests to a server on loopback through the user's browser: by DNS
rebinding, which the Host header reveals, or across origins, which the Origin header reveals.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from typematch.serve.http.problems import error_document

MAX_BODY_BYTES = 2_000_000  # of a request

HEADERS = {
    "Cache-Control": "no-cache",
    # Without a trusted-types policy, scripts cannot turn indexed text into markup.
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
    """Checks Host, Origin, token and size of every request; adds headers to every response.

    Args:
        hosts: accepted host names, without ports.
        token: required as ``Authorization: Bearer`` unless empty.
        max_body_bytes: size limit of the body of a request.
        public_paths: paths that need no token: files, and folders ending in ``/``.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        token: str,
        max_body_bytes: int,
        public_paths: Collection[str] = (),
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token
        self._max_body_bytes = max_body_bytes
        self._public_files = frozenset(public_paths)
        self._public_folders = tuple(
            path for path in public_paths if path != "/" and path[-1] == "/"
        )

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

        rejection = self._rejection(scope["path"], Headers(scope=scope))
        if rejection is not None:
            await _reject(send_with_headers, *rejection)
            return
        body = await self._body(receive)
        if body is None:
            what = f"the body has more than {self._max_body_bytes:,} bytes"
            await _reject(send_with_headers, 413, what)
            return
        await _run_until_disconnect(self._app, scope, body, receive, send_with_headers)

    def _rejection(self, path: str, headers: Headers) -> tuple[int, str] | None:
        """Return the status and reason of a rejection; None for a valid request."""
        host = headers.get("host", "")
        if _host_name(f"//{host}") not in self._hosts:
            return 421, "the server does not answer to this Host header"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "pages of another origin may not use this server"
        is_public = path in self._public_files or path.startswith(self._public_folders)
        if self._token and not is_public:
            authorization = headers.get("authorization", "").encode("utf-8", "replace")
            if not secrets.compare_digest(authorization, f"Bearer {self._token}".encode()):
                return 401, "the server requires a token: Authorization: Bearer TOKEN"
        return None

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the whole body; None, without reading the rest, if it is too large."""
        parts: list[bytes] = []
        size, has_more = 0, True
        while has_more:
            message = await receive()
            if message["type"] != "http.request":
                return b""  # the client has disconnected
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._max_body_bytes:
                return None
            has_more = message.get("more_body", False)
        return b"".join(parts)


async def _run_until_disconnect(
    app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send
) -> None:
    """Run the application on a request with this body; cancel it when the client disconnects.

    An abandoned request would otherwise occupy a worker.
    """
    disconnect = asyncio.ensure_future(receive())
    was_body_received = False

    async def receive_again() -> Message:
        nonlocal was_body_received
        if was_body_received:
            return await asyncio.shield(disconnect)
        was_body_received = True
        return {"type": "http.request", "body": body, "more_body": False}

    response = asyncio.ensure_future(app(scope, receive_again, send))
    try:
        await asyncio.wait((response, disconnect), return_when=asyncio.FIRST_COMPLETED)
        if not response.done():
            response.cancel()
            await asyncio.wait((response,))
        if not response.cancelled():
            response.result()
    finally:
        disconnect.cancel()
        response.cancel()


def _host_name(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


async def _reject(send: Send, status: int, what: str) -> None:
    body = json.dumps(error_document(what)).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
