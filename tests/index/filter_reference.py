"""The filter conditions in Python, for one signature at a time: the reference of the SQL.

A tier's conditions are those of the edits within its cost range: tier 0, strict assignability; tier
1, arguments reordered, and values awaited, unwrapped or copied; tier 2, one required argument
supplied, or query variables made concrete; tier 3, arguments unused or packed into an object, the
result still fitting.
"""

from __future__ import annotations

from dataclasses import dataclass

from typematch.index.masks.bits import ALL_ABSENT, NO_VOID
from typematch.index.masks.mask import EMPTY_MASKS, Masks, is_subset
from typematch.index.masks.query_masks import QueryMasks, QueryMaskSet
from typematch.index.masks.signature_columns import POSITIONS, RESULT, signature_columns
from typematch.index.masks.sql_filters import LAST_TIER, MISFITS
from typematch.index.masks.type_masks import TypeMasks
from typematch.ir.types import Type


@dataclass(frozen=True, slots=True)
class SignatureMasks:
    """The masks of a signature: source mask of its result, target masks of its first positions.

    Attributes:
        parameter_count: a rest parameter counts as one.
        bounded: bit set of the positions whose mask is that of a type parameter's constraint.
    """

    returns: Masks
    positions: tuple[Masks, ...]
    min_arity: int
    max_arity: int | None
    parameter_count: int
    guard: bool = False
    bounded: int = 0

    @property
    def required_count(self) -> int:
        """The fewest arguments; trailing parameters that take ``void`` may be omitted."""
        count = self.min_arity
        while 0 < count <= len(self.positions) and takes_void(self.positions[count - 1].strict):
            count -= 1
        return count


def takes_void(mask: int) -> bool:
    """Whether the target mask is that of a type that takes ``void``, and not of a top type."""
    return bool(mask & ALL_ABSENT) and not mask & NO_VOID


def signature_masks(
    function: Type, type_masks: TypeMasks, receiver: Type | None = None
) -> SignatureMasks:
    """Return the masks of a function type, or of a method with its receiver as first argument."""
    columns = signature_columns(function)
    positions = [EMPTY_MASKS if t is None else type_masks.target_mask(t) for t in columns.positions]
    shift = receiver is not None
    if receiver is not None:
        positions = [type_masks.target_mask(receiver), *positions[:-1]]
    return SignatureMasks(
        type_masks.source_mask(columns.returns),
        tuple(positions),
        columns.min_arity + shift,
        None if columns.max_arity is None else columns.max_arity + shift,
        columns.parameter_count + shift,
        columns.guard,
        columns.bounded & RESULT | (columns.bounded & ~RESULT) << shift,
    )


def lowest_tier(candidate: SignatureMasks, query: QueryMaskSet) -> int:
    """Return the first tier whose conditions hold; ``MISFITS`` if none."""
    if _strict(candidate, query.skolemized):
        return 0
    if _soft(candidate, query.skolemized, missing=0):
        return 1
    if _soft(candidate, query.skolemized, missing=1) or _soft(candidate, query.opened, missing=0):
        return 2
    return LAST_TIER if _result_fits(candidate, query.opened) else MISFITS


def passes_as_overload(candidate: SignatureMasks, query: QueryMaskSet) -> bool:
    """Whether one of several overloads may make the function assignable.

    Overload sets are compared with ``any`` for all type parameters.
    """
    return _strict(candidate, query.erased, erased=True)


def _strict(candidate: SignatureMasks, query: QueryMasks, *, erased: bool = False) -> bool:
    if query.guard and not candidate.guard:
        return False
    if query.rest is None and candidate.required_count > len(query.arguments):
        return False
    erased = erased or query.mentions_any_or_never
    any_result = erased and candidate.bounded & RESULT
    if not any_result and not is_subset(query.result.strict, candidate.returns.strict):
        return False
    for position, target in enumerate(candidate.positions):
        argument = query.argument_at(position)
        if argument is None or (erased and candidate.bounded >> position & 1):
            continue
        if not is_subset(target.strict, argument.strict):
            return False
    return True


def _result_fits(candidate: SignatureMasks, query: QueryMasks) -> bool:
    fits = is_subset(query.result.soft, candidate.returns.soft)
    return fits and (candidate.guard or not query.guard)


def _soft(candidate: SignatureMasks, query: QueryMasks, *, missing: int) -> bool:
    """Whether all arguments fit, and all but ``missing`` required positions are filled."""
    count = len(query.arguments)
    most = candidate.max_arity
    if not query.allows_more and candidate.required_count > count + missing:
        return False
    if most is not None and (count > most or (query.rest is not None and not query.allows_more)):
        return False
    if not _result_fits(candidate, query):
        return False
    return _all_used(candidate, query) and _unfilled(candidate, query) <= missing


def _unfilled(candidate: SignatureMasks, query: QueryMasks) -> int:
    """Return how many known required positions no argument fits."""
    if query.allows_more:
        return 0
    arguments = range(len(query.arguments))
    positions = range(min(candidate.required_count, len(candidate.positions)))
    return sum(
        not any(_fits(candidate, position, query, argument) for argument in arguments)
        for position in positions
    )


def _fits(candidate: SignatureMasks, position: int, query: QueryMasks, argument: int) -> bool:
    """Whether an argument may fit a position; a query variable may be constrained to fit."""
    if query.is_variable[argument] and candidate.bounded >> position & 1:
        return True
    return is_subset(candidate.positions[position].soft, query.arguments[argument].soft)


def _all_used(candidate: SignatureMasks, query: QueryMasks) -> bool:
    """Whether each argument fits some position, if all positions are known."""
    if candidate.parameter_count > POSITIONS:
        return True
    count = len(candidate.positions)
    positions = range(count if candidate.max_arity is None else min(candidate.max_arity, count))
    return all(
        any(_fits(candidate, position, query, argument) for position in positions)
        for argument in range(len(query.arguments))
    )
