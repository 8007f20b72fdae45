"""Write entries and fragments of declarations as blobs, and read them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from typematch.ir.codec import CodecError, Decoder, Encoder
from typematch.ir.entry import Entry, EntryParameter, EntrySignature
from typematch.ir.module import Doc, Endpoint
from typematch.ir.types import Object, Parameter, Type
from typematch.program.resolution.declaration_merging import Fragment

_FIRST = 0


def encode_fragments(fragments: Sequence[Fragment]) -> bytes:
    """Return the blob of what one file contributes to one declaration, in order of position.

    The positions themselves are not kept: only their order counts, and so the blob stays the same
    when a declaration is inserted above.
    """
    encoder = Encoder()
    ordered = sorted(fragments, key=lambda part: part.position)
    return encoder.to_bytes(
        [
            [
                part.name,
                part.kind,
                encoder.numbers(part.type_parameters),
                part.type_parameter_names,
                encoder.optional(part.type),
                encoder.numbers(part.extends),
                encoder.optional(part.value),
                part.members,
                int(part.abstract),
            ]
            for part in ordered
        ]
    )


def decode_fragments(key: str, file: str, blob: bytes) -> list[Fragment]:
    """Return what ``file`` contributes to ``key``.

    Raises:
        CodecError: the blob is none of ours.
    """
    decoder = Decoder(blob)
    try:
        return [
            Fragment(
                key=key,
                name=name,
                kind=kind,
                file=file,
                position=position,
                type_parameters=decoder.nodes(variables),
                type_parameter_names=tuple(names),
                type=decoder.optional(type_),
                extends=decoder.nodes(extends),
                value=decoder.optional(value),
                members=tuple([(member, to) for member, to in members]),
                abstract=bool(abstract),
            )
            for position, (
                name, kind, variables, names, type_, extends, value, members, abstract,
            ) in enumerate(decoder.value)
        ]  # fmt: skip
    except (TypeError, ValueError, LookupError) as error:
        raise CodecError(f"no fragment of {key}: {error}") from error


def encode_entry(entry: Entry) -> bytes:
    """Return the blob of all that has no column of its own; types are those of the signatures."""
    encoder = Encoder()
    doc = entry.doc
    return encoder.to_bytes(
        [
            entry.container,
            entry.version,
            entry.signature,
            [_plain_signature(encoder, one) for one in entry.signatures],
            None if doc is None else [doc.deprecated, doc.tags],
            entry.import_statement,
            int(entry.readonly),
            entry.tags,
            entry.outer,
            None if entry.endpoint is None else astuple(entry.endpoint),
        ]
    )


def _plain_signature(encoder: Encoder, signature: EntrySignature) -> list[object]:
    call = signature.type.calls[_FIRST]
    parameters: list[object] = []
    for place, one in enumerate(signature.parameters):
        shown = call.parameters[place] if place < len(call.parameters) else None
        if shown == Parameter(one.name, one.resolved, one.optional, one.rest):
            parameters.append(one.type)
        else:
            number = encoder.number(one.resolved)
            parameters.append([one.name, one.type, number, int(one.optional), int(one.rest)])
    returned = None if signature.returned is call.returns else encoder.number(signature.returned)
    return [
        signature.text,
        parameters,
        signature.returns,
        returned,
        signature.min_arity,
        signature.max_arity,
        signature.type_parameters,
        signature.this,
        signature.predicate,
        int(signature.is_async),
    ]


def decode_entry(
    blob: bytes,
    columns: dict[str, Any],
    functions: Sequence[Type],
    *,
    type_: Type | None,
    doc: tuple[str, str] | None,
    aliases: Sequence[str],
) -> Entry:
    """Put an entry together.

    Args:
        columns: by name of ``Entry``'s fields: all that are neither in the blob nor arguments here.
        functions: the types of the signatures, in order.
        doc: summary and text.

    Raises:
        CodecError: the blob is none of ours, or does not belong to ``functions``.
    """
    decoder = Decoder(blob)
    try:
        (
            container, version, text, signatures, said, imported, readonly, tags, outer, endpoint,
        ) = decoder.value  # fmt: skip
        return Entry(
            **columns,
            container=container,
            version=version,
            signature=text,
            signatures=tuple(
                [
                    _signature(decoder, row, function)
                    for row, function in zip(signatures, functions, strict=True)
                ]
            ),
            doc=_doc(said, doc),
            aliases=tuple(aliases),
            import_statement=imported,
            readonly=bool(readonly),
            tags=tuple(tags),
            outer=tuple(outer),
            type=type_,
            endpoint=None if endpoint is None else _endpoint(*endpoint),
        )
    except (TypeError, ValueError, LookupError) as error:
        raise CodecError(f"no entry: {error}") from error


def _endpoint(
    method: str, path: str, operation_id: str, security: Any, places: Any, responses: Any
) -> Endpoint:
    return Endpoint(
        method,
        path,
        operation_id,
        tuple(security),
        tuple([(place, name) for place, name in places]),
        tuple([(status, said, text) for status, said, text in responses]),
    )


def _doc(said: list[Any] | None, doc: tuple[str, str] | None) -> Doc | None:
    if said is None:
        return None
    summary, text = doc or ("", "")
    deprecated, tags = said
    return Doc(text, summary, deprecated, tuple([(name, told) for name, told in tags]))


def _signature(decoder: Decoder, row: list[Any], function: Type) -> EntrySignature:
    if not isinstance(function, Object) or len(function.calls) != 1:
        raise CodecError("a signature's type is no function type")
    text, parameters, returns, returned, low, high, variables, this, predicate, is_async = row
    call = function.calls[_FIRST]
    return EntrySignature(
        text=text,
        type=function,
        parameters=tuple(
            [
                _parameter(decoder, one, call.parameters, place)
                for place, one in enumerate(parameters)
            ]
        ),
        returns=returns,
        returned=call.returns if returned is None else decoder.node(returned),
        min_arity=low,
        max_arity=high,
        type_parameters=tuple([(name, within, default) for name, within, default in variables]),
        this=this,
        predicate=predicate,
        is_async=bool(is_async),
    )


def _parameter(
    decoder: Decoder,
    one: Any,
    shown: Sequence[Parameter],
    place: int,
) -> EntryParameter:
    if isinstance(one, str):
        same = shown[place]
        return EntryParameter(same.name, one, same.type, same.optional, same.rest)
    name, text, number, optional, rest = one
    return EntryParameter(name, text, decoder.node(number), bool(optional), bool(rest))
