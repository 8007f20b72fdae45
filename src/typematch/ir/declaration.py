"""Say what a name in a program means, once resolved: the form in which ``match`` sees declarations.

Keys: ``FILE#A.B`` for what a module declares (``FILE`` is the catalog's name of the file),
``global#A.B`` for what is global, ``"m"#A.B`` for an ambient module ``m``.  Declarations that
merge have one key.  A default export without a name is called ``default``.  The members of an
enum are declarations too (``FILE#E.A``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf
from typing import Protocol, TypeAlias

from typematch.ir.types import Type, TypeParameter

DeclarationKind: TypeAlias = OneOf[
    "function", "const", "class", "interface", "alias", "enum", "enum-member", "namespace"
]


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declared name, all its merged parts together.

    Types hold ``Reference``, bound as in ``ir.module``.

    Attributes:
        kind: the first that applies of class, interface, alias, enum, enum-member, function, const,
            namespace.
        type: as a type: the body of an alias; the own members of a class's instance or an
            interface, all parts merged; the literal of an enum member (None if computed); None
            for an enum (its type is the union of its ``members``) and for what is no type.
        extends: heritage types of a class or interface, in order.
        value: as a value: a function's overloads as ``calls``; a constant's type; the static side
            of a class, with the construct signatures that it declares, whose result is ``this``
            (none declared: those of its base class, or ``new () => this``); None where there is
            no value.  A namespace's values and an enum's members are found through ``members``.
        members: what a namespace exports and what an enum has, (name, key), in order of name.
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


class Declarations(Protocol):
    """Where ``program`` and ``match`` find declarations: a file behind it, or memory."""

    def get(self, key: str, /) -> Declaration | None:
        """Return the declaration of that key, all parts merged; None if there is none."""
        ...
