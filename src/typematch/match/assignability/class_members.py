"""Open members of generic classes and interfaces: their type parameters are rigid inside."""

from __future__ import annotations

from typing import cast

from typematch.ir.types import THIS, Free, Reference, Type, TypeParameter
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.skolemize import constraint_in

# Serials from here down: of what stands for the type parameters of a class, for good.  They never
# meet the variables of a relation, which count up, nor the stand-ins of ``match.rigid``.
_FIRST = -2_000


class ClassMemberSkolems:
    """What stands for type parameters of declarations in their members, always the same.

    Args:
        reducer: is told the constraints of these variables.
    """

    def __init__(self, reducer: Reducer) -> None:
        self._reducer = reducer
        self._told = [reducer]
        self._constraints: dict[Type, Type | None] = {}
        self._variables: dict[str, tuple[Free, ...]] = {}
        self._receivers: dict[str, Free] = {}
        self._opened: dict[tuple[Type, str], Type] = {}

    def __len__(self) -> int:
        """How many variables and members are kept."""
        return len(self._constraints) + len(self._opened)

    def tell(self, reducer: Reducer) -> None:
        """Tell another reducer the constraints as well, now and from now on."""
        reducer.constraints.update(self._constraints)
        self._told = [self._reducer, reducer]

    def opened(self, found: Type, container: str) -> Type:
        """Return a member's type as the compiler sees it from outside its generic container.

        The type parameters of the declaration ``container`` become rigid variables with their
        constraints, and ``this`` one whose constraint is the container itself; ``found`` mentions
        the parameters as one binder.
        """
        known = self._opened.get((found, container))
        if known is None:
            known = self._opened[found, container] = self._open(found, container)
        return known

    def _open(self, found: Type, container: str) -> Type:
        declaration = self._reducer.declaration(container)
        if declaration is None:
            return found
        variables = self._variables_of(container, declaration.type_parameters)
        opened = instantiate(found, variables)
        if THIS not in opened.free:
            return opened
        this = self._receivers.get(container)
        if this is None:
            this = self._receivers[container] = self._variable("this")
            self._limit(this, Reference(container, variables))
        return cast(Type, self._reducer.replace(opened, {THIS: this}))

    def _variables_of(
        self, container: str, parameters: tuple[TypeParameter, ...]
    ) -> tuple[Free, ...]:
        found = self._variables.get(container)
        if found is None:
            found = tuple([self._variable("T") for _ in parameters])
            self._variables[container] = found
            for variable, parameter in zip(found, parameters, strict=True):
                constraint = constraint_in(parameter)
                if constraint is not None:
                    self._limit(variable, instantiate(constraint, found))
        return found

    def _variable(self, name: str) -> Free:
        variable = Free(_FIRST - len(self._constraints), name)
        self._limit(variable, None)
        return variable

    def _limit(self, variable: Free, constraint: Type | None) -> None:
        self._constraints[variable] = constraint
        for reducer in self._told:
            reducer.constraints[variable] = constraint
