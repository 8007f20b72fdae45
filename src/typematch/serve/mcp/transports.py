"""The two ways in which clients reach the server: a process of theirs, or an address."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from typematch.serve.http.security import MOST_BYTES, SecurityMiddleware
from typematch.serve.http.worker_pool import WorkerPool
from typematch.serve.mcp.server import create_server

PATH = "/mcp"


async def serve_stdio(answering: Callable[[], AbstractContextManager[WorkerPool]]) -> None:
    """Answer on standard output until standard input ends.

    ``answering`` lends the workers, begun once the streams are the protocol's alone: no other
    process may hold them.
    """
    async with stdio_server() as (incoming, outgoing):
        with answering() as workers:
            server = create_server(workers)
            await server.run(incoming, outgoing, server.create_initialization_options())


def create_http_app(server: Server[Any], *, hosts: Collection[str], token: str = "") -> Starlette:
    """Return an application that answers at ``PATH``; it keeps no sessions.

    ``SecurityMiddleware`` looks at Host, Origin, token and size, as for every server of ours.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=MOST_BYTES,
    )
    app.add_middleware(SecurityMiddleware, hosts=hosts, token=token, most_bytes=MOST_BYTES)
    return app
