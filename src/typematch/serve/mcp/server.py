"""The server: tools and resources over ``WorkerPool``, with every answer in time.

What an agent asked wrongly is told in the tool's result, where a model reads it and asks again;
what a client does wrongly is an error of the protocol.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp_types import Tool as ToolDescription
from pydantic import ValidationError

from typematch import __version__
from typematch.search.present.wire_format import Document
from typematch.serve.http.worker_pool import OverloadedError, TooSlowError, WorkerPool
from typematch.serve.http.worker_process import ErrorReply
from typematch.serve.mcp.budget import text_of, wire
from typematch.serve.mcp.tools import TOOLS

MOST_SECONDS = 5.0  # of one call, whatever it waits for
_SPARE_SECONDS = 0.3  # to say that it took too long

_INSTRUCTIONS = """\
Finds APIs by their types and meaning in code, packages and API documents that were indexed. \
Begin with `search` (a signature, words, or both), then `read` what you want to use; `packages` \
says what is there."""

_ENTRY, _PACKAGES = "typematch://entry/", "typematch://packages"
_JSON = "application/json"


_BUSY = """\
there is too much to do, or the server is still getting ready
Ask again in a few seconds."""


class ToolRefusedError(Exception):
    """There is no answer; the message says why and what to do."""


def create_server(workers: WorkerPool, *, seconds: float = MOST_SECONDS) -> Server[Any]:
    """Return a server; ``seconds`` bounds every call.  Whoever made ``workers`` closes them."""

    async def answer(name: str, arguments: Mapping[str, Any]) -> Document:
        """Return a tool's answer.

        Raises:
            RefusedError: it cannot be had.
        """
        tool = TOOLS[name]
        try:
            asked = tool.question.model_validate(dict(arguments))
        except ValidationError as error:
            raise ToolRefusedError(_wrong(error, name)) from error
        question, passed = tool.ask(asked)
        document = await _in_time(workers, question, passed, seconds - _SPARE_SECONDS)
        return wire(tool.answer(document, asked))

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_description(name) for name in TOOLS])

    async def call_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in TOOLS:
            known = ", ".join(TOOLS)
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name!r}; there are: {known}")
        try:
            document = await answer(params.name, params.arguments or {})
        except ToolRefusedError as refused:
            return CallToolResult(content=[TextContent(text=str(refused))], is_error=True)
        content = TextContent(text=text_of(document))
        return CallToolResult(content=[content], structured_content=document)

    async def list_resources(*_: object) -> ListResourcesResult:
        about = "The packages and collections that are indexed."
        packages = Resource(uri=_PACKAGES, name="packages", description=about, mime_type=_JSON)
        return ListResourcesResult(resources=[packages])

    async def list_templates(*_: object) -> ListResourceTemplatesResult:
        template = ResourceTemplate(
            uri_template=f"{_ENTRY}{{id}}",
            name="entry",
            description="One entry by its id, percent-encoded, as the tool `read` gives it.",
            mime_type=_JSON,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(_: object, params: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(params.uri)
        try:
            if uri == _PACKAGES:
                document = await answer("packages", {})
            elif uri.startswith(_ENTRY) and uri != _ENTRY:
                document = await answer("read", {"id": unquote(uri.removeprefix(_ENTRY))})
            else:
                raise ToolRefusedError(
                    f"there is no such resource; there are {_PACKAGES} and {_ENTRY}ID"
                )
        except ToolRefusedError as refused:
            raise MCPError(INVALID_PARAMS, str(refused), {"uri": uri}) from refused
        contents = TextResourceContents(uri=uri, mime_type=_JSON, text=text_of(document))
        return ReadResourceResult(contents=[contents])

    return Server(
        "typematch",
        title="typematch",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def entry_uri(id_: str) -> str:
    return _ENTRY + quote(id_, safe="")


def _description(name: str) -> ToolDescription:
    tool = TOOLS[name]
    return ToolDescription(
        name=name,
        title=tool.title,
        description=tool.about,
        input_schema=tool.question.model_json_schema(),
        output_schema=tool.reply.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


async def _in_time(
    workers: WorkerPool, question: str, arguments: Mapping[str, Any], seconds: float
) -> Document:
    """Return a worker's answer within ``seconds``, the wait for a worker included."""
    too_slow = (
        f"this took more than {seconds:g} seconds and was given up\n"
        "Ask for less (a package with pkg:NAME, a kind, fewer words), or again in a few seconds: "
        "the server may still be getting ready."
    )
    try:
        async with asyncio.timeout(seconds):
            found = await workers.ask(question, arguments)
    except (TimeoutError, TooSlowError) as error:
        raise ToolRefusedError(too_slow) from error
    except OverloadedError as error:
        raise ToolRefusedError(_BUSY) from error
    if isinstance(found, ErrorReply):
        where = f"{found.where}: " if found.where else ""
        raise ToolRefusedError(f"{where}{found.what}" + (f"\n{found.hint}" if found.hint else ""))
    document: Document = found
    return document


def _wrong(error: ValidationError, tool: str) -> str:
    """Say which arguments are wrong, and which there are."""
    wrong = [
        f"{'.'.join(str(part) for part in one['loc']) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    ]
    known = ", ".join(TOOLS[tool].question.model_fields)
    return "\n".join([*wrong, f"{tool} takes: {known}"])
