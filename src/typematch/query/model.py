"""The parsed form of a query, and the table of facets.

``FACETS`` is the single list of keys and values: the parser, the command line's help and the table
in the documentation are derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, get_args

from typematch.ir.entry import EntryKind
from typematch.ir.render import render
from typematch.ir.types import Object, Type
from typematch.match.strictness import Strictness


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern: ``*`` matches any text, ``?`` any one character; case-insensitive."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Range:
    """Integers from ``low`` to ``high``, inclusive; no upper bound if ``high`` is None."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class TypeValue:
    """A type, and its text in the query."""

    type: Type
    text: str


@dataclass(frozen=True, slots=True)
class HasValue:
    """The name of a field, its type (None: any) and the text of the type."""

    name: str
    type: Type | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """One of the words of a facet that has a fixed list of them."""

    name: str


@dataclass(frozen=True, slots=True)
class TextValue:
    """Text taken literally."""

    text: str


Value: TypeAlias = Glob | Range | TypeValue | HasValue | Flag | TextValue


@dataclass(frozen=True, slots=True)
class Constraint:
    """A parsed facet: at least one of ``values`` must match, or none of them if ``negated``.

    Attributes:
        required: part of the signature, which is never given up: of ``new``, ``=> this``, or a
            ``like:`` that stands for a signature.
    """

    key: str
    values: tuple[Value, ...]
    negated: bool = False
    required: bool = False

    @property
    def types(self) -> list[Type]:
        """The types among the values, those of fields included."""
        typed = [value for value in self.values if isinstance(value, TypeValue | HasValue)]
        return [value.type for value in typed if value.type is not None]


class Form(Enum):
    """The syntax of a facet's values."""

    FLAG = "one of a list of words"
    GLOB = "text with * for any characters"
    TYPE = "a TypeScript type"
    RANGE = "a number or a range"
    FIELD = "a field, or field:type"
    TEXT = "text"
    NUMBER = "a number from 1"


@dataclass(frozen=True, slots=True)
class Facet:
    """The definition of a facet.

    Attributes:
        values: examples of values, or all of them, separated by commas.
        help: what a matching entry has.
        flags: all values, where they are fixed.
    """

    key: str
    form: Form
    values: str
    help: str
    flags: tuple[str, ...] = ()


STRICTNESS: Mapping[str, Strictness] = {
    "exact": Strictness.EXACT,
    "assignable": Strictness.ASSIGNABLE,
    "loose": Strictness.LOOSE,
}
KINDS: tuple[str, ...] = get_args(EntryKind)
IS_FLAGS = (
    "async", "exported", "fluent", "generator", "generic", "deprecated", "inferred", "overloaded",
    "static", "type-only", *STRICTNESS,
)  # fmt: skip
SORTS = ("relevance", "cost", "name", "path")
STRICT = ("yes", "no")

FACETS: Mapping[str, Facet] = {
    facet.key: facet
    for facet in (
        Facet("kind", Form.FLAG, ", ".join(KINDS), "the kind of entry", KINDS),
        Facet("name", Form.GLOB, "debounce, *read*", "its name"),
        Facet("pkg", Form.GLOB, "lodash, @types/*", "the package it is imported from"),
        Facet("path", Form.GLOB, "src/*, */fp/*", "the file it is declared in"),
        Facet(
            "module",
            Form.GLOB,
            "rxjs/operators, node:fs",
            "the module specifier it is imported from",
        ),
        Facet("lang", Form.GLOB, "typescript, openapi", "an alias of the facet source"),
        Facet(
            "source",
            Form.GLOB,
            "typescript, openapi, postman, catalog",
            "the format of its source",
        ),
        Facet("param", Form.TYPE, "string, Array<_>", "a parameter accepts this type"),
        Facet("returns", Form.TYPE, "Promise<_>, string | null", "the result is of this type"),
        Facet("mentions", Form.TYPE, "Observable, Date", "the type occurs in the signature"),
        Facet("arity", Form.RANGE, "2, 1..3, >=2", "the number of arguments"),
        Facet("has", Form.FIELD, "id, id:string", "the type has this field"),
        Facet("http", Form.GLOB, 'GET, "GET /users*"', "the HTTP method and path of an operation"),
        Facet("service", Form.GLOB, "billing, *pay*", "the service of an operation"),
        Facet("tag", Form.GLOB, "beta, since", "a tag of its documentation comment"),
        Facet("like", Form.TEXT, "lodash#chunk", "its type is close to that of this entry"),
        Facet(
            "is",
            Form.FLAG,
            ", ".join(IS_FLAGS),
            "a property of the entry, or how strictly types must fit",
            IS_FLAGS,
        ),
        Facet("limit", Form.NUMBER, "20", "the number of hits"),
        Facet("sort", Form.FLAG, ", ".join(SORTS), "the order of the hits", SORTS),
        Facet(
            "strict",
            Form.FLAG,
            ", ".join(STRICT),
            "whether no part of the query is given up when there are few hits",
            STRICT,
        ),
    )
}


class Confidence(Enum):
    """Confidence of a constraint read from a sentence: SURE filters, LIKELY only ranks."""

    SURE = "sure"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True)
class SentenceType:
    """A type that a sentence describes.

    Attributes:
        type: single capital letters are names in it; ``_`` is a type that is not described.
        column, end: it was read from text[column:end].
        optional: the parameter may be omitted.
        is_guard: the result is the type predicate ``x is type``.
    """

    type: Type
    confidence: Confidence
    column: int
    end: int
    optional: bool = False
    is_guard: bool = False

    @property
    def text(self) -> str:
        """The type as TypeScript."""
        text = render(self.type)
        return f"x is {text}" if self.is_guard else text

    @property
    def sure(self) -> bool:
        return self.confidence is Confidence.SURE


@dataclass(frozen=True, slots=True)
class SentenceConstraints:
    """The constraints on types in an English sentence.

    Attributes:
        text: the sentence.
        parameters: in order of their mention.  Capital letters are type variables, shared by
            ``parameters`` and ``returns``.
        returns: the result; None if not described.
        arity: the number of arguments; ``arity_sure`` if the sentence lists or counts all of them.
        asynchronous: None if not stated; ``asynchronous_sure`` if it is more than the consequence
            of a likely result that is a promise.
        kind: the kind of entry; empty if not stated.
        flags: terms such as "generic", some of them values of ``is:``.
        words: the words that no constraint was read from; they are searched as text.
        describes_types: a verb of taking, returning or converting, a number of arguments or a type
            guard says what the types are; else nouns only mention things of a type.
    """

    text: str
    parameters: tuple[SentenceType, ...] = ()
    returns: SentenceType | None = None
    arity: Range | None = None
    arity_sure: bool = False
    asynchronous: bool | None = None
    kind: str = ""
    flags: tuple[str, ...] = ()
    words: str = ""
    asynchronous_sure: bool = False
    describes_types: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    Attributes:
        text: the query as typed.
        signature: a function type with one call, whose type parameters are the query's variables.
        variables: the names of those type parameters.
        constructs: the signature is that of a constructor, ``new (...) => T``.
        type: the type of a type search (``:: type``).
        name: the words before ``::``.
        words: free text, with quoted phrases; ``phrases`` are those alone.
        sentence: what the free text says about types; None if it says nothing, and beside a
            signature or type.
        limit: None if not set.
        sort: one of ``SORTS``; empty if not set.
        strict: no part of the query is given up when there are few hits; None if not set.
        read_as: a normalised rendering of the query, one line.
    """

    text: str
    signature: Object | None = None
    variables: tuple[str, ...] = ()
    constructs: bool = False
    type: Type | None = None
    name: str = ""
    words: str = ""
    phrases: tuple[str, ...] = ()
    sentence: SentenceConstraints | None = None
    constraints: tuple[Constraint, ...] = ()
    strictness: Strictness = Strictness.WITH_EDITS
    limit: int | None = None
    sort: str = ""
    strict: bool | None = None
    read_as: str = ""

    @property
    def is_by_relevance(self) -> bool:
        """Whether hits are listed in order of relevance, the default."""
        return self.sort in ("", "relevance")
