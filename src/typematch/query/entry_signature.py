"""Converts the signature of a query to the same structure as the signatures of entries."""

from __future__ import annotations

from dataclasses import replace

from typematch.ir.entry import EntryParameter, EntrySignature
from typematch.ir.render import render
from typematch.ir.types import ELLIPSIS, Object
from typematch.query.model import Query
from typematch.query.read_as import signature_text


def compared_signature(query: Query) -> EntrySignature | None:
    """Return the signature that hits are compared with: parsed, or read from a sentence."""
    if query.signature is not None:
        signature = entry_signature(query.signature, query.variables)
        return replace(signature, text=f"new {signature.text}") if query.constructs else signature
    if query.sentence is None:
        return None
    from typematch.query.english.sentence_constraints import (
        sentence_signature,  # late: most queries are not sentences
    )

    parsed = sentence_signature(query.sentence)
    return None if parsed is None else entry_signature(parsed.type, parsed.variables)


def entry_signature(function: Object, variables: tuple[str, ...]) -> EntrySignature:
    """Return the signature of a function type with one call.

    Names in its types are not resolved.  Parameters without a name have an empty one; ``...`` is a
    parameter of that type.

    Args:
        variables: the names of the type parameters.
    """
    [call] = function.calls
    names = (tuple(name.removeprefix("?") for name in variables),)
    parameters = tuple(
        EntryParameter(
            name=parameter.name,
            type="..." if parameter.type is ELLIPSIS else render(parameter.type, names=names),
            resolved=parameter.type,
            optional=parameter.optional,
            rest=parameter.rest,
        )
        for parameter in call.parameters
    )
    return EntrySignature(
        text=signature_text(function, variables),
        type=function,
        parameters=parameters,
        returns=render(call.returns, names=names),
        return_type=call.returns,
        min_arity=sum(1 for p in call.parameters if not (p.optional or p.rest)),
        max_arity=None,
    )
