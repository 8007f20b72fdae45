"""Base types of classes and interfaces: which instance of a declaration a type extends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.ir.types import Reference
from typematch.program.reduction.skolemize import member_substitution
from typematch.program.reduction.typeof import base_type

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


@dataclass(frozen=True, slots=True)
class BaseInstance:
    """A base type (getBaseTypes), direct or of another base type.

    Attributes:
        type: the base type, with all type arguments.
        hidden: names of properties that the derived type may have from elsewhere: declared nearer,
            or by an earlier base type.  Its other properties of the base type are inherited.
    """

    type: Reference
    hidden: frozenset[str]


def extends_declaration(r: Reducer, derived: str, key: str) -> bool:
    """Return whether a class or interface extends another one, directly or not."""
    ancestors = r.ancestors.get(derived)
    if ancestors is None:
        found: set[str] = set()
        pending = [derived]
        while pending:
            declaration = r.declaration(pending.pop())
            if declaration is None or not declaration.is_class_or_interface:
                continue
            for extended in declaration.extends:
                if isinstance(extended, Reference) and extended.target not in found:
                    found.add(extended.target)
                    pending.append(extended.target)
        ancestors = r.ancestors[derived] = frozenset(found)
    return key != derived and key in ancestors


def base_instance(r: Reducer, t: Reference, key: str) -> BaseInstance | None:
    """Return the instance of the class or interface ``key`` that ``t`` extends, None without one.

    It is the first in the order in which members are looked up.

    Raises:
        LimitReached: the budget is spent.
    """
    declaration = r.declaration(t.target)
    if declaration is None or not extends_declaration(r, t.target, key):
        return None
    hidden = set(r.members_of(t).own_names)
    substitution = member_substitution(r, r.type_arguments(declaration, t.arguments), t)
    for extended in declaration.extends:
        base = r.normal(base_type(r, substitution.apply(extended)))
        if isinstance(base, Reference):
            if base.target == key:
                return BaseInstance(base, frozenset(hidden))
            further = base_instance(r, base, key)
            if further is not None:
                return BaseInstance(further.type, further.hidden | hidden)
        hidden.update(r.members_of(base).names)
    return None
