"""Say which found signatures may fit an asked one, tier by tier: necessary conditions only.

Each tier has those of the edits that its price range allows (``match.edits``): tier 0 what strict
assignability needs; tier 1 lets arguments change places, and values be awaited, unwrapped or
copied; tier 2 lets one required argument be supplied, or variables become concrete; tier 3 lets
arguments go unused or be gathered in an object, yet the result must fit still.  What is left fits
only where misfits are shown.  ``index.tiers`` asks the same of all functions at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from typematch.index.masks.bits import ALL_KINDS, NO_VOID
from typematch.index.masks.mask import Masks, is_within
from typematch.index.masks.query_masks import QueryMasks, QueryMaskSet
from typematch.index.masks.signature_columns import PLACES, RESULT

LAST_TIER = 3
MISFITS = 4  # no tier: what passes none


@dataclass(frozen=True, slots=True)
class SignatureMasks:
    """A found signature: what its result has, what its first ``PLACES`` places need.

    ``count`` is how many places there are, a rest parameter being one; ``bounded`` those that need
    what the constraint of a type parameter does, as bits.
    """

    returns: Masks
    places: tuple[Masks, ...]
    min_arity: int
    max_arity: int | None
    count: int
    guard: bool = False
    bounded: int = 0

    @property
    def fewest(self) -> int:
        """The fewest arguments: what takes ``void`` may be left out at the end, an alias too."""
        count = self.min_arity
        while 0 < count <= len(self.places) and takes_void(self.places[count - 1].strict):
            count -= 1
        return count


def takes_void(needs: int) -> bool:
    """Whether what needs this takes ``void``, and not just anything."""
    return bool(needs & ALL_KINDS) and not needs & NO_VOID


def passes(found: SignatureMasks, asked: QueryMaskSet, tier: int) -> bool:
    """Whether ``found`` may fit at ``tier`` or below."""
    return lowest_tier(found, asked) <= tier


def lowest_tier(found: SignatureMasks, asked: QueryMaskSet) -> int:
    """Return the first tier whose conditions ``found`` meets, ``MISFITS`` if there is none."""
    if _strictly(found, asked.rigid):
        return 0
    if _softly(found, asked.rigid, supplied=0):
        return 1
    if _softly(found, asked.rigid, supplied=1) or _softly(found, asked.opened, supplied=0):
        return 2
    return LAST_TIER if _result_fits(found, asked.opened) else MISFITS


def passes_overloaded(found: SignatureMasks, asked: QueryMaskSet) -> bool:
    """Whether ``found``, one of several overloads, may be what makes the function assignable.

    The compiler reads all type parameters as any there.
    """
    return _strictly(found, asked.erased, erased=True)


def _strictly(found: SignatureMasks, asked: QueryMasks, *, erased: bool = False) -> bool:
    if asked.guard and not found.guard:
        return False
    if asked.rest is None and found.fewest > len(asked.arguments):
        return False
    erased = erased or asked.vague
    any_result = erased and found.bounded & RESULT
    if not any_result and not is_within(asked.needs.strict, found.returns.strict):
        return False
    for place, needs in enumerate(found.places):
        has = asked.at(place)
        free = has is None or (erased and found.bounded >> place & 1)
        if not free and has is not None and not is_within(needs.strict, has.strict):
            return False
    return True


def _result_fits(found: SignatureMasks, asked: QueryMasks) -> bool:
    fits = is_within(asked.needs.soft, found.returns.soft)
    return fits and (found.guard or not asked.guard)


def _softly(found: SignatureMasks, asked: QueryMasks, *, supplied: int) -> bool:
    """Whether all arguments find a place, and all but ``supplied`` required places an argument."""
    given = len(asked.arguments)
    most = found.max_arity
    if not asked.further and found.fewest > given + supplied:
        return False
    if most is not None and (given > most or (asked.rest is not None and not asked.further)):
        return False
    if not _result_fits(found, asked):
        return False
    return _all_used(found, asked) and _failing(found, asked) <= supplied


def _failing(found: SignatureMasks, asked: QueryMasks) -> int:
    """Return how many of the required places known no argument can fill."""
    if asked.further:
        return 0
    given = range(len(asked.arguments))
    places = range(min(found.fewest, len(found.places)))
    return sum(not any(_gets_in(found, place, asked, one) for one in given) for place in places)


def _gets_in(found: SignatureMasks, place: int, asked: QueryMasks, argument: int) -> bool:
    """Whether an argument may fill a place; a variable may be narrowed to what one is within."""
    if asked.bare[argument] and found.bounded >> place & 1:
        return True
    return is_within(found.places[place].soft, asked.arguments[argument].soft)


def _all_used(found: SignatureMasks, asked: QueryMasks) -> bool:
    """Whether each argument can fill some place, so far as places are known."""
    if found.count > PLACES:
        return True
    count = len(found.places)
    places = range(count if found.max_arity is None else min(found.max_arity, count))
    given = range(len(asked.arguments))
    return all(any(_gets_in(found, place, asked, one) for place in places) for one in given)
