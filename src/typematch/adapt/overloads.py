"""Overload resolution: does a call reach the overload that matched?"""

from __future__ import annotations

from typematch.adapt.conversions import CONVERSIONS
from typematch.adapt.model import MatchedCall, TypeQueries
from typematch.adapt.query import AdaptedQuery
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import UNKNOWN, Object, Reference, Type
from typematch.match.edit_kinds import CONTAINS_ANY, RECEIVER_FIRST, SPECIALISED, WRAPPED


def is_captured(match: MatchedCall, query: AdaptedQuery, queries: TypeQueries) -> bool:
    """Return whether an earlier overload takes the arguments, and its result does not fit.

    The compiler calls the first overload that takes the arguments, whatever it returns.  It matters
    for results that fit because they contain ``any``, where the result of an earlier overload is
    more precise, and for types of the query that the overload determines.  False also where
    arguments or the result are converted, except to a promise: their types are not known then.
    """
    kinds = {edit.kind for edit in match.edits}
    converted = (kinds & CONVERSIONS) - {WRAPPED}
    is_relevant = match.overload > 0 and not kinds.isdisjoint((CONTAINS_ANY, SPECIALISED))
    if not is_relevant or converted or RECEIVER_FIRST in kinds:
        return False
    arguments, last = query.arguments(match.edits)
    sources = list(match.assignment)
    while sources and sources[-1] < 0:
        sources.pop()
    if any(source < 0 for source in sources):
        return False
    passed = tuple(
        Parameter(f"argument{index}", arguments[source].type, rest=arguments[source].rest)
        for index, source in enumerate(sources)
    )
    expected = query.returns
    if WRAPPED in kinds:
        promise = queries.expand(expected)
        if not isinstance(promise, Reference) or not promise.arguments:
            return False
        expected = promise.arguments[0]
    if last is not None:
        second = Signature((Parameter("last", last.type),), expected)
        expected = Object(calls=(second,))
    for earlier in match.entry.signatures[: match.overload]:
        function, _ = close_over_container(earlier.type)
        if queries.is_assignable(function, _function(passed, UNKNOWN)):
            return not queries.is_assignable(function, _function(passed, expected))
    return False


def _function(parameters: tuple[Parameter, ...], returns: Type) -> Object:
    return Object(calls=(Signature(parameters, returns),))
