"""Say what a query is, once read: the values that search works with, and the table of facets.

``FACETS`` is the one place that lists the keys with their values; the reader, the command line's
help and the README's table all come from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, get_args

from typematch.ir.entry import EntryKind
from typematch.ir.types import Object, Type
from typematch.match.strictness import Strictness


@dataclass(frozen=True, slots=True)
class Glob:
    """Text in which ``*`` is any characters and ``?`` any one; compared without regard to case."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from ``low`` to ``high``, both among them; ``high`` is None for no end."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class TypeValue:
    type: Type
    text: str


@dataclass(frozen=True, slots=True)
class HasValue:
    """A field by name, and the type that it must have (None: any)."""

    name: str
    type: Type | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """One of the words that a facet lists."""

    name: str


@dataclass(frozen=True, slots=True)
class TextValue:
    """Text taken literally."""

    text: str


Value: TypeAlias = Glob | Range | TypeValue | HasValue | Flag | TextValue


@dataclass(frozen=True, slots=True)
class Constraint:
    """A facet: one of ``values`` must hold, or none of them if ``negated``."""

    key: str
    values: tuple[Value, ...]
    negated: bool = False


class Form(Enum):
    """How the values of a facet are read."""

    FLAG = "one of a list of words"
    GLOB = "text with * for any characters"
    TYPE = "a TypeScript type"
    RANGE = "a number or a range"
    FIELD = "a field, or field:type"
    TEXT = "text"
    NUMBER = "a number from 1"


@dataclass(frozen=True, slots=True)
class Facet:
    """A key: ``values`` shows what may stand behind it, ``help`` says what it asks for."""

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
IS = ("async", "exported", "generic", "deprecated", "overloaded", "static", *STRICTNESS)
SORTS = ("relevance", "cost", "name", "path")

FACETS: Mapping[str, Facet] = {
    facet.key: facet
    for facet in (
        Facet("kind", Form.FLAG, ", ".join(KINDS), "what sort of thing it is", KINDS),
        Facet("name", Form.GLOB, "debounce, *read*", "its name"),
        Facet("pkg", Form.GLOB, "lodash, @types/*", "the package one imports it from"),
        Facet("path", Form.GLOB, "src/*, */fp/*", "the file it is declared in"),
        Facet("module", Form.GLOB, "rxjs/operators, node:fs", "the module one imports it from"),
        Facet("lang", Form.GLOB, "typescript, openapi", "the language it is written in"),
        Facet(
            "source",
            Form.GLOB,
            "typescript, openapi, postman, catalog",
            "the sort of source it was read from",
        ),
        Facet("param", Form.TYPE, "string, Array<_>", "a parameter accepts this type"),
        Facet("returns", Form.TYPE, "Promise<_>, string | null", "the result is of this type"),
        Facet("mentions", Form.TYPE, "Observable, Date", "the type occurs in the signature"),
        Facet("arity", Form.RANGE, "2, 1..3, >=2", "how many arguments it takes"),
        Facet("has", Form.FIELD, "id, id:string", "the type has this field"),
        Facet("http", Form.GLOB, 'GET, "GET /users*"', "method and path of an operation"),
        Facet("service", Form.GLOB, "billing, *pay*", "the service of an operation"),
        Facet("tag", Form.GLOB, "beta, since", "a tag of its documentation"),
        Facet("like", Form.TEXT, "lodash#chunk", "it has the same type as this entry"),
        Facet("is", Form.FLAG, ", ".join(IS), "a property, or how strictly types must fit", IS),
        Facet("limit", Form.NUMBER, "20", "how many hits to show"),
        Facet("sort", Form.FLAG, ", ".join(SORTS), "what comes first", SORTS),
    )
}


class Confidence(Enum):
    """How sure a reading is: what is sure may filter, the rest only steers the ranking."""

    SURE = "sure"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True)
class SentenceType:
    """A type that the sentence speaks of, as TypeScript; it stands at text[column:end]."""

    text: str
    sureness: Confidence
    column: int
    end: int
    optional: bool = False

    @property
    def sure(self) -> bool:
        return self.sureness is Confidence.SURE


@dataclass(frozen=True, slots=True)
class SentenceConstraints:
    """What a sentence says about types.

    Attributes:
        text: the sentence.
        parameters: in the order they are spoken of.  Capital letters are type variables, the same
            in ``parameters`` and ``returns``; ``_`` is a type that is not told.
        returns: the result.
        arity: how many arguments; ``arity_sure`` where the sentence says that there are no others.
        asynchronous: None where the sentence does not say; ``asynchronous_sure`` where it does,
            and does not only speak of a promise.
        kind: of an entry, as ``kind:`` takes it; empty where the sentence does not say.
        flags: as ``is:`` takes them.
        words: what was not understood, to be searched as text.
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


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked.

    Attributes:
        text: the query as given.
        signature: a function type with one call, whose type parameters are the query's variables.
        variables: the names of those type parameters.
        type: the type of a type search (``:: type``).
        name: the words before ``::``.
        words: free text, quoted phrases included; ``phrases`` are those alone.
        said: what the free text says about types; None where a signature or type was written, and
            where it says nothing.
        limit: None if the query sets none.
        sort: one of ``SORTS``; empty if the query sets none.
        read_as: what was understood, in a line.
    """

    text: str
    signature: Object | None = None
    variables: tuple[str, ...] = ()
    type: Type | None = None
    name: str = ""
    words: str = ""
    phrases: tuple[str, ...] = ()
    said: SentenceConstraints | None = None
    constraints: tuple[Constraint, ...] = ()
    strictness: Strictness = Strictness.SOFT
    limit: int | None = None
    sort: str = ""
    read_as: str = ""
