"""Types as TypeScript text, with the imports of the types that they name."""

from __future__ import annotations

from typing import cast

from typematch.adapt.imports import Imports, access_path
from typematch.adapt.model import AdapterScope
from typematch.ir.declaration import is_global
from typematch.ir.intern import InternedNode, children, rebuild
from typematch.ir.render import plain_name, render
from typematch.ir.types import (
    ANY,
    ELLIPSIS,
    THIS,
    UNANNOTATED,
    UNREADABLE,
    WILDCARD,
    Free,
    Named,
    Reference,
    Type,
    UniqueSymbol,
)

_UNKNOWN_TYPES = frozenset((WILDCARD, UNANNOTATED, UNREADABLE, ELLIPSIS))


class TypeWriter:
    """Writes types, and adds the imports that they need.

    Attributes:
        undeclared: names in the texts that a module cannot import.
    """

    def __init__(self, scope: AdapterScope, imports: Imports) -> None:
        self.undeclared: list[str] = []
        self._scope = scope
        self._imports = imports
        self._names: dict[str, str | None] = {}

    def can_write(self, t: Type) -> bool:
        """Return whether every name in ``t`` can be imported."""
        pending: list[InternedNode] = [t]
        seen: set[InternedNode] = set()
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            if isinstance(node, Named | UniqueSymbol) or node is THIS:
                return False
            if isinstance(node, Reference) and self._reachable_name(node.target) is None:
                return False
            pending += children(node)
        return t.loose_depth == 0

    def text(self, t: Type) -> str:
        """Return ``t`` as TypeScript; names that cannot be imported are listed as undeclared."""
        return render(cast(Type, _written(t)), display_name=self._display_name)

    def _display_name(self, key: str) -> str:
        name = self._reachable_name(key)
        if name is not None:
            return name
        plain = plain_name(key)
        if plain not in self.undeclared:
            self.undeclared.append(plain)
        return plain

    def _reachable_name(self, key: str) -> str | None:
        """Return the name of a declaration, with its import added; None if no name reaches it."""
        if key not in self._names:
            self._names[key] = self._find_name(key)
        return self._names[key]

    def _find_name(self, key: str) -> str | None:
        if is_global(key):
            return self._imports.global_name(plain_name(key))
        entry = self._scope.entry_of(key)
        path = None if entry is None else access_path(entry)
        if path is None or path.imported is None or not path.is_reachable:
            return None
        local = self._imports.add(path.imported, type_only=True)
        return ".".join((local, *path.segments))


def mentions_variables(t: InternedNode) -> bool:
    """Return whether a variable of the query occurs in ``t``."""
    return any(isinstance(variable, Free) for variable in t.free)


def _written(node: InternedNode) -> InternedNode:
    """Return ``node`` with ``any`` for what has no syntax."""
    if node in _UNKNOWN_TYPES:
        return ANY
    return rebuild(node, lambda part, _: _written(part))
