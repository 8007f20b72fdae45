"""What the service must reply, read without trust: a gateway may answer with anything.

The SDK checks nothing: for HTML it returns a string, for wrong fields it builds objects with wrong
values.  Replies are therefore read here, from their bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError

from typematch.errors import ClaudeError

ReplyT = TypeVar("ReplyT", bound=BaseModel)

_REQUIRED_FIELDS: Mapping[str, Mapping[str, type]] = {
    "text": {"text": str},
    "tool_use": {"id": str, "name": str, "input": dict},
}


def _checked_block(block: dict[str, Any]) -> dict[str, Any]:
    kind = block.get("type")
    if not isinstance(kind, str):
        raise ValueError("a content block has no type")
    for name, expected in _REQUIRED_FIELDS.get(kind, {}).items():
        if not isinstance(block.get(name), expected):
            raise ValueError(f"a {kind} block has no valid {name}")
    return block


Block = Annotated[dict[str, Any], AfterValidator(_checked_block)]
_Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
_BatchId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,200}$")]


class UsageReply(BaseModel):
    input_tokens: _Count
    output_tokens: _Count
    cache_creation_input_tokens: _Count | None = None
    cache_read_input_tokens: _Count | None = None


class MessageReply(BaseModel):
    """``content`` keeps every field of its blocks: they are sent back unchanged."""

    content: list[Block]
    stop_reason: str | None = None
    usage: UsageReply


class RequestCountsReply(BaseModel):
    processing: _Count
    succeeded: _Count
    errored: _Count
    canceled: _Count
    expired: _Count


class BatchReply(BaseModel):
    id: _BatchId
    processing_status: str
    request_counts: RequestCountsReply
    created_at: datetime


class BatchPageReply(BaseModel):
    data: list[BatchReply]
    has_more: bool = False


class BatchResultReply(BaseModel):
    """One line of a batch's results; ``result`` is read by ``result_message``."""

    custom_id: str
    result: Any


_TURN = TypeAdapter(tuple[list[Block], str])


def read_reply(reply_type: type[ReplyT], body: bytes | str) -> ReplyT:
    """Read a reply of the service.

    Raises:
        ClaudeError: it is not JSON, or not of ``reply_type``.
    """
    try:
        return reply_type.model_validate_json(body)
    except ValidationError as error:
        raise ClaudeError(f"the answer cannot be read: {first_problem(error)}") from None


def read_results(body: str) -> list[BatchResultReply]:
    """Read the results of a batch, one per line; lines that are not results are left out.

    Raises:
        ClaudeError: no line is a result.
    """
    results: list[BatchResultReply] = []
    problem = ClaudeError("the answer cannot be read: the batch has no results")
    for line in body.split("\n"):
        if line.strip():
            try:
                results.append(read_reply(BatchResultReply, line))
            except ClaudeError as error:
                problem = error
    if not results:
        raise problem
    return results


def result_message(result: Any) -> MessageReply | str:
    """Return the message of a batch's result, or why there is none."""
    fields = result if isinstance(result, dict) else {}
    if fields.get("type") == "succeeded":
        try:
            return MessageReply.model_validate(fields.get("message"))
        except ValidationError as error:
            return f"the answer cannot be read: {first_problem(error)}"
    reason: Any = fields
    for name in ("error", "error", "message"):
        reason = reason.get(name) if isinstance(reason, dict) else None
    return reason if isinstance(reason, str) and reason else str(fields.get("type") or "no result")


def read_turn(text: str) -> tuple[Sequence[Mapping[str, Any]], str] | None:
    """Read a cached turn: content blocks and stop reason; None if it is not one."""
    try:
        return _TURN.validate_json(text)
    except ValidationError:
        return None


def first_problem(error: ValidationError) -> str:
    """Return the first problem of a reply and its place, without the reply's own text."""
    first = error.errors(include_url=False, include_input=False)[0]
    position = ".".join(map(str, first["loc"])) or "the beginning"
    return f"{first['msg']} at {position}"
