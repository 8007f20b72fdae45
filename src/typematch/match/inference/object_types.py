"""Infer between object types: their properties, signatures and index signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import union
from typematch.ir.types import ANY, Signature, Type
from typematch.match.assignability.inference_variables import base_signature
from typematch.match.assignability.parameter_lists import coming_out, corresponding
from typematch.program.reduction.indexed_access import key_type
from typematch.program.reduction.members import applicable_index, index_applies, property_of
from typematch.program.reduction.resolved_members import read_type
from typematch.program.reduction.skolemize import erasure
from typematch.program.reduction.unions import is_unit

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation
    from typematch.match.inference.infer_types import InferenceContext


def infer_objects(found: InferenceContext, s: Type, t: Type) -> None:
    """Infer from the members of an object type to those of another."""
    rel = found.rel
    if _unrelated(rel, s, t):
        return
    reducer = rel.reducer
    source, target = reducer.shape(s), reducer.shape(t)
    for name in target.names:
        given = source.get(name)
        if given is not None:
            wanted = target.get(name)
            if wanted is not None and found.mentions(wanted.type):
                found.infer(read_type(given), read_type(wanted))
    _signatures(found, source.calls, target.calls)
    _signatures(found, source.constructs, target.constructs)
    for index in target.indexes:
        if source.implicit:
            kinds = [p.type for p in source if index_applies(reducer, key_type(p), index.key)]
            kinds += [i.type for i in source.indexes if index_applies(reducer, i.key, index.key)]
            if kinds:
                found.infer(union(kinds), index.type)
    for index in target.indexes:
        meeting = applicable_index(reducer, source, index.key)
        if meeting is not None:
            found.infer(meeting.type, index.type)


def _signatures(
    found: InferenceContext, given: Sequence[Signature], wanted: Sequence[Signature]
) -> None:
    if not given:
        return
    rel = found.rel
    for position, target in enumerate(wanted):
        source = given[max(len(given) - len(wanted) + position, 0)]
        _signature(found, base_signature(rel, source), erasure(rel.reducer, target))


def _signature(found: InferenceContext, s: Signature, t: Signature) -> None:
    before = found.bivariant
    found.bivariant = before or "method" in t.modifier
    for one, other in corresponding(found.rel, s, t):
        found.against(one, other)
    found.bivariant = before
    found.infer(*coming_out(s, t))


def _unrelated(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether each of two types lacks what the other must have: nothing is inferred then."""
    return _lacks(rel, s, t, units=True) and _lacks(rel, t, s, units=False)


def _lacks(rel: Relation, s: Type, t: Type, *, units: bool) -> bool:
    """Return whether ``s`` lacks a property that ``t`` must have, or (if wanted) its one value."""
    reducer = rel.reducer
    for wanted in reducer.shape(t):
        if wanted.optional:
            continue
        found = property_of(reducer, s, wanted.name)
        if found is None:
            return True
        if units:
            value = reducer.normal(wanted.type)
            if is_unit(reducer, value) and reducer.normal(found.type) not in (value, ANY):
                return True
    return False
