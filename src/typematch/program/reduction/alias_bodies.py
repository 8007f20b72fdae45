"""Bodies of aliases: expanded once, and the mapped types that they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import ARRAYS
from typematch.ir.types import KeyOf, Mapped, Reference, Type, Var

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def mapped_declaration(r: Reducer, t: Type) -> Mapped | None:
    """Return the mapped type that ``t`` is or is an alias of; None for any other type."""
    reference = mapped_alias(r, t)
    declared = t if reference is None else expand_alias_once(r, reference)
    return declared if isinstance(declared, Mapped) else None


def mapped_alias(r: Reducer, t: Type) -> Reference | None:
    """Return the reference to the alias that declares a mapped type: ``t``, or one it leads to.

    None if it leads to any other type.
    """
    for _ in range(r.limits.expansion):
        if not isinstance(t, Reference) or t.target in ARRAYS:
            return None
        declaration = r.declaration(t.target)
        if declaration is None or declaration.kind != "alias":
            return None
        if isinstance(declaration.type, Mapped):
            return t
        if not isinstance(declaration.type, Reference):
            return None
        t = expand_alias_once(r, t)
    return None


def homomorphic_alias(r: Reducer, t: Type) -> Reference | None:
    """Return the reference to an alias of a mapped type over ``keyof T``, like ``mapped_alias``."""
    reference = mapped_alias(r, t)
    declaration = None if reference is None else r.declaration(reference.target)
    body = None if declaration is None else declaration.type
    keys = body.keys if isinstance(body, Mapped) else None
    return reference if isinstance(keys, KeyOf) and isinstance(keys.type, Var) else None


def expand_alias_once(r: Reducer, reference: Reference) -> Type:
    """Return the body of an alias with its type arguments."""
    declaration = r.declaration(reference.target)
    if declaration is None or declaration.type is None:
        return reference
    arguments = r.type_arguments(declaration, reference.arguments)
    return r.instantiate(declaration.type, arguments)
