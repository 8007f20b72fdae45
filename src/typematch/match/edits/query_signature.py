"""A query's function prepared for matching: skolemized variables, wildcards replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from typematch.ir.constructors import object_type
from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode, children, rebuild, replace_fields
from typematch.ir.type_parts import Parameter, Property, Signature, TypeParameter
from typematch.ir.types import (
    ANY,
    ELLIPSIS,
    NEVER,
    WILDCARD,
    Array,
    Free,
    Intrinsic,
    Object,
    Reference,
    Type,
)
from typematch.program.reduction.bounded import expanded
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.skolemize import effective_constraint, instantiate_signature

N = TypeVar("N", bound=InternedNode)


@dataclass(frozen=True, slots=True)
class QuerySignature:
    """A query's function in the forms that matching needs.

    Attributes:
        generic: as written, but with ``any`` for ``_`` and without a final ``...``.
        skolemized: ``generic`` with ``variables`` for its type parameters.
        variables: the query's skolems.
        allows_more: the query ends in ``...``: additional parameters are free.
        mentions_any_or_never: its parameters, or the constraints of its variables, mention ``any``
            or ``never``, so that a candidate's type parameters may be instantiated with these.
        is_called_twice: its result is a function that is called with the rest of the arguments.
    """

    generic: Signature
    skolemized: Signature
    variables: tuple[Free, ...]
    allows_more: bool = False
    mentions_any_or_never: bool = False
    is_called_twice: bool = False

    @property
    def type(self) -> Object:
        """The query as a function type."""
        return Object(calls=(self.generic,))

    @property
    def variable_arguments(self) -> int:
        """How many of the query's variables are the type of an argument."""
        types = {parameter.type for parameter in self.skolemized.parameters}
        return len(types.intersection(self.variables))

    @property
    def has_rest(self) -> bool:
        return any(parameter.rest for parameter in self.skolemized.parameters)

    def with_type_arguments(
        self, type_arguments: Sequence[Type], reducer: Reducer
    ) -> QuerySignature:
        """Return the query with ``type_arguments`` for its variables."""
        instantiated = instantiate_signature(reducer, self.generic, type_arguments)
        return replace(self, generic=instantiated, skolemized=instantiated, variables=())

    def erased(self, reducer: Reducer, is_computed: Callable[[Type], bool]) -> QuerySignature:
        """Return the query with ``any`` for its variables, and for types computed from them.

        ``keyof any`` is no ``keyof T`` of a type that the variable may stand for.
        """
        parameters = tuple(
            replace_fields(parameter, type=ANY) if is_computed(parameter.type) else parameter
            for parameter in self.generic.parameters
        )
        returns = ANY if is_computed(self.generic.returns) else self.generic.returns
        generic = replace_fields(self.generic, parameters=parameters, returns=returns)
        values = (ANY,) * len(self.variables)
        return replace(self, generic=generic).with_type_arguments(values, reducer)

    def with_packed_arguments(self, packed: Sequence[int], name: str) -> QuerySignature:
        """Return the query with the arguments at these indices as properties of one argument.

        Args:
            packed: indices of the arguments.
            name: of the new argument, which takes the place of the first.
        """

        def pack(signature: Signature) -> Signature:
            parameters = signature.parameters
            properties = [
                Property(parameters[index].name, parameters[index].type, parameters[index].optional)
                for index in packed
            ]
            kept: list[Parameter] = [
                parameter for index, parameter in enumerate(parameters) if index not in packed
            ]
            options = Parameter(
                name, object_type(properties), all(parameter.optional for parameter in properties)
            )
            kept.insert(packed[0], options)
            return replace_fields(signature, parameters=tuple(kept))

        return replace(self, generic=pack(self.generic), skolemized=pack(self.skolemized))

    def with_constraints(
        self, constraints: Sequence[Type | None], reducer: Reducer
    ) -> QuerySignature:
        """Return the query with constraints for its variables; None keeps a variable's own."""
        parameters = tuple(
            parameter if constraint is None else replace_fields(parameter, constraint=constraint)
            for parameter, constraint in zip(self.generic.type_parameters, constraints, strict=True)
        )
        generic = replace_fields(self.generic, type_parameters=parameters)
        # The constraint of one may mention another: ``<T, K extends keyof T>``.
        variables = tuple(
            variable
            if constraint is None and not parameter.loose_depth
            else reducer.fresh_variable(variable.name)
            for variable, constraint, parameter in zip(
                self.variables, constraints, parameters, strict=True
            )
        )
        _declare_constraints(variables, parameters, reducer)
        skolemized = instantiate_signature(reducer, generic, variables)
        return replace(self, generic=generic, skolemized=skolemized, variables=variables)


def to_query_signature(
    function: Object,
    reducer: Reducer,
    names: Sequence[str] = (),
    *,
    is_called_twice: bool = False,
) -> QuerySignature:
    """Prepare a query's function type, which has one call signature.

    Args:
        names: of the query's variables, in order.
        is_called_twice: its result is a function that is called, too.
    """
    original = function.calls[0]
    generic = _with_expanded_intrinsics(_without_wildcards(original), reducer)
    variables = tuple(
        reducer.fresh_variable(names[i] if i < len(names) else _LETTERS[i % len(_LETTERS)])
        for i in range(len(generic.type_parameters))
    )
    _declare_constraints(variables, generic.type_parameters, reducer)
    skolemized = instantiate_signature(reducer, generic, variables)
    allows_more = len(generic.parameters) < len(original.parameters)
    any_or_never = mentions_any_or_never(generic, reducer.declaration)
    return QuerySignature(
        generic, skolemized, variables, allows_more, any_or_never, is_called_twice
    )


def _with_expanded_intrinsics(signature: Signature, reducer: Reducer) -> Signature:
    """Return ``signature`` with ``void`` or ``any`` for parameters and results of such an alias."""

    def expanded_intrinsic(t: Type) -> Type:
        if not isinstance(t, Reference) or t.arguments:
            return t
        head = expanded(reducer, t)
        return head if isinstance(head, Intrinsic) else t

    parameters = tuple(
        replace_fields(parameter, type=expanded_intrinsic(parameter.type))
        for parameter in signature.parameters
    )
    returns = expanded_intrinsic(signature.returns)
    return replace_fields(signature, parameters=parameters, returns=returns)


def _declare_constraints(
    variables: Sequence[Free], parameters: Sequence[TypeParameter], reducer: Reducer
) -> None:
    """Give variables the constraints of their type parameters, which may mention one another."""
    for variable, parameter in zip(variables, parameters, strict=True):
        if parameter.constraint is not None:
            reducer.constraints[variable] = instantiate(parameter.constraint, variables)


def mentions_any_or_never(
    signature: Signature, declaration_of: Callable[[str], Declaration | None]
) -> bool:
    """Whether the parameters of a signature mention ``any`` or ``never``.

    Directly, through an alias, as the type of a property or index signature of a declared type, or
    through the constraint of a type parameter.
    """
    seen: set[str] = set()
    pending: list[InternedNode] = [*signature.parameters]
    pending += filter(None, map(effective_constraint, signature.type_parameters))
    while pending:
        node = pending.pop()
        if node is ANY or node is NEVER:
            return True
        pending += children(node)
        if isinstance(node, Reference) and node.target not in seen:
            seen.add(node.target)
            declared = declaration_of(node.target)
            if declared is None or declared.type is None:
                continue
            if declared.kind == "alias":
                pending.append(declared.type)
            elif isinstance(declared.type, Object):
                pending += [
                    member.type for member in declared.type.properties if member.type is ANY
                ]
                pending += [member.type for member in declared.type.indexes if member.type is ANY]
    return False


_LETTERS = "TUVWXYZABCDEFGHIJKLMNOPQRS"


def result_type(signature: Signature) -> Type:
    """Return the result type; for a type guard the type that it guards."""
    if signature.predicate is not None and signature.predicate.type is not None:
        return signature.predicate.type
    return signature.returns


def _without_wildcards(signature: Signature) -> Signature:
    """Return ``signature`` with ``any`` for ``_`` and without a final ``...``."""
    parameters = tuple(
        parameter for parameter in signature.parameters if parameter.type is not ELLIPSIS
    )
    return replace_wildcards(replace_fields(signature, parameters=parameters))


def replace_wildcards(node: N) -> N:
    """Return ``node`` with ``any`` for ``_`` and ``...any[]`` for ``...``."""
    if node is WILDCARD:
        return cast(N, ANY)
    if isinstance(node, Parameter) and node.type is ELLIPSIS:
        return cast(N, Parameter(node.name, Array(ANY), rest=True))
    return rebuild(node, lambda part, _: replace_wildcards(part))
