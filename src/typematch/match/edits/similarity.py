"""Structural distance of signatures: a cheap guess at the order of candidates with equal bounds."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.ir.type_parts import Signature
from typematch.ir.types import Free, Intrinsic, Literal, Object, Reference, Type, Union, Var
from typematch.match.edits.query_signature import QuerySignature
from typematch.match.prefilter.quick_reject import QuickReject


def distance(function: Object, query: QuerySignature, quick_reject: QuickReject) -> int:
    """Return the distance of the nearest overload of ``function``; not a bound of its cost."""
    target = query.skolemized
    parameter_types = [parameter.type for parameter in target.parameters]
    return min(
        (
            _signature_distance(signature, parameter_types, target.returns, quick_reject)
            for signature in function.calls
        ),
        default=0,
    )


def _signature_distance(
    candidate: Signature,
    argument_types: Sequence[Type],
    expected_result: Type,
    quick_reject: QuickReject,
) -> int:
    """Add up the distances of the parameters and, counted twice, of the result."""
    parameters = candidate.parameters
    required = sum(1 for parameter in parameters if not parameter.optional and not parameter.rest)
    total = 2 * max(0, required - len(argument_types)) + 3 * max(
        0, len(argument_types) - len(parameters)
    )
    total += 2 * _type_distance(candidate.returns, expected_result, quick_reject)
    for parameter, argument_type in zip(parameters, argument_types, strict=False):
        total += _type_distance(parameter.type, argument_type, quick_reject)
    return total


def _type_distance(actual: Type, expected: Type, quick_reject: QuickReject) -> int:
    """Return 0 for equal types, 1 for equal heads, 2 for a bare type parameter, 3 for others.

    Types of different heads that may be mutually assignable (a dictionary, a record) count 2;
    computed types count ``_COMPUTED``, because few of them fit.
    """
    if actual is expected:
        return 0
    if actual.__class__ is Var:
        return 1 if expected.__class__ is Free else 2
    if isinstance(actual, Union):
        return min(_type_distance(member, expected, quick_reject) for member in actual.members)
    if isinstance(actual, Reference) and actual.target == getattr(expected, "target", None):
        return 1
    actual_head, expected_head = quick_reject.head(actual), quick_reject.head(expected)
    if actual_head is None or expected_head is None:
        return _COMPUTED if actual_head is None else 3
    if actual_head is not actual or expected_head is not expected:
        return _type_distance(actual_head, expected_head, quick_reject)
    if actual.__class__ is expected.__class__ and actual.__class__ not in _NOT_COMPARED_INSIDE:
        return _function_distance(actual, expected, quick_reject)
    return (
        2
        if quick_reject.may_be_assignable(actual, expected)
        and quick_reject.may_be_assignable(expected, actual)
        else 3
    )


def _function_distance(actual: Type, expected: Type, quick_reject: QuickReject) -> int:
    """Return the largest distance of corresponding parts of two function types, at least 1."""
    if not isinstance(actual, Object) or not isinstance(expected, Object):
        return 1
    if len(actual.calls) != 1 or len(expected.calls) != 1:
        return 1
    actual_call, expected_call = actual.calls[0], expected.calls[0]
    pairs = zip(actual_call.parameters, expected_call.parameters, strict=False)
    parts = [(actual_call.returns, expected_call.returns), *((a.type, b.type) for a, b in pairs)]
    return max(1, *(_type_distance(a, b, quick_reject) for a, b in parts))


_COMPUTED = 4
_NOT_COMPARED_INSIDE = (Intrinsic, Literal, Reference)
