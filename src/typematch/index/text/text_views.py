"""Say the texts of an entry: what full text and vectors know of it.

A view is one way in which people ask: by name, by what the documentation says, by the signature in
plain words, by the names of parameters and of fields, and by what a model said of it.  Views are
made from these alone, so that equal entries have equal views on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter

from typematch.index.text.verbalize import say_signature, say_type
from typematch.index.text.words import split_identifier, with_identifiers_split, words_of
from typematch.ir.entry import Entry

_MOST_PROSE = 2_000  # characters; an essay says little more than its beginning
_MOST_OVERLOADS = 4
_MOST_NAMES = 60
_TOLD = frozenset(("param", "returns", "return", "throws", "remarks", "category", "summary"))
_LAST = re.compile(r"[.:#]")


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What a model said of an entry; empty where none was asked.

    Attributes:
        summary: what problems it solves.
        questions: that it answers.
        interface: what one gives it and gets from it, in prose.
    """

    summary: str = ""
    questions: tuple[str, ...] = ()
    interface: str = ""

    def texts(self) -> tuple[str, ...]:
        return tuple(text for text in (self.summary, *self.questions, self.interface) if text)


NOTHING_TOLD = Enrichment()


@dataclass(frozen=True, slots=True)
class TextViews:
    """The texts of one entry, each of words only; empty where there is nothing to say.

    Attributes:
        name: its words, and the whole name in one where it has several.
        around: the words of the container and the module.
        package: the words of the package's name.
        summary: the first sentence of the documentation.
        prose: the rest of it, and what it says of parameters and the result.
        signature: the overloads in English.
        fields: names of parameters and properties.
        told, question, interface: what a model said of it.
    """

    name: str
    around: str
    package: str
    summary: str
    prose: str
    signature: str
    fields: str
    told: str = ""
    question: str = ""
    interface: str = ""


_COLUMNS = attrgetter(*(field.name for field in fields(TextViews)))


def views_of(
    entry: Entry, members: Sequence[str] = (), told: Enrichment = NOTHING_TOLD
) -> TextViews:
    """Return the texts of ``entry``; ``members`` are the names of the properties of its type.

    Of an operation they are those of what it takes and answers with.
    """
    is_operation = entry.kind == "operation"
    return TextViews(
        name=_name_of_operation(entry) if is_operation else _name(entry),
        around=_around(entry),
        package=" ".join(split_identifier(entry.package)),
        summary=_summary(entry),
        prose=_prose(entry),
        signature=_signature(entry),
        fields=_fields(entry, members),
        **_said(told),
    )


def operation_views(
    entry: Entry, members: Sequence[str] = (), told: Enrichment = NOTHING_TOLD
) -> TextViews:
    """Return the texts of an operation among operations: what sets it apart from the others.

    What its service is called it shares with fifty others (4 points of recall on SOCBench-D), and
    its types in words say of most operations that they take a string (1 point).
    """
    return TextViews(
        name=_name_of_operation(entry),
        around="",
        package="",
        summary=_summary(entry),
        prose=beyond_summary(entry)[:_MOST_PROSE],
        signature="",
        fields=" ".join(dict.fromkeys(word for name in members for word in words_of(name))),
        **_said(told),
    )


def _said(told: Enrichment) -> dict[str, str]:
    return {
        "told": with_identifiers_split(told.summary),
        "question": with_identifiers_split(" ".join(told.questions)),
        "interface": with_identifiers_split(told.interface),
    }


def beyond_summary(entry: Entry) -> str:
    """Return what documentation says after its first sentence, as it is written."""
    doc = entry.doc
    return "" if doc is None else doc.text.removeprefix(doc.summary).strip()


def columns(views: TextViews) -> tuple[str, ...]:
    """Return the texts in the order of the attributes."""
    texts: tuple[str, ...] = _COLUMNS(views)
    return texts


def _name(entry: Entry) -> str:
    parts = split_identifier(spoken_name(entry))
    aliases = [_LAST.split(alias)[-1] for alias in entry.aliases]
    others = [part for alias in dict.fromkeys(aliases) for part in split_identifier(alias)]
    whole = ["".join(parts)] if len(parts) > 1 else []
    return " ".join(dict.fromkeys((*parts, *whole, *others)))


# What calling a method does, in the words of those who ask for it.
_DOINGS = {
    "GET": ("get", "retrieve", "fetch", "list"),
    "POST": ("post", "create", "add"),
    "PUT": ("put", "update", "set"),
    "PATCH": ("patch", "update"),
    "DELETE": ("delete", "remove"),
}


def _name_of_operation(entry: Entry) -> str:
    """Say its id and path; not the whole in one, which nobody types."""
    parts = split_identifier(entry.name)
    if entry.endpoint is not None:
        doings = _DOINGS.get(entry.endpoint.method.upper(), ())
        parts = (*parts, *split_identifier(entry.endpoint.path), *doings)
    return " ".join(dict.fromkeys(parts))


def spoken_name(entry: Entry) -> str:
    """Return the name that says what the entry is, where its own says only how it is reached."""
    if entry.name == "default":
        return f"default {entry.package}"
    if entry.name == "__promisify__":
        return f"{_LAST.split(entry.container)[-1]} promisify"
    return entry.name


def _around(entry: Entry) -> str:
    return " ".join(dict.fromkeys(split_identifier(entry.container)))


def _summary(entry: Entry) -> str:
    return "" if entry.doc is None else with_identifiers_split(entry.doc.summary)


def _prose(entry: Entry) -> str:
    if entry.doc is None:
        return ""
    text = " ".join(entry.doc.text.split()).removeprefix(entry.doc.summary)
    told = [said for name, said in entry.doc.tags if name in _TOLD]
    return with_identifiers_split(" ".join((text, *told)).strip()[:_MOST_PROSE])


def _signature(entry: Entry) -> str:
    said = [
        say_signature(one.type.calls[0], [name for name, _, _ in one.type_parameters], entry.outer)
        for one in entry.signatures[:_MOST_OVERLOADS]
    ]
    if not said and entry.type is not None:
        said.append(say_type(entry.type, entry.outer))
    if entry.is_async:
        said.insert(0, "async")
    return "; ".join(dict.fromkeys(said))


def _fields(entry: Entry, members: Sequence[str]) -> str:
    names = [one.name for each in entry.signatures for one in each.parameters]
    words: dict[str, None] = {}
    for name in (*names, *members):
        words.update(dict.fromkeys(words_of(name)))
        if len(words) >= _MOST_NAMES:  # of a page's elements there are thousands
            break
    return " ".join([*words][:_MOST_NAMES])
