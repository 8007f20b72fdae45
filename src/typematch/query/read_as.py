"""Say in a line what a query was understood as."""

from __future__ import annotations

import re
from typing import assert_never

from typematch.ir.render import render
from typematch.ir.types import Object, Signature
from typematch.match.strictness import Strictness
from typematch.query.model import (
    IS,
    Constraint,
    Flag,
    Glob,
    HasValue,
    Phrases,
    Query,
    Range,
    Text,
    TypeValue,
    Value,
)

_UNNAMED = re.compile(r"\barg\d+: ")


def read_as(query: Query) -> str:
    """Return what was understood, its parts in a fixed order."""
    parts = []
    if query.name:
        parts.append(f"name {query.name!r}")
    if query.signature is not None:
        text = signature_text(query.signature, query.variables)
        # Of a query's own unnamed parameters only the types were given.
        parts.append(text if "arg" in query.text else _UNNAMED.sub("", text))
    if query.type is not None:
        parts.append(f"types that fit {render(query.type)}")
    if query.words:
        parts.append(f"words {query.words!r}")
    if query.said is not None:
        parts += said_text(query.said)
    parts += [constraint_text(constraint) for constraint in query.constraints]
    if query.strictness is not Strictness.SOFT:
        parts.append(f"is:{query.strictness.value}")
    if query.sort:
        parts.append(f"sort:{query.sort}")
    if query.limit is not None:
        parts.append(f"limit:{query.limit}")
    return "  ".join(parts)


def said_text(said: Phrases) -> list[str]:
    """Return what a sentence says about types."""
    parts = [f"takes {one.text}{_mark(one.sure)}" for one in said.parameters]
    if said.returns is not None:
        parts.append(f"returns {said.returns.text}{_mark(said.returns.sure)}")
    if said.arity is not None:
        parts.append(f"arity:{value_text(said.arity)}{_mark(said.arity_sure)}")
    if said.asynchronous is not None:
        parts.append("is:async" if said.asynchronous else "-is:async")
    parts += [f"kind:{said.kind}"] if said.kind else []
    return parts + [f"is:{flag}" for flag in said.flags if flag in IS]


def _mark(sure: bool) -> str:
    return "" if sure else " (likely)"


def signature_text(function: Object, variables: tuple[str, ...]) -> str:
    """Return a function type as TypeScript, its type parameters called ``variables``."""
    [call] = function.calls
    names = (variables,)
    opened = Signature(call.parameters, call.returns, (), call.this, call.predicate)
    text = render(Object(calls=(opened,)), names=names)
    declared = []
    for name, parameter in zip(variables, call.type_parameters, strict=True):
        bounds = name if not parameter.const else f"const {name}"
        if parameter.constraint is not None:
            bounds += f" extends {render(parameter.constraint, names=names)}"
        if parameter.default is not None:
            bounds += f" = {render(parameter.default, names=names)}"
        declared.append(bounds)
    return f"<{', '.join(declared)}>{text}" if declared else text


def constraint_text(constraint: Constraint) -> str:
    """Return a facet as one writes it."""
    values = ",".join(value_text(value) for value in constraint.values)
    return f"{'-' if constraint.negated else ''}{constraint.key}:{values}"


def value_text(value: Value) -> str:
    match value:
        case Glob(pattern):
            return _quoted(pattern)
        case Text(text):
            return _quoted(text)
        case Flag(name):
            return name
        case Range(low, high):
            return str(low) if low == high else f"{low}..{'' if high is None else high}"
        case TypeValue(_, text):
            return text
        case HasValue(name, shown, text):
            return name if shown is None else f"{name}:{text}"
        case _:
            assert_never(value)


def _quoted(text: str) -> str:
    plain = text and not any(c.isspace() or c in ',"' for c in text)
    return text if plain else f'"{text}"'
