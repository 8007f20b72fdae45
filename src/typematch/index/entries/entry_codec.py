"""Blobs of entries and of declaration fragments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from typematch.index.compression import compress, decompress
from typematch.ir.codec import CodecError, Decoder, Encoder
from typematch.ir.entry import Entry, EntryParameter, EntrySignature
from typematch.ir.module import Doc, Endpoint
from typematch.ir.type_parts import Parameter
from typematch.ir.types import Object, Type
from typematch.program.resolution.declaration_merging import Fragment


def encode_fragments(fragments: Sequence[Fragment]) -> bytes:
    """Return the blob of one file's fragments of one declaration, in order of position.

    Positions are not stored, only their order: the blob stays the same if a declaration is
    inserted above.
    """
    encoder = Encoder()
    ordered = sorted(fragments, key=lambda fragment: fragment.position)
    document = encoder.to_bytes(
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
    return compress(document)


def decode_fragments(key: str, file: str, blob: bytes) -> list[Fragment]:
    """Return the fragments of ``key`` in ``file``.

    Raises:
        CodecError: the blob is damaged.
    """
    decoder = Decoder(decompress(blob))
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
    """Return the blob of the fields that have no column; signature types are stored by number."""
    encoder = Encoder()
    doc = entry.doc
    document = encoder.to_bytes(
        [
            None
            if entry.container == _container(entry.qualified_name, entry.name)
            else entry.container,
            entry.version,
            entry.signature,
            [_encode_signature(encoder, signature) for signature in entry.signatures],
            None if doc is None else [doc.deprecated, doc.tags],
            entry.import_statement,
            int(entry.readonly),
            entry.tags,
            entry.outer,
            None if entry.endpoint is None else astuple(entry.endpoint),
        ]
    )
    return compress(document)


def _container(qualified_name: str, name: str) -> str:
    """Return the container of nearly every entry: its qualified name without the name."""
    return qualified_name[: -len(name) - 1]


def _encode_signature(encoder: Encoder, signature: EntrySignature) -> list[object]:
    call = signature.type.calls[0]
    parameters: list[object] = []
    for position, parameter in enumerate(signature.parameters):
        in_type = call.parameters[position] if position < len(call.parameters) else None
        name, resolved = parameter.name, parameter.resolved
        if in_type == Parameter(name, resolved, parameter.optional, parameter.rest):
            parameters.append(parameter.type)  # the rest is in the function type
        else:
            flags = int(parameter.optional), int(parameter.rest)
            parameters.append([name, parameter.type, encoder.number(resolved), *flags])
    returned = (
        None if signature.return_type is call.returns else encoder.number(signature.return_type)
    )
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
        signature.deprecation,
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
    """Return the entry of a blob and a row.

    Args:
        columns: the fields of ``Entry`` that are neither in the blob nor arguments, by name.
        functions: the types of the signatures, in order.
        doc: summary and text.

    Raises:
        CodecError: the blob is damaged, or does not belong to ``functions``.
    """
    decoder = Decoder(decompress(blob))
    try:
        (
            container, version, text, signatures, doc_fields, imported, readonly, tags, outer,
            endpoint,
        ) = decoder.value  # fmt: skip
        return Entry(
            **columns,
            container=(
                _container(columns["qualified_name"], columns["name"])
                if container is None
                else container
            ),
            version=version,
            signature=text,
            signatures=tuple(
                [
                    _signature(decoder, row, function)
                    for row, function in zip(signatures, functions, strict=True)
                ]
            ),
            doc=_doc(doc_fields, doc),
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
    method: str, path: str, operation_id: str, security: Any, parameters: Any, responses: Any
) -> Endpoint:
    return Endpoint(
        method,
        path,
        operation_id,
        tuple(security),
        tuple([(location, name) for location, name in parameters]),
        tuple([(status, description, text) for status, description, text in responses]),
    )


def split_documentation(doc: Doc) -> tuple[str, bool, str]:
    """Return the columns of a documentation: the text of nearly all begins with the summary."""
    continues = doc.text.startswith(doc.summary)
    return doc.summary, continues, doc.text[len(doc.summary) :] if continues else doc.text


def _doc(fields: list[Any] | None, doc: tuple[str, str] | None) -> Doc | None:
    if fields is None:
        return None
    summary, text = doc or ("", "")
    deprecated, tags = fields
    return Doc(text, summary, deprecated, tuple([(name, content) for name, content in tags]))


def _signature(decoder: Decoder, row: list[Any], function: Type) -> EntrySignature:
    if not isinstance(function, Object) or len(function.calls) != 1:
        raise CodecError("a signature's type is no function type")
    (
        text, parameters, returns, returned, low, high, variables, this, predicate, is_async,
        deprecation,
    ) = row  # fmt: skip
    call = function.calls[0]
    return EntrySignature(
        text=text,
        type=function,
        parameters=tuple(
            [
                _parameter(decoder, parameter, call.parameters, position)
                for position, parameter in enumerate(parameters)
            ]
        ),
        returns=returns,
        return_type=call.returns if returned is None else decoder.node(returned),
        min_arity=low,
        max_arity=high,
        type_parameters=tuple(
            [(name, constraint, default) for name, constraint, default in variables]
        ),
        this=this,
        predicate=predicate,
        is_async=bool(is_async),
        deprecation=deprecation,
    )


def _parameter(
    decoder: Decoder, encoded: Any, in_type: Sequence[Parameter], position: int
) -> EntryParameter:
    """Decode a parameter: its text if the function type holds the rest, else all fields."""
    if isinstance(encoded, str):
        same = in_type[position]
        return EntryParameter(same.name, encoded, same.type, same.optional, same.rest)
    name, text, number, optional, rest = encoded
    return EntryParameter(name, text, decoder.node(number), bool(optional), bool(rest))
