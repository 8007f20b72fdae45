"""Declarations whose members a value has, found by expanding its type.

``program.package_walk`` follows names; this follows types, for what no name leads to: the result of
``ReturnType<typeof f>``, an indexed access, the instance type of ``Constructor<T>``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal as OneOf
from typing import NamedTuple

from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.types import Intersection, Object, Reference, Type, TypeOf
from typematch.program.call_signatures import find_signatures
from typematch.program.type_expansion import SAME_MEMBER_KEYS, DeclaredTypes

_MAX_STEPS = 12


class MemberSource(NamedTuple):
    """A declaration that has members of a value.

    ``relation`` is ``is`` (the value has the members of the type ``key``), ``value`` (it is
    ``typeof key``) or ``new`` (it constructs instances of the type ``key``).
    """

    relation: OneOf["is", "value", "new"]
    key: str


class MemberSources:
    """Looks member sources up in a set of declarations."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._declared = DeclaredTypes(declarations, find_signatures)

    def of_constant(self, key: str) -> list[MemberSource]:
        """Return the sources of the members of a constant, nearest first."""
        declaration = self._declarations.get(key)
        if declaration is None or declaration.value is None:
            return []
        return list(dict.fromkeys(self._sources(declaration.value, _MAX_STEPS, set())))

    def of_properties(self, key: str) -> list[tuple[str, MemberSource]]:
        """Return the sources of the members of each property of a constant or static side.

        Properties whose types are written out are left out.
        """
        declaration = self._declarations.get(key)
        value = None if declaration is None else declaration.value
        if not isinstance(value, Object):
            return []
        return [
            (property_.name, source)
            for property_ in value.properties
            if property_.visibility == "public" and not isinstance(property_.type, Object)
            for source in dict.fromkeys(self._sources(property_.type, _MAX_STEPS, set()))
        ]

    def _sources(self, t: Type, steps: int, visited: set[Type]) -> Iterator[MemberSource]:
        if not steps or t in visited:
            return
        visited.add(t)
        match t:
            case TypeOf(Reference(key), path):
                declaration = self._member(key, path)
                if declaration is not None:
                    yield MemberSource("value", declaration.key)
                    return
            case Reference(key, (argument,)) if key in SAME_MEMBER_KEYS:
                yield from self._sources(argument, steps - 1, visited)
                return
            case Reference(key):
                declaration = self._declarations.get(key)
                if declaration is not None and declaration.kind in ("class", "interface", "alias"):
                    yield MemberSource("is", key)
            case Intersection(members):
                for member in members:
                    yield from self._sources(member, steps - 1, visited)
                return
            case Object():
                for instance in self._declared.constructed(t):
                    for source in self._sources(instance, steps - 1, visited):
                        if source.relation == "is":
                            yield MemberSource("new", source.key)
                return
            case _:
                pass
        expanded = self._declared.expand_once(t)
        if expanded is not None:
            yield from self._sources(expanded, steps - 1, visited)

    def _member(self, key: str, path: tuple[str, ...]) -> Declaration | None:
        """Return the class, constant or namespace that ``typeof key.path`` names."""
        declaration = self._declarations.get(key)
        for name in path:
            member = None if declaration is None else dict(declaration.members).get(name)
            declaration = None if member is None else self._declarations.get(member)
        kinds = ("class", "const", "namespace")
        return declaration if declaration is not None and declaration.kind in kinds else None
