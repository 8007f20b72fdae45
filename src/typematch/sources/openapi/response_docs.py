"""Documentation of operations and responses, cleaned, and the text of their types."""

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

_MAX_TYPE_TEXT = 2_000  # characters of a type in a signature's text
_CUT = Named(("...",))


@dataclass(frozen=True, slots=True)
class ResponseDoc:
    """Documentation of a response; ``type`` is the text of its type."""

    status: str
    description: str
    type: str
    headers: tuple[tuple[str, str], ...] = ()
    example: str = ""

    @property
    def is_success(self) -> bool:
        return self.status.startswith("2")


def operation_doc(
    operation: Operation,
    parameter_docs: Sequence[tuple[str, str, str]],
    response_docs: Sequence[ResponseDoc],
    cleaner: Cleaner,
) -> Doc | None:
    """Return the documentation of an operation, cleaned; None if it has none.

    Args:
        parameter_docs: name, description and example of each parameter.
    """
    summary = cleaner.line(operation.summary)
    text = cleaner.prose(operation.description)
    if not summary:
        summary = first_sentence(text)
    elif summary not in text:
        text = f"{summary}\n\n{text}".strip()
    tags = [("param", f"{name} {text}") for name, text, _ in parameter_docs if text]
    tags += [("example", f"{name}: {example}") for name, _, example in parameter_docs if example]
    for response_doc in response_docs:
        tags += _response_tags(response_doc, len(response_docs), cleaner)
    deprecated = "" if operation.deprecated else None
    if not text and not tags and deprecated is None:
        return None
    return Doc(text or summary, summary, deprecated, tuple(tags))


def _response_tags(
    response_doc: ResponseDoc, count: int, cleaner: Cleaner
) -> list[tuple[str, str]]:
    tags: list[tuple[str, str]] = []
    if response_doc.is_success or count == 1:
        tags += [("returns", response_doc.description)] if response_doc.description else []
        tags += [("example", response_doc.example)] if response_doc.example else []
    elif not cleaner.skip("errors", f"{response_doc.description} {response_doc.example}".strip()):
        tags.append(("throws", f"{response_doc.status} {response_doc.description}".strip()))
    for name, description in response_doc.headers:
        if not cleaner.skip("headers", f"{name} {description}".strip()):
            tags.append(("remarks", f"Header {name}: {description}"))
    return tags


def first_example(media: Media | None, cleaner: Cleaner) -> str:
    """Return the first example of a body as text; empty if it is too large."""
    if media is None:
        return ""
    found = [] if media.example is None else [media.example]
    named = media.examples if isinstance(media.examples, Mapping) else {}
    found += [
        example["value"]
        for example in named.values()
        if isinstance(example, dict) and "value" in example
    ]
    texts = [example_text(example, cleaner) for example in found]
    return next((text for text in texts if text), "")


def example_text(value: Any, cleaner: Cleaner) -> str:
    """Return an example as text; empty if it is too large."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return cleaner.example(text)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, on one line."""
    line = " ".join(text.strip().partition("\n\n")[0].split())
    end = line.find(". ")
    return line if end < 0 else line[: end + 1]


def type_text(type_: Type) -> str:
    """Return a type as text of limited length; deep objects become ``...``."""
    text = render(type_)
    depth = 6
    while len(text) > _MAX_TYPE_TEXT and depth:
        depth -= 1
        text = render(_cut(type_, depth))
    return text if len(text) <= _MAX_TYPE_TEXT else f"{text[: _MAX_TYPE_TEXT - 4]} ..."


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
