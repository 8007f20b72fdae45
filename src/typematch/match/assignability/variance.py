"""Say how a generic declaration varies with each of its parameters, by comparing it with itself.

Two marker arguments, one fitting the other, are put in the place of a parameter, and the results
are compared member by member: if they fit one way it is covariant, the other way contravariant.
Where the declaration computes with the parameter (mapped types, templates, rest parameters), the
arguments alone do not tell, and what does not fit by them is compared by its members.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.ir.types import VOID, Free, Reference, Type
from typematch.match.assignability.identity import identical
from typematch.match.verdict import Misfit
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.skolemize import variables_for

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

COVARIANT, CONTRAVARIANT, BIVARIANT, INDEPENDENT, INVARIANT = "+", "-", "*", "_", "="
# What a comparison of markers reports: the letter says too little, or nothing at all.
UNRELIABLE, UNMEASURABLE = 1, 2


@dataclass(frozen=True, slots=True)
class Variance:
    """One letter and one flag for each parameter of a declaration."""

    letters: str
    flags: tuple[int, ...]

    @property
    def members_may_tell(self) -> bool:
        """Return whether references whose arguments do not fit may still fit by their members."""
        return any(self.flags)


class Variances:
    """What is known of each declaration.

    Args:
        patient: gives the relation that finds them out for one that must be quick: a large class
            takes thousands of steps, and its variance is worth them, once for all questions.

    Attributes:
        known: by key; None where it takes too long to find out.  Relations over the same
            declarations may share it: to find one out is not counted as work of the question that
            needs it, so who asked first makes no difference.
    """

    def __init__(
        self,
        known: dict[str, Variance | None] | None = None,
        patient: Callable[[], Relation] | None = None,
    ) -> None:
        self.known: dict[str, Variance | None] = {} if known is None else known
        self._patient = patient
        self._busy: set[str] = set()
        self.markers: tuple[Free, Free, Free] | None = None
        self.marking: frozenset[Type] = frozenset()
        self.reports = 0

    def forget_unfinished(self) -> None:
        """Drop what an interrupted question left half done."""
        self._busy.clear()
        self.reports = 0

    def busy(self, key: str) -> bool:
        """Return whether the variance of ``key`` is being found out just now."""
        return key in self._busy

    @property
    def computing(self) -> bool:
        """Return whether markers are being compared."""
        return bool(self._busy)

    def report(self, t: Type, flag: int) -> None:
        """Note that a comparison depends on a marker in ``t`` as a letter cannot tell."""
        if self._busy and not self.marking.isdisjoint(t.free):
            self.reports |= flag

    def of(self, rel: Relation, key: str) -> Variance:
        """Return the variance of each parameter of the declaration ``key``.

        Raises:
            LimitReached: it takes too long to find out.
        """
        if self.is_hard(key):
            raise LimitReached(f"how {key} varies takes too long to find out")
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._found_out(rel, key)
        return found

    def is_hard(self, key: str) -> bool:
        """Return whether ``of`` would say that it takes too long."""
        if key not in self.known and self._patient is not None:
            self._ask_patient(self._patient(), key)
        return key in self.known and self.known[key] is None

    def _ask_patient(self, patient: Relation, key: str) -> None:
        found = patient.within_budget(lambda: patient.variances.of(patient, key))
        if not isinstance(found, Variance):
            self.known[key] = None

    def _found_out(self, rel: Relation, key: str) -> Variance:
        self._busy.add(key)
        before, self.reports = self.reports, 0
        steps, rel.reducer.steps = rel.reducer.steps, 0
        try:
            found = _variances(rel, key, self)
            rel.reducer.steps = steps
        finally:
            self._busy.discard(key)
            self.reports = before
        return found


def _variances(rel: Relation, key: str, table: Variances) -> Variance:
    declaration = rel.reducer.declaration(key)
    if declaration is None:
        return Variance("", ())
    if table.markers is None:
        wide = rel.reducer.fresh("Super")
        table.markers = wide, rel.reducer.fresh("Sub", wide), rel.reducer.fresh("Other")
        table.marking = frozenset(table.markers)
    own: tuple[Type, ...] = variables_for(rel.reducer, declaration.type_parameters)
    letters, flags = "", []
    for i in range(len(own)):
        table.reports = 0
        letters += _variance(rel, key, own, i, table.markers)
        flags.append(table.reports)
    return Variance(letters, tuple(flags))


def _variance(
    rel: Relation, key: str, own: tuple[Type, ...], i: int, markers: tuple[Free, Free, Free]
) -> str:
    def at(marker: Type) -> Reference:
        return Reference(key, (*own[:i], marker, *own[i + 1 :]))

    wide, narrow, other = markers
    covariant = rel.structurally(at(narrow), at(wide))
    contravariant = rel.structurally(at(wide), at(narrow))
    if covariant and contravariant:
        return INDEPENDENT if rel.structurally(at(other), at(wide)) else BIVARIANT
    if covariant:
        return COVARIANT
    return CONTRAVARIANT if contravariant else INVARIANT


def variances_of(rel: Relation, key: str) -> str | None:
    """Return how a class or interface varies; None for others and while that is found out."""
    declaration = rel.reducer.declaration(key)
    if declaration is None or declaration.kind not in ("class", "interface"):
        return None
    if rel.variances.busy(key) or rel.variances.is_hard(key):
        return None
    return rel.variances.of(rel, key).letters


def arguments_related(
    rel: Relation, s: Reference, t: Reference, variance: Variance
) -> tuple[bool, Misfit | None]:
    """Compare two references to one declaration by their arguments.

    Returns:
        whether that settles it, and the misfit if there is one.
    """
    letters = variance.letters
    for i, (given, wanted) in enumerate(zip(s.arguments, t.arguments, strict=False)):
        letter = letters[i] if i < len(letters) else COVARIANT
        flag = variance.flags[i] if i < len(letters) else 0
        broken = _argument_related(rel, given, wanted, letter, flag)
        if broken is not None:
            if variance.members_may_tell:
                return False, None
            void = any(
                letter == COVARIANT and argument is VOID
                for letter, argument in zip(letters, t.arguments, strict=False)
            )
            return not void, broken.at(f".arguments[{i}]")
    return True, None


def _argument_related(
    rel: Relation, given: Type, wanted: Type, letter: str, flag: int
) -> Misfit | None:
    if letter == INDEPENDENT:
        return None
    if flag & UNMEASURABLE:
        rel.variances.report(given, UNMEASURABLE)
        rel.variances.report(wanted, UNMEASURABLE)
        return None if identical(rel, given, wanted) else Misfit("type", given, wanted)
    if flag:
        rel.variances.report(given, UNRELIABLE)
    if letter == COVARIANT:
        return rel.related(given, wanted)
    if letter == CONTRAVARIANT:
        return rel.related(wanted, given)
    if letter == BIVARIANT:
        return None if rel.related(wanted, given) is None else rel.related(given, wanted)
    broken = rel.related(given, wanted)
    return broken if broken is not None else rel.related(wanted, given)
