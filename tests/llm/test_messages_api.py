"""The simulated service refuses the requests that the real service refuses."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.messages_api import Body, MessagesApi, Reply
from fakes.models import always
from llm.conftest import Serve
from typematch.errors import ClaudeError
from typematch.llm.client import Client
from typematch.llm.settings import Settings

GOOD: Body = {
    "model": "m",
    "max_tokens": 10,
    "messages": [{"role": "user", "content": "x"}],
    "output_config": {
        "format": {
            "type": "json_schema",
            "schema": {"type": "object", "properties": {}, "additionalProperties": False},
        }
    },
}
OPEN = {"type": "json_schema", "schema": {"type": "object"}}
USE = {"type": "tool_use", "id": "t1", "name": "search", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "y"}


def tool_conversation(*blocks: Any) -> Body:
    """Return a conversation in which these blocks answer a tool call."""
    messages = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": list(blocks)},
    ]
    return {**GOOD, "messages": messages}


def with_schema(**keys: Any) -> Body:
    object_schema = {"type": "object", "properties": {"a": {"type": "integer", **keys}}}
    output_format = {
        "type": "json_schema",
        "schema": {**object_schema, "additionalProperties": False},
    }
    return {**GOOD, "output_config": {"format": output_format}}


def send(api: MessagesApi, body: Body) -> str:
    client = Client(Settings(api_key=api.key, base_url=api.url))
    try:
        return client.create(body).text
    finally:
        client.close()


@pytest.mark.parametrize(
    "body", [GOOD, tool_conversation(RESULT), with_schema(description="0 to 10")]
)
def test_valid_requests_are_answered(serve: Serve, body: Body) -> None:
    assert send(serve(always(Reply("fine"))), body) == "fine"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param({**GOOD, "extra_body": {"x": 1}}, "x: Extra inputs", id="unknown field"),
        pytest.param({**GOOD, "max_tokens": 0}, "max_tokens", id="no tokens"),
        pytest.param({**GOOD, "messages": []}, "at least one message", id="no messages"),
        pytest.param(
            {**GOOD, "messages": [{"role": "assistant", "content": "x"}]},
            "user role",
            id="first role",
        ),
        pytest.param(
            {**GOOD, "messages": [{"role": "user", "content": "x" * 900_000}]},
            "prompt is too long",
            id="too long",
        ),
        pytest.param(
            tool_conversation({"type": "text", "text": "y"}),
            "without `tool_result`",
            id="no result",
        ),
        pytest.param(
            tool_conversation({"type": "text", "text": "y"}, RESULT),
            "must come first",
            id="result not first",
        ),
        pytest.param(
            tool_conversation({**RESULT, "tool_use_id": "t2"}),
            "without `tool_result`",
            id="unknown tool_use_id",
        ),
        pytest.param(with_schema(minimum=0), "not supported", id="numeric bound in a schema"),
        pytest.param(
            {**GOOD, "output_config": {"format": OPEN}},
            "additionalProperties",
            id="open object in a schema",
        ),
        pytest.param(
            {**GOOD, "tool_choice": {"type": "any"}}, "forced tool use", id="forced tool use"
        ),
    ],
)
def test_invalid_requests_are_refused(serve: Serve, body: Body, reason: str) -> None:
    with pytest.raises(ClaudeError, match="400") as caught:
        send(serve(always(Reply("fine"))), body)
    assert reason in str(caught.value)
