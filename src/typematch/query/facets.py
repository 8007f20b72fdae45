"""Parses the values of facets, each in the syntax of its key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from typematch.errors import QuerySyntaxError, TypeSyntaxError
from typematch.ir.types import Type
from typematch.query.model import (
    FACETS,
    STRICTNESS,
    Constraint,
    Facet,
    Flag,
    Form,
    Glob,
    HasValue,
    Query,
    Range,
    TextValue,
    TypeValue,
    Value,
)
from typematch.query.signature.lexer import Token
from typematch.query.signature.type_expr import read_type
from typematch.query.split import closest_match
from typematch.query.suggestions import suggestion

_RANGE = re.compile(
    r"(?P<only>\d+)$|(?P<low>\d*)\.\.(?P<high>\d*)$|(?P<sign>>=|<=|>|<|=)(?P<bound>\d+)$", re.ASCII
)
_FIELD = re.compile(r"[^\s:]+")
_MAX_DIGITS = 9  # of a number


def read_constraint(text: str, key: Token, values: Sequence[Token], *, negated: bool) -> Constraint:
    """Return the constraint of one facet of the query ``text``.

    Raises:
        QuerySyntaxError: a value that is invalid for the key.
    """
    facet = FACETS[key.text]
    return Constraint(facet.key, tuple([_value(text, facet, value) for value in values]), negated)


def with_facet(query: Query, constraint: Constraint, column: int) -> Query:
    """Return ``query`` with one more constraint, or with its strictness, limit or order set."""
    flags = [value.name for value in constraint.values if isinstance(value, Flag)]
    strict = [flag for flag in flags if constraint.key == "is" and flag in STRICTNESS]
    setting = constraint.key in ("limit", "sort", "strict") or strict
    if not setting:
        return replace(query, constraints=(*query.constraints, constraint))
    if constraint.negated or len(constraint.values) > 1:
        raise QuerySyntaxError(
            query.text,
            column,
            problem=f"{constraint.key} takes one value and no '-' here",
            hint=f"Try: {constraint.key}:{flags[0] if flags else '20'}",
        )
    match constraint.key, constraint.values[0]:
        case "limit", Range(low):
            return replace(query, limit=low)
        case "sort", Flag(name):
            return replace(query, sort=name)
        case "strict", Flag(name):
            return replace(query, strict=name == "yes")
        case _:
            return replace(query, strictness=STRICTNESS[strict[0]])


def _value(text: str, facet: Facet, token: Token) -> Value:
    match facet.form:
        case Form.GLOB:
            return Glob(token.text)
        case Form.TEXT:
            return TextValue(token.text)
        case Form.FLAG:
            return _flag(text, facet, token)
        case Form.TYPE:
            return TypeValue(_type(text, facet.key, token, token.text), token.text)
        case Form.FIELD:
            return _field(text, token)
        case Form.RANGE:
            return _range(text, facet, token)
        case Form.NUMBER:
            if not re.fullmatch(r"[1-9]\d{0,8}", token.text, re.ASCII):
                raise _invalid(text, facet, token, ("a number from 1",))
            return Range(int(token.text), int(token.text))


def _flag(text: str, facet: Facet, token: Token) -> Flag:
    word = token.text.lower()
    if word in facet.flags:
        return Flag(word)
    near = closest_match(word, facet.flags)
    values = " ".join(facet.flags)
    hint = f"Did you mean {facet.key}:{near}?" if near else f"The values are: {values}"
    raise QuerySyntaxError(
        text,
        token.column,
        problem=f"{_truncated(token.text)!r} is not a value of {facet.key}:",
        hint=hint,
        corrected=f"{text[: token.column]}{near}{text[token.end :]}" if near else "",
    )


def _range(text: str, facet: Facet, token: Token) -> Range:
    match = _RANGE.match(token.text)
    if (
        match is None
        or any(len(group) > _MAX_DIGITS for group in match.groups(""))
        or token.text == ".."
    ):
        raise _invalid(text, facet, token, ("a number", "a range like 1..3", "a bound like >=2"))
    if match["only"]:
        return Range(int(match["only"]), int(match["only"]))
    if match["sign"]:
        bound = int(match["bound"])
        low, high = {
            ">=": (bound, None),
            ">": (bound + 1, None),
            "<=": (0, bound),
            "<": (0, bound - 1),
            "=": (bound, bound),
        }[match["sign"]]
    else:
        low, high = int(match["low"] or 0), int(match["high"]) if match["high"] else None
    if high is not None and high < low:
        raise _invalid(text, facet, token, ("a non-empty range",))
    return Range(low, high)


def _field(text: str, token: Token) -> HasValue:
    match = _FIELD.match(token.text)
    if match is None:
        raise _invalid(text, FACETS["has"], token, ("the name of a field",))
    type_text = token.text[match.end() + 1 :]
    if not type_text.strip():
        return HasValue(match[0], None)
    padded = " " * (match.end() + 1) + type_text
    return HasValue(match[0], _type(text, f"has:{match[0]}", token, padded), type_text.strip())


def _type(text: str, key: str, token: Token, type_text: str) -> Type:
    """Parse ``type_text``, which starts at the column of ``token``."""
    shift = token.column + (1 if token.kind == "QUOTED" else 0)
    try:
        return read_type(type_text)
    except TypeSyntaxError as error:
        raise QuerySyntaxError(
            text,
            shift + error.column,
            error.expected,
            suggestion(type_text, error, read_type, prefix=f"{key}:") or error.hint,
            problem=error.problem,
        ) from error


def _invalid(text: str, facet: Facet, token: Token, expected: tuple[str, ...]) -> QuerySyntaxError:
    example = facet.values.split(", ")[0]
    return QuerySyntaxError(text, token.column, expected, f"Try: {facet.key}:{example}")


def _truncated(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
