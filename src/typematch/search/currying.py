"""Ask for functions that take their arguments in two calls: ``chunk(2)(xs)`` for ``chunk(xs, 2)``.

Libraries for composing functions put the value worked on last, into a call of its own.  Whoever
types ``(xs: T[], n: number) => T[][]`` can call ``(n: number) => (xs: T[]) => T[][]`` as well, so
it is one more reading of the signature, at a price.
"""

from __future__ import annotations

from dataclasses import replace

from typematch.ir.types import FURTHER, Intrinsic, Object, Signature, Type, Var
from typematch.match.edits import CURRIED, Edit
from typematch.match.verdict import Fit, Misfit, Verdict
from typematch.search.judging import Judge

# What else may be amiss with a function of two steps, in edit units: nothing that must be supplied
# or is not used.
_DEAREST = 100
_NO_STEPS = Misfit("call", "a function", "a function of two steps")


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


def charged(judge: Judge, asked: Object) -> Judge:
    """Return the judge of a curried reading of ``asked``, each fit dearer by that edit."""
    [call] = asked.calls
    names = [one.name for one in call.parameters]
    edit = Edit(CURRIED, "$", f"({', '.join(names[1:])})({names[0]})")

    def verdict(found: Type, ceiling: int | None) -> Verdict:
        most = _DEAREST if ceiling is None else min(ceiling - edit.price, _DEAREST)
        judged = judge.verdict(found, most)
        if isinstance(judged, Fit):
            return Fit((edit, *judged.edits))
        if isinstance(judged, Misfit) and most == _DEAREST:
            return _NO_STEPS  # no use in judging it again with more room
        return judged

    def bound(found: Type) -> int | None:
        least = judge.bound(found) if _gives_a_function(found) else None
        return None if least is None or least > _DEAREST else least + edit.price

    return replace(judge, verdict=verdict, bound=bound)


def _gives_a_function(found: Type) -> bool:
    """Whether a call of ``found`` may give a function: of what is any type, nobody says so."""
    return isinstance(found, Object) and any(
        not isinstance(call.returns, Var | Intrinsic) for call in found.calls
    )
