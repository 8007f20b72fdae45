"""Speak to the vendor's service: the one module that knows its SDK, and imports it late.

Every failure leaves as a ``ClaudeError`` that says in half a sentence what went wrong, and holds no
request: that would hold the key.

The SDK's own retries are turned off: they obey any ``retry-after``, be it an hour, and somebody
waits for this search.  ``messages.parse`` is not used either: of an answer that was cut off or
refused it raises before one can see what it did cost.
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
from typematch.llm.usage import Usage
from typematch.search.present.truncate import cut

if TYPE_CHECKING:
    import anthropic
    from pydantic import BaseModel

    from typematch.llm.settings import Settings

T = TypeVar("T")

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 8.0  # seconds between attempts, unless the service says
_AGAIN = frozenset((408, 409, 429))  # beside everything from 500 on
_MOST_SHOWN = 200  # characters of what the service says
_NOT_INSTALLED = "the package anthropic is not installed (pip install anthropic)"


class RequestRefusedError(ClaudeError):
    """The service said no: nothing was done, and nothing is to be paid."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a model answered: blocks as plain data, why it stopped, what it took."""

    content: Sequence[Mapping[str, Any]]
    stop: str
    usage: Usage

    @property
    def text(self) -> str:
        return "".join(str(block["text"]) for block in self.content if block["type"] == "text")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one request of a batch; ``problem`` says why there is no message."""

    name: str
    message: Message | None
    problem: str = ""


def schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    """Return what the service must be told for an answer of this shape."""
    schema: dict[str, Any] = _sdk().transform_schema(shape)
    return schema


class Client:
    """Sends requests; may be used by several threads.  Close it when done.

    Args:
        now, sleep: seconds; a fake clock makes waiting free in tests.
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
        """Send one request; return the model's answer, whatever it is.

        Raises:
            RefusedError: the service said no, at last.
            ClaudeError: the connection failed, or there was no answer in time.
        """
        return _message(self._tried(lambda client: client.messages.create(**body)))

    # Batches ----------------------------------------------------------------------------------

    def create_batch(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Submit (name, body) pairs as one batch; return the service's name of it."""
        listed: Any = [{"custom_id": name, "params": body} for name, body in requests]
        # Never twice: an attempt that seemed to fail may have been heard.
        made = self._tried(lambda client: client.messages.batches.create(requests=listed), most=1)
        return made.id

    def batch_progress(self, name: str) -> tuple[int, int, bool]:
        """Return how many requests are done, of how many, and whether the batch has ended."""
        found = self._tried(lambda client: client.messages.batches.retrieve(name))
        counts = found.request_counts
        done = counts.succeeded + counts.errored + counts.canceled + counts.expired
        return done, done + counts.processing, found.processing_status == "ended"

    def batch_results(self, name: str) -> list[Result]:
        """Return what became of every request of a batch that has ended, in no order."""
        return self._tried(
            lambda client: [
                _result(one.custom_id, one.result, self._settings)
                for one in client.messages.batches.results(name)
            ]
        )

    def batches_since(self, at: float, requests: int) -> list[str]:
        """Return the names of batches of so many requests, made at ``at`` or later."""

        def named(client: anthropic.Anthropic) -> list[str]:
            found = []
            for one in client.messages.batches.list(limit=100):
                if one.created_at.timestamp() < at:
                    break
                counts = one.request_counts
                total = counts.processing + counts.succeeded + counts.errored
                if total + counts.canceled + counts.expired == requests:
                    found.append(one.id)
            return found

        return self._tried(named)

    # Sending --------------------------------------------------------------------------------------

    def _tried(self, send: Callable[[anthropic.Anthropic], T], *, most: int | None = None) -> T:
        """Return what ``send`` gives, within the time that one answer may take."""
        if self._settings.problem:
            raise ClaudeError(self._settings.problem)
        client = self._opened()
        end = self._now() + self._settings.timeout_seconds
        most = most or self._settings.attempts
        for attempt in range(1, most + 1):
            left = end - self._now()
            try:
                # No cause is kept: it would hold the request, and the request holds the key.
                with self._sentences(attempt):
                    timed = client.with_options(timeout=max(left, 0.1))
                    return _bounded(lambda: send(timed), left)  # noqa: B023 - done with in here
            except _Transient as error:
                wait = error.wait
                if wait is None:
                    wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (attempt - 1))
                    wait *= 1 - random.random() / 4
                if attempt == most:
                    raise error.last from None
                if self._now() + wait >= end:
                    told = f"{error.last.what}, and asks to wait {wait:,.0f} seconds"
                    raise type(error.last)(told) from None
                self._sleep(wait)
        raise AssertionError("there is at least one attempt")

    def _opened(self) -> anthropic.Anthropic:
        with self._lock:
            if self._client is None:
                settings = self._settings
                self._client = _sdk().Anthropic(
                    # Given explicitly, so that the SDK looks for no others.
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
    def _sentences(self, attempt: int) -> Iterator[None]:
        """Turn the SDK's errors into ours; those worth another attempt into ``_Transient``."""
        sdk = _sdk()
        tries = f" ({attempt} attempts)" if attempt > 1 else ""
        late = f"there was no answer within {self._settings.timeout_seconds:g} seconds"
        try:
            yield
        except (TimeoutError, sdk.APITimeoutError):
            raise ClaudeError(late) from None
        except sdk.APIStatusError as error:
            refused = RequestRefusedError(self._told(error) + tries)
            again = error.response.headers.get("x-should-retry", "")
            worth = error.status_code in _AGAIN or error.status_code >= 500
            if again == "true" or (worth and again != "false"):
                raise _Transient(refused, _asked_wait(error.response.headers)) from None
            raise refused from None
        except sdk.APIConnectionError:
            raise _Transient(ClaudeError(f"the connection failed{tries}"), None) from None
        except (sdk.AnthropicError, ValueError, TypeError) as error:
            told = _shown(str(error), self._settings)
            raise ClaudeError(f"the answer cannot be read: {told}") from None

    def _told(self, error: anthropic.APIStatusError) -> str:
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
                said = _shown(error.api_message or "", self._settings)
                return f"the request was refused ({status}{': ' if said else ''}{said})"


class _Transient(Exception):  # noqa: N818 - no error: another attempt may do
    def __init__(self, last: ClaudeError, wait: float | None) -> None:
        super().__init__()
        self.last = last
        self.wait = wait


def _sdk() -> Any:
    try:
        import anthropic
    except ImportError:
        raise ClaudeError(_NOT_INSTALLED) from None
    return anthropic


def _message(told: anthropic.types.Message) -> Message:
    content = [block.to_dict(mode="json") for block in told.content]
    usage = Usage(
        told.usage.input_tokens or 0,
        told.usage.output_tokens or 0,
        told.usage.cache_creation_input_tokens or 0,
        told.usage.cache_read_input_tokens or 0,
    )
    return Message(content, told.stop_reason or "", usage)


def _result(name: str, told: Any, settings: Settings) -> Result:
    if told.type == "succeeded":
        return Result(name, _message(told.message))
    if told.type == "errored":
        return Result(name, None, _shown(str(told.error.error.message), settings))
    return Result(name, None, told.type)


def _bounded(call: Callable[[], T], seconds: float) -> T:
    """Return what ``call`` gives, or raise TimeoutError.

    A timeout of the connection counts from byte to byte: a server that drips would never meet it.
    """
    given: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    def run() -> None:
        try:
            given.put((True, call()))
        except BaseException as error:
            given.put((False, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        good, value = given.get(timeout=max(seconds, 0.001))
    except queue.Empty:
        raise TimeoutError from None
    if not good:
        raise value
    result: T = value
    return result


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds the service asks to wait; None where it does not say."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError, TypeError):
        return None


def _shown(text: str, settings: Settings) -> str:
    """Return in a line what the service says, the key taken out before it could be cut in two."""
    return cut(settings.hidden(text), _MOST_SHOWN)
