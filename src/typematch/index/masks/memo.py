"""Work out masks of types, remember them, and what they hang on."""

from __future__ import annotations

from collections.abc import Callable

from typematch.index.masks.declared_members import RecordingDeclarations
from typematch.index.masks.mask import Masks
from typematch.ir.declaration import Declarations
from typematch.ir.types import Conditional, Free, IndexedAccess, KeyOf, Mapped, Type, TypeOf
from typematch.program.reduction.limits import LimitReached, Limits
from typematch.program.reduction.reduce import Reducer

_MAX_DEPTH = 12  # types looked into inside each other
# A mask that takes much work is not worth it: letting the type pass costs one comparison.
LIMITS = Limits(steps=500, expansion=8, tail=20, product=64)

# Every mask hangs on these; instead of recording it, their change recomputes everything.
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
    """Masks against one set of declarations, so far as they are known.

    Args:
        rigid: variables of the query, with their constraints; all others are open.
    """

    def __init__(
        self, declarations: Declarations, rigid: dict[Free, Type | None] | None = None
    ) -> None:
        self._declared = RecordingDeclarations(declarations)
        self._rigid = rigid or {}
        self._depth = 0
        self._cut = False

    def dependencies(self) -> set[str]:
        """Return the keys consulted since last asked, without ``FOUNDATIONS``."""
        used = self._declared.used - FOUNDATIONS
        self._declared.used = set()
        return used

    def _remembered(
        self,
        table: dict[Type, tuple[Masks, frozenset[str]]],
        t: Type,
        work_out: Callable[[Type], Masks],
        at_the_end: Masks,
    ) -> Masks:
        declared = self._declared
        known = table.get(t)
        if known is not None:
            declared.used |= known[1]
            return known[0]
        if self._depth >= _MAX_DEPTH:
            self._cut = True
            return at_the_end
        outer, declared.used = declared.used, set()
        outer_cut, self._cut = self._cut, False
        self._depth += 1
        try:
            masks = work_out(t)
        except (LimitReached, RecursionError):
            masks = at_the_end
        finally:
            self._depth -= 1
            used, declared.used = declared.used, outer
            declared.used |= used
        if not self._cut or not self._depth:
            table[t] = (masks, frozenset(used))
        self._cut = self._cut or outer_cut
        return masks

    def _reduced(self, t: Type) -> Type | None:
        """Return what a computed type is; None if that hangs on something unknown."""
        try:
            # A new one each time, so that all it asks for is recorded.
            found = Reducer(self._declared, limits=LIMITS).normal(t)
        except (LimitReached, RecursionError):
            return None
        return None if isinstance(found, REDUCIBLE) or found is t else found
