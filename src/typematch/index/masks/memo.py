"""Memoized masks, with the declarations that each depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from typematch.index.masks.declared_members import LIMITS, RecordingDeclarations
from typematch.index.masks.mask import Masks
from typematch.index.masks.placeholders import OPEN, open_reducer
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


class MemoizedMasks(NamedTuple):
    """``consulted`` are keys of declarations, ``height`` the levels of types below this one."""

    masks: Masks
    consulted: frozenset[str]
    height: int


@dataclass(slots=True)
class MaskTable:
    """Masks by type; ``cut_off`` by type and depth, of types that nest too deeply."""

    complete: dict[Type, MemoizedMasks] = field(default_factory=dict)
    cut_off: dict[tuple[Type, int], MemoizedMasks] = field(default_factory=dict)


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
        self._deepest = 0  # level of nested types that the present computation reached

    def dependencies(self) -> set[str]:
        """Return the declarations consulted since the last call, without ``FOUNDATIONS``."""
        keys = self.declarations.consulted - FOUNDATIONS
        self.declarations.consulted = set()
        return keys

    def memoized(
        self, table: MaskTable, t: Type, compute: Callable[[Type], Masks], fallback: Masks
    ) -> Masks:
        """Return the masks of ``t``, computed once for each type.

        They depend on the type and its depth alone, not on what was computed before: a type that
        nests too deeply is computed for each depth, with ``fallback`` for what lies too deep.
        """
        declarations, depth = self.declarations, self._depth
        if depth >= _MAX_DEPTH:
            self._deepest = depth
            return fallback
        known = table.complete.get(t)
        if known is None or depth + known.height >= _MAX_DEPTH:
            known = table.cut_off.get((t, depth))
        if known is not None:
            declarations.consulted |= known.consulted
            self._deepest = max(self._deepest, depth + known.height)
            return known.masks
        outer, declarations.consulted = declarations.consulted, set()
        outer_deepest, self._deepest = self._deepest, depth
        self._depth += 1
        try:
            masks = compute(t)
        except (LimitReached, RecursionError):
            masks = fallback
        finally:
            self._depth -= 1
            consulted, declarations.consulted = declarations.consulted, outer
            declarations.consulted |= consulted
        found = MemoizedMasks(masks, frozenset(consulted), self._deepest - depth)
        if self._deepest < _MAX_DEPTH:
            table.complete[t] = found
        else:
            table.cut_off[t, depth] = found
        self._deepest = max(self._deepest, outer_deepest)
        return masks

    def reduced(self, t: Type) -> Type | None:
        """Return the reduced type; None if it stays deferred or a limit is reached."""
        if isinstance(t, Conditional) and (OPEN in t.check.free or OPEN in t.extends.free):
            return None  # which branch it takes depends on what ``OPEN`` is
        try:
            # A new relation per type, so that all declarations it consults are recorded.
            normal = open_reducer(Relation(self.declarations, limits=LIMITS).reducer).normal(t)
        except (LimitReached, RecursionError):
            return None
        return None if isinstance(normal, REDUCIBLE) or normal is t else normal
