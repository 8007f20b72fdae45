"""Rewrite a signature to two calls: ``chunk(2)(xs)`` for ``chunk(xs, 2)``.

Data-last libraries take the value they work on in a second call.  ``(xs: T[], n: number) => T[][]``
is therefore also searched as ``(n: number) => (xs: T[]) => T[][]``, at the cost of one edit.
"""

from __future__ import annotations

from typematch.ir.type_parts import Signature
from typematch.ir.types import ELLIPSIS, Intrinsic, Object, Type, Var
from typematch.match.edit_kinds import CURRIED, Edit
from typematch.search.score.type_scorer import TypeScorer, with_edit

# In edit units.  It excludes missing and unused arguments.
_MAX_OTHER_COST = 100


def curried(target: Object) -> Object | None:
    """Return ``target`` with its first parameter in a second call; None if it has only one.

    None also if a parameter is optional or a rest parameter, or if a type predicate is about
    another parameter than the first.
    """
    [call] = target.calls
    if len(call.parameters) < 2 or any(
        parameter.optional or parameter.rest or parameter.type is ELLIPSIS
        for parameter in call.parameters
    ):
        return None
    if call.predicate is not None and call.predicate.parameter != 0:
        return None
    # The inner signature has no type parameters: its variables are bound by the outer one.
    last = Signature(call.parameters[:1], call.returns, predicate=call.predicate)
    first = Signature(call.parameters[1:], Object(calls=(last,)), call.type_parameters, call.this)
    return Object(calls=(first,))


def curried_scorer(scorer: TypeScorer, target: Object) -> TypeScorer:
    """Return the scorer of the rewritten signature.

    Args:
        scorer: of a query that is called twice.
        target: the original signature.
    """
    [call] = target.calls
    names = [parameter.name for parameter in call.parameters]
    edit = Edit(CURRIED, "$", f"({', '.join(names[1:])})({names[0]})")

    def accepts(candidate: Type) -> bool:
        return isinstance(candidate, Object) and any(
            not isinstance(overload.returns, Var | Intrinsic) for overload in candidate.calls
        )

    return with_edit(scorer, edit, max_other_cost=_MAX_OTHER_COST, accepts=accepts)
