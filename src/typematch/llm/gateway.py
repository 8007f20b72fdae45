"""Gateway to Claude: response cache, budgets, usage ledger and structured output.

A cached answer costs nothing and needs neither a key nor the network.  Every other request is
checked against the budgets before it is sent, and its usage is recorded afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from typematch.errors import ClaudeError
from typematch.llm.client import Client, Message, RequestRefusedError, output_schema
from typematch.llm.prices import Price, price_of
from typematch.llm.reply_schema import first_problem, read_turn
from typematch.llm.settings import Settings
from typematch.llm.usage import Usage
from typematch.llm.usage_ledger import UsageLedger
from typematch.search.llm_protocols import StageReport
from typematch.token_count import token_upper_bound

ReplyT = TypeVar("ReplyT", bound=BaseModel)

_DIGEST_BYTES = 20  # 40 hexadecimal digits: within the 64 characters of a batch's custom_id


@dataclass(frozen=True, slots=True)
class Prompt(Generic[ReplyT]):
    """A single-turn request with structured output.

    Attributes:
        stage: the feature that sends it (``rerank``, ``enrich``, ...); the ledger groups by it.
        model: ``small`` for bulk work, ``strong`` for grading and planning.
        system: the system prompt, constant within a stage so that the service can cache it.
        content: the user message; text from the catalog is delimited as data in it.
        reply_type: the pydantic model of the answer.
        max_tokens: limit of output tokens, thinking included.
    """

    stage: str
    model: Literal["small", "strong"]
    system: str
    content: str
    reply_type: type[ReplyT]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of answers: requests sent, answers from the cache, tokens, US dollars."""

    model: str = ""
    requests: int = 0
    cached: int = 0
    usage: Usage = field(default_factory=Usage)
    dollars: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.model or other.model,
            self.requests + other.requests,
            self.cached + other.cached,
            self.usage + other.usage,
            self.dollars + other.dollars,
        )


@dataclass(frozen=True, slots=True)
class GatewayAnswer(Generic[ReplyT]):
    value: ReplyT
    cost: Cost


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """A model's turn in a conversation; ``content`` blocks must be sent back unchanged."""

    content: Sequence[Mapping[str, Any]]
    stop_reason: str
    cost: Cost

    @property
    def tool_calls(self) -> list[Mapping[str, Any]]:
        """The ``tool_use`` blocks: ``id``, ``name`` and ``input``."""
        return [block for block in self.content if block["type"] == "tool_use"]

    @property
    def text(self) -> str:
        return Message(self.content, self.stop_reason, Usage()).text


class Gateway:
    """Sends requests within the user's budgets, ``settings.concurrency`` at a time."""

    def __init__(self, settings: Settings, ledger: UsageLedger, client: Client) -> None:
        self.settings = settings
        self.ledger = ledger
        self.client = client

    def close(self) -> None:
        self.client.close()
        self.ledger.close()

    def model_name(self, size: Literal["small", "strong"]) -> str:
        return self.settings.small_model if size == "small" else self.settings.strong_model

    def ask(self, prompt: Prompt[ReplyT]) -> GatewayAnswer[ReplyT]:
        """Return the answer to a prompt, from the cache or from the service.

        Raises:
            ClaudeError: there is no usable answer.
        """
        digest, model = self.digest(prompt), self.model_name(prompt.model)
        cached = self.cached_answer(prompt, digest)
        if cached is not None:
            return GatewayAnswer(cached, Cost(model, cached=1))
        message, cost = self._send(prompt.stage, model, lambda: self.request_body(prompt))
        cached = answer_of_message(message, prompt)
        self.ledger.cache_text(digest, prompt.stage, model, message.text)
        return GatewayAnswer(cached, cost)

    def cached_answer(self, prompt: Prompt[ReplyT], digest: str) -> ReplyT | None:
        """Return the cached answer; None if there is none or it does not validate."""
        text = self.ledger.cached_text(digest)
        try:
            return None if text is None else parse_answer(prompt.reply_type, text)
        except ClaudeError:
            return None

    def ask_all(
        self, prompts: Sequence[Prompt[ReplyT]]
    ) -> list[GatewayAnswer[ReplyT] | ClaudeError]:
        """Return one answer or error per prompt, in the order of ``prompts``."""

        def ask_or_error(prompt: Prompt[ReplyT]) -> GatewayAnswer[ReplyT] | ClaudeError:
            try:
                return self.ask(prompt)
            except ClaudeError as error:
                return error

        if len(prompts) == 1:
            return [ask_or_error(prompts[0])]
        with ThreadPoolExecutor(self.settings.concurrency) as pool:
            return list(pool.map(ask_or_error, prompts))

    def converse(
        self,
        stage: str,
        *,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        reply_type: type[BaseModel],
        max_tokens: int,
        final: bool = False,
    ) -> AssistantTurn:
        """Return the strong model's next turn: tool calls, or text of type ``reply_type``.

        Args:
            final: forbid tool calls in this turn.

        Raises:
            ClaudeError: there is no usable answer.
        """
        model = self.model_name("strong")
        payload = {
            "messages": messages,
            "tools": tools,
            "system": system,
            "max_tokens": max_tokens,
            "last": final,
        }
        digest = self._digest(stage, model, reply_type, payload)
        text = self.ledger.cached_text(digest)
        cached = None if text is None else read_turn(text)
        if cached is not None:
            return AssistantTurn(*cached, Cost(model, cached=1))

        def build_body() -> dict[str, Any]:
            body = self._request_body(model, system, messages, reply_type, max_tokens)
            # Each step sends the whole conversation again: let the service cache the prefix.
            body |= {"tools": list(tools), "cache_control": {"type": "ephemeral"}}
            return body | {"tool_choice": {"type": "none"}} if final else body

        message, cost = self._send(stage, model, build_body)
        check_stop_reason(message, max_tokens)
        turn = AssistantTurn(message.content, message.stop_reason, cost)
        if turn.tool_calls or _is_answer(reply_type, turn.text):  # a useless turn is asked again
            self.ledger.cache_text(
                digest, stage, model, json.dumps([message.content, message.stop_reason])
            )
        return turn

    # What is sent -----------------------------------------------------------------------------

    def digest(self, prompt: Prompt[Any]) -> str:
        """Return the cache key of a prompt: a digest of everything that is sent."""
        payload = {
            "content": prompt.content,
            "system": prompt.system,
            "max_tokens": prompt.max_tokens,
        }
        return self._digest(prompt.stage, self.model_name(prompt.model), prompt.reply_type, payload)

    def _digest(
        self, stage: str, model: str, reply_type: type[BaseModel], payload: Mapping[str, Any]
    ) -> str:
        settings = self.settings
        key = (
            settings.base_url,
            stage,
            model,
            settings.effort,
            reply_type.model_json_schema(),
            payload,
        )
        text = json.dumps(key, sort_keys=True, ensure_ascii=False)
        return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()

    def request_body(self, prompt: Prompt[Any]) -> dict[str, Any]:
        """Return the request body of a prompt, for a single request or a batch."""
        messages = [{"role": "user", "content": prompt.content}]
        model = self.model_name(prompt.model)
        return self._request_body(
            model, prompt.system, messages, prompt.reply_type, prompt.max_tokens
        )

    def _request_body(
        self,
        model: str,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        reply_type: type[BaseModel],
        max_tokens: int,
    ) -> dict[str, Any]:
        output_config: dict[str, Any] = {
            "format": {"type": "json_schema", "schema": output_schema(reply_type)}
        }
        if self.settings.effort and self.price(model).has_effort:
            output_config["effort"] = self.settings.effort
        return {
            "model": model,
            "max_tokens": max_tokens,
            "system": [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
            "messages": list(messages),
            "output_config": output_config,
        }

    def price(self, model: str) -> Price:
        """Return the price of a model.

        Raises:
            ClaudeError: the price is unknown, so that no budget can be enforced.
        """
        price = price_of(model, self.settings.prices)
        if price is None:
            raise ClaudeError(f"no price is known for {model} (settings: prices)")
        return price

    def _send(
        self, stage: str, model: str, build_body: Callable[[], dict[str, Any]]
    ) -> tuple[Message, Cost]:
        """Check the budgets, send a request, and record its usage in the ledger."""
        if self.settings.problem:
            raise ClaudeError(self.settings.problem)
        price = self.price(model)
        body = build_body()
        worst_case = worst_case_usage(body)
        max_dollars = price.dollars(worst_case)
        settings = self.settings
        if max_dollars > settings.dollars_per_call or worst_case.total > settings.tokens_per_call:
            raise ClaudeError(
                f"one request may cost ${max_dollars:.2f} for {worst_case.total:,} tokens, more "
                f"than dollars_per_call (${settings.dollars_per_call:.2f}) or tokens_per_call "
                f"({settings.tokens_per_call:,})"
            )
        reservation = self.ledger.reserve(stage, model, worst_case, max_dollars, settings)
        try:
            message = self.client.create(body)
        except RequestRefusedError:
            self.ledger.release(reservation)  # a refused request costs nothing
            raise
        dollars = price.dollars(message.usage)
        self.ledger.settle(reservation, message.usage, dollars)
        return message, Cost(model, 1, 0, message.usage, dollars)


def worst_case_usage(body: Mapping[str, Any]) -> Usage:
    """Return an approximate upper bound of a request's tokens.

    All of its text is written to the prompt cache, which is the dearest kind of input, and the
    answer has ``max_tokens``.
    """
    text = json.dumps(body, ensure_ascii=False)
    return Usage(output=int(body["max_tokens"]), cache_write=token_upper_bound(text))


def answer_of_message(message: Message, prompt: Prompt[ReplyT]) -> ReplyT:
    """Return the answer that a message contains.

    Raises:
        ClaudeError: the model declined, the answer was truncated, or it does not validate.
    """
    check_stop_reason(message, prompt.max_tokens)
    return parse_answer(prompt.reply_type, message.text)


def check_stop_reason(message: Message, max_tokens: int) -> None:
    """Raise ClaudeError if the model declined or stopped before the end of its answer."""
    problem = {
        "refusal": "the model declined to answer",
        "max_tokens": f"the answer was truncated at {max_tokens:,} tokens",
        "model_context_window_exceeded": "the request exceeds the model's context window",
    }.get(message.stop_reason)
    if problem is not None:
        raise ClaudeError(problem)


def parse_answer(reply_type: type[ReplyT], text: str) -> ReplyT:
    """Parse an answer's JSON text.

    Raises:
        ClaudeError: it is not valid for ``reply_type``.
    """
    try:
        return reply_type.model_validate_json(text)
    except ValidationError as error:
        raise ClaudeError(
            f"the answer does not match the requested schema ({first_problem(error)})"
        ) from None


def _is_answer(reply_type: type[BaseModel], text: str) -> bool:
    try:
        parse_answer(reply_type, text)
    except ClaudeError:
        return False
    return True


def stage_report(
    stage: str, cost: Cost, *, skipped: str = "", notes: Iterable[str] = ()
) -> StageReport:
    return StageReport(
        stage=stage,
        model=cost.model,
        skipped=skipped,
        notes=tuple(notes),
        requests=cost.requests,
        cached=cost.cached,
        tokens_in=cost.usage.total_input,
        tokens_out=cost.usage.output,
        dollars=cost.dollars,
    )
