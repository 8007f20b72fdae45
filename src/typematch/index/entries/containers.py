"""Say what entries are members of, and what members a class, a service or a package has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from typematch.index.database import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.type_store import TypeStore
from typematch.ir.types import Object, Reference, Type

PACKAGE = "package "  # before its name; any other container is the key of a declaration
_MEMBERS = ("method", "operation", "property")
_MOST = 3_000  # members of one container


class ContainerStore:
    """What a store answers about containers."""

    database: Database
    declarations: StoredDeclarations
    types: TypeStore

    def containers(self, numbers: Iterable[int], /) -> dict[int, str]:
        found: dict[int, str] = {}
        query = (
            "SELECT e.id, e.kind, e.declaration, p.name FROM entry e JOIN package p "
            "ON p.id = e.package WHERE e.id"
        )
        for number, kind, declaration, package in self.database.among(query, numbers):
            found[number] = declaration if kind in _MEMBERS else f"{PACKAGE}{package}"
        return found

    def members(self, container: str, /) -> list[tuple[int, str, Type]]:
        if container.startswith(PACKAGE):
            query = (
                "SELECT e.id, e.name, s.function FROM entry e JOIN package p ON p.id = e.package "
                "JOIN signature s ON s.entry = e.id AND NOT s.receiver WHERE p.name = ? "
                "AND e.exported AND e.kind IN ('function', 'const') ORDER BY e.id, s.ordinal"
            )
            return self._together(self.database.rows(query, (container.removeprefix(PACKAGE),)))
        found: dict[str, tuple[int, str, Type]] = {}
        waiting, seen = [container], {container}
        query = (
            "SELECT e.id, e.name, s.function FROM entry e JOIN signature s "
            "ON s.entry = e.id AND NOT s.receiver WHERE e.declaration = ? AND NOT e.static "
            "AND e.visibility = 'public' AND e.kind IN ('method', 'operation', 'property') "
            "ORDER BY e.id, s.ordinal"
        )
        while waiting:
            key = waiting.pop(0)
            for one in self._together(self.database.rows(query, (key,))):
                found.setdefault(one[1], one)  # what overrides comes before what it overrides
            declaration = self.declarations.get(key)
            for base in () if declaration is None else declaration.extends:
                if isinstance(base, Reference) and base.target not in seen:
                    seen.add(base.target)
                    waiting.append(base.target)
        return list(found.values())

    def _together(self, rows: Sequence[Any]) -> list[tuple[int, str, Type]]:
        """Return each entry once, with all its overloads in one type."""
        functions: dict[tuple[int, str], list[int]] = {}
        for number, name, function in rows:
            functions.setdefault((number, name), []).append(function)
        found: list[tuple[int, str, Type]] = []
        for (number, name), numbers in list(functions.items())[:_MOST]:
            parts = [self.types.get(one) for one in numbers]
            calls = tuple(call for one in parts if isinstance(one, Object) for call in one.calls)
            found.append((number, name, Object(calls=calls)))
        return found
