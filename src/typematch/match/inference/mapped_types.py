"""Infer to mapped types: to the keys they map over, and backwards through their template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import object_type, restore, union
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.types import (
    STRING,
    UNKNOWN,
    Array,
    Element,
    Free,
    IndexedAccess,
    IndexSignature,
    Intersection,
    KeyOf,
    Mapped,
    Property,
    Tuple,
    Type,
    Union,
)
from typematch.match.assignability.inference_variables import key_variable
from typematch.match.inference.candidates import MAPPED_CONSTRAINT
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.resolved_members import read_type

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation
    from typematch.match.inference.infer_types import InferenceContext


def infer_mapped(found: InferenceContext, s: Mapped, t: Mapped) -> None:
    """Infer from the keys and the template of a mapped type to those of another."""
    found.infer(s.keys, t.keys)
    key = key_variable(found.rel, t)
    normal = found.rel.reducer.normal
    found.infer(
        instantiate(s.type, (key,), normal=normal),
        instantiate(t.type, (key,), normal=normal),
    )


def infer_to_mapped(found: InferenceContext, s: Type, t: Mapped, keys: Type) -> bool:
    """Infer backwards through a mapped type; return whether its keys are such that one can.

    What is inferred are its keys, and for ``keyof T`` the type they come from.
    """
    if isinstance(keys, (Union, Intersection)):
        # Every member is inferred to, whatever the first one says.
        return max([infer_to_mapped(found, s, t, member) for member in keys.members])
    reducer = found.rel.reducer
    if isinstance(keys, KeyOf):
        of = reducer.normal(keys.type)
        if isinstance(of, Free) and of in found.variables:
            shape = reducer.shape(s)
            keyed = any(index.key is STRING for index in shape.indexes)
            if isinstance(s, (Array, Tuple)) or shape.names or keyed:
                found.note_reversed(s, t, of)
        return True
    if isinstance(keys, Free):
        with found.priority_of(MAPPED_CONSTRAINT):
            found.infer(KeyOf(s), keys)
        constraint = reducer.constraints.get(keys)
        if constraint is not None and infer_to_mapped(found, s, t, reducer.normal(constraint)):
            return True
        shape = reducer.shape(s)
        values = [read_type(p) for p in shape] + [i.type for i in shape.indexes]
        found.infer(union(values), instantiate(t.type, (key_variable(found.rel, t),)))
        return True
    return False


def run_backwards(rel: Relation, s: Type, t: Mapped, of: Free) -> Type:
    """Return the type that ``t`` would map to ``s``.

    Each property run backwards through the template.
    """
    shape = rel.reducer.shape(s)
    if isinstance(s, Array):
        return Array(_backwards(rel, s.element, t, of), s.readonly)
    if isinstance(s, Tuple):
        elements = [Element(_backwards(rel, e.type, t, of), e.kind, e.label) for e in s.elements]
        return Tuple(tuple(elements), s.readonly)
    properties = [
        Property(
            p.name,
            _backwards(rel, p.type, t, of),
            p.optional and t.optional != "+",
            p.readonly and t.readonly != "+",
        )
        for p in shape
    ]
    indexes = [
        IndexSignature(STRING, _backwards(rel, i.type, t, of), i.readonly and t.readonly != "+")
        for i in shape.indexes
        if i.key is STRING
    ]
    return object_type(properties, indexes=indexes)


def _backwards(rel: Relation, value: Type, t: Mapped, of: Free) -> Type:
    key = key_variable(rel, t)
    access = IndexedAccess(of, key)
    place = rel.reducer.fresh("P")
    template = _replaced(instantiate(t.type, (key,)), access, place)
    (inferred,) = rel.infer((place,), value, template, climbs=True)
    return UNKNOWN if inferred is None else inferred


def _replaced(t: Type, old: Type, new: Type) -> Type:
    """Return ``t`` with one part replaced wherever it stands."""

    def change(node: InternedNode, _: int = 0) -> InternedNode:
        return new if node is old else restore(rebuild(node, change))

    return change(t)  # type: ignore[return-value]
