"""The pairs being compared, and the results that rest on assumptions about them.

A pair that is met again while it is being compared is assumed to hold (the checker's maybeKeys).
A result that rests on such an assumption is provisional until the assumed pair itself is decided.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TypeAlias

from typematch.ir.types import Conditional, Free, IndexedAccess, Intersection, KeyOf, Type, Union
from typematch.match.deep_nesting import RecursionStack, TypeParts
from typematch.match.verdict import Misfit

# Positions of pairs on the stack, from 0; these are above and below all of them.
_NO_ASSUMPTION = 1 << 30
_VARIANCE = -1

# What is compared by its members, its constraint or its branches with the other side as a whole:
# that does not occur again (the checker's RecursionFlags).
_RELATED_BY_OTHERS = (Union, Intersection, Free, IndexedAccess, Conditional, KeyOf)

Frame: TypeAlias = tuple[int, int, bool]


class ComparisonStack:
    """State of one comparison from its outermost pair to the current one.

    Args:
        nesting: see ``Limits.nesting``.

    Attributes:
        sources, targets: the types of the pairs.
    """

    __slots__ = (
        "_in_progress", "_oldest_assumption", "_pairs", "_provisional", "sources", "targets",
    )  # fmt: skip

    def __init__(self, parts: TypeParts, nesting: int) -> None:
        # Both map a pair to a position: its own, and that of the oldest pair it rests on.
        self._in_progress: dict[object, int] = {}
        self._provisional: dict[object, int] = {}
        self._oldest_assumption = _NO_ASSUMPTION
        self._pairs: list[tuple[Type, Type]] = []  # normal forms
        self.sources = RecursionStack(parts, nesting)
        self.targets = RecursionStack(parts, nesting)

    def assumes(self, pair: object) -> bool:
        """Return whether a pair is assumed to hold, and note that the current one rests on it."""
        assumption = self._provisional.get(pair)
        if assumption is None:
            assumption = self._in_progress.get(pair)
        if assumption is None:
            return False
        if assumption < self._oldest_assumption:
            self._oldest_assumption = assumption
        return True

    def assume_variance(self) -> None:
        """Note that the current pair rests on a variance being computed: it is not cached."""
        self._oldest_assumption = _VARIANCE

    def enter(self, pair: object, source: Type, s: Type, target: Type, t: Type) -> Frame:
        """Push a pair: ``s`` and ``t`` are the normal forms of ``source`` and ``target``.

        Returns:
            what ``leave`` needs; its last item is whether both sides are deeply nested.
        """
        outer, self._oldest_assumption = self._oldest_assumption, _NO_ASSUMPTION
        provisional = len(self._provisional)
        self._in_progress[pair] = len(self._in_progress)
        outer_s, outer_t = self._pairs[-1] if self._pairs else (None, None)
        self._pairs.append((s, t))
        is_source_again = source is outer_s and isinstance(outer_t, _RELATED_BY_OTHERS)
        is_target_again = target is outer_t and isinstance(outer_s, _RELATED_BY_OTHERS)
        deeply_nested = self.sources.enter(source, s, is_again=is_source_again)
        deeply_nested = self.targets.enter(target, t, is_again=is_target_again) and deeply_nested
        return outer, provisional, deeply_nested

    def leave(
        self,
        pair: object,
        frame: Frame,
        misfit: Misfit | None,
        results: MutableMapping[object, Misfit | bool],
    ) -> None:
        """Pop a pair; add its result, and provisional ones it proves, to ``results``."""
        outer, provisional_count, _ = frame
        self._pairs.pop()
        self.sources.leave()
        self.targets.leave()
        position = self._in_progress.pop(pair)
        provisional = self._provisional
        if misfit is not None:
            results[pair] = misfit
            while len(provisional) > provisional_count:
                provisional.popitem()
            self._oldest_assumption = outer
        elif self._oldest_assumption >= position:
            results[pair] = True
            while len(provisional) > provisional_count:
                results[provisional.popitem()[0]] = True
            self._oldest_assumption = outer
        else:
            provisional[pair] = self._oldest_assumption
            if position == 0:
                provisional.clear()
            self._oldest_assumption = min(outer, self._oldest_assumption)
