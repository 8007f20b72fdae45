"""Infer to union and intersection types: members that match first, then the rest."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from typematch.ir.constructors import intersection, intersection_members, union
from typematch.ir.intern import InternedNode, children
from typematch.ir.type_parts import Parameter
from typematch.ir.types import NUMBER, STRING, Array, Free, Intersection, Reference, Type, Union
from typematch.match.inference.candidates import CIRCULARITY, MAX_PRIORITY, NAKED_TYPE_VARIABLE
from typematch.program.reduction.unions import literal_of

if TYPE_CHECKING:
    from typematch.match.inference.infer_types import InferenceContext


def infer_to_union(context: InferenceContext, s: Type, t: Union) -> None:
    """Infer from identical members, then from closely matched ones, then to the rest."""

    def with_base(source: Type) -> tuple[Type, ...]:
        return _with_base(context, source)

    sources, targets = _infer_from_matching(context, _members_of(s), t.members, with_base)
    sources, targets = _infer_from_matching(context, sources, targets, _declarations_of)
    if not targets:
        return
    rest = union(targets)
    if not sources:
        with context.with_priority(NAKED_TYPE_VARIABLE):
            _infer_to_rest(context, s, rest)
        return
    _infer_to_rest(context, union(sources), rest)


def _infer_to_rest(context: InferenceContext, s: Type, t: Type) -> None:
    if isinstance(t, Free):
        context.add_candidate(s, t)
    elif isinstance(t, Union):
        _infer_to_union_members(context, s, t.members)
    else:
        context.infer(s, t)


def infer_to_intersection(context: InferenceContext, s: Type, t: Intersection) -> None:
    """Infer to the members of ``t`` that are no members of ``s``."""
    members = intersection_members(s)
    sources, targets = _infer_from_matching(context, members, t.members, lambda member: (member,))
    if not sources or not targets:
        return
    source, target = intersection(sources), intersection(targets)
    if isinstance(target, Intersection):
        _infer_to_intersection_members(context, source, target.members)
    else:
        context.infer(source, target)


def _infer_from_matching(
    context: InferenceContext,
    sources: Sequence[Type],
    targets: Sequence[Type],
    keys_of: Callable[[Type], Sequence[Hashable]],
) -> tuple[Sequence[Type], Sequence[Type]]:
    """Infer between members that match; return the others (inferFromMatchingTypes).

    Args:
        keys_of: a source matches the targets whose first key is one of its keys.
    """
    matched_sources: set[Type] = set()
    matched_targets: set[Type] = set()
    sources_by_key: dict[Hashable, list[Type]] = {}
    for s in sources:
        for key in keys_of(s):
            sources_by_key.setdefault(key, []).append(s)
    for t in targets:
        for s in sources_by_key.get(next(iter(keys_of(t)), None), ()):
            context.infer(s, t)
            matched_sources.add(s)
            matched_targets.add(t)
    if not matched_targets:
        return sources, targets
    return (
        [s for s in sources if s not in matched_sources],
        [t for t in targets if t not in matched_targets],
    )


def _with_base(context: InferenceContext, t: Type) -> tuple[Type, ...]:
    """Return ``t``, and the keyword that it is a literal of (isTypeOrBaseIdenticalTo)."""
    literal = literal_of(context.rel.reducer, t)
    base = None if literal is None else _BASES.get(literal.kind)
    return (t,) if base is None else (t, base)


_BASES: Mapping[str, Type] = {"string": STRING, "number": NUMBER}


def _declarations_of(t: Type) -> tuple[Hashable, ...]:
    """Return the declaration of a union member (isTypeCloselyMatchedBy); none without one."""
    if isinstance(t, Reference):
        return (t.target,)
    # ReadonlyArray is another declaration than Array.
    return ((Array, t.readonly),) if isinstance(t, Array) else ()


def _infer_to_intersection_members(
    context: InferenceContext, s: Type, targets: Sequence[Type]
) -> None:
    naked = [t for t in targets if t in context.variables]
    for t in targets:
        if t not in context.variables:
            context.infer(s, t)
    if len(naked) == 1:
        with context.with_priority(NAKED_TYPE_VARIABLE):
            context.infer(s, naked[0])


def _infer_to_union_members(context: InferenceContext, s: Type, targets: Sequence[Type]) -> None:
    """Infer to all members, and from what matched none of them to a naked type variable.

    With ``_infer_to_intersection_members`` this is the checker's inferToMultipleTypes.  There the
    members have their order of declaration, which decides between their candidates; here the
    variables that are nested deepest come first, as in ``(() => PromiseLike<R>) | (() => R)``.
    """
    naked = [t for t in targets if t in context.variables]
    others = [t for t in targets if t not in context.variables and context.mentions_variables(t)]
    if len(others) > 1:
        others.sort(key=lambda t: -_depth_of_variables(t, context.variables))
    sources = _members_of(s)
    is_matched = [False] * len(sources)
    circular = False
    for t in others:
        for position, source in enumerate(sources):
            outer, context.best_priority = context.best_priority, MAX_PRIORITY
            context.infer(source, t)
            if context.best_priority == context.priority:
                is_matched[position] = True
            circular = circular or context.best_priority == CIRCULARITY
            context.best_priority = min(context.best_priority, outer)
    if not naked:
        return
    if len(naked) == 1 and not circular:
        unmatched = [m for m, done in zip(sources, is_matched, strict=True) if not done]
        if unmatched:
            context.infer(union(unmatched), naked[0])
            return
    with context.with_priority(NAKED_TYPE_VARIABLE):
        for t in naked:
            context.infer(s, t)


@lru_cache(maxsize=4_096)
def _depth_of_variables(node: InternedNode, variables: frozenset[Free]) -> int:
    """Return how many parts of a type are around the deepest of the variables in it.

    Those in parameters do not count: their candidates are contravariant.
    """
    if isinstance(node, Parameter) or variables.isdisjoint(node.free):
        return 0
    return 1 + max((_depth_of_variables(part, variables) for part in children(node)), default=0)


def _members_of(t: Type) -> Sequence[Type]:
    return t.members if isinstance(t, Union) else (t,)
