"""Binary encoding of types and of values that contain types.

A blob is one JSON array ``[format, nodes, value]`` in UTF-8.  ``nodes`` lists every distinct node
once, children before parents, as ``[class, field, ...]`` without trailing default fields.  A node
is referred to by its index in ``nodes``; nodes that occur in most blobs have fixed negative
numbers.  ``value`` is the caller's data, which contains such numbers.

JSON is used because its parser is written in C, and because decoding untrusted data can only yield
data.  Equal types have equal bytes, so the bytes can serve as a key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from typematch.ir.intern import InternedNode, intern
from typematch.ir.type_parts import (
    Element,
    IndexSignature,
    Parameter,
    Predicate,
    Property,
    Signature,
    TypeParameter,
)
from typematch.ir.types import (
    ANY,
    BIGINT,
    BOOLEAN,
    EMPTY_OBJECT,
    FALSE,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    THIS,
    TRUE,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    UNREADABLE,
    VOID,
    Array,
    Conditional,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    UniqueSymbol,
    Var,
)

# Increment it when the encoding changes; it is part of the file format's version.
FORMAT = 1

T = TypeVar("T")

# A class is encoded as its position here, a field as
# "v" a plain value, "n" a node, "o" a node or None, "N" nodes, "S" strings, "b" a bool as 0 or 1.
# Trailing fields that have their default value are omitted.
_REQUIRED = object()
_SCHEMA: tuple[tuple[type[InternedNode], tuple[tuple[str, object], ...]], ...] = (
    (Intrinsic, (("v", _REQUIRED),)),
    (Literal, (("v", _REQUIRED), ("v", _REQUIRED))),
    (Template, (("S", _REQUIRED), ("N", _REQUIRED))),
    (Array, (("n", _REQUIRED), ("b", False))),
    (Element, (("n", _REQUIRED), ("v", "required"), ("v", ""))),
    (Tuple, (("N", _REQUIRED), ("b", False))),
    (Union, (("N", _REQUIRED),)),
    (Intersection, (("N", _REQUIRED),)),
    (
        Property,
        (
            ("v", _REQUIRED),
            ("n", _REQUIRED),
            ("b", False),
            ("b", False),
            ("b", False),
            ("v", "public"),
            ("v", ""),
            ("o", None),
            ("b", False),
        ),
    ),
    (IndexSignature, (("n", _REQUIRED), ("n", _REQUIRED), ("b", False))),
    (TypeParameter, (("o", None), ("o", None), ("b", False))),
    (Parameter, (("v", _REQUIRED), ("n", _REQUIRED), ("b", False), ("b", False))),
    (Predicate, (("v", _REQUIRED), ("o", _REQUIRED), ("b", False))),
    (
        Signature,
        (
            ("N", _REQUIRED),
            ("n", _REQUIRED),
            ("N", ()),
            ("o", None),
            ("o", None),
            ("v", ""),
        ),
    ),
    (Object, (("N", ()), ("N", ()), ("N", ()), ("N", ()))),
    (Var, (("v", _REQUIRED), ("v", _REQUIRED))),
    (Named, (("S", _REQUIRED), ("N", ()), ("v", None))),
    (Reference, (("v", _REQUIRED), ("N", ()))),
    (TypeOf, (("n", _REQUIRED), ("S", ()), ("N", ()))),
    (UniqueSymbol, (("v", ""),)),
    (KeyOf, (("n", _REQUIRED),)),
    (IndexedAccess, (("n", _REQUIRED), ("n", _REQUIRED))),
    (
        Mapped,
        (("n", _REQUIRED), ("n", _REQUIRED), ("o", None), ("v", ""), ("v", "")),
    ),
    (
        Conditional,
        (
            ("n", _REQUIRED),
            ("n", _REQUIRED),
            ("n", _REQUIRED),
            ("n", _REQUIRED),
            ("N", ()),
            ("b", False),
        ),
    ),
)
_TAGS = {cls: tag for tag, (cls, _) in enumerate(_SCHEMA)}
_FIELDS = {
    cls: tuple((name, *field) for name, field in zip(cls.__match_args__, fields, strict=True))
    for cls, fields in _SCHEMA
}
# For each class, its fields that hold nodes, and whether a field is a tuple of them.
_NODE_FIELDS = {
    cls: tuple((name, encoding == "N") for name, encoding, _ in fields if encoding in "noN")
    for cls, fields in _FIELDS.items()
}

# Numbered from -1 downwards.  Append only, and increment FORMAT.
_FREQUENT: tuple[InternedNode, ...] = (
    STRING,
    NUMBER,
    BOOLEAN,
    VOID,
    UNDEFINED,
    NULL,
    ANY,
    UNKNOWN,
    NEVER,
    BIGINT,
    SYMBOL,
    OBJECT,
    THIS,
    TRUE,
    FALSE,
    UNANNOTATED,
    UNREADABLE,
    EMPTY_OBJECT,
    TypeParameter(),
    Var(0, 0),
    Var(0, 1),
    Var(0, 2),
    Var(0, 3),
    Var(1, 0),
    Var(1, 1),
    Var(1, 2),
    Array(STRING),
    Array(Var(0, 0)),
)
_FREQUENT_NUMBERS = {node: ~index for index, node in enumerate(_FREQUENT)}


# Making an encoder for each document would take longer than encoding a short one.
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


class CodecError(ValueError):
    """The bytes cannot be decoded, or a node cannot be encoded."""


class Encoder:
    """Collects nodes; a node that is referred to several times is encoded once."""

    def __init__(self) -> None:
        self._rows: list[list[object]] = []
        self._numbers: dict[InternedNode, int] = {}

    def number(self, node: InternedNode) -> int:
        """Return the number of ``node``; encode it first if it is new."""
        number = _FREQUENT_NUMBERS.get(node)
        if number is None:
            number = self._numbers.get(node)
        return self._add(node) if number is None else number

    def optional(self, node: InternedNode | None) -> int | None:
        return None if node is None else self.number(node)

    def numbers(self, nodes: Iterable[InternedNode]) -> list[int]:
        return [self.number(node) for node in nodes]

    def to_bytes(self, value: object) -> bytes:
        """Return the blob of ``value``: plain data that contains numbers of nodes."""
        document = [FORMAT, self._rows, value]
        text = _JSON.encode(document)
        # String literal types may contain lone surrogates.
        return text.encode("utf-8", "surrogatepass")

    def _add(self, root: InternedNode) -> int:
        # An explicit stack: types may be nested deeper than Python's recursion limit.
        numbers, rows = self._numbers, self._rows
        stack: list[InternedNode] = [root]
        expanded: set[InternedNode] = set()  # their children are above them on the stack
        while stack:
            node = stack[-1]
            if node in numbers:
                stack.pop()
                continue
            if node not in expanded:
                missing = [
                    part
                    for part in _child_nodes(node)
                    if part not in numbers and part not in _FREQUENT_NUMBERS
                ]
                if missing:
                    expanded.add(node)
                    missing.reverse()
                    stack += missing
                    continue
            stack.pop()
            row = _encode_row(node, numbers)
            numbers[node] = len(rows)
            rows.append(row)
        return numbers[root]


def _child_nodes(node: InternedNode) -> list[InternedNode]:
    try:
        fields = _NODE_FIELDS[type(node)]
    except KeyError:
        raise CodecError(f"cannot encode a {type(node).__name__} node") from None
    nodes: list[InternedNode] = []
    for name, is_tuple in fields:
        value = getattr(node, name)
        if is_tuple:
            nodes += value
        elif value is not None:
            nodes.append(value)
    return nodes


def _encode_row(node: InternedNode, numbers: dict[InternedNode, int]) -> list[object]:
    row: list[object] = [_TAGS[type(node)]]
    length = 1
    for name, encoding, default in _FIELDS[type(node)]:
        value = getattr(node, name)
        if encoding == "n" or (encoding == "o" and value is not None):
            number = _FREQUENT_NUMBERS.get(value)
            row.append(numbers[value] if number is None else number)
        elif encoding == "N":
            row.append(
                [
                    _FREQUENT_NUMBERS[item] if item in _FREQUENT_NUMBERS else numbers[item]
                    for item in value
                ]
            )
        elif encoding == "b":
            row.append(int(value))
        else:
            row.append(value)
        if default is _REQUIRED or value != default:
            length = len(row)
    del row[length:]
    return row


class Decoder:
    """Decodes a blob.

    ``value`` is the argument of ``Encoder.to_bytes``; ``node`` looks a number up.

    Raises:
        CodecError: the bytes are not a blob, or have another format.
    """

    def __init__(self, blob: bytes) -> None:
        try:
            document = json.loads(blob.decode("utf-8", "surrogatepass"))
            format_, rows, value = document
            if format_ != FORMAT:
                raise CodecError(f"cannot decode format {format_!r}: expected {FORMAT}")
            self._nodes = _decode_rows(rows)
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
            if isinstance(error, CodecError):
                raise
            raise CodecError(f"cannot decode the blob: {error}") from error
        self.value: Any = value

    def node(self, number: int) -> Any:
        return self._nodes[number] if number >= 0 else _FREQUENT[~number]

    def optional(self, number: int | None) -> Any:
        return None if number is None else self.node(number)

    def nodes(self, numbers: Iterable[int]) -> tuple[Any, ...]:
        return tuple([self.node(number) for number in numbers])


def _decode_rows(rows: Sequence[Sequence[Any]]) -> list[InternedNode]:
    nodes: list[InternedNode] = []
    for row in rows:
        cls, reader = _ROW_READERS[row[0]]
        nodes.append(intern(cls, reader(row, nodes)))
    return nodes


def _row_reader(
    fields: tuple[tuple[str, object], ...],
) -> Callable[[Sequence[Any], list[InternedNode]], tuple[Any, ...]]:
    """Return the decoder of one class's rows; it appends the defaults of omitted fields."""
    kinds = tuple(encoding for encoding, _ in fields)
    defaults = tuple(default for _, default in fields)
    field_count = len(fields)

    def read(row: Sequence[Any], nodes: list[InternedNode]) -> tuple[Any, ...]:
        values: list[Any] = []
        # A row may omit trailing fields.
        for encoding, value in zip(kinds, row[1:], strict=False):
            if encoding == "v":
                values.append(value)
            elif encoding == "n" or (encoding == "o" and value is not None):
                values.append(nodes[value] if value >= 0 else _FREQUENT[~value])
            elif encoding == "N":
                values.append(tuple([nodes[n] if n >= 0 else _FREQUENT[~n] for n in value]))
            elif encoding == "b":
                values.append(bool(value))
            elif encoding == "S":
                values.append(tuple(value))
            else:
                values.append(None)
        if len(values) < field_count:
            values += defaults[len(values) :]
            if _REQUIRED in values:
                raise CodecError("cannot decode a row: a required field is missing")
        return tuple(values)

    return read


_ROW_READERS = tuple((cls, _row_reader(fields)) for cls, fields in _SCHEMA)


def encode_type(type_: Type) -> bytes:
    """Return the blob of one type; blobs are equal if and only if the types are."""
    encoder = Encoder()
    return encoder.to_bytes(encoder.number(type_))


def decode_type(blob: bytes) -> Type:
    """Return the type of a blob.

    Raises:
        CodecError: the bytes are not a blob, have another format, or do not encode a type.
    """
    decoder = Decoder(blob)
    try:
        node = decoder.node(decoder.value)
    except (LookupError, TypeError) as error:
        raise CodecError(f"cannot decode the blob: {error}") from error
    if not isinstance(node, Type):
        raise CodecError(f"cannot decode a type: the blob holds a {type(node).__name__}")
    return node
