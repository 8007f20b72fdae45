"""A local server for the Messages and Batches APIs, as strict as the real service.

A behaviour, a function from the body of a request to a ``Reply``, decides the answers.  Invalid
requests are refused as by the real service: unknown fields, unsupported schemas, misplaced tool
results, too long prompts, a wrong key.

    with MessagesApi(perfect) as api:
        Anthropic(api_key=api.key, base_url=api.url)
"""

from __future__ import annotations

import json
import os
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

KEY = "sk-ant-test-0123456789abcdefghijklmnopqrstuvwxyz"

_FIELDS = frozenset(
    (
        *("model", "max_tokens", "messages", "system", "output_config", "tools", "tool_choice"),
        *("thinking", "metadata", "stop_sequences", "cache_control", "service_tier", "stream"),
    )
)
_EFFORTS = frozenset(("low", "medium", "high", "xhigh", "max"))
_BLOCKS = {
    "text": frozenset(("type", "text", "cache_control", "citations")),
    "tool_use": frozenset(("type", "id", "name", "input", "cache_control", "caller")),
    "tool_result": frozenset(("type", "tool_use_id", "content", "is_error", "cache_control")),
    "thinking": frozenset(("type", "thinking", "signature")),
}
# Keywords that structured output supports; the SDK moves others into descriptions.
_KEYWORDS = frozenset(
    (
        *("type", "properties", "required", "additionalProperties", "items", "enum", "const"),
        *("anyOf", "allOf", "$ref", "$defs", "description", "title", "format", "minItems"),
    )
)
_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True)
class Reply:
    """Answer to one request.

    Attributes:
        value: the text of the answer; other values are sent as JSON.
        tools: (name, input) of tool calls, instead of a text.
        status: HTTP status; other than 200 is an error.
        reset: break the connection in the middle of the answer.
        delay, drip: seconds before the answer, and between its bytes.
    """

    value: Any = None
    tools: Sequence[tuple[str, Mapping[str, Any]]] = ()
    stop_reason: str = ""
    status: int = 200
    message: str = "simulated failure"
    headers: Mapping[str, str] = field(default_factory=dict)
    reset: bool = False
    delay: float = 0.0
    drip: float = 0.0


Body = Mapping[str, Any]
Behaviour = Callable[[Body], Reply]


class RejectedError(Exception):
    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class MessagesApi:
    """The running server; it records every request.

    Args:
        behaviour: answers each request, also of batches; may be replaced while the server runs.
        context_window: maximum number of tokens of a prompt.
        polls: number of status queries until a batch has ended.
    """

    def __init__(
        self, behaviour: Behaviour, *, key: str = KEY, context_window: int = 200_000, polls: int = 1
    ) -> None:
        self.behaviour = behaviour
        self.key = key
        self.context_window = context_window
        self.polls = polls
        self.bodies: list[Body] = []
        self.headers: list[Mapping[str, str]] = []
        self.calls: list[str] = []
        self.batches: dict[str, dict[str, Any]] = {}
        self.batch_error_status = 0  # the status of every new batch; 0 for success
        self.batches_are_lost = False  # whether existing batches cannot be retrieved
        # Bodies of successful replies, by pattern of the call ("GET /batches/*"), for the right
        # ones: what a gateway may answer.  The call has its effect.
        self.wrong_bodies: dict[str, str] = {}
        self._seen_prefixes: set[str] = set()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> MessagesApi:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    # Answers ----------------------------------------------------------------------------------

    def answer(self, body: Body) -> tuple[Reply, dict[str, Any]]:
        check_request(body, context_window=self.context_window)
        with self._lock:
            self.bodies.append(body)
        reply = self.behaviour(body)
        return reply, self.message(body, reply)

    def message(self, body: Body, reply: Reply) -> dict[str, Any]:
        content: list[dict[str, Any]] = []
        if reply.tools:
            content += [
                {"type": "tool_use", "id": f"toolu_{time.monotonic_ns()}_{index}",
                 "name": name, "input": dict(arguments)}
                for index, (name, arguments) in enumerate(reply.tools)
            ]  # fmt: skip
        else:
            text = reply.value if isinstance(reply.value, str) else json.dumps(reply.value)
            content.append({"type": "text", "text": text})
        prefix = json.dumps(body.get("system", ""))
        with self._lock:
            read = prefix in self._seen_prefixes
            self._seen_prefixes.add(prefix)
        marked = "cache_control" in prefix
        cached = tokens(prefix) if marked else 0
        return {
            "id": f"msg_{time.monotonic_ns()}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": reply.stop_reason or ("tool_use" if reply.tools else "end_turn"),
            "stop_sequence": None,
            "usage": {
                "input_tokens": tokens(json.dumps(body["messages"])),
                "output_tokens": tokens(json.dumps(content)),
                "cache_creation_input_tokens": 0 if read else cached,
                "cache_read_input_tokens": cached if read else 0,
            },
        }

    # Batches ----------------------------------------------------------------------------------

    def create_batch(self, body: Body) -> dict[str, Any]:
        if self.batch_error_status:
            raise RejectedError("simulated refusal", self.batch_error_status)
        if set(body) != {"requests"} or not body["requests"]:
            raise RejectedError("requests: Field required")
        names = [request.get("custom_id", "") for request in body["requests"]]
        if len(set(names)) != len(names):
            raise RejectedError("requests: custom_id must be unique")
        for request in body["requests"]:
            if set(request) != {"custom_id", "params"} or not _CUSTOM_ID.fullmatch(
                request["custom_id"]
            ):
                raise RejectedError("requests.0.custom_id: String should match pattern")
            check_request(request["params"], context_window=self.context_window)
        with self._lock:
            name = f"msgbatch_{len(self.batches):04}"
            self.batches[name] = {"requests": body["requests"], "polls": 0, "at": time.time()}
        return self.batch(name)

    def batch(self, name: str, *, polled: bool = False) -> dict[str, Any]:
        if (self.batches_are_lost and polled) or name not in self.batches:
            raise RejectedError(f"there is no batch {name}", 404)
        stored = self.batches[name]
        stored["polls"] += polled
        ended = stored["polls"] >= self.polls
        total = len(stored["requests"])
        if ended and "results" not in stored:
            stored["results"] = [self._result(item) for item in stored["requests"]]
        counts = {"processing": 0 if ended else total, "succeeded": 0, "errored": 0}
        for item in stored.get("results", ()):
            counts[item["result"]["type"]] = counts.get(item["result"]["type"], 0) + 1
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(stored["at"]))
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {"canceled": 0, "expired": 0, **counts},
            "created_at": at,
            "expires_at": "2126-01-01T00:00:00Z",
            "ended_at": at if ended else None,
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
        }

    def _result(self, request: Mapping[str, Any]) -> dict[str, Any]:
        reply, message = self.answer(request["params"])
        result: dict[str, Any] = {"type": "succeeded", "message": message}
        if reply.status != 200:
            result = {"type": "errored", "error": _error(reply.message, reply.status)}
        return {"custom_id": request["custom_id"], "result": result}

    def results(self, name: str) -> str:
        stored = self.batches[name]
        if "results" not in stored:
            raise RejectedError("the batch has not ended", 404)
        # The service guarantees no order.
        return "".join(json.dumps(result) + "\n" for result in reversed(stored["results"]))


def tokens(text: str) -> int:
    return len(text) // 4 + 1


# Validation ---------------------------------------------------------------------------------------


def check_request(body: Body, *, context_window: int) -> None:
    unknown = set(body) - _FIELDS
    if unknown:
        raise RejectedError(f"{min(unknown)}: Extra inputs are not permitted")
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            raise RejectedError(f"{name}: Field required")
    if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
        raise RejectedError("max_tokens: must be greater than or equal to 1")
    if tokens(json.dumps(body)) > context_window:
        raise RejectedError(
            f"prompt is too long: {tokens(json.dumps(body))} tokens > {context_window} maximum"
        )
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        raise RejectedError("tool_choice: forced tool use is not supported by this model")
    if json.dumps(body).count('"cache_control"') > 4:
        raise RejectedError("A maximum of 4 blocks with cache_control may be provided")
    for tool in body.get("tools", ()):
        if set(tool) - {"name", "description", "input_schema", "strict", "cache_control", "type"}:
            raise RejectedError("tools.0: Extra inputs are not permitted")
        _check_schema(tool["input_schema"])
    output_config = body.get("output_config", {})
    if (
        set(output_config) - {"format", "effort"}
        or output_config.get("effort", "low") not in _EFFORTS
    ):
        raise RejectedError("output_config: Extra inputs are not permitted")
    if "format" in output_config:
        if output_config["format"].get("type") != "json_schema":
            raise RejectedError("output_config.format.type: Input should be 'json_schema'")
        _check_schema(output_config["format"]["schema"])
    _check_messages(body["messages"])


def _check_schema(schema: Any) -> None:
    if isinstance(schema, bool):
        return
    unknown = set(schema) - _KEYWORDS
    if unknown:
        raise RejectedError(f"schema: for '{schema.get('type')}' type, {unknown} are not supported")
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        raise RejectedError("schema: 'additionalProperties' must be explicitly set to false")
    for below in (*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()):
        _check_schema(below)
    for below in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        _check_schema(below)
    if "items" in schema:
        _check_schema(schema["items"])


def _check_messages(messages: Sequence[Mapping[str, Any]]) -> None:
    if not messages:
        raise RejectedError("messages: at least one message is required")
    if messages[0]["role"] != "user":
        raise RejectedError("messages: first message must use the user role")
    waiting: list[str] = []
    for index, message in enumerate(messages):
        if set(message) != {"role", "content"} or message["role"] not in ("user", "assistant"):
            raise RejectedError(f"messages.{index}: Extra inputs are not permitted")
        blocks = message["content"]
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        if not blocks:
            raise RejectedError(f"messages.{index}: content must be non-empty")
        for block in blocks:
            known = _BLOCKS.get(block.get("type", ""))
            if known is None or set(block) - known:
                raise RejectedError(f"messages.{index}.content.0: Extra inputs are not permitted")
            if block["type"] == "text" and not block["text"].strip():
                raise RejectedError("messages: text content blocks must be non-empty")
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if waiting and sorted(answered) != sorted(waiting):
            raise RejectedError(
                f"messages.{index}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(waiting)}"
            )
        if answered and not waiting:
            raise RejectedError(
                f"messages.{index}: unexpected `tool_use_id` found in `tool_result`"
            )
        if any(block["type"] == "tool_result" for block in blocks[len(answered) :]):
            raise RejectedError(f"messages.{index}: tool_result blocks must come first")
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if waiting and message["role"] != "assistant":
            raise RejectedError(
                f"messages.{index}: tool_use blocks can only be in assistant messages"
            )
    if waiting:
        raise RejectedError("messages: the last `tool_use` has no result")


# HTTP ---------------------------------------------------------------------------------------------


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Print nothing: some tests disconnect on purpose."""


_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def _error(message: str, status: int) -> dict[str, Any]:
    kind = _TYPES.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def _handler(api: MessagesApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None: ...

        def do_GET(self) -> None:
            self._answer("GET")

        def do_POST(self) -> None:
            self._answer("POST")

        def _answer(self, method: Literal["GET", "POST"]) -> None:
            length = int(self.headers.get("content-length") or 0)
            raw = self.rfile.read(length)
            path = self.path.partition("?")[0].removeprefix("/v1/messages")
            call = f"{method} {path or '/'}"
            api.calls.append(call)
            self._wrong_body = next(
                (body for key, body in api.wrong_bodies.items() if fnmatchcase(call, key)), None
            )
            api.headers.append({name.lower(): value for name, value in self.headers.items()})
            try:
                self._check_headers(method)
                body = json.loads(raw) if raw else {}
                match method, path.strip("/").split("/"):
                    case "POST", [""]:
                        reply, message = api.answer(body)
                        self._send_reply(reply, message)
                    case "POST", ["batches"]:
                        self._send(200, json.dumps(api.create_batch(body)))
                    case "GET", ["batches"]:
                        listed = [api.batch(name) for name in reversed(api.batches)]
                        page = {"data": listed, "has_more": False, "first_id": None}
                        self._send(200, json.dumps({**page, "last_id": None}))
                    case "GET", ["batches", name]:
                        self._send(200, json.dumps(api.batch(name, polled=True)))
                    case "GET", ["batches", name, "results"]:
                        self._send(200, api.results(name), kind="application/x-jsonl")
                    case _:
                        raise RejectedError("not found", 404)
            except RejectedError as no:
                self._send(no.status, json.dumps(_error(no.message, no.status)))

        def _check_headers(self, method: str) -> None:
            bearer = self.headers.get("authorization", "")
            if api.key not in (self.headers.get("x-api-key"), bearer.removeprefix("Bearer ")):
                credential = self.headers.get("x-api-key") or bearer
                # Some gateways echo the key; typematch must not repeat it.
                raise RejectedError(f"invalid x-api-key: {credential}", 401)
            if not self.headers.get("anthropic-version"):
                raise RejectedError("anthropic-version: header is required")
            if method == "POST" and self.headers.get("content-type") != "application/json":
                raise RejectedError("content-type: must be application/json", 415)

        def _send_reply(self, reply: Reply, message: Mapping[str, Any]) -> None:
            time.sleep(reply.delay)
            if reply.status != 200:
                error = json.dumps(_error(reply.message, reply.status))
                self._send(reply.status, error, headers=reply.headers)
                return
            text = json.dumps(message)
            if reply.reset:
                self._begin(200, len(text), "application/json", {})
                self.wfile.write(text[: len(text) // 2].encode())
                self.wfile.flush()
                # With a linger time of 0, closing sends a reset.
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                os.close(self.connection.detach())
                self.close_connection = True
                return
            self._send(200, text, drip=reply.drip)

        def _begin(self, status: int, length: int, kind: str, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(length))
            self.send_header("request-id", "req_1")
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def _send(
            self,
            status: int,
            text: str,
            *,
            kind: str = "application/json",
            headers: Mapping[str, str] | None = None,
            drip: float = 0.0,
        ) -> None:
            if status == 200 and self._wrong_body is not None:
                text = self._wrong_body
                kind = "text/html" if text.startswith("<") else kind
            content = text.encode()
            self._begin(status, len(content), kind, headers or {})
            if not drip:
                self.wfile.write(content)
                return
            for byte in content:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(drip)

    return Handler
