"""Find what type variables must be for one type to fit another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.types import (
    ANY,
    NEVER,
    NULL,
    UNDEFINED,
    UNKNOWN,
    Free,
    Literal,
    Signature,
    Type,
    UniqueSymbol,
)
from typematch.match.assignability.inference_variables import inference_variables
from typematch.match.assignability.parameter_lists import coming_out, corresponding
from typematch.match.inference.candidates import RETURN, InferenceInfo
from typematch.match.inference.infer_types import InferenceContext
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import with_arguments
from typematch.program.reduction.unions import is_enum_member, keyword_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

# Inferences of these priorities are combined rather than the widest taken.
_COMBINED = RETURN | 256 | 32


def infer_types(
    rel: Relation, variables: Sequence[Free], source: Type, target: Type, *, climbs: bool
) -> tuple[Type | None, ...]:
    """Return for each variable in ``target`` what fits ``source``.

    A union of what stood in its places.
    """
    found = InferenceContext(rel, variables, climbs=climbs)
    found.infer(source, target)
    return tuple([_joined(found.of(variable)) for variable in variables])


def _joined(candidates: InferenceInfo) -> Type | None:
    if candidates.co:
        return union(candidates.co)
    if candidates.contra:
        return intersection(candidates.contra)
    return None


def instantiated_for(rel: Relation, source: Signature, target: Signature) -> Signature:
    """Return a generic ``source`` with its type parameters chosen so that it may fit ``target``."""
    key = (source, target)
    found = rel.instantiated.get(key)
    if found is None:
        found = _instantiated_for(rel, source, target)
        rel.instantiated[key] = found
    return found


def _instantiated_for(rel: Relation, source: Signature, target: Signature) -> Signature:
    return with_arguments(rel.reducer, source, arguments_for(rel, source, target))


def arguments_for(rel: Relation, source: Signature, target: Signature) -> tuple[Type, ...]:
    """Return a type for each type parameter of ``source``, so that it may fit ``target``.

    ``unknown`` stands where nothing says what a parameter without a constraint must be.

    Raises:
        LimitReached: it was too much work.
    """
    reducer = rel.reducer
    variables = inference_variables(rel, source)
    opened = with_arguments(reducer, source, variables)
    inference = InferenceContext(rel, variables)
    for one, other in corresponding(rel, target, opened):
        inference.infer(one, other)
    with inference.priority_of(RETURN):
        inference.infer(*coming_out(target, opened))
    return _solve(rel, source, variables, inference)


def _solve(
    rel: Relation, source: Signature, variables: Sequence[Free], inference: InferenceContext
) -> tuple[Type, ...]:
    """Choose one type for each variable and hold it against the variable's constraint."""
    reducer = rel.reducer
    chosen: list[tuple[Type | None, Type | None]] = [
        _choose(rel, variable, variables, inference) for variable in variables
    ]
    solved: list[Type] = []
    guesses = tuple([first if first is not None else UNKNOWN for first, _ in chosen])
    for position, parameter in enumerate(source.type_parameters):
        first, second = chosen[position]
        if first is None and parameter.default is not None:
            known = (*solved, *guesses[len(solved) :])
            first = instantiate(parameter.default, known, normal=reducer.normal)
        if parameter.constraint is None:
            solved.append(UNKNOWN if first is None else first)
            continue
        known = (*solved, *guesses[len(solved) :])
        bound = instantiate(parameter.constraint, known, normal=reducer.normal)
        solved.append(_within(rel, first, second, bound, inference.of(variables[position])))
    return tuple(solved)


def _within(
    rel: Relation, first: Type | None, second: Type | None, bound: Type, candidates: InferenceInfo
) -> Type:
    if first is not None:
        if rel.related(first, bound) is None:
            return first
        if candidates.priority == RETURN:
            left = [
                m for m in constituents(rel.reducer.normal(first)) if rel.related(m, bound) is None
            ]
            if left:
                return union(left)
    if second is not None and rel.related(second, bound) is None:
        return second
    return bound


def _choose(
    rel: Relation, variable: Free, variables: Sequence[Free], inference: InferenceContext
) -> tuple[Type | None, Type | None]:
    """Return the best guess and the second best."""
    candidates = inference.of(variable)
    co = _covariant(rel, candidates) if candidates.co else None
    contra = _contravariant(rel, candidates) if candidates.contra else None
    if co is None or contra is None:
        return (co, None) if contra is None else (contra, None)
    prefer = (
        co is not NEVER
        and co is not ANY
        and any(rel.related(co, t) is None for t in candidates.contra)
        and all(
            all(rel.related(t, co) is None for t in inference.of(other).co)
            for other in variables
            if other is variable or rel.reducer.constraints.get(other) is variable
        )
    )
    return (co, contra) if prefer else (contra, co)


def _covariant(rel: Relation, candidates: InferenceInfo) -> Type:
    if candidates.priority & _COMBINED:
        return union(candidates.co)
    return common_supertype(rel, candidates.co)


def _contravariant(rel: Relation, candidates: InferenceInfo) -> Type:
    if candidates.priority & _COMBINED:
        return intersection(candidates.contra)
    best = candidates.contra[0]
    for other in candidates.contra[1:]:
        if subtype(rel, other, best):
            best = other
    return best


def common_supertype(rel: Relation, types: Sequence[Type]) -> Type:
    """Return the widest of ``types``; literals of one kind are joined."""
    if len(types) == 1:
        return types[0]
    nullish: dict[Type, None] = {}
    plain: list[Type] = []
    for t in types:
        left = []
        for member in constituents(rel.reducer.normal(t)):
            if member is UNDEFINED or member is NULL:
                nullish[member] = None
            else:
                left.append(member)
        plain.append(t if not nullish else union(left))
    plain = [t for t in plain if t is not NEVER] or [NEVER]
    widest = union(plain) if _one_kind(rel, plain) else _widest(rel, plain)
    return union((widest, *nullish))


def _one_kind(rel: Relation, types: Sequence[Type]) -> bool:
    kinds = set()
    for t in types:
        for member in constituents(rel.reducer.normal(t)):
            if not isinstance(member, (Literal, UniqueSymbol)) and not is_enum_member(
                rel.reducer, member
            ):
                return False
            kinds.add(keyword_of(rel.reducer, member))
    return len(kinds) == 1


def _widest(rel: Relation, types: Sequence[Type]) -> Type:
    best = types[0]
    for other in types[1:]:
        if subtype(rel, best, other):
            best = other
    return best


def subtype(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether ``s`` fits ``t`` without ``any`` helping."""
    if rel.reducer.normal(s) is ANY:
        return rel.reducer.normal(t) in (ANY, UNKNOWN)
    return rel.related(s, t) is None
