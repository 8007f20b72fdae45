"""Reductions with a budget of their own, for callers to whom a limit is no error."""

from __future__ import annotations

from typematch.ir.declaration import Declaration
from typematch.ir.type_parts import Signature
from typematch.ir.types import Reference, Type
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.resolved_members import ResolvedMembers
from typematch.program.reduction.skolemize import member_substitution
from typematch.program.reduction.typeof import base_type


def expanded(reducer: Reducer, t: Type) -> Type:
    """Return ``t`` in head normal form; unchanged if a limit is reached."""
    reduced = reducer.with_own_budget(lambda: reducer.normal(t))
    return t if reduced is None else reduced


def known_members(reducer: Reducer, t: Type) -> ResolvedMembers | None:
    """Return the members of ``t``; None if a limit is reached."""
    return reducer.with_own_budget(lambda: reducer.members_of(t))


def known_base_types(reducer: Reducer, t: Reference) -> tuple[Type, ...]:
    """Return the types that a class or interface extends (getBaseTypes).

    None of them if nothing declares ``t``, or a limit is reached.
    """
    declaration = reducer.declaration(t.target)
    if declaration is None:
        return ()
    return reducer.with_own_budget(lambda: _base_types(reducer, declaration, t)) or ()


def _base_types(reducer: Reducer, declaration: Declaration, t: Reference) -> tuple[Type, ...]:
    arguments = reducer.type_arguments(declaration, t.arguments)
    substitution = member_substitution(reducer, arguments, t)
    return tuple(
        [base_type(reducer, substitution.apply(extended)) for extended in declaration.extends]
    )


def single_call(reducer: Reducer, t: Type) -> Signature | None:
    """Return the call signature of a type that has exactly one; else None."""
    members = known_members(reducer, t)
    return members.calls[0] if members is not None and len(members.calls) == 1 else None
