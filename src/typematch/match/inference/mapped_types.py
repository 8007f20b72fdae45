"""Infer to mapped types: to their keys, and in reverse through their template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import object_type, renormalize, union
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.type_parts import Element, IndexSignature, Property
from typematch.ir.types import (
    STRING,
    UNKNOWN,
    Array,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Mapped,
    Tuple,
    Type,
    Union,
)
from typematch.match.inference.candidates import MAPPED_TYPE_CONSTRAINT
from typematch.match.inference.inference_variables import key_variable
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.resolved_members import read_type

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation
    from typematch.match.inference.infer_types import InferenceContext


def infer_from_mapped(context: InferenceContext, s: Mapped, t: Mapped) -> None:
    """Infer from a generic mapped type to another: keys, then templates."""
    context.infer(s.keys, t.keys)
    key = key_variable(context.rel, t)
    reducer = context.rel.reducer
    context.infer(reducer.instantiate(s.type, (key,)), reducer.instantiate(t.type, (key,)))


def infer_to_mapped(context: InferenceContext, s: Type, t: Mapped, keys: Type) -> bool:
    """Infer to the keys of a mapped type, or to ``T`` for keys ``keyof T`` (inferToMappedType).

    Returns:
        whether the keys allow it; if not, members are inferred from as for other object types.
    """
    if isinstance(keys, (Union, Intersection)):
        # Not any(): every member is inferred to.
        return max([infer_to_mapped(context, s, t, member) for member in keys.members])
    reducer = context.rel.reducer
    if isinstance(keys, KeyOf):
        operand = reducer.normal(keys.type)
        if isinstance(operand, Free) and operand in context.variables:
            members = reducer.members_of(s)
            has_string_index = any(index.key is STRING for index in members.indexes)
            if isinstance(s, (Array, Tuple)) or members.names or has_string_index:
                context.defer_reverse_mapped(s, t, operand)
        return True
    if isinstance(keys, Free):
        with context.with_priority(MAPPED_TYPE_CONSTRAINT):
            context.infer(KeyOf(s), keys)
        constraint = reducer.constraints.get(keys)
        if constraint is not None and infer_to_mapped(context, s, t, reducer.normal(constraint)):
            return True
        members = reducer.members_of(s)
        values = [read_type(p) for p in members] + [i.type for i in members.indexes]
        context.infer(union(values), instantiate(t.type, (key_variable(context.rel, t),)))
        return True
    return False


def infer_reverse_mapped_type(rel: Relation, s: Type, t: Mapped, variable: Free) -> Type:
    """Return the type that ``t`` maps to ``s`` (createReverseMappedType)."""
    members = rel.reducer.members_of(s)
    if isinstance(s, Array):
        return Array(_reverse_mapped_property(rel, s.element, t, variable), s.readonly)
    if isinstance(s, Tuple):
        elements = [
            Element(_reverse_mapped_property(rel, e.type, t, variable), e.kind, e.label)
            for e in s.elements
        ]
        return Tuple(tuple(elements), s.readonly)
    properties = [
        Property(
            p.name,
            _reverse_mapped_property(rel, p.type, t, variable),
            p.optional and t.optional != "+",
            p.readonly and t.readonly != "+",
        )
        for p in members
    ]
    indexes = [
        IndexSignature(
            STRING,
            _reverse_mapped_property(rel, i.type, t, variable),
            i.readonly and t.readonly != "+",
        )
        for i in members.indexes
        if i.key is STRING
    ]
    return object_type(properties, indexes=indexes)


def _reverse_mapped_property(rel: Relation, value: Type, t: Mapped, variable: Free) -> Type:
    key = key_variable(rel, t)
    access = IndexedAccess(variable, key)
    placeholder = rel.reducer.fresh_variable("P")
    template = _replace_part(instantiate(t.type, (key,)), access, placeholder)
    (inferred,) = rel.infer((placeholder,), value, template, use_constraints=True)
    return UNKNOWN if inferred is None else inferred


def _replace_part(t: Type, old: Type, new: Type) -> Type:
    """Replace every occurrence of a part in ``t``."""

    def change(node: InternedNode, _: int = 0) -> InternedNode:
        return new if node is old else renormalize(rebuild(node, change))

    return change(t)  # type: ignore[return-value]
