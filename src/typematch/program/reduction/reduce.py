"""Bring a type into head normal form.

What it is, once aliases, ``keyof``, conditions and the like are carried out.

Only the outermost layer is worked out; parts are reduced when somebody looks at them, so recursive
types are no trouble.  What hangs on a variable stays as it is (*deferred*).  Conditional types ask
whether one type fits another, which is the business of ``match``: it hands in a ``Judge``.  Without
one, a condition that does not decide itself stays deferred.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.types import (
    ANY,
    FURTHER,
    UNANNOTATED,
    UNREADABLE,
    WILDCARD,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Mapped,
    Object,
    Property,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    TypeOf,
    TypeParameter,
    Union,
)
from typematch.program.reduction.conditional_types import conditional
from typematch.program.reduction.indexed_access import indexed_access, keys_of
from typematch.program.reduction.instantiate import (
    Substitution,
    instantiate,
    parameter_defaults,
)
from typematch.program.reduction.late_bound_names import by_name
from typematch.program.reduction.limits import DEFAULT_LIMITS, LimitReached, Limits
from typematch.program.reduction.mapped_types import mapped
from typematch.program.reduction.members import shape_of
from typematch.program.reduction.resolved_members import ResolvedMembers
from typematch.program.reduction.template_literals import string_mapping, template
from typematch.program.reduction.typeof import type_of_value
from typematch.program.reduction.unions import BY_THE_COMPILER, intersection_of, union_of
from typematch.program.reduction.variadic_tuples import spread

T = TypeVar("T")


class AssignabilityOracle(Protocol):
    """What a reduction asks of the relation."""

    def assignable(self, source: Type, target: Type) -> bool:
        """Return whether ``source`` is assignable to ``target``."""
        ...

    def infer(
        self, variables: Sequence[Free], source: Type, target: Type
    ) -> tuple[Type | None, ...]:
        """Return what each variable in ``target`` must be for ``source`` to fit.

        None: nothing says.
        """
        ...


class Reducer:
    """Reduces types against one set of declarations, and remembers what it found.

    Attributes:
        constraints: the constraint of each variable taken out of its binder here.
        rigid, groups, opened, erasures: what ``program.opening`` remembers.
        steps: work done since it was last set to 0.
    """

    def __init__(
        self,
        declarations: Declarations,
        *,
        judge: AssignabilityOracle | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.declarations = declarations
        self.judge = judge
        self.limits = limits
        self.steps = 0
        self.depth = 0
        self.constraints: dict[Type, Type | None] = {}
        self.rigid: dict[tuple[TypeParameter, ...], tuple[Free, ...]] = {}
        self.groups: dict[tuple[Type | None, ...], list[tuple[Free, ...]]] = {}
        self.opened: dict[tuple[Signature, frozenset[Type]], Signature] = {}
        self.erasures: dict[Signature, Signature] = {}
        self.implied: dict[tuple[Type, tuple[TypeParameter, ...]], tuple[Type | None, ...]] = {}
        self._serial = 0
        self._unbound: dict[Type, Free] = {}
        self._normal: dict[Type, Type] = {}
        self._declared: dict[str, Declaration | None] = {}
        self._shapes: dict[tuple[Type, Type], ResolvedMembers] = {}
        self._by_name: dict[Object, Mapping[str, Property]] = {}

    @property
    def reduced(self) -> Mapping[Type, Type]:
        """What types were reduced to."""
        return self._normal

    # -- work ------------------------------

    def count(self) -> None:
        """Count one step of work.

        Raises:
            LimitReached: there were too many.
        """
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitReached(f"more than {self.limits.steps} steps")

    def work(self, parts: int) -> None:
        """Count going through many parts, which is cheaper than comparing them.

        Raises:
            LimitReached: there was too much work.
        """
        self.steps += parts >> 4
        if self.steps > self.limits.steps:
            raise LimitReached(f"more than {self.limits.steps} steps")

    # -- declarations ------------------------------

    def declaration(self, key: str) -> Declaration | None:
        """Return the declaration of that key, asked for once."""
        try:
            return self._declared[key]
        except KeyError:
            found = self._declared[key] = self.declarations.get(key)
            return found

    def by_name(self, t: Object) -> Mapping[str, Property]:
        """Return the properties that are written in ``t``, by name."""
        found = self._by_name.get(t)
        if found is None:
            found = self._by_name[t] = by_name(self.declaration, t.properties)
        return found

    def arguments(self, declaration: Declaration, given: tuple[Type, ...]) -> tuple[Type, ...]:
        """Return one argument for each type parameter, defaults filled in."""
        if len(given) == len(declaration.type_parameters):
            return given
        return parameter_defaults(declaration.type_parameters, given, self.normal)

    # -- variables ------------------------------

    def fresh(self, name: str, constraint: Type | None = None) -> Free:
        """Return a new variable; serial numbers count up in the order of asking."""
        self._serial += 1
        free = Free(self._serial, name)
        self.constraints[free] = constraint
        return free

    def unbound(self, variable: Type) -> Free:
        """Return a variable that stands for ``variable`` without its constraint.

        Always the same one.
        """
        found = self._unbound.get(variable)
        if found is None:
            found = self._unbound[variable] = self.fresh("T")
        return found

    def replace(self, node: Any, replaced: dict[Type, Type]) -> Any:
        """Return ``node`` with free variables (or ``this``) replaced."""
        return Substitution((), replaced, self.normal).apply(node)

    # -- reduction ------------------------------

    def apart(self, question: Callable[[], T]) -> T | None:
        """Answer a question with steps of its own; None if it is too much work."""
        steps, depth = self.steps, self.depth
        self.steps = self.depth = 0
        try:
            return question()
        except LimitReached:
            return None
        finally:
            self.steps, self.depth = steps, depth

    def normal(self, t: Type) -> Type:
        """Return ``t`` in head normal form.

        Raises:
            LimitReached: it did not come to an end.
        """
        handler = _HANDLERS.get(t.__class__)
        if handler is None:
            return t
        found = self._normal.get(t)
        if found is not None:
            return found
        self.depth += 1
        if self.depth > self.limits.expansion:
            self.depth -= 1
            raise LimitReached("types expand too deep")
        try:
            result = self._reduce(t, handler)
        finally:
            self.depth -= 1
        self._normal[t] = result
        if result is not t:
            self._normal[result] = result
        return result

    def _reduce(self, t: Type, handler: Callable[[Reducer, Any], Type]) -> Type:
        for _ in range(self.limits.tail):
            self.count()
            reduced = handler(self, t)
            following = _HANDLERS.get(reduced.__class__)
            if reduced is t or following is None:
                return reduced
            known = self._normal.get(reduced)
            if known is not None:
                return known
            t, handler = reduced, following
        raise LimitReached("a type expands without end")

    def shape(self, t: Type, this: Type | None = None) -> ResolvedMembers:
        """Return the members of ``t`` (of what a primitive wraps, of a variable's constraint).

        Args:
            this: the receiver that ``this`` stands for; the type itself if None.
        """
        t = self.normal(t)
        key = (t, t if this is None else this)
        found = self._shapes.get(key)
        if found is None:
            found = self._shapes[key] = shape_of(self, t, key[1])
        return found

    def constraint(self, variable: Type) -> Type | None:
        """Return the constraint of a variable that was taken out of its binder."""
        return self.constraints.get(variable)


def _intrinsic(_: Reducer, t: Intrinsic) -> Type:
    return ANY if t in _UNKNOWABLE else t


# What nobody knows fits everything, as the compiler has it for parts without annotation.
_UNKNOWABLE = frozenset((UNANNOTATED, UNREADABLE, WILDCARD, FURTHER))


def _reference(r: Reducer, t: Reference) -> Type:
    if t.target in _ARRAYS:
        return Array(t.arguments[0] if t.arguments else ANY, _ARRAYS[t.target])
    declaration = r.declaration(t.target)
    if declaration is None:
        return t
    if declaration.kind == "enum":
        if not declaration.members:
            return t
        return union_of(r, [Reference(key) for _, key in declaration.members])
    arguments = r.arguments(declaration, t.arguments)
    if declaration.kind != "alias" or declaration.type is None:
        return t if arguments == t.arguments else Reference(t.target, arguments)
    if declaration.type in BY_THE_COMPILER:
        return string_mapping(r, t, declaration.name)
    body = declaration.type
    if body.loose == 0:
        return body
    reduced = tuple([r.normal(argument) for argument in arguments])
    own = declaration.type_parameters
    return instantiate(body, reduced, normal=r.normal, parameters=own)


_ARRAYS = {"global#Array": False, "global#ReadonlyArray": True}


def _union(r: Reducer, t: Union) -> Type:
    return union_of(r, t.members)


def _tuple(r: Reducer, t: Tuple) -> Type:
    if len(t.elements) == 1 and t.elements[0].kind == "rest":
        return Array(t.elements[0].type, t.readonly)
    if all(element.kind != "variadic" for element in t.elements):
        return t
    return spread(t.elements, t.readonly, r.normal)


_HANDLERS: dict[type, Callable[[Reducer, Any], Type]] = {
    Intrinsic: _intrinsic,
    Reference: _reference,
    Union: _union,
    Intersection: lambda r, t: intersection_of(r, t.members),
    Tuple: _tuple,
    Template: template,
    TypeOf: type_of_value,
    KeyOf: keys_of,
    IndexedAccess: indexed_access,
    Mapped: mapped,
    Conditional: conditional,
}
