"""Variance of type parameters (the checker's getVariances).

For each type parameter of a declaration two instances are compared by their members: one with a
marker type as argument, one with a subtype of it.  They are related in one direction if the
parameter is covariant, in the other if it is contravariant.  Mapped types, templates and rest
parameters make a variance unreliable or unmeasurable: then type arguments that are not related do
not decide, and members are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.ir.types import VOID, Free, Reference, Type
from typematch.match.assignability.identity import identical
from typematch.match.assignability.rules import NO_RULE, RELATED, RuleResult
from typematch.match.verdict import Misfit
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.skolemize import skolems_for

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

COVARIANT, CONTRAVARIANT, BIVARIANT, INDEPENDENT, INVARIANT = "+", "-", "*", "_", "="
# Flags a comparison of markers reports (VarianceFlags.Unreliable, VarianceFlags.Unmeasurable).
UNRELIABLE, UNMEASURABLE = 1, 2


@dataclass(frozen=True, slots=True)
class Variance:
    """One letter and one flag for each type parameter of a declaration."""

    letters: str
    flags: tuple[int, ...]

    @property
    def structural_fallback(self) -> bool:
        """Whether members decide where the type arguments are not related."""
        return any(self.flags)


class Variances:
    """Computed variances by declaration.

    Args:
        fallback: returns the relation that computes them; None for the relation itself.

    Attributes:
        results: by key; None where the computation exceeded the limits.  Relations over the same
            declarations may share it: computing a variance does not consume the caller's budget,
            so verdicts do not depend on query order.
        markers: super, sub and unrelated marker, made when first needed.
        reported_flags: flags reported since this was last set to 0.
    """

    def __init__(
        self,
        results: dict[str, Variance | None] | None = None,
        fallback: Callable[[], Relation] | None = None,
    ) -> None:
        self.results: dict[str, Variance | None] = {} if results is None else results
        self.fallback = fallback
        self._in_progress: set[str] = set()
        self.markers: tuple[Free, Free, Free] | None = None
        self.marker_set: frozenset[Type] = frozenset()
        self.reported_flags = 0

    def abandon(self) -> None:
        """Forget the variances in progress after a limit was reached."""
        self._in_progress.clear()
        self.reported_flags = 0

    @property
    def progress(self) -> tuple[frozenset[str], int]:
        """What is in progress: set back after a computation that a limit may have ended."""
        return frozenset(self._in_progress), self.reported_flags

    @progress.setter
    def progress(self, progress: tuple[frozenset[str], int]) -> None:
        in_progress, self.reported_flags = progress
        self._in_progress.intersection_update(in_progress)

    def in_progress(self, key: str) -> bool:
        """Return whether the variance of ``key`` is being computed."""
        return key in self._in_progress

    def report(self, t: Type, flag: int) -> None:
        """Report that a comparison uses a marker in ``t`` in a way a variance cannot express."""
        if self._in_progress and not self.marker_set.isdisjoint(t.free):
            self.reported_flags |= flag

    def of(self, rel: Relation, key: str) -> Variance:
        """Return the variance of each parameter of the declaration ``key``.

        Raises:
            LimitReached: the computation exceeds the limits, now or when it was tried first.
        """
        if self.is_too_expensive(key):
            raise LimitReached(f"the variance of {key} exceeds the limits")
        variance = self.results.get(key)
        if variance is None:
            variance = self.results[key] = self._compute(rel, key)
        return variance

    def is_too_expensive(self, key: str) -> bool:
        """Return whether ``of`` would raise LimitReached without computing anything."""
        if key not in self.results and self.fallback is not None:
            self._compute_with_fallback(self.fallback(), key)
        return key in self.results and self.results[key] is None

    def _compute_with_fallback(self, relation: Relation, key: str) -> None:
        variance = relation.within_budget(lambda: relation.variances.of(relation, key))
        if not isinstance(variance, Variance):
            self.results[key] = None

    def _compute(self, rel: Relation, key: str) -> Variance:
        self._in_progress.add(key)
        outer_flags, self.reported_flags = self.reported_flags, 0
        steps, rel.reducer.steps = rel.reducer.steps, 0
        try:
            variance = _declaration_variance(rel, key, self)
            rel.reducer.steps = steps
        finally:
            self._in_progress.discard(key)
            self.reported_flags = outer_flags
        return variance


def _declaration_variance(rel: Relation, key: str, variances: Variances) -> Variance:
    declaration = rel.reducer.declaration(key)
    if declaration is None:
        return Variance("", ())
    if variances.markers is None:
        super_marker = rel.reducer.fresh_variable("Super")
        variances.markers = (
            super_marker,
            rel.reducer.fresh_variable("Sub", super_marker),
            rel.reducer.fresh_variable("Other"),
        )
        variances.marker_set = frozenset(variances.markers)
    own: tuple[Type, ...] = skolems_for(rel.reducer, declaration.type_parameters)
    letters, flags = "", []
    for i in range(len(own)):
        variances.reported_flags = 0
        letters += _parameter_variance(rel, key, own, i, variances.markers)
        flags.append(variances.reported_flags)
    return Variance(letters, tuple(flags))


def _parameter_variance(
    rel: Relation, key: str, own: tuple[Type, ...], i: int, markers: tuple[Free, Free, Free]
) -> str:
    def at(marker: Type) -> Reference:
        return Reference(key, (*own[:i], marker, *own[i + 1 :]))

    super_marker, sub_marker, other_marker = markers
    covariant = rel.members_assignable(at(sub_marker), at(super_marker))
    contravariant = rel.members_assignable(at(super_marker), at(sub_marker))
    if covariant and contravariant:
        return (
            INDEPENDENT if rel.members_assignable(at(other_marker), at(super_marker)) else BIVARIANT
        )
    if covariant:
        return COVARIANT
    return CONTRAVARIANT if contravariant else INVARIANT


def variance_letters(rel: Relation, key: str) -> str | None:
    """Return the variances of a class or interface; None for others and while computing them."""
    declaration = rel.reducer.declaration(key)
    if declaration is None or not declaration.is_class_or_interface:
        return None
    if rel.variances.in_progress(key) or rel.variances.is_too_expensive(key):
        return None
    return rel.variances.of(rel, key).letters


def type_arguments_related(
    rel: Relation, s: Reference, t: Reference, variance: Variance
) -> RuleResult:
    """Compare two references to one declaration by their arguments.

    No rule where an unreliable or unmeasurable argument is not related: members decide.
    """
    letters = variance.letters
    for i, (source, target) in enumerate(zip(s.arguments, t.arguments, strict=False)):
        letter = letters[i] if i < len(letters) else COVARIANT
        flag = variance.flags[i] if i < len(letters) else 0
        misfit = _type_argument_related(rel, source, target, letter, flag)
        if misfit is not None:
            if variance.structural_fallback:
                return NO_RULE
            void_target = any(
                letter == COVARIANT and argument is VOID
                for letter, argument in zip(letters, t.arguments, strict=False)
            )
            return NO_RULE if void_target else (True, misfit.at(f".arguments[{i}]"))
    return RELATED


def _type_argument_related(
    rel: Relation, source: Type, target: Type, letter: str, flag: int
) -> Misfit | None:
    if letter == INDEPENDENT:
        return None
    if flag & UNMEASURABLE:
        rel.variances.report(source, UNMEASURABLE)
        rel.variances.report(target, UNMEASURABLE)
        return None if identical(rel, source, target) else Misfit("type", source, target)
    if flag:
        rel.variances.report(source, UNRELIABLE)
    if letter == COVARIANT:
        return rel.related(source, target)
    if letter == CONTRAVARIANT:
        return rel.related(target, source)
    if letter == BIVARIANT:
        return None if rel.related(target, source) is None else rel.related(source, target)
    misfit = rel.related(source, target)
    return misfit if misfit is not None else rel.related(target, source)
