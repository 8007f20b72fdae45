"""Name lookup in scopes, modules with their re-exports, and the global scope.

A name resolves to a *target*: a declaration's key (which contains ``#``) or a container, see
``symbol_tables``.  Lookups are lazy and memoized.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from typematch.ir.module import Import
from typematch.program.resolution.module_summary import (
    ANY_MEANING,
    NAMESPACE,
    TYPE,
    VALUE,
    ModuleSummary,
)
from typematch.program.resolution.symbol_tables import (
    GLOBAL,
    ResolvedName,
    ScopePart,
    SymbolTable,
    add_part,
    container_of,
    key_in,
)

_MAX_HOPS = 100  # re-exports and import aliases between a use and its declaration
ResolveSpecifier = Callable[[str, str], str | None]
K = TypeVar("K", bound=Hashable)


class NameResolver:
    """Resolves the names of one program.

    Args:
        summaries: by file name.
        resolve: the file of a module specifier, given the importing file; None if there is none.
    """

    def __init__(self, summaries: Mapping[str, ModuleSummary], resolve: ResolveSpecifier) -> None:
        self.summaries = summaries
        self._resolve_specifier = resolve
        self._parts: dict[str, list[ScopePart]] = {GLOBAL: []}
        self._ambient: set[str] = set()
        self._patterns: list[tuple[str, str, str]] = []
        self._umd_globals: dict[str, str] = {}
        self._clear_caches()

    def _clear_caches(self) -> None:
        self._tables: dict[str, SymbolTable] = {}
        self._bodies: dict[str, list[ScopePart]] = {}
        self._modules: dict[tuple[str, str], str | None] = {}
        self._exports: dict[tuple[str, str], str | None] = {}
        self._names: dict[tuple[ScopePart, str, int], str | None] = {}
        self._imports: dict[tuple[ScopePart, str], str | None] = {}
        self._symbols: dict[str, str] = {}
        self._export_origins: dict[str, dict[str, str]] = {}
        self._enum_members: dict[str, tuple[int, dict[str, None]]] = {}
        # Keys being computed, and keys whose result is None only because of a recursive call; the
        # latter are valid until the outermost call ends.
        self._in_progress: set[Hashable] = set()
        self._tentative: set[Hashable] = set()
        self._circular = False

    def _memoize(
        self, cache: dict[K, str | None], key: K, compute: Callable[[K], str | None]
    ) -> str | None:
        """Return ``compute(key)``, memoized; None for a recursive call with the same key.

        None also after ``_MAX_HOPS`` nested calls.  A result of None that depended on either is
        kept for the current outermost call only.
        """
        if key in cache:
            return cache[key]
        if key in self._tentative:
            return None
        if key in self._in_progress or len(self._in_progress) >= _MAX_HOPS:
            self._circular = True
            return None
        self._in_progress.add(key)
        try:
            answer = compute(key)
        finally:
            self._in_progress.discard(key)
            if not self._in_progress:
                self._circular = False
                self._tentative.clear()
        if answer is None and self._circular:
            self._tentative.add(key)
        else:
            cache[key] = answer
        return answer

    # Containers

    def table(self, container: str) -> SymbolTable:
        """Return the declarations and exports of ``container``; empty if it does not exist."""
        table = self._tables.get(container)
        if table is None:
            if "#" in container:
                # The table of the enclosing container adds the parts of a namespace.
                self.table(container_of(container))
            table = self._tables[container] = SymbolTable(container)
            for part in (*self._parts.get(container, ()), *self._bodies.get(container, ())):
                for key, body in add_part(table, part):
                    self._bodies.setdefault(key, []).append(body)
                    existing = self._tables.get(key)
                    if existing is not None and body not in existing.parts:
                        self._add_late_part(existing, body)
        return table

    def _add_late_part(self, table: SymbolTable, part: ScopePart) -> None:
        for key, body in add_part(table, part):
            self._bodies.setdefault(key, []).append(body)
            if key in self._tables:
                self._add_late_part(self._tables[key], body)

    def module(self, specifier: str, file: str) -> str | None:
        """Return the container of a module specifier in ``file``; None if it is missing."""
        key = (specifier, file)
        if key not in self._modules:
            self._modules[key] = self._find_module(specifier, file)
        return self._modules[key]

    def _find_module(self, specifier: str, file: str) -> str | None:
        relative = specifier.startswith(".")
        ambient = f'"{specifier}"'
        if ambient in self._ambient:
            return ambient
        file_ = self._resolve_specifier(specifier, file)
        if file_ is not None and file_ in self.summaries and self.summaries[file_].is_module:
            return file_
        if relative:
            return None
        if specifier.startswith("node:"):
            return self.module(specifier.removeprefix("node:"), file)
        for before, after, container in self._patterns:
            if specifier.startswith(before) and specifier.endswith(after):
                return container
        # An augmentation of a module that is not installed.
        return ambient if ambient in self._parts else None

    def module_symbol(self, module: str) -> str:
        """Return the target of ``export =``, or the module: resolveExternalModuleSymbol."""
        if module not in self._symbols:
            self._symbols[module] = module
            equals = self.table(module).export_equals
            if equals is not None:
                part, local = equals
                target = self.entity(part, local.split("."), ANY_MEANING)
                self._symbols[module] = target or module
        return self._symbols[module]

    def meanings(self, target: str) -> int:
        """Return the meanings of a target as bits; 0 if it is not declared."""
        if "#" not in target:
            return VALUE | NAMESPACE
        container = container_of(target)
        name = target[len(container) + 1 :]
        table = self.table(container)
        if name in table.meanings:
            return table.meanings[name]
        return TYPE | VALUE if name in self.enum_members(container) else 0

    def enum_members(self, key: str) -> Collection[str]:
        """Return the names of an enum's members, in order; empty if ``key`` is not an enum."""
        if "#" not in key:
            return ()
        container = container_of(key)
        statements = self.table(container).declared.get(key[len(container) + 1 :], ())
        count, members = self._enum_members.get(key, (0, {}))
        if count != len(statements):
            enums = [name for _, name in statements if name.kind == "enum"]
            members = dict.fromkeys(member for name in enums for member in name.members)
            self._enum_members[key] = len(statements), members
        return members

    def resolve_file(self, specifier: str, file: str) -> str | None:
        """Return the file of a specifier in ``file``, whether it is a module or a script."""
        return self._resolve_specifier(specifier, file)

    def enum_keys(self, container: str) -> frozenset[str]:
        """Return the keys of an enum's members."""
        return frozenset(key_in(container, member) for member in self.enum_members(container))

    # Exports

    def export(self, container: str, name: str) -> str | None:
        """Return the target that ``container`` exports as ``name``; None if there is none."""
        return self._memoize(self._exports, (container, name), self._find_export)

    def _find_export(self, key: tuple[str, str]) -> str | None:
        container, name = key
        table = self.table(container)
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
        equals_container = self._equals_container(container)
        if equals_container is not None:
            found = self.export(equals_container, name)
            is_default = found is None and name == "default"
            return self.module_symbol(container) if is_default else found
        origin = self._origins(container).get(name) if table.stars else None
        return None if origin is None or origin == container else self.export(origin, name)

    def _equals_container(self, container: str) -> str | None:
        """Return the container whose exports are those of the ``export =`` of a module.

        None if there is no ``export =``, or if it is not resolved.  ``export = m`` with an imported
        module ``m`` exports what ``m`` exports beside its own ``export =``, too
        (getCommonJsExportEquals).
        """
        equals = self.table(container).export_equals
        if equals is None or self.module_symbol(container) == container:
            return None
        part, local = equals
        imported = part.imports.get(local)
        if imported is not None and imported.imported in ("*", "="):
            module = self.module(imported.specifier, part.file)
            if module is not None:
                return module
        return self.module_symbol(container)

    def export_names(self, container: str) -> list[str]:
        """Return the names that ``container`` exports, in the compiler's order: stars last."""
        return list(self._origins(container))

    def _origins(self, container: str) -> dict[str, str]:
        """Return the exported names of ``container``, each with its origin behind any stars."""
        origins = self._export_origins.get(container)
        if origins is None:
            origins = self._export_origins[container] = {}
            visited: set[str] = set()
            pending = [container]
            while pending:
                module = pending.pop()
                if module not in visited:
                    visited.add(module)
                    stars = self._collect_names(module, origins, is_first=len(visited) == 1)
                    pending.extend(reversed(stars))
        return origins

    def _collect_names(self, container: str, names: dict[str, str], *, is_first: bool) -> list[str]:
        """Add the names that ``container`` exports itself; return the modules of its stars."""
        table = self.table(container)
        declared = [*table.leading, *table.exported, *table.exports, *table.aliases]
        # The binder declares functions first.
        ordered = [name for name in declared if _is_function(table, name)]
        ordered.extend([*declared, *self.enum_members(container)])
        if not is_first:
            # `export *` excludes the default export.
            ordered = [name for name in ordered if name != "default"]
        elif table.default:
            ordered.append("default")
        for name in ordered:
            names.setdefault(name, container)
        equals_container = self._equals_container(container)
        if equals_container is not None:
            for name in self._origins(equals_container):
                names.setdefault(name, container)
        modules = [self.module(specifier, part.file) for part, specifier in table.stars]
        return [module for module in modules if module is not None]

    # Names

    def imported(self, part: ScopePart, local: str) -> str | None:
        """Return the target of the imported name ``local`` of a scope."""
        return self._memoize(self._imports, (part, local), self._find_imported)

    def _find_imported(self, key: tuple[ScopePart, str]) -> str | None:
        part, local = key
        import_: Import = part.imports[local]
        if not import_.specifier:
            path = import_.imported.split(".")
            # In `import A = A.B` the second A is that of an outer scope.
            if path[0] == local:
                meaning = ANY_MEANING if len(path) == 1 else NAMESPACE
                return self._follow(self._find(part, local, meaning), path[1:])
            return self.entity(part, path, ANY_MEANING)
        return self._imported(part, import_.specifier, import_.imported)

    def _imported(self, part: ScopePart, specifier: str, name: str) -> str | None:
        module = self.module(specifier, part.file)
        if module is None:
            return None
        if name in ("*", "="):
            return self.module_symbol(module)
        target = self.export(module, name)
        # Without a default export, `import x from` refers to the module symbol (esModuleInterop).
        return self.module_symbol(module) if target is None and name == "default" else target

    def lookup(self, part: ScopePart, name: str, meaning: int) -> str | None:
        """Return the target of ``name`` in a scope that has one of the meanings: resolveName."""
        key = (part, name, meaning)
        if key in self._names:
            return self._names[key]
        target = self._find(part, name, meaning)
        if target is not None or not self._circular:
            self._names[key] = target
        return target

    def _find(self, part: ScopePart, name: str, meaning: int) -> str | None:
        scope: ScopePart | None = part
        while scope is not None:
            if name in scope.augmented and self.meanings(scope.augmented[name]) & meaning:
                return scope.augmented[name]
            table = self.table(scope.container)
            if table.meanings.get(name, 0) & meaning:
                return table.declared[name][0][0].key(name)
            if name in scope.imports and (scope, name) not in self._in_progress:
                target = self.imported(scope, name)
                if target is None or self.meanings(target) & meaning:
                    return target
            scope = scope.outer
        if self.table(GLOBAL).meanings.get(name, 0) & meaning:
            return key_in(GLOBAL, name)
        if name == "globalThis":
            return GLOBAL
        return self.module_symbol(self._umd_globals[name]) if name in self._umd_globals else None

    def entity(self, part: ScopePart, path: Sequence[str], meaning: int) -> str | None:
        """Return the target of the dotted name ``path`` in a scope: resolveEntityName."""
        start = self.lookup(part, path[0], meaning if len(path) == 1 else NAMESPACE)
        target = self._follow(start, path[1:])
        return target if target is None or self.meanings(target) & meaning else None

    def _follow(self, target: str | None, path: Sequence[str]) -> str | None:
        for name in path:
            if target is None:
                return None
            target = self.export(target, name)
        return target

    def resolve(self, part: ScopePart, use: str) -> ResolvedName | None:
        """Return what a use of a name refers to, in the spelling of ``ScopeSummary.free``.

        None if it is not found.
        """
        text, _, module = use[2:].partition("@")
        path = text.split(".") if text else []
        start: str | None = None
        if not path and not module:
            return None
        if module:
            container = self.module(module, part.file)
            if container is None:
                return None
            start = self.module_symbol(container) if path or use[0] == "v" else container
        if use[0] == "v":
            return self._resolve_value(part, start, path)
        return self._resolve_type(part, start, path)

    def _resolve_type(
        self, part: ScopePart, start: str | None, path: list[str]
    ) -> ResolvedName | None:
        if start is None:
            target = self.entity(part, path, TYPE)
        else:
            target = self._follow(start, path)
            if target is not None and not self.meanings(target) & TYPE:
                target = None
        return None if target is None else ResolvedName(target)

    def _resolve_value(
        self, part: ScopePart, start: str | None, path: list[str]
    ) -> ResolvedName | None:
        rest = path
        target = start
        if target is None:
            target = self.lookup(part, path[0], VALUE | NAMESPACE)
            rest = path[1:]
        if target is None:
            return None
        for position, name in enumerate(rest):
            member = self.export(target, name)
            if member is None or not self.meanings(member) & (VALUE | NAMESPACE):
                return ResolvedName(target, tuple(rest[position:]))
            target = member
        return ResolvedName(target)


def _is_function(table: SymbolTable, name: str) -> bool:
    statements = table.declared.get(name, ())
    return any(statement.kind == "function" for _, statement in statements)
