"""Say which declaration a name means: scopes, imports, re-exports, merging, augmentation.

A program is built anew from its skeletons on every run; names are looked up when asked for
(``program.names``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b

from typematch.ir.module import Module
from typematch.program.resolution.declaration_merging import Fragment
from typematch.program.resolution.module_summary import (
    ScopeSkeleton,
    Skeleton,
)
from typematch.program.resolution.resolve_types import TypeNameResolver
from typematch.program.resolution.resolver import NameResolver, Resolve
from typematch.program.resolution.symbol_tables import (
    GLOBAL,
    ScopePart,
    place,
    target_key,
)


class Program(NameResolver):
    """All files of a run, so far as names go."""

    def __init__(self, skeletons: Mapping[str, Skeleton], resolve: Resolve) -> None:
        super().__init__(skeletons, resolve)
        self._files: dict[str, ScopePart] = {}
        self._inner: dict[str, tuple[ScopePart, ...]] = {}
        self._place_files()
        self._place_augmentations()

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

    def _place_ambient(self, file: str, outermost: ScopePart) -> None:
        waiting = [(scope, outermost) for scope in outermost.skeleton.scopes]
        parts: list[ScopePart] = []
        for scope, outer in waiting:
            container = GLOBAL if scope.kind == "global" else f'"{scope.name}"'
            part = place(file, scope, outer, container)
            parts.append(part)
            self._parts.setdefault(container, []).append(part)
            if scope.kind == "ambient" and not scope.name.startswith("."):
                self._ambient.add(container)
            waiting.extend((inner, part) for inner in scope.scopes)
        self._inner[file] = tuple(parts)

    def _place_augmentations(self) -> None:
        """Find what augmentations add to; from then on they take part in every look-up."""
        placed: list[ScopePart] = []
        for file in sorted(self.skeletons):
            skeleton = self.skeletons[file]
            if not skeleton.is_module or not skeleton.scope.scopes:
                continue
            outer = self._files[file]
            waiting = [(scope, outer) for scope in skeleton.scope.scopes]
            parts: list[ScopePart] = []
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

    def _augmentation(self, file: str, scope: ScopeSkeleton, outer: ScopePart) -> ScopePart:
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

    # Files

    def file_part(self, file: str) -> ScopePart:
        """Return the outermost scope of a file."""
        return self._files[file]

    def inner_parts(self, file: str) -> tuple[ScopePart, ...]:
        """Return the ambient and global scopes of a file, in source order, outer before inner."""
        return self._inner.get(file, ())

    def parts_of(self, file: str) -> list[ScopePart]:
        """Return every scope of a file with its container, outer before inner."""
        parts: list[ScopePart] = []
        waiting = [self._files[file], *self._inner.get(file, ())]
        for part in waiting:
            parts.append(part)
            self._table(part.container)
            waiting.extend(part.bodies[position] for position in sorted(part.bodies))
        return parts

    def bind(self, file: str, module: Module) -> tuple[Fragment, ...]:
        """Return what ``file`` contributes to declarations, its names resolved."""
        return TypeNameResolver(self, file).fragments(module)

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

    def part_members(self, part: ScopePart) -> tuple[tuple[str, str], ...]:
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
                if specifier.startswith("lib:"):
                    continue  # the library comes with each catalog
                if self.module(specifier, file) is None and self._resolve(specifier, file) is None:
                    missing[specifier] += 1
        return missing
