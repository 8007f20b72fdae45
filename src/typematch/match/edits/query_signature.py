"""Make a query's function ready for matching: its variables rigid, its wildcards open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from typematch.ir.constructors import object_type
from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode, children, rebuild, replaced
from typematch.ir.types import (
    ANY,
    FURTHER,
    NEVER,
    WILDCARD,
    Array,
    Free,
    Object,
    Parameter,
    Property,
    Reference,
    Signature,
    Type,
)
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.skolemize import constraint_in, with_arguments

N = TypeVar("N", bound=InternedNode)


@dataclass(frozen=True, slots=True)
class QuerySignature:
    """A query's function, made ready once.

    Attributes:
        binder: as typed, but with ``any`` for ``_`` and without a last ``...`` parameter.
        rigid: the same with ``variables`` in the place of its type parameters.
        further: the query ended in ``...``: more parameters are welcome.
        vague: its parameters, or the constraints of its variables, bring ``any`` or ``never``: a
            found function's variables may become that.
    """

    binder: Signature
    rigid: Signature
    variables: tuple[Free, ...]
    further: bool = False
    vague: bool = False

    @property
    def type(self) -> Object:
        """The query as a function type, for the strict relation."""
        return Object(calls=(self.binder,))

    @property
    def has_rest(self) -> bool:
        return any(parameter.rest for parameter in self.rigid.parameters)

    def with_values(self, values: Sequence[Type], reducer: Reducer) -> QuerySignature:
        """Return the same query with ``values`` for its type parameters."""
        opened = with_arguments(reducer, self.binder, values)
        return QuerySignature(opened, opened, (), self.further, self.vague)

    def gathered(self, parts: Sequence[int], name: str) -> QuerySignature:
        """Return the same query with those of its arguments as properties of one, ``name``."""

        def gather(signature: Signature) -> Signature:
            given = signature.parameters
            inside = [Property(given[j].name, given[j].type, given[j].optional) for j in parts]
            kept: list[Parameter] = [one for j, one in enumerate(given) if j not in parts]
            whole = Parameter(name, object_type(inside), all(one.optional for one in inside))
            kept.insert(parts[0], whole)
            return replaced(signature, parameters=tuple(kept))

        return replace(self, binder=gather(self.binder), rigid=gather(self.rigid))

    def narrowed(self, limits: Sequence[Type | None], reducer: Reducer) -> QuerySignature:
        """Return the same query, its variables within ``limits`` too; None leaves one as it is."""
        variables = tuple(
            one if limit is None else reducer.fresh(one.name, limit)
            for one, limit in zip(self.variables, limits, strict=True)
        )
        parameters = tuple(
            one if limit is None else replaced(one, constraint=limit)
            for one, limit in zip(self.binder.type_parameters, limits, strict=True)
        )
        binder = replaced(self.binder, type_parameters=parameters)
        rigid = with_arguments(reducer, binder, variables)
        return QuerySignature(binder, rigid, variables, self.further, self.vague)


def asked_for(function: Object, reducer: Reducer, names: Sequence[str] = ()) -> QuerySignature:
    """Return the query's function type (of one call) made ready; ``names`` are its variables'."""
    typed = function.calls[0]
    signature = _without_wildcards(typed)
    parameters = signature.type_parameters
    variables = tuple(
        reducer.fresh(names[i] if i < len(names) else _LETTERS[i % len(_LETTERS)])
        for i in range(len(parameters))
    )
    for variable, parameter in zip(variables, parameters, strict=True):
        if parameter.constraint is not None:
            reducer.constraints[variable] = instantiate(parameter.constraint, variables)
    rigid = with_arguments(reducer, signature, variables)
    further = len(signature.parameters) < len(typed.parameters)
    vague = is_vague(signature, reducer.declaration)
    return QuerySignature(signature, rigid, variables, further, vague)


def is_vague(signature: Signature, declaration: Callable[[str], Declaration | None]) -> bool:
    """Return whether arguments bring ``any`` or ``never``.

    As written, by an alias, as a property or index of what is declared, or by the constraint of
    a type parameter, which the compiler puts in its place.
    """
    seen: set[str] = set()
    waiting: list[InternedNode] = [*signature.parameters]
    waiting += filter(None, map(constraint_in, signature.type_parameters))
    while waiting:
        node = waiting.pop()
        if node is ANY or node is NEVER:
            return True
        waiting += children(node)
        if isinstance(node, Reference) and node.target not in seen:
            seen.add(node.target)
            declared = declaration(node.target)
            if declared is None or declared.type is None:
                continue
            if declared.kind == "alias":
                waiting.append(declared.type)
            elif isinstance(declared.type, Object):
                waiting += [one.type for one in declared.type.properties if one.type is ANY]
                waiting += [one.type for one in declared.type.indexes if one.type is ANY]
    return False


_LETTERS = "TUVWXYZABCDEFGHIJKLMNOPQRS"


def result_of(signature: Signature) -> Type:
    """Return what a signature gives: of a type guard, the type that it guards."""
    if signature.predicate is not None and signature.predicate.type is not None:
        return signature.predicate.type
    return signature.returns


def _without_wildcards(signature: Signature) -> Signature:
    """Return ``signature`` with ``any`` for ``_`` and without a ``...`` of its own."""
    kept = tuple(p for p in signature.parameters if p.type is not FURTHER)
    return any_for_wildcards(replaced(signature, parameters=kept))


def any_for_wildcards(node: N) -> N:
    """Return ``node`` with ``any`` for ``_``, and for a ``...`` a rest parameter of anything."""
    if node is WILDCARD:
        return cast(N, ANY)
    if isinstance(node, Parameter) and node.type is FURTHER:
        return cast(N, Parameter(node.name, Array(ANY), rest=True))
    return rebuild(node, lambda part, _: any_for_wildcards(part))
