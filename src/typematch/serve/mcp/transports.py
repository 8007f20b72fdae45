"""Transports of the MCP server: standard input and output, and streamable HTTP."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from typematch.serve.http.security import MAX_BODY_BYTES, SecurityMiddleware
from typematch.serve.http.worker_pool import WorkerPool
from typematch.serve.mcp.server import create_server

MCP_PATH = "/mcp"


async def serve_stdio(worker_pool: Callable[[], AbstractContextManager[WorkerPool]]) -> None:
    """Serve one client until standard input ends.

    ``worker_pool`` starts the workers after the streams are reserved for the protocol: a process
    started earlier would inherit them.
    """
    async with stdio_server() as (incoming, outgoing):
        with worker_pool() as workers:
            server = create_server(workers)
            await server.run(incoming, outgoing, server.create_initialization_options())


def create_http_app(server: Server[Any], *, hosts: Collection[str], token: str = "") -> Starlette:
    """Return an application without sessions that serves ``MCP_PATH``.

    ``SecurityMiddleware`` checks Host, Origin, token and size, as for the HTTP API.
    """
    app = server.streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=MAX_BODY_BYTES,
    )
    app.add_middleware(SecurityMiddleware, hosts=hosts, token=token, max_body_bytes=MAX_BODY_BYTES)
    return app
