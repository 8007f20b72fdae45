"""The masks of types, as sources and as targets.

The law: if ``source`` is assignable to ``target``, then ``target_mask(target)`` is a subset of
``source_mask(source)``.  A type that cannot be reduced has all bits as a source and none as a
target, so it passes.  The *converted* masks are those after the steps of
``match.edits.conversions``: of everything that a source may be converted to, and of everything
that may be converted to a target.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.index.masks.bits import ALL_ABSENT
from typematch.index.masks.declared_members import LIMITS
from typematch.index.masks.mask import Masks
from typematch.index.masks.memo import MaskMemo
from typematch.index.masks.placeholders import with_placeholders
from typematch.index.masks.source_masks import SourceMasks
from typematch.index.masks.target_masks import TargetMasks
from typematch.ir.declaration import Declarations
from typematch.ir.type_parts import Property
from typematch.ir.types import NEVER, Free, Type
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.limits import HeritageLimitReached, LimitReached
from typematch.program.reduction.reduce import Reducer


class TypeMasks:
    """The masks of types, computed against one set of declarations and memoized.

    Args:
        skolems: the query's rigid variables and their constraints; all other variables are open.
    """

    def __init__(
        self, declarations: Declarations, skolems: dict[Free, Type | None] | None = None
    ) -> None:
        self._memo = MaskMemo(declarations, skolems)
        self._source = SourceMasks(self._memo)
        self._target = TargetMasks(self._memo)
        # Types without listed properties because they inherit from too many.
        self.large_heritage: list[Type] = []

    def source_mask(self, t: Type) -> Masks:
        """Return what a value of type ``t`` has."""
        return self._source.mask(t)

    def target_mask(self, t: Type) -> Masks:
        """Return what a value must have to be assignable to ``t``."""
        return self._target.mask(t)

    def is_never(self, t: Type) -> bool:
        """Return whether ``t`` reduces to ``never``."""
        if self.target_mask(t).strict & ALL_ABSENT != ALL_ABSENT:
            return False
        return t is NEVER or self._memo.reduced(with_placeholders(t)) is NEVER

    def dependencies(self) -> set[str]:
        """Return the declarations consulted since the last call, without ``FOUNDATIONS``."""
        return self._memo.dependencies()

    def properties(self, t: Type) -> Iterator[Property]:
        """Yield the properties of ``t``; none if it is generic or a limit is reached."""
        reducer = Reducer(self._memo.declarations, limits=LIMITS)
        try:
            # A generic type is skipped: only the constraints of its variables could be listed.
            normal = reducer.normal(with_placeholders(t))
            if not is_generic(normal):
                yield from reducer.members_of(normal)
        except HeritageLimitReached:
            self.large_heritage.append(t)
        except (LimitReached, RecursionError):
            return
