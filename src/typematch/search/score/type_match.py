"""The match of an entry with the types of a query."""

from __future__ import annotations

from dataclasses import dataclass

from typematch.ir.types import Object
from typematch.match.edit_kinds import Edit


@dataclass(frozen=True, slots=True)
class TypeMatch:
    """An entry and its cheapest overload.

    Attributes:
        entry: the number of the entry.
        overload: which of its signatures matched, from 0.
        cost: in edit units; infinite if undecided.
        undecided: why the relation gave up, or empty.
        assignment: of the query's arguments to parameters, as ``match.verdict.Fit.assignment``.
        reading: the function type of the query that matched, as written: not that of two calls, or
            with an options object spread.  None if no function type was compared.
    """

    entry: int
    overload: int
    cost: float
    edits: tuple[Edit, ...] = ()
    undecided: str = ""
    assignment: tuple[int, ...] = ()
    reading: Object | None = None
