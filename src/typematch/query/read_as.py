"""Say in a line what a query was understood as."""

from __future__ import annotations

import re
from dataclasses import dataclass
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
    Query,
    Range,
    SentenceConstraints,
    TextValue,
    TypeValue,
    Value,
)

_MADE_UP = re.compile(r"\b(arg\d+): ")  # by ``render``, for what has no name


def read_as(query: Query) -> str:
    """Return what was understood, its parts in a fixed order."""
    parts = []
    if query.name:
        parts.append(f"name {query.name!r}")
    if query.signature is not None:
        parts.append(signature_text(query.signature, query.variables))
    if query.type is not None:
        parts.append(f"types that fit {render(query.type)}")
    if query.words:
        parts.append(f"words {query.words!r}")
    if query.said is not None:
        parts += [f"{one.text}{_mark(one.sure)}" for one in said_parts(query.said)]
    parts += [constraint_text(constraint) for constraint in query.constraints]
    if query.strictness is not Strictness.SOFT:
        parts.append(f"is:{query.strictness.value}")
    if query.sort:
        parts.append(f"sort:{query.sort}")
    if query.limit is not None:
        parts.append(f"limit:{query.limit}")
    return "  ".join(parts)


@dataclass(frozen=True, slots=True)
class SaidPart:
    """One thing that a sentence says about types; ``sure`` as its reading is."""

    text: str
    sure: bool = True


def said_parts(said: SentenceConstraints) -> list[SaidPart]:
    """Return what a sentence says about types: its parameters, its result, then the rest."""
    parts = [SaidPart(f"takes {one.text}", one.sure) for one in said.parameters]
    if said.returns is not None:
        parts.append(SaidPart(f"returns {said.returns.text}", said.returns.sure))
    if said.arity is not None:
        parts.append(SaidPart(f"arity:{value_text(said.arity)}", said.arity_sure))
    if said.asynchronous is not None:
        parts.append(SaidPart("is:async" if said.asynchronous else "-is:async"))
    parts += [SaidPart(f"kind:{said.kind}")] if said.kind else []
    return parts + [SaidPart(f"is:{flag}") for flag in said.flags if flag in IS]


def signature_text(function: Object, variables: tuple[str, ...], *, declared: bool = True) -> str:
    """Return a function type as a query may have it, its type parameters called ``variables``.

    Where a parameter has no name it is its type alone.  Without ``declared`` type parameters are
    not introduced: single capital letters and ``?x`` need not be.
    """
    [call] = function.calls
    # A name that is introduced has no question mark.
    names = (tuple(one.removeprefix("?") for one in variables) if declared else variables,)
    opened = Signature(call.parameters, call.returns, (), call.this, call.predicate)
    text = render(Object(calls=(opened,)), names=names)
    introduced = []
    for name, parameter in zip(names[0], call.type_parameters, strict=True):
        bounds = name if not parameter.const else f"const {name}"
        if parameter.constraint is not None:
            bounds += f" extends {render(parameter.constraint, names=names)}"
        if parameter.default is not None:
            bounds += f" = {render(parameter.default, names=names)}"
        introduced.append(bounds)
    if declared and introduced:
        text = f"<{', '.join(introduced)}>{text}"
    given = {one.name for one in call.parameters}
    return _MADE_UP.sub(lambda found: found[0] if found[1] in given else "", text)


def _mark(sure: bool) -> str:
    return "" if sure else " (likely)"


def constraint_text(constraint: Constraint) -> str:
    """Return a facet as one writes it."""
    values = ",".join(value_text(value) for value in constraint.values)
    return f"{'-' if constraint.negated else ''}{constraint.key}:{values}"


def value_text(value: Value) -> str:
    match value:
        case Glob(pattern):
            return _quoted(pattern)
        case TextValue(text):
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
