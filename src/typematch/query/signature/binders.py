"""Know which variable a name means: those of the binders around it, and the query's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from typematch.ir.types import WILDCARD, Type, Var

Bound: TypeAlias = dict[str, tuple[int, int]]


class Binders:
    """The binders around the place that is being read.

    Attributes:
        free: the variables of the query by name, in order, which the outermost signature binds;
            None where there is no signature to bind them.
        letters: whether a capital letter that no binder binds is a variable, or a name as others.
    """

    def __init__(self, free: dict[str, int] | None, *, letters: bool = True) -> None:
        self.free = free
        self.letters = letters
        # Level 1 is the query's own signature; inner binders count from there.
        self._level = 1
        self._bound: Bound = {}

    def variable(self, name: str) -> Type | None:
        """Return the variable that ``name`` means here, None if it means no variable."""
        bound = self._bound.get(name)
        if bound is not None:
            return Var(self._level - bound[0], bound[1])
        if self.free is not None and name in self.free:
            return Var(self._level - 1, self.free[name])
        if not (name[0] == "?" or (self.letters and len(name) == 1 and name.isupper())):
            return None
        if self.free is None:
            return WILDCARD
        return Var(self._level - 1, self.free.setdefault(name, len(self.free)))

    def enter(self, names: Iterable[str]) -> Bound:
        """Enter a binder; give the result to ``leave`` to leave it."""
        outer = self._bound
        self._level += 1
        self._bound = outer | {name: (self._level, index) for index, name in enumerate(names)}
        return outer

    def leave(self, outer: Bound) -> None:
        self._bound = outer
        self._level -= 1
