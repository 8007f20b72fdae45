"""All files of a program: scopes placed in containers, with augmentations, and resolution digests.

A program is rebuilt from its summaries on every run; names are looked up lazily (``resolver``).
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from typematch.ir.module import JSX_RUNTIME, Module
from typematch.program.resolution.declaration_merging import Fragment
from typematch.program.resolution.module_summary import (
    NAMESPACE,
    ModuleSummary,
    ScopeSummary,
)
from typematch.program.resolution.resolve_types import TypeNameResolver
from typematch.program.resolution.resolver import NameResolver, ResolveSpecifier
from typematch.program.resolution.symbol_tables import (
    GLOBAL,
    ResolvedName,
    ScopePart,
    key_in,
    scope_part,
    target_key,
)

_JSX_USE = f"@{JSX_RUNTIME}"


class Program(NameResolver):
    """The name resolution of all files of a run."""

    def __init__(self, summaries: Mapping[str, ModuleSummary], resolve: ResolveSpecifier) -> None:
        super().__init__(summaries, resolve)
        self._files: dict[str, ScopePart] = {}
        self._inner: dict[str, tuple[ScopePart, ...]] = {}
        self._add_files()
        self._add_augmentations()

    # Construction

    def _add_files(self) -> None:
        for file in sorted(self.summaries):
            summary = self.summaries[file]
            part = scope_part(file, summary.scope, None, file if summary.is_module else GLOBAL)
            self._files[file] = part
            self._parts.setdefault(part.container, []).append(part)
            for export in summary.scope.exports:
                if export.local == "export as namespace":
                    self._umd_globals[export.name] = file
            if not summary.is_module and summary.scope.scopes:
                self._add_ambient_scopes(file, part)
        for container in self._parts:
            if container.startswith('"') and "*" in container:
                before, after = container.strip('"').split("*", 1)
                self._patterns.append((before, after, container))
        self._patterns.sort(key=lambda pattern: -len(pattern[0]))

    def _add_ambient_scopes(self, file: str, outermost: ScopePart) -> None:
        pending = [(scope, outermost) for scope in outermost.summary.scopes]
        parts: list[ScopePart] = []
        for scope, outer in pending:
            container = GLOBAL if scope.kind == "global" else f'"{scope.name}"'
            part = scope_part(file, scope, outer, container)
            parts.append(part)
            self._parts.setdefault(container, []).append(part)
            if scope.kind == "ambient" and not scope.name.startswith("."):
                self._ambient.add(container)
            pending.extend((inner, part) for inner in scope.scopes)
        self._inner[file] = tuple(parts)

    def _add_augmentations(self) -> None:
        """Determine the containers of augmentations, then add them to the lookup."""
        augmentations: list[ScopePart] = []
        for file in sorted(self.summaries):
            summary = self.summaries[file]
            if not summary.is_module or not summary.scope.scopes:
                continue
            outer = self._files[file]
            pending = [(scope, outer) for scope in summary.scope.scopes]
            parts: list[ScopePart] = []
            for scope, enclosing in pending:
                parts.append(self._augmentation(file, scope, enclosing))
                pending.extend((inner, parts[-1]) for inner in scope.scopes)
            self._inner[file] = tuple(parts)
            augmentations.extend(parts)
        self._clear_caches()
        for part in augmentations:
            self._parts.setdefault(part.container, []).append(part)
        for part in augmentations:
            self.table(part.container)

    def _augmentation(self, file: str, scope: ScopeSummary, outer: ScopePart) -> ScopePart:
        if scope.kind == "global":
            return scope_part(file, scope, outer, GLOBAL)
        module = self.module(scope.name, file)
        if module is None:
            return scope_part(file, scope, outer, f'"{scope.name}"')
        container = self.module_symbol(module)
        part = scope_part(file, scope, outer, container)
        declared = self.table(container).meanings
        for name in {statement.name for statement in scope.names}:
            target = None if name in declared else self.export(container, name)
            if target is not None and "#" in target:
                part.augmented[name] = target
        return part

    def resolve(self, part: ScopePart, use: str) -> ResolvedName | None:
        """Return what a use of a name refers to; see ``NameResolver.resolve``."""
        if _JSX_USE not in use:
            return super().resolve(part, use)
        path, _, specifier = use[2:].partition("@")
        target = self._follow(self._jsx_namespace(part, specifier), path.split(".")[1:])
        return None if target is None else ResolvedName(target)

    def _jsx_namespace(self, part: ScopePart, specifier: str) -> str | None:
        """Return the namespace ``JSX`` of JSX in a scope: getJsxNamespaceAt.

        It is an export of the module that JSX imports implicitly, or of the factory's namespace in
        the scope, or else global.
        """
        runtime = self.module(specifier, part.file)
        factory = specifier.partition("#")[2] or "React"
        namespaces = (runtime, self.lookup(part, factory, NAMESPACE))
        found = (self.export(namespace, "JSX") for namespace in namespaces if namespace)
        for target in (*found, key_in(GLOBAL, "JSX")):
            if target is not None and self.meanings(target) & NAMESPACE:
                return target
        return None

    # Files

    def file_part(self, file: str) -> ScopePart:
        """Return the outermost scope of a file."""
        return self._files[file]

    def inner_parts(self, file: str) -> tuple[ScopePart, ...]:
        """Return the ambient and global scopes of a file in source order, outer scopes first."""
        return self._inner.get(file, ())

    def parts_of(self, file: str) -> list[ScopePart]:
        """Return every scope of a file with its container, outer scopes first."""
        parts: list[ScopePart] = []
        pending = [self._files[file], *self._inner.get(file, ())]
        for part in pending:
            parts.append(part)
            self.table(part.container)
            pending.extend(part.bodies[position] for position in sorted(part.bodies))
        return parts

    def fragments(self, file: str, module: Module) -> tuple[Fragment, ...]:
        """Return what ``file`` contributes to declarations, with names resolved."""
        return TypeNameResolver(self, file).fragments(module)

    def resolution_digest(self, file: str) -> bytes:
        """Return a digest of what ``fragments`` depends on besides the file's own text."""
        hasher = blake2b(digest_size=16)
        for part in self.parts_of(file):
            hasher.update(f"\n{part.container}\n".encode("utf-8", "surrogatepass"))
            for name, key in sorted(part.augmented.items()):
                hasher.update(f"{name}={key};".encode("utf-8", "surrogatepass"))
            for use in part.summary.free:
                resolved = self.resolve(part, use)
                answer = "" if resolved is None else f"{resolved.target}/{'.'.join(resolved.rest)}"
                hasher.update(f"{use}={answer};".encode("utf-8", "surrogatepass"))
            for name, key in self.part_members(part):
                hasher.update(f"{name}={key};".encode("utf-8", "surrogatepass"))
        return hasher.digest()

    def part_members(self, part: ScopePart) -> tuple[tuple[str, str], ...]:
        """Return what a scope contributes to its container's exports: (name, key), sorted by name.

        A module's key is ``FILE#``.  The members of an augmentation count for the module it
        augments.
        """
        container = part.container
        if part.outer is None:
            names = self.export_names(container) if container != GLOBAL else []
        else:
            names = [name.name for name in part.summary.names if name.name not in part.augmented]
            names.extend(item.name for item in part.summary.exports)
            names.extend(item.local for item in part.summary.imports if item.exported)
            for export in part.summary.exports:
                module = self.module(export.specifier, part.file) if export.name == "*" else None
                names.extend(self.export_names(module) if module is not None else ())
        members = ((name, self.export(container, name)) for name in sorted(set(names)))
        return tuple((name, target_key(target)) for name, target in members if target is not None)

    def star_conflicts(self, container: str) -> list[str]:
        """Return the names for which two ``export *`` of ``container`` lead to different targets.

        The first of them counts, as in the compiler's ``extendExportSymbols``, which reports it.
        """
        table = self.table(container)
        own = {"default", *table.exported, *table.exports, *table.aliases}
        found: dict[str, str] = {}
        conflicts: dict[str, None] = {}
        for part, specifier in table.stars if len(table.stars) > 1 else ():
            module = self.module(specifier, part.file)
            if module is None:
                continue
            for name in self.export_names(module):
                first = found.setdefault(name, module)
                is_same = self.export(first, name) == self.export(module, name)
                if name not in own and not is_same:
                    conflicts[name] = None
        return list(conflicts)
