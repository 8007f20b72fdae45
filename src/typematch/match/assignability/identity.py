"""Decide whether two types are identical (the checker's isTypeIdenticalTo)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.type_parts import Property, Signature
from typematch.ir.types import Array, Intersection, Object, Reference, Tuple, Type, Union
from typematch.program.reduction.skolemize import skolemized

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

Pairs = frozenset[tuple[Type, Type]]


def identical(rel: Relation, s: Type, t: Type, assumed: Pairs = frozenset()) -> bool:
    """Return whether ``s`` and ``t`` are identical.

    Args:
        assumed: pairs being compared; a pair met again is assumed to be identical.
    """
    if s is t:
        return True
    source, target = rel.reducer.normal(s), rel.reducer.normal(t)
    if source is target or (source, target) in assumed:
        return True
    if source.__class__ is not target.__class__:
        return False
    rel.reducer.count_step()
    if len(assumed) > rel.limits.depth:
        return True
    inner = assumed | {(source, target)}
    if isinstance(source, Object) and isinstance(target, Object):
        return _objects_identical(rel, source, target, inner)
    if isinstance(source, Array) and isinstance(target, Array):
        return source.readonly == target.readonly and identical(
            rel, source.element, target.element, inner
        )
    if isinstance(source, Tuple) and isinstance(target, Tuple):
        return (
            source.readonly == target.readonly
            and _pairwise_identical(
                rel, [e.type for e in source.elements], [e.type for e in target.elements], inner
            )
            and all(a.kind == b.kind for a, b in zip(source.elements, target.elements, strict=True))
        )
    if isinstance(source, Reference) and isinstance(target, Reference):
        return source.target == target.target and _pairwise_identical(
            rel, source.arguments, target.arguments, inner
        )
    if isinstance(source, (Union, Intersection)) and isinstance(target, (Union, Intersection)):
        return _each_has_identical(
            rel, source.members, target.members, inner
        ) and _each_has_identical(rel, target.members, source.members, inner)
    return False


def _pairwise_identical(
    rel: Relation, sources: Sequence[Type], targets: Sequence[Type], assumed: Pairs
) -> bool:
    return len(sources) == len(targets) and all(
        identical(rel, a, b, assumed) for a, b in zip(sources, targets, strict=True)
    )


def _each_has_identical(
    rel: Relation, sources: Sequence[Type], targets: Sequence[Type], assumed: Pairs
) -> bool:
    return all(a in targets or any(identical(rel, a, b, assumed) for b in targets) for a in sources)


def _objects_identical(rel: Relation, source: Object, target: Object, assumed: Pairs) -> bool:
    if len(source.properties) != len(target.properties) or len(source.indexes) != len(
        target.indexes
    ):
        return False
    return (
        all(
            _properties_identical(rel, a, b, assumed)
            for a, b in zip(source.properties, target.properties, strict=True)
        )
        and _signature_lists_identical(rel, source.calls, target.calls, assumed)
        and _signature_lists_identical(rel, source.constructs, target.constructs, assumed)
        and all(
            a.key is b.key and a.readonly == b.readonly and identical(rel, a.type, b.type, assumed)
            for a, b in zip(source.indexes, target.indexes, strict=True)
        )
    )


def _properties_identical(rel: Relation, a: Property, b: Property, assumed: Pairs) -> bool:
    same = (a.name, a.optional, a.readonly, a.visibility, a.owner)
    if same != (b.name, b.optional, b.readonly, b.visibility, b.owner):
        return False
    return identical(rel, a.type, b.type, assumed)


def _signature_lists_identical(
    rel: Relation, sources: Sequence[Signature], targets: Sequence[Signature], assumed: Pairs
) -> bool:
    return len(sources) == len(targets) and all(
        _signatures_identical(rel, a, b, assumed) for a, b in zip(sources, targets, strict=True)
    )


def _signatures_identical(rel: Relation, a: Signature, b: Signature, assumed: Pairs) -> bool:
    if len(a.type_parameters) != len(b.type_parameters) or len(a.parameters) != len(b.parameters):
        return False
    source, target = skolemized(rel.reducer, a, b), skolemized(rel.reducer, b, a)
    return all(
        (p.optional, p.rest) == (q.optional, q.rest) and identical(rel, p.type, q.type, assumed)
        for p, q in zip(source.parameters, target.parameters, strict=True)
    ) and identical(rel, source.returns, target.returns, assumed)
