"""Client of the Messages and Batches APIs: the only module that imports the vendor's SDK, lazily.

Every failure is raised as a ``ClaudeError`` with a short message.  The error keeps no reference to
the request, because the request holds the key.

The SDK's retries are turned off: they honour any ``retry-after``, even an hour, while a user waits
for the search.  ``messages.parse`` is not used: for a truncated or refused answer it raises before
the usage can be read.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar

from typematch.errors import ClaudeError
from typematch.llm.reply_schema import (
    BatchPageReply,
    BatchReply,
    MessageReply,
    read_reply,
    read_results,
    result_message,
)
from typematch.llm.usage import Usage
from typematch.search.present.truncate import truncate_line

if TYPE_CHECKING:
    import anthropic
    from pydantic import BaseModel

    from typematch.llm.settings import Settings

T = TypeVar("T")

_FIRST_BACKOFF, _MAX_BACKOFF = 0.5, 8.0  # seconds, unless the service sends retry-after
_RETRYABLE_STATUSES = frozenset((408, 409, 429))  # and every status from 500 up
_MAX_MESSAGE = 200  # characters of a message from the service
_MAX_PAGES = 100  # of the list of batches, 100 batches each
_NOT_INSTALLED = "the package anthropic is not installed (pip install anthropic)"


class RequestRefusedError(ClaudeError):
    """The service refused the request; nothing was done and nothing is charged."""


@dataclass(frozen=True, slots=True)
class Message:
    """A model's answer: content blocks as plain data, stop reason, token usage."""

    content: Sequence[Mapping[str, Any]]
    stop_reason: str
    usage: Usage

    @property
    def text(self) -> str:
        return "".join(str(block["text"]) for block in self.content if block["type"] == "text")


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Result of one request of a batch; ``error`` says why there is no message."""

    custom_id: str
    message: Message | None
    error: str = ""


def output_schema(reply_type: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of an answer type, in the subset that the service supports."""
    schema: dict[str, Any] = _sdk().transform_schema(reply_type)
    return schema


class Client:
    """Sends requests with retries; safe for several threads.  Must be closed.

    Args:
        now, sleep: clock and sleep, in seconds; tests pass a fake clock.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings
        self._now = now
        self._sleep = sleep
        self._lock = threading.Lock()
        self._client: anthropic.Anthropic | None = None

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def create(self, body: Mapping[str, Any]) -> Message:
        """Send one request; return the model's answer, whatever its stop reason.

        Raises:
            RequestRefusedError: the service refused every attempt.
            ClaudeError: the connection failed, or the time limit was reached.
        """
        raw = self._with_retries(
            lambda client: client.messages.with_raw_response.create(**body).read()
        )
        return _message(read_reply(MessageReply, raw))

    # Batches ----------------------------------------------------------------------------------

    def create_batch(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Submit (custom id, body) pairs as one batch; return the batch's id."""
        items: Any = [{"custom_id": custom_id, "params": body} for custom_id, body in requests]
        # One attempt: an attempt that seems to fail may have created the batch.
        raw = self._with_retries(
            lambda client: client.messages.batches.with_raw_response.create(requests=items).read(),
            attempts=1,
        )
        return read_reply(BatchReply, raw).id

    def batch_progress(self, batch_id: str) -> tuple[int, int, bool]:
        """Return the numbers of finished and of all requests, and whether the batch has ended."""
        raw = self._with_retries(
            lambda client: client.messages.batches.with_raw_response.retrieve(batch_id).read()
        )
        batch = read_reply(BatchReply, raw)
        done, total = _request_counts(batch)
        return done, total, batch.processing_status == "ended"

    def batch_results(self, batch_id: str) -> list[BatchResult]:
        """Return the results of a batch that has ended, in no particular order."""
        # Not by the address that a reply names: the key is sent with the request.
        path = f"/v1/messages/batches/{batch_id}/results"
        text = self._with_retries(lambda client: client.get(path, cast_to=str))
        return [
            _batch_result(line.custom_id, result_message(line.result), self._settings)
            for line in read_results(text)
        ]

    def batches_since(self, since: float, request_count: int) -> list[str]:
        """Return the ids of batches with ``request_count`` requests created at ``since`` or later.

        Args:
            since: seconds since 1970.
        """
        ids: list[str] = []
        after: dict[str, object] = {}
        for _ in range(_MAX_PAGES):
            page = read_reply(BatchPageReply, self._batch_page(after))
            for batch in page.data:
                if batch.created_at.timestamp() < since:
                    return ids
                if _request_counts(batch)[1] == request_count:
                    ids.append(batch.id)
            if not page.has_more or not page.data or page.data[-1].id == after.get("after_id"):
                break
            after = {"after_id": page.data[-1].id}
        return ids

    def _batch_page(self, after: Mapping[str, object]) -> bytes:
        return self._with_retries(
            lambda client: client.messages.batches.with_raw_response.list(
                limit=100, extra_query=after
            ).read()
        )

    # Sending --------------------------------------------------------------------------------------

    def _with_retries(
        self, send: Callable[[anthropic.Anthropic], T], *, attempts: int | None = None
    ) -> T:
        """Call ``send``, with exponential backoff between attempts, within the time limit."""
        if self._settings.problem:
            raise ClaudeError(self._settings.problem)
        client = self._sdk_client()
        deadline = self._now() + self._settings.timeout_seconds
        attempts = attempts or self._settings.attempts
        for attempt in range(1, attempts + 1):
            remaining = deadline - self._now()
            try:
                # No cause is chained: it references the request, which holds the key.
                with self._translated_errors(attempt):
                    timed = client.with_options(timeout=max(remaining, 0.1))
                    return _with_timeout(lambda: send(timed), remaining)  # noqa: B023 - not used after this iteration
            except _RetryableError as error:
                wait = error.retry_after
                if wait is None:
                    wait = min(_MAX_BACKOFF, _FIRST_BACKOFF * 2 ** (attempt - 1))
                    wait *= 1 - random.random() / 4
                if attempt == attempts:
                    raise error.error from None
                if self._now() + wait >= deadline:
                    message = f"{error.error.what}, retry-after {wait:,.0f} seconds"
                    raise type(error.error)(message) from None
                self._sleep(wait)
        raise AssertionError("there is at least one attempt")

    def _sdk_client(self) -> anthropic.Anthropic:
        with self._lock:
            if self._client is None:
                settings = self._settings
                self._client = _sdk().Anthropic(
                    # Passed explicitly, so that the SDK does not read the environment.
                    **(
                        {"api_key": settings.api_key}
                        if settings.api_key
                        else {"auth_token": settings.auth_token}
                    ),
                    base_url=settings.base_url or None,
                    max_retries=0,
                )
            return self._client

    @contextmanager
    def _translated_errors(self, attempt: int) -> Iterator[None]:
        """Raise SDK errors as ClaudeError, and those worth a retry as ``_RetryableError``."""
        sdk = _sdk()
        suffix = f" ({attempt} attempts)" if attempt > 1 else ""
        timeout_message = f"there was no answer within {self._settings.timeout_seconds:g} seconds"
        try:
            yield
        except (TimeoutError, sdk.APITimeoutError):
            raise ClaudeError(timeout_message) from None
        except sdk.APIStatusError as error:
            refused = RequestRefusedError(self._status_text(error) + suffix)
            should_retry = error.response.headers.get("x-should-retry", "")
            is_retryable = error.status_code in _RETRYABLE_STATUSES or error.status_code >= 500
            if should_retry == "true" or (is_retryable and should_retry != "false"):
                raise _RetryableError(refused, _retry_after(error.response.headers)) from None
            raise refused from None
        except sdk.APIConnectionError:
            raise _RetryableError(ClaudeError(f"the connection failed{suffix}"), None) from None
        except (sdk.AnthropicError, ValueError, TypeError, AttributeError, LookupError) as error:
            message = _redacted_message(str(error), self._settings)
            raise ClaudeError(f"the answer cannot be read: {message}") from None

    def _status_text(self, error: anthropic.APIStatusError) -> str:
        status = error.status_code
        match status:
            case 401:
                return "the key was refused (401)"
            case 403:
                return "the key may not do this (403)"
            case 429:
                return "there were too many requests (429)"
            case 529:
                return "the service is overloaded (529)"
            case _ if status >= 500:
                return f"the service failed ({status})"
            case _:
                message = _redacted_message(str(error.api_message or ""), self._settings)
                return f"the request was refused ({status}{': ' if message else ''}{message})"


class _RetryableError(Exception):
    def __init__(self, error: ClaudeError, retry_after: float | None) -> None:
        super().__init__()
        self.error = error
        self.retry_after = retry_after


def _sdk() -> Any:
    try:
        import anthropic
    except ImportError:
        raise ClaudeError(_NOT_INSTALLED) from None
    return anthropic


def _message(reply: MessageReply) -> Message:
    usage = Usage(
        reply.usage.input_tokens,
        reply.usage.output_tokens,
        reply.usage.cache_creation_input_tokens or 0,
        reply.usage.cache_read_input_tokens or 0,
    )
    return Message(reply.content, reply.stop_reason or "", usage)


def _request_counts(batch: BatchReply) -> tuple[int, int]:
    """Return the numbers of finished and of all requests of a batch."""
    counts = batch.request_counts
    done = counts.succeeded + counts.errored + counts.canceled + counts.expired
    return done, done + counts.processing


def _batch_result(custom_id: str, message: MessageReply | str, settings: Settings) -> BatchResult:
    if isinstance(message, MessageReply):
        return BatchResult(custom_id, _message(message))
    return BatchResult(custom_id, None, _redacted_message(message, settings))


def _with_timeout(call: Callable[[], T], seconds: float) -> T:
    """Return the result of ``call``, or raise TimeoutError.

    The connection's own timeout restarts with every byte, so a slow stream would never reach it.
    """
    outcome: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    def run() -> None:
        try:
            outcome.put((True, call()))
        except BaseException as error:
            outcome.put((False, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        is_result, value = outcome.get(timeout=max(seconds, 0.001))
    except queue.Empty:
        raise TimeoutError from None
    if not is_result:
        raise value
    result: T = value
    return result


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait from the retry-after headers; None without them."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError, TypeError):
        return None


def _redacted_message(text: str, settings: Settings) -> str:
    """Return a message as one line; the key is removed before the text is cut."""
    return truncate_line(settings.redacted(text), _MAX_MESSAGE)
