"""Resolves names to type variables: of the enclosing binders, and of the query itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from typematch.ir.types import WILDCARD, Type, Var

Bound: TypeAlias = dict[str, tuple[int, int]]


class Binders:
    """The binders that enclose the node being lowered.

    Attributes:
        query_variables: the indices of the variables that the query's own signature binds, by
            name, in order; None for a type without a signature, where they are wildcards.
        letters: a single capital letter is a variable, not a name.
    """

    def __init__(self, query_variables: dict[str, int] | None, *, letters: bool = True) -> None:
        self.query_variables = query_variables
        self.letters = letters
        # Level 1 is the query's own signature.
        self._level = 1
        self._bound: Bound = {}

    def variable(self, name: str) -> Type | None:
        """Return the variable that ``name`` resolves to; None if it is not a variable."""
        bound = self._bound.get(name)
        if bound is not None:
            return Var(self._level - bound[0], bound[1])
        if self.query_variables is not None and name in self.query_variables:
            return Var(self._level - 1, self.query_variables[name])
        if not (name[0] == "?" or (self.letters and len(name) == 1 and name.isupper())):
            return None
        if self.query_variables is None:
            return WILDCARD
        return Var(
            self._level - 1, self.query_variables.setdefault(name, len(self.query_variables))
        )

    def enter(self, names: Iterable[str]) -> Bound:
        """Enter a binder; ``leave`` takes the result."""
        outer = self._bound
        self._level += 1
        self._bound = outer | {name: (self._level, index) for index, name in enumerate(names)}
        return outer

    def leave(self, outer: Bound) -> None:
        self._bound = outer
        self._level -= 1
