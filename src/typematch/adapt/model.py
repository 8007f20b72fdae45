"""What an adapter is written from, and what is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry
from typematch.ir.types import Free, Object, Type
from typematch.match.edit_kinds import Edit
from typematch.match.edits.conversions import TypeExpander


class AdapterScope(Declarations, Protocol):
    """Source of declarations, and of the entries under which they can be imported."""

    def entry_of(self, key: str, /) -> Entry | None:
        """Return the entry of the declaration ``key``; None if it has none."""
        ...

    def entry_with_id(self, id_: str, /) -> Entry | None:
        """Return the entry with an id; None if there is none."""
        ...


class TypeQueries(TypeExpander, Protocol):
    """The operations on types that adapters use."""

    def declare(self, variable: Free, constraint: Type | None, /) -> None:
        """Let a free variable have this constraint."""
        ...

    def is_assignable(self, source: Type, target: Type, /) -> bool:
        """Return whether ``source`` is assignable to ``target``."""
        ...


@dataclass(frozen=True, slots=True)
class MatchedCall:
    """A function that matches a query.

    Attributes:
        query: the query's function type with one call, its names resolved as far as possible.
        variables: the names of its type parameters.
        overload: index of the matching signature in ``entry.signatures``.
        edits: of the match, with types as types.
        assignment: of the query's arguments to parameters, as in ``match.verdict.Fit.assignment``.
    """

    query: Object
    variables: tuple[str, ...]
    entry: Entry
    overload: int
    edits: tuple[Edit, ...]
    assignment: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hole:
    """A name in the code that the query does not give a value for, with its type."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Adapter:
    """An expression of the query's type in terms of an import.

    Attributes:
        code: the expression; the names of ``holes`` and ``imports`` are free in it.
        type: its type: that of the query, or what the edits make of it (see ``notes``).
        type_parameters: those that ``type`` and the types of holes mention where there are holes,
            such as ``<T>``; empty without holes, as they are then part of ``type``.
        imports: import statements that code and types need, without a semicolon.
        holes: values that have to be supplied.
        notes: how ``type`` differs from the query, and what the code takes for granted.
        undeclared: names in the code or the types that cannot be imported.
        name: of the constant in its snippet.
    """

    code: str
    type: str
    type_parameters: str = ""
    imports: tuple[str, ...] = ()
    holes: tuple[Hole, ...] = ()
    notes: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()
    name: str = "adapter"
