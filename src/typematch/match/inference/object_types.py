"""Infer between object types: properties, signatures, index signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import union
from typematch.ir.type_parts import Signature
from typematch.ir.types import ANY, Reference, Type
from typematch.match.inference.inference_variables import base_signature
from typematch.match.parameter_lists import parameter_pairs, return_types
from typematch.program.reduction.heritage import base_instance
from typematch.program.reduction.indexed_access import key_type
from typematch.program.reduction.members import (
    applicable_index_signature,
    index_applies,
    property_of,
)
from typematch.program.reduction.resolved_members import read_type
from typematch.program.reduction.skolemize import erasure
from typematch.program.reduction.unions import is_unit

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation
    from typematch.match.inference.infer_types import InferenceContext


def infer_from_members(context: InferenceContext, s: Type, t: Type) -> None:
    """Infer from the members of an object type to those of another (inferFromObjectTypes).

    Members that the source inherits from an instance of the target have its type arguments.
    """
    rel = context.rel
    reducer = rel.reducer
    base = None
    if isinstance(s, Reference) and isinstance(t, Reference):
        base = base_instance(reducer, s, t.target)
    if base is None and _definitely_unrelated(rel, s, t):
        return
    source, target = reducer.members_of(s), reducer.members_of(t)
    from_base = False
    for name in target.names:
        inherited = base is not None and name not in base.hidden
        if inherited and from_base:
            continue
        target_property = target.get(name)
        if target_property is not None and context.mentions_variables(target_property.type):
            if base is not None and inherited:
                context.infer(base.type, t)
                from_base = True
                continue
            source_property = property_of(reducer, s, name)
            if source_property is not None:
                context.infer(read_type(source_property), read_type(target_property))
    _infer_from_signatures(context, source.calls, target.calls)
    _infer_from_signatures(context, source.constructs, target.constructs)
    for index in target.indexes:
        if source.implicit_index:
            member_types = [
                p.type for p in source if index_applies(reducer, key_type(p), index.key)
            ]
            member_types += [
                i.type for i in source.indexes if index_applies(reducer, i.key, index.key)
            ]
            if member_types:
                context.infer(union(member_types), index.type)
    for index in target.indexes:
        source_index = applicable_index_signature(reducer, source, index.key)
        if source_index is not None:
            context.infer(source_index.type, index.type)


def _infer_from_signatures(
    context: InferenceContext, sources: Sequence[Signature], targets: Sequence[Signature]
) -> None:
    if not sources:
        return
    rel = context.rel
    for position, target in enumerate(targets):
        source = sources[max(len(sources) - len(targets) + position, 0)]
        _infer_from_signature(context, base_signature(rel, source), erasure(rel.reducer, target))


def _infer_from_signature(context: InferenceContext, s: Signature, t: Signature) -> None:
    outer = context.bivariant
    context.bivariant = outer or "method" in t.modifier
    for source_type, target_type in parameter_pairs(context.rel, s, t):
        context.infer_contravariantly(source_type, target_type)
    context.bivariant = outer
    context.infer(*return_types(s, t))


def _definitely_unrelated(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether each type lacks a property the other requires (typesDefinitelyUnrelated)."""
    return _lacks_required_property(rel, s, t, check_unit_values=True) and _lacks_required_property(
        rel, t, s, check_unit_values=False
    )


def _lacks_required_property(rel: Relation, s: Type, t: Type, *, check_unit_values: bool) -> bool:
    """Return whether ``s`` lacks a required property of ``t``.

    Args:
        check_unit_values: a property with another unit type counts as lacking.
    """
    reducer = rel.reducer
    for required in reducer.members_of(t):
        if required.optional:
            continue
        source_property = property_of(reducer, s, required.name)
        if source_property is None:
            return True
        if check_unit_values:
            unit = reducer.normal(required.type)
            if is_unit(reducer, unit) and reducer.normal(source_property.type) not in (unit, ANY):
                return True
    return False
