"""Reduction of types to head normal form: evaluates aliases, ``keyof``, conditional types etc.

Only the outermost layer is reduced; its parts are reduced on demand, so recursive types terminate.
A type that depends on a type variable stays *deferred*. Conditional types need assignability, which
an ``AssignabilityOracle`` from ``match`` decides; without one they stay deferred unless they are
trivial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.intern import InternedNode
from typematch.ir.type_parts import Property, Signature, TypeParameter
from typematch.ir.types import (
    Free,
    Object,
    Reference,
    Type,
    VariableKind,
)
from typematch.program.reduction.costly import CostlyReductions
from typematch.program.reduction.handlers import HANDLERS
from typematch.program.reduction.instantiate import (
    Substitution,
    fill_missing_type_arguments,
    instantiate,
)
from typematch.program.reduction.late_bound_names import properties_by_name
from typematch.program.reduction.limits import (
    DEFAULT_LIMITS,
    HeritageLimitReached,
    LimitReached,
    Limits,
)
from typematch.program.reduction.members import resolve_members
from typematch.program.reduction.memo_table import MemoTable
from typematch.program.reduction.resolved_members import ResolvedMembers

N = TypeVar("N", bound=InternedNode)
T = TypeVar("T")
_ENDLESS = "a type expands without end"


class AssignabilityOracle(Protocol):
    """The part of the relation that reduction needs."""

    def assignable(self, source: Type, target: Type) -> bool:
        """Return whether ``source`` is assignable to ``target``."""
        ...

    def infer(
        self, variables: Sequence[Free], source: Type, target: Type
    ) -> tuple[Type | None, ...]:
        """Infer the variables in ``target`` from ``source``.

        None for a variable without a candidate.
        """
        ...

    def call_result(self, callee: Type, arguments: Sequence[Type], use: str) -> Type:
        """Return the type of a call; ``unannotated`` if it is unknown."""
        ...


class Reducer:
    """Reduces types against one set of declarations, and memoizes the results.

    Attributes:
        constraints: constraint of each free variable.
        skolems_by_binder, skolem_groups, skolemized, erasures: caches of ``skolemize``.
        implied_constraints: cache of ``conditional_types``.
        ancestors: cache of ``heritage``.
        steps: work done since it was last set to 0.
        undetermined: variables that may stand for any type, so that the members of a type mapped
            over their keys are unknown.
    """

    def __init__(
        self,
        declarations: Declarations,
        *,
        oracle: AssignabilityOracle | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.undetermined: frozenset[Type] = frozenset()
        self.declarations = declarations
        self.oracle = oracle
        self.limits = limits
        self.steps = 0
        self.bases = 0
        self.depth = 0
        self._nodes = 0
        self.constraints: dict[Type, Type | None] = {}
        self.skolems_by_binder: dict[tuple[TypeParameter, ...], tuple[Free, ...]] = {}
        self.skolem_groups: dict[tuple[Type | None, ...], list[tuple[Free, ...]]] = {}
        self.skolemized: dict[tuple[Signature, frozenset[Type]], Signature] = {}
        self.erasures: dict[Signature, Signature] = {}
        self.implied_constraints: dict[
            tuple[Type, tuple[TypeParameter, ...]], tuple[Type | None, ...]
        ] = {}
        self._serial = 0
        self._unconstrained: dict[Type, Free] = {}
        self._normal: MemoTable[Type, Type] = MemoTable()
        # Types that expand without end, and the steps that finding this out took.
        self._endless: MemoTable[Type, int] = MemoTable()
        # Types whose reduction exceeded the budget, and the steps that were left for it.
        self._unfinished: MemoTable[Type, int] = MemoTable()
        self._costly: CostlyReductions | None = None
        self._declaration_cache: dict[str, Declaration | None] = {}
        self._members: MemoTable[tuple[Type, Type], ResolvedMembers] = MemoTable()
        self._properties: dict[Object, Mapping[str, Property]] = {}
        self.ancestors: dict[str, frozenset[str]] = {}

    def forget(self) -> None:
        """Drop reduced types and resolved members, but not variables and their constraints."""
        self._normal.clear()
        self._members.clear()
        self._endless = MemoTable()  # may be shared
        self._unfinished = MemoTable()
        self._properties.clear()

    def start_generation(self) -> None:
        """Drop reduced types and resolved members that were not used since the last call."""
        self._normal.start_generation()
        self._members.start_generation()
        self._endless.start_generation()
        self._unfinished.start_generation()
        for cache in (self._properties, self.skolemized, self.erasures, self.implied_constraints):
            cache.clear()

    @property
    def reduced(self) -> Mapping[Type, Type]:
        """The memoized results: type to reduced type."""
        return self._normal

    # -- work ------------------------------

    def count_step(self) -> None:
        """Count one step of work.

        Raises:
            LimitReached: the budget is spent.
        """
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitReached(f"more than {self.limits.steps} steps")

    def count_members(self, members: int) -> None:
        """Count an iteration over members, at a sixteenth of a step each.

        Raises:
            LimitReached: the budget is spent.
        """
        self.steps += members >> 4
        if self.steps > self.limits.steps:
            raise LimitReached(f"more than {self.limits.steps} steps")

    def count_nodes(self, nodes: int) -> None:
        """Count instantiated nodes, at an eighth of a step each.

        The checker counts instantiations for the same reason (instantiateTypeWithAlias).

        Raises:
            LimitReached: the budget is spent.
        """
        self._nodes += nodes
        if self._nodes >= 8:
            self.steps += self._nodes >> 3
            self._nodes &= 7
            if self.steps > self.limits.steps:
                raise LimitReached(f"more than {self.limits.steps} steps")

    def count_bases(self, bases: int) -> None:
        """Count heritage types of a declaration before they are resolved.

        Raises:
            HeritageLimitReached: there are more than ``limits.bases`` in all.
        """
        self.bases += bases
        if self.limits.bases is not None and self.bases > self.limits.bases:
            raise HeritageLimitReached(f"more than {self.limits.bases} heritage types")

    # -- declarations ------------------------------

    def declaration(self, key: str) -> Declaration | None:
        """Return the declaration of a key, memoized."""
        try:
            return self._declaration_cache[key]
        except KeyError:
            declaration = self._declaration_cache[key] = self.declarations.get(key)
            return declaration

    def properties_of(self, t: Object) -> Mapping[str, Property]:
        """Return the declared properties of ``t`` by name."""
        properties = self._properties.get(t)
        if properties is None:
            properties = self._properties[t] = properties_by_name(self.declaration, t)
        return properties

    def type_arguments(
        self, declaration: Declaration, arguments: tuple[Type, ...]
    ) -> tuple[Type, ...]:
        """Return one argument for each type parameter, missing ones filled in."""
        if len(arguments) == len(declaration.type_parameters):
            return arguments
        return fill_missing_type_arguments(declaration.type_parameters, arguments, self.normal)

    def with_defaults(self, t: Reference) -> Reference:
        """Return ``t`` with one argument for each type parameter of its declaration."""
        declaration = self.declaration(t.target)
        if declaration is None or len(t.arguments) >= len(declaration.type_parameters):
            return t
        return Reference(t.target, self.type_arguments(declaration, t.arguments))

    # -- variables ------------------------------

    def fresh_variable(self, name: str, constraint: Type | None = None) -> Free:
        """Return a new variable; serial numbers count up in creation order."""
        self._serial += 1
        variable = Free(VariableKind.LOCAL, self._serial, name)
        self.constraints[variable] = constraint
        return variable

    def without_constraint(self, variable: Type) -> Free:
        """Return the unconstrained copy of a variable, always the same one."""
        unconstrained = self._unconstrained.get(variable)
        if unconstrained is None:
            unconstrained = self._unconstrained[variable] = self.fresh_variable("T")
        return unconstrained

    def take_variables(self, other: Reducer) -> None:
        """Share the type variables of ``other``: what one of the two adds, the other knows."""
        self._serial = other._serial
        self.constraints = other.constraints
        self.skolems_by_binder = other.skolems_by_binder
        self.skolem_groups = other.skolem_groups
        self._unconstrained = other._unconstrained

    def take_from(self, costly: CostlyReductions) -> None:
        """Take the results of ``costly`` instead of reducing their types, and count their steps."""
        self._costly = costly

    def replace(self, node: Any, replacements: dict[Type, Type]) -> Any:
        """Return ``node`` with free variables, or ``this``, replaced."""
        return Substitution((), replacements, self.normal, (), self.count_nodes).apply(node)

    def instantiate(
        self, body: N, arguments: Sequence[Type], parameters: Sequence[TypeParameter] = ()
    ) -> N:
        """Return ``body`` with ``arguments`` for the variables of its outermost open binder.

        Raises:
            LimitReached: the budget is spent.
        """
        return instantiate(
            body,
            arguments,
            normal=self.normal,
            parameters=parameters,
            count=self.count_nodes,
        )

    # -- reduction ------------------------------

    def with_own_budget(self, compute: Callable[[], T]) -> T | None:
        """Evaluate ``compute`` with its own budget of steps; None if that is exceeded.

        None also if types are nested too deeply for the interpreter's stack.
        """
        steps, depth = self.steps, self.depth
        self.steps = self.depth = 0
        try:
            return compute()
        except (LimitReached, RecursionError):
            return None
        finally:
            self.steps, self.depth = steps, depth

    def normal(self, t: Type) -> Type:
        """Return ``t`` in head normal form.

        Raises:
            LimitReached: the reduction exceeds a limit.
        """
        handler = HANDLERS.get(t.__class__)
        if handler is None:
            return t
        reduced = self._normal.lookup(t)
        if reduced is not None:
            return reduced
        steps = self._endless.lookup(t)
        if steps is not None:
            self.steps += steps  # as if it were tried again, so that budgets end at the same type
            raise LimitReached(_ENDLESS)
        steps_left = self.limits.steps - self.steps
        if steps_left <= (self._unfinished.lookup(t) or 0):
            self.steps = self.limits.steps
            self.count_step()  # with no more steps than the last time, it would be exceeded again
        self.depth += 1
        if self.depth > self.limits.expansion:
            self.depth -= 1
            raise LimitReached("types expand too deep")
        try:
            result = self._taken(t) or self._reduce(t, handler)
        except LimitReached:
            if self.steps > self.limits.steps:
                self._unfinished[t] = steps_left
            raise
        finally:
            self.depth -= 1
        self._normal[t] = result
        if result is not t:
            self._normal[result] = result
        return result

    def _taken(self, t: Type) -> Type | None:
        """Return the result of another reducer, and count its steps; None if there is none."""
        known = self._costly.results.lookup(t) if self._costly is not None else None
        if known is None:
            return None
        for part in known.parts:
            if self._normal.lookup(part) is None:
                self.normal(part)
        self.steps += known.steps - 1
        self.count_step()
        return known.reduced

    def _reduce(self, t: Type, handler: Callable[[Reducer, Any], Type]) -> Type:
        first, steps_before = t, self.steps
        for _ in range(self.limits.tail):
            self.count_step()
            reduced = handler(self, t)
            next_handler = HANDLERS.get(reduced.__class__)
            if reduced is t or next_handler is None:
                return reduced
            memoized = self._normal.lookup(reduced)
            if memoized is not None:
                return memoized
            t, handler = reduced, next_handler
        self._endless[first] = self.steps - steps_before
        raise LimitReached(_ENDLESS)

    def members_of(self, t: Type, this: Type | None = None) -> ResolvedMembers:
        """Return the members of ``t``, of a primitive's wrapper, or of a variable's constraint.

        Args:
            this: the receiver that ``this`` refers to; the type itself if None.
        """
        t = self.normal(t)
        key = (t, t if this is None else this)
        members = self._members.lookup(key)
        if members is None:
            members = self._members[key] = resolve_members(self, t, key[1])
        return members

    def constraint(self, variable: Type) -> Type | None:
        """Return the constraint of a free variable."""
        return self.constraints.get(variable)
