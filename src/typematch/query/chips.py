"""Take a query apart into pieces that one may take away, or ask for less strictly.

This is what a page shows as chips.  Each piece knows the queries without it and with less of it, as
texts; so who shows them needs to know nothing of how queries are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal, TypeAlias

from typematch.ir.intern import replaced
from typematch.ir.render import render
from typematch.ir.types import FURTHER, WILDCARD, Array, Object, Parameter, Type
from typematch.query.facets import constraint_of
from typematch.query.model import (
    Constraint,
    Flag,
    Glob,
    HasValue,
    Query,
    Range,
    SentenceConstraints,
    TextValue,
    Value,
)
from typematch.query.read_as import constraint_text, said_parts, signature_text, value_text
from typematch.query.signature.lexer import Token
from typematch.query.signature_text import written
from typematch.query.split import cut

PartSort: TypeAlias = Literal["name", "parameter", "result", "type", "words", "said", "facet"]

# Of these a part of the value may do: `name:debounce` is asked as `name:*debounce*`.
_BY_PART = frozenset(("name", "path", "module", "pkg", "service", "tag"))
_LESS_STRICT = {"exact": "assignable"}


@dataclass(frozen=True, slots=True)
class QueryChip:
    """A piece of a query.

    Attributes:
        text: what it says.
        likely: it was read off a sentence and may be meant otherwise.
        key, values, negated: of a facet.
        without: the query without it, empty where it is all there is; None where it cannot be taken
            away alone.
        softer: the query with less of it; None where there is no less.
    """

    sort: PartSort
    text: str
    likely: bool = False
    key: str = ""
    values: tuple[str, ...] = ()
    negated: bool = False
    without: str | None = None
    softer: str | None = None


def parts(query: Query) -> tuple[QueryChip, ...]:
    """Return the pieces of a query that was read: name, signature or type, words, facets."""
    text = _Written(query.text)
    found: list[QueryChip] = []
    if query.name:
        found.append(QueryChip("name", query.name, without=text.with_body(text.body, name="")))
    if query.signature is not None:
        found += _of_signature(query.signature, query.variables, text)
    if query.type is not None:
        found.append(QueryChip("type", render(query.type), without=text.without_body()))
    if query.words:
        found.append(QueryChip("words", query.words, without=text.without_body()))
    if query.said is not None:
        found += _of_sentence(query.said, text)
    return (*found, *[_of_facet(facet, text) for facet in text.facets])


class _Written:
    """The text of a query and where its pieces stand."""

    def __init__(self, text: str) -> None:
        pieces = cut(text)
        self.text = text
        self.facets = _facets(pieces.tokens)
        self._separated = pieces.separator >= 0
        start = pieces.separator + 2 if self._separated else 0
        self._name = pieces.rest[: pieces.separator].strip() if self._separated else ""
        self.body = pieces.rest[start:].strip()

    def cut(self, start: int, end: int, instead: str = "") -> str:
        """Return the query with ``instead`` in the place of what stands there."""
        around = (self.text[:start].rstrip(), instead, self.text[end:].lstrip())
        return " ".join(part for part in around if part)

    def without_body(self) -> str:
        return self._joined(self._name)

    def with_body(self, body: str, *, name: str | None = None) -> str:
        """Return the query with another signature or type, and another name if one is given."""
        before = self._name if name is None else name
        is_type = self._separated and "=>" not in body and "->" not in body
        return self._joined(f"{before} :: {body}" if before or is_type else body)

    def _joined(self, asked: str) -> str:
        facets = [self.text[one.column : one.end] for one in self.facets]
        return "  ".join(part for part in (asked.strip(), *facets) if part)


@dataclass(frozen=True, slots=True)
class _Facet:
    """A facet as it stands in the text, from ``column`` to ``end``."""

    key: Token
    values: tuple[Token, ...]
    negated: bool
    column: int

    @property
    def end(self) -> int:
        return self.values[-1].end


def _facets(tokens: Sequence[Token]) -> list[_Facet]:
    found: list[_Facet] = []
    negation: Token | None = None
    for token in tokens:
        if token.kind == "NOT":
            negation = token
        elif token.kind == "KEY":
            column = token.column if negation is None else negation.column
            found.append(_Facet(token, (), negation is not None, column))
            negation = None
        elif token.kind != "COMMA":
            found[-1] = replace(found[-1], values=(*found[-1].values, token))
    return found


# Signatures ---------------------------------------------------------------------------------------


def _of_signature(
    function: Object, variables: tuple[str, ...], text: _Written
) -> Iterator[QueryChip]:
    """Yield each parameter and the result; of a type guard, which speaks of both, the whole."""
    [call] = function.calls
    shown = written(function, variables)

    def with_parts(parameters: Sequence[Parameter], returns: Type) -> str:
        changed = replaced(call, parameters=tuple(parameters), returns=returns)
        declared = text.body.startswith("<")
        asked = signature_text(Object(calls=(changed,)), variables, declared=declared)
        return text.with_body(asked)

    if call.predicate is not None:
        yield QueryChip("result", shown.text, without=text.without_body())
        return
    for i, (one, said) in enumerate(zip(call.parameters, shown.parameters, strict=True)):
        others = (*call.parameters[:i], *call.parameters[i + 1 :])
        open_ = (*call.parameters[:i], _opened(one), *call.parameters[i + 1 :])
        vague = one.type in (WILDCARD, FURTHER)
        dots = "..." if one.rest and one.type is not FURTHER else ""
        name = f"{dots}{said.name}{'?' * said.optional}: " if said.name else dots
        yield QueryChip(
            "parameter",
            f"{name}{said.type}",
            without=with_parts(others, call.returns),
            softer=None if vague else with_parts(open_, call.returns),
        )
    any_result = with_parts(call.parameters, WILDCARD)
    yield QueryChip(
        "result", shown.returns, without=None if call.returns is WILDCARD else any_result
    )


def _opened(parameter: Parameter) -> Parameter:
    """Return a parameter that may be of any type."""
    anything = Array(WILDCARD) if parameter.rest else WILDCARD
    return replaced(parameter, type=anything)


# Sentences ----------------------------------------------------------------------------------------


def _of_sentence(said: SentenceConstraints, text: _Written) -> Iterator[QueryChip]:
    """Yield what a sentence says; its words are all that can be taken away."""
    spoken = [*said.parameters, *([said.returns] if said.returns is not None else ())]
    places = [text.cut(one.column, one.end) for one in spoken]
    for told, without in zip_longest(said_parts(said), places):
        yield QueryChip("said", told.text, likely=not told.sure, without=without)


# Facets -------------------------------------------------------------------------------------------


def _of_facet(facet: _Facet, text: _Written) -> QueryChip:
    constraint = constraint_of(text.text, facet.key, facet.values, negated=facet.negated)
    less = _softer(constraint)
    return QueryChip(
        "facet",
        constraint_text(constraint),
        key=constraint.key,
        values=tuple(_plain(value) for value in constraint.values),
        negated=constraint.negated,
        without=text.cut(facet.column, facet.end),
        softer=None if less is None else text.cut(facet.column, facet.end, constraint_text(less)),
    )


def _plain(value: Value) -> str:
    """Return the text of a value without the quotes that it may need."""
    match value:
        case Glob(text) | TextValue(text):
            return text
        case _:
            return value_text(value)


def _softer(constraint: Constraint) -> Constraint | None:
    """Return a constraint that more things meet; None where there is no such."""
    if constraint.negated:
        return None
    softened = tuple(_softer_value(constraint.key, value) for value in constraint.values)
    less = replace(constraint, values=softened)
    return less if less != constraint else None


def _softer_value(key: str, value: Value) -> Value:
    match value:
        case Flag(name):
            return Flag(_LESS_STRICT.get(name, name))
        case Range(low, high) if key == "arity":
            return Range(max(0, low - 1), None if high is None else high + 1)
        case HasValue(name):
            return HasValue(name, None)
        case Glob(pattern) if key in _BY_PART and "*" not in pattern:
            return Glob(f"*{pattern}*")
        case _:
            return value
