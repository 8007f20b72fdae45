"""Resolve the names in a TypeScript document that refers to indexed types, by its imports.

A name that nothing declares stays unresolved.  Imports by path lead to the files of the project
that are indexed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from typematch.index.store import Store
from typematch.ir.constructors import ARRAYS, renormalize
from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.module import Import
from typematch.ir.types import ANY, Array, Named, Reference, Type
from typematch.search.prepare.name_scopes import NameScopes

_EXTENSION = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?\Z")
_NAMESPACE = ("*", "=")  # imports of a whole module


class DocumentNames:
    """Resolves the names of one document.

    Args:
        folder: the absolute path of its folder, with ``/``.
    """

    def __init__(self, imports: Sequence[Import], folder: str, store: Store) -> None:
        self._imports = {item.local: item for item in imports if item.specifier}
        self._folder = folder
        self._store = store
        self._scopes = NameScopes(store, ())
        self._keys: dict[tuple[str, ...], str | None] = {}
        self._own_files: list[str] | None = None

    def resolved(self, declarations: Mapping[str, Declaration]) -> dict[str, Declaration]:
        """Return the declarations with references in place of names of indexed types."""
        return {
            key: replace(
                declaration,
                type=None if declaration.type is None else self._type(declaration.type),
                value=None if declaration.value is None else self._type(declaration.value),
                extends=tuple(map(self._type, declaration.extends)),
            )
            for key, declaration in declarations.items()
        }

    def _type(self, node: Type) -> Type:
        return cast(Type, self._node(node))

    def _node(self, node: InternedNode) -> InternedNode:
        if not isinstance(node, Named) or node.module is not None:
            return renormalize(rebuild(node, lambda part, _: self._node(part)))
        if node.path not in self._keys:
            self._keys[node.path] = self._key(node.path)
        key = self._keys[node.path]
        arguments = tuple(map(self._type, node.arguments))
        if key is None:
            return Named(node.path, arguments)
        if key in ARRAYS:
            return Array(arguments[0] if arguments else ANY, ARRAYS[key])
        return Reference(key, arguments)

    def _key(self, path: tuple[str, ...]) -> str | None:
        """Return the key of the declaration that a dotted name means; None if there is none."""
        item = self._imports.get(path[0])
        if item is None:
            return self._first(".".join(path), None)
        first = () if item.imported in _NAMESPACE else (item.imported,)
        name = ".".join((*first, *path[1:])) or path[0]
        if not item.specifier.startswith("."):
            return self._first(name, item.specifier)
        file = self._file(item.specifier)
        key = f"{file}#{name}"
        return key if file and self._store.get(key) is not None else self._first(name, None)

    def _first(self, name: str, module: str | None) -> str | None:
        return next(iter(self._scopes.find(name, module, self._store.exported_types).keys), None)

    def _file(self, specifier: str) -> str:
        """Return the indexed file of the project that an import by path means; or nothing."""
        if self._own_files is None:
            own = [f"{name}/" for name in self._store.project_packages().own]
            files = self._store.scope_values("path")
            self._own_files = [file for file in files if file.startswith(tuple(own))]
        path = _EXTENSION.sub("", posixpath.normpath(f"{self._folder}/{specifier}"))
        found = ""
        for file in self._own_files:
            inside = _EXTENSION.sub("", file.partition("/")[2])
            meant = path.endswith((f"/{inside}", f"/{inside.removesuffix('/index')}"))
            if meant and len(file) > len(found):
                found = file
        return found
