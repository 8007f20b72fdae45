"""Results of a comparison: ``Fit`` with its cost, ``Misfit`` with its reason, or ``Undecided``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, final

from typematch.ir.render import render
from typematch.ir.types import Type

if TYPE_CHECKING:
    from typematch.match.edit_kinds import Edit


@dataclass(frozen=True, slots=True)
class Fit:
    """The source matches the target after ``edits``; without edits it is assignable.

    Attributes:
        assignment: for a call, the query argument of each parameter, as in
            ``ArgumentAssignment.sources``; empty where whole types were compared.  Not part of
            equality.
    """

    edits: tuple[Edit, ...] = ()
    assignment: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @property
    def cost(self) -> int:
        """The sum of the costs of the edits, in edit units."""
        return sum(edit.cost for edit in self.edits)

    def __bool__(self) -> bool:
        return True


FIT = Fit()


@final
class Misfit:
    """The source does not match.  ``path`` and ``reason`` are computed when they are read.

    Attributes:
        code: key of ``REASONS``, or ``"inside"`` with a ``cause``.
        source, target: what the reason names, mostly types.
        segment: the path from this type to the part that ``cause`` is about.
        cause: the misfit of that part.
    """

    __slots__ = ("cause", "code", "segment", "source", "target")

    def __init__(
        self,
        code: str,
        source: object = "",
        target: object = "",
        segment: str = "",
        cause: Misfit | None = None,
    ) -> None:
        self.code = code
        self.source = source
        self.target = target
        self.segment = segment
        self.cause = cause

    def at(self, segment: str) -> Misfit:
        """Return this misfit as one of the enclosing type, this part being at ``segment``."""
        return Misfit("inside", segment=segment, cause=self)

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"Misfit({self.path!r}, {self.reason!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Misfit):
            return NotImplemented
        return (self.path, self.reason) == (other.path, other.reason)

    def __hash__(self) -> int:
        return hash((self.path, self.reason))

    @property
    def path(self) -> str:
        """Path of the part that does not match, ``$`` being the whole: ``$.returns.id``."""
        segments = []
        current: Misfit | None = self
        while current is not None:
            segments.append(current.segment)
            current = current.cause
        return "$" + "".join(segments)

    @property
    def reason(self) -> str:
        """Why it does not match, as a sentence without a full stop."""
        current = self
        while current.cause is not None:
            current = current.cause
        sentence = REASONS[current.code]
        return sentence.format(
            source=_display_text(current.source), target=_display_text(current.target)
        )


_MAX_LENGTH = 300  # characters of a type in a reason
REASONS = {
    "over-ceiling": "it costs {source} or more",
    "type": "{source} is not {target}",
    "missing": "property {target} is missing in {source}",
    "optional": "property {target} is optional in {source}",
    "private": "property {target} is private or protected and declared elsewhere",
    "weak": "{source} has no property in common with {target}",
    "index": "{source} has no index signature for {target}",
    "member": "{source} is not a member of {target}",
    "readonly": "{source} is readonly, {target} is not",
    "length": "the length of {source} is not that of {target}",
    "call": "{source} cannot be called as {target}",
    "construct": "{source} cannot be constructed as {target}",
    "abstract": "{source} is abstract",
    "access": "the constructor of {source} is private or protected",
    "arity": "it requires {source} arguments and is called with {target}",
    "predicate": "it is not a type guard like {target}",
}


def _display_text(part: object) -> str:
    text = render(part) if isinstance(part, Type) else str(part)
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"


@dataclass(frozen=True, slots=True)
class Undecided:
    """A limit of ``program.reduction.limits`` was reached; ``reason`` names it."""

    reason: str

    def __bool__(self) -> bool:
        return False


Verdict: TypeAlias = Fit | Misfit | Undecided


# Code of a misfit under a ceiling that may be a fit of a higher cost.
OVER_CEILING = "over-ceiling"
NO_FIT_COST = 1 << 30  # more than any fit costs, in edit units


def over_ceiling(lower_bound: int) -> Misfit:
    """Return a misfit under a ceiling: a fit costs at least ``lower_bound``, in edit units."""
    return Misfit(OVER_CEILING, lower_bound)


def up_to(fit: Fit, ceiling: int | None) -> Verdict:
    """Return ``fit``, or a misfit that holds its cost if that is above the ceiling."""
    return fit if ceiling is None or fit.cost <= ceiling else over_ceiling(fit.cost)


def lower_bound(verdict: Misfit) -> int:
    """Return the least that a fit can cost, in edit units; ``NO_FIT_COST`` if there is none."""
    return int(str(verdict.source)) if verdict.code == OVER_CEILING else NO_FIT_COST


def add_edits(
    match: Callable[[int | None], Verdict], edits: Sequence[Edit], ceiling: int | None
) -> Verdict:
    """Match an edited pair and add the cost of the edits to the verdict.

    Args:
        match: returns the verdict on the edited pair; its argument is the ceiling, None without.
        ceiling: the highest cost of a fit, ``edits`` included, in edit units; None for no limit.
    """
    added_cost = sum(edit.cost for edit in edits)
    if ceiling is not None and ceiling < added_cost:
        return over_ceiling(added_cost)
    verdict = match(None if ceiling is None else ceiling - added_cost)
    if isinstance(verdict, Fit):
        return Fit((*edits, *verdict.edits), verdict.assignment)
    if isinstance(verdict, Misfit) and verdict.code == OVER_CEILING:
        return over_ceiling(added_cost + lower_bound(verdict))
    return verdict


def sort_key(verdict: Verdict) -> tuple[int, int]:
    """Sort key: fits by cost, then undecided ones, then misfits by lower bound."""
    if isinstance(verdict, Fit):
        return 0, verdict.cost
    if isinstance(verdict, Undecided):
        return 1, 0
    return 2, lower_bound(verdict)


def min_verdict(first: Verdict, second: Verdict) -> Verdict:
    """Return the better verdict by ``sort_key``, the first one if they are equal."""
    return second if sort_key(second) < sort_key(first) else first
