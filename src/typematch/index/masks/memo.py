"""Memoized masks, with the declarations that each depends on."""

from __future__ import annotations

from collections.abc import Callable

from typematch.index.masks.declared_members import LIMITS, RecordingDeclarations
from typematch.index.masks.mask import Masks
from typematch.index.masks.placeholders import OPEN
from typematch.ir.declaration import Declarations
from typematch.ir.types import Conditional, Free, IndexedAccess, KeyOf, Mapped, Type, TypeOf
from typematch.match.assignability.relation import Relation
from typematch.program.reduction.limits import LimitReached

_MAX_DEPTH = 12  # levels of nested types

# Every mask depends on these declarations: a change to one invalidates all masks.
FOUNDATIONS = frozenset(
    f"global#{name}"
    for name in (
        "Array",
        "BigInt",
        "Boolean",
        "CallableFunction",
        "Function",
        "NewableFunction",
        "Number",
        "Object",
        "Promise",
        "PromiseLike",
        "ReadonlyArray",
        "String",
        "Symbol",
    )
)
REDUCIBLE = (KeyOf, IndexedAccess, Mapped, Conditional, TypeOf)


class MaskMemo:
    """Memoization of masks against one set of declarations.

    Args:
        skolems: the query's rigid variables and their constraints; all other variables are open.
    """

    def __init__(
        self, declarations: Declarations, skolems: dict[Free, Type | None] | None = None
    ) -> None:
        self.declarations = RecordingDeclarations(declarations)
        self.skolems = skolems or {}
        self._depth = 0
        self._truncated = False

    def dependencies(self) -> set[str]:
        """Return the declarations consulted since the last call, without ``FOUNDATIONS``."""
        keys = self.declarations.consulted - FOUNDATIONS
        self.declarations.consulted = set()
        return keys

    def memoized(
        self,
        table: dict[Type, tuple[Masks, frozenset[str]]],
        t: Type,
        compute: Callable[[Type], Masks],
        fallback: Masks,
    ) -> Masks:
        declarations = self.declarations
        known = table.get(t)
        if known is not None:
            declarations.consulted |= known[1]
            return known[0]
        if self._depth >= _MAX_DEPTH:
            self._truncated = True
            return fallback
        outer, declarations.consulted = declarations.consulted, set()
        outer_truncated, self._truncated = self._truncated, False
        self._depth += 1
        try:
            masks = compute(t)
        except (LimitReached, RecursionError):
            masks = fallback
        finally:
            self._depth -= 1
            consulted, declarations.consulted = declarations.consulted, outer
            declarations.consulted |= consulted
        if not self._truncated or not self._depth:
            table[t] = (masks, frozenset(consulted))
        self._truncated = self._truncated or outer_truncated
        return masks

    def reduced(self, t: Type) -> Type | None:
        """Return the reduced type; None if it stays deferred or a limit is reached."""
        if isinstance(t, Conditional) and (OPEN in t.check.free or OPEN in t.extends.free):
            return None  # which branch it takes depends on what ``OPEN`` is
        try:
            # A new relation per type, so that all declarations it consults are recorded.
            normal = Relation(self.declarations, limits=LIMITS).reducer.normal(t)
        except (LimitReached, RecursionError):
            return None
        return None if isinstance(normal, REDUCIBLE) or normal is t else normal
