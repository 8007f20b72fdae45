"""Find entries whose whole types the compiler accepts: each candidate is compared once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from typematch.index.entries.selection import Selection
from typematch.index.store import Candidate, Store
from typematch.ir.type_parts import Signature
from typematch.ir.types import ANY, NEVER, UNKNOWN, VOID, WILDCARD, Object, Type, Var
from typematch.match.edit_kinds import ARGUMENT_UNUSED, CONTAINS_ANY, IS_ANY, Edit
from typematch.match.edits.instantiation_edits import bare_edit, bare_type_parameters
from typematch.match.parameter_lists import parameter_at
from typematch.match.verdict import Fit, Misfit, Verdict
from typematch.search.retrieve.structural import Alternative
from typematch.search.retrieve.top_k import TopK, TypeMatches
from typematch.search.score.deadline import Deadline
from typematch.search.score.type_scorer import TypeScorer

_TOP_TYPES = (ANY, UNKNOWN, WILDCARD)
_UNINFORMATIVE_RESULTS = (*_TOP_TYPES, NEVER, VOID)


def find_assignable(
    alternatives: Sequence[Alternative],
    store: Store,
    *,
    selection: Selection,
    deadline: Deadline | None = None,
) -> TypeMatches:
    """Score function types as the compiler does: whole types, with all their overloads.

    What is assignable but carries little type information is ranked after the rest.
    """
    top = TopK(deadline)
    for alternative in alternatives:
        target, scorer = alternative.target, alternative.scorer
        charged = replace(scorer, verdict=_charging_information(scorer, target))
        _score_all(store.candidate_wholes(target, selection), store, charged, top, target)
    return top.all_matches(complete=not top.deadline.has_stopped)


def _charging_information(
    scorer: TypeScorer, target: Object
) -> Callable[[Type, int | None], Verdict]:
    """Return the verdict of the scorer, with an edit for each part of it without information.

    An overload set fits with ``any`` for its type parameters (signaturesRelatedTo).  If no overload
    fits alone, it has the edit ``CONTAINS_ANY``.
    """

    def verdict(candidate: Type, ceiling: int | None) -> Verdict:
        result = scorer.verdict(candidate, ceiling)
        if not isinstance(result, Fit) or not isinstance(candidate, Object):
            return result
        calls = candidate.calls
        if len(calls) > 1:
            calls = tuple(c for c in calls if scorer.verdict(Object(calls=(c,)), ceiling))
            if not calls:
                return Fit((Edit(CONTAINS_ANY, "$", "the overload"),))
        fits = [Fit(_uninformative_edits(call, target.calls[0])) for call in calls]
        return min(fits, key=attrgetter("cost"), default=result)

    return verdict


def _uninformative_edits(call: Signature, query: Signature) -> tuple[Edit, ...]:
    """Return an edit for each part without information: ``any`` types, unused arguments."""
    edits: list[Edit] = []
    bare = dict(bare_type_parameters(call))
    for position, argument in enumerate(query.parameters):
        path = f"$.parameters[{position}]"
        parameter = parameter_at(call, position)
        if parameter is None:
            edits.append(Edit(ARGUMENT_UNUSED, "$.parameters", argument.name))
        elif argument.type in _TOP_TYPES or isinstance(argument.type, Var):
            continue
        elif parameter.type in _TOP_TYPES:
            edits.append(Edit(IS_ANY, path, parameter.name))
        elif position in bare:
            edits.append(bare_edit(call, position, bare[position]))
    if call.returns in _UNINFORMATIVE_RESULTS and query.returns not in _UNINFORMATIVE_RESULTS:
        edits.append(Edit(IS_ANY, "$.returns", "the result"))
    return tuple(edits)


def find_types(
    alternatives: Sequence[tuple[Type, TypeScorer]],
    store: Store,
    *,
    selection: Selection,
    deadline: Deadline | None = None,
) -> TypeMatches:
    """Score the types that entries name (interfaces, classes, aliases, enums)."""
    top = TopK(deadline)
    for target, scorer in alternatives:
        _score_all(store.candidate_types(target, selection), store, scorer, top)
    return top.all_matches(complete=not top.deadline.has_stopped)


def _score_all(
    candidates: Iterable[Candidate],
    store: Store,
    scorer: TypeScorer,
    top: TopK,
    reading: Object | None = None,
) -> None:
    for candidate in candidates:
        if top.deadline.expired():
            return
        type_ = _type_of(candidate, store)
        if candidate.container:
            type_ = scorer.member_type(type_, candidate.container)
        verdict = scorer.verdict(type_, None)
        if not isinstance(verdict, Misfit):
            top.add(candidate, verdict, reading)


def _type_of(candidate: Candidate, store: Store) -> Type:
    """Return the candidate's type; overloads that are compared together are one object type."""
    if not candidate.overloads:
        return store.type(candidate.type)
    types = [store.type(number) for number in candidate.overloads]
    return Object(
        calls=tuple(call for type_ in types if isinstance(type_, Object) for call in type_.calls)
    )
