"""Decide whether one type can stand in for another, as the compiler does under ``strict``.

The words *source* and *target* are the TypeScript compiler's: may a value of type ``source`` be
assigned to a place of type ``target``?  Inside, an answer is None where it may and a ``Misfit``
where it may not.  A pair that is met again while it is being compared is assumed to hold; what
was found under such an assumption is remembered once the assumption has proved true.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from typematch.ir.constructors import UNKNOWN_LIKE
from typematch.ir.declaration import Declarations
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    OBJECT,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    Intersection,
    Mapped,
    Object,
    Reference,
    Signature,
    Tuple,
    Type,
    Union,
)
from typematch.match.assignability.deep_nesting import RecursionStack, TypeDepths
from typematch.match.assignability.deferred import from_written_mapped, to_written_mapped
from typematch.match.assignability.members import is_weak, shares_a_property, structural
from typematch.match.assignability.signatures import signature_related
from typematch.match.assignability.simple_types import NO, PLAIN, YES, plainly
from typematch.match.assignability.structured_types import by_alias, related_structures
from typematch.match.assignability.unions import each_member, members_of, some_member
from typematch.match.assignability.variance import Variance, Variances
from typematch.match.inference.type_arguments import arguments_for, infer_types
from typematch.match.strictness import Strictness
from typematch.match.verdict import FIT, Fit, Misfit, Undecided, Verdict
from typematch.program.reduction.conditional_types import simplified
from typematch.program.reduction.indexed_access import homomorphic_alias
from typematch.program.reduction.limits import DEFAULT_LIMITS, LimitReached, Limits
from typematch.program.reduction.reduce import Reducer

Answer = Misfit | None
T = TypeVar("T")
# A pair seen on one side of an intersection is compared a little differently (see ``structure``).
WHOLE, SOURCE_PART, TARGET_PART = 0, 1, 2
_NOTHING_ASSUMED = 1 << 30


class Relation:
    """The relation over one set of declarations.

    What it found stays known; its budget is per question.

    Args:
        variances: what is known of how declarations vary, shared with others.
        patient: gives what finds out the rest of it, where this one's limits are narrow.
        lasting: it is kept for many users' questions: the same question always has the same
            answer, although more may be known when it comes again.

    Attributes:
        reducer: reduces types for it, and says which members they have.
        compared: how many pairs were compared in all.
        inferring, based, keys: what ``match.opening`` remembers.
    """

    def __init__(
        self,
        declarations: Declarations,
        *,
        limits: Limits = DEFAULT_LIMITS,
        variances: dict[str, Variance | None] | None = None,
        patient: Callable[[], Relation] | None = None,
        lasting: bool = False,
    ) -> None:
        self.limits = limits
        self.reducer = Reducer(declarations, judge=self, limits=limits)
        self.variances = Variances(variances, patient)
        self.compared = 0
        self.weak: dict[Type, bool] = {}
        self.plain: dict[Union, bool] = {}
        self.members: dict[Union, frozenset[Type]] = {}
        self.discriminants: dict[Union, tuple[str, dict[Type, Type]]] = {}
        self.discriminating: dict[Union, tuple[str, ...]] = {}
        self.flat: dict[Signature, object] = {}
        self.inferring: dict[Signature, tuple[Free, ...]] = {}
        self.based: dict[Signature, Signature] = {}
        self.keys: dict[Type, Free] = {}
        self.instantiated: dict[tuple[Signature, Signature], Signature] = {}
        self._known: dict[object, Misfit | bool] = {}
        self._reported: dict[object, int] = {}
        self._pending: dict[object, int] = {}
        self._assuming: dict[object, int] = {}
        self.assumed = _NOTHING_ASSUMED
        self.heights = TypeDepths()
        self._descend()
        self._depth = 0
        self._answered: dict[tuple[Type, Type], Verdict] | None = {} if lasting else None

    @property
    def remembered(self) -> int:
        """How many types and pairs of types are known, about."""
        return len(self._known) + len(self.reducer.reduced) + len(self.instantiated)

    # -- questions ------------------------------

    def assign(self, source: Type, target: Type) -> Verdict:
        """Return whether ``source`` is assignable to ``target``; both are closed types."""
        if self._answered is None:
            return self._assign(source, target)
        answer = self._answered.get((source, target))
        if answer is None:
            answer = self._assign(source, target)
            if isinstance(answer, Undecided):
                self._answered[source, target] = answer
        return answer

    def _assign(self, source: Type, target: Type) -> Verdict:
        return self._ask(lambda: self.related(self._named(source), self._named(target)))

    def assign_part(self, source: Type, target: Type) -> Verdict:
        """Return whether ``source`` is assignable to ``target``, both as parts of larger types.

        There two uses of one alias are compared by their arguments, as the compiler does.
        """
        return self._ask(lambda: self.related(source, target))

    def assign_signature(self, source: Signature, target: Signature) -> Verdict:
        """Return whether a function with ``source`` may stand for one with ``target``."""
        return self._ask(lambda: signature_related(self, source, target))

    def type_arguments(self, source: Signature, target: Signature) -> tuple[Type, ...] | Undecided:
        """Return a type for each type parameter of ``source``, so that it may fit ``target``."""
        return self.within_budget(lambda: arguments_for(self, source, target))

    def _named(self, t: Type) -> Type:
        """Return ``t`` as a type that has just got another name is seen by the compiler.

        Of which alias it was a use is no longer told, but of an object type still where it stands,
        and of a mapped type over ``keyof T`` what it maps.
        """
        if not isinstance(t, Reference):
            return t
        declaration = self.reducer.declaration(t.target)
        if declaration is not None and isinstance(declaration.type, Object):
            return t
        return homomorphic_alias(self.reducer, t) or self.reducer.normal(t)

    def _ask(self, question: Callable[[], Answer]) -> Verdict:
        answer = self.within_budget(question)
        return FIT if answer is None else answer

    def within_budget(self, question: Callable[[], T]) -> T | Undecided:
        """Answer a question with a full budget of its own; past it, say so."""
        self.reset_budget()
        try:
            return question()
        except LimitReached as limit:
            self._forget_assumptions()
            return Undecided(limit.reason)
        except RecursionError:
            self._forget_assumptions()
            return Undecided("types nest too deep")

    def reset_budget(self) -> None:
        """Give the next question its full number of steps; what is known stays."""
        self.reducer.steps = 0

    def _forget_assumptions(self) -> None:
        self._pending = {}
        self._assuming = {}
        self.assumed = _NOTHING_ASSUMED
        self._descend()
        self._depth = 0
        self.reducer.depth = 0
        self.variances.forget_unfinished()

    def _descend(self) -> None:
        """Begin at the top: nothing is being compared."""
        self._sources = RecursionStack(self.heights, self.limits.nesting)
        self._targets = RecursionStack(self.heights, self.limits.nesting)

    # -- what the reducer asks (``program.reduce.Judge``) ------------------------------

    def assignable(self, source: Type, target: Type) -> bool:
        """Return whether ``source`` fits, as a question of its own inside another one.

        Raises:
            LimitReached: it was too much work.
        """
        if source is target:
            return True
        outer = self._pending, self._assuming, self.assumed, self._sources, self._targets
        self._pending, self._assuming, self.assumed = {}, {}, _NOTHING_ASSUMED
        self._descend()
        try:
            return self.related(source, target) is None
        finally:
            self._pending, self._assuming, self.assumed, self._sources, self._targets = outer

    def infer(
        self, variables: Sequence[Free], source: Type, target: Type, *, climbs: bool = False
    ) -> tuple[Type | None, ...]:
        """Return what each of ``variables`` must be for ``source`` to fit ``target``.

        None: nothing says.  With ``climbs``, constraints of variables in ``source`` say something.
        """
        return infer_types(self, variables, source, target, climbs=climbs)

    # -- the walk ------------------------------

    def related(self, source: Type, target: Type, state: int = WHOLE) -> Answer:
        """Return None if ``source`` fits ``target``, else why not.

        Raises:
            LimitReached: it was too much work.
        """
        if source is target:
            return None
        reducer = self.reducer
        t = reducer.normal(target)
        if t is ANY or t is UNKNOWN:
            return None  # whatever the source comes to, and what that would take
        s = reducer.normal(source)
        if t.__class__ is Conditional:
            t = simplified(reducer, t)
        if s.__class__ is Conditional:
            s = simplified(reducer, s)
        if s is t:
            return None
        plain = plainly(reducer, s, t)
        if plain == YES:
            return None
        if plain == NO:
            return Misfit("type", source, target)
        if s.__class__ is Union:
            # As written, its members still tell which alias each is a use of.
            written = self._written(source, s)
            wanted = self._written(target, t)
            if len(s.members) < _FEW:
                return each_member(self, written, wanted, state)
            return self._remembered(written, wanted, state, source, target)
        if t.__class__ is Union and UNKNOWN_LIKE.issubset(members_of(self, t)):
            return None
        if s is BOOLEAN and t.__class__ is Union:
            return each_member(self, s, t, state)
        if t.__class__ is Union:
            if s.__class__ in PLAIN:
                return some_member(self, s, t, state)
        elif (
            state != TARGET_PART
            and s is not OBJECT
            and s.__class__ in _WEAKLY
            and self._misses_weak(s, t)
        ):
            return Misfit("weak", source, target)
        if s.__class__ in _ALIASED and source.__class__ is Reference and source is not s:
            answer = self._as_one_alias(source, target)
            if answer is not None:
                return answer[0]
        if s.__class__ is Free and target is not t and self._is_held_as_one_alias(s, target):
            return None
        if source is not s and s.__class__ is Object and from_written_mapped(self, source, t):
            return None
        if target is not t and t.__class__ is Object and to_written_mapped(self, s, target):
            return None
        return self._remembered(s, t, state, source, target)

    def _written(self, t: Type, normal: Type) -> Type:
        """Return a union as it is written, by itself or by an alias; all else as it was."""
        if normal.__class__ is not Union:
            return normal
        if isinstance(t, Reference):
            declaration = self.reducer.declaration(t.target)
            body = None if declaration is None else declaration.type
            return body if body.__class__ is Union and not body.loose else normal
        return t if t.__class__ is Union else normal

    def _as_one_alias(self, source: Reference, target: Type) -> tuple[Answer] | None:
        """Compare by their arguments two uses of one alias; None if that does not tell."""
        if target.__class__ is Reference:
            return by_alias(self, source, target)
        for member in target.members if isinstance(target, Union) else ():
            if isinstance(member, Reference):
                answer = by_alias(self, source, member)
                if answer is not None and answer[0] is None:
                    return answer
        return None

    def _is_held_as_one_alias(self, s: Type, target: Type) -> bool:
        """Return whether the constraint of a variable and ``target``, uses of one alias, fit."""
        held: Type | None = s
        for _ in range(self.limits.expansion):  # constraints may go in circles
            if not isinstance(held, Free):
                break
            held = self.reducer.constraints.get(held)
        answer = self._as_one_alias(held, target) if isinstance(held, Reference) else None
        return answer is not None and answer[0] is None

    def _misses_weak(self, s: Type, t: Type) -> bool:
        return is_weak(self, t) and not shares_a_property(self, s, t)

    def _remembered(self, s: Type, t: Type, state: int, source: Type, target: Type) -> Answer:
        key: object = (s, t) if state == WHOLE else (s, t, state)
        known = self._known.get(key)
        if known is not None:
            if key in self._reported:
                self.variances.reports |= self._reported[key]
            return None if known is True else cast(Misfit, known)
        assumption = self._assuming.get(key)
        if assumption is None:
            assumption = self._pending.get(key)
        if assumption is not None:
            if assumption < self.assumed:
                self.assumed = assumption
            return None
        self.reducer.count()
        self.compared += 1
        if self._depth >= self.limits.depth:
            raise LimitReached("types nest too deep")
        return self._compare(key, s, t, state, source, target)

    def _compare(
        self, key: object, s: Type, t: Type, state: int, source: Type, target: Type
    ) -> Answer:
        position = len(self._pending)
        outer_assumed, self.assumed = self.assumed, _NOTHING_ASSUMED
        tentative = len(self._assuming)
        self._pending[key] = position
        self._depth += 1
        growing = self._sources.enter(source, s)
        growing = self._targets.enter(target, t) and growing
        reports, self.variances.reports = self.variances.reports, 0
        answer = None if growing else related_structures(self, s, t, state)
        if self.variances.reports:
            self._reported[key] = self.variances.reports
        self.variances.reports |= reports
        self._sources.leave()
        self._targets.leave()
        self._depth -= 1
        del self._pending[key]
        if answer is not None:
            self._known[key] = answer
            self._drop_assumptions(tentative)
            self.assumed = outer_assumed
        elif self.assumed >= position:
            self._known[key] = True
            self._keep_assumptions(tentative)
            self.assumed = outer_assumed
        else:
            self._assuming[key] = self.assumed
            if position == 0:
                self._drop_assumptions(0)
            self.assumed = min(outer_assumed, self.assumed)
        return answer

    def _drop_assumptions(self, down_to: int) -> None:
        assuming = self._assuming
        while len(assuming) > down_to:
            assuming.popitem()

    def _keep_assumptions(self, down_to: int) -> None:
        assuming = self._assuming
        while len(assuming) > down_to:
            key, _ = assuming.popitem()
            self._known[key] = True

    def structurally(self, source: Reference, target: Reference) -> bool:
        """Return whether two references fit by their members alone, as a question of its own."""
        outer = self._pending, self._assuming, self.assumed, self._sources, self._targets
        self._pending, self._assuming, self.assumed = {}, {}, _NOTHING_ASSUMED
        self._descend()
        reducer = self.reducer
        try:
            one, other = reducer.normal(source), reducer.normal(target)
            if one.__class__ is Reference and other.__class__ is Reference:
                return structural(self, one, other, WHOLE) is None
            return self.related(one, other) is None
        finally:
            self._pending, self._assuming, self.assumed, self._sources, self._targets = outer

    def deepen(self) -> None:
        """Go one level down without comparing a pair of types.

        Raises:
            LimitReached: that is too deep.
        """
        self._depth += 1
        if self._depth > self.limits.depth:
            raise LimitReached("types nest too deep")

    def rise(self) -> None:
        self._depth -= 1


def relate(
    source: Type,
    target: Type,
    *,
    declarations: Declarations,
    strictness: Strictness = Strictness.ASSIGNABLE,
) -> Verdict:
    """Return whether ``source`` fits ``target``.  For many questions keep one ``Relation``.

    ``EXACT`` asks both ways; the soft strictnesses are those of ``match.soft``.
    """
    relation = Relation(declarations)
    there = relation.assign(source, target)
    if strictness is Strictness.EXACT and isinstance(there, Fit):
        return relation.assign(target, source)
    return there


_FEW = 4  # members of a union; of fewer no comparison is remembered, as in the compiler
_ALIASED = frozenset((Object, Mapped, Conditional))
_WEAKLY = PLAIN | {Object, Array, Tuple, Reference, Intersection}
