"""Look names up: in scopes, in modules and what they re-export, in the global scope.

A name means a *target*: a declaration's key (it holds ``#``) or a container, see
``program.tables``.  Everything is looked up when asked for, and remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from typematch.ir.module import Import
from typematch.program.resolution.module_summary import (
    ANY_MEANING,
    NAMESPACE,
    TYPE,
    VALUE,
    Skeleton,
)
from typematch.program.resolution.symbol_tables import (
    GLOBAL,
    ResolvedName,
    ScopePart,
    SymbolTable,
    add_part,
    around,
    key_in,
)

Resolve = Callable[[str, str], str | None]
K = TypeVar("K", bound=Hashable)


class NameResolver:
    """Answers for one program.

    Args:
        skeletons: by file name.
        resolve: the file that a module specifier means, given the importing file; None if there is
            none.
    """

    def __init__(self, skeletons: Mapping[str, Skeleton], resolve: Resolve) -> None:
        self.skeletons = skeletons
        self._resolve = resolve
        self._parts: dict[str, list[ScopePart]] = {GLOBAL: []}
        self._ambient: set[str] = set()
        self._patterns: list[tuple[str, str, str]] = []
        self._umd: dict[str, str] = {}
        self._forget()

    def _forget(self) -> None:
        self._tables: dict[str, SymbolTable] = {}
        self._bodies: dict[str, list[ScopePart]] = {}
        self._modules: dict[tuple[str, str], str | None] = {}
        self._exports: dict[tuple[str, str], str | None] = {}
        self._names: dict[tuple[ScopePart, str, int], str | None] = {}
        self._imports: dict[tuple[ScopePart, str], str | None] = {}
        self._symbols: dict[str, str] = {}
        self._names_of: dict[str, dict[str, str]] = {}
        # Of questions on the way: those begun, and those that came to nothing only because they led
        # back to one begun; such an answer holds for the outermost question alone.
        self._busy: set[Hashable] = set()
        self._tentative: set[Hashable] = set()
        self._circular = False

    def _answer(
        self, answers: dict[K, str | None], asked: K, find: Callable[[K], str | None]
    ) -> str | None:
        """Return the answer to ``asked`` and keep it in ``answers``; inside itself it is None."""
        if asked in answers:
            return answers[asked]
        if asked in self._tentative:
            return None
        if asked in self._busy:
            self._circular = True
            return None
        self._busy.add(asked)
        found = find(asked)
        self._busy.discard(asked)
        if not self._busy:
            self._circular = False
            self._tentative.clear()
        if found is None and self._circular:
            self._tentative.add(asked)
        else:
            answers[asked] = found
        return found

    # Containers

    def _table(self, container: str) -> SymbolTable:
        """Return the table of a container.

        Of one that is no namespace and no module an empty one.
        """
        table = self._tables.get(container)
        if table is None:
            if "#" in container:
                # The parts of a namespace are found while the table around it is made.
                self._table(around(container))
            table = self._tables[container] = SymbolTable(container)
            for part in (*self._parts.get(container, ()), *self._bodies.get(container, ())):
                for key, body in add_part(table, part):
                    self._bodies.setdefault(key, []).append(body)
                    late = self._tables.get(key)
                    if late is not None and body not in late.parts:
                        self._take_late(late, body)
        return table

    def _take_late(self, table: SymbolTable, part: ScopePart) -> None:
        for key, body in add_part(table, part):
            self._bodies.setdefault(key, []).append(body)
            if key in self._tables:
                self._take_late(self._tables[key], body)

    def table(self, container: str) -> SymbolTable:
        """Return what is declared and exported in ``container``."""
        return self._table(container)

    def module(self, specifier: str, file: str) -> str | None:
        """Return the container that ``specifier`` means in ``file``; None if it is missing."""
        asked = (specifier, file)
        if asked not in self._modules:
            self._modules[asked] = self._find_module(specifier, file)
        return self._modules[asked]

    def _find_module(self, specifier: str, file: str) -> str | None:
        relative = specifier.startswith(".")
        ambient = f'"{specifier}"'
        if ambient in self._ambient:
            return ambient
        found = self._resolve(specifier, file)
        if found is not None and found in self.skeletons and self.skeletons[found].is_module:
            return found
        if relative:
            return None
        if specifier.startswith("node:"):
            return self.module(specifier.removeprefix("node:"), file)
        for before, after, container in self._patterns:
            if specifier.startswith(before) and specifier.endswith(after):
                return container
        # What a file adds to a module that is not installed.
        return ambient if ambient in self._parts else None

    def symbol(self, module: str) -> str:
        """Return what ``require(module)`` gives.

        The target of its ``export =``, else the module itself.
        """
        if module not in self._symbols:
            self._symbols[module] = module
            equals = self._table(module).equals
            if equals is not None:
                part, local = equals
                target = self.entity(part, local.split("."), ANY_MEANING)
                self._symbols[module] = target or module
        return self._symbols[module]

    def meanings(self, target: str) -> int:
        """Return the meanings of a target as bits; 0 if it is not declared."""
        if "#" not in target:
            return VALUE | NAMESPACE
        container = around(target)
        name = target[len(container) + 1 :]
        table = self._table(container)
        if name in table.meanings:
            return table.meanings[name]
        return TYPE | VALUE if name in self.enum_members(container) else 0

    def enum_members(self, key: str) -> tuple[str, ...]:
        """Return the names of an enum's members; none if ``key`` is no enum."""
        if "#" not in key:
            return ()
        container = around(key)
        statements = self._table(container).declared.get(key[len(container) + 1 :], ())
        return tuple(
            member for _, name in statements if name.kind == "enum" for member in name.members
        )

    def file(self, specifier: str, file: str) -> str | None:
        """Return the file that ``specifier`` means in ``file``, whether a module or not."""
        return self._resolve(specifier, file)

    def enum_keys(self, container: str) -> frozenset[str]:
        """Return the keys of an enum's members."""
        return frozenset(key_in(container, member) for member in self.enum_members(container))

    # Exports

    def export(self, container: str, name: str) -> str | None:
        """Return what ``container`` exports as ``name``; None if nothing."""
        return self._answer(self._exports, (container, name), self._find_export)

    def _find_export(self, asked: tuple[str, str]) -> str | None:
        container, name = asked
        table = self._table(container)
        if name in table.exported:
            return table.declared[name][0][0].key(name)
        clause = table.exports.get(name)
        if clause is not None:
            part, export = clause
            if not export.specifier:
                return self.entity(part, export.local.split("."), ANY_MEANING)
            return self._imported(part, export.specifier, export.local)
        if name in table.aliases:
            return self.imported(table.aliases[name], name)
        if name == "default" and table.default:
            return table.default
        if name in self.enum_members(container):
            return key_in(container, name)
        if table.equals is not None:
            target = self.symbol(container)
            if target != container:
                return target if name == "default" else self.export(target, name)
        origin = self._origins(container).get(name) if table.stars else None
        return None if origin is None or origin == container else self.export(origin, name)

    def export_names(self, container: str) -> list[str]:
        """Return all names that ``container`` exports, in the compiler's order.

        Its own, then those behind stars.
        """
        return list(self._origins(container))

    def _origins(self, container: str) -> dict[str, str]:
        """Return the names that ``container`` exports, each with where it is no longer a star."""
        found = self._names_of.get(container)
        if found is None:
            found = self._names_of[container] = {}
            self._collect(container, found, set())
        return found

    def _collect(self, container: str, names: dict[str, str], seen: set[str]) -> None:
        seen.add(container)
        table = self._table(container)
        own = [*table.exported, *table.exports, *table.aliases]
        # The compiler enters functions before everything else.
        ordered = [name for name in own if _is_function(table, name)]
        ordered.extend([*own, *self.enum_members(container)])
        if len(seen) > 1:
            # A star gives everything but the default.
            ordered = [name for name in ordered if name != "default"]
        elif table.default:
            ordered.append("default")
        for name in ordered:
            names.setdefault(name, container)
        if table.equals is not None and self.symbol(container) != container:
            for name in self._origins(self.symbol(container)):
                names.setdefault(name, container)
        for part, specifier in table.stars:
            module = self.module(specifier, part.file)
            if module is not None and module not in seen:
                self._collect(module, names, seen)

    # Names

    def imported(self, part: ScopePart, local: str) -> str | None:
        """Return what the imported name ``local`` of a scope means."""
        return self._answer(self._imports, (part, local), self._find_imported)

    def _find_imported(self, asked: tuple[ScopePart, str]) -> str | None:
        part, local = asked
        item: Import = part.imports[local]
        if not item.specifier:
            path = item.imported.split(".")
            # In `import A = A.B` the second A is one further out.
            if path[0] == local:
                meaning = ANY_MEANING if len(path) == 1 else NAMESPACE
                return self._along(self._find(part, local, meaning), path[1:])
            return self.entity(part, path, ANY_MEANING)
        return self._imported(part, item.specifier, item.imported)

    def _imported(self, part: ScopePart, specifier: str, name: str) -> str | None:
        module = self.module(specifier, part.file)
        if module is None:
            return None
        if name in ("*", "="):
            return self.symbol(module)
        found = self.export(module, name)
        # Without a default export, `import x from` means what require() gives.
        return self.symbol(module) if found is None and name == "default" else found

    def lookup(self, part: ScopePart, name: str, meaning: int) -> str | None:
        """Return what ``name`` means in a scope, by one of the meanings asked for."""
        asked = (part, name, meaning)
        if asked in self._names:
            return self._names[asked]
        found = self._find(part, name, meaning)
        if found is not None or not self._circular:
            self._names[asked] = found
        return found

    def _find(self, part: ScopePart, name: str, meaning: int) -> str | None:
        at: ScopePart | None = part
        while at is not None:
            if name in at.elsewhere and self.meanings(at.elsewhere[name]) & meaning:
                return at.elsewhere[name]
            table = self._table(at.container)
            if table.meanings.get(name, 0) & meaning:
                return table.declared[name][0][0].key(name)
            if name in at.imports and (at, name) not in self._busy:
                target = self.imported(at, name)
                if target is None or self.meanings(target) & meaning:
                    return target
            at = at.outer
        if self._table(GLOBAL).meanings.get(name, 0) & meaning:
            return key_in(GLOBAL, name)
        if name == "globalThis":
            return GLOBAL
        return self.symbol(self._umd[name]) if name in self._umd else None

    def entity(self, part: ScopePart, path: Sequence[str], meaning: int) -> str | None:
        """Return what the dotted name ``path`` means in a scope."""
        start = self.lookup(part, path[0], meaning if len(path) == 1 else NAMESPACE)
        target = self._along(start, path[1:])
        return target if target is None or self.meanings(target) & meaning else None

    def _along(self, target: str | None, path: Sequence[str]) -> str | None:
        for name in path:
            if target is None:
                return None
            target = self.export(target, name)
        return target

    def resolve(self, part: ScopePart, used: str) -> ResolvedName | None:
        """Return what a use of a name means, spelled as in ``ScopeSkeleton.free``.

        None if it is missing.
        """
        text, _, module = used[2:].partition("@")
        path = text.split(".") if text else []
        start: str | None = None
        if module:
            container = self.module(module, part.file)
            if container is None:
                return None
            start = self.symbol(container) if path or used[0] == "v" else container
        if used[0] == "v":
            return self._value(part, start, path)
        return self._type(part, start, path)

    def _type(self, part: ScopePart, start: str | None, path: list[str]) -> ResolvedName | None:
        if start is None:
            target = self.entity(part, path, TYPE)
        else:
            target = self._along(start, path)
            if target is not None and not self.meanings(target) & TYPE:
                target = None
        return None if target is None else ResolvedName(target)

    def _value(self, part: ScopePart, start: str | None, path: list[str]) -> ResolvedName | None:
        rest = path
        target = start
        if target is None:
            target = self.lookup(part, path[0], VALUE | NAMESPACE)
            rest = path[1:]
        if target is None:
            return None
        for position, name in enumerate(rest):
            found = self.export(target, name)
            if found is None or not self.meanings(found) & (VALUE | NAMESPACE):
                return ResolvedName(target, tuple(rest[position:]))
            target = found
        return ResolvedName(target)


def _is_function(table: SymbolTable, name: str) -> bool:
    statements = table.declared.get(name, ())
    return any(statement.kind == "function" for _, statement in statements)
