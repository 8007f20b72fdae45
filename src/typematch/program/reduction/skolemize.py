"""Open the binder of a generic declaration or signature: with types, variables, or ``any``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.types import ANY, THIS, Free, Signature, Type, TypeParameter
from typematch.program.reduction.instantiate import Substitution, instantiate

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def variables_for(r: Reducer, parameters: tuple[TypeParameter, ...]) -> tuple[Free, ...]:
    """Return rigid variables for a binder's parameters.

    The same ones each time for the same parameters.
    """
    found = r.rigid.get(parameters)
    if found is None:
        found = tuple([r.fresh("T") for _ in parameters])
        r.rigid[parameters] = found
        for free, parameter in zip(found, parameters, strict=True):
            constraint = constraint_in(parameter)
            if constraint is not None:
                r.constraints[free] = instantiate(constraint, found, normal=r.normal)
    return found


def opened(r: Reducer, signature: Signature, beside: Signature | None = None) -> Signature:
    """Return a generic signature with rigid variables in the place of its parameters.

    The variables are the first ones that neither the signature nor the one ``beside`` it
    mentions yet: so an inner binder never gets those of an outer one, and a method that gives
    its own container again meets the very pair of types that is being compared already.
    """
    if not signature.type_parameters:
        return signature
    used = signature.free
    if beside is not None:
        used = used | beside.free
    key = (signature, used)
    found = r.opened.get(key)
    if found is None:
        variables = unused_variables(r, signature.type_parameters, used)
        found = r.opened[key] = with_arguments(r, signature, variables)
    return found


def unused_variables(
    r: Reducer, parameters: tuple[TypeParameter, ...], used: frozenset[Type]
) -> tuple[Free, ...]:
    """Return the first rigid variables for a binder's parameters that are none of ``used``."""
    groups = r.groups.setdefault(tuple([p.constraint for p in parameters]), [])
    for group in groups:
        if used.isdisjoint(group):
            return group
    group = tuple([r.fresh("T") for _ in parameters])
    groups.append(group)
    for free, parameter in zip(group, parameters, strict=True):
        constraint = constraint_in(parameter)
        if constraint is not None:
            r.constraints[free] = instantiate(constraint, group, normal=r.normal)
    return group


def with_arguments(r: Reducer, signature: Signature, arguments: Sequence[Type]) -> Signature:
    """Return a generic signature with its own parameters replaced by ``arguments``."""
    if not signature.type_parameters:
        return signature
    own = signature.type_parameters
    bare = Substitution(tuple(arguments), {}, r.normal, own)
    this = signature.this
    predicate = signature.predicate
    return Signature(
        bare.all(signature.parameters, 0),
        bare.apply(signature.returns),
        (),
        None if this is None else bare.apply(this),
        None if predicate is None else bare.apply(predicate),
        signature.modifier,
    )


def erasure(r: Reducer, signature: Signature) -> Signature:
    """Return a generic signature with ``any`` for its parameters, the compiler's erasure."""
    if not signature.type_parameters:
        return signature
    found = r.erasures.get(signature)
    if found is None:
        arguments = (ANY,) * len(signature.type_parameters)
        found = r.erasures[signature] = with_arguments(r, signature, arguments)
    return found


def opener(r: Reducer, arguments: tuple[Type, ...], this: Type) -> Substitution:
    """Return the replacement that opens a generic declaration for a receiver ``this``."""
    return Substitution(arguments, {THIS: this}, r.normal)


def constraint_in(parameter: TypeParameter) -> Type | None:
    """Return the constraint of a type parameter; ``extends any`` is none."""
    return None if parameter.constraint is ANY else parameter.constraint
