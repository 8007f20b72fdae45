"""Functions of a file that nothing exports but a constant or a property of type ``typeof f``.

Such a function and the constant are one thing: the constant's entry has the function's signatures
and documentation, and the function has no entry of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from typematch.ir.entry import Entry
from typematch.ir.module import DeclarationStatement, Overload
from typematch.ir.types import Reference, Type, TypeOf
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.resolution.symbol_tables import ScopePart


class InternalFunction(NamedTuple):
    """The overloads of a function, and the scope that declares it."""

    part: ScopePart
    overloads: Sequence[Overload]


class InternalFunctions:
    """The functions of one file that cannot be imported by a name of their own.

    Args:
        groups: the statements of the file, by scope and key.
    """

    def __init__(
        self,
        groups: Mapping[tuple[ScopePart, str], Sequence[DeclarationStatement]],
        path_index: ExportPathIndex,
    ) -> None:
        self._functions: dict[str, InternalFunction] = {}
        self._exported: set[str] = set()
        for (part, key), statements in groups.items():
            overloads = [
                overload
                for statement in statements
                for overload in statement.overloads
                if statement.kind == "function"
            ]
            if overloads and not path_index.path(key).exported:
                self._functions[key] = InternalFunction(part, overloads)

    def queried(self, value: Type | None) -> InternalFunction | None:
        """Return the function ``f`` of the type ``typeof f``, and note that it is exported."""
        match value:
            case TypeOf(Reference(key), (), ()) if key in self._functions:
                self._exported.add(key)
                return self._functions[key]
            case _:
                return None

    def is_exported_by_constant(self, entry: Entry) -> bool:
        """Whether an entry is that of a function which a constant's entry stands for."""
        return entry.kind == "function" and entry.declaration in self._exported
