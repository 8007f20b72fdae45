"""Infer to the branches of a condition that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from typematch.ir.types import Conditional, Tuple, Type
from typematch.match.inference.candidates import CONTRA_CONDITIONAL, NAKED
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import unused_variables

if TYPE_CHECKING:
    from typematch.match.inference.infer_types import InferenceContext


def infer_to_condition(found: InferenceContext, s: Type, t: Conditional) -> None:
    """Infer from another condition part by part; from any other type to both branches."""
    if isinstance(s, Conditional):
        found.infer(s.check, t.check)
        if not t.infer and not s.infer:
            found.infer(s.extends, t.extends)
            found.infer(s.yes, t.yes)
        found.infer(s.no, t.no)
        return
    yes = t.yes
    if t.infer:
        # None of those that are looked for, though these stand in an `infer` just like it.
        yes = instantiate(yes, unused_variables(found.rel.reducer, t.infer, found.variables))
    whole: list[Type] = []
    naked: list[Type] = []
    for branch, narrowed in ((yes, _narrowed(t)), (t.no, None)):
        # In `T extends string ? T : ...` the second T is a string too, and no bare variable.
        bare = branch in found.variables and branch is not narrowed
        (naked if bare else whole).append(branch)
    with found.priority_of(CONTRA_CONDITIONAL if found.contra else 0):
        for branch in whole:
            found.infer(s, branch)
        with found.priority_of(NAKED):
            for branch in naked:
                found.infer(s, branch)


def _narrowed(t: Conditional) -> Type:
    """Return the type of which the first branch of a condition knows more."""
    check, extends = t.check, t.extends
    while _is_of_one(check) and _is_of_one(extends):
        check, extends = check.elements[0].type, extends.elements[0].type
    return check


def _is_of_one(t: Type) -> TypeGuard[Tuple]:
    return isinstance(t, Tuple) and len(t.elements) == 1
