"""Declarations with their names resolved: the form in which types are reduced and compared.

Keys: ``FILE#A.B`` for a declaration of a module (``FILE`` is the file's name in the catalog),
``global#A.B`` in the global scope, ``"m"#A.B`` in an ambient module ``m``.  Merged declarations
share a key.  A default export without a name is called ``default``.  Members of an enum are
declarations too (``FILE#E.A``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import Protocol, TypeAlias

from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import Type

DeclarationKind: TypeAlias = OneOf[
    "function", "const", "class", "interface", "alias", "enum", "enum-member", "namespace"
]
GLOBAL_SCOPE = "global#"  # before the name in the key of a global declaration


def is_global(key: str) -> bool:
    """Whether a key is that of a declaration in the global scope."""
    return key.startswith(GLOBAL_SCOPE)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declared name, with all parts of a merged declaration.

    Names in its types are resolved; variables are bound as in ``ir.module``.

    Attributes:
        kind: the first that applies of class, interface, alias, enum, enum-member, function, const,
            namespace.
        type: meaning as a type: the body of an alias; the own members of a class instance or
            interface, all parts merged; the literal type of an enum member (None if it is
            computed); None for an enum (its type is the union of its ``members``) and for
            declarations that are not types.
        extends: heritage types of a class or interface, in order; what a class extends comes first.
        base: what a class extends; None of a class that extends nothing, and of the other kinds.
        value: type of the value: a function's overloads as ``calls``; a constant's type; the static
            side of a class with its declared construct signatures, which return ``this`` (none
            declared: the base class's, or ``new () => this``); None without a value.  The values of
            a namespace and the members of an enum are reached through ``members``.
        members: exports of a namespace or members of an enum, as (name, key), in order of name.
    """

    key: str
    name: str
    kind: DeclarationKind
    type_parameters: tuple[TypeParameter, ...] = ()
    type_parameter_names: tuple[str, ...] = ()
    type: Type | None = None
    extends: tuple[Type, ...] = ()
    value: Type | None = None
    members: tuple[tuple[str, str], ...] = ()
    abstract: bool = False
    base: Type | None = None

    @property
    def is_class_or_interface(self) -> bool:
        return self.kind in ("class", "interface")

    @property
    def has_value(self) -> bool:
        """Whether it declares a value, and not only a type; a namespace with exports counts."""
        if self.kind == "namespace":
            return self.value is not None or bool(self.members)
        return self.value is not None or self.kind in ("class", "enum", "enum-member")

    def member_key(self, name: str) -> str | None:
        """Return the key of a member of a namespace or enum; None if there is none."""
        position = bisect_left(self.members, (name, ""))
        if position < len(self.members) and self.members[position][0] == name:
            return self.members[position][1]
        return None


def declared_member(
    lookup: Callable[[str], Declaration | None], key: str, path: Sequence[str]
) -> tuple[Declaration | None, tuple[str, ...]]:
    """Return the value that ``path`` leads to through namespaces, and the names after it.

    A type of a namespace is no value: a property of the constant that has its name may be.

    Args:
        lookup: returns the declaration of a key; None if there is none.
    """
    declaration = lookup(key)
    rest = tuple(path)
    while rest and declaration is not None:
        member_key = declaration.member_key(rest[0])
        member = None if member_key is None else lookup(member_key)
        if member is None or not member.has_value:
            break
        declaration, rest = member, rest[1:]
    return declaration, rest


class Declarations(Protocol):
    """Source of declarations: a catalog file, or memory."""

    def get(self, key: str, /) -> Declaration | None:
        """Return the declaration of a key, all parts merged; None if there is none."""
        ...
