"""Looks the declarations of a name up, scope by scope; the first that has any decides.

1. ``import("package").Name``, or ``Name@package``: the exports of that package, and nothing else.
2. The packages, files and modules of ``pkg:``, ``path:`` and ``module:``.
3. The project's own code.
4. The globals of ECMAScript.
5. What the project's direct dependencies export under this name, and other globals: of the DOM,
   of Node ...
6. Everything else.

Without a project in the store, 3 is empty, and 5 has only globals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from typematch.index.entries.selection import Condition, GlobCondition, Selection
from typematch.index.records import ProjectPackages
from typematch.index.store import Store
from typematch.ir.declaration import Declaration, is_global
from typematch.ir.types import Object, Reference
from typematch.package_names import LIBRARY, imported_name, leading_package, typings_name

# From a dotted name and a selection to the keys of declarations.
Lookup: TypeAlias = Callable[[str, Selection], tuple[str, ...]]

GLOBAL_MODULE = "global"  # Name@global
_VALUES = ("function", "const", "namespace")  # kinds of declarations that are no types
# Installed in nearly every project, and rarely meant: it exports Node, Symbol, Type ...
_TOOLS = frozenset(("typescript",))
# Packages whose globals are those of the environment that code runs in.
_ENVIRONMENT = frozenset((LIBRARY, "@types/node", "typescript"))
# ``x.d.mts`` and ``x.d.cts`` repeat the declarations of ``x.d.ts`` for another module format.
_MODULE_FORMAT = re.compile(r"\.[mc]ts(?=#|\Z)")
_MAX_BASES = 4  # of an interface that may be a placeholder


@dataclass(frozen=True, slots=True)
class FoundName:
    """The declarations of a name.

    Attributes:
        others: keys of declarations of this name in later scopes.
        placeholder: the package that declares the name only as an empty global interface.
    """

    keys: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    placeholder: str = ""


class NameScopes:
    """The scopes of one query."""

    def __init__(self, store: Store, scope: Selection) -> None:
        self._store = store
        self._scope = [condition for condition in scope if not condition.negated]
        self._excluded = [condition for condition in scope if condition.negated]
        self._project: ProjectPackages | None = None

    def find(self, name: str, module: str | None, lookup: Lookup, count: int = 0) -> FoundName:
        """Return the declarations of a dotted name.

        Args:
            module: that of an import type.
            count: the number of its type arguments.  A global that takes so many precedes what
                dependencies export, if that does not.
        """
        if module is not None:
            return FoundName(self._imported(name, module, lookup))
        project = self._packages()
        key = self._global_type(name)
        if self._scope:
            selection = (*self._scope, *self._excluded)
            found = self._store.importable_types(name, selection)
            if not found and (key is None or not self._is_of_environment(name)):
                found = lookup(name, selection)
            if found:
                return self._with_others(name, found, key)
        if own := self._in_packages(name, project.own, lookup):
            return self._with_others(name, own, key)
        if key is not None and (not project.own or self._store.is_language_global(name)):
            return FoundName((*self._beside_global(name, key, project.direct, count), key))
        direct = self._in_packages(name, project.direct, self._store.importable_types)
        package = "" if key is None else self._placeholder_of(key)
        if key is not None:
            is_fitting = accepts_arguments(self._store.get(key), count)
            if is_fitting and not self._any_accepts(direct, count):
                direct = ()
            if not package and (is_fitting or not direct):
                direct = (*direct, key)
        if direct:
            return self._with_others(name, direct, key)
        return (
            FoundName(placeholder=package) if package else FoundName(lookup(name, self._excluded))
        )

    def _global_type(self, name: str) -> str | None:
        """Return the key of a global type; None for a global that is only a value."""
        key = self._store.global_key(name)
        declaration = None if key is None else self._store.get(key)
        return None if declaration is not None and not declares_type(declaration) else key

    def _packages(self) -> ProjectPackages:
        if self._project is None:
            packages = self._store.project_packages()
            direct = tuple(name for name in packages.direct if name not in _TOOLS)
            self._project = ProjectPackages(packages.own, direct if packages.own else ())
        return self._project

    def _imported(self, name: str, module: str, lookup: Lookup) -> tuple[str, ...]:
        if module == GLOBAL_MODULE:
            key = self._global_type(name)
            return () if key is None else (key,)
        package = leading_package(module)
        names = (package, typings_name(package) or package)
        for selection in (
            (Condition("module", (GlobCondition(module),)),),
            (Condition("pkg", tuple(map(GlobCondition, names))),),
        ):
            found = self._store.importable_types(name, selection) or lookup(name, selection)
            if found:
                return found
        return ()

    def _in_packages(self, name: str, packages: tuple[str, ...], lookup: Lookup) -> tuple[str, ...]:
        if not packages:
            return ()
        within = Condition("pkg", tuple(map(GlobCondition, packages)))
        keys = lookup(name, (within, *self._excluded))
        return tuple(key for key in keys if not is_global(key))

    def _with_others(self, name: str, keys: tuple[str, ...], key: str | None) -> FoundName:
        exported = self._store.exported_types(name, self._excluded)
        modules = [other for other in exported if not is_global(other)]
        known = dict.fromkeys((*(() if key is None else (key,)), *modules))
        return FoundName(keys, tuple(other for other in known if other not in keys))

    def _any_accepts(self, keys: tuple[str, ...], count: int) -> bool:
        return any(accepts_arguments(self._store.get(key), count) for key in keys)

    def _beside_global(
        self, name: str, key: str, packages: tuple[str, ...], count: int
    ) -> tuple[str, ...]:
        """Return the types exported as ``name`` that are meant as well as the global ``key``.

        They take as many type arguments as are given.

        Args:
            packages: those that may export it; if empty, all.
        """
        is_of_environment = self._is_of_environment(name)
        if is_of_environment and accepts_arguments(self._store.get(key), count):
            return ()
        find = self._store.importable_types if is_of_environment else self._store.exported_types
        found = self._in_packages(name, packages, find) if packages else find(name, self._excluded)
        others = (other for other in found if not is_global(other))
        return tuple(other for other in others if accepts_arguments(self._store.get(other), count))

    def _is_of_environment(self, name: str) -> bool:
        """Whether the language, the DOM or Node declares a global, and not only another package."""
        declaring = self._store.packages_declaring_global(name)
        return not _ENVIRONMENT.isdisjoint(declaring) or self._store.is_language_global(name)

    def _placeholder_of(self, key: str) -> str:
        """Return the package that declares a global as an empty interface; empty for others.

        Packages do so with names of the DOM, to work without its library.
        """
        if not self._packages().own or not self._is_empty(key, _MAX_BASES):
            return ""
        numbers = self._store.entries_declaring((key,))
        summaries = self._store.summaries(list(numbers.values()))
        packages = [summary.package for summary in summaries.values()]
        declared_elsewhere = {*self._packages().own, LIBRARY}.isdisjoint(packages)
        return packages[0] if packages and declared_elsewhere else ""

    def _is_empty(self, key: str, bases: int) -> bool:
        declaration = self._store.get(key)
        if declaration is None or declaration.kind != "interface" or not bases:
            return False
        return declaration.type == Object() and all(
            isinstance(base, Reference) and self._is_empty(base.target, bases - 1)
            for base in declaration.extends
        )


def declares_type(declaration: Declaration | None) -> bool:
    """Return whether a declaration is that of a type."""
    return declaration is not None and declaration.kind not in _VALUES


def accepts_arguments(declaration: Declaration | None, count: int) -> bool:
    """Return whether a declaration can have so many type arguments; an unknown one can."""
    if declaration is None:
        return True
    parameters = declaration.type_parameters
    required = sum(parameter.default is None for parameter in parameters)
    return required <= count <= len(parameters)


def at_package(name: str, key: str) -> str:
    """Return a name with the package of a declaration: ``Request@express``."""
    file = key.partition("#")[0]
    if is_global(key):
        return f"{name}@{GLOBAL_MODULE}"
    package = leading_package(file.strip('"'))
    return f"{name}@{imported_name(package)}"


def without_copies(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the keys without later copies of a declaration for another format of its module."""
    originals: dict[str, str] = {}
    for key in keys:
        originals.setdefault(_MODULE_FORMAT.sub(".ts", key), key)
    return tuple(originals.values())
