"""Say which found signatures may fit an asked one, tier by tier: necessary conditions only.

Tier 0 holds what strict assignability needs; tier 1 also lets arguments change places, promises
and unions be unwrapped; tier 2 lets one required argument be supplied and variables become
concrete; tier 3 holds the rest.  ``index.candidates`` asks the same of all functions at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from typematch.index.facets import Asked, AskedMasks, Masks
from typematch.ir.types import Object

# Arguments of a query that are told apart; bits of an integer stand for them.
MOST_ARGUMENTS = 8
LAST_TIER = 3


@dataclass(frozen=True, slots=True)
class SignatureMasks:
    """A found signature: what its result has, what its first places need (None: nothing).

    ``overloaded``: its entry has other signatures; ``receiver``: it is called on a value.
    """

    returns: Masks
    places: tuple[Masks | None, ...]
    min_arity: int
    max_arity: int | None
    overloaded: bool = False
    receiver: bool = False


def passes(found: SignatureMasks, asked: AskedMasks, tier: int, required: int) -> bool:
    """Whether ``found`` may fit at ``tier`` or below; ``required`` arguments are always given."""
    return lowest_tier(found, asked, required) <= tier


def lowest_tier(found: SignatureMasks, asked: AskedMasks, required: int) -> int:
    """Return the first tier whose conditions ``found`` meets."""
    readings = (asked.rigid, asked.erased) if found.overloaded else (asked.rigid,)
    if any(_strictly(found, one) for one in readings):
        return 0
    if any(_softly(found, one, required) for one in readings):
        return 1
    return 2 if _roughly(found, asked.erased) else LAST_TIER


def required_arguments(asked: Object) -> int:
    """Return how many arguments a query always gives."""
    return sum(1 for one in asked.calls[0].parameters if not (one.optional or one.rest))


def _few(found: SignatureMasks, asked: Asked, more: int = 0) -> bool:
    return asked.open_ended or found.min_arity <= len(asked.has) + more


def _strictly(found: SignatureMasks, asked: Asked) -> bool:
    pairs = zip(found.places, asked.has[:MOST_ARGUMENTS], strict=False)
    return (
        _few(found, asked)
        and _within(asked.needs.strict, found.returns.strict)
        and all(needs is None or _within(needs.strict, has.strict) for needs, has in pairs)
    )


def _softly(found: SignatureMasks, asked: Asked, required: int) -> bool:
    most = None if found.max_arity is None else found.max_arity + found.receiver
    return (
        _few(found, asked)
        and (most is None or required <= most)
        and _within(asked.needs.soft, found.returns.soft)
        and _failing(found, asked, asked.has) == 0
    )


def _roughly(found: SignatureMasks, asked: Asked) -> bool:
    return (
        _few(found, asked, 1 + max(0, len(asked.spread) - 1))
        and _within(asked.needs.soft, found.returns.soft)
        and _failing(found, asked, (*asked.has, *asked.spread)) <= 1
    )


def _failing(found: SignatureMasks, asked: Asked, given: tuple[Masks, ...]) -> int:
    """Return how many required places no argument can fill."""
    if len(asked.has) > MOST_ARGUMENTS:
        return 0
    return sum(
        1
        for needs in found.places[: found.min_arity]
        if needs is not None and not any(_within(needs.soft, has.soft) for has in given)
    )


def _within(needs: int, has: int) -> bool:
    return needs & ~has == 0
