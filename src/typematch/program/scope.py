"""Say which declaration a name means: scopes, imports, re-exports, merging, augmentation.

A name means a *target*: a declaration's key (it holds ``#``) or a container, see
``program.tables``.  Everything is looked up when asked for and remembered; a program is built anew
from its skeletons on every run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b

from typematch.ir.module import Import, Module
from typematch.program.binding import Binding
from typematch.program.merging import Fragment
from typematch.program.skeletons import (
    ANY_MEANING,
    NAMESPACE,
    TYPE,
    VALUE,
    ScopeSkeleton,
    Skeleton,
)
from typematch.program.tables import (
    GLOBAL,
    Part,
    Resolved,
    Table,
    add_part,
    around,
    key_in,
    place,
    target_key,
)

Resolve = Callable[[str, str], str | None]


class Program:
    """All files of a run, so far as names go.

    Args:
        skeletons: by file name.
        resolve: the file that a module specifier means, given the importing file; None if there is
            none.
    """

    def __init__(self, skeletons: Mapping[str, Skeleton], resolve: Resolve) -> None:
        self.skeletons = skeletons
        self._resolve = resolve
        self._files: dict[str, Part] = {}
        self._inner: dict[str, tuple[Part, ...]] = {}
        self._parts: dict[str, list[Part]] = {GLOBAL: []}
        self._patterns: list[tuple[str, str, str]] = []
        self._umd: dict[str, str] = {}
        self._forget()
        self._place_files()
        self._place_augmentations()

    def _forget(self) -> None:
        self._tables: dict[str, Table] = {}
        self._bodies: dict[str, list[Part]] = {}
        self._modules: dict[tuple[str, str], str | None] = {}
        self._exports: dict[tuple[str, str], str | None] = {}
        self._names: dict[tuple[Part, str, int], str | None] = {}
        self._imports: dict[tuple[Part, str], str | None] = {}
        self._symbols: dict[str, str] = {}
        self._busy: set[object] = set()

    # Placing

    def _place_files(self) -> None:
        for file in sorted(self.skeletons):
            skeleton = self.skeletons[file]
            part = place(file, skeleton.scope, None, file if skeleton.is_module else GLOBAL)
            self._files[file] = part
            self._parts.setdefault(part.container, []).append(part)
            for export in skeleton.scope.exports:
                if export.local == "export as namespace":
                    self._umd[export.name] = file
            if not skeleton.is_module and skeleton.scope.scopes:
                self._place_ambient(file, part)
        for container in self._parts:
            if container.startswith('"') and "*" in container:
                before, after = container.strip('"').split("*", 1)
                self._patterns.append((before, after, container))
        self._patterns.sort(key=lambda pattern: -len(pattern[0]))

    def _place_ambient(self, file: str, outermost: Part) -> None:
        waiting = [(scope, outermost) for scope in outermost.skeleton.scopes]
        parts: list[Part] = []
        for scope, outer in waiting:
            container = GLOBAL if scope.kind == "global" else f'"{scope.name}"'
            part = place(file, scope, outer, container)
            parts.append(part)
            self._parts.setdefault(container, []).append(part)
            waiting.extend((inner, part) for inner in scope.scopes)
        self._inner[file] = tuple(parts)

    def _place_augmentations(self) -> None:
        """Find what augmentations add to; from then on they take part in every look-up."""
        placed: list[Part] = []
        for file in sorted(self.skeletons):
            skeleton = self.skeletons[file]
            if not skeleton.is_module or not skeleton.scope.scopes:
                continue
            outer = self._files[file]
            waiting = [(scope, outer) for scope in skeleton.scope.scopes]
            parts: list[Part] = []
            for scope, around_it in waiting:
                parts.append(self._augmentation(file, scope, around_it))
                waiting.extend((inner, parts[-1]) for inner in scope.scopes)
            self._inner[file] = tuple(parts)
            placed.extend(parts)
        self._forget()
        for part in placed:
            self._parts.setdefault(part.container, []).append(part)
        for part in placed:
            self._table(part.container)

    def _augmentation(self, file: str, scope: ScopeSkeleton, outer: Part) -> Part:
        if scope.kind == "global":
            return place(file, scope, outer, GLOBAL)
        module = self.module(scope.name, file)
        if module is None:
            return place(file, scope, outer, f'"{scope.name}"')
        container = self.symbol(module)
        part = place(file, scope, outer, container)
        declared = self._table(container).meanings
        for name in {item.name for item in scope.names}:
            target = None if name in declared else self.export(container, name)
            if target is not None and "#" in target:
                part.elsewhere[name] = target
        return part

    # Containers

    def _table(self, container: str) -> Table:
        """Return the table of a container.

        Of one that is no namespace and no module an empty one.
        """
        table = self._tables.get(container)
        if table is None:
            if "#" in container:
                # The parts of a namespace are found while the table around it is made.
                self._table(around(container))
            table = self._tables[container] = Table(container)
            for part in (*self._parts.get(container, ()), *self._bodies.get(container, ())):
                for key, body in add_part(table, part):
                    self._bodies.setdefault(key, []).append(body)
                    late = self._tables.get(key)
                    if late is not None and body not in late.parts:
                        self._take_late(late, body)
        return table

    def _take_late(self, table: Table, part: Part) -> None:
        for key, body in add_part(table, part):
            self._bodies.setdefault(key, []).append(body)
            if key in self._tables:
                self._take_late(self._tables[key], body)

    def table(self, container: str) -> Table:
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
        if not relative and ambient in self._parts:
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
        return None

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
        asked = (container, name)
        if asked not in self._exports:
            if asked in self._busy:
                return None
            self._busy.add(asked)
            found = self._find_export(container, name)
            self._busy.discard(asked)
            self._exports[asked] = found
        return self._exports[asked]

    def _find_export(self, container: str, name: str) -> str | None:
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
        return None if name == "default" else self._star_export(table, name)

    def _star_export(self, table: Table, name: str) -> str | None:
        for part, specifier in table.stars:
            module = self.module(specifier, part.file)
            found = None if module is None else self.export(module, name)
            if found is not None:
                return found
        return None

    def export_names(self, container: str) -> list[str]:
        """Return all names that ``container`` exports, in the compiler's order.

        Its own, then those behind stars.
        """
        names: dict[str, None] = {}
        self._collect_names(container, names, set())
        return list(names)

    def _collect_names(self, container: str, names: dict[str, None], seen: set[str]) -> None:
        if container in seen:
            return
        seen.add(container)
        table = self._table(container)
        own = [*table.exported, *table.exports, *table.aliases]
        # The compiler enters functions before everything else.
        names.update(dict.fromkeys(n for n in own if _is_function(table, n)))
        names.update(dict.fromkeys(own))
        names.update(dict.fromkeys(self.enum_members(container)))
        if table.default and len(seen) == 1:
            names["default"] = None
        if table.equals is not None and self.symbol(container) != container:
            self._collect_names(self.symbol(container), names, seen)
        for part, specifier in table.stars:
            module = self.module(specifier, part.file)
            if module is not None:
                inner: dict[str, None] = {}
                self._collect_names(module, inner, seen)
                inner.pop("default", None)
                names.update(inner)

    # Names

    def imported(self, part: Part, local: str) -> str | None:
        """Return what the imported name ``local`` of a scope means."""
        asked = (part, local)
        if asked not in self._imports:
            if asked in self._busy:
                return None
            self._busy.add(asked)
            found = self._find_imported(part, part.imports[local])
            self._busy.discard(asked)
            self._imports[asked] = found
        return self._imports[asked]

    def _find_imported(self, part: Part, item: Import) -> str | None:
        if not item.specifier:
            return self.entity(part, item.imported.split("."), ANY_MEANING)
        return self._imported(part, item.specifier, item.imported)

    def _imported(self, part: Part, specifier: str, name: str) -> str | None:
        module = self.module(specifier, part.file)
        if module is None:
            return None
        if name in ("*", "="):
            return self.symbol(module)
        found = self.export(module, name)
        # Without a default export, `import x from` means what require() gives.
        return self.symbol(module) if found is None and name == "default" else found

    def lookup(self, part: Part, name: str, meaning: int) -> str | None:
        """Return what ``name`` means in a scope, by one of the meanings asked for."""
        asked = (part, name, meaning)
        if asked not in self._names:
            self._names[asked] = self._find(part, name, meaning)
        return self._names[asked]

    def _find(self, part: Part, name: str, meaning: int) -> str | None:
        at: Part | None = part
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

    def entity(self, part: Part, path: Sequence[str], meaning: int) -> str | None:
        """Return what the dotted name ``path`` means in a scope."""
        target = self.lookup(part, path[0], meaning if len(path) == 1 else NAMESPACE)
        for name in path[1:]:
            if target is None:
                return None
            target = self.export(target, name)
        return target if target is None or self.meanings(target) & meaning else None

    def resolve(self, part: Part, used: str) -> Resolved | None:
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

    def _type(self, part: Part, start: str | None, path: list[str]) -> Resolved | None:
        if start is None:
            target = self.entity(part, path, TYPE)
        else:
            target = start
            for name in path:
                found = self.export(target, name)
                if found is None:
                    return None
                target = found
            if not self.meanings(target) & TYPE:
                target = None
        return None if target is None else Resolved(target)

    def _value(self, part: Part, start: str | None, path: list[str]) -> Resolved | None:
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
                return Resolved(target, tuple(rest[position:]))
            target = found
        return Resolved(target)

    # Files

    def file_part(self, file: str) -> Part:
        """Return the outermost scope of a file."""
        return self._files[file]

    def inner_parts(self, file: str) -> tuple[Part, ...]:
        """Return the ambient and global scopes of a file, in source order, outer before inner."""
        return self._inner.get(file, ())

    def parts_of(self, file: str) -> list[Part]:
        """Return every scope of a file with its container, outer before inner."""
        parts: list[Part] = []
        waiting = [self._files[file], *self._inner.get(file, ())]
        for part in waiting:
            parts.append(part)
            self._table(part.container)
            waiting.extend(part.bodies[position] for position in sorted(part.bodies))
        return parts

    def bind(self, file: str, module: Module) -> tuple[Fragment, ...]:
        """Return what ``file`` contributes to declarations, its names resolved."""
        return Binding(self, file).fragments(module)

    def bindings(self, file: str) -> bytes:
        """Return a digest of all that ``bind`` asks this program about ``file``."""
        hasher = blake2b(digest_size=16)
        for part in self.parts_of(file):
            hasher.update(f"\n{part.container}\n".encode("utf-8", "surrogatepass"))
            for name, key in sorted(part.elsewhere.items()):
                hasher.update(f"{name}={key};".encode("utf-8", "surrogatepass"))
            for used in part.skeleton.free:
                found = self.resolve(part, used)
                answer = "" if found is None else f"{found.target}/{'.'.join(found.rest)}"
                hasher.update(f"{used}={answer};".encode("utf-8", "surrogatepass"))
            for name, key in self.part_members(part):
                hasher.update(f"{name}={key};".encode("utf-8", "surrogatepass"))
        return hasher.digest()

    def part_members(self, part: Part) -> tuple[tuple[str, str], ...]:
        """Return what a scope gives its container to export, (name, key), in order of name.

        A module is known by the key ``FILE#``.  What an augmentation adds counts with the module it
        adds to.
        """
        own = part.container
        if part.outer is None:
            names = self.export_names(own) if own != GLOBAL else []
        else:
            names = [name.name for name in part.skeleton.names if name.name not in part.elsewhere]
            names.extend(item.name for item in part.skeleton.exports)
            names.extend(item.local for item in part.skeleton.imports if item.exported)
            for item in part.skeleton.exports:
                module = self.module(item.specifier, part.file) if item.name == "*" else None
                names.extend(self.export_names(module) if module is not None else ())
        members = ((name, self.export(own, name)) for name in sorted(set(names)))
        return tuple((name, target_key(target)) for name, target in members if target is not None)

    def unresolved(self) -> Counter[str]:
        """Count the imports that lead nowhere, by specifier."""
        missing: Counter[str] = Counter()
        for file, skeleton in self.skeletons.items():
            for specifier in skeleton.specifiers:
                if self.module(specifier, file) is None and self._resolve(specifier, file) is None:
                    missing[specifier] += 1
        return missing


def _is_function(table: Table, name: str) -> bool:
    statements = table.declared.get(name, ())
    return any(statement.kind == "function" for _, statement in statements)
