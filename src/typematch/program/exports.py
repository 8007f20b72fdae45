"""Say under which names a package shows its declarations: what one writes after ``import``.

Each package is walked from its entry points, in the order in which the compiler lists exports, deep
into namespaces: a declaration is known by the first name that leads to it, the others are its
aliases.  A constant shows the members of its type as its own (``_.chunk``), a class or interface
those of its instances (``Command#parse``).  What no entry point leads to is internal, and known by
the name it was declared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from typematch.program.export_paths import ExportPath, Form
from typematch.program.resolution.module_summary import NameSkeleton
from typematch.program.resolution.symbol_tables import GLOBAL, ScopePart, around
from typematch.program.resolution.symbols import Program

MAX_ALIASES = 8
LIBRARY = "lib"


@dataclass(frozen=True, slots=True)
class PackageEntryPoints:
    """Where a package is entered.

    Attributes:
        name: what one imports.
        files: (subpath, file) pairs: ``.`` first, then ``./sub``; of own code without entry points
            none.
        own: the project's own code: without entry points, whatever its files export counts as
            exported.
    """

    name: str
    version: str = ""
    files: tuple[tuple[str, str], ...] = ()
    own: bool = False


class Exports:
    """The names of all declarations of a program.

    Args:
        packages: in order of precedence where two show the same declaration of a third.
        owner: the name of the package that a file belongs to.
    """

    def __init__(
        self, program: Program, packages: Sequence[PackageEntryPoints], owner: Callable[[str], str]
    ) -> None:
        self.program = program
        self.versions = {package.name: package.version for package in packages}
        self._owner = owner
        self._indexed = frozenset((*self.versions, LIBRARY))
        self._places: dict[str, ExportPath] = {}
        self._shown: dict[str, list[ExportPath]] = {}
        self._homes: dict[str, str] = {}
        self._taken: set[tuple[str, str]] = set()
        for package in packages:
            _Walk(self, package).all()
        self._name_the_rest()

    def place(self, key: str) -> ExportPath:
        """Return where the declaration ``key`` is found."""
        return self._places[key]

    def is_placed(self, key: str) -> bool:
        """Return whether the declaration ``key`` has a name by now."""
        return key in self._places

    def shown(self, key: str, member: str = "") -> ExportPath:
        """Return where an instance member of ``key`` is found: ``name`` ends with ``.`` or ``#``.

        Constants show the members of their types; not those that a derived type declares anew.
        """
        places = [at for at in self._shown.get(key, ()) if member not in at.hides]
        if not places:
            place = self._places[key]
            aliases = tuple(f"{alias}#" for alias in place.aliases)
            return replace(place, name=f"{place.name}#", aliases=aliases)
        first = places[0]
        others = dict.fromkeys(at.name for at in places if at.package == first.package)
        return replace(first, aliases=tuple(name for name in others if name != first.name))

    def digest(self, file: str) -> bytes:
        """Return a digest of the names of all that ``file`` declares."""
        hasher = blake2b(digest_size=16)
        for part in self.program.parts_of(file):
            for name in part.skeleton.names:
                key = part.key(name.name)
                places = (self._places[key], *self._shown.get(key, ()))
                # A set has another order in every process.
                hidden = [(replace(at, hides=frozenset()), sorted(at.hides)) for at in places]
                version = self.versions.get(places[0].package, "")
                hasher.update(f"{key}={hidden}{version}\n".encode("utf-8", "surrogatepass"))
                if len(self.statements(key)) > 1:
                    ranks = [self.rank(key, part, member) for member in ("", *name.members)]
                    hasher.update(f"{ranks}\n".encode())
        return hasher.digest()

    def home(self, key: str) -> str:
        """Return the package in whose files ``key`` is declared first."""
        if key not in self._homes:
            statements = self.statements(key)
            self._homes[key] = self._owner(statements[0][0].file) if statements else ""
        return self._homes[key]

    def files_of(self, package: str) -> list[str]:
        """Return the names of a package's files, in order."""
        return [file for file in sorted(self.program.skeletons) if self._owner(file) == package]

    def statements(self, key: str) -> Sequence[tuple[ScopePart, NameSkeleton]]:
        """Return the statements that declare ``key``; of an augmentation by another path none."""
        container = around(key)
        return self.program.table(container).declared.get(key[len(container) + 1 :], ())

    def may_claim(self, package: str, key: str) -> bool:
        home = self.home(key)
        return home == package or home not in self._indexed

    def claim(self, key: str, place: ExportPath) -> bool:
        """Give ``key`` a name; return whether it is its first.

        A later one of its package is an alias.
        """
        old = self._places.get(key)
        if old is None:
            self._places[key] = place.at(self._unique(place.package, place.name))
            return True
        known = place.name == old.name or place.name in old.aliases
        if old.package == place.package and not known and len(old.aliases) < MAX_ALIASES:
            self._places[key] = replace(old, aliases=(*old.aliases, place.name))
        return False

    def _unique(self, package: str, name: str) -> str:
        count, unique = 1, name
        while (package, unique) in self._taken:
            count += 1
            unique = f"{name}~{count}"
        self._taken.add((package, unique))
        return unique

    def show(self, key: str, place: ExportPath) -> None:
        """Let the members of ``key`` appear under ``place``, first or as an alias."""
        places = self._shown.setdefault(key, [])
        if len(places) <= MAX_ALIASES:
            places.append(place)

    def rank(self, key: str, part: ScopePart, member: str = "") -> int:
        """Return how many other scopes declare ``key``, or its member, before ``part`` does."""
        before: dict[int, None] = {}
        for other, statement in self.statements(key):
            if other is part:
                break
            if not member or member in statement.members:
                before[id(other)] = None
        return len(before)

    def _name_the_rest(self) -> None:
        for file in sorted(self.program.skeletons):
            for part in self.program.parts_of(file):
                for name in part.skeleton.names:
                    key = part.key(name.name)
                    if key not in self._places:
                        self._places[key] = self._internal(key, file)

    def _internal(self, key: str, file: str) -> ExportPath:
        container, _, path = key.rpartition("#")
        package = self.home(key) or self._owner(file)
        prefix = container.strip('"') if container.startswith('"') else ""
        name = f"{prefix}:{path}" if prefix else path
        return ExportPath(package, self._unique(package, name), prefix)


class _Walk:
    """One package, walked from its entry points."""

    def __init__(self, exports: Exports, package: PackageEntryPoints) -> None:
        self._exports = exports
        self._program = exports.program
        self._package = package
        self._seen: set[str] = set()
        self._spread: set[str] = set()
        # Ambient modules stand in no order: a constant waits until the types that it shows from
        # other ones have their own names.
        self._deferred: list[tuple[str, ExportPath, str]] | None = None

    def all(self) -> None:
        files = self._package.files
        scripts: list[str] = []
        for subpath, file in files:
            if file not in self._program.skeletons:
                continue
            if self._program.skeletons[file].is_module:
                prefix = subpath.removeprefix("./") if subpath != "." else ""
                module = f"{self._package.name}/{prefix}" if prefix else self._package.name
                self._module(file, prefix, module)
            else:
                scripts.append(file)
        reached = self._reached(scripts or [file for _, file in files])
        self._ambient(reached)
        self._globals(reached)
        deferred, self._deferred = self._deferred, None
        for target, place, origin in deferred or ():
            self._show(target, place, origin)
        if self._package.own and not files:
            for file in self._exports.files_of(self._package.name):
                self._loose_module(file)

    def _loose_module(self, file: str) -> None:
        """Name what a file of a program without entry points exports."""
        if self._program.skeletons[file].is_module:
            for name in self._program.export_names(file):
                target = self._program.export(file, name)
                if target is not None:
                    self._visit(target, ExportPath(self._package.name, name, form="global"))
        else:
            self._globals([file])

    def _reached(self, files: Iterable[str]) -> list[str]:
        """Return ``files`` and those of the package that they refer to or import, and so on."""
        reached = dict.fromkeys(files)
        waiting = list(reached)
        for file in waiting:
            if file not in self._program.skeletons:
                continue
            for specifier in self._program.skeletons[file].specifiers:
                found = self._program.file(specifier, file)
                if found is None or found in reached:
                    continue
                if self._exports.may_claim(self._package.name, f"{found}#"):
                    reached[found] = None
                    waiting.append(found)
        return [file for file in reached if file in self._program.skeletons]

    def _module(self, container: str, prefix: str, module: str) -> None:
        start = f"{prefix}:" if prefix else ""
        symbol = self._program.symbol(container)
        place = ExportPath(self._package.name, start, prefix, module, "named")
        if symbol != container:
            name = symbol.rpartition("#")[2].rpartition(".")[2] or module.rpartition("/")[2]
            self._visit(symbol, replace(place, name=f"{start}{name}", form="equals"))
        # Beside ``export =`` this finds what the namespace of a constant holds: it is imported by
        # its own name.
        self._seen.add(symbol)
        for name in self._program.export_names(symbol):
            target = self._program.export(symbol, name)
            if target is not None:
                form: Form = "default" if name == "default" else "named"
                self._visit(target, replace(place, name=f"{start}{name}", form=form))

    def _ambient(self, files: Iterable[str]) -> None:
        found = {
            part.container
            for file in files
            for part in self._program.inner_parts(file)
            if part.container.startswith('"')
        }
        # A module that is known without the prefix goes by that name.
        self._deferred = []
        for container in sorted(found, key=lambda name: (name.startswith('"node:'), name)):
            name = container.strip('"')
            self._module(container, name, name)

    def _globals(self, files: Iterable[str]) -> None:
        for file in files:
            parts = [self._program.file_part(file), *self._program.inner_parts(file)]
            for part in parts:
                if part.container != GLOBAL:
                    continue
                for item in part.skeleton.names:
                    key = part.key(item.name)
                    self._visit(key, ExportPath(self._package.name, item.name, form="global"))

    def _visit(self, target: str, place: ExportPath) -> None:
        """Name ``target``, its members, and what it exports."""
        if "#" not in target:
            self._inside(target, place)
            return
        if not self._exports.may_claim(self._package.name, target):
            return
        first = self._exports.claim(target, place)
        if target in self._seen or not first:
            return
        self._seen.add(target)
        statements = self._exports.statements(target)
        kinds = {statement.kind for _, statement in statements}
        if kinds & {"class", "interface", "alias"}:
            self._exports.show(target, place.at(f"{place.name}#"))
        for part, statement in statements:
            if statement.kind == "const":
                self._links(part, statement, place)
        if place.form != "equals" or "const" not in kinds:
            self._inside(target, place)

    def _links(self, part: ScopePart, statement: NameSkeleton, place: ExportPath) -> None:
        origin = part.container.partition("#")[0]
        for link in statement.links:
            found = self._program.resolve(part, link.name)
            if found is not None and not found.rest:
                at = place.at(f"{place.name}{'#' if link.how == 'new' else '.'}")
                if link.how != "new":
                    at = replace(at, through=part.key(statement.name))
                self._show(found.target, at, origin)

    def _inside(self, container: str, place: ExportPath) -> None:
        """Name what a namespace or module exports."""
        if "#" not in container:
            if container in self._seen:
                return
            self._seen.add(container)
        for name in self._program.export_names(container):
            inner = self._program.export(container, name)
            if inner is not None and inner not in self._program.enum_keys(container):
                self._visit(inner, place.at(f"{place.name}.{name}"))

    def _show(self, target: str, place: ExportPath, origin: str) -> None:
        """Let the members of a constant's type, inherited ones too, appear under its name.

        ``origin`` is the module that declares the constant.
        """
        if "#" not in target:
            if target != GLOBAL:
                self._inside(target, place.at(place.name[:-1]))
            return
        if not self._exports.may_claim(self._package.name, target):
            return
        elsewhere = target.startswith('"') and target.partition("#")[0] != origin
        if elsewhere and self._deferred is not None and not self._exports.is_placed(target):
            self._deferred.append((target, place, origin))
            return
        self._exports.show(target, place)
        if target in self._spread:
            return
        self._spread.add(target)
        statements = self._exports.statements(target)
        own = {member for _, statement in statements for member in statement.members}
        inherited = replace(place, hides=place.hides | own)
        for part, statement in statements:
            for link in statement.links:
                found = self._program.resolve(part, link.name)
                if found is None or found.rest:
                    continue
                if link.how == "new":
                    self._show(found.target, place.at(f"{place.name[:-1]}#"), origin)
                else:
                    self._show(found.target, inherited, origin)
