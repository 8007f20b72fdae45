"""The functions of a catalog that a pipeline may call."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from typematch.compose import prices
from typematch.index.entries.selection import Selection
from typematch.index.masks.bits import ALL_BITS, words
from typematch.index.masks.signature_columns import CHARGE_BITS, Charge
from typematch.index.store import EntrySummary, FunctionBounds, Store
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Signature
from typematch.ir.types import Object

_KINDS = frozenset(
    ("function", "const", "method", "property", "static", "constructor", "operation")
)
_LANGUAGE_PACKAGES = frozenset(("lib", "@types/node"))
# Parts of the language that handle functions, classes and prototypes rather than data.
_MACHINERY = re.compile(
    r"lib#(?:(?:Callable|Newable|Async|Generator)*Function|Reflect|Proxy|\w*PropertyDescriptor\w*|Class\w+|Symbol"
    r"|\w*Error|Object\.(?:assign|create|define\w+|freeze|seal|preventExtensions|setPrototypeOf|get\w+|is\w*)"
    r"|Object#(?!toString)|Intl)\b"
)
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
    """The functions that meet a selection."""

    def __init__(self, store: Store, selection: Selection) -> None:
        self.store = store
        self._selection = selection
        self._unknown_results: NDArray[np.int64] | None = None
        self._found: dict[int, tuple[Function, ...]] = {}

    def bounds(self, target: Object, selection: Selection = ()) -> FunctionBounds:
        """Return the lower bounds of all functions for a function type."""
        return self.store.function_bounds(target, (*self._selection, *selection))

    def result_prices(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the prices of results of which the index knows nothing, such as ``T``."""
        is_unknown = np.isin(numbers, self.unknown_results)
        return np.where(is_unknown, prices.UNKNOWN_RESULT, 0)

    @property
    def unknown_results(self) -> NDArray[np.int64]:
        """The numbers of the function types of whose results the index knows nothing."""
        if self._unknown_results is None:
            arrays = self.store.function_arrays()
            unknown = np.all(arrays.sources.soft == np.array(words(ALL_BITS)), axis=1)
            self._unknown_results = arrays.numbers[unknown[arrays.result]]
        return self._unknown_results

    @property
    def any_results(self) -> frozenset[int]:
        """The numbers of the function types that return ``any``."""
        arrays = self.store.function_arrays()
        charges = arrays.charges & (1 << CHARGE_BITS) - 1
        return frozenset(arrays.numbers[charges == Charge.ANY_TYPE].tolist())

    def of_type(self, number: int) -> tuple[Function, ...]:
        """Return the functions of a type that code can call, the first ``_MAX_ENTRIES``."""
        found = self._found.get(number)
        if found is None:
            found = self._found[number] = self._read(number)
        return found

    def _read(self, number: int) -> tuple[Function, ...]:
        function = self.store.type(number)
        if not isinstance(function, Object) or len(function.calls) != 1:
            return ()
        candidate = self.store.candidate(number, self._selection)
        summaries = self.store.summaries(entry for entry, _ in candidate.entries)
        usable = [
            (summaries[entry], overload)
            for entry, overload in candidate.entries
            if _is_callable(summaries[entry], is_method=number < 0)
        ]
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
    if entry.package == "lib" and _is_machinery(entry):
        return False
    if entry.kind in ("operation", "constructor"):
        return not is_method
    is_instance_member = "#" in entry.id.partition("#")[2]
    return is_instance_member == is_method


def _is_machinery(entry: EntrySummary) -> bool:
    return _MACHINERY.match(entry.id) is not None or entry.name == "valueOf"
