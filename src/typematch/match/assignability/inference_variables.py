"""Open what is generic while types are compared: each time with the same variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.types import UNKNOWN, Free, Mapped, Signature, Type
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import with_arguments

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation


def inference_variables(rel: Relation, signature: Signature) -> tuple[Free, ...]:
    """Return the variables to infer a generic signature with, the same ones each time."""
    found = rel.inferring.get(signature)
    if found is None:
        reducer = rel.reducer
        found = tuple([reducer.fresh("S") for _ in signature.type_parameters])
        rel.inferring[signature] = found
        for free, parameter in zip(found, signature.type_parameters, strict=True):
            if parameter.constraint is not None:
                bound = instantiate(parameter.constraint, found, normal=reducer.normal)
                reducer.constraints[free] = bound
    return found


def base_signature(rel: Relation, signature: Signature) -> Signature:
    """Return a generic signature with its constraints (or ``unknown``) for its parameters."""
    if not signature.type_parameters:
        return signature
    found = rel.based.get(signature)
    if found is None:
        opened = inference_variables(rel, signature)
        bases: list[Type] = []
        for variable in opened:
            bound = rel.reducer.constraints.get(variable)
            if bound is not None and not bound.free.isdisjoint(opened):
                bound = rel.reducer.replace(bound, dict.fromkeys(opened, UNKNOWN))
            bases.append(UNKNOWN if bound is None else bound)
        found = rel.based[signature] = with_arguments(rel.reducer, signature, bases)
    return found


def key_variable(rel: Relation, mapped: Mapped) -> Free:
    """Return the variable that stands for the keys of a mapped type."""
    found = rel.keys.get(mapped.keys)
    if found is None:
        found = rel.keys[mapped.keys] = rel.reducer.fresh("P", mapped.keys)
    return found
