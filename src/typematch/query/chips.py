"""Splits a query into chips: parts that a user interface can remove or relax.

Each chip has the text of the query without it and of the query with a weaker form of it, so clients
need not know the query syntax.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal, TypeAlias

from typematch.ir.intern import replace_fields
from typematch.ir.render import render
from typematch.ir.type_parts import Parameter
from typematch.ir.types import ELLIPSIS, WILDCARD, Array, Object, Type
from typematch.query.entry_signature import entry_signature
from typematch.query.facets import read_constraint
from typematch.query.model import (
    Constraint,
    Flag,
    Glob,
    HasValue,
    Query,
    Range,
    SentenceConstraints,
    Value,
)
from typematch.query.read_as import (
    constraint_text,
    sentence_parts,
    signature_text,
    value_text,
    words_text,
)
from typematch.query.signature.lexer import Token
from typematch.query.split import split_query

ChipKind: TypeAlias = Literal["name", "parameter", "result", "type", "words", "sentence", "facet"]

# Keys whose values relax to a substring match: `name:debounce` to `name:*debounce*`.
_SUBSTRING_KEYS = frozenset(("name", "path", "module", "pkg", "service", "tag"))
_WEAKER_FLAGS = {"exact": "assignable"}
# Each chip repeats most of the query: a very long query gets no alternatives for its last parts.
_MAX_CHANGEABLE = 40  # chips with alternatives
_MAX_ALTERNATIVES = 100_000  # characters of the alternatives of all chips


@dataclass(frozen=True, slots=True)
class QueryChip:
    """A part of a query.

    Attributes:
        text: in query syntax.
        likely: it was read from a sentence, without certainty.
        key, values, negated: of a facet.
        without: the query without it, empty if nothing is left; None if it cannot be removed alone,
            or the query is very long.
        softer: the query with a weaker form of it; None if there is none.
    """

    kind: ChipKind
    text: str
    likely: bool = False
    key: str = ""
    values: tuple[str, ...] = ()
    negated: bool = False
    without: str | None = None
    softer: str | None = None


def query_chips(query: Query) -> tuple[QueryChip, ...]:
    """Return the chips of a query: name, signature or type, words, sentence, facets."""
    text = _QueryText(query.text)
    chips: list[QueryChip] = []
    if query.name:
        chips.append(QueryChip("name", query.name, without=text.with_body(text.body, name="")))
    if query.signature is not None:
        chips += _signature_chips(query, query.signature, text)
    if query.type is not None:
        chips.append(QueryChip("type", render(query.type), without=text.without_body()))
    if query.words:
        chips.append(QueryChip("words", words_text(query), without=text.without_body()))
    if query.sentence is not None:
        chips += _sentence_chips(query.sentence, text)
    for facet in text.facets:
        chips.append(_facet_chip(facet, text, changeable=len(chips) < _MAX_CHANGEABLE))
    return _within_bounds(chips)


def _within_bounds(chips: Sequence[QueryChip]) -> tuple[QueryChip, ...]:
    """Return the chips; those whose alternatives are too many characters have none."""
    left = _MAX_ALTERNATIVES
    bounded = []
    for chip in chips:
        left -= len(chip.without or "") + len(chip.softer or "")
        bounded.append(chip if left >= 0 else replace(chip, without=None, softer=None))
    return tuple(bounded)


class _QueryText:
    """The text of a query and the positions of its parts.

    Attributes:
        body: the signature, the type or the words.
    """

    def __init__(self, text: str) -> None:
        pieces = split_query(text)
        self.text = text
        self.facets = _facets(pieces.tokens)
        self._separated = pieces.separator >= 0
        start = pieces.separator + 2 if self._separated else 0
        self._name = pieces.rest[: pieces.separator].strip() if self._separated else ""
        self.body = pieces.rest[start:].strip()

    def splice(self, start: int, end: int, replacement: str = "") -> str:
        """Return the query with text[start:end] replaced."""
        parts = (self.text[:start].rstrip(), replacement, self.text[end:].lstrip())
        return " ".join(part for part in parts if part)

    def without_body(self) -> str:
        return self._joined(self._name)

    def with_body(self, body: str, *, name: str | None = None) -> str:
        """Return the query with another signature or type, and optionally another name."""
        if name is None:
            name = self._name
        is_type = self._separated and "=>" not in body and "->" not in body
        return self._joined(f"{name} :: {body}" if name or is_type else body)

    def _joined(self, body: str) -> str:
        facets = [self.text[facet.column : facet.end] for facet in self.facets]
        return "  ".join(part for part in (body.strip(), *facets) if part)


@dataclass(frozen=True, slots=True)
class _Facet:
    """A facet; it is text[column:end]."""

    key: Token
    values: tuple[Token, ...]
    negated: bool
    column: int

    @property
    def end(self) -> int:
        return self.values[-1].end


def _facets(tokens: Sequence[Token]) -> list[_Facet]:
    facets: list[_Facet] = []
    negation: Token | None = None
    for token in tokens:
        if token.kind == "NOT":
            negation = token
        elif token.kind == "KEY":
            column = token.column if negation is None else negation.column
            facets.append(_Facet(token, (), negation is not None, column))
            negation = None
        elif token.kind != "COMMA":
            facets[-1] = replace(facets[-1], values=(*facets[-1].values, token))
    return facets


# Signatures ---------------------------------------------------------------------------------------


def _signature_chips(query: Query, function: Object, text: _QueryText) -> Iterator[QueryChip]:
    """Yield a chip for each parameter and the result; of a type guard a single one."""
    [call] = function.calls
    variables = query.variables
    rendered = entry_signature(function, variables)
    new = "new " if query.constructs else ""

    def with_signature(parameters: Sequence[Parameter], returns: Type) -> str:
        changed = replace_fields(call, parameters=tuple(parameters), returns=returns)
        declared = text.body.removeprefix(new).startswith("<")
        body = signature_text(Object(calls=(changed,)), variables, declared=declared)
        return text.with_body(f"{new}{body}")

    if call.predicate is not None:
        yield QueryChip("result", rendered.text, without=text.without_body())
        return
    for i, (parameter, texts) in enumerate(zip(call.parameters, rendered.parameters, strict=True)):
        dots = "..." if parameter.rest and parameter.type is not ELLIPSIS else ""
        name = f"{dots}{texts.name}{'?' * texts.optional}: " if texts.name else dots
        if i >= _MAX_CHANGEABLE:
            yield QueryChip("parameter", f"{name}{texts.type}")
            continue
        others = (*call.parameters[:i], *call.parameters[i + 1 :])
        widened = (*call.parameters[:i], _with_any_type(parameter), *call.parameters[i + 1 :])
        is_wildcard = parameter.type in (WILDCARD, ELLIPSIS)
        yield QueryChip(
            "parameter",
            f"{name}{texts.type}",
            without=with_signature(others, call.returns),
            softer=None if is_wildcard else with_signature(widened, call.returns),
        )
    any_result = with_signature(call.parameters, WILDCARD)
    yield QueryChip(
        "result", rendered.returns, without=None if call.returns is WILDCARD else any_result
    )


def _with_any_type(parameter: Parameter) -> Parameter:
    any_type = Array(WILDCARD) if parameter.rest else WILDCARD
    return replace_fields(parameter, type=any_type)


# Sentences ----------------------------------------------------------------------------------------


def _sentence_chips(sentence: SentenceConstraints, text: _QueryText) -> Iterator[QueryChip]:
    """Yield a chip for each constraint; those with a span can be removed from the sentence."""
    types = [*sentence.parameters, *([sentence.returns] if sentence.returns is not None else ())]
    remainders = [text.splice(type_.column, type_.end) for type_ in types]
    for part, without in zip_longest(sentence_parts(sentence), remainders):
        yield QueryChip("sentence", part.text, likely=not part.sure, without=without)


# Facets -------------------------------------------------------------------------------------------


def _facet_chip(facet: _Facet, text: _QueryText, *, changeable: bool) -> QueryChip:
    constraint = read_constraint(text.text, facet.key, facet.values, negated=facet.negated)
    chip = QueryChip(
        "facet",
        constraint_text(constraint),
        key=constraint.key,
        values=tuple(map(value_text, constraint.values)),
        negated=constraint.negated,
    )
    if not changeable:
        return chip
    softer = _softer(constraint)
    return replace(
        chip,
        without=text.splice(facet.column, facet.end),
        softer=None
        if softer is None
        else text.splice(facet.column, facet.end, constraint_text(softer)),
    )


def _softer(constraint: Constraint) -> Constraint | None:
    """Return a weaker constraint; None if there is none."""
    if constraint.negated:
        return None
    values = tuple(_softer_value(constraint.key, value) for value in constraint.values)
    softer = replace(constraint, values=values)
    return softer if softer != constraint else None


def _softer_value(key: str, value: Value) -> Value:
    match value:
        case Flag(name):
            return Flag(_WEAKER_FLAGS.get(name, name))
        case Range(low, high) if key == "arity":
            return Range(max(0, low - 1), None if high is None else high + 1)
        case HasValue(name):
            return HasValue(name, None)
        case Glob(pattern) if key in _SUBSTRING_KEYS and "*" not in pattern:
            return Glob(f"*{pattern}*")
        case _:
            return value
