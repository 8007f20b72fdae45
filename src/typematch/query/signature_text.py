"""Say a query's signature by its parts, as the signatures of what was found are said."""

from __future__ import annotations

from typematch.ir.entry import EntryParameter, EntrySignature
from typematch.ir.render import render
from typematch.ir.types import FURTHER, Object
from typematch.query.model import Query
from typematch.query.read_as import signature_text


def asked_signature(query: Query) -> EntrySignature | None:
    """Return the signature that hits are compared with, typed or read off a sentence."""
    if query.signature is not None:
        return written(query.signature, query.variables)
    if query.said is None:
        return None
    from typematch.query.english.sentence_constraints import (
        signature_of,  # late: most queries are no sentences
    )

    spoken = signature_of(query.said)
    return None if spoken is None else written(spoken.type, spoken.variables)


def written(function: Object, variables: tuple[str, ...]) -> EntrySignature:
    """Return the signature of a function type with one call, its type parameters so called.

    Its types are as the query has them, their names not looked up.  What was not named has no
    name, and ``...`` is one of that type.
    """
    [call] = function.calls
    names = (tuple(one.removeprefix("?") for one in variables),)
    parameters = tuple(
        EntryParameter(
            name=one.name,
            type="..." if one.type is FURTHER else render(one.type, names=names),
            resolved=one.type,
            optional=one.optional,
            rest=one.rest,
        )
        for one in call.parameters
    )
    return EntrySignature(
        text=signature_text(function, variables),
        type=function,
        parameters=parameters,
        returns=render(call.returns, names=names),
        returned=call.returns,
        min_arity=sum(1 for one in call.parameters if not (one.optional or one.rest)),
        max_arity=None,
    )
