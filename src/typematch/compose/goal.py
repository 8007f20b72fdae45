"""The goal of a composition: the function type that a pipeline has to have."""

from __future__ import annotations

from dataclasses import dataclass

from typematch.errors import UsageError
from typematch.ir.constructors import promise_value_type
from typematch.ir.type_parts import Parameter
from typematch.ir.types import (
    ANY,
    ELLIPSIS,
    NEVER,
    UNDEFINED,
    UNKNOWN,
    VOID,
    WILDCARD,
    Free,
    Object,
    Type,
    VariableKind,
)
from typematch.program.reduction.instantiate import instantiate
from typematch.search.prepare.prepared_query import PreparedQuery

_MAX_ARGUMENTS = 6
_REFUSED_RESULTS = frozenset((ANY, UNKNOWN, WILDCARD, NEVER))  # of a query


@dataclass(frozen=True, slots=True)
class Goal:
    """The query's signature with free variables for its type parameters.

    Attributes:
        function: the signature as a type, generic.
        names: of its type parameters.
        arguments: the values that the query gives.
        returns: the expected result; ``value`` is that of a promise.
        constraints: of the free variables that have one.
    """

    function: Object
    names: tuple[str, ...]
    arguments: tuple[Parameter, ...]
    returns: Type
    constraints: tuple[tuple[Free, Type], ...] = ()

    @property
    def is_promised(self) -> bool:
        return promise_value_type(self.returns) is not None

    @property
    def value(self) -> Type:
        return promise_value_type(self.returns) or self.returns


def goals_of(prepared: PreparedQuery) -> tuple[Goal, ...]:
    """Return the goal for each reading of a query's signature.

    Raises:
        UsageError: the query has no signature, or one that says too little.
    """
    if not prepared.signatures:
        raise UsageError(
            "the query has no signature that a pipeline could have",
            prepared.query.text,
            hint="Give the type that you need: (path: string) => Promise<User[]>",
        )
    return tuple(_goal(signature, prepared) for signature in prepared.signatures)


def _goal(function: Object, prepared: PreparedQuery) -> Goal:
    [call] = function.calls
    text = prepared.query.text
    names = tuple(name.removeprefix("?") for name in prepared.variables)
    variables = [Free(VariableKind.QUERY, index, name) for index, name in enumerate(names)]
    returns = instantiate(call.returns, variables)
    value = promise_value_type(returns) or returns
    if value in _REFUSED_RESULTS:
        raise UsageError(
            "every function gives a value of this result type",
            text,
            hint="Give the type of the result: (path: string) => Promise<User[]>",
        )
    if value in (VOID, UNDEFINED) and not call.parameters:
        raise UsageError(
            "a pipeline without arguments and without a result could be any calls",
            text,
            hint="Name a value that is given, or the type of the result.",
        )
    if any(p.rest or p.type is ELLIPSIS for p in call.parameters) or call.predicate is not None:
        raise UsageError(
            "pipelines have a fixed number of arguments, and no type predicate",
            text,
            hint="Write the arguments one by one: (path: string, encoding: string) => string",
        )
    if len(call.parameters) > _MAX_ARGUMENTS:
        raise UsageError(
            f"a pipeline can have at most {_MAX_ARGUMENTS} arguments",
            text,
            hint="Leave out what can be computed from the others.",
        )
    return Goal(
        function,
        names,
        tuple(instantiate(parameter, variables) for parameter in call.parameters),
        returns,
        tuple(
            (variable, instantiate(parameter.constraint, variables))
            for variable, parameter in zip(variables, call.type_parameters, strict=True)
            if parameter.constraint is not None
        ),
    )
