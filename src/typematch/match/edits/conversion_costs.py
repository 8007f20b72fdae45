"""Say what it takes at the least to get from one type to another, before anything is inferred.

Type variables stand for whatever helps, so that no price is more than the real cost.  What is told
of a pair is kept for the query: the same few types meet thousands of times.
"""

from __future__ import annotations

from collections.abc import Sequence

from typematch.ir.constructors import nameless
from typematch.ir.types import ANY, NEVER, UNANNOTATED, UNKNOWN, VOID, Signature, Type
from typematch.match.edit_kinds import (
    ALIAS_FOLLOWED,
    ANYTHING,
    NARROWER_RESULT,
    UNANNOTATED_PLACE,
    WIDER_PARAMETER,
    EditKind,
)
from typematch.match.edits.conversions import changes_of, changes_towards
from typematch.match.edits.subtyping_edits import mentions_anything
from typematch.match.prefilter.deferred_types import is_stand_in
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.verdict import BEYOND


class ConversionCosts:
    """The least prices of pairs of types, in edit units; ``worst`` where nothing leads across."""

    def __init__(self, glance: QuickReject, heads: HeadCache, *, worst: int = BEYOND) -> None:
        """Start; ``worst`` is the price of what does not fit at all, ``BEYOND`` for none."""
        self._glance = glance
        self._heads = heads
        self._worst = worst
        self._between: dict[tuple[Type, Type], int] = {}
        self._handings: dict[tuple[Type, Type], int] = {}
        self._results: dict[tuple[Type, Type], int] = {}
        self._changes: dict[Type, list[tuple[int, Type]]] = {}
        self._knowns: dict[Type, bool] = {}

    def handed(self, given: Type, place: Type) -> int:
        """Return the least that it costs to get an argument into a place."""
        key = (given, place)
        known = self._handings.get(key)
        if known is None:
            known = self._handings[key] = self._priced_handing(given, place)
        return known

    def _priced_handing(self, given: Type, place: Type) -> int:
        if given is ANY or given is place:
            return 0
        if place is ANY or place is UNKNOWN:
            return ANYTHING.price
        return self.between(given, place) or self._slack(place, given, WIDER_PARAMETER)

    def result(self, found: Type, asked: Type) -> int:
        """Return the least that a found result costs where ``asked`` was asked for."""
        key = (found, asked)
        known = self._results.get(key)
        if known is None:
            known = self._results[key] = self._priced_result(found, asked)
        return known

    def _priced_result(self, found: Type, asked: Type) -> int:
        if asked is ANY or found is asked:
            return 0
        if found is ANY or found is NEVER or (found is UNKNOWN and asked is VOID):
            return ANYTHING.price
        if asked is VOID:
            return 0 if found is VOID or not self._is_known(found) else NARROWER_RESULT.price
        return self.between(found, asked) or self._slack(asked, found, NARROWER_RESULT)

    def _slack(self, wide: Type, narrow: Type, kind: EditKind) -> int:
        """Return the least that it costs that one type fits the other, and is not the same."""
        if wide is UNANNOTATED or narrow is UNANNOTATED:
            return 0
        if not self._glance.may_fit(wide, narrow):
            return kind.price
        known = self._is_known(wide) and self._is_known(narrow)
        return ALIAS_FOLLOWED.price if known and nameless(wide) is not nameless(narrow) else 0

    def _is_known(self, t: Type) -> bool:
        """Whether neither ``any`` nor a type parameter of the found signature stands in ``t``."""
        known = self._knowns.get(t)
        if known is None:
            open_ = t.loose or any(map(is_stand_in, t.free))
            known = self._knowns[t] = not (open_ or mentions_anything(t))
        return known

    def between(self, source: Type, target: Type) -> int:
        """Return the least that it takes to make one type fit the other."""
        key = (source, target)
        known = self._between.get(key)
        if known is None:
            known = self._between[key] = self._priced(source, target)
        return known

    def _priced(self, source: Type, target: Type) -> int:
        if source is UNANNOTATED or target is UNANNOTATED:
            return UNANNOTATED_PLACE.price
        may_fit = self._glance.may_fit
        if may_fit(source, target):
            return 0
        best = self._worst
        first = self._steps(source, target)
        for price, changed in first:
            if price < best and may_fit(changed, target):
                best = price
        for price, changed in first:
            if price < best:
                for more, again in self._steps(changed, target):
                    if price + more < best and may_fit(again, target):
                        best = price + more
        return best

    def _steps(self, source: Type, target: Type) -> Sequence[tuple[int, Type]]:
        """Return what a type may be changed to, each with the price of the change."""
        s, t = self._glance.head(source) or source, self._glance.head(target)
        if t is None:
            return ()
        own = self._changes.get(s)
        if own is None:
            found = changes_of(s, self)
            own = self._changes[s] = [(kind.price, changed) for kind, changed, _ in found]
        towards = changes_towards(s, t, self)
        return [*own, *((kind.price, changed) for kind, changed, _ in towards)]

    def is_worked_out(self, t: Type) -> bool:
        """Whether what a type comes to is not seen before its type parameters are known."""
        return self._glance.head(t) is None or self._heads.computes(t)

    def expanded(self, t: Type, /) -> Type:
        """Return a head; what none is told of may be anything."""
        return self._glance.head(t) or ANY

    def call(self, t: Type, /) -> Signature | None:
        return self._heads.call(t)
