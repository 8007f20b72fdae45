"""Say what an operation's documentation says, and types as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.module import Doc
from typematch.ir.render import render
from typematch.ir.types import EMPTY_OBJECT, Named, Object, Type
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.models import Media, Operation

_MOST_TEXT = 2_000  # characters of a type in a signature's text
_CUT = Named(("...",))


@dataclass(frozen=True, slots=True)
class ResponseDoc:
    """What is said of a response, cleaned; ``type`` is what it holds as text."""

    status: str
    said: str
    type: str
    headers: tuple[tuple[str, str], ...] = ()
    example: str = ""

    @property
    def good(self) -> bool:
        return self.status.startswith("2")


def doc_of(
    operation: Operation,
    said: Sequence[tuple[str, str, str]],
    told: Sequence[ResponseDoc],
    cleaner: Cleaner,
) -> Doc | None:
    """Return the documentation of an operation; what is not to be searched is left out.

    ``said`` has the name, description and example of each parameter.
    """
    summary = cleaner.line(operation.summary)
    text = cleaner.prose(operation.description)
    if not summary:
        summary = first_sentence(text)
    elif summary not in text:
        text = f"{summary}\n\n{text}".strip()
    tags = [("param", f"{name} {text}") for name, text, _ in said if text]
    tags += [("example", f"{name}: {example}") for name, _, example in said if example]
    for one in told:
        tags += _of_response(one, len(told), cleaner)
    deprecated = "" if operation.deprecated else None
    if not text and not tags and deprecated is None:
        return None
    return Doc(text or summary, summary, deprecated, tuple(tags))


def _of_response(told: ResponseDoc, count: int, cleaner: Cleaner) -> list[tuple[str, str]]:
    tags: list[tuple[str, str]] = []
    if told.good or count == 1:
        tags += [("returns", told.said)] if told.said else []
        tags += [("example", told.example)] if told.example else []
    elif not cleaner.leaves_out("errors", f"{told.said} {told.example}".strip()):
        tags.append(("throws", f"{told.status} {told.said}".strip()))
    for name, said in told.headers:
        if not cleaner.leaves_out("headers", f"{name} {said}".strip()):
            tags.append(("remarks", f"Header {name}: {said}"))
    return tags


def example_in(media: Media | None, cleaner: Cleaner) -> str:
    """Return the first example of a body as text; nothing of one that is too large."""
    if media is None:
        return ""
    found = [] if media.example is None else [media.example]
    named = media.examples if isinstance(media.examples, Mapping) else {}
    found += [one["value"] for one in named.values() if isinstance(one, dict) and "value" in one]
    texts = [example_text(one, cleaner) for one in found]
    return next((text for text in texts if text), "")


def example_text(value: Any, cleaner: Cleaner) -> str:
    """Return an example as text; nothing of one that is too large."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return cleaner.example(text)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, on one line."""
    line = " ".join(text.strip().partition("\n\n")[0].split())
    end = line.find(". ")
    return line if end < 0 else line[: end + 1]


def shown(typed: Type) -> str:
    """Return a type as text; of a long one, objects inside are left out from a certain depth on."""
    text = render(typed)
    depth = 6
    while len(text) > _MOST_TEXT and depth:
        depth -= 1
        text = render(_cut(typed, depth))
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 4]} ..."


def _cut(node: Any, depth: int) -> Any:
    if not isinstance(node, Object):
        return rebuild(node, lambda part, _: _cut(part, depth))
    if node is EMPTY_OBJECT:
        return node
    if not depth:
        return _CUT
    return rebuild(node, lambda part, _: _cut_member(part, depth))


def _cut_member(part: InternedNode, depth: int) -> InternedNode:
    return rebuild(part, lambda inner, _: _cut(inner, depth - 1))
