"""Turn type syntax into types; names stay as written, type parameters become variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from typematch.ir.literals import bigint_text, number_text, string_value, unescape
from typematch.ir.types import (
    ANY,
    BIGINT,
    BOOLEAN,
    FALSE,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    THIS,
    TRUE,
    UNDEFINED,
    UNKNOWN,
    UNREADABLE,
    VOID,
    Array,
    Element,
    Intrinsic,
    Literal,
    Named,
    Template,
    Tuple,
    Type,
    TypeOf,
    UniqueSymbol,
    Var,
)
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext, TypeReader

_KEYWORDS: Mapping[bytes, Type] = {
    b"any": ANY, b"unknown": UNKNOWN, b"never": NEVER, b"void": VOID, b"string": STRING,
    b"number": NUMBER, b"boolean": BOOLEAN, b"symbol": SYMBOL, b"object": OBJECT,
}  # fmt: skip
# The grammar reads these as plain names.
_KEYWORD_NAMES: Mapping[str, Type] = {
    "bigint": BIGINT, "undefined": UNDEFINED, "null": NULL, "any": ANY, "unknown": UNKNOWN,
    "never": NEVER, "string": STRING, "number": NUMBER, "boolean": BOOLEAN,
    "symbol": SYMBOL, "object": OBJECT,
}  # fmt: skip
_IMPORT_TYPE = re.compile(r"""import\s*\(\s*(["'])(.*?)\1.*?\)\s*(.*)""", re.DOTALL)


def lower_type(reading: ParseContext, node: Node) -> Type:
    """Return the type that ``node`` writes; ``unreadable`` if it is none or nests too deeply."""
    reader = reading.readers.get(node.kind_id)
    if reader is None or reading.nesting >= MAX_NESTING:
        reading.errors += 1
        return UNREADABLE
    reading.nesting += 1
    lowered = reader(reading, node)
    reading.nesting -= 1
    return lowered


def lower_annotation(reading: ParseContext, node: Node) -> Type:
    """Return the type behind the colon of a ``type_annotation``."""
    parts = reading.parts(node)
    return lower_type(reading, parts[-1]) if parts else UNREADABLE


def lower_arguments(reading: ParseContext, node: Node) -> tuple[Type, ...]:
    """Return the types of ``<A, B>``."""
    return tuple([lower_type(reading, part) for part in reading.parts(node)])


def _keyword(reading: ParseContext, node: Node) -> Type:
    text = reading.text[node.start_byte : node.end_byte]
    found = _KEYWORDS.get(text)
    if found is not None:
        return found
    return (
        UniqueSymbol() if text.startswith(b"unique") else Intrinsic(text.decode("utf-8", "replace"))
    )


def _name(reading: ParseContext, node: Node) -> Type:
    return _named(reading, reading.slice(node), node.start_byte, ())


def _named(reading: ParseContext, name: str, offset: int, arguments: tuple[Type, ...]) -> Type:
    """Return what a name written at ``offset`` means: a variable, an import type or itself."""
    if name.startswith("import") and "(" in name:
        return imported(reading, name, offset, arguments)
    if not arguments:
        found = reading.variables.get(name)
        if found is not None:
            return Var(reading.level - found[0], found[1])
        keyword = _KEYWORD_NAMES.get(name)
        if keyword is not None:
            return keyword
    return Named((name,), arguments)


def imported(
    reading: ParseContext, text: str, offset: int, arguments: tuple[Type, ...] = ()
) -> Named:
    """Return the name that ``import("m").A.B`` writes, and note the module."""
    match = _IMPORT_TYPE.match(text)
    if match is None:
        return Named((text,), arguments)
    specifier = unescape(match[2])
    reading.specifiers.append((offset, specifier))
    path = tuple("".join(match[3].split()).split(".")[1:])
    return Named(path, arguments, specifier)


def dotted(reading: ParseContext, node: Node) -> tuple[str, ...]:
    """Return the segments of ``A.B.C``, comments and white space gone."""
    text = reading.slice(node)
    if "/" in text:
        text = reading.between(node.start_byte, node.end_byte)
    return tuple([segment.strip() for segment in text.split(".")])


def _path(reading: ParseContext, node: Node) -> Type:
    text = reading.slice(node)
    if text.startswith("import") and "(" in text:
        return imported(reading, text, node.start_byte)
    return Named(dotted(reading, node))


def _generic(reading: ParseContext, node: Node) -> Type:
    parts = reading.parts(node)
    head = parts[0]
    arguments = lower_arguments(reading, parts[-1])
    if reading.kinds[head.kind_id] == "type_identifier":
        return _named(reading, reading.slice(head), head.start_byte, arguments)
    plain = _path(reading, head)
    return Named(plain.path, arguments, plain.module) if isinstance(plain, Named) else plain


def _inner(reading: ParseContext, node: Node) -> Type:
    parts = reading.parts(node)
    return lower_type(reading, parts[0]) if parts else UNREADABLE


def _array(reading: ParseContext, node: Node) -> Type:
    readonly = _take_readonly(reading, node)
    return Array(_inner(reading, node), readonly)


def _take_readonly(reading: ParseContext, node: Node) -> bool:
    """Whether ``readonly`` stands before an array or tuple; the outermost one takes it."""
    if node.start_byte not in reading.readonlys:
        return False
    reading.readonlys.discard(node.start_byte)
    return True


def _readonly(reading: ParseContext, node: Node) -> Type:
    # The grammar lets `readonly` reach over all that follows: `readonly (A[] | B)`.
    parts = reading.parts(node)
    if not parts:
        return UNREADABLE
    reading.readonlys.add(parts[0].start_byte)
    return lower_type(reading, parts[0])


def _literal(reading: ParseContext, node: Node) -> Type:
    text = reading.slice(node)
    first = text[0]
    if first in "\"'":
        return Literal("string", string_value(text))
    constant = _CONSTANTS.get(text)
    return constant if constant is not None else numeric(text)


_CONSTANTS: Mapping[str, Type] = {
    "true": TRUE,
    "false": FALSE,
    "null": NULL,
    "undefined": UNDEFINED,
}


def numeric(text: str) -> Literal:
    """Return the literal type of a number or bigint as written, with or without a sign."""
    sign = "-" if text[0] == "-" else ""
    digits = text.lstrip("-+ \t\r\n")
    if digits.endswith("n"):
        value = bigint_text(digits[:-1])
        return Literal("bigint", value if value == "0" else sign + value)
    value = number_text(digits)
    return Literal("number", value if value == "0" else sign + value)


def _this(_reading: ParseContext, _node: Node) -> Type:
    return THIS


def _tuple(reading: ParseContext, node: Node) -> Type:
    readonly = _take_readonly(reading, node)
    return Tuple(tuple([_element(reading, part) for part in reading.parts(node)]), readonly)


def _element(reading: ParseContext, node: Node) -> Element:
    kind = reading.kinds[node.kind_id]
    if kind == "rest_type":
        return _rest(_inner(reading, node), "")
    if kind == "optional_type":
        return Element(_inner(reading, node), "optional")
    if kind not in ("required_parameter", "optional_parameter"):
        return Element(lower_type(reading, node))
    parts = reading.parts(node)
    label = reading.slice(parts[0])
    element = lower_annotation(reading, parts[-1]) if len(parts) > 1 else UNREADABLE
    if label.startswith("..."):
        return _rest(element, label[3:].strip())
    return Element(element, "optional" if kind == "optional_parameter" else "required", label)


def _rest(element: Type, label: str) -> Element:
    if isinstance(element, Array):
        return Element(element.element, "rest", label)
    return Element(element, "variadic", label)


def _template(reading: ParseContext, node: Node) -> Type:
    texts: list[str] = []
    types: list[Type] = []
    start = node.start_byte + 1
    for part in node.named_children:
        if reading.kinds[part.kind_id] == "template_type":
            texts.append(_fragment(reading, start, part.start_byte))
            types.append(_inner(reading, part))
            start = part.end_byte
    texts.append(_fragment(reading, start, node.end_byte - 1))
    return Template(tuple(texts), tuple(types)) if types else Literal("string", texts[0])


def _fragment(reading: ParseContext, start: int, end: int) -> str:
    return unescape(reading.text[start:end].decode("utf-8", "replace"))


def _typeof(reading: ParseContext, node: Node) -> Type:
    parts = reading.parts(node)
    if not parts:
        return UNREADABLE
    target = parts[0]
    arguments: tuple[Type, ...] = ()
    if reading.kinds[target.kind_id] == "instantiation_expression":
        pieces = reading.parts(target)
        target = pieces[0]
        arguments = lower_arguments(reading, pieces[-1])
    return type_of(reading, target, arguments)


def type_of(reading: ParseContext, node: Node, arguments: tuple[Type, ...] = ()) -> Type:
    """Return ``typeof a.b.c`` for a dotted name."""
    text = reading.slice(node)
    if text.startswith("import") and "(" in text:
        return TypeOf(imported(reading, text, node.start_byte), (), arguments)
    path = dotted(reading, node)
    if path[0] == "this":
        return TypeOf(THIS, path[1:], arguments)
    return TypeOf(Named(path), (), arguments)


READERS: Mapping[str, TypeReader] = {
    "predefined_type": _keyword,
    "type_identifier": _name,
    "identifier": _name,
    "nested_type_identifier": _path,
    "nested_identifier": _path,
    "member_expression": _path,
    "call_expression": _path,
    "generic_type": _generic,
    "parenthesized_type": _inner,
    "array_type": _array,
    "readonly_type": _readonly,
    "literal_type": _literal,
    "this_type": _this,
    "this": _this,
    "tuple_type": _tuple,
    "template_literal_type": _template,
    "type_query": _typeof,
}
