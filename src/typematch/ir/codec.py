"""Write types, and values that hold types, as bytes; read them back.

A blob is one JSON array ``[format, nodes, value]`` in UTF-8.  ``nodes`` lists every distinct node
once, parts before wholes, as ``[class, field, ...]`` with trailing default fields left out; a node
is named by its position there, and the frequent ones, which every blob would repeat, by a negative
number.
``value`` is what the caller made of the numbers.  JSON, because its reader is written in C and
because a blob from a stranger's file can then hold nothing but data.

Equal types give equal bytes, so the bytes can stand for the type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from typematch.ir.intern import InternedNode, intern
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
    Element,
    IndexedAccess,
    IndexSignature,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Object,
    Parameter,
    Predicate,
    Property,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    TypeOf,
    TypeParameter,
    Union,
    UniqueSymbol,
    Var,
)

# Raise it when anything below changes its meaning: it is part of the schema's stamp.
FORMAT = 1

T = TypeVar("T")

# A class is written as its position here, and each field in one of these ways:
# "v" a plain value, "n" a node, "o" a node or None, "N" nodes, "S" strings, "b" a bool as 0 or 1.
# The default of a field stands beside it where it may be left out at the end.
_REQUIRED = object()
_SHAPES: tuple[tuple[type[InternedNode], tuple[tuple[str, object], ...]], ...] = (
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
_TAGS = {cls: tag for tag, (cls, _) in enumerate(_SHAPES)}
_FIELDS = {
    cls: tuple((name, *field) for name, field in zip(cls.__match_args__, fields, strict=True))
    for cls, fields in _SHAPES
}
# Of each class the fields that hold nodes, and whether that is several.
_NODES_OF = {
    cls: tuple((name, how == "N") for name, how, _ in fields if how in "noN")
    for cls, fields in _FIELDS.items()
}

# Append only, and raise FORMAT when you do: -1 is the first.
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
_NUMBERS = {node: ~place for place, node in enumerate(_FREQUENT)}


class CodecError(ValueError):
    """The bytes are none of ours, or of another format."""


class Encoder:
    """Collects nodes; each is written once however often it is mentioned."""

    def __init__(self) -> None:
        self._rows: list[list[object]] = []
        self._numbers: dict[InternedNode, int] = {}

    def number(self, node: InternedNode) -> int:
        """Return the number that stands for ``node``, writing it first where it is new."""
        known = _NUMBERS.get(node)
        if known is None:
            known = self._numbers.get(node)
        return self._write(node) if known is None else known

    def optional(self, node: InternedNode | None) -> int | None:
        return None if node is None else self.number(node)

    def numbers(self, nodes: Iterable[InternedNode]) -> list[int]:
        return [self.number(node) for node in nodes]

    def to_bytes(self, value: object) -> bytes:
        """Return the blob with ``value``, which is plain data and the numbers given out."""
        document = [FORMAT, self._rows, value]
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), check_circular=False)
        # A lone surrogate can stand in a string literal type and must survive.
        return text.encode("utf-8", "surrogatepass")

    def _write(self, root: InternedNode) -> int:
        # An explicit stack: a text may nest deeper than Python recurses.
        numbers, rows = self._numbers, self._rows
        stack: list[InternedNode] = [root]
        waiting: set[InternedNode] = set()  # for their parts, which stand above them
        while stack:
            node = stack[-1]
            if node in numbers:
                stack.pop()
                continue
            if node not in waiting:
                missing = [
                    part for part in _parts(node) if part not in numbers and part not in _NUMBERS
                ]
                if missing:
                    waiting.add(node)
                    missing.reverse()
                    stack += missing
                    continue
            stack.pop()
            row = _row(node, numbers)
            numbers[node] = len(rows)
            rows.append(row)
        return numbers[root]


def _parts(node: InternedNode) -> list[InternedNode]:
    try:
        fields = _NODES_OF[type(node)]
    except KeyError:
        raise CodecError(f"a {type(node).__name__} cannot be stored") from None
    found: list[InternedNode] = []
    for name, several in fields:
        value = getattr(node, name)
        if several:
            found += value
        elif value is not None:
            found.append(value)
    return found


def _row(node: InternedNode, numbers: dict[InternedNode, int]) -> list[object]:
    row: list[object] = [_TAGS[type(node)]]
    needed = 1
    for name, how, default in _FIELDS[type(node)]:
        value = getattr(node, name)
        if how == "n" or (how == "o" and value is not None):
            known = _NUMBERS.get(value)
            row.append(numbers[value] if known is None else known)
        elif how == "N":
            row.append([_NUMBERS[one] if one in _NUMBERS else numbers[one] for one in value])
        elif how == "b":
            row.append(int(value))
        else:
            row.append(value)
        if default is _REQUIRED or value != default:
            needed = len(row)
    del row[needed:]
    return row


class Decoder:
    """Reads a blob: ``value`` is what ``Encoder.to_bytes`` was given; ``node`` finds the nodes.

    Raises:
        CodecError: the bytes are none of ours, or of another format.
    """

    def __init__(self, blob: bytes) -> None:
        try:
            document = json.loads(blob.decode("utf-8", "surrogatepass"))
            form, rows, value = document
            if form != FORMAT:
                raise CodecError(f"format {form!r} instead of {FORMAT}")
            self._nodes = _read_rows(rows)
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
            if isinstance(error, CodecError):
                raise
            raise CodecError(f"not a blob of ours: {error}") from error
        self.value: Any = value

    def node(self, number: int) -> Any:
        return self._nodes[number] if number >= 0 else _FREQUENT[~number]

    def optional(self, number: int | None) -> Any:
        return None if number is None else self.node(number)

    def nodes(self, numbers: Iterable[int]) -> tuple[Any, ...]:
        return tuple([self.node(number) for number in numbers])


def _read_rows(rows: Sequence[Sequence[Any]]) -> list[InternedNode]:
    nodes: list[InternedNode] = []
    for row in rows:
        cls, reader = _READERS[row[0]]
        nodes.append(intern(cls, reader(row, nodes)))
    return nodes


def _reader(
    fields: tuple[tuple[str, object], ...],
) -> Callable[[Sequence[Any], list[InternedNode]], tuple[Any, ...]]:
    """Return a function that reads one class's row, short rows filled up with defaults."""
    kinds = tuple(how for how, _ in fields)
    defaults = tuple(default for _, default in fields)
    full = len(fields)

    def read(row: Sequence[Any], nodes: list[InternedNode]) -> tuple[Any, ...]:
        values: list[Any] = []
        # strict is off: the row may end before the fields do.
        for how, value in zip(kinds, row[1:], strict=False):
            if how == "v":
                values.append(value)
            elif how == "n" or (how == "o" and value is not None):
                values.append(nodes[value] if value >= 0 else _FREQUENT[~value])
            elif how == "N":
                values.append(tuple([nodes[n] if n >= 0 else _FREQUENT[~n] for n in value]))
            elif how == "b":
                values.append(bool(value))
            elif how == "S":
                values.append(tuple(value))
            else:
                values.append(None)
        if len(values) < full:
            values += defaults[len(values) :]
            if _REQUIRED in values:
                raise CodecError("a field is missing")
        return tuple(values)

    return read


_READERS = tuple((cls, _reader(fields)) for cls, fields in _SHAPES)


def encode_type(type_: Type) -> bytes:
    """Return the blob of one type; equal types, and only they, have equal blobs."""
    encoder = Encoder()
    return encoder.to_bytes(encoder.number(type_))


def decode_type(blob: bytes) -> Type:
    """Return the type of that blob.

    Raises:
        CodecError: the bytes are none of ours, of another format, or no type.
    """
    decoder = Decoder(blob)
    try:
        found = decoder.node(decoder.value)
    except (LookupError, TypeError) as error:
        raise CodecError(f"not a blob of ours: {error}") from error
    if not isinstance(found, Type):
        raise CodecError(f"a {type(found).__name__} is no type")
    return found
