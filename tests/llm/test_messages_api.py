"""The simulated service refuses what the real one refuses: else other tests would mean little."""

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


def talk(*blocks: Any) -> Body:
    """A conversation in which these blocks answer the use of a tool."""
    said = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": list(blocks)},
    ]
    return {**GOOD, "messages": said}


def schema(**keys: Any) -> Body:
    made = {"type": "object", "properties": {"a": {"type": "integer", **keys}}}
    told = {"type": "json_schema", "schema": {**made, "additionalProperties": False}}
    return {**GOOD, "output_config": {"format": told}}


def send(api: MessagesApi, body: Body) -> str:
    client = Client(Settings(api_key=api.key, base_url=api.url))
    try:
        return client.create(body).text
    finally:
        client.close()


@pytest.mark.parametrize("body", [GOOD, talk(RESULT), schema(description="0 to 10")])
def test_what_is_right_is_answered(serve: Serve, body: Body) -> None:
    assert send(serve(always(Reply("fine"))), body) == "fine"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param({**GOOD, "extra_body": {"x": 1}}, "x: Extra inputs", id="an unknown field"),
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
        pytest.param(talk({"type": "text", "text": "y"}), "without `tool_result`", id="no result"),
        pytest.param(
            talk({"type": "text", "text": "y"}, RESULT), "must come first", id="a result too late"
        ),
        pytest.param(
            talk({**RESULT, "tool_use_id": "t2"}), "without `tool_result`", id="another's result"
        ),
        pytest.param(schema(minimum=0), "not supported", id="a bound in a schema"),
        pytest.param(
            {**GOOD, "output_config": {"format": OPEN}},
            "additionalProperties",
            id="an open object",
        ),
        pytest.param({**GOOD, "tool_choice": {"type": "any"}}, "forced tool use", id="forced"),
    ],
)
def test_what_is_wrong_is_refused(serve: Serve, body: Body, why: str) -> None:
    with pytest.raises(ClaudeError, match="400") as caught:
        send(serve(always(Reply("fine"))), body)
    assert why in str(caught.value)
