"""The distinct function types of a file as arrays, for lower bounds over the whole catalog.

One row is a function type, or the receiver form of a method: its arities, and for its result and
first parameter positions a row of ``MaskArrays``.  The arrays are read once per state of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from typematch.index.engines.engine import Database
from typematch.index.masks.bits import ALL_ABSENT, MAY_BE_ANY, NO_VOID, WORD_BITS, WORDS, words
from typematch.index.masks.mask import ConvertedMask, Masks
from typematch.index.masks.mask_rows import MASK_COLUMNS
from typematch.index.masks.signature_columns import (
    CHARGE_BITS,
    CONSTRAINABLE,
    GENERIC,
    POSITIONS,
    RESULT_MAY_BE_ANY,
)

Flags: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.int64]

# ``max_arity`` of a function with a rest parameter.
UNBOUNDED_ARITY = 1_000_000
_WORD_MASK = (1 << WORD_BITS) - 1
_FUNCTIONS = (
    "SELECT type, min_arity, max_arity, positions, guard, bounded, charges, returns, "
    "coalesce(position0, 0), coalesce(position1, 0), coalesce(position2, 0), "
    "coalesce(position3, 0) "
    "FROM function ORDER BY type"
)


@dataclass(frozen=True, slots=True)
class MaskArrays:
    """The masks of distinct types, one row per type, ascending by number.

    Attributes:
        types: numbers of the types; 0 stands for a position that accepts every argument.
        strict: masks of the types, of shape (types, words).
        converted: one mask for all conversions of a type, of the same shape.
        steps: cost of the cheapest conversion in edit units, 0 without one.
        names: bits of the property names of weak types as targets, 0 of other types, of shape
            (types, words - 1); without columns if the types are sources.
    """

    types: Numbers
    strict: Numbers
    converted: Numbers
    steps: Numbers
    names: Numbers

    @property
    def possible(self) -> Numbers:
        """The bits of the types and of what they convert to, of the shape of ``strict``."""
        return self.strict | self.converted

    def take(self, rows: Numbers) -> MaskArrays:
        """Return some rows."""
        return MaskArrays(
            self.types[rows],
            self.strict[rows],
            self.converted[rows],
            self.steps[rows],
            self.names[rows],
        )

    def rows_of(self, types: Numbers) -> Numbers:
        """Return the rows of types, all of which are stored."""
        return np.searchsorted(self.types, types)

    def assignable_to(self, target: Masks) -> Flags:
        """Return for each source whether it may be assignable to ``target``."""
        return _contains(self.strict, target.strict) | self._may_be_any

    @property
    def _may_be_any(self) -> Flags:
        flags: Flags = (self.strict[:, 0] & MAY_BE_ANY) != 0
        return flags

    def accepting(self, source: Masks) -> Flags:
        """Return for each target whether ``source`` may be assignable to it."""
        if source.strict & MAY_BE_ANY:
            return np.ones(len(self.types), dtype=np.bool_)
        accepting = _is_within(self.strict, source.strict)
        if source.names is not None:
            is_weak = np.any(self.names != 0, axis=1)
            # A weak type accepts only what shares a property with it.
            shared = (self.names & np.array(words(source.names)[1:])) != 0
            accepting &= np.any(shared, axis=1) | ~is_weak
        return accepting

    def costs_to(self, target: Masks, mismatch: int, of_any: int) -> Numbers:
        """Return for each source the lower bound of converting it to ``target``, in edit units.

        Args:
            mismatch: the cost of a source that no conversion relates.
            of_any: the cost of a computed type that turns out to be ``any`` or ``never``.
        """
        assignable = _contains(self.strict, target.strict)
        costs = self._costs(assignable, target, _contains, mismatch)
        return np.where(self._may_be_any, np.minimum(costs, of_any), costs)

    def costs_from(self, source: Masks, mismatch: int) -> Numbers:
        """Return for each target the lower bound of converting ``source`` to it."""
        return self._costs(self.accepting(source), source, _is_within, mismatch)

    def _costs(
        self,
        assignable: Flags,
        other: Masks,
        may_fit: Callable[[Numbers, int], Flags],
        mismatch: int,
    ) -> Numbers:
        costs = np.full(len(self.types), mismatch, dtype=np.int64)
        convertible = self.steps > 0
        for alternative in (ConvertedMask(0, other.strict), *other.converted):
            passing = may_fit(self.converted, alternative.mask) & convertible
            np.minimum(costs, alternative.cost + self.steps, out=costs, where=passing)
            if alternative.cost:
                passing = may_fit(self.strict, alternative.mask)
                np.minimum(costs, alternative.cost, out=costs, where=passing)
        costs[assignable] = 0
        return costs


def _contains(rows: Numbers, mask: int) -> Flags:
    passing = np.ones(len(rows), dtype=np.bool_)
    for column, word in enumerate(words(mask)):
        if word:
            passing &= (rows[:, column] & word) == word
    return passing


def _is_within(rows: Numbers, mask: int) -> Flags:
    passing = np.ones(len(rows), dtype=np.bool_)
    for column, word in enumerate(words(mask)):
        if word != _WORD_MASK:
            passing &= (rows[:, column] & ~word) == 0
    return passing


@dataclass(frozen=True, slots=True)
class SignatureArrays:
    """The signatures of entries, grouped by function type.

    Attributes:
        starts: of the group of each row of ``FunctionArrays``; one more than there are rows.
        entries: entry numbers, ascending within a group.
        ordinals: which of the entry's signatures it is.
        counts: number of signatures by entry number, receiver forms not counted.
    """

    starts: Numbers
    entries: Numbers
    ordinals: Numbers
    counts: Numbers

    def rows_with(self, selected: Flags) -> Flags:
        """Return for each row of ``FunctionArrays`` whether its group has a selected signature."""
        sums = np.concatenate(([0], np.cumsum(selected)))
        return sums[self.starts[1:]] > sums[self.starts[:-1]]

    def rows_of_signatures(self) -> Numbers:
        """Return for each signature the row of its function type."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


@dataclass(frozen=True, slots=True)
class FunctionColumns:
    """What lower bounds are computed from, one row per function type.

    Attributes:
        min_arity, max_arity: as in ``SignatureColumns``, without trailing positions that take
            ``void`` through an alias; ``UNBOUNDED_ARITY`` with a rest parameter.
        parameter_counts: a rest parameter counts as one.
        guards: whether it is a type guard.
        bounded: bit sets of ``SignatureColumns.bounded``.
        charges: ``SignatureColumns.charges``, shifted for receiver forms.
        result: rows of ``sources``.
        positions: for each position rows of ``targets``; row 0 accepts every argument.
        sources: masks of the results, and of the types that entries name.
        targets: masks of the parameters.
    """

    min_arity: Numbers
    max_arity: Numbers
    parameter_counts: Numbers
    guards: Flags
    bounded: Numbers
    charges: Numbers
    result: Numbers
    positions: tuple[Numbers, ...]
    sources: MaskArrays
    targets: MaskArrays

    def __len__(self) -> int:
        return len(self.result)

    def take(self, rows: Numbers) -> FunctionColumns:
        """Return some rows, with the masks of their types only."""
        sources, result = np.unique(self.result[rows], return_inverse=True)
        taken = np.stack([position[rows] for position in self.positions])
        targets, positions = np.unique(taken, return_inverse=True)
        return FunctionColumns(
            self.min_arity[rows],
            self.max_arity[rows],
            self.parameter_counts[rows],
            self.guards[rows],
            self.bounded[rows],
            self.charges[rows],
            result,
            tuple(positions.reshape(taken.shape)),
            self.sources.take(sources),
            self.targets.take(targets),
        )


@dataclass(frozen=True, slots=True)
class FunctionArrays(FunctionColumns):
    """One row per function type, ascending by number, then one per receiver form, descending.

    Attributes:
        numbers: of the function types; receiver forms have negative ones.
        signatures: the entries that have each function type as a signature.
    """

    numbers: Numbers
    signatures: SignatureArrays

    def row_of(self, number: int) -> int:
        """Return the row of a function type, or of a receiver form by its negative number."""
        first_form = int(np.searchsorted(self.numbers < 0, True))
        if number > 0:
            return int(np.searchsorted(self.numbers[:first_form], number))
        return first_form + int(np.searchsorted(-self.numbers[first_form:], -number))


def read_function_arrays(database: Database) -> FunctionArrays:
    """Read the arrays of the file."""
    sources = _read_masks(database, "source_mask")
    targets = _read_masks(database, "target_mask")
    rows = database.read_numbers(_FUNCTIONS, 12)
    receivers = database.read_numbers("SELECT id, method, container FROM receiver ORDER BY id", 3)
    methods = rows[np.searchsorted(rows[:, 0], receivers[:, 1])]
    numbers = np.concatenate((rows[:, 0], -receivers[:, 0]))
    shifted = np.hstack((receivers[:, 2:], methods[:, 8:-1]))
    positions = targets.rows_of(np.concatenate((rows[:, 8:], shifted)))
    min_arity = np.concatenate((rows[:, 1], methods[:, 1] + 1))
    max_arity = np.concatenate((rows[:, 2], np.minimum(methods[:, 2] + 1, UNBOUNDED_ARITY)))
    return FunctionArrays(
        _without_void_positions(min_arity, positions, targets),
        max_arity,
        np.concatenate((rows[:, 3], methods[:, 3] + 1)),
        np.concatenate((rows[:, 4], methods[:, 4])) != 0,
        np.concatenate((rows[:, 5], _shifted_bounds(methods[:, 5]))),
        np.concatenate((rows[:, 6], _shifted_charges(methods[:, 6]))),
        sources.rows_of(np.concatenate((rows[:, 7], methods[:, 7]))),
        tuple(np.ascontiguousarray(positions[:, position]) for position in range(POSITIONS)),
        sources,
        targets,
        numbers,
        _read_signatures(database, numbers),
    )


def _read_signatures(database: Database, numbers: Numbers) -> SignatureArrays:
    table = database.read_numbers(
        "SELECT function, entry, ordinal FROM signature ORDER BY entry, ordinal", 3
    )
    order = np.argsort(numbers)
    rows = order[np.searchsorted(numbers, table[:, 0], sorter=order)]
    by_row = np.argsort(rows, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(numbers)))))
    declared = table[table[:, 0] > 0, 1]
    return SignatureArrays(starts, table[by_row, 1], table[by_row, 2], np.bincount(declared))


def _read_masks(database: Database, table: str) -> MaskArrays:
    """Return the masks of a table; row 0 has no bits."""
    columns = MASK_COLUMNS[table]
    sql = f"SELECT type, {', '.join(columns)} FROM {table} ORDER BY type"
    rows = database.read_numbers(sql, 1 + len(columns))
    rows = np.concatenate((np.zeros((1, rows.shape[1]), dtype=np.int64), rows))
    parts = np.split(rows, [1, 1 + WORDS, 1 + 2 * WORDS, 2 + 2 * WORDS], axis=1)
    types, strict, converted, steps, names = map(np.ascontiguousarray, parts)
    return MaskArrays(types[:, 0], strict, converted, steps[:, 0], names)


def _shifted_bounds(bounded: Numbers) -> Numbers:
    """Return the bit sets with every position one further right, the receiver's being generic."""
    flags = RESULT_MAY_BE_ANY | CONSTRAINABLE
    return GENERIC | (bounded & flags) | (((bounded & ~flags) << 1) & ((1 << POSITIONS) - 1))


def _shifted_charges(charges: Numbers) -> Numbers:
    """Return the charges with every position one further right; the receiver has none."""
    result = charges & ((1 << CHARGE_BITS) - 1)
    positions = (charges >> CHARGE_BITS) & ((1 << CHARGE_BITS * (POSITIONS - 1)) - 1)
    return result | positions << 2 * CHARGE_BITS


def _without_void_positions(min_arity: Numbers, positions: Numbers, targets: MaskArrays) -> Numbers:
    """Return the fewest arguments: trailing positions that take ``void`` may be omitted."""
    head = targets.strict[:, 0]
    takes_void = ((head & ALL_ABSENT) != 0) & ((head & NO_VOID) == 0)
    fewest = min_arity.copy()
    for position in reversed(range(POSITIONS)):
        fewest[(fewest == position + 1) & takes_void[positions[:, position]]] = position
    return fewest
