"""Overload resolution: does a call reach the overload that matched?"""

from __future__ import annotations

from typematch.adapt.conversions import CONVERSIONS
from typematch.adapt.model import MatchedCall, TypeQueries
from typematch.adapt.query import AdaptedQuery
from typematch.ir.constructors import replace_bound_variables, union
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import ANY, NULL, UNDEFINED, UNKNOWN, Object, Reference, Type
from typematch.match.edit_kinds import (
    CONTENT_NARROWED,
    RECEIVER_FIRST,
    UNDEFINED_CHECKED,
    UNION_MEMBER,
    WRAPPED,
)
from typematch.match.edits.argument_assignment import LEFT_OUT

_ASSERTIONS = frozenset((CONTENT_NARROWED, UNDEFINED_CHECKED, UNION_MEMBER))


def is_captured(match: MatchedCall, query: AdaptedQuery, queries: TypeQueries) -> bool:
    """Return whether an earlier overload takes the arguments, and its result does not fit.

    The compiler calls the first overload that takes the arguments, whatever it returns.  False also
    where the types of the arguments, or of the result, are not known: they are converted, or a
    value has to be supplied.
    """
    kinds = {edit.kind for edit in match.edits}
    converted = {edit.kind for edit in match.edits if edit.path == "$.returns"} & CONVERSIONS
    is_known = not any(
        edit.kind in CONVERSIONS and edit.path != "$.returns" for edit in match.edits
    )
    if not match.overload or not is_known or RECEIVER_FIRST in kinds:
        return False
    if converted - _ASSERTIONS - {WRAPPED}:
        return False
    arguments, last = query.arguments(match.edits)
    sources = list(match.assignment)
    while sources and sources[-1] == LEFT_OUT:
        sources.pop()
    if any(source < 0 for source in sources):
        return False
    passed = tuple(
        Parameter(f"argument{index}", arguments[source].type, rest=arguments[source].rest)
        for index, source in enumerate(sources)
    )
    expected = query.returns
    if WRAPPED in converted:
        promise = queries.expand(expected)
        if not isinstance(promise, Reference) or not promise.arguments:
            return False
        expected = promise.arguments[0]
    if UNDEFINED_CHECKED in converted:
        expected = union((expected, UNDEFINED, NULL))
    if last is not None:
        second = Signature((Parameter("last", last.type),), expected)
        expected = Object(calls=(second,))
    for earlier in match.entry.signatures[: match.overload]:
        function, _ = close_over_container(earlier.type)
        if queries.is_assignable(function, _function(passed, UNKNOWN)):
            fits = queries.is_assignable(function, _function(passed, expected))
            # The compiler accepts an assertion from a wider type.
            is_wider = bool(converted & _ASSERTIONS) and queries.is_assignable(
                query.returns, _result(function.calls[0])
            )
            return not fits and not is_wider
    return False


def _result(signature: Signature) -> Type:
    """Return the result of a signature with ``any`` for its type parameters."""
    if not signature.type_parameters:
        return signature.returns
    return replace_bound_variables(signature.returns, ANY)


def _function(parameters: tuple[Parameter, ...], returns: Type) -> Object:
    return Object(calls=(Signature(parameters, returns),))
