"""Protect a local server from web pages: Host, Origin, token and size checks, security headers.

A page of another site can send requests to a server on loopback through the user's browser: by DNS
rebinding, which the Host header reveals, or across origins, which the Origin header reveals.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Collection
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from typematch.serve.http.problems import PROBLEM_TYPE, problem_bytes

MAX_BODY_BYTES = 2_000_000  # of a request
BODY_SECONDS = 30.0  # in which the body must arrive

# A client that has not sent its body yet may not read a response before the connection is closed.
_LINGER_SECONDS = 1.0
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]{0,5})?", re.IGNORECASE)

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


class _BodyTooLargeError(Exception):
    pass


class SecurityMiddleware:
    """Checks Host, Origin, token, size and time of every request; adds headers to every response.

    Args:
        hosts: accepted host names, without ports.
        token: required as ``Authorization: Bearer`` unless empty.
        max_body_bytes: size limit of the body of a request.
        body_seconds: time in which the body must arrive.
        public_paths: paths that need no token: files, and folders ending in ``/``.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        token: str,
        max_body_bytes: int,
        body_seconds: float = BODY_SECONDS,
        public_paths: Collection[str] = (),
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token.encode("utf-8", "surrogateescape")
        self._max_body_bytes = max_body_bytes
        self._body_seconds = body_seconds
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

        headers = Headers(scope=scope)
        rejection = self._rejection(scope["path"], headers)
        body = b""
        if rejection is None:
            try:
                async with asyncio.timeout(self._body_seconds):
                    body = await self._body(receive)
            except TimeoutError:
                rejection = 408, f"the body did not arrive within {self._body_seconds:g} seconds"
            except _BodyTooLargeError:
                rejection = self._size_rejection()
        if rejection is not None:
            has_body = "content-length" in headers or "transfer-encoding" in headers
            await _reject(send_with_headers, *rejection, unread=receive if has_body else None)
            return
        await _run_until_disconnect(self._app, scope, body, receive, send_with_headers)

    def _rejection(self, path: str, headers: Headers) -> tuple[int, str] | None:
        """Return the status and reason of a rejection; None for a valid request."""
        host = headers.get("host", "").lower()
        if _host_name(host) not in self._hosts:
            return 421, "the server does not answer to this Host header"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return 403, "pages of another origin may not use this server"
        is_public = path in self._public_files or path.startswith(self._public_folders)
        if self._token and not is_public and not self._has_token(headers):
            return 401, "the server requires a token: Authorization: Bearer TOKEN"
        length = headers.get("content-length", "")
        # Longer numbers than a body can have are not converted.
        if length.isdecimal() and (len(length) > 18 or int(length) > self._max_body_bytes):
            return self._size_rejection()
        return None

    def _size_rejection(self) -> tuple[int, str]:
        return 413, f"the body has more than {self._max_body_bytes:,} bytes"

    def _has_token(self, headers: Headers) -> bool:
        scheme, _, credentials = headers.get("authorization", "").partition(" ")
        sent = credentials.strip(" ").encode("latin-1", "replace")
        return scheme.lower() == "bearer" and secrets.compare_digest(sent, self._token)

    async def _body(self, receive: Receive) -> bytes:
        """Return the whole body.

        Raises:
            _BodyTooLargeError: it is too large; the rest is not read.
        """
        parts: list[bytes] = []
        size, has_more = 0, True
        while has_more:
            message = await receive()
            if message["type"] != "http.request":
                return b""  # the client has disconnected
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._max_body_bytes:
                raise _BodyTooLargeError
            has_more = message.get("more_body", False)
        return b"".join(parts)


async def _run_until_disconnect(
    app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send
) -> None:
    """Run the application on a request with this body; cancel it when the client disconnects.

    An abandoned request that waits for a worker then leaves the queue.  A worker that has begun one
    finishes it: a process in its place would take longer to start than most requests take.
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


def _host_name(host: str) -> str | None:
    """Return the name in a Host header, without port and brackets; None if it is malformed."""
    match = _HOST.fullmatch(host)
    return (match[1] or match[2]).lower() if match else None


async def _reject(send: Send, status: int, what: str, *, unread: Receive | None = None) -> None:
    """Send an error; ``unread`` receives the rest of the request, which is dropped for a while."""
    body = problem_bytes(status, what)
    headers = [
        (b"content-type", PROBLEM_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": unread is not None})
    if unread is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                while (await unread()).get("more_body", False):
                    pass
        await send({"type": "http.response.body", "body": b""})
