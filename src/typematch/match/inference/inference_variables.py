"""Variables for generic types in a comparison, memoised so that results can be cached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.type_parts import Signature
from typematch.ir.types import UNKNOWN, Free, Mapped, Type
from typematch.program.reduction.skolemize import instantiate_signature

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation


def inference_variables(
    rel: Relation, signature: Signature, other: Signature | None = None
) -> tuple[Free, ...]:
    """Return the variables to infer a generic signature with.

    Signatures with equal type parameters share them, and with them the types made of them.  They
    are the first that occur neither in the signature nor in ``other``: an inner binder never gets
    the variables of an outer one.
    """
    reducer = rel.reducer
    used = signature.free if other is None else signature.free | other.free
    parameters = signature.type_parameters
    groups = rel.inference_variables.setdefault(
        tuple([parameter.constraint for parameter in parameters]), []
    )
    for group in groups:
        if used.isdisjoint(group):
            return group
    variables = tuple([reducer.fresh_variable("S") for _ in parameters])
    groups.append(variables)
    for variable, parameter in zip(variables, parameters, strict=True):
        if parameter.constraint is not None:
            constraint = reducer.instantiate(parameter.constraint, variables)
            reducer.constraints[variable] = constraint
    return variables


def base_signature(rel: Relation, signature: Signature) -> Signature:
    """Replace type parameters by their constraints, or ``unknown`` (getBaseSignature)."""
    if not signature.type_parameters:
        return signature
    base = rel.base_signatures.get(signature)
    if base is None:
        variables = inference_variables(rel, signature)
        arguments: list[Type] = []
        for variable in variables:
            constraint = rel.reducer.constraints.get(variable)
            if constraint is not None and not constraint.free.isdisjoint(variables):
                constraint = rel.reducer.replace(constraint, dict.fromkeys(variables, UNKNOWN))
            arguments.append(UNKNOWN if constraint is None else constraint)
        base = rel.base_signatures[signature] = instantiate_signature(
            rel.reducer, signature, arguments
        )
    return base


def key_variable(rel: Relation, mapped: Mapped) -> Free:
    """Return the variable for the key of a mapped type; its constraint is the key type."""
    variable = rel.key_variables.get(mapped.keys)
    if variable is None:
        variable = rel.key_variables[mapped.keys] = rel.reducer.fresh_variable("P", mapped.keys)
    return variable
