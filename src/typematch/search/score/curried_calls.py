"""Ask for functions that take their arguments in two calls: ``chunk(2)(xs)`` for ``chunk(xs, 2)``.

Libraries for composing functions put the value worked on last, into a call of its own.  Whoever
types ``(xs: T[], n: number) => T[][]`` can call ``(n: number) => (xs: T[]) => T[][]`` as well, so
it is one more reading of the signature, at a price.
"""

from __future__ import annotations

from typematch.ir.types import FURTHER, Intrinsic, Object, Signature, Type, Var
from typematch.match.edit_kinds import CURRIED, Edit
from typematch.search.score.scoring import TypeScorer, changed

# What else may be amiss with a function of two steps, in edit units: nothing that must be supplied
# or is not used.
_DEAREST = 100


def curried(asked: Object) -> Object | None:
    """Return ``asked`` with its first argument in a second call; None where it has no second."""
    [call] = asked.calls
    if len(call.parameters) < 2 or any(
        one.optional or one.rest or one.type is FURTHER for one in call.parameters
    ):
        return None
    if call.predicate is not None and call.predicate.parameter != 0:
        return None  # a guard says something of an argument of its own call
    # Without type parameters of its own it binds nothing: the variables are the query's still.
    last = Signature(call.parameters[:1], call.returns, predicate=call.predicate)
    first = Signature(call.parameters[1:], Object(calls=(last,)), call.type_parameters, call.this)
    return Object(calls=(first,))


def in_steps(judge: TypeScorer, asked: Object) -> TypeScorer:
    """Return the judge of the curried reading of ``asked``, each fit dearer by that edit."""
    [call] = asked.calls
    names = [one.name for one in call.parameters]
    edit = Edit(CURRIED, "$", f"({', '.join(names[1:])})({names[0]})")
    return changed(judge, edit, most=_DEAREST, only=_gives_a_function)


def _gives_a_function(found: Type) -> bool:
    """Whether a call of ``found`` may give a function: of what is any type, nobody says so."""
    return isinstance(found, Object) and any(
        not isinstance(call.returns, Var | Intrinsic) for call in found.calls
    )
