"""Renders a parsed query as one line of normalised query text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from typematch.ir.render import render
from typematch.ir.type_parts import Signature
from typematch.ir.types import Object
from typematch.match.strictness import Strictness
from typematch.query.model import (
    IS_FLAGS,
    Constraint,
    Flag,
    Glob,
    HasValue,
    Query,
    Range,
    SentenceConstraints,
    TextValue,
    TypeValue,
    Value,
)
from typematch.query.split import has_types, value_end

_NEXT = " \"'`"  # what may follow a value in a query: a blank, and the end of a quotation
_NOT_FIRST = '":/'  # ``key::`` and ``key:/`` are no facets
_GENERATED_NAME = re.compile(r"\b(arg\d+): ")  # ``render`` names parameters without a name


def read_as(query: Query) -> str:
    """Return the parts of the query in a fixed order."""
    parts = []
    if query.name:
        parts.append(f"name {query.name!r}")
    if query.signature is not None:
        new = "new " if query.constructs else ""
        parts.append(f"{new}{signature_text(query.signature, query.variables)}")
    if query.type is not None:
        parts.append(f"types assignable to {render(query.type)}")
    if query.words:
        parts.append(f"words {words_text(query)!r}")
    if query.sentence is not None:
        parts += [
            part.text if part.sure else f"{part.text} (likely)"
            for part in sentence_parts(query.sentence)
        ]
    parts += [constraint_text(constraint) for constraint in query.constraints]
    if query.strictness is not Strictness.WITH_EDITS:
        parts.append(f"is:{query.strictness.value}")
    if query.sort:
        parts.append(f"sort:{query.sort}")
    if query.limit is not None:
        parts.append(f"limit:{query.limit}")
    if query.strict:
        parts.append("strict:yes")
    return "  ".join(parts)


def words_text(query: Query) -> str:
    """Return the words of a query, with its phrases in quotes."""
    text, start = query.words, 0
    for phrase in query.phrases:
        start = text.index(phrase, start)
        quoted = f'"{phrase}"'
        text = text[:start] + quoted + text[start + len(phrase) :]
        start += len(quoted)
    return text


@dataclass(frozen=True, slots=True)
class SentencePart:
    """One constraint of a sentence."""

    text: str
    sure: bool = True


def sentence_parts(sentence: SentenceConstraints) -> list[SentencePart]:
    """Return the constraints of a sentence: parameters, result, then the others."""
    parts = [
        SentencePart(f"takes {parameter.text}", parameter.sure) for parameter in sentence.parameters
    ]
    if sentence.returns is not None:
        parts.append(SentencePart(f"returns {sentence.returns.text}", sentence.returns.sure))
    if sentence.arity is not None:
        parts.append(SentencePart(f"arity:{value_text(sentence.arity)}", sentence.arity_sure))
    if sentence.asynchronous is not None:
        flag = "is:async" if sentence.asynchronous else "-is:async"
        parts.append(SentencePart(flag, sentence.asynchronous_sure))
    parts += [SentencePart(f"kind:{sentence.kind}")] if sentence.kind else []
    return parts + [SentencePart(f"is:{flag}") for flag in sentence.flags if flag in IS_FLAGS]


def signature_text(function: Object, variables: tuple[str, ...], *, declared: bool = True) -> str:
    """Return a function type in query syntax; parameters without a name are their type alone.

    Args:
        variables: the names of its type parameters.
        declared: start with a type parameter list, which capital letters and ``?x`` do not need.
    """
    [call] = function.calls
    # Names in a type parameter list have no question mark.
    names = (tuple(name.removeprefix("?") for name in variables) if declared else variables,)
    body = Signature(call.parameters, call.returns, (), call.this, call.predicate)
    text = render(Object(calls=(body,)), names=names)
    declarations = []
    for name, parameter in zip(names[0], call.type_parameters, strict=True):
        declaration = f"const {name}" if parameter.const else name
        if parameter.constraint is not None:
            declaration += f" extends {render(parameter.constraint, names=names)}"
        if parameter.default is not None:
            declaration += f" = {render(parameter.default, names=names)}"
        declarations.append(declaration)
    if declared and declarations:
        text = f"<{', '.join(declarations)}>{text}"
    own = {parameter.name for parameter in call.parameters}
    return _GENERATED_NAME.sub(lambda match: match[0] if match[1] in own else "", text)


def constraint_text(constraint: Constraint) -> str:
    """Return a facet in query syntax."""
    sign = "-" if constraint.negated else ""
    return facet_text(f"{sign}{constraint.key}", map(value_text, constraint.values))


def value_text(value: Value) -> str:
    """Return the text of a value, without quotes."""
    match value:
        case Glob(text) | TextValue(text) | Flag(text) | TypeValue(_, text):
            return text
        case Range(low, high):
            return str(low) if low == high else f"{low}..{'' if high is None else high}"
        case HasValue(name, type_, text):
            return name if type_ is None else f"{name}:{text}"
        case _:
            assert_never(value)


def facet_text(key: str, values: Iterable[str]) -> str:
    """Return a facet in query syntax.

    Args:
        key: with a leading ``-`` if the facet is negated.
        values: without quotes.
    """
    typed = has_types(key.removeprefix("-"))
    return f"{key}:{','.join(quoted(value, typed=typed) for value in values)}"


def quoted(text: str, *, typed: bool = False) -> str:
    """Return a value of a facet as it is written in a query: in quotes where it needs them.

    Args:
        typed: it is a type, or a field with a type.
    """
    is_read_whole = value_end(text + _NEXT, 0, typed=typed) == len(text)
    is_plain = text and is_read_whole and text[0] not in _NOT_FIRST
    return text if is_plain else f'"{text}"'
