"""The texts of an entry that are searched, one field for each column of the full-text index.

Fields: name, documentation, signature in English, names of parameters and fields, enrichment.  They
are computed from the entry alone, so equal entries have equal fields on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from typematch.index.text.verbalize import signature_words, type_words
from typematch.index.text.verbs import INDEXED_VERBS
from typematch.index.text.words import expand_identifiers, split_identifier, words_of
from typematch.ir.entry import PROMISIFIED, Entry

_MAX_PROSE = 2_000  # characters
_MAX_OVERLOADS = 4
_MAX_NAMES = 60
_PROSE_TAGS = frozenset(("param", "returns", "return", "throws", "remarks", "category", "summary"))
_SEPARATOR = re.compile(r"[.:#]")


@dataclass(frozen=True, slots=True)
class Enrichment:
    """Texts that a language model wrote about an entry; empty if there are none.

    Attributes:
        summary: the problems that the entry solves.
        questions: questions that the entry answers.
        interface: its inputs and outputs, in prose.
    """

    summary: str = ""
    questions: tuple[str, ...] = ()
    interface: str = ""

    def texts(self) -> tuple[str, ...]:
        return tuple(text for text in (self.summary, *self.questions, self.interface) if text)


NO_ENRICHMENT = Enrichment()


class TextFields(NamedTuple):
    """The texts of one entry, in the order of the columns; each may be empty.

    Attributes:
        name: the words of the name, and the whole name as one word if it has several.
        container: the words of the container and the module.
        package: the words of the package's name.
        summary: the first sentence of the documentation.
        prose: the rest of it, with the tags of parameters and the result.
        signature: the overloads in English.
        member_names: the words of parameter and property names.
    """

    name: str
    container: str
    package: str
    summary: str
    prose: str
    signature: str
    member_names: str
    enrichment_summary: str = ""
    enrichment_questions: str = ""
    enrichment_interface: str = ""


def entry_fields(
    entry: Entry, members: Sequence[str] = (), enrichment: Enrichment = NO_ENRICHMENT
) -> TextFields:
    """Return the texts of ``entry``.

    Args:
        members: property names of its type; of an operation, of its parameters and result.
    """
    is_operation = entry.kind == "operation"
    return TextFields(
        name=_operation_name(entry) if is_operation else _name(entry),
        container=_container(entry),
        package=" ".join(split_identifier(entry.package)),
        summary=_summary(entry),
        prose=_prose(entry),
        signature=_signature(entry),
        member_names=_member_names(entry, members),
        **_enrichment_fields(enrichment),
    )


def operation_fields(
    entry: Entry, members: Sequence[str] = (), enrichment: Enrichment = NO_ENRICHMENT
) -> TextFields:
    """Return the texts of an operation in the index of operations: what distinguishes it there.

    Left out are the name of the service, which fifty operations share (+4 points of recall on
    SOCBench-D), and the signature in words, which is alike for most operations (+1 point).
    """
    return TextFields(
        name=_operation_name(entry),
        container="",
        package="",
        summary=_summary(entry),
        prose=doc_after_summary(entry)[:_MAX_PROSE],
        signature="",
        member_names=" ".join(dict.fromkeys(word for name in members for word in words_of(name))),
        **_enrichment_fields(enrichment),
    )


def _enrichment_fields(enrichment: Enrichment) -> dict[str, str]:
    return {
        "enrichment_summary": expand_identifiers(enrichment.summary),
        "enrichment_questions": expand_identifiers(" ".join(enrichment.questions)),
        "enrichment_interface": expand_identifiers(enrichment.interface),
    }


def doc_after_summary(entry: Entry) -> str:
    """Return the documentation after its first sentence, as written."""
    doc = entry.doc
    return "" if doc is None else doc.text.removeprefix(doc.summary).strip()


def text_rows(
    number: int, entry: Entry, members: Sequence[str], enrichment: Enrichment
) -> tuple[tuple[object, ...], tuple[object, ...] | None]:
    """Return the rows of an entry for the index of all entries and, or None, of operations."""
    row = (number, *entry_fields(entry, members, enrichment))
    if entry.kind != "operation":
        return row, None
    return row, (number, *operation_fields(entry, members, enrichment))


def _name(entry: Entry) -> str:
    parts = split_identifier(display_name(entry))
    aliases = [_SEPARATOR.split(alias)[-1] for alias in entry.aliases]
    others = [part for alias in dict.fromkeys(aliases) for part in split_identifier(alias)]
    whole = ["".join(parts)] if len(parts) > 1 else []
    return " ".join(dict.fromkeys((*parts, *whole, *others)))


def _operation_name(entry: Entry) -> str:
    """Return the words of id, path and verbs; not the id as one word, which no query contains."""
    parts = split_identifier(entry.name)
    if entry.endpoint is not None:
        verbs = INDEXED_VERBS.get(entry.endpoint.method.upper(), ())
        parts = (*parts, *split_identifier(entry.endpoint.path), *verbs)
    return " ".join(dict.fromkeys(parts))


def display_name(entry: Entry) -> str:
    """Return a telling name for entries named ``default`` or ``__promisify__``, else the name."""
    if entry.name == "default":
        return f"default {entry.package}"
    if entry.name == PROMISIFIED:
        return f"{_SEPARATOR.split(entry.container)[-1]} promisify"
    return entry.name


def _container(entry: Entry) -> str:
    return " ".join(dict.fromkeys(split_identifier(entry.container)))


def _summary(entry: Entry) -> str:
    return "" if entry.doc is None else expand_identifiers(entry.doc.summary)


def _prose(entry: Entry) -> str:
    if entry.doc is None:
        return ""
    text = " ".join(entry.doc.text.split()).removeprefix(entry.doc.summary)
    tags = [content for name, content in entry.doc.tags if name in _PROSE_TAGS]
    return expand_identifiers(" ".join((text, *tags)).strip()[:_MAX_PROSE])


def _signature(entry: Entry) -> str:
    texts = [
        signature_words(
            signature.type.calls[0],
            [name for name, _, _ in signature.type_parameters],
            entry.outer,
        )
        for signature in entry.signatures[:_MAX_OVERLOADS]
    ]
    if not texts and entry.type is not None:
        texts.append(type_words(entry.type, entry.outer))
    if entry.is_async:
        texts.insert(0, "async")
    return "; ".join(dict.fromkeys(texts))


def _member_names(entry: Entry, members: Sequence[str]) -> str:
    names = [parameter.name for signature in entry.signatures for parameter in signature.parameters]
    words: dict[str, None] = {}
    for name in chain(names, members):  # a copy of the members for each of them is quadratic
        words.update(dict.fromkeys(words_of(name)))
        if len(words) >= _MAX_NAMES:  # the type of a page's elements has thousands of properties
            break
    return " ".join([*words][:_MAX_NAMES])
