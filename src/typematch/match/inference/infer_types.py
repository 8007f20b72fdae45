"""Infer types for type variables by comparing a source type with a target that mentions them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, object_type
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    EMPTY_OBJECT,
    OBJECT,
    STRING,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
)
from typematch.match.deep_nesting import RecursionStack
from typematch.match.inference.candidates import (
    CIRCULARITY,
    HOMOMORPHIC_MAPPED_TYPE,
    LITERAL_KEYOF,
    MAX_PRIORITY,
    InferenceInfo,
)
from typematch.match.inference.conditional_types import infer_to_conditional
from typematch.match.inference.mapped_types import (
    infer_from_mapped,
    infer_reverse_mapped_type,
    infer_to_mapped,
)
from typematch.match.inference.object_types import infer_from_members
from typematch.match.inference.template_literals import infer_to_template
from typematch.match.inference.tuples import infer_to_tuple
from typematch.match.inference.unions import infer_to_intersection, infer_to_union
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.indexed_access import key_name
from typematch.program.reduction.members import (
    GLOBAL_THIS,
    apparent_type,
)
from typematch.program.reduction.tuple_properties import tuple_element_type

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_NO_INFER = "global#NoInfer"
_OBJECTS = (Object, Reference, Array, Tuple, Intersection)
_DEFERRED = (Free, IndexedAccess, KeyOf, Conditional, Template)
_MAX_LEVEL = 1  # see RecursionStack


class InferenceContext:
    """One inference (the checker's InferenceContext): candidates for each of ``variables``.

    Args:
        use_constraints: infer from the constraints of type variables in the source as well.  The
            checker does not for ``infer`` in conditional types.

    Attributes:
        contravariant: whether the current position is contravariant.
        bivariant: whether parameters of methods are compared, which do not turn the direction.
        priority: the InferencePriority bits of the current position.
        best_priority: the best priority of a candidate added since it was last reset (the
            checker's inferencePriority).
    """

    def __init__(
        self, rel: Relation, variables: Sequence[Free], *, use_constraints: bool = True
    ) -> None:
        self.rel = rel
        self._use_constraints = use_constraints
        self.variables = frozenset(variables)
        self._infos = {variable: InferenceInfo() for variable in variables}
        self.contravariant = False
        self.bivariant = False
        self.priority = 0
        self.best_priority = MAX_PRIORITY
        self._visited: dict[tuple[Type, Type], int] = {}
        self._reverse_mapped: dict[Free, list[tuple[Type, Mapped, int, bool]]] = {}
        self._sources = RecursionStack(rel.type_parts, _MAX_LEVEL, identifies_all=True)
        self._targets = RecursionStack(rel.type_parts, _MAX_LEVEL, identifies_all=True)

    def info(self, variable: Free) -> InferenceInfo:
        """Return the candidates of a variable, inferring reverse mapped types that are due."""
        info = self._infos[variable]
        for s, t, priority, contravariant in self._reverse_mapped.pop(variable, ()):
            if priority <= info.priority:
                info.add(
                    infer_reverse_mapped_type(self.rel, s, t, variable), priority, contravariant
                )
        return info

    def has_better_candidate(self, variable: Free, priority: int) -> bool:
        """Whether candidates of ``priority`` would be ignored, as there are better ones."""
        return self._infos[variable].priority < priority

    @contextmanager
    def with_priority(self, priority: int) -> Iterator[None]:
        """Add bits to the priority of every candidate inferred inside."""
        outer, self.priority = self.priority, self.priority | priority
        try:
            yield
        finally:
            self.priority = outer

    def infer_contravariantly(self, source: Type, target: Type) -> None:
        """Infer with the direction turned (inferFromContravariantTypes)."""
        self.contravariant = not self.contravariant
        self.infer(source, target)
        self.contravariant = not self.contravariant

    def mentions_variables(self, t: Type) -> bool:
        """Return whether ``t`` mentions one of the variables."""
        return not self.variables.isdisjoint(t.free)

    def infer(self, source: Type, target: Type) -> None:
        """Infer from ``source`` to the variables in ``target`` (inferFromTypes)."""
        if not self.mentions_variables(target):
            return
        if isinstance(target, Free):
            self.add_candidate(source, target)
            return
        same_alias = (
            isinstance(source, Reference)
            and isinstance(target, Reference)
            and source.target == target.target
        )
        if same_alias:
            self._from_type_arguments(source, target)  # type: ignore[arg-type]
            return
        if isinstance(target, Reference) and target.target == _NO_INFER:
            return
        reducer = self.rel.reducer
        s, t = reducer.normal(source), reducer.normal(target)
        if s is t and isinstance(s, (Union, Intersection)):
            for member in s.members:
                self.infer(member, member)
            return
        if isinstance(t, Union):
            infer_to_union(self, s, t)
        elif isinstance(t, Intersection) and not isinstance(s, Union):
            infer_to_intersection(self, s, t)
        else:
            self._infer_by_kind(s, t)
        if (
            isinstance(target, IndexedAccess)
            and t is not target
            and self._is_deferred_access(target)
        ):
            self._infer_to_access_result(s, t)

    def _is_deferred_access(self, t: IndexedAccess) -> bool:
        """Return whether the checker defers the access, so that it sees it as an access first."""
        normal = self.rel.reducer.normal
        return is_generic(normal(t.object)) or is_generic(normal(t.index))

    def _infer_to_access_result(self, s: Type, t: Type) -> None:
        """Infer to the type that an indexed access reduces to, from the constraint of ``s``.

        The checker does: from ``A`` to ``Record<K, V>[K]`` it infers ``A`` for V, then ``unknown``.
        """
        if isinstance(s, Union):
            sources = s.members
        elif isinstance(s, IndexedAccess) or not self._use_constraints:
            return
        else:
            constraint = apparent_type(self.rel.reducer, s)
            sources = () if constraint is s or isinstance(constraint, _OBJECTS) else (constraint,)
        for source in sources:
            self.infer(source, t)
            self._infer_to_access_result(source, t)

    def add_candidate(self, source: Type, target: Free) -> None:
        """Add a candidate for ``target`` if it is one of the variables."""
        info = self._infos.get(target)
        if info is None:
            return
        info.add(source, self.priority, self.contravariant and not self.bivariant)
        self.best_priority = min(self.best_priority, self.priority)

    def defer_reverse_mapped(self, s: Type, t: Mapped, variable: Free) -> None:
        """Add a reverse mapped type as a candidate, inferred when ``info`` is called.

        It is inferred only if no candidate of a better priority is found.
        """
        priority = self.priority | HOMOMORPHIC_MAPPED_TYPE
        contravariant = self.contravariant and not self.bivariant
        self._reverse_mapped.setdefault(variable, []).append((s, t, priority, contravariant))
        self.best_priority = min(self.best_priority, priority)

    # -- inferFromTypes, by kind of target ------------------------------

    def _infer_by_kind(self, s: Type, t: Type) -> None:
        match t:
            case Free():
                self.add_candidate(s, t)
            case KeyOf():
                self._to_keyof(s, t)
            case IndexedAccess():
                if isinstance(s, IndexedAccess):
                    self.infer(s.object, t.object)
                    self.infer(s.index, t.index)
            case Conditional():
                self._infer_once(s, t, self._to_conditional)
            case _ if isinstance(s, Union):
                for member in s.members:
                    self.infer(member, t)
            case Template():
                infer_to_template(self, s, t)
            case _:
                self._from_structured(s, t)

    def _to_conditional(self, s: Type, t: Type) -> None:
        infer_to_conditional(self, s, t)  # type: ignore[arg-type]

    def _to_keyof(self, s: Type, t: KeyOf) -> None:
        if isinstance(s, KeyOf):
            self.infer_contravariantly(s.type, t.type)
            return
        if s is BOOLEAN:
            return
        names = [key_name(self.rel.reducer, member) for member in constituents(s)]
        if s is not STRING and any(name is None for name in names):
            return
        keys = object_type([Property(name, ANY) for name in names if name is not None])
        with self.with_priority(LITERAL_KEYOF):
            self.infer_contravariantly(keys, t.type)

    def _from_type_arguments(self, s: Reference, t: Reference) -> None:
        letters = self.rel.variance_letters(t.target)
        for i, (source, target) in enumerate(zip(s.arguments, t.arguments, strict=False)):
            if letters is not None and i < len(letters) and letters[i] == "-":
                self.infer_contravariantly(source, target)
            else:
                self.infer(source, target)

    def _from_structured(self, s: Type, t: Type) -> None:
        if isinstance(s, Reference) and isinstance(t, Reference) and s.target == t.target:
            self._from_type_arguments(s, t)
            return
        if isinstance(s, Mapped) and isinstance(t, Mapped):
            infer_from_mapped(self, s, t)
            return
        constraint = s
        if not isinstance(s, Intersection if self._use_constraints else (Intersection, *_DEFERRED)):
            constraint = apparent_type(self.rel.reducer, s)
        if constraint is not s:
            if isinstance(s, Free) and isinstance(constraint, Union):
                self.infer(constraint, t)
                return
            s = constraint
        if s is OBJECT:
            s = EMPTY_OBJECT
        if isinstance(s, _OBJECTS) or s is GLOBAL_THIS:
            self._infer_once(s, t, self._from_object_types)

    def _infer_once(self, s: Type, t: Type, infer: Callable[[Type, Type], None]) -> None:
        """Infer between a pair once, and not where both sides are deeply nested (invokeOnce)."""
        pair = (s, t)
        visited = self._visited.get(pair)
        if visited is not None:
            self.best_priority = min(self.best_priority, visited)
            return
        self._visited[pair] = CIRCULARITY
        self.rel.reducer.count_step()
        outer, self.best_priority = self.best_priority, MAX_PRIORITY
        deeply_nested = self._sources.enter(s, s)
        deeply_nested = self._targets.enter(t, t) and deeply_nested
        self.rel.enter_level()
        try:
            if deeply_nested:
                self.best_priority = CIRCULARITY
            else:
                infer(s, t)
        finally:
            self.rel.leave_level()
            self._sources.leave()
            self._targets.leave()
        self._visited[pair] = self.best_priority
        self.best_priority = min(self.best_priority, outer)

    def _from_object_types(self, s: Type, t: Type) -> None:
        if (
            isinstance(t, Mapped)
            and t.rename is None
            and infer_to_mapped(self, s, t, self.rel.reducer.normal(t.keys))
        ):
            return
        if isinstance(s, Array) and isinstance(t, Array):
            self.infer(s.element, t.element)
            return
        if isinstance(s, (Array, Tuple)):
            if isinstance(t, Tuple):
                infer_to_tuple(self, s, t)
                return
            if isinstance(t, Array):
                self.infer(s.element if isinstance(s, Array) else tuple_element_type(s), t.element)
                return
        infer_from_members(self, s, t)
