"""Turn overloads, as written or as found in a type, into the signatures of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.ir.entry import EntryParameter, EntrySignature
from typematch.ir.module import Overload
from typematch.ir.render import render
from typematch.ir.types import Object, Signature
from typematch.program.call_signatures import Callables, parameter_count


def written_signature(
    overload: Overload, signature: Signature, callables: Callables, outer: Sequence[str]
) -> EntrySignature:
    """Return the entry's view of one overload.

    ``signature`` is that of the overload with names resolved.
    """
    names = (*([tuple(outer)] if outer else []), *_scope(overload.type_parameters))
    texts = overload.parameters
    parameters = tuple(
        EntryParameter(
            item.name,
            texts[place] if place < len(texts) else "",
            item.type,
            item.optional,
            item.rest,
        )
        for place, item in enumerate(signature.parameters)
    )
    return _signature(
        overload.text,
        signature,
        parameters,
        overload.returns,
        _type_parameters(signature, overload.type_parameters, names),
        names,
        callables,
    )


def found_signature(
    signature: Signature, callables: Callables, outer: Sequence[str]
) -> EntrySignature:
    """Return the entry's view of a signature that was found through other declarations."""
    own = _letters(len(signature.type_parameters), outer)
    names = (*([tuple(outer)] if outer else []), *_scope(own))
    around = (tuple(outer),) if outer else ()
    parameters = tuple(
        EntryParameter(
            item.name, render(item.type, names=names), item.type, item.optional, item.rest
        )
        for item in signature.parameters
    )
    returns = render(signature.returns, names=names)
    return _signature(
        render(Object(calls=(signature,)), names=around),
        signature,
        parameters,
        returns,
        _type_parameters(signature, own, names),
        names,
        callables,
    )


def _signature(
    text: str,
    signature: Signature,
    parameters: tuple[EntryParameter, ...],
    returns: str,
    type_parameters: tuple[tuple[str, str, str], ...],
    names: Sequence[Sequence[str]],
    callables: Callables,
) -> EntrySignature:
    least, most = parameter_count(signature.parameters)
    return EntrySignature(
        text=text,
        type=Object(calls=(signature,)),
        parameters=parameters,
        returns=returns,
        returned=signature.returns,
        min_arity=least,
        max_arity=most,
        type_parameters=type_parameters,
        this="" if signature.this is None else render(signature.this, names=names),
        predicate=_predicate(signature, names),
        is_async=callables.is_promise(signature.returns),
    )


def _predicate(signature: Signature, names: Sequence[Sequence[str]]) -> str:
    predicate = signature.predicate
    if predicate is None:
        return ""
    subject = "this"
    if 0 <= predicate.parameter < len(signature.parameters):
        subject = signature.parameters[predicate.parameter].name
    asserts = "asserts " if predicate.asserts else ""
    narrowed = "" if predicate.type is None else f" is {render(predicate.type, names=names)}"
    return f"{asserts}{subject}{narrowed}"


def _type_parameters(
    signature: Signature, own: Sequence[str], names: Sequence[Sequence[str]]
) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (
            name,
            "" if item.constraint is None else render(item.constraint, names=names),
            "" if item.default is None else render(item.default, names=names),
        )
        for name, item in zip(own, signature.type_parameters, strict=False)
    )


def _scope(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(names)] if names else []


def _letters(count: int, taken: Iterable[str]) -> tuple[str, ...]:
    free = [letter for letter in "TUVWXYZABCDEFGHIJKLMNOPQRS" if letter not in set(taken)]
    return tuple(free[:count]) + tuple(f"T{number}" for number in range(len(free), count))
