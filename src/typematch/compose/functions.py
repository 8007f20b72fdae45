"""The functions of a catalog that a pipeline may call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from typematch.compose import pipeline_costs
from typematch.index.entries.selection import Selection
from typematch.index.masks.bits import ALL_BITS, words
from typematch.index.masks.function_arrays import Flags
from typematch.index.masks.signature_columns import CHARGE_BITS, Charge
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.store import EntrySummary, Store
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import ELLIPSIS, THIS, WILDCARD, Object, Type
from typematch.match.verdict import NO_FIT_COST
from typematch.package_names import LIBRARY

_KINDS = frozenset(("function", "const", "method", "property", "constructor", "operation"))
_LANGUAGE_PACKAGES = frozenset((LIBRARY, "@types/node"))
# Parts of the language that handle functions, classes and prototypes rather than data.
_REFLECTION = re.compile(
    rf"{LIBRARY}#(?:(?:Callable|Newable|Async|Generator)*Function|Reflect|Proxy"
    r"|\w*PropertyDescriptor\w*|Class\w+|Symbol|\w*Error"
    r"|Object\.(?:assign|create|define\w+|freeze|seal|preventExtensions|setPrototypeOf|get\w+|is\w*)"
    r"|Object#(?!toString)|Intl)\b"
)
_MAY_BE_CONVERTED = 1  # after what is assignable as it is
# In a catalog with more, functions of whose result nothing is known are left out: most of them
# compute a type from their type parameters, and fit whatever is expected.
_MAX_UNKNOWN = 300
_ANY_FUNCTION = Object(calls=(Signature((Parameter("", ELLIPSIS, rest=True),), WILDCARD),))
_MAX_ENTRIES = 12  # of one function type


@dataclass(frozen=True, slots=True)
class Function:
    """An overload of an entry.

    Attributes:
        number: of its type in the store; negative for a method with its receiver first.
        signature: closed, with the type parameters of the container first.
        outer_count: how many those are.
    """

    number: int
    entry: EntrySummary
    overload: int
    signature: Signature
    outer_count: int

    @property
    def is_method(self) -> bool:
        """Whether its first parameter is the receiver."""
        return self.number < 0

    @property
    def package(self) -> str:
        """The package that it belongs to; empty for the language and the platform."""
        return "" if self.entry.package in _LANGUAGE_PACKAGES else self.entry.package


class Functions:
    """The functions that meet a selection; a row is a function type of ``FunctionArrays``.

    Attributes:
        rows: whether each row has a function that meets the selection.
        steps: those that may be a step whose result another one takes.
        unknown_results: whether the index knows nothing of the row's result, such as ``T``.
        any_results: whether the row returns ``any``.
    """

    def __init__(self, store: Store, selection: Selection) -> None:
        self.store = store
        self.arrays = arrays = store.function_arrays()
        self._entries = frozenset(store.matching_entries(selection)) if selection else None
        self.rows = self.selected(selection)
        unknown = np.all(arrays.sources.possible == np.array(words(ALL_BITS)), axis=1)
        self.unknown_results: Flags = unknown[arrays.result]
        self.steps: Flags = self.rows
        if np.count_nonzero(self.unknown_results) > _MAX_UNKNOWN:
            self.steps = self.rows & (~self.unknown_results | self._returns_this())
        charges = arrays.charges & (1 << CHARGE_BITS) - 1
        self.any_results: Flags = charges == Charge.ANY_TYPE
        self._masks = TypeMasks(store)
        self._result_bounds: dict[Type, NDArray[np.int64]] = {}
        self._found: dict[int, tuple[Function, ...]] = {}
        self._summaries: dict[int, EntrySummary] = {}

    def _returns_this(self) -> Flags:
        """Return whether each row returns ``this``, of which the index knows nothing either."""
        arrays = self.arrays
        distinct = np.unique(arrays.result[self.unknown_results])
        numbers = arrays.sources.types[distinct].tolist()
        is_this = [bool(number) and self.store.type(number) is THIS for number in numbers]
        return np.isin(arrays.result, distinct[np.array(is_this, dtype=np.bool_)])

    def selected(self, selection: Selection) -> Flags:
        """Return whether each row has a function that meets a selection."""
        if not selection:
            return np.ones(len(self.arrays), dtype=np.bool_)
        numbers = self.store.function_bounds(_ANY_FUNCTION, selection).numbers
        return np.isin(self.arrays.numbers, numbers)

    def result_bounds(self, target: Type) -> NDArray[np.int64]:
        """Return for each row a lower bound of the cost of its result as a ``target``.

        Awaiting costs nothing in a pipeline, so a result that has to be converted may be free.
        """
        bounds = self._result_bounds.get(target)
        if bounds is None:
            arrays = self.arrays
            masks = self._masks.target_mask(target)
            by_type = arrays.sources.costs_to(masks, NO_FIT_COST, NO_FIT_COST)
            is_converted = (by_type > 0) & (by_type < NO_FIT_COST)
            bounds = np.where(is_converted, _MAY_BE_CONVERTED, by_type)[arrays.result]
            bounds = bounds + np.where(self.unknown_results, pipeline_costs.UNKNOWN_RESULT, 0)
            self._result_bounds[target] = bounds
        return bounds

    def bounds(self, target: Object) -> NDArray[np.int64]:
        """Return the lower bounds of all rows for a function type, in edit units."""
        return self.store.function_bounds(target).bounds

    def type_of(self, row: int) -> Type:
        """Return the function type of a row."""
        return self.store.type(int(self.arrays.numbers[row]))

    def result_of(self, row: int) -> int:
        """Return the number of the result type of a row; 0 if it has none."""
        return int(self.arrays.sources.types[self.arrays.result[row]])

    def of_row(self, row: int) -> tuple[Function, ...]:
        """Return the functions of a type that code can call, the first ``_MAX_ENTRIES``."""
        found = self._found.get(row)
        if found is None:
            self.prefetch((row,))
            found = self._found[row]
        return found

    def prefetch(self, rows: Sequence[int]) -> None:
        """Read the functions of rows together."""
        missing = [row for row in rows if row not in self._found]
        entries = {row: self._entries_of(row) for row in missing}
        unknown = {
            entry
            for pairs in entries.values()
            for entry, _ in pairs
            if entry not in self._summaries
        }
        if unknown:
            self._summaries.update(self.store.summaries(unknown))
        for row in missing:
            self._found[row] = self._usable(row, entries[row])

    def _entries_of(self, row: int) -> list[tuple[int, int]]:
        """Return the entries of a row that meet the selection, with the ordinal of the overload."""
        signatures = self.arrays.signatures
        group = slice(signatures.starts[row], signatures.starts[row + 1])
        pairs = zip(
            signatures.entries[group].tolist(), signatures.ordinals[group].tolist(), strict=True
        )
        return [pair for pair in pairs if self._entries is None or pair[0] in self._entries]

    def _usable(self, row: int, entries: Sequence[tuple[int, int]]) -> tuple[Function, ...]:
        number = int(self.arrays.numbers[row])
        usable = [
            (self._summaries[entry], overload)
            for entry, overload in entries
            if _is_callable(self._summaries[entry], is_method=number < 0)
        ]
        if not usable:
            return ()
        function = self.store.type(number)
        if not isinstance(function, Object) or len(function.calls) != 1:
            return ()
        usable.sort(key=lambda pair: (pair[0].deprecated, len(pair[0].id), pair[0].id))
        closed, outer_count = close_over_container(function)
        return tuple(
            Function(number, summary, overload, closed.calls[0], outer_count)
            for summary, overload in usable[:_MAX_ENTRIES]
        )


def _is_callable(entry: EntrySummary, *, is_method: bool) -> bool:
    """Whether code can call an entry: operations of a client, methods of a receiver."""
    if entry.kind not in _KINDS or not entry.exported:
        return False
    if entry.package == LIBRARY and _is_reflection(entry):
        return False
    if entry.kind in ("operation", "constructor"):
        return not is_method
    is_instance_member = "#" in entry.id.partition("#")[2]
    return is_instance_member == is_method


def _is_reflection(entry: EntrySummary) -> bool:
    return _REFLECTION.match(entry.id) is not None or entry.name in ("eval", "valueOf")
