"""Compare signatures: parameters contravariantly, return types covariantly."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents
from typematch.ir.type_parts import Property, Signature
from typematch.ir.types import (
    ANY,
    NEVER,
    NULL,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Object,
    Reference,
    Type,
    Union,
)
from typematch.match.assignability.intersection_state import IntersectionState
from typematch.match.assignability.rules import NO_RULE, RELATED, RuleResult
from typematch.match.assignability.variance import UNRELIABLE
from typematch.match.inference.type_arguments import instantiate_in_context_of
from typematch.match.parameter_lists import (
    ParameterList,
    parameter_list,
    parameter_type_at,
    rest_type_or_any,
)
from typematch.match.verdict import Misfit
from typematch.program.reduction.skolemize import erasure, skolemized

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation


class SignatureCheckMode(IntEnum):
    """Whether a signature is that of a callback parameter (the checker's SignatureCheckMode)."""

    NONE = 0
    STRICT_CALLBACK = 1
    BIVARIANT_CALLBACK = 2


def signatures_related(
    rel: Relation,
    s: Type,
    t: Type,
    source: Sequence[Signature],
    target: Sequence[Signature],
    kind: str,
    state: IntersectionState = IntersectionState.NONE,
) -> Misfit | None:
    """Return None if each target signature has a related source signature (signaturesRelatedTo).

    One signature on each side is compared by inference, several with type parameters erased.
    """
    if kind == "construct" and source and target:
        misfit = _constructor_visibility_related(s, t, source[0], target[0])
        if misfit is not None:
            return misfit
    if len(source) == 1 and len(target) == 1:
        return signature_related(rel, source[0], target[0], state=state)
    reducer = rel.reducer
    for target_signature in target:
        for source_signature in source:
            source_erased = erasure(reducer, source_signature)
            target_erased = erasure(reducer, target_signature)
            if signature_related(rel, source_erased, target_erased, state=state) is None:
                break
        else:
            return Misfit(kind, s, t)
    return None


def _constructor_visibility_related(
    s: Type, t: Type, source: Signature, target: Signature
) -> Misfit | None:
    if "abstract" in source.modifier and "abstract" not in target.modifier:
        return Misfit("abstract", s, t)
    source_private = "private" in source.modifier
    if "private" in target.modifier:
        return None
    if "protected" in target.modifier:
        return Misfit("access", s, t) if source_private else None
    if source_private or "protected" in source.modifier:
        return Misfit("access", s, t)
    return None


def erased_methods_related(
    rel: Relation, s: Property, t: Property, state: IntersectionState = IntersectionState.NONE
) -> RuleResult:
    """Compare two instances of one declared function, signature by signature.

    The case ``source.symbol === target.symbol`` of signaturesRelatedTo: type parameters
    correspond, so they are erased and nothing is inferred.  No rule where the two types have
    different signatures after all.
    """
    source, target = s.type, t.type
    if not isinstance(source, Object) or not isinstance(target, Object):
        return NO_RULE
    if len(source.calls) != len(target.calls) or s.optional != t.optional or source.properties:
        return NO_RULE
    reducer = rel.reducer
    for source_call, target_call in zip(source.calls, target.calls, strict=True):
        misfit = signature_related(
            rel, erasure(reducer, source_call), erasure(reducer, target_call), state=state
        )
        if misfit is not None:
            return True, misfit
    return RELATED


def signature_related(
    rel: Relation,
    source: Signature,
    target: Signature,
    mode: SignatureCheckMode = SignatureCheckMode.NONE,
    state: IntersectionState = IntersectionState.NONE,
) -> Misfit | None:
    """Compare two signatures (signatureRelatedTo, compareSignaturesRelated)."""
    if source is target:
        return None
    reducer = rel.reducer
    if target.type_parameters:
        target = skolemized(reducer, target, source)
    if _is_top_signature(rel, target):
        return None
    target_parameters = parameter_list(rel, target)
    source_parameters = parameter_list(rel, skolemized(reducer, source))
    if target_parameters.rest is None and source_parameters.min_arguments > target_parameters.count:
        return Misfit("arity", source_parameters.min_arguments, target_parameters.count)
    if source.type_parameters:
        source = instantiate_in_context_of(rel, source, target)
        source_parameters = parameter_list(rel, source)
    strict = mode is SignatureCheckMode.NONE and "method" not in target.modifier
    misfit = _this_related(rel, source, target, strict, state)
    if misfit is not None:
        return misfit
    misfit = _parameters_related(rel, source_parameters, target_parameters, strict, mode, state)
    if misfit is not None:
        return misfit
    return _returns_related(rel, source, target, mode, state)


def _is_top_signature(rel: Relation, target: Signature) -> bool:
    """Return whether ``target`` is ``(...args: any[]) => any`` (isTopSignature)."""
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
    rel: Relation, source: Signature, target: Signature, strict: bool, state: IntersectionState
) -> Misfit | None:
    source_this, target_this = source.this, target.this
    if source_this is None or target_this is None or source_this is VOID:
        return None
    if not strict and rel.related(source_this, target_this, state) is None:
        return None
    misfit = rel.related(target_this, source_this, state)
    return None if misfit is None else misfit.at(".this")


def _parameters_related(
    rel: Relation,
    source: ParameterList,
    target: ParameterList,
    strict: bool,
    mode: SignatureCheckMode,
    state: IntersectionState,
) -> Misfit | None:
    non_array_rest = source.non_array_rest or target.non_array_rest
    if non_array_rest is not None:
        rel.variances.report(non_array_rest, UNRELIABLE)
        count = min(source.count, target.count)
        rest_index = count - 1
    else:
        count = max(source.count, target.count)
        rest_index = -1
    for position in range(count):
        if position == rest_index:
            s: Type | None = rest_type_or_any(source, position)
            t: Type | None = rest_type_or_any(target, position)
        else:
            s = parameter_type_at(source, position)
            t = parameter_type_at(target, position)
        if s is None or t is None or s is t:
            continue
        misfit = _parameter_related(rel, s, t, strict, mode, state)
        if misfit is not None:
            return misfit.at(f".parameters[{position}]")
    return None


def _parameter_related(
    rel: Relation,
    s: Type,
    t: Type,
    strict: bool,
    mode: SignatureCheckMode,
    state: IntersectionState,
) -> Misfit | None:
    if mode is SignatureCheckMode.NONE:
        source_callback = _single_call_signature(rel, s)
        if source_callback is not None:
            target_callback = _single_call_signature(rel, t)
            if (
                target_callback is not None
                and source_callback.predicate is None
                and target_callback.predicate is None
                and _nullish_facts(rel, s) == _nullish_facts(rel, t)
            ):
                callback_mode = (
                    SignatureCheckMode.STRICT_CALLBACK
                    if strict
                    else SignatureCheckMode.BIVARIANT_CALLBACK
                )
                return _callbacks_related(
                    rel, target_callback, source_callback, callback_mode, state
                )
        if not strict and rel.related(s, t, state) is None:
            return None
    return rel.related(t, s, state)


def _callbacks_related(
    rel: Relation,
    source: Signature,
    target: Signature,
    mode: SignatureCheckMode,
    state: IntersectionState,
) -> Misfit | None:
    """Compare callbacks one level deeper, within the depth limit."""
    rel.enter_level()
    try:
        return signature_related(rel, source, target, mode, state)
    finally:
        rel.leave_level()


def _single_call_signature(rel: Relation, t: Type) -> Signature | None:
    """Return the call signature of a type with nothing else but null and undefined."""
    reduced = rel.reducer.normal(t)
    if reduced.__class__ is Union:
        members = [m for m in reduced.members if m is not UNDEFINED and m is not NULL]
        if len(members) != 1:
            return None
        reduced = members[0]
    if reduced.__class__ is Object:
        o = reduced
        if len(o.calls) == 1 and not o.properties and not o.constructs and not o.indexes:
            return o.calls[0]
    elif reduced.__class__ is Reference:
        shape = rel.reducer.members_of(reduced)
        if len(shape.calls) == 1 and not shape.constructs and not shape.indexes and not shape.names:
            return shape.calls[0]
    return None


def _nullish_facts(rel: Relation, t: Type) -> tuple[bool, bool]:
    members = constituents(rel.reducer.normal(t))
    return UNDEFINED in members, NULL in members


def _returns_related(
    rel: Relation,
    source: Signature,
    target: Signature,
    mode: SignatureCheckMode,
    state: IntersectionState,
) -> Misfit | None:
    target_return = target.returns
    if target_return is VOID or target_return is ANY:
        return None
    reduced = rel.reducer.normal(target_return)
    if reduced is VOID or reduced is ANY:
        return None
    if target.predicate is not None:
        return _predicates_related(rel, source, target)
    source_return = source.returns
    if (
        mode is SignatureCheckMode.BIVARIANT_CALLBACK
        and rel.related(target_return, source_return, state) is None
    ):
        return None
    misfit = rel.related(source_return, target_return, state)
    return None if misfit is None else misfit.at(".returns")


def _predicates_related(rel: Relation, source: Signature, target: Signature) -> Misfit | None:
    target_predicate, source_predicate = target.predicate, source.predicate
    if target_predicate is None:
        return None
    if source_predicate is None:
        return Misfit("predicate", source, target)
    if (
        source_predicate.asserts != target_predicate.asserts
        or source_predicate.parameter != target_predicate.parameter
    ):
        return Misfit("predicate", source, target)
    if source_predicate.type is target_predicate.type:
        return None
    if source_predicate.type is None or target_predicate.type is None:
        return Misfit("predicate", source, target)
    misfit = rel.related(source_predicate.type, target_predicate.type)
    return None if misfit is None else misfit.at(".predicate")
