"""A local server that speaks the Messages and Batches APIs, as strictly as the real one does.

What it answers is a behaviour: a function from the body of a request to a ``Reply``.  What the real
service would refuse it refuses: fields that are none, schemas that it cannot hold, tool results in
the wrong place, prompts that are too long, a key that is not the server's.

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
# What structured output does not take: the SDK writes these into descriptions.
_KEYWORDS = frozenset(
    (
        *("type", "properties", "required", "additionalProperties", "items", "enum", "const"),
        *("anyOf", "allOf", "$ref", "$defs", "description", "title", "format", "minItems"),
    )
)
_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True)
class Reply:
    """What is answered to one request.

    Attributes:
        value: of the answer's text; a text is sent as it is, anything else as JSON.
        tools: (name, input) of tools to be used, instead of an answer.
        status: of HTTP; other than 200 it is an error.
        reset: break the connection in the middle of the answer.
        delay, drip: seconds before the answer, and between its bytes.
    """

    value: Any = None
    tools: Sequence[tuple[str, Mapping[str, Any]]] = ()
    stop: str = ""
    status: int = 200
    message: str = "the fake was told to fail"
    headers: Mapping[str, str] = field(default_factory=dict)
    reset: bool = False
    delay: float = 0.0
    drip: float = 0.0


Body = Mapping[str, Any]
Behaviour = Callable[[Body], Reply]


class Rejected(Exception):  # noqa: N818 - what the service answers, no error of the tests
    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class MessagesApi:
    """The server, while it runs; it remembers every request.

    Args:
        behaviour: answers each request, of batches too; may be replaced while it runs.
        longest: tokens that a prompt may have.
        polls: how often a batch is looked at before it has ended.
    """

    def __init__(
        self, behaviour: Behaviour, *, key: str = KEY, longest: int = 200_000, polls: int = 1
    ) -> None:
        self.behaviour = behaviour
        self.key = key
        self.longest = longest
        self.polls = polls
        self.bodies: list[Body] = []
        self.headers: list[Mapping[str, str]] = []
        self.calls: list[str] = []
        self.batches: dict[str, dict[str, Any]] = {}
        self.batches_refused = 0  # the status that every new batch is refused with
        self.lost = False  # whether batches that are there cannot be found
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
        check_request(body, longest=self.longest)
        with self._lock:
            self.bodies.append(body)
        reply = self.behaviour(body)
        return reply, self.message(body, reply)

    def message(self, body: Body, reply: Reply) -> dict[str, Any]:
        content: list[dict[str, Any]] = []
        if reply.tools:
            content += [
                {"type": "tool_use", "id": f"toolu_{time.monotonic_ns()}_{place}",
                 "name": name, "input": dict(given)}
                for place, (name, given) in enumerate(reply.tools)
            ]  # fmt: skip
        else:
            text = reply.value if isinstance(reply.value, str) else json.dumps(reply.value)
            content.append({"type": "text", "text": text})
        prefix = json.dumps(body.get("system", ""))
        with self._lock:
            read = prefix in self._seen_prefixes
            self._seen_prefixes.add(prefix)
        marked = "cache_control" in prefix
        kept = tokens(prefix) if marked else 0
        return {
            "id": f"msg_{time.monotonic_ns()}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": reply.stop or ("tool_use" if reply.tools else "end_turn"),
            "stop_sequence": None,
            "usage": {
                "input_tokens": tokens(json.dumps(body["messages"])),
                "output_tokens": tokens(json.dumps(content)),
                "cache_creation_input_tokens": 0 if read else kept,
                "cache_read_input_tokens": kept if read else 0,
            },
        }

    # Batches ----------------------------------------------------------------------------------

    def create_batch(self, body: Body) -> dict[str, Any]:
        if self.batches_refused:
            raise Rejected("the fake was told to refuse", self.batches_refused)
        if set(body) != {"requests"} or not body["requests"]:
            raise Rejected("requests: Field required")
        names = [one.get("custom_id", "") for one in body["requests"]]
        if len(set(names)) != len(names):
            raise Rejected("requests: custom_id must be unique")
        for one in body["requests"]:
            if set(one) != {"custom_id", "params"} or not _CUSTOM_ID.fullmatch(one["custom_id"]):
                raise Rejected("requests.0.custom_id: String should match pattern")
            check_request(one["params"], longest=self.longest)
        with self._lock:
            name = f"msgbatch_{len(self.batches):04}"
            self.batches[name] = {"requests": body["requests"], "polls": 0, "at": time.time()}
        return self.batch(name)

    def batch(self, name: str, *, polled: bool = False) -> dict[str, Any]:
        if (self.lost and polled) or name not in self.batches:
            raise Rejected(f"there is no batch {name}", 404)
        held = self.batches[name]
        held["polls"] += polled
        ended = held["polls"] >= self.polls
        total = len(held["requests"])
        if ended and "results" not in held:
            held["results"] = [self._result(one) for one in held["requests"]]
        counts = {"processing": 0 if ended else total, "succeeded": 0, "errored": 0}
        for one in held.get("results", ()):
            counts[one["result"]["type"]] = counts.get(one["result"]["type"], 0) + 1
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(held["at"]))
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

    def _result(self, one: Mapping[str, Any]) -> dict[str, Any]:
        reply, message = self.answer(one["params"])
        result: dict[str, Any] = {"type": "succeeded", "message": message}
        if reply.status != 200:
            result = {"type": "errored", "error": _error(reply.message, reply.status)}
        return {"custom_id": one["custom_id"], "result": result}

    def results(self, name: str) -> str:
        held = self.batches[name]
        if "results" not in held:
            raise Rejected("the batch has not ended", 404)
        # In no order that anybody may count on.
        return "".join(json.dumps(one) + "\n" for one in reversed(held["results"]))


def tokens(text: str) -> int:
    return len(text) // 4 + 1


# What the real service would refuse ---------------------------------------------------------------


def check_request(body: Body, *, longest: int) -> None:
    unknown = set(body) - _FIELDS
    if unknown:
        raise Rejected(f"{min(unknown)}: Extra inputs are not permitted")
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            raise Rejected(f"{name}: Field required")
    if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
        raise Rejected("max_tokens: must be greater than or equal to 1")
    if tokens(json.dumps(body)) > longest:
        raise Rejected(f"prompt is too long: {tokens(json.dumps(body))} tokens > {longest} maximum")
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        raise Rejected("tool_choice: forced tool use is not supported by this model")
    if json.dumps(body).count('"cache_control"') > 4:
        raise Rejected("A maximum of 4 blocks with cache_control may be provided")
    for tool in body.get("tools", ()):
        if set(tool) - {"name", "description", "input_schema", "strict", "cache_control", "type"}:
            raise Rejected("tools.0: Extra inputs are not permitted")
        _check_schema(tool["input_schema"])
    how = body.get("output_config", {})
    if set(how) - {"format", "effort"} or how.get("effort", "low") not in _EFFORTS:
        raise Rejected("output_config: Extra inputs are not permitted")
    if "format" in how:
        if how["format"].get("type") != "json_schema":
            raise Rejected("output_config.format.type: Input should be 'json_schema'")
        _check_schema(how["format"]["schema"])
    _check_messages(body["messages"])


def _check_schema(schema: Any) -> None:
    if isinstance(schema, bool):
        return
    unknown = set(schema) - _KEYWORDS
    if unknown:
        raise Rejected(f"schema: for '{schema.get('type')}' type, {unknown} are not supported")
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        raise Rejected("schema: 'additionalProperties' must be explicitly set to false")
    for below in (*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()):
        _check_schema(below)
    for below in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        _check_schema(below)
    if "items" in schema:
        _check_schema(schema["items"])


def _check_messages(messages: Sequence[Mapping[str, Any]]) -> None:
    if not messages:
        raise Rejected("messages: at least one message is required")
    if messages[0]["role"] != "user":
        raise Rejected("messages: first message must use the user role")
    waiting: list[str] = []
    for place, message in enumerate(messages):
        if set(message) != {"role", "content"} or message["role"] not in ("user", "assistant"):
            raise Rejected(f"messages.{place}: Extra inputs are not permitted")
        blocks = message["content"]
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        if not blocks:
            raise Rejected(f"messages.{place}: content must be non-empty")
        for block in blocks:
            known = _BLOCKS.get(block.get("type", ""))
            if known is None or set(block) - known:
                raise Rejected(f"messages.{place}.content.0: Extra inputs are not permitted")
            if block["type"] == "text" and not block["text"].strip():
                raise Rejected("messages: text content blocks must be non-empty")
        answered = [one["tool_use_id"] for one in blocks if one["type"] == "tool_result"]
        if waiting and sorted(answered) != sorted(waiting):
            raise Rejected(
                f"messages.{place}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(waiting)}"
            )
        if answered and not waiting:
            raise Rejected(f"messages.{place}: unexpected `tool_use_id` found in `tool_result`")
        if any(one["type"] == "tool_result" for one in blocks[len(answered) :]):
            raise Rejected(f"messages.{place}: tool_result blocks must come first")
        waiting = [one["id"] for one in blocks if one["type"] == "tool_use"]
        if waiting and message["role"] != "assistant":
            raise Rejected(f"messages.{place}: tool_use blocks can only be in assistant messages")
    if waiting:
        raise Rejected("messages: the last `tool_use` has no result")


# HTTP ---------------------------------------------------------------------------------------------


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing: clients that give up are what some tests are about."""


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
            api.calls.append(f"{method} {path or '/'}")
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
                        raise Rejected("not found", 404)
            except Rejected as no:
                self._send(no.status, json.dumps(_error(no.message, no.status)))

        def _check_headers(self, method: str) -> None:
            bearer = self.headers.get("authorization", "")
            if api.key not in (self.headers.get("x-api-key"), bearer.removeprefix("Bearer ")):
                given = self.headers.get("x-api-key") or bearer
                # Some gateways do say it back; nothing of ours may repeat it.
                raise Rejected(f"invalid x-api-key: {given}", 401)
            if not self.headers.get("anthropic-version"):
                raise Rejected("anthropic-version: header is required")
            if method == "POST" and self.headers.get("content-type") != "application/json":
                raise Rejected("content-type: must be application/json", 415)

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
                # Linger for no time: closing sends a reset.
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                os.close(self.connection.detach())
                self.close_connection = True
                return
            self._send(200, text, drip=reply.drip)

        def _begin(self, status: int, length: int, kind: str, more: Mapping[str, str]) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(length))
            self.send_header("request-id", "req_1")
            for name, value in more.items():
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
