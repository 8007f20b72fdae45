"""Transports of the MCP server: standard input and output, and streamable HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Collection
from contextlib import AbstractContextManager
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError
from starlette.applications import Starlette

from typematch.ir.literals import well_formed_json
from typematch.serve.http.security import MAX_BODY_BYTES, SecurityMiddleware
from typematch.serve.mcp.server import create_server
from typematch.serve.workers.worker_pool import WorkerPool

MCP_PATH = "/mcp"


async def serve_stdio(worker_pool: Callable[[], AbstractContextManager[WorkerPool]]) -> None:
    """Serve one client until standard input ends.

    ``worker_pool`` starts the workers after the streams are reserved for the protocol: a process
    started earlier would inherit them.
    """
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        tasks.start_soon(_repair, incoming, send)
        with worker_pool() as workers:
            server = create_server(workers)
            await server.run(receive, outgoing, server.create_initialization_options())


async def _repair(
    incoming: AsyncIterable[SessionMessage | Exception],
    repaired: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    """Pass messages on; those with lone surrogates, which are no UTF-8, with escapes instead.

    The transport reports such a line as an error without an id, so its client would wait for ever.
    """
    async with repaired:
        async for message in incoming:
            await repaired.send(_with_escapes(message))


def _with_escapes(message: SessionMessage | Exception) -> SessionMessage | Exception:
    line = message.errors()[0]["input"] if isinstance(message, ValidationError) else None
    escaped = well_formed_json(line) if isinstance(line, str) else ""
    if escaped in ("", line):
        return message
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(escaped, by_name=False))
    except ValidationError as error:
        return error


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
