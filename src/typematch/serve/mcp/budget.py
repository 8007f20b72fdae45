"""Keep an answer within so many tokens, counted as the JSON that is sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from typematch.search.present.token_count import count_tokens, first_tokens
from typematch.search.present.wire_format import Document

Item = TypeVar("Item", bound=BaseModel)

_LEAST_PORTION = 40  # tokens: with fewer nothing can be said of an interface or who has it
_FRAME_TOKENS = 8  # the sign that something was left out, and the ends of lists


def wire(answer: BaseModel) -> Document:
    """Return an answer as it is sent: without fields that say nothing."""
    return answer.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def text_of(document: Document) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


class Budget:
    """What is ``left`` of so many tokens; ``short`` once there was not enough.

    An answer is begun with what it must hold (``frame``), and then takes what there is room for.
    """

    def __init__(self, max_tokens: int, frame: Mapping[str, Any]) -> None:
        self.left = max_tokens - _FRAME_TOKENS - _tokens(frame)
        self.short = False

    def take(self, frame: Mapping[str, Any]) -> None:
        """Take what an inner object must hold."""
        self.left -= _tokens(frame) + 1

    def shared(self, values: Sequence[Document]) -> Iterator[tuple[Document, Budget]]:
        """Yield each value with an equal part of what is left, as long as that says anything.

        What was used of it is taken before the next one.
        """
        for number, value in enumerate(values):
            portion = Budget(self.left // (len(values) - number), {})
            if portion.left < _LEAST_PORTION:
                self.short = True
                return
            before = portion.left
            yield value, portion
            self.left -= before - portion.left
            self.short = self.short or portion.short

    def text(self, name: str, value: str, *, share: float = 1.0) -> str:
        """Return as much of a text as fits into ``share`` of what is left."""
        if not value:
            return ""
        self.left -= count_tokens(name) + 4
        return self._cut(value, int(self.left * share))

    def texts(self, name: str, values: Iterable[str], *, most: int = 300) -> list[str]:
        """Return the texts that fit into a list called ``name``, each cut at ``most`` tokens."""
        self.left -= count_tokens(name) + 5
        taken: list[str] = []
        for value in filter(None, values):
            fitting = self._cut(value, min(most, self.left))
            if not fitting:
                break
            taken.append(fitting)
        return taken

    def items(self, name: str, values: Iterable[Item]) -> list[Item]:
        """Return those of ``values`` that fit, up to the first that does not."""
        self.left -= count_tokens(name) + 5
        taken: list[Item] = []
        for value in values:
            cost = _tokens(wire(value)) + 1
            if cost > self.left:
                self.short = True
                break
            self.left -= cost
            taken.append(value)
        return taken

    def _cut(self, value: str, most: int) -> str:
        """Return the beginning of ``value`` that takes ``most`` tokens, and take them."""
        fitting = value
        if _tokens(value) >= most:
            self.short = True
            fitting = _beginning(value, most)
        self.left -= _tokens(fitting) + 1
        return fitting


def _beginning(value: str, most: int) -> str:
    """Return what of ``value`` takes less than ``most`` tokens in JSON, where signs may be two."""
    room = most - 1
    while room > 0:
        fitting = first_tokens(value, room) + "…"
        over = _tokens(fitting) + 1 - most
        if over <= 0:
            return fitting
        room -= over
    return ""


def _tokens(value: Any) -> int:
    return count_tokens(text_of(value))
