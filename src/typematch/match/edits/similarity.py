"""Guess how likely a found function fits, from how alike it looks: no bound, and cheaply told."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.ir.types import (
    Free,
    Intrinsic,
    Literal,
    Object,
    Reference,
    Signature,
    Type,
    Union,
    Var,
)
from typematch.match.edits.query_signature import QuerySignature
from typematch.match.prefilter.quick_reject import QuickReject


def distance(found: Object, asked: QuerySignature, glance: QuickReject) -> int:
    """Return how unlike the nearest overload of ``found`` looks: a first guess, and no bound."""
    wanted = asked.rigid
    places = [p.type for p in wanted.parameters]
    return min((_unlike(one, places, wanted.returns, glance) for one in found.calls), default=0)


def _unlike(found: Signature, places: Sequence[Type], result: Type, glance: QuickReject) -> int:
    """Add up the places, the result counting double: it says most of what a function is for."""
    parameters = found.parameters
    required = sum(1 for p in parameters if not p.optional and not p.rest)
    total = 2 * max(0, required - len(places)) + 3 * max(0, len(places) - len(parameters))
    total += 2 * _unlike_types(found.returns, result, glance)
    for parameter, type_ in zip(parameters, places, strict=False):
        total += _unlike_types(parameter.type, type_, glance)
    return total


def _unlike_types(found: Type, asked: Type, glance: QuickReject) -> int:
    """Return 0 for one type, 1 for types of one head, 2 for a bare variable, 3 for others.

    Types of two heads that may stand for each other (a dictionary, a record) count 2; what has to
    be worked out counts ``_COMPUTED``: few such results fit.
    """
    if found is asked:
        return 0
    if found.__class__ is Var:
        return 1 if asked.__class__ is Free else 2
    if isinstance(found, Union):
        return min(_unlike_types(member, asked, glance) for member in found.members)
    if isinstance(found, Reference) and found.target == getattr(asked, "target", None):
        return 1
    one, other = glance.head(found), glance.head(asked)
    if one is None or other is None:
        return _COMPUTED if one is None else 3
    if one is not found or other is not asked:
        return _unlike_types(one, other, glance)
    if found.__class__ is asked.__class__ and found.__class__ not in _TOLD_APART:
        return _unlike_functions(found, asked, glance)
    return 2 if glance.may_fit(found, asked) and glance.may_fit(asked, found) else 3


def _unlike_functions(found: Type, asked: Type, glance: QuickReject) -> int:
    """Return how unlike the unlikest parts of two functions are; 1 where there are none."""
    if not isinstance(found, Object) or not isinstance(asked, Object):
        return 1
    if len(found.calls) != 1 or len(asked.calls) != 1:
        return 1
    one, other = found.calls[0], asked.calls[0]
    pairs = zip(one.parameters, other.parameters, strict=False)
    parts = [(one.returns, other.returns), *((a.type, b.type) for a, b in pairs)]
    return max(1, *(_unlike_types(a, b, glance) for a, b in parts))


_COMPUTED = 4
_TOLD_APART = (Intrinsic, Literal, Reference)
