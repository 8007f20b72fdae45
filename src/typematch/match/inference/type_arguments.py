"""Infer type arguments: collect candidates, then choose one type for each type parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    NEVER,
    NULL,
    UNDEFINED,
    UNKNOWN,
    Free,
    Literal,
    Type,
    UniqueSymbol,
)
from typematch.match.inference.candidates import (
    LITERAL_KEYOF,
    MAPPED_TYPE_CONSTRAINT,
    RETURN_TYPE,
    InferenceInfo,
)
from typematch.match.inference.infer_types import InferenceContext
from typematch.match.inference.inference_variables import inference_variables
from typematch.match.parameter_lists import parameter_pairs, return_types
from typematch.program.reduction.skolemize import instantiate_signature
from typematch.program.reduction.unions import is_enum_member, primitive_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

# Candidates of these priorities are joined; of others one is chosen (PriorityImpliesCombination).
_COMBINED_PRIORITIES = RETURN_TYPE | LITERAL_KEYOF | MAPPED_TYPE_CONSTRAINT


def infer_types(
    rel: Relation, variables: Sequence[Free], source: Type, target: Type, *, use_constraints: bool
) -> tuple[Type | None, ...]:
    """Return the type inferred for each variable from ``source`` to ``target``.

    It is the union of its candidates, the intersection of contra-candidates if there are no
    others, None without any (``infer`` in conditional types).
    """
    context = InferenceContext(rel, variables, use_constraints=use_constraints)
    context.infer(source, target)
    return tuple([_combined_candidates(context.info(variable)) for variable in variables])


def _combined_candidates(info: InferenceInfo) -> Type | None:
    if info.candidates:
        return union(info.candidates)
    if info.contra_candidates:
        return intersection(info.contra_candidates)
    return None


def instantiate_in_context_of(rel: Relation, source: Signature, target: Signature) -> Signature:
    """Instantiate ``source`` with arguments inferred from ``target``, memoised.

    The checker's instantiateSignatureInContextOf.
    """
    key = (source, target)
    instantiated = rel.instantiations.get(key)
    if instantiated is None:
        instantiated = _instantiate_in_context_of(rel, source, target)
        rel.instantiations[key] = instantiated
    return instantiated


def _instantiate_in_context_of(rel: Relation, source: Signature, target: Signature) -> Signature:
    return instantiate_signature(rel.reducer, source, infer_type_arguments(rel, source, target))


def infer_type_arguments(rel: Relation, source: Signature, target: Signature) -> tuple[Type, ...]:
    """Infer a type argument for each type parameter of ``source`` from ``target``.

    A parameter without a candidate gets its default, its constraint or ``unknown``.

    Raises:
        LimitReached: a limit of ``program.reduction.limits`` was reached.
    """
    reducer = rel.reducer
    variables = inference_variables(rel, source, target)
    opened = instantiate_signature(reducer, source, variables)
    context = InferenceContext(rel, variables)
    for source_type, target_type in parameter_pairs(rel, target, opened):
        context.infer(source_type, target_type)
    source_result, target_result = return_types(target, opened)
    if not all(
        context.has_better_candidate(variable, RETURN_TYPE)
        for variable in variables
        if variable in target_result.free
    ):
        with context.with_priority(RETURN_TYPE):
            context.infer(source_result, target_result)
    return inferred_types(rel, source, variables, context)


def inferred_types(
    rel: Relation, source: Signature, variables: Sequence[Free], context: InferenceContext
) -> tuple[Type, ...]:
    """Choose a type for each variable that satisfies its constraint (getInferredType)."""
    reducer = rel.reducer
    chosen: list[tuple[Type | None, Type | None]] = [
        _choose_candidates(rel, variable, variables, context) for variable in variables
    ]
    solved: list[Type] = []
    guesses = tuple([first if first is not None else UNKNOWN for first, _ in chosen])
    for position, parameter in enumerate(source.type_parameters):
        candidate, fallback = chosen[position]
        if candidate is None and parameter.default is not None:
            arguments = (*solved, *guesses[len(solved) :])
            candidate = reducer.instantiate(parameter.default, arguments)
        if parameter.constraint is None:
            solved.append(UNKNOWN if candidate is None else candidate)
            continue
        arguments = (*solved, *guesses[len(solved) :])
        constraint = reducer.instantiate(parameter.constraint, arguments)
        solved.append(
            _satisfying_constraint(
                rel, candidate, fallback, constraint, context.info(variables[position])
            )
        )
    return tuple(solved)


def _satisfying_constraint(
    rel: Relation,
    candidate: Type | None,
    fallback: Type | None,
    constraint: Type,
    info: InferenceInfo,
) -> Type:
    if candidate is not None:
        if rel.related(candidate, constraint) is None:
            return candidate
        if info.priority == RETURN_TYPE:
            members = [
                m
                for m in constituents(rel.reducer.normal(candidate))
                if rel.related(m, constraint) is None
            ]
            if members:
                return union(members)
    if fallback is not None and rel.related(fallback, constraint) is None:
        return fallback
    return constraint


def _choose_candidates(
    rel: Relation, variable: Free, variables: Sequence[Free], context: InferenceContext
) -> tuple[Type | None, Type | None]:
    """Return the chosen candidate and the fallback, None where there is none."""
    info = context.info(variable)
    covariant = _covariant_inference(rel, info) if info.candidates else None
    contravariant = _contravariant_inference(rel, info) if info.contra_candidates else None
    if covariant is None or contravariant is None:
        return (covariant, None) if contravariant is None else (contravariant, None)
    prefer_covariant = (
        covariant is not NEVER
        and covariant is not ANY
        and any(rel.related(covariant, t) is None for t in info.contra_candidates)
        and all(
            all(rel.related(t, covariant) is None for t in context.info(dependent).candidates)
            for dependent in variables
            if dependent is variable or rel.reducer.constraints.get(dependent) is variable
        )
    )
    return (covariant, contravariant) if prefer_covariant else (contravariant, covariant)


def _covariant_inference(rel: Relation, info: InferenceInfo) -> Type:
    if info.priority & _COMBINED_PRIORITIES:
        return union(info.candidates)
    return common_supertype(rel, info.candidates)


def _contravariant_inference(rel: Relation, info: InferenceInfo) -> Type:
    if info.priority & _COMBINED_PRIORITIES:
        return intersection(info.contra_candidates)
    leftmost = info.contra_candidates[0]
    for candidate in info.contra_candidates[1:]:
        if is_subtype(rel, candidate, leftmost):
            leftmost = candidate
    return leftmost


def common_supertype(rel: Relation, types: Sequence[Type]) -> Type:
    """Return the leftmost supertype, or the union of literals of one kind (getCommonSupertype)."""
    if len(types) == 1:
        return types[0]
    nullish: dict[Type, None] = {}
    non_nullish: list[Type] = []
    for t in types:
        members = []
        for member in constituents(rel.reducer.normal(t)):
            if member is UNDEFINED or member is NULL:
                nullish[member] = None
            else:
                members.append(member)
        non_nullish.append(t if not nullish else union(members))
    non_nullish = [t for t in non_nullish if t is not NEVER] or [NEVER]
    widest = (
        union(non_nullish)
        if _literals_of_one_primitive(rel, non_nullish)
        else _leftmost_supertype(rel, non_nullish)
    )
    return union((widest, *nullish))


def _literals_of_one_primitive(rel: Relation, types: Sequence[Type]) -> bool:
    primitives = set()
    for t in types:
        for member in constituents(rel.reducer.normal(t)):
            if not isinstance(member, (Literal, UniqueSymbol)) and not is_enum_member(
                rel.reducer, member
            ):
                return False
            primitives.add(primitive_of(rel.reducer, member))
    return len(primitives) == 1


def _leftmost_supertype(rel: Relation, types: Sequence[Type]) -> Type:
    supertype = types[0]
    for candidate in types[1:]:
        if is_subtype(rel, supertype, candidate):
            supertype = candidate
    return supertype


def is_subtype(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether ``s`` is assignable to ``t``, ``any`` only to ``any`` and ``unknown``.

    An approximation of isTypeSubtypeOf.
    """
    if rel.reducer.normal(s) is ANY:
        return rel.reducer.normal(t) in (ANY, UNKNOWN)
    return rel.related(s, t) is None
