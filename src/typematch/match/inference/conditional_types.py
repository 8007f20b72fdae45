"""Infer to deferred conditional types (inferToConditionalType)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from typematch.ir.types import Conditional, Tuple, Type
from typematch.match.inference.candidates import CONTRAVARIANT_CONDITIONAL, NAKED_TYPE_VARIABLE
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import fresh_skolems

if TYPE_CHECKING:
    from typematch.match.inference.infer_types import InferenceContext


def infer_to_conditional(context: InferenceContext, s: Type, t: Conditional) -> None:
    """Infer from a conditional type part by part, from any other type to both branches."""
    if isinstance(s, Conditional):
        context.infer(s.check, t.check)
        if not t.infer and not s.infer:
            context.infer(s.extends, t.extends)
            context.infer(s.yes, t.yes)
        context.infer(s.no, t.no)
        return
    yes = t.yes
    if t.infer and context.mentions_variables(yes):
        # Rigid variables for `infer`, distinct from those that are being inferred.
        yes = instantiate(yes, fresh_skolems(context.rel.reducer, t.infer, context.variables))
    other_branches: list[Type] = []
    naked: list[Type] = []
    for branch, narrowed in ((yes, _narrowed(t)), (t.no, None)):
        # In `T extends string ? T : ...` the second T is `T & string`, not a naked variable.
        is_naked = branch in context.variables and branch is not narrowed
        (naked if is_naked else other_branches).append(branch)
    with context.with_priority(CONTRAVARIANT_CONDITIONAL if context.contravariant else 0):
        for branch in other_branches:
            context.infer(s, branch)
        with context.with_priority(NAKED_TYPE_VARIABLE):
            for branch in naked:
                context.infer(s, branch)


def _narrowed(t: Conditional) -> Type:
    """Return the type that is narrowed in the true branch."""
    check, extends = t.check, t.extends
    while _is_single_element(check) and _is_single_element(extends):
        check, extends = check.elements[0].type, extends.elements[0].type
    return check


def _is_single_element(t: Type) -> TypeGuard[Tuple]:
    return isinstance(t, Tuple) and len(t.elements) == 1
