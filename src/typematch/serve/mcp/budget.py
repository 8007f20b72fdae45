"""Token budget of one answer, counted as the JSON that is sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from typematch.control_characters import escape_controls
from typematch.search.present.wire_format import Document
from typematch.token_count import count_tokens, first_tokens

Item = TypeVar("Item", bound=BaseModel)

_MIN_PORTION = 40  # tokens; an interface or an implementation with fewer has no room for content
_MAX_TEXT = 300  # tokens of a text in a list
_FRAME_TOKENS = 8  # of ``truncated`` and the ends of lists


def answer_document(answer: BaseModel) -> Document:
    """Return an answer as it is sent: without keys that have their default value."""
    return answer.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def to_json(document: Document) -> str:
    return escape_controls(json.dumps(document, ensure_ascii=False, separators=(",", ":")))


class Budget:
    """Tokens that are left of ``max_tokens``.

    The required keys (``frame``) are subtracted first; then the optional ones are added in order
    of importance as far as they fit.  ``is_exceeded`` becomes true when something was left out.
    """

    def __init__(self, max_tokens: int, frame: Mapping[str, Any]) -> None:
        self.left = max_tokens - _FRAME_TOKENS - _json_tokens(frame)
        self.is_exceeded = False

    def subtract(self, frame: Mapping[str, Any]) -> None:
        """Subtract the required keys of an inner object."""
        self.left -= _json_tokens(frame) + 1

    def portions(self, values: Sequence[Document]) -> Iterator[tuple[Document, Budget]]:
        """Yield each value with an equal portion of the rest, until portions get too small.

        What the caller used of a portion is subtracted before the next one is yielded.
        """
        for index, value in enumerate(values):
            portion = Budget(self.left // (len(values) - index), {})
            if portion.left < _MIN_PORTION:
                self.is_exceeded = True
                return
            initial = portion.left
            yield value, portion
            self.left -= initial - portion.left
            self.is_exceeded = self.is_exceeded or portion.is_exceeded

    def text(self, key: str, value: str, *, share: float = 1.0) -> str:
        """Return the beginning of a text that fits in ``share`` of the rest.

        An empty text takes no tokens: it is the default of its field, so it is not sent.
        """
        if not value:
            return ""
        self.left -= count_tokens(key) + 4
        return self._truncated(value, int(self.left * share))

    def texts(self, key: str, values: Iterable[str], *, max_tokens: int | None = None) -> list[str]:
        """Return the texts that fit in a list, together at most ``max_tokens``.

        A long text is cut at its end.
        """
        least = self._least(max_tokens)
        self.left -= count_tokens(key) + 5
        fitting: list[str] = []
        for value in filter(None, values):
            text = self._truncated(value, min(_MAX_TEXT, self.left - least))
            if not text:
                break
            fitting.append(text)
        return fitting

    def items(
        self, key: str, values: Iterable[Item], *, max_tokens: int | None = None
    ) -> list[Item]:
        """Return ``values`` up to the first that does not fit; together at most ``max_tokens``."""
        least = self._least(max_tokens)
        self.left -= count_tokens(key) + 5
        fitting: list[Item] = []
        for value in values:
            tokens = _json_tokens(answer_document(value)) + 1
            if tokens > self.left - least:
                self.is_exceeded = True
                break
            self.left -= tokens
            fitting.append(value)
        return fitting

    def _least(self, max_tokens: int | None) -> int:
        """Return what a list of ``max_tokens`` leaves at least; None: it may take everything."""
        return 0 if max_tokens is None else max(0, self.left - max_tokens)

    def _truncated(self, value: str, max_tokens: int) -> str:
        """Return the beginning of ``value`` that has ``max_tokens``, and subtract its tokens."""
        text = value
        if _json_tokens(value) >= max_tokens:
            self.is_exceeded = True
            text = _beginning(value, max_tokens)
        self.left -= _json_tokens(text) + 1
        return text


def _beginning(value: str, max_tokens: int) -> str:
    """Return the beginning of ``value`` with fewer than ``max_tokens`` as JSON.

    JSON escapes add tokens, so the text is shortened until it fits.
    """
    room = max_tokens - 1
    while room > 0:
        text = first_tokens(value, room) + "…"
        excess = _json_tokens(text) + 1 - max_tokens
        if excess <= 0:
            return text
        room -= excess
    return ""


def _json_tokens(value: Any) -> int:
    return count_tokens(to_json(value))
