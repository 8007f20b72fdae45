"""Say what a comparison came to.

It fits at a price, it does not and why, or it was too much work to tell.
"""

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
    """The source fits; ``edits`` are the differences that were forgiven, none for a strict fit.

    ``way`` says of a call how the query's arguments were handed over, as ``ArgumentAssignment.sources``;
    it is empty where the types were compared as wholes.  Fits are equal whatever their ways.
    """

    edits: tuple[Edit, ...] = ()
    way: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @property
    def cost(self) -> int:
        """Return the sum of the edits' prices, in edit units."""
        return sum(edit.price for edit in self.edits)

    def __bool__(self) -> bool:
        return True


FIT = Fit()


@final
class Misfit:
    """The source does not fit.  ``path`` and ``reason`` are made only when somebody reads them.

    Attributes:
        kind: which sentence of ``SENTENCES`` tells it.
        source, target: what it speaks of, types mostly.
        segment, cause: for the way from a whole to the part that broke.
    """

    __slots__ = ("cause", "kind", "segment", "source", "target")

    def __init__(
        self,
        kind: str,
        source: object = "",
        target: object = "",
        segment: str = "",
        cause: Misfit | None = None,
    ) -> None:
        self.kind = kind
        self.source = source
        self.target = target
        self.segment = segment
        self.cause = cause

    def at(self, segment: str) -> Misfit:
        """Return the same misfit, seen from what holds the part at ``segment``."""
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
        """Return where it broke, ``$`` being the whole: ``$.parameters[1]``, ``$.returns.id``."""
        segments = []
        current: Misfit | None = self
        while current is not None:
            segments.append(current.segment)
            current = current.cause
        return "$" + "".join(segments)

    @property
    def reason(self) -> str:
        """Return why, as one sentence without a full stop."""
        current = self
        while current.cause is not None:
            current = current.cause
        sentence = SENTENCES[current.kind]
        return sentence.format(source=_shown(current.source), target=_shown(current.target))


SENTENCES = {
    "dearer": "it costs {source} or more",
    "type": "{source} is not {target}",
    "missing": "property {target} is missing in {source}",
    "optional": "property {target} is optional in {source}",
    "private": "property {target} is private or protected and declared elsewhere",
    "weak": "{source} has no property in common with {target}",
    "index": "{source} has no index signature for {target}",
    "member": "{source} is no member of {target}",
    "readonly": "{source} is readonly, {target} is not",
    "length": "{source} has not the length of {target}",
    "call": "{source} cannot be called as {target}",
    "construct": "{source} cannot be constructed as {target}",
    "abstract": "{source} is abstract",
    "access": "the constructor of {source} is not accessible",
    "arity": "it needs {source} arguments and gets {target}",
    "predicate": "it is no type guard like {target}",
}


def _shown(part: object) -> str:
    return render(part) if isinstance(part, Type) else str(part)


@dataclass(frozen=True, slots=True)
class Undecided:
    """The work went past a bound of ``program.limits``; ``reason`` says which."""

    reason: str

    def __bool__(self) -> bool:
        return False


Verdict: TypeAlias = Fit | Misfit | Undecided


# Of misfits under a ceiling: the kind of one that may fit all the same, for more.
DEARER = "dearer"
BEYOND = 1 << 30  # dearer than anything that fits, in edit units


def dearer(least: int) -> Misfit:
    """Return the misfit that says what a fit costs at the least, in edit units."""
    return Misfit(DEARER, least)


def least_of(verdict: Misfit) -> int:
    """Return what a fit must cost at least for all that a misfit says; ``BEYOND`` for never."""
    return int(str(verdict.source)) if verdict.kind == DEARER else BEYOND


def charged(
    judge: Callable[[int | None], Verdict], edits: Sequence[Edit], ceiling: int | None
) -> Verdict:
    """Return the verdict on a changed question, the changes charged.

    Args:
        judge: takes the most that a fit of the changed question may cost, None for no bound.
        ceiling: the most that it may cost with the changes.
    """
    price = sum(edit.price for edit in edits)
    if ceiling is not None and ceiling < price:
        return dearer(price)
    verdict = judge(None if ceiling is None else ceiling - price)
    if isinstance(verdict, Fit):
        return Fit((*edits, *verdict.edits), verdict.way)
    if isinstance(verdict, Misfit) and verdict.kind == DEARER:
        return dearer(price + least_of(verdict))
    return verdict


def preference(verdict: Verdict) -> tuple[int, int]:
    """Return a key to sort by: fits by cost, then what was too much work, then misfits."""
    if isinstance(verdict, Fit):
        return 0, verdict.cost
    if isinstance(verdict, Undecided):
        return 1, 0
    return 2, least_of(verdict)


def cheaper(one: Verdict, other: Verdict) -> Verdict:
    return other if preference(other) < preference(one) else one
