"""The call signature of a union of functions."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.ir.constructors import intersection, union
from typematch.ir.type_parts import Parameter, Signature


def union_signature(alternatives: Sequence[tuple[Signature, ...]]) -> tuple[Signature, ...]:
    """Return the signature of a union of functions.

    Parameters are intersected, as the checker's resolveUnionTypeMembers does.  Empty if a function
    is overloaded or generic.
    """
    if len(alternatives) == 1:
        return alternatives[0]
    signatures = [
        calls[0] for calls in alternatives if len(calls) == 1 and not calls[0].type_parameters
    ]
    if not signatures or len(signatures) < len(alternatives):
        return ()
    longest = max(signatures, key=lambda signature: len(signature.parameters))
    parameters: list[Parameter] = []
    for position, parameter in enumerate(longest.parameters):
        counterparts = [
            signature.parameters[position]
            for signature in signatures
            if position < len(signature.parameters)
        ]
        if any(counterpart.rest != parameter.rest for counterpart in counterparts):
            return ()
        parameter_type = intersection(counterpart.type for counterpart in counterparts)
        optional = all(counterpart.optional for counterpart in counterparts)
        parameters.append(Parameter(parameter.name, parameter_type, optional, parameter.rest))
    returns = union(signature.returns for signature in signatures)
    return (Signature(tuple(parameters), returns, this=longest.this),)
