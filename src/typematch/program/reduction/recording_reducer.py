"""A reducer that keeps what took it many steps, for others."""

from __future__ import annotations

from typematch.ir.declaration import Declarations
from typematch.ir.types import Type
from typematch.program.reduction.costly import MIN_STEPS, CostlyReduction, CostlyReductions
from typematch.program.reduction.limits import Limits
from typematch.program.reduction.reduce import AssignabilityOracle, Reducer


class RecordingReducer(Reducer):
    """A reducer with empty caches that takes results from ``costly``, and adds its own."""

    def __init__(
        self,
        declarations: Declarations,
        costly: CostlyReductions,
        *,
        oracle: AssignabilityOracle,
        limits: Limits,
    ) -> None:
        super().__init__(declarations, oracle=oracle, limits=limits)
        self.take_from(costly)
        self._results = costly.results
        self._endless, self._unfinished = costly.endless, costly.unfinished
        self._parts: list[Type] = []  # of the reduction in progress
        self._steps_of_parts = 0  # of all that were reduced so far

    def normal(self, t: Type) -> Type:
        outer, self._parts = self._parts, []
        steps, steps_of_parts = self.steps, self._steps_of_parts
        was_known = self._results.lookup(t) is not None
        try:
            result = super().normal(t)
        finally:
            parts, self._parts = self._parts, outer
        own_steps = (self.steps - steps) - (self._steps_of_parts - steps_of_parts)
        if was_known or own_steps >= MIN_STEPS:
            if not was_known:
                self._results[t] = CostlyReduction(result, own_steps, tuple(dict.fromkeys(parts)))
            self._steps_of_parts += own_steps
            outer.append(t)
        else:
            outer.extend(parts)
        return result
