"""The one gateway to Claude: what a question is, what it may cost, and what an answer must be.

An answer that is kept costs nothing and needs neither key nor network.  Of the others each is
allowed by the budgets before it is sent, and accounted for afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from typematch.errors import ClaudeError
from typematch.llm.client import Client, Message, RequestRefusedError, schema_of
from typematch.llm.prices import Price, price_of
from typematch.llm.settings import Settings
from typematch.llm.usage import Usage, most_tokens
from typematch.llm.usage_ledger import UsageLedger

Shape = TypeVar("Shape", bound=BaseModel)

_DIGEST_BYTES = 20  # 40 hexadecimal digits: fit to name a request of a batch


@dataclass(frozen=True, slots=True)
class Prompt(Generic[Shape]):
    """A question to a model.

    Attributes:
        stage: which of ours asks, for the accounts.
        model: the small one for bulk, the strong one for judgement.
        system: what is the same in every question of a stage; the service caches it.
        content: the question, with what others wrote delimited in it.
        shape: what the answer must be.
        max_tokens: of the answer, thinking included.
    """

    stage: str
    model: Literal["small", "strong"]
    system: str
    content: str
    shape: type[Shape]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What answers did cost: requests sent, answers that were there already, tokens, dollars."""

    model: str = ""
    requests: int = 0
    kept: int = 0
    usage: Usage = field(default_factory=Usage)
    dollars: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.model or other.model,
            self.requests + other.requests,
            self.kept + other.kept,
            self.usage + other.usage,
            self.dollars + other.dollars,
        )


@dataclass(frozen=True, slots=True)
class GatewayAnswer(Generic[Shape]):
    value: Shape
    bill: Cost


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """What a model said in a conversation, as blocks that are to be sent back unchanged."""

    content: Sequence[Mapping[str, Any]]
    stop: str
    bill: Cost

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        """The tools that it wants used: ``id``, ``name`` and ``input``."""
        return [block for block in self.content if block["type"] == "tool_use"]

    @property
    def text(self) -> str:
        return Message(self.content, self.stop, Usage()).text


class Gateway:
    """Asks within the user's settings, a bounded number of questions at once."""

    def __init__(self, settings: Settings, accounts: UsageLedger, client: Client) -> None:
        self.settings = settings
        self.accounts = accounts
        self.client = client

    def close(self) -> None:
        self.client.close()
        self.accounts.close()

    def model(self, size: Literal["small", "strong"]) -> str:
        return self.settings.small_model if size == "small" else self.settings.strong_model

    def ask(self, prompt: Prompt[Shape]) -> GatewayAnswer[Shape]:
        """Return the answer, kept or new.

        Raises:
            ClaudeError: there is none.
        """
        digest, model = self.digest(prompt), self.model(prompt.model)
        value = self.kept(prompt, digest)
        if value is not None:
            return GatewayAnswer(value, Cost(model, kept=1))
        message, bill = self._send(prompt.stage, model, lambda: self.body(prompt))
        value = answer_in(message, prompt)
        self.accounts.keep(digest, prompt.stage, model, message.text)
        return GatewayAnswer(value, bill)

    def kept(self, prompt: Prompt[Shape], digest: str) -> Shape | None:
        """Return the answer that is there already; None for none, or for one of another form."""
        text = self.accounts.kept(digest)
        try:
            return None if text is None else shaped(prompt.shape, text)
        except ClaudeError:
            return None

    def ask_all(self, prompts: Sequence[Prompt[Shape]]) -> list[GatewayAnswer[Shape] | ClaudeError]:
        """Return an answer to each, or why there is none; in the order of ``prompts``."""

        def one(prompt: Prompt[Shape]) -> GatewayAnswer[Shape] | ClaudeError:
            try:
                return self.ask(prompt)
            except ClaudeError as error:
                return error

        if len(prompts) == 1:
            return [one(prompts[0])]
        with ThreadPoolExecutor(self.settings.concurrency) as pool:
            return list(pool.map(one, prompts))

    def converse(
        self,
        stage: str,
        *,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        shape: type[BaseModel],
        max_tokens: int,
        last: bool = False,
    ) -> AssistantTurn:
        """Return the strong model's next turn: tools to be used, or text of the given shape.

        ``last`` allows no tools any more.

        Raises:
            ClaudeError: there is none.
        """
        model = self.model("strong")
        said = {
            "messages": messages,
            "tools": tools,
            "system": system,
            "max_tokens": max_tokens,
            "last": last,
        }
        digest = self._digest(stage, model, shape, said)
        text = self.accounts.kept(digest)
        if text is not None:
            content, stop = json.loads(text)
            return AssistantTurn(content, stop, Cost(model, kept=1))

        def body() -> dict[str, Any]:
            made = self._body(model, system, messages, shape, max_tokens)
            # What was said so far is read again with every step: the service keeps it too.
            made |= {"tools": list(tools), "cache_control": {"type": "ephemeral"}}
            return made | {"tool_choice": {"type": "none"}} if last else made

        message, bill = self._send(stage, model, body)
        check_end(message, max_tokens)
        self.accounts.keep(digest, stage, model, json.dumps([message.content, message.stop]))
        return AssistantTurn(message.content, message.stop, bill)

    # What is sent -----------------------------------------------------------------------------

    def digest(self, prompt: Prompt[Any]) -> str:
        """Return what an answer is kept under: the digest of all that is sent."""
        said = {
            "content": prompt.content,
            "system": prompt.system,
            "max_tokens": prompt.max_tokens,
        }
        return self._digest(prompt.stage, self.model(prompt.model), prompt.shape, said)

    def _digest(
        self, stage: str, model: str, shape: type[BaseModel], said: Mapping[str, Any]
    ) -> str:
        settings = self.settings
        told = (
            settings.base_url, stage, model, settings.effort, shape.model_json_schema(), said,
        )  # fmt: skip
        text = json.dumps(told, sort_keys=True, ensure_ascii=False)
        return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()

    def body(self, prompt: Prompt[Any]) -> dict[str, Any]:
        """Return the request for a prompt, to be sent alone or in a batch."""
        messages = [{"role": "user", "content": prompt.content}]
        model = self.model(prompt.model)
        return self._body(model, prompt.system, messages, prompt.shape, prompt.max_tokens)

    def _body(
        self,
        model: str,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        shape: type[BaseModel],
        max_tokens: int,
    ) -> dict[str, Any]:
        how: dict[str, Any] = {"format": {"type": "json_schema", "schema": schema_of(shape)}}
        if self.settings.effort and self.price(model).has_effort:
            how["effort"] = self.settings.effort
        return {
            "model": model,
            "max_tokens": max_tokens,
            "system": [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
            "messages": list(messages),
            "output_config": how,
        }

    def price(self, model: str) -> Price:
        """Return what a model costs.

        Raises:
            ClaudeError: nobody said; no budget could be held.
        """
        price = price_of(model, self.settings.prices)
        if price is None:
            raise ClaudeError(f"no price is known for {model} (settings: prices)")
        return price

    def _send(
        self, stage: str, model: str, made: Callable[[], dict[str, Any]]
    ) -> tuple[Message, Cost]:
        """Send a request within the budgets, and account for it."""
        if self.settings.problem:
            raise ClaudeError(self.settings.problem)
        price = self.price(model)
        body = made()
        most = most_of(body)
        dollars = price.dollars(most)
        settings = self.settings
        if dollars > settings.dollars_per_call or most.total > settings.tokens_per_call:
            raise ClaudeError(
                f"one request may cost ${dollars:.2f} for {most.total:,} tokens, over the budget "
                f"of ${settings.dollars_per_call:.2f} and {settings.tokens_per_call:,}"
            )
        number = self.accounts.reserve(stage, model, most, dollars, settings)
        try:
            message = self.client.create(body)
        except RequestRefusedError:
            self.accounts.release(number)  # what was refused costs nothing
            raise
        paid = price.dollars(message.usage)
        self.accounts.settle(number, message.usage, paid)
        return message, Cost(model, 1, 0, message.usage, paid)


def most_of(body: Mapping[str, Any]) -> Usage:
    """Return the most tokens that a request may take."""
    return Usage(most_tokens(json.dumps(body, ensure_ascii=False)), int(body["max_tokens"]))


def answer_in(message: Message, prompt: Prompt[Shape]) -> Shape:
    """Return the answer to ``prompt`` that a message holds.

    Raises:
        ClaudeError: it holds none: refused, cut off, or not of the form that was asked for.
    """
    check_end(message, prompt.max_tokens)
    return shaped(prompt.shape, message.text)


def check_end(message: Message, max_tokens: int) -> None:
    """Raise ClaudeError where a model did not come to the end of its answer."""
    why = {
        "refusal": "the model declined to answer",
        "max_tokens": f"the answer was cut off at {max_tokens:,} tokens",
        "model_context_window_exceeded": "the question is too long for the model",
    }.get(message.stop)
    if why is not None:
        raise ClaudeError(why)


def shaped(shape: type[Shape], text: str) -> Shape:
    """Return an answer's text as a value.

    Raises:
        ClaudeError: it is not of that form.
    """
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the beginning"
        raise ClaudeError(
            f"the answer is not of the form that was asked for ({first['msg']} at {place})"
        ) from None
