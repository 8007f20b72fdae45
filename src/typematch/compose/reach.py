"""Which functions can be called with what the query gives, after how many calls?

A necessary condition, decided by the masks of the index for all functions at once.  Level 1 are the
functions that take arguments of the query.  A function of a higher level takes the result of one of
a lower level in a position that says something: a type with properties, not any string.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from typematch.index.masks import bits
from typematch.index.masks.function_arrays import Flags, MaskArrays, Numbers
from typematch.index.masks.signature_columns import POSITIONS
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.store import Store
from typematch.ir.type_parts import Parameter
from typematch.match.verdict import NO_FIT_COST

_NAME_WORDS = bits.words(bits.NAMES)
_LITERAL_WORDS = bits.words(bits.LITERALS)
_ALL_WORDS = bits.words(bits.ALL_BITS)
_BATCH = 64  # result types compared at once


class Reach:
    """The functions by level.

    Args:
        first: the functions of level 1.
        taking: those that take an argument.
    """

    def __init__(
        self,
        arguments: Sequence[Parameter],
        store: Store,
        first: Flags,
        taking: Flags,
        depth: int,
    ) -> None:
        self._arrays = store.function_arrays()
        type_masks = TypeMasks(store)
        given: Flags = np.zeros(len(self._arrays.targets.types), dtype=np.bool_)
        for argument in arguments:
            masks = type_masks.source_mask(argument.type)
            given |= self._arrays.targets.costs_from(masks, NO_FIT_COST) < NO_FIT_COST
        self._takes_argument = self._accepts(given)
        self._given = given | _has_bits(self._arrays.targets.strict, _LITERAL_WORDS)
        reached, derived = first, taking
        self._levels = [np.zeros_like(first), first]
        self._derived = [np.zeros_like(first), taking]
        for _ in range(2, depth + 1):
            complete = self._complete(self._joined(reached))
            from_derived = self._accepts(self._joined(derived))
            reached = reached | complete
            derived = derived | (complete & (from_derived | self._takes_argument))
            self._levels.append(reached)
            self._derived.append(derived)

    def within(self, level: int) -> Flags:
        """Return the functions that at most so many calls reach."""
        return self._levels[level]

    def derived(self, level: int) -> Flags:
        """Return those of ``within`` whose result depends on an argument of the query."""
        return self._derived[level]

    def _joined(self, reached: Flags) -> Flags:
        functions = self._arrays
        return _accepting(functions.targets, functions.sources, functions.result[reached])

    def _complete(self, joined: Flags) -> Flags:
        """Return the functions that take such a target, and miss at most one argument.

        A union of literals, which a literal fills, looks like any string.
        """
        functions = self._arrays
        missing = np.maximum(functions.min_arity - POSITIONS, 0)
        for position in range(POSITIONS):
            rows = functions.positions[position]
            is_filled = joined[rows] | self._given[rows]
            missing = missing + ((functions.min_arity > position) & ~is_filled)
        complete: Flags = self._accepts(joined) & (missing <= 1)
        return complete

    def _accepts(self, targets: Flags) -> Flags:
        """Return the functions with a position whose type is among ``targets``."""
        functions = self._arrays
        found: Flags = np.zeros(len(functions), dtype=np.bool_)
        for position in range(POSITIONS):
            has = functions.max_arity > position
            found |= has & targets[functions.positions[position]]
        return found


def _accepting(targets: MaskArrays, sources: MaskArrays, results: Numbers) -> Flags:
    """Return for each target whether it says something and one of the results may fit it."""
    says_something = _has_bits(targets.strict, _NAME_WORDS)
    candidates = np.flatnonzero(says_something)
    rows = np.unique(results)
    given = sources.possible[rows]
    is_known = np.any(given != np.array(_ALL_WORDS), axis=1)
    is_object = _has_bits(given, _NAME_WORDS)
    given = given[is_known & is_object]
    is_converted = (targets.steps > 0)[:, None]
    wanted = np.where(is_converted, targets.strict & targets.converted, targets.strict)[candidates]
    fits = np.zeros(len(candidates), dtype=np.bool_)
    for start in range(0, len(given), _BATCH):
        batch = given[start : start + _BATCH]
        pending = np.flatnonzero(~fits)
        if not len(pending):
            break
        missing = wanted[pending][:, None, :] & ~batch[None, :, :]
        fits[pending] = (missing == 0).all(axis=2).any(axis=1)
    accepting: Flags = np.zeros(len(targets.types), dtype=np.bool_)
    accepting[candidates[fits]] = True
    return accepting


def _has_bits(rows: Numbers, mask: tuple[int, int, int]) -> Flags:
    flags: Flags = np.zeros(len(rows), dtype=np.bool_)
    for column, word in enumerate(mask):
        if word:
            flags |= (rows[:, column] & word) != 0
    return flags
