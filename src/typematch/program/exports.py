"""Names under which a package exports its declarations.

Each package is walked from its entry points, in the compiler's order of exports, into namespaces.
The first name that leads to a declaration is its name, later ones are aliases.  A constant exports
the members of its type (``_.chunk``), a class or interface those of its instances
(``Command#parse``).  A declaration that no entry point leads to is internal and has the name it is
declared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from typematch.program.export_paths import ExportForm, ExportPath
from typematch.program.resolution.module_summary import DeclarationSummary
from typematch.program.resolution.symbol_tables import GLOBAL, ScopePart, container_of
from typematch.program.resolution.symbols import Program

MAX_ALIASES = 8
_MAX_LEVELS = 100  # of namespaces in namespaces, and of types that extend or alias each other
LIBRARY = "lib"


@dataclass(frozen=True, slots=True)
class PackageEntryPoints:
    """Entry points of a package.

    Attributes:
        name: the package's name in import statements.
        files: (subpath, file) pairs, ``.`` first, then ``./sub``; empty for a project without entry
            points.
        own: the indexed project itself: without entry points, everything that its files export
            counts as exported.
    """

    name: str
    version: str = ""
    files: tuple[tuple[str, str], ...] = ()
    own: bool = False


class Exports:
    """Export paths of all declarations of a program.

    Args:
        packages: in order of precedence, for two packages that re-export the same declaration of a
            third.
        owner: maps a file to the name of its package.
    """

    def __init__(
        self, program: Program, packages: Sequence[PackageEntryPoints], owner: Callable[[str], str]
    ) -> None:
        self.program = program
        self.versions = {package.name: package.version for package in packages}
        self._owner = owner
        self._indexed = frozenset((*self.versions, LIBRARY))
        self._paths: dict[str, ExportPath] = {}
        self._member_paths: dict[str, list[ExportPath]] = {}
        self._declaring_packages: dict[str, str] = {}
        # How often each name was given, by (package, name).
        self._used_names: dict[tuple[str, str], int] = {}
        for package in packages:
            _PackageWalk(self, package).run()
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
        paths = [
            path for path in self._member_paths.get(key, ()) if member not in path.hidden_members
        ]
        if not paths:
            path = self._paths[key]
            aliases = tuple(f"{alias}#" for alias in path.aliases)
            return replace(path, name=f"{path.name}#", aliases=aliases)
        first = paths[0]
        names = dict.fromkeys(path.name for path in paths if path.package == first.package)
        return replace(first, aliases=tuple(name for name in names if name != first.name))

    def export_digest(self, file: str) -> bytes:
        """Return a digest of the export paths of the declarations in ``file``."""
        hasher = blake2b(digest_size=16)
        for part in self.program.parts_of(file):
            for name in part.summary.names:
                key = part.key(name.name)
                paths = (self._paths[key], *self._member_paths.get(key, ()))
                # The order of a set differs between processes.
                digested = [
                    (replace(path, hidden_members=frozenset()), sorted(path.hidden_members))
                    for path in paths
                ]
                version = self.versions.get(paths[0].package, "")
                hasher.update(f"{key}={digested}{version}\n".encode("utf-8", "surrogatepass"))
                if len(self.statements(key)) > 1:
                    ranks = [self.rank(key, part, member) for member in ("", *name.members)]
                    hasher.update(f"{ranks}\n".encode())
        return hasher.digest()

    def declaring_package(self, key: str) -> str:
        """Return the package of the first file that declares ``key``."""
        if key not in self._declaring_packages:
            statements = self.statements(key)
            self._declaring_packages[key] = self._owner(statements[0][0].file) if statements else ""
        return self._declaring_packages[key]

    def files_of(self, package: str) -> list[str]:
        """Return the files of a package, sorted."""
        return [file for file in sorted(self.program.summaries) if self._owner(file) == package]

    def statements(self, key: str) -> Sequence[tuple[ScopePart, DeclarationSummary]]:
        """Return the statements that declare ``key``, with their scopes."""
        container = container_of(key)
        return self.program.table(container).declared.get(key[len(container) + 1 :], ())

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

    def add_member_path(self, key: str, path: ExportPath) -> None:
        """Add a path of the members of ``key``."""
        paths = self._member_paths.setdefault(key, [])
        if len(paths) <= MAX_ALIASES:
            paths.append(path)

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
        for file in sorted(self.program.summaries):
            for part in self.program.parts_of(file):
                for name in part.summary.names:
                    key = part.key(name.name)
                    if key not in self._paths:
                        self._paths[key] = self._internal_path(key, file)

    def _internal_path(self, key: str, file: str) -> ExportPath:
        container, _, path = key.rpartition("#")
        package = self.declaring_package(key) or self._owner(file)
        prefix = container.strip('"') if container.startswith('"') else ""
        name = f"{prefix}:{path}" if prefix else path
        return ExportPath(package, self._unique_name(package, name), prefix)


class _PackageWalk:
    """Walks one package from its entry points."""

    def __init__(self, exports: Exports, package: PackageEntryPoints) -> None:
        self._exports = exports
        self._program = exports.program
        self._package = package
        self._seen: set[str] = set()
        self._added: set[str] = set()
        # Ambient modules have no order: the members of a constant's type from another module are
        # added after that module has been named.
        self._deferred: list[tuple[str, ExportPath, str]] | None = None

    def run(self) -> None:
        files = self._package.files
        scripts: list[str] = []
        for subpath, file in files:
            if file not in self._program.summaries:
                continue
            if self._program.summaries[file].is_module:
                prefix = subpath.removeprefix("./") if subpath != "." else ""
                module = f"{self._package.name}/{prefix}" if prefix else self._package.name
                self._name_module(file, prefix, module)
            else:
                scripts.append(file)
        reached = self._reachable_files(scripts or [file for _, file in files])
        self._name_ambient_modules(reached)
        self._name_globals(reached)
        deferred, self._deferred = self._deferred, None
        for target, path, origin in deferred or ():
            self._add_members(target, path, origin)
        if self._package.own and not files:
            for file in self._exports.files_of(self._package.name):
                self._name_file(file)

    def _name_file(self, file: str) -> None:
        """Name the exports of a file of a project without entry points."""
        if self._program.summaries[file].is_module:
            for name in self._program.export_names(file):
                target = self._program.export(file, name)
                if target is not None:
                    self._name(target, ExportPath(self._package.name, name, form="global"))
        else:
            self._name_globals([file])

    def _reachable_files(self, files: Iterable[str]) -> list[str]:
        """Return ``files`` and the files of the package that they import, transitively."""
        reachable = dict.fromkeys(files)
        pending = list(reachable)
        for file in pending:
            if file not in self._program.summaries:
                continue
            for specifier in self._program.summaries[file].specifiers:
                imported = self._program.resolve_file(specifier, file)
                if imported is None or imported in reachable:
                    continue
                if self._exports.may_name(self._package.name, f"{imported}#"):
                    reachable[imported] = None
                    pending.append(imported)
        return [file for file in reachable if file in self._program.summaries]

    def _name_module(self, container: str, prefix: str, module: str) -> None:
        name_prefix = f"{prefix}:" if prefix else ""
        symbol = self._program.module_symbol(container)
        path = ExportPath(self._package.name, name_prefix, prefix, module, "named")
        if symbol != container:
            name = symbol.rpartition("#")[2].rpartition(".")[2] or module.rpartition("/")[2]
            self._name(symbol, replace(path, name=f"{name_prefix}{name}", form="equals"))
        # Besides ``export =`` these are the exports of a constant's namespace, which are imported
        # by their own names.
        self._seen.add(symbol)
        for name in self._program.export_names(symbol):
            target = self._program.export(symbol, name)
            if target is not None:
                form: ExportForm = "default" if name == "default" else "named"
                self._name(target, replace(path, name=f"{name_prefix}{name}", form=form))

    def _name_ambient_modules(self, files: Iterable[str]) -> None:
        containers = {
            part.container
            for file in files
            for part in self._program.inner_parts(file)
            if part.container.startswith('"')
        }
        # ``fs`` before ``node:fs``: the name without the prefix is the primary one.
        self._deferred = []
        for container in sorted(containers, key=lambda name: (name.startswith('"node:'), name)):
            name = container.strip('"')
            self._name_module(container, name, name)

    def _name_globals(self, files: Iterable[str]) -> None:
        for file in files:
            parts = [self._program.file_part(file), *self._program.inner_parts(file)]
            for part in parts:
                if part.container != GLOBAL:
                    continue
                for statement in part.summary.names:
                    key = part.key(statement.name)
                    self._name(key, ExportPath(self._package.name, statement.name, form="global"))

    def _name(self, target: str, path: ExportPath) -> None:
        """Name ``target``, its members and its exports."""
        if "#" not in target:
            self._name_exports(target, path)
            return
        if not self._exports.may_name(self._package.name, target):
            return
        is_first = self._exports.add_path(target, path)
        if target in self._seen or not is_first:
            return
        self._seen.add(target)
        statements = self._exports.statements(target)
        kinds = {statement.kind for _, statement in statements}
        if kinds & {"class", "interface", "alias"}:
            self._exports.add_member_path(target, path.with_name(f"{path.name}#"))
        for part, statement in statements:
            if statement.kind == "const":
                self._name_constant_members(part, statement, path)
        if path.form != "equals" or "const" not in kinds:
            self._name_exports(target, path)

    def _name_constant_members(
        self, part: ScopePart, statement: DeclarationSummary, path: ExportPath
    ) -> None:
        origin = part.container.partition("#")[0]
        for link in statement.links:
            resolved = self._program.resolve(part, link.name)
            if resolved is not None and not resolved.rest:
                member_path = path.with_name(f"{path.name}{'#' if link.relation == 'new' else '.'}")
                if link.relation != "new":
                    member_path = replace(member_path, constant=part.key(statement.name))
                self._add_members(resolved.target, member_path, origin)

    def _name_exports(self, container: str, path: ExportPath) -> None:
        """Name the exports of a namespace or module."""
        if path.name.count(".") > _MAX_LEVELS:
            return
        if "#" not in container:
            if container in self._seen:
                return
            self._seen.add(container)
        enum_keys = self._program.enum_keys(container)
        for name in self._program.export_names(container):
            target = self._program.export(container, name)
            if target is not None and target not in enum_keys:
                self._name(target, path.with_name(f"{path.name}.{name}"))

    def _add_members(self, target: str, path: ExportPath, origin: str, level: int = 0) -> None:
        """Add paths of the members of a constant's type, and of the types that it extends.

        Args:
            origin: the module that declares the constant.
            level: how many types are between the constant's type and ``target``.
        """
        if "#" not in target:
            if target != GLOBAL:
                self._name_exports(target, path.with_name(path.name[:-1]))
            return
        if not self._exports.may_name(self._package.name, target):
            return
        is_elsewhere = target.startswith('"') and target.partition("#")[0] != origin
        if is_elsewhere and self._deferred is not None and not self._exports.has_path(target):
            self._deferred.append((target, path, origin))
            return
        self._exports.add_member_path(target, path)
        if target in self._added or level > _MAX_LEVELS:
            return
        self._added.add(target)
        statements = self._exports.statements(target)
        own_members = {member for _, statement in statements for member in statement.members}
        inherited_path = replace(path, hidden_members=path.hidden_members | own_members)
        for part, statement in statements:
            for link in statement.links:
                resolved = self._program.resolve(part, link.name)
                if resolved is None or resolved.rest:
                    continue
                if link.relation == "new":
                    instance_path = path.with_name(f"{path.name[:-1]}#")
                    self._add_members(resolved.target, instance_path, origin, level + 1)
                else:
                    self._add_members(resolved.target, inherited_path, origin, level + 1)
