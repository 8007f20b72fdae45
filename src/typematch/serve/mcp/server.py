"""The MCP server: tools and resources over a ``WorkerPool``, with a time limit for every call.

Invalid arguments are an error result of the tool, which the model can read and correct.  Unknown
tools and resources are errors of the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

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
from typematch.serve.mcp.budget import answer_document, to_json
from typematch.serve.mcp.tools import TOOLS
from typematch.serve.workers.error_replies import ErrorReply
from typematch.serve.workers.worker_pool import (
    TIMEOUT_FACTORS,
    OverloadedError,
    RequestTimeoutError,
    StartingError,
    WorkerPool,
)

# Of one call, with all waiting but that for the start, times the factor of its handler.
CALL_TIMEOUT_SECONDS = 5.0
_REPLY_SECONDS = 0.3  # reserved for sending the error after a timeout

_INSTRUCTIONS = """\
Finds APIs by type and meaning in the indexed code, packages and API documents. \
Start with `search` (a signature, words, or both), then `read` what you want to use; \
`producers_and_consumers` follows a type, `packages` lists what is indexed."""

_ENTRY_URI, _PACKAGES_URI = "typematch://entry/", "typematch://packages"
_JSON = "application/json"
_OVERLOADED = "the server is overloaded\nRetry in a few seconds."
_STARTING = "the server is still starting\nRetry in a few seconds."


class ToolError(Exception):
    """A call has no answer; the message has the reason and a remedy."""


def create_server(
    workers: WorkerPool, *, timeout_seconds: float = CALL_TIMEOUT_SECONDS
) -> Server[Any]:
    """Return a server; ``timeout_seconds`` limits every call.  The caller closes ``workers``."""

    async def answer(name: str, arguments: Mapping[str, Any]) -> Document:
        """Return the answer of a tool.

        Raises:
            ToolError: the arguments are invalid, or there is no answer in time.
        """
        tool = TOOLS[name]
        try:
            valid = tool.arguments_model.model_validate(dict(arguments))
        except ValidationError as error:
            raise ToolError(_argument_errors(error, name)) from error
        handler, handler_arguments = tool.handler_call(valid)
        seconds = timeout_seconds * TIMEOUT_FACTORS.get(handler, 1.0) - _REPLY_SECONDS
        document = await _reply(workers, handler, handler_arguments, seconds)
        return answer_document(tool.answer(document, valid))

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_description(name) for name in TOOLS])

    async def call_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in TOOLS:
            names = ", ".join(TOOLS)
            raise MCPError(INVALID_PARAMS, f"no tool {params.name!r}; the tools are: {names}")
        try:
            document = await answer(params.name, params.arguments or {})
        except ToolError as error:
            return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
        content = TextContent(text=to_json(document))
        return CallToolResult(content=[content], structured_content=document)

    async def list_resources(*_: object) -> ListResourcesResult:
        packages = Resource(
            uri=_PACKAGES_URI,
            name="packages",
            description="The indexed packages and document collections.",
            mime_type=_JSON,
        )
        return ListResourcesResult(resources=[packages])

    async def list_templates(*_: object) -> ListResourceTemplatesResult:
        template = ResourceTemplate(
            uri_template=f"{_ENTRY_URI}{{id}}",
            name="entry",
            description="One entry by its percent-encoded id, as the tool `read` returns it.",
            mime_type=_JSON,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(_: object, params: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(params.uri)
        try:
            if uri == _PACKAGES_URI:
                document = await answer("packages", {})
            elif uri.startswith(_ENTRY_URI) and uri != _ENTRY_URI:
                document = await answer("read", {"ids": [unquote(uri.removeprefix(_ENTRY_URI))]})
            else:
                raise ToolError(f"the resources are {_PACKAGES_URI} and {_ENTRY_URI}ID")
        except ToolError as error:
            raise MCPError(INVALID_PARAMS, str(error), {"uri": uri}) from error
        contents = TextResourceContents(uri=uri, mime_type=_JSON, text=to_json(document))
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


def _description(name: str) -> ToolDescription:
    tool = TOOLS[name]
    return ToolDescription(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.arguments_model.model_json_schema(),
        output_schema=tool.answer_model.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


async def _reply(
    workers: WorkerPool, handler: str, arguments: Mapping[str, Any], seconds: float
) -> Document:
    """Return the document of a handler within ``seconds``, including the wait for a worker.

    The server's start is waited for first, and does not count.

    Raises:
        ToolError: there is none.
    """
    try:
        reply = await workers.request(handler, arguments, total_seconds=seconds)
    except RequestTimeoutError as error:
        raise ToolError(
            f"the call took more than {error.seconds:g} seconds\n"
            "Narrow the request: a package (pkg:NAME), a kind, fewer words."
        ) from error
    except StartingError as error:
        raise ToolError(_STARTING) from error
    except OverloadedError as error:
        raise ToolError(_OVERLOADED) from error
    if isinstance(reply, ErrorReply):
        where = f"{reply.where}: " if reply.where else ""
        raise ToolError(f"{where}{reply.what}" + (f"\n{reply.hint}" if reply.hint else ""))
    document: Document = reply
    return document


def _argument_errors(error: ValidationError, tool: str) -> str:
    """Return a line for each invalid argument, and the names of all arguments."""
    lines = [
        f"{'.'.join(str(part) for part in detail['loc']) or 'arguments'}: {detail['msg']}"
        for detail in error.errors(include_url=False, include_input=False)
    ]
    names = ", ".join(TOOLS[tool].arguments_model.model_fields)
    return "\n".join([*lines, f"{tool} takes: {names}"])
