"""Finds the export paths of all declarations of a program, and looks them up.

What a single path is, and its import statement, are in ``program.export_paths``.

Each package is walked from its entry points, in the compiler's order of exports, into namespaces.
The first name that leads to a declaration is its name, later ones are aliases.  A constant exports
the members of its type (``_.chunk``), a class or interface those of its instances
(``Command#parse``), with those of its internal bases, and an alias those of an internal type.  A
declaration that no entry point leads to is internal and has the name it is declared with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import blake2b

from typematch.ir.declaration import Declarations
from typematch.package_names import LIBRARY
from typematch.program.export_paths import ExportPath
from typematch.program.member_sources import MemberSources
from typematch.program.package_walk import PackageEntryPoints, PackageWalk
from typematch.program.resolution.module_summary import DeclarationSummary
from typematch.program.resolution.symbol_tables import GLOBAL, ScopePart, container_of
from typematch.program.resolution.symbols import Program

MAX_ALIASES = 32


class ExportPathIndex:
    """Export paths of all declarations of a program.

    Args:
        packages: in order of precedence, for two packages that re-export the same declaration of a
            third.
        owner: maps a file to the name of its package.
        declarations: of all files; without them a constant has only the members that the names in
            its type lead to.
    """

    def __init__(
        self,
        program: Program,
        packages: Sequence[PackageEntryPoints],
        owner: Callable[[str], str],
        declarations: Declarations | None = None,
    ) -> None:
        self.program = program
        self.versions = {package.name: package.version for package in packages}
        self._descriptions = {package.name: package.description for package in packages}
        self.owner = owner
        self._indexed = frozenset((*self.versions, LIBRARY))
        self._paths: dict[str, ExportPath] = {}
        self._member_paths: dict[str, list[ExportPath]] = {}
        self._value_paths: dict[str, list[ExportPath]] = {}
        self._declaring_packages: dict[str, str] = {}
        # How often each name was given, by (package, name).
        self._used_names: dict[tuple[str, str], int] = {}
        walks = [PackageWalk(self, package) for package in packages]
        for walk in walks:
            walk.run()
        sources = None if declarations is None else MemberSources(declarations)
        for walk in walks:
            walk.name_namespace_values()
            if sources is not None:
                walk.add_computed_members(sources)
                walk.name_namespace_values()
        for walk in walks:
            walk.add_members_of_internal_types()
        self._name_internal()

    def path(self, key: str) -> ExportPath:
        """Return the export path of the declaration ``key``."""
        return self._paths[key]

    def has_path(self, key: str) -> bool:
        """Return whether the declaration ``key`` has a path yet."""
        return key in self._paths

    def member_path(self, key: str, member: str = "") -> ExportPath:
        """Return the path of an instance member of ``key``; its name ends with ``.`` or ``#``.

        A constant exports the members of its type, except those that a derived type redeclares.
        """
        paths = [path for path in self._member_paths.get(key, ()) if path.reaches(member)]
        if not paths:
            path = self._paths[key]
            aliases = tuple(f"{alias}#" for alias in path.aliases)
            return replace(path, name=f"{path.name}#", aliases=aliases)
        return _first_with_aliases(paths)

    def value_path(self, key: str, member: str = "") -> ExportPath:
        """Return the path of a static member of ``key``, or of a member of a constant.

        Its name ends with ``.``.  A constant of type ``typeof key`` exports them, too.
        """
        own = self._paths[key]
        aliases = tuple(f"{alias}." for alias in own.aliases)
        own = replace(own, name=f"{own.name}.", aliases=aliases)
        others = [path for path in self._value_paths.get(key, ()) if path.reaches(member)]
        paths = [own, *others] if own.exported or not others else others
        # A member that a module re-exports by its own name is imported by that.
        return _first_with_aliases(sorted(paths, key=lambda path: path.reexports is None))

    def export_digest(self, file: str) -> bytes:
        """Return a digest of the export paths of the declarations in ``file``."""
        hasher = blake2b(digest_size=16)
        for part in self.program.parts_of(file):
            for name in part.summary.names:
                key = part.key(name.name)
                members = (*self._member_paths.get(key, ()), *self._value_paths.get(key, ()))
                paths = (self._paths[key], *members)
                digested = [_in_order(path) for path in paths]
                version = self.versions.get(paths[0].package, "")
                purpose = self.description(key)
                text = f"{key}={digested}{version}{purpose}\n"
                hasher.update(text.encode("utf-8", "surrogatepass"))
                if len(self.statements(key)) > 1:
                    ranks = [self.rank(key, part, member) for member in ("", *name.members)]
                    hasher.update(f"{ranks}\n".encode())
        return hasher.digest()

    def description(self, key: str) -> str:
        """Return the description of the package if ``key`` is what the package is for; else empty.

        That is its default export, what ``export =`` exports, and an export of its own name, or of
        the last words of that.
        """
        path = self._paths[key]
        return self._descriptions.get(path.package, "") if path.is_main else ""

    def declaring_package(self, key: str) -> str:
        """Return the package of the first file that declares ``key``."""
        if key not in self._declaring_packages:
            statements = self.statements(key)
            self._declaring_packages[key] = self.owner(statements[0][0].file) if statements else ""
        return self._declaring_packages[key]

    def files_of(self, package: str) -> list[str]:
        """Return the files of a package, sorted."""
        return [file for file in sorted(self.program.summaries) if self.owner(file) == package]

    def statements(self, key: str) -> Sequence[tuple[ScopePart, DeclarationSummary]]:
        """Return the statements that declare ``key``, with their scopes; the library's first."""
        container = container_of(key)
        declared = self.program.table(container).declared.get(key[len(container) + 1 :], ())
        if container != GLOBAL or len(declared) < 2:
            return declared
        return sorted(declared, key=lambda item: self.owner(item[0].file) != LIBRARY)

    def may_name(self, package: str, key: str) -> bool:
        """Whether ``package`` declares ``key``, or the declaring package is not indexed."""
        declaring = self.declaring_package(key)
        return declaring == package or declaring not in self._indexed

    def add_path(self, key: str, path: ExportPath) -> bool:
        """Add a path of ``key``; return whether it is the first.

        A later path of the same package becomes an alias.
        """
        current = self._paths.get(key)
        if current is None:
            self._paths[key] = path.with_name(self._unique_name(path.package, path.name))
            return True
        is_known = path.name == current.name or path.name in current.aliases
        if current.package == path.package and not is_known and len(current.aliases) < MAX_ALIASES:
            self._paths[key] = replace(current, aliases=(*current.aliases, path.name))
        return False

    def _unique_name(self, package: str, name: str) -> str:
        count = self._used_names.get((package, name), 0) + 1
        unique = name if count == 1 else f"{name}~{count}"
        while (package, unique) in self._used_names:
            count += 1
            unique = f"{name}~{count}"
        self._used_names[package, name] = count
        self._used_names.setdefault((package, unique), 1)
        return unique

    def add_member_path(self, key: str, path: ExportPath) -> bool:
        """Add a path of the members of ``key``; return whether it is new."""
        return _add_path(self._member_paths.setdefault(key, []), path)

    def add_value_path(self, key: str, path: ExportPath) -> bool:
        """Add a path of the static members of a class, or of the members of a constant.

        Return whether it is new.
        """
        return _add_path(self._value_paths.setdefault(key, []), path)

    def rank(self, key: str, part: ScopePart, member: str = "") -> int:
        """Return how many scopes declare ``key``, or its member, before ``part``."""
        earlier: dict[int, None] = {}
        for earlier_part, statement in self.statements(key):
            if earlier_part is part:
                break
            if not member or member in statement.members:
                earlier[id(earlier_part)] = None
        return len(earlier)

    def _name_internal(self) -> None:
        aliases = self._renamed_internal()
        for file in sorted(self.program.summaries):
            for part in self.program.parts_of(file):
                for name in part.summary.names:
                    key = part.key(name.name)
                    if key not in self._paths:
                        path = self._internal_path(key, file)
                        self._paths[key] = replace(path, aliases=tuple(aliases.get(key, ())))

    def _renamed_internal(self) -> dict[str, dict[str, None]]:
        """Return the names other than its own that modules export a declaration without path by.

        ``export { ZodType as ZodSchema }`` of a package that is not walked.
        """
        names: dict[str, dict[str, None]] = {}
        for file in sorted(self.program.summaries):
            for name, (_, export) in self.program.table(file).exports.items():
                if name == "default" or name == export.local.rpartition(".")[2]:
                    continue
                key = self.program.export(file, name)
                if key is None or "#" not in key or key in self._paths:
                    continue
                found = names.setdefault(key, {})
                if name != key.rpartition("#")[2] and len(found) < MAX_ALIASES:
                    found[name] = None
        return names

    def _internal_path(self, key: str, file: str) -> ExportPath:
        container, _, path = key.rpartition("#")
        package = self.declaring_package(key) or self.owner(file)
        prefix = container.strip('"') if container.startswith('"') else ""
        name = f"{prefix}:{path}" if prefix else path
        return ExportPath(package, self._unique_name(package, name), prefix)


def _in_order(path: ExportPath) -> tuple[ExportPath, list[str], list[tuple[str, str]]]:
    """Return a path without its sets, whose order differs between processes, and their items."""
    bare = replace(path, hidden_members=frozenset(), reexports=None)
    return bare, sorted(path.hidden_members), sorted(path.reexports or ())


def _add_path(paths: list[ExportPath], path: ExportPath) -> bool:
    is_new = len(paths) <= MAX_ALIASES and path not in paths
    if is_new:
        paths.append(path)
    return is_new


def _first_with_aliases(paths: Sequence[ExportPath]) -> ExportPath:
    """Return the first path; the names of the others in its package are aliases."""
    first = paths[0]
    names: dict[str, None] = {}
    for path in paths:
        if path.package == first.package:
            names.update(dict.fromkeys((path.name, *path.aliases)))
    return replace(first, aliases=tuple(name for name in names if name != first.name))
