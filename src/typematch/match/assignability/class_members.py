"""Skolemize members of generic classes: type parameters of the class become rigid variables."""

from __future__ import annotations

from typing import cast

from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import THIS, Free, Reference, Type, VariableKind
from typematch.program.reduction.instantiate import instantiate, instantiate_member
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.skolemize import effective_constraint


class ClassMemberSkolems:
    """Rigid variables for the type parameters of classes and interfaces, the same on every use.

    Args:
        reducer: receives the constraints of these variables.
    """

    def __init__(self, reducer: Reducer) -> None:
        self._reducer = reducer
        self._reducers = [reducer]
        self._constraints: dict[Type, Type | None] = {}
        self._skolems: dict[str, tuple[Free, ...]] = {}
        self._this_skolems: dict[str, Free] = {}
        self._skolemized: dict[tuple[Type, str], Type] = {}

    def __len__(self) -> int:
        """Number of cached variables and members."""
        return len(self._constraints) + len(self._skolemized)

    def register_reducer(self, reducer: Reducer) -> None:
        """Copy the constraints to another reducer as well, now and as variables are added."""
        reducer.constraints.update(self._constraints)
        self._reducers = [self._reducer, reducer]

    def unregister_reducer(self) -> None:
        """Undo ``register_reducer``."""
        self._reducers = [self._reducer]

    def skolemized(self, member: Type, container: str) -> Type:
        """Return the type of a member as seen from outside its generic container.

        The type parameters of the declaration ``container`` become rigid variables with their
        constraints, and ``this`` one whose constraint is the container; ``member`` mentions
        the parameters as one binder.
        """
        skolemized = self._skolemized.get((member, container))
        if skolemized is None:
            skolemized = self._skolemized[member, container] = self._skolemize(member, container)
        return skolemized

    def _skolemize(self, member: Type, container: str) -> Type:
        declaration = self._reducer.declaration(container)
        if declaration is None:
            return member
        variables = self._skolems_of(container, declaration.type_parameters)
        skolemized = instantiate(member, variables)
        if THIS not in skolemized.free:
            return skolemized
        this = self._this_skolems.get(container)
        if this is None:
            this = self._this_skolems[container] = self._new_skolem("this")
            self._set_constraint(this, Reference(container, variables))
        replaced = self._reducer.with_own_budget(
            lambda: cast(Type, self._reducer.replace(skolemized, {THIS: this}))
        )
        # Within the limits of the search, else without reducing what depends on ``this``.
        return instantiate_member(skolemized, (), this) if replaced is None else replaced

    def _skolems_of(
        self, container: str, parameters: tuple[TypeParameter, ...]
    ) -> tuple[Free, ...]:
        skolems = self._skolems.get(container)
        if skolems is None:
            skolems = tuple([self._new_skolem("T") for _ in parameters])
            self._skolems[container] = skolems
            for variable, parameter in zip(skolems, parameters, strict=True):
                constraint = effective_constraint(parameter)
                if constraint is not None:
                    self._set_constraint(variable, instantiate(constraint, skolems))
        return skolems

    def _new_skolem(self, name: str) -> Free:
        variable = Free(VariableKind.CONTAINER, len(self._constraints), name)
        self._set_constraint(variable, None)
        return variable

    def _set_constraint(self, variable: Free, constraint: Type | None) -> None:
        self._constraints[variable] = constraint
        for reducer in self._reducers:
            reducer.constraints[variable] = constraint
