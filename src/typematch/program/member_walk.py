"""Follows the links of a package's declarations to the types whose members they have.

Those are the type of a constant, the bases of a class or interface, and what an alias names.  The
declarations themselves are named by ``program.package_walk``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from typematch.program.export_paths import ExportPath
from typematch.program.member_sources import MemberSource, MemberSources
from typematch.program.resolution.module_summary import DeclarationSummary
from typematch.program.resolution.symbol_tables import GLOBAL, ScopePart

if TYPE_CHECKING:
    from typematch.program.export_path_index import ExportPathIndex

_TYPES = frozenset(("class", "interface", "alias"))
_CONSTANTS = frozenset(("const",))
_WITH_BASES = frozenset(("class", "interface"))
_ALIASES = frozenset(("alias",))
_Follow: TypeAlias = Callable[[ScopePart, DeclarationSummary, ExportPath], None]
_MAX_LEVELS = 100  # of types that extend or alias each other


class MemberWalk(ABC):
    """Adds the paths of the members of the declarations that one package exports."""

    def __init__(self, path_index: ExportPathIndex, package: str) -> None:
        self._path_index = path_index
        self._program = path_index.program
        self._package_name = package
        self._level = 0  # how many types are between a constant's type and the present one
        # Ambient modules have no order: the members of a constant's type from another module are
        # added after that module has been named.
        self._deferred_members: list[tuple[str, ExportPath, str]] | None = None
        self._computed: dict[str, tuple[ExportPath, str]] = {}
        self._namespace_values: list[tuple[str, ExportPath]] = []
        self._types: dict[str, ExportPath] = {}  # paths of the members of named types

    @abstractmethod
    def _name_exports(self, container: str, path: ExportPath) -> None:
        """Name the exports of a namespace, or of a module that is the type of a constant."""

    def _add_members_of(
        self,
        key: str,
        statements: Sequence[tuple[ScopePart, DeclarationSummary]],
        path: ExportPath,
    ) -> None:
        """Add the paths of the members of a declaration whose path is ``path``."""
        for part, statement in statements:
            if statement.kind == "const":
                self._add_members_of_constant(part, statement, path)
            if statement.kind in ("const", "class") and self._is_computed(part, statement):
                self._computed.setdefault(key, (path, part.container.partition("#")[0]))
        if any(statement.kind in _TYPES for _, statement in statements):
            members = self._types[key] = path.with_name(f"{path.name}#")
            self._path_index.add_member_path(key, members)

    def _defer_other_modules(self) -> None:
        """Keep the members of types in other ambient modules until ``_add_deferred_members``."""
        self._deferred_members = []

    def _add_deferred_members(self) -> None:
        """Add the members that ``_defer_other_modules`` kept."""
        deferred, self._deferred_members = self._deferred_members, None
        for target, path, origin in deferred or ():
            self._add_members(target, path, origin)

    def _take_namespace_values(self) -> list[tuple[str, ExportPath]]:
        """Return the namespaces met as ``typeof namespace`` since the last call, with paths."""
        taken, self._namespace_values = self._namespace_values, []
        return taken

    def add_computed_members(self, sources: MemberSources) -> None:
        """Add paths of the members that only reduced types show, after every package is walked."""
        for key, (path, origin) in self._computed.items():
            kinds = {statement.kind for _, statement in self._path_index.statements(key)}
            if "const" in kinds:
                constant = replace(path.with_name(f"{path.name}."), constant=key)
                for source in sources.of_constant(key):
                    self._add_source(source, constant, origin)
            for name, source in sources.of_properties(key):
                # What has a name of its own is not named after every property of its type.
                if not self._path_index.has_path(source.key):
                    self._add_source(source, path.with_name(f"{path.name}.{name}."), origin)

    def add_members_of_internal_types(self) -> None:
        """Name the members that exported types have from types without a name.

        With ``class Map extends Camera``, and ``Camera`` internal, they are ``Map#flyTo``; with
        ``type Transporter<T> = Mail<T>``, and ``Mail`` internal, ``Transporter#sendMail``.
        """
        for kinds in (_WITH_BASES, _ALIASES):
            for target, path in self._types.items():
                self._add_inherited_members(target, path, kinds, self._follow_internal_types)

    def _follow_links(
        self, part: ScopePart, statement: DeclarationSummary, path: ExportPath, origin: str
    ) -> None:
        """Add paths of the members that a statement has through its links.

        ``origin`` is the module of the constant that has them.
        """
        for link in statement.links:
            resolved = self._program.resolve(part, link.name)
            if resolved is None or resolved.rest:
                continue
            if link.relation == "new":
                self._add_members(resolved.target, _instance_path(path), origin)
            elif link.name.startswith("v:"):
                self._add_value_members(resolved.target, path, origin)
            else:
                self._add_members(resolved.target, path, origin)

    def _add_members_of_constant(
        self, part: ScopePart, statement: DeclarationSummary, path: ExportPath
    ) -> None:
        origin = part.container.partition("#")[0]
        constant = replace(path.with_name(f"{path.name}."), constant=part.key(statement.name))
        self._follow_links(part, statement, constant, origin)

    def _is_computed(self, part: ScopePart, statement: DeclarationSummary, steps: int = 8) -> bool:
        """Whether a statement, or an alias that it leads to, has members that are computed."""
        for link in statement.links:
            if link.relation == "computed":
                return True
            target = self._program.resolve(part, link.name) if steps else None
            if target is None or link.relation == "extends" or link.name.startswith("v:"):
                continue
            for outer, linked in self._path_index.statements(target.target):
                if linked.kind == "alias" and self._is_computed(outer, linked, steps - 1):
                    return True
        return False

    def _add_source(self, source: MemberSource, path: ExportPath, origin: str) -> None:
        match source.relation:
            case "is":
                self._add_members(source.key, path, origin)
            case "value":
                self._add_value_members(source.key.rstrip("#"), path, origin)
            case "new":
                self._add_members(source.key, _instance_path(path), origin)

    def _add_members(self, target: str, path: ExportPath, origin: str) -> None:
        """Add paths of the members of a constant's type, and of the types that it extends.

        ``origin`` is the module that declares the constant.
        """
        if "#" not in target:
            if target != GLOBAL:
                self._name_exports(target, path.with_name(path.name[:-1]))
            return
        if not self._path_index.may_name(self._package_name, target):
            return
        is_elsewhere = target.startswith('"') and target.partition("#")[0] != origin
        deferred = self._deferred_members
        if is_elsewhere and deferred is not None and not self._path_index.has_path(target):
            deferred.append((target, path, origin))
            return
        if self._path_index.add_member_path(target, path):
            follow = partial(self._follow_links, origin=origin)
            self._add_inherited_members(target, path, _TYPES, follow)

    def _add_value_members(self, target: str, path: ExportPath, origin: str) -> None:
        """Add paths of the members of ``typeof target``."""
        statements = self._path_index.statements(target) if "#" in target else ()
        kinds = {statement.kind for _, statement in statements}
        if not kinds & {"class", "const", "function", "namespace"}:
            self._add_members(target, path, origin)
            return
        if not self._path_index.may_name(self._package_name, target):
            return
        if "namespace" in kinds:
            self._namespace_values.append((target, path))
        if "class" in kinds:
            self._path_index.add_value_path(target, path)
            self._add_members(target, _instance_path(path), origin)
        elif "const" in kinds and self._path_index.add_value_path(target, path):
            follow = partial(self._follow_links, origin=origin)
            self._add_inherited_members(target, path, _CONSTANTS, follow)

    def _add_inherited_members(
        self, target: str, path: ExportPath, kinds: AbstractSet[str], follow: _Follow
    ) -> None:
        """Add paths of the members that ``target`` has from elsewhere.

        Args:
            kinds: of the statements that count: a type and a constant may share a name.
            follow: adds the paths for one statement.
        """
        if self._level > _MAX_LEVELS:
            return
        self._level += 1
        statements = [
            (part, statement)
            for part, statement in self._path_index.statements(target)
            if statement.kind in kinds
        ]
        own_members = {member for _, statement in statements for member in statement.members}
        inherited_path = replace(path, hidden_members=path.hidden_members | own_members)
        for part, statement in statements:
            follow(part, statement, inherited_path)
        self._level -= 1

    def _follow_internal_types(
        self, part: ScopePart, statement: DeclarationSummary, path: ExportPath
    ) -> None:
        resolve = self._program.resolve
        relation = "is" if statement.kind == "alias" else "extends"
        for link in statement.links:
            if link.relation != relation or (relation == "is" and link.name.startswith("v:")):
                continue
            # A type, or else a constant with its constructor.
            base = resolve(part, link.name) or resolve(part, f"v{link.name.removeprefix('t')}")
            if base is None or base.rest or not self._is_internal(base.target):
                continue
            if self._path_index.add_member_path(base.target, path):
                self._add_inherited_members(base.target, path, _TYPES, self._follow_internal_types)

    def _is_internal(self, key: str) -> bool:
        """Whether a declaration that this package may name has no name yet."""
        is_named = self._path_index.has_path(key)
        return "#" in key and not is_named and self._path_index.may_name(self._package_name, key)


def _instance_path(path: ExportPath) -> ExportPath:
    """Return the path of the members of what a constant constructs."""
    return path.with_name(f"{path.name[:-1]}#")
