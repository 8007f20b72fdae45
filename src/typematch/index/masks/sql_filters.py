"""Turn the conditions of ``index.filters`` into SQL over the table ``filter f``.

Every test is on numbers that stand in the row, the ones that drop most first, so that one pass over
a narrow table answers.  Masks stand in the text as plain numbers: they are ours, never a user's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.index.masks.bits import WORD_BITS, WORDS, words
from typematch.index.masks.filter_reference import LAST_TIER
from typematch.index.masks.mask import Masks
from typematch.index.masks.query_masks import QueryMasks, QueryMaskSet
from typematch.index.masks.signature_columns import PLACES, RESULT

# In the place of ``max_arity`` where there is no end.
NO_END = 1_000_000
_FULL = (1 << WORD_BITS) - 1
_MOST_ARGUMENTS = 12  # with more, nobody asks which of them fills which place


def of_tier(asked: QueryMaskSet, tier: int) -> str:
    """Return the condition that ``tier`` is the lowest whose conditions hold; past the last: none.

    Columns of ``signature s`` count too: a function in its receiver form is never in tier 0.
    """
    if tier == 0:
        return f"NOT s.receiver AND {_conditions(asked, 0)}"
    lower = [_conditions(asked, each) for each in range(min(tier, LAST_TIER + 1))]
    lower[0] = f"({lower[0]}) AND NOT s.receiver" if tier == 1 else lower[0]
    excluded = "".join(f" AND NOT ({one})" for one in reversed(lower))
    if tier > LAST_TIER:
        return f"1{excluded}"
    here = _conditions(asked, tier)
    if tier == 1:
        here = f"({here}) OR ({_conditions(asked, 0)})"
    return f"({here}){excluded}"


def of_overloads(asked: QueryMaskSet) -> str:
    """Return the condition for one of several overloads, as the compiler compares them."""
    return _strictly(asked.erased, erased=True)


def _conditions(asked: QueryMaskSet, tier: int) -> str:
    if tier == 0:
        return _strictly(asked.rigid)
    if tier == 1:
        return _softly(asked.rigid, supplied=0)
    if tier < LAST_TIER:
        supplied = _softly(asked.rigid, supplied=1)
        if asked.opened is asked.rigid:
            return supplied
        return f"({supplied}) OR ({_softly(asked.opened, supplied=0)})"
    return _and(_result(asked.opened, "soft"))


def _strictly(asked: QueryMasks, *, erased: bool = False) -> str:
    erased = erased or asked.vague
    tests = [] if asked.rest is not None else [f"f.min_arity <= {len(asked.arguments)}"]
    result = _and(_result(asked, "strict"))
    any_result = f"f.bounded & {RESULT}{' AND f.guard' if asked.guard else ''}"
    tests.append(f"({any_result} OR ({result}))" if erased else result)
    for place in range(PLACES):
        has = asked.at(place)
        fits = [] if has is None else _is_within(f"place{place}_strict", has.strict)
        if fits and erased:
            tests.append(f"(f.bounded & {1 << place} OR {_and(fits)})")
        else:
            tests += fits
    return _and(tests)


def _softly(asked: QueryMasks, *, supplied: int) -> str:
    given = len(asked.arguments)
    tests = [] if asked.further else [f"f.min_arity <= {given + supplied}"]
    if asked.rest is not None and not asked.further:
        tests.append(f"f.max_arity = {NO_END}")
    elif given:
        tests.append(f"f.max_arity >= {given}")
    tests += _result(asked, "soft")
    if given <= _MOST_ARGUMENTS:
        tests += _all_used(asked)
        if not asked.further:
            tests += _filled(asked, supplied)
    return _and(tests)


def _result(asked: QueryMasks, strictness: str) -> list[str]:
    guard = ["f.guard"] if asked.guard else []
    needs = asked.needs.strict if strictness == "strict" else asked.needs.soft
    return [*guard, *_contains(f"returns_{strictness}", needs)]


def _filled(asked: QueryMasks, supplied: int) -> list[str]:
    """Whether all but ``supplied`` required places can be filled by some argument."""
    every = [
        f"f.min_arity <= {place} OR {_fits_any(place, asked)}"
        for place in range(min(PLACES, len(asked.arguments) + supplied))
    ]
    if not supplied:
        return [f"({one})" for one in every]
    failing = " + ".join(f"(NOT ({one}))" for one in every)
    return [f"{failing} <= {supplied}"] if every else []


def _fits_any(place: int, asked: QueryMasks) -> str:
    fits = [_gets_in(place, *one) for one in _apart(asked)]
    return " OR ".join(f"({one})" for one in fits) or "0"


def _apart(asked: QueryMasks) -> Iterable[tuple[Masks, bool]]:
    """Return each argument once: what it has, and whether it is a variable."""
    return dict.fromkeys(zip(asked.arguments, asked.bare, strict=True))


def _gets_in(place: int, has: Masks, bare: bool) -> str:
    """Whether an argument may fill a place; a variable may be narrowed to what one is within."""
    fits = _and(_is_within(f"place{place}_soft", has.soft))
    return f"f.bounded & {1 << place} OR {fits}" if bare else fits


def _all_used(asked: QueryMasks) -> list[str]:
    """Whether each argument can fill some place, so far as places are known."""
    tests = []
    for one in _apart(asked):
        places = [f"f.max_arity > {place} AND ({_gets_in(place, *one)})" for place in range(PLACES)]
        tests.append(f"(f.places > {PLACES} OR {' OR '.join(f'({each})' for each in places)})")
    return tests


def _contains(column: str, bits: int) -> list[str]:
    """Whether a stored mask holds all of ``bits``."""
    return [
        f"f.{column}{place} & {word} = {word}" for place, word in enumerate(words(bits)) if word
    ]


def _is_within(column: str, bits: int) -> list[str]:
    """Whether ``bits`` hold all of a stored mask."""
    return [
        f"f.{column}{place} & {_FULL & ~word} = 0"
        for place, word in enumerate(words(bits))
        if word != _FULL
    ]


def _and(tests: Sequence[str]) -> str:
    return " AND ".join(tests) or "1"


def filter_columns() -> Iterable[str]:
    """Return the names of the masks' columns, in the table's order."""
    for strictness in ("soft", "strict"):
        yield from (f"returns_{strictness}{word}" for word in range(WORDS))
    for place in range(PLACES):
        yield from (f"place{place}_strict{word}" for word in range(WORDS))
    for place in range(PLACES):
        yield from (f"place{place}_soft{word}" for word in range(WORDS))
