"""Entry signatures from overloads as written, and from signatures found in a type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from typematch.ir.entry import EntryParameter, EntrySignature
from typematch.ir.intern import replace_fields
from typematch.ir.module import Overload
from typematch.ir.render import render
from typematch.ir.rest_parameters import with_positional_parameters
from typematch.ir.type_parts import Signature
from typematch.ir.types import Object
from typematch.program.inferred_results import known_signature
from typematch.program.type_expansion import DeclaredTypes


def signature_from_overload(
    overload: Overload, signature: Signature, declared: DeclaredTypes, outer: Sequence[str]
) -> EntrySignature:
    """Return the entry signature of an overload; ``signature`` has its names resolved."""
    names = (*([tuple(outer)] if outer else []), *_scope(overload.type_parameters))
    texts = overload.parameters
    text = overload.text
    if overload.inferred:
        own = (overload.type_parameters,) if overload.type_parameters else ()
        written = render(overload.signature.returns, names=own)
        signature = known_signature(signature, declared)
        text = text.removesuffix(written) + render(signature.returns, names=names)
    parameters = tuple(
        EntryParameter(
            parameter.name,
            texts[position] if position < len(texts) else "",
            parameter.type,
            parameter.optional,
            parameter.rest,
        )
        for position, parameter in enumerate(signature.parameters)
    )
    described = _signature(
        text,
        signature,
        parameters,
        overload.returns,
        _type_parameters(signature, overload.type_parameters, names),
        names,
        declared,
    )
    return replace(described, deprecation=overload.doc.deprecated if overload.doc else None)


def signature_from_type(
    signature: Signature, declared: DeclaredTypes, outer: Sequence[str]
) -> EntrySignature:
    """Return the entry signature of a signature that was found in a type; its text is rendered."""
    own_names = _unused_letters(len(signature.type_parameters), outer)
    names = (*([tuple(outer)] if outer else []), *_scope(own_names))
    outer_names = (tuple(outer),) if outer else ()
    parameters = tuple(
        EntryParameter(
            parameter.name,
            render(parameter.type, names=names),
            parameter.type,
            parameter.optional,
            parameter.rest,
        )
        for parameter in signature.parameters
    )
    returns = render(signature.returns, names=names)
    return _signature(
        render(Object(calls=(signature,)), names=outer_names),
        signature,
        parameters,
        returns,
        _type_parameters(signature, own_names, names),
        names,
        declared,
    )


def _signature(
    text: str,
    signature: Signature,
    parameters: tuple[EntryParameter, ...],
    returns: str,
    type_parameters: tuple[tuple[str, str, str], ...],
    names: Sequence[Sequence[str]],
    declared: DeclaredTypes,
) -> EntrySignature:
    min_arity, max_arity = _parameter_count(signature, declared)
    return EntrySignature(
        text=text,
        type=Object(calls=(signature,)),
        parameters=parameters,
        returns=returns,
        return_type=signature.returns,
        min_arity=min_arity,
        max_arity=max_arity,
        type_parameters=type_parameters,
        this="" if signature.this is None else render(signature.this, names=names),
        predicate=_predicate(signature, names),
        is_async=declared.is_promise(signature.returns),
    )


def _predicate(signature: Signature, names: Sequence[Sequence[str]]) -> str:
    predicate = signature.predicate
    if predicate is None:
        return ""
    subject = "this"
    if 0 <= predicate.parameter < len(signature.parameters):
        subject = signature.parameters[predicate.parameter].name
    asserts = "asserts " if predicate.asserts else ""
    predicate_type = "" if predicate.type is None else f" is {render(predicate.type, names=names)}"
    return f"{asserts}{subject}{predicate_type}"


def _type_parameters(
    signature: Signature, own_names: Sequence[str], names: Sequence[Sequence[str]]
) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (
            name,
            ""
            if type_parameter.constraint is None
            else render(type_parameter.constraint, names=names),
            "" if type_parameter.default is None else render(type_parameter.default, names=names),
        )
        for name, type_parameter in zip(own_names, signature.type_parameters, strict=False)
    )


def _scope(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(names)] if names else []


def _unused_letters(count: int, used: Iterable[str]) -> tuple[str, ...]:
    free = [letter for letter in "TUVWXYZABCDEFGHIJKLMNOPQRS" if letter not in set(used)]
    return tuple(free[:count]) + tuple(f"T{number}" for number in range(len(free), count))


def _parameter_count(signature: Signature, declared: DeclaredTypes) -> tuple[int, int | None]:
    """Return the minimum and the maximum number of arguments; None with a rest parameter.

    A rest parameter of a tuple type without spreads stands for its elements (getMinArgumentCount).
    """
    last = signature.parameters[-1] if signature.parameters else None
    if last is not None and last.rest:
        rest = replace_fields(last, type=declared.expand(last.type))
        signature = replace_fields(signature, parameters=(*signature.parameters[:-1], rest))
    parameters = with_positional_parameters(signature).parameters
    minimum = 0
    for position, parameter in enumerate(parameters):
        if not parameter.optional and not parameter.rest:
            minimum = position + 1
    has_rest = bool(parameters) and parameters[-1].rest
    return minimum, None if has_rest else len(parameters)
