"""The filters of the search tiers as SQL conditions over ``filter f`` and ``signature s``.

The conditions are necessary for a fit within the tier's ceiling (``match.edit_kinds``):

- tier 0: strict assignability;
- tier 1: arguments reordered; values awaited, unwrapped or copied;
- tier 2: one required argument supplied, or query variables made concrete;
- tier 3: arguments unused or packed into an object; only the result has to fit.

Every test reads numbers of the row, the most selective first, so one scan of a narrow table
suffices.  Masks are written into the SQL as integers; no user input is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.index.masks.bits import WORD_BITS, WORDS, words
from typematch.index.masks.mask import Masks
from typematch.index.masks.query_masks import QueryMasks, QueryMaskSet
from typematch.index.masks.signature_columns import POSITIONS, RESULT

LAST_TIER = 3
MISFITS = 4  # after the last tier: what no tier selects
# ``max_arity`` of a function with a rest parameter.
UNBOUNDED_ARITY = 1_000_000
_ALL_WORD_BITS = (1 << WORD_BITS) - 1
_MAX_MATCHED_ARGUMENTS = 12  # with more, the tests per argument and position are omitted


def tier_condition(query: QueryMaskSet, tier: int) -> str:
    """Return the condition that ``tier`` is the lowest tier that selects a signature.

    For ``MISFITS``, that no tier does.  A method with its receiver as first argument is never in
    tier 0.
    """
    if tier == 0:
        return f"NOT s.receiver AND {_condition_of(query, 0)}"
    lower = [_condition_of(query, lower_tier) for lower_tier in range(min(tier, LAST_TIER + 1))]
    lower[0] = f"({lower[0]}) AND NOT s.receiver" if tier == 1 else lower[0]
    excluded = "".join(f" AND NOT ({condition})" for condition in reversed(lower))
    if tier > LAST_TIER:
        return f"1{excluded}"
    condition_here = _condition_of(query, tier)
    if tier == 1:
        condition_here = f"({condition_here}) OR ({_condition_of(query, 0)})"
    return f"({condition_here}){excluded}"


def overload_condition(query: QueryMaskSet) -> str:
    """Return the condition for one of several overloads.

    Overload sets are compared with ``any`` for all type parameters (signaturesRelatedTo).
    """
    return _strict_condition(query.erased, erased=True)


def _condition_of(query: QueryMaskSet, tier: int) -> str:
    if tier == 0:
        return _strict_condition(query.skolemized)
    if tier == 1:
        return _soft_condition(query.skolemized, missing=0)
    if tier < LAST_TIER:
        one_missing = _soft_condition(query.skolemized, missing=1)
        if query.opened is query.skolemized:
            return one_missing
        return f"({one_missing}) OR ({_soft_condition(query.opened, missing=0)})"
    return _and(_result_tests(query.opened, "soft"))


def _strict_condition(query: QueryMasks, *, erased: bool = False) -> str:
    erased = erased or query.mentions_any_or_never
    tests = [] if query.rest is not None else [f"f.min_arity <= {len(query.arguments)}"]
    result = _and(_result_tests(query, "strict"))
    any_result = f"f.bounded & {RESULT}{' AND f.guard' if query.guard else ''}"
    tests.append(f"({any_result} OR ({result}))" if erased else result)
    for position in range(POSITIONS):
        argument = query.argument_at(position)
        if argument is None:
            continue
        fits = _within_bits(f"place{position}_strict", argument.strict)
        if fits and erased:
            tests.append(f"(f.bounded & {1 << position} OR {_and(fits)})")
        else:
            tests += fits
    return _and(tests)


def _soft_condition(query: QueryMasks, *, missing: int) -> str:
    argument_count = len(query.arguments)
    tests = [] if query.allows_more else [f"f.min_arity <= {argument_count + missing}"]
    if query.rest is not None and not query.allows_more:
        tests.append(f"f.max_arity = {UNBOUNDED_ARITY}")
    elif argument_count:
        tests.append(f"f.max_arity >= {argument_count}")
    tests += _result_tests(query, "soft")
    if argument_count <= _MAX_MATCHED_ARGUMENTS:
        tests += _all_arguments_used(query)
        if not query.allows_more:
            tests += _required_filled(query, missing)
    return _and(tests)


def _result_tests(query: QueryMasks, strictness: str) -> list[str]:
    guard = ["f.guard"] if query.guard else []
    mask = query.result.strict if strictness == "strict" else query.result.soft
    return [*guard, *_contains_bits(f"returns_{strictness}", mask)]


def _required_filled(query: QueryMasks, missing: int) -> list[str]:
    """Tests that some argument fits each required position, ``missing`` of them excepted."""
    filled = [
        f"f.min_arity <= {position} OR {_some_argument_fits(position, query)}"
        for position in range(min(POSITIONS, len(query.arguments) + missing))
    ]
    if not missing:
        return [f"({test})" for test in filled]
    failing = " + ".join(f"(NOT ({test}))" for test in filled)
    return [f"{failing} <= {missing}"] if filled else []


def _some_argument_fits(position: int, query: QueryMasks) -> str:
    alternatives = [_argument_fits(position, *argument) for argument in _distinct_arguments(query)]
    return " OR ".join(f"({argument})" for argument in alternatives) or "0"


def _distinct_arguments(query: QueryMasks) -> Iterable[tuple[Masks, bool]]:
    """Return (source mask, whether it is a query variable) of each argument, without repeats."""
    return dict.fromkeys(zip(query.arguments, query.is_variable, strict=True))


def _argument_fits(position: int, argument: Masks, is_variable: bool) -> str:
    """Test that an argument may fit a position; a query variable may be constrained to fit."""
    fits = _and(_within_bits(f"place{position}_soft", argument.soft))
    return f"f.bounded & {1 << position} OR {fits}" if is_variable else fits


def _all_arguments_used(query: QueryMasks) -> list[str]:
    """Tests that each argument fits some position, if all positions are stored."""
    tests = []
    for argument in _distinct_arguments(query):
        alternatives = [
            f"f.max_arity > {position} AND ({_argument_fits(position, *argument)})"
            for position in range(POSITIONS)
        ]
        tests.append(
            f"(f.places > {POSITIONS} OR {' OR '.join(f'({test})' for test in alternatives)})"
        )
    return tests


def _contains_bits(column: str, mask: int) -> list[str]:
    """Tests that a stored mask is a superset of ``mask``."""
    return [f"f.{column}{i} & {word} = {word}" for i, word in enumerate(words(mask)) if word]


def _within_bits(column: str, mask: int) -> list[str]:
    """Tests that a stored mask is a subset of ``mask``."""
    return [
        f"f.{column}{i} & {_ALL_WORD_BITS & ~word} = 0"
        for i, word in enumerate(words(mask))
        if word != _ALL_WORD_BITS
    ]


def _and(tests: Sequence[str]) -> str:
    return " AND ".join(tests) or "1"


def filter_columns() -> Iterable[str]:
    """Return the names of the mask columns of ``filter``, in the table's order."""
    for strictness in ("soft", "strict"):
        yield from (f"returns_{strictness}{word}" for word in range(WORDS))
    for position in range(POSITIONS):
        yield from (f"place{position}_strict{word}" for word in range(WORDS))
    for position in range(POSITIONS):
        yield from (f"place{position}_soft{word}" for word in range(WORDS))
