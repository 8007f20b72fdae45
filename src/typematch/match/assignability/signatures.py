"""Compare signatures: parameters against the direction, results along it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from typematch.ir.constructors import constituents
from typematch.ir.types import (
    ANY,
    NEVER,
    NULL,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Object,
    Property,
    Reference,
    Signature,
    Type,
    Union,
)
from typematch.match.assignability.parameter_lists import (
    ParameterList,
    places_of,
    rest_or_any,
    type_at,
)
from typematch.match.assignability.variance import UNRELIABLE
from typematch.match.inference.type_arguments import instantiated_for
from typematch.match.verdict import Misfit
from typematch.program.reduction.skolemize import erasure, opened

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

# How a callback parameter is compared (the compiler's modes).
PLAIN, STRICT_CALLBACK, BIVARIANT_CALLBACK = 0, 1, 2


def signatures_related(
    rel: Relation,
    s: Type,
    t: Type,
    source: Sequence[Signature],
    target: Sequence[Signature],
    kind: str,
    state: int = 0,
) -> Misfit | None:
    """Return None if every signature of the target is met by one of the source."""
    if kind == "construct" and source and target:
        broken = _constructors_compatible(s, t, source[0], target[0])
        if broken is not None:
            return broken
    if len(source) == 1 and len(target) == 1:
        return signature_related(rel, source[0], target[0], state=state)
    reducer = rel.reducer
    for wanted in target:
        for given in source:
            one, other = erasure(reducer, given), erasure(reducer, wanted)
            if signature_related(rel, one, other, state=state) is None:
                break
        else:
            return Misfit(kind, s, t)
    return None


def _constructors_compatible(
    s: Type, t: Type, given: Signature, wanted: Signature
) -> Misfit | None:
    if "abstract" in given.modifier and "abstract" not in wanted.modifier:
        return Misfit("abstract", s, t)
    closed = "private" in given.modifier, "protected" in given.modifier
    allowed = "private" in wanted.modifier, "protected" in wanted.modifier
    if allowed[0] or (allowed[1] and not closed[0]) or (not any(closed) and not any(allowed)):
        return None
    return Misfit("access", s, t)


def pairwise_erased(rel: Relation, s: Property, t: Property, state: int = 0) -> Any:
    """Compare one method in two instances of the same declaration, signature by signature.

    Their type parameters are the same ones, so nothing is inferred.  NotImplemented if the two
    do not correspond after all.
    """
    given, wanted = s.type, t.type
    if not isinstance(given, Object) or not isinstance(wanted, Object):
        return NotImplemented
    if len(given.calls) != len(wanted.calls) or s.optional != t.optional or given.properties:
        return NotImplemented
    reducer = rel.reducer
    for one, other in zip(given.calls, wanted.calls, strict=True):
        broken = signature_related(rel, erasure(reducer, one), erasure(reducer, other), state=state)
        if broken is not None:
            return broken
    return None


def signature_related(
    rel: Relation, source: Signature, target: Signature, mode: int = PLAIN, state: int = 0
) -> Misfit | None:
    """Return None if a function with ``source`` may stand where one with ``target`` is expected."""
    if source is target:
        return None
    reducer = rel.reducer
    if target.type_parameters:
        target = opened(reducer, target, source)
    if _takes_anything(rel, target):
        return None
    wanted = places_of(rel, target)
    given = places_of(rel, opened(reducer, source))
    if wanted.rest is None and given.least > wanted.count:
        return Misfit("arity", given.least, wanted.count)
    if source.type_parameters:
        source = instantiated_for(rel, source, target)
        given = places_of(rel, source)
    strict = mode == PLAIN and "method" not in target.modifier
    broken = _this_related(rel, source, target, strict, state)
    if broken is not None:
        return broken
    broken = _parameters_related(rel, given, wanted, strict, mode, state)
    if broken is not None:
        return broken
    return _returns_related(rel, source, target, mode, state)


def _takes_anything(rel: Relation, target: Signature) -> bool:
    """Return whether the target is ``(...args: any[]) => any``: every function fits it."""
    if len(target.parameters) != 1 or not target.parameters[0].rest:
        return False
    if target.this is not None and target.this is not ANY:
        return False
    rest = rel.reducer.normal(target.parameters[0].type)
    element = rest.element if isinstance(rest, Array) else rest
    if element is not ANY and element is not NEVER:
        return False
    return rel.reducer.normal(target.returns) in (ANY, UNKNOWN)


def _this_related(
    rel: Relation, source: Signature, target: Signature, strict: bool, state: int
) -> Misfit | None:
    given, wanted = source.this, target.this
    if given is None or wanted is None or given is VOID:
        return None
    if not strict and rel.related(given, wanted, state) is None:
        return None
    broken = rel.related(wanted, given, state)
    return None if broken is None else broken.at(".this")


def _parameters_related(
    rel: Relation, given: ParameterList, wanted: ParameterList, strict: bool, mode: int, state: int
) -> Misfit | None:
    open_rest = given.open_rest or wanted.open_rest
    if open_rest is not None:
        rel.variances.report(open_rest, UNRELIABLE)
        count = min(given.count, wanted.count)
        rest_index = count - 1
    else:
        count = max(given.count, wanted.count)
        rest_index = -1
    for position in range(count):
        if position == rest_index:
            s: Type | None = rest_or_any(given, position)
            t: Type | None = rest_or_any(wanted, position)
        else:
            s = type_at(given, position)
            t = type_at(wanted, position)
        if s is None or t is None or s is t:
            continue
        broken = _parameter_related(rel, s, t, strict, mode, state)
        if broken is not None:
            return broken.at(f".parameters[{position}]")
    return None


def _parameter_related(
    rel: Relation, s: Type, t: Type, strict: bool, mode: int, state: int
) -> Misfit | None:
    if mode == PLAIN:
        callback = _single_call(rel, s)
        if callback is not None:
            wanted = _single_call(rel, t)
            if (
                wanted is not None
                and callback.predicate is None
                and wanted.predicate is None
                and _nullish(rel, s) == _nullish(rel, t)
            ):
                inner = STRICT_CALLBACK if strict else BIVARIANT_CALLBACK
                return _guarded(rel, wanted, callback, inner, state)
        if not strict and rel.related(s, t, state) is None:
            return None
    return rel.related(t, s, state)


def _guarded(
    rel: Relation, source: Signature, target: Signature, mode: int, state: int
) -> Misfit | None:
    """Compare callbacks one level down, within the limit of depth."""
    rel.deepen()
    try:
        return signature_related(rel, source, target, mode, state)
    finally:
        rel.rise()


def _single_call(rel: Relation, t: Type) -> Signature | None:
    """Return the one signature of a plain function type, ``null`` and ``undefined`` aside."""
    reduced = rel.reducer.normal(t)
    if reduced.__class__ is Union:
        left = [m for m in reduced.members if m is not UNDEFINED and m is not NULL]
        if len(left) != 1:
            return None
        reduced = left[0]
    if reduced.__class__ is Object:
        o = reduced
        if len(o.calls) == 1 and not o.properties and not o.constructs and not o.indexes:
            return o.calls[0]
    elif reduced.__class__ is Reference:
        shape = rel.reducer.shape(reduced)
        if len(shape.calls) == 1 and not shape.constructs and not shape.indexes and not shape.names:
            return shape.calls[0]
    return None


def _nullish(rel: Relation, t: Type) -> tuple[bool, bool]:
    members = constituents(rel.reducer.normal(t))
    return UNDEFINED in members, NULL in members


def _returns_related(
    rel: Relation, source: Signature, target: Signature, mode: int, state: int
) -> Misfit | None:
    wanted = target.returns
    if wanted is VOID or wanted is ANY:
        return None
    reduced = rel.reducer.normal(wanted)
    if reduced is VOID or reduced is ANY:
        return None
    if target.predicate is not None:
        return _predicates_related(rel, source, target)
    given = source.returns
    if mode == BIVARIANT_CALLBACK and rel.related(wanted, given, state) is None:
        return None
    broken = rel.related(given, wanted, state)
    return None if broken is None else broken.at(".returns")


def _predicates_related(rel: Relation, source: Signature, target: Signature) -> Misfit | None:
    wanted, given = target.predicate, source.predicate
    if wanted is None:
        return None
    if given is None:
        return Misfit("predicate", source, target)
    if given.asserts != wanted.asserts or given.parameter != wanted.parameter:
        return Misfit("predicate", source, target)
    if given.type is wanted.type:
        return None
    if given.type is None or wanted.type is None:
        return Misfit("predicate", source, target)
    broken = rel.related(given.type, wanted.type)
    return None if broken is None else broken.at(".predicate")
