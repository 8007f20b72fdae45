"""Compare two uses of one generic alias by their type arguments.

The checker keeps ``aliasSymbol`` and ``aliasTypeArguments`` on a type.  Here a use of an alias is a
``Reference``, and its head normal form no longer has the alias, so the relation passes the type as
written along with the normal form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.declaration import Declaration
from typematch.ir.types import Conditional, Free, Mapped, Object, Reference, Type, Union
from typematch.match.assignability.rules import NO_RULE, RELATED, RuleResult
from typematch.match.assignability.variance import type_arguments_related
from typematch.program.reduction.alias_bodies import homomorphic_alias
from typematch.program.reduction.reduce import Reducer

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation


def without_outer_alias(reducer: Reducer, t: Type) -> Type:
    """Return ``t`` as the checker sees it after ``type Source = t``.

    The new alias replaces the one that ``t`` is a use of.  Uses of aliases of object types keep
    theirs, and so do homomorphic mapped types, which are returned as the alias they map.
    """
    if not isinstance(t, Reference):
        return t
    declaration = reducer.declaration(t.target)
    if declaration is not None and isinstance(declaration.type, Object):
        return t
    return homomorphic_alias(reducer, t) or reducer.normal(t)


def declared_union(reducer: Reducer, t: Type, normal: Type) -> Type:
    """Return the union that ``t`` declares, its members as written; else ``normal``.

    Args:
        normal: the head normal form of ``t``, in which members are reduced.
    """
    if normal.__class__ is not Union:
        return normal
    if isinstance(t, Reference):
        declaration = reducer.declaration(t.target)
        body = None if declaration is None else declaration.type
        return body if body.__class__ is Union and not body.loose_depth else normal
    return t if t.__class__ is Union else normal


def related_by_alias(rel: Relation, source: Reference, target: Type) -> RuleResult:
    """Compare ``source`` with ``target``, or with a member of it, as uses of one alias."""
    if target.__class__ is Reference:
        return alias_arguments_related(rel, source, target)
    for member in target.members if isinstance(target, Union) else ():
        if (
            isinstance(member, Reference)
            and alias_arguments_related(rel, source, member) == RELATED
        ):
            return RELATED
    return NO_RULE


def constraint_related_by_alias(rel: Relation, s: Type, target: Type) -> bool:
    """Return whether the constraint of a type variable is related to ``target`` by its alias."""
    constraint: Type | None = s
    for _ in range(rel.limits.expansion):  # constraints may be circular
        if not isinstance(constraint, Free):
            break
        constraint = rel.reducer.constraints.get(constraint)
    if not isinstance(constraint, Reference):
        return False
    return related_by_alias(rel, constraint, target) == RELATED


def alias_arguments_related(rel: Relation, s: Reference, t: Reference) -> RuleResult:
    """Compare two uses of one generic alias by variance (relateVariances).

    No rule where the alias is not the declared name of the normal form, or where the variance is
    unreliable: then the normal forms are compared.
    """
    if s.target != t.target:
        return NO_RULE
    declaration = rel.reducer.declaration(s.target)
    if declaration is None or declaration.kind != "alias" or not declaration.type_parameters:
        return NO_RULE
    if not _is_body_of(rel, declaration, rel.reducer.normal(s)):
        return NO_RULE
    if rel.variances.in_progress(s.target):
        rel.stack.assume_variance()
        return RELATED
    source = Reference(s.target, rel.reducer.type_arguments(declaration, s.arguments))
    target = Reference(t.target, rel.reducer.type_arguments(declaration, t.arguments))
    return type_arguments_related(rel, source, target, rel.variances.of(rel, s.target))


def _is_body_of(rel: Relation, declaration: Declaration | None, normal: Type) -> bool:
    """Return whether ``normal`` has the class of the alias's body, not of what that reduces to."""
    for _ in range(rel.reducer.limits.expansion):
        body = None if declaration is None else declaration.type
        if not isinstance(body, Reference):
            break
        declaration = rel.reducer.declaration(body.target)
    else:
        return False
    if isinstance(normal, Conditional):
        return isinstance(body, Conditional)
    return isinstance(body, (Object, Mapped))
