"""Say whether two types are one and the same, however they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.types import (
    Array,
    Intersection,
    Object,
    Property,
    Reference,
    Signature,
    Tuple,
    Type,
    Union,
)
from typematch.program.reduction.skolemize import opened

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

Pairs = frozenset[tuple[Type, Type]]


def identical(rel: Relation, s: Type, t: Type, assumed: Pairs = frozenset()) -> bool:
    """Return whether ``s`` and ``t`` are identical.

    A pair met again on the way down is taken to be.
    """
    if s is t:
        return True
    one, other = rel.reducer.normal(s), rel.reducer.normal(t)
    if one is other or (one, other) in assumed:
        return True
    if one.__class__ is not other.__class__:
        return False
    rel.reducer.count()
    if len(assumed) > rel.limits.depth:
        return True
    inner = assumed | {(one, other)}
    if isinstance(one, Object) and isinstance(other, Object):
        return _objects(rel, one, other, inner)
    if isinstance(one, Array) and isinstance(other, Array):
        return one.readonly == other.readonly and identical(rel, one.element, other.element, inner)
    if isinstance(one, Tuple) and isinstance(other, Tuple):
        return (
            one.readonly == other.readonly
            and _all(rel, [e.type for e in one.elements], [e.type for e in other.elements], inner)
            and all(a.kind == b.kind for a, b in zip(one.elements, other.elements, strict=True))
        )
    if isinstance(one, Reference) and isinstance(other, Reference):
        return one.target == other.target and _all(rel, one.arguments, other.arguments, inner)
    if isinstance(one, (Union, Intersection)) and isinstance(other, (Union, Intersection)):
        return _each_in(rel, one.members, other.members, inner) and _each_in(
            rel, other.members, one.members, inner
        )
    return False


def _all(rel: Relation, these: Sequence[Type], those: Sequence[Type], assumed: Pairs) -> bool:
    return len(these) == len(those) and all(
        identical(rel, a, b, assumed) for a, b in zip(these, those, strict=True)
    )


def _each_in(rel: Relation, these: Sequence[Type], those: Sequence[Type], assumed: Pairs) -> bool:
    return all(a in those or any(identical(rel, a, b, assumed) for b in those) for a in these)


def _objects(rel: Relation, one: Object, other: Object, assumed: Pairs) -> bool:
    if len(one.properties) != len(other.properties) or len(one.indexes) != len(other.indexes):
        return False
    return (
        all(
            _properties(rel, a, b, assumed)
            for a, b in zip(one.properties, other.properties, strict=True)
        )
        and _signatures(rel, one.calls, other.calls, assumed)
        and _signatures(rel, one.constructs, other.constructs, assumed)
        and all(
            a.key is b.key and a.readonly == b.readonly and identical(rel, a.type, b.type, assumed)
            for a, b in zip(one.indexes, other.indexes, strict=True)
        )
    )


def _properties(rel: Relation, a: Property, b: Property, assumed: Pairs) -> bool:
    same = (a.name, a.optional, a.readonly, a.visibility, a.owner)
    if same != (b.name, b.optional, b.readonly, b.visibility, b.owner):
        return False
    return identical(rel, a.type, b.type, assumed)


def _signatures(
    rel: Relation, these: Sequence[Signature], those: Sequence[Signature], assumed: Pairs
) -> bool:
    return len(these) == len(those) and all(
        _same_signature(rel, a, b, assumed) for a, b in zip(these, those, strict=True)
    )


def _same_signature(rel: Relation, a: Signature, b: Signature, assumed: Pairs) -> bool:
    if len(a.type_parameters) != len(b.type_parameters) or len(a.parameters) != len(b.parameters):
        return False
    one, other = opened(rel.reducer, a, b), opened(rel.reducer, b, a)
    return all(
        (p.optional, p.rest) == (q.optional, q.rest) and identical(rel, p.type, q.type, assumed)
        for p, q in zip(one.parameters, other.parameters, strict=True)
    ) and identical(rel, one.returns, other.returns, assumed)
