"""Containers of entries (classes, services, packages) and the members of containers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from typematch.index.engines.engine import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.type_store import TypeStore
from typematch.ir.types import Object, Reference, Type

PACKAGE_PREFIX = (
    "package "  # of a package as a container; other containers are keys of declarations
)
_MEMBER_KINDS = ("method", "operation", "property")
_MAX_MEMBERS = 3_000  # members of one container


class ContainerIndex:
    """The containers of one file."""

    def __init__(
        self, database: Database, types: TypeStore, declarations: StoredDeclarations
    ) -> None:
        self._database = database
        self._types = types
        self._declarations = declarations

    def containers(self, numbers: Iterable[int], /) -> dict[int, str]:
        containers: dict[int, str] = {}
        query = (
            "SELECT e.id, e.kind, y.key, p.name FROM entry e JOIN package p "
            "ON p.id = e.package JOIN symbol y ON y.id = e.declaration WHERE e.id"
        )
        for number, kind, declaration, package in self._database.select_in(query, numbers):
            containers[number] = (
                declaration if kind in _MEMBER_KINDS else f"{PACKAGE_PREFIX}{package}"
            )
        return containers

    def members(self, container: str, /) -> list[tuple[int, str, Type]]:
        if container.startswith(PACKAGE_PREFIX):
            query = (
                "SELECT e.id, e.name, s.function FROM entry e JOIN package p ON p.id = e.package "
                "JOIN signature s ON s.entry = e.id AND NOT s.receiver WHERE p.name = ? "
                "AND e.exported AND e.kind IN ('function', 'const') ORDER BY e.id, s.ordinal"
            )
            return self._merge_overloads(
                self._database.query(query, (container.removeprefix(PACKAGE_PREFIX),))
            )
        members: dict[str, tuple[int, str, Type]] = {}
        queue, seen = [container], {container}
        query = (
            "SELECT e.id, e.name, s.function FROM entry e JOIN signature s "
            "ON s.entry = e.id AND NOT s.receiver "
            "WHERE e.declaration = (SELECT id FROM symbol WHERE key = ?) AND NOT e.static "
            "AND e.visibility = 'public' AND e.kind IN ('method', 'operation', 'property') "
            "ORDER BY e.id, s.ordinal"
        )
        while queue:
            key = queue.pop(0)
            for member in self._merge_overloads(self._database.query(query, (key,))):
                members.setdefault(
                    member[1], member
                )  # an override precedes the member it overrides
            declaration = self._declarations.get(key)
            for base in () if declaration is None else declaration.extends:
                if isinstance(base, Reference) and base.target not in seen:
                    seen.add(base.target)
                    queue.append(base.target)
        return list(members.values())

    def _merge_overloads(self, rows: Sequence[Any]) -> list[tuple[int, str, Type]]:
        """Return each entry once, with all its overloads as one type."""
        functions: dict[tuple[int, str], list[int]] = {}
        for number, name, function in rows:
            functions.setdefault((number, name), []).append(function)
        members: list[tuple[int, str, Type]] = []
        for (entry, name), numbers in list(functions.items())[:_MAX_MEMBERS]:
            types = [self._types.get(number) for number in numbers]
            calls = tuple(call for t in types if isinstance(t, Object) for call in t.calls)
            members.append((entry, name, Object(calls=calls)))
        return members
