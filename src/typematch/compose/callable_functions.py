"""The functions that can be called with the arguments of a query, for all functions at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from typematch.compose.functions import Functions
from typematch.compose.reach import Reach
from typematch.compose.work import Work
from typematch.index.masks.function_arrays import Flags
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import WILDCARD, Object
from typematch.match.edit_kinds import ARGUMENT_SUPPLIED

# A function that the query's arguments may call: one more may be a literal.
_MAX_CALL_COST = ARGUMENT_SUPPLIED.cost + 30
_COMPARISON_WORK = 3.0  # of computing the bounds of all functions


class CallableFunctions:
    """The functions by the arguments of a query that they take; computed as needed.

    The goals of one query share it where they have the same arguments.

    Attributes:
        all_used: bit set of all arguments.
        reach: by the number of calls.
    """

    def __init__(
        self, arguments: Sequence[Parameter], functions: Functions, work: Work, depth: int
    ) -> None:
        self._arguments, self._functions = arguments, functions
        self._callable: dict[int, Flags] = {}
        self._exactly: dict[int, Flags] = {}
        self.all_used = (1 << len(arguments)) - 1
        taking = np.zeros_like(functions.rows)
        for used in range(self.all_used + 1):
            self._exactly[used] = self._taking(used, work)
            if used:
                taking |= self._exactly[used]
        self.reach = Reach(arguments, functions.store, self.taking(0), taking, depth)

    def taking(self, needed: int) -> Flags:
        """Return the functions that take these arguments of the query, and maybe others."""
        if needed not in self._callable:
            found = np.zeros_like(self._functions.rows)
            for used, flags in self._exactly.items():
                if used & needed == needed:
                    found |= flags
            self._callable[needed] = found
        return self._callable[needed]

    def _taking(self, used: int, work: Work) -> Flags:
        """Return the functions that take exactly these arguments, and maybe a literal."""
        arguments = tuple(
            argument for index, argument in enumerate(self._arguments) if used >> index & 1
        )
        work.count(_COMPARISON_WORK)
        query = Object(calls=(Signature(arguments, WILDCARD),))
        within = self._functions.bounds(query) <= _MAX_CALL_COST
        flags: Flags = within & self._functions.steps
        return flags
