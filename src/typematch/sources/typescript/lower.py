"""Lowers type syntax to types.  Type parameters become variables; other names stay as written."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from typematch.ir.constructors import type_of_this
from typematch.ir.literals import bigint_text, number_text, string_value, unescape
from typematch.ir.type_parts import Element
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
from typematch.sources.typescript.parse_context import (
    MAX_NESTING,
    IncompleteSyntaxError,
    ParseContext,
    ReadingState,
    TypeReader,
    pick,
)

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


def lower_type(context: ParseContext, node: Node) -> Type:
    """Return the type of a node; ``unreadable`` if it is not a type or is nested too deeply."""
    reader = context.readers.get(node.kind_id)
    nesting = context.nesting
    if reader is None or nesting >= MAX_NESTING:
        context.errors += 1
        return UNREADABLE
    level, variables = context.level, context.variables
    context.nesting = nesting + 1
    try:
        lowered = reader(context, node)
    except IncompleteSyntaxError:
        context.recover(ReadingState(level, nesting, context.ambient, variables))
        return UNREADABLE
    context.nesting = nesting
    return lowered


def lower_annotation(context: ParseContext, node: Node) -> Type:
    """Return the type behind the colon of a ``type_annotation``."""
    parts = context.named_children(node)
    return lower_type(context, parts[-1]) if parts else UNREADABLE


def lower_arguments(context: ParseContext, node: Node) -> tuple[Type, ...]:
    """Return the types of ``<A, B>``."""
    return tuple([lower_type(context, part) for part in context.named_children(node)])


def _keyword(context: ParseContext, node: Node) -> Type:
    text = context.text[node.start_byte : node.end_byte]
    found = _KEYWORDS.get(text)
    if found is not None:
        return found
    return (
        UniqueSymbol() if text.startswith(b"unique") else Intrinsic(text.decode("utf-8", "replace"))
    )


def _name(context: ParseContext, node: Node) -> Type:
    return _named_type(context, context.name(node), node.start_byte, ())


def _named_type(context: ParseContext, name: str, offset: int, arguments: tuple[Type, ...]) -> Type:
    """Return a type variable, an import type, a keyword type, or the name itself."""
    if name.startswith("import") and "(" in name:
        return import_type(context, name, offset, arguments)
    if not arguments:
        found = context.variables.get(name)
        if found is not None:
            return Var(context.level - found[0], found[1])
        keyword = _KEYWORD_NAMES.get(name)
        if keyword is not None:
            return keyword
    return Named((name,), arguments)


def import_type(
    context: ParseContext, text: str, offset: int, arguments: tuple[Type, ...] = ()
) -> Named:
    """Return the name in ``import("m").A.B``, and record the module specifier."""
    match = _IMPORT_TYPE.match(text)
    if match is None:
        return Named((text,), arguments)
    specifier = unescape(match[2])
    context.specifiers.append((offset, specifier))
    path = tuple("".join(match[3].split()).split(".")[1:])
    return Named(path, arguments, specifier)


def dotted_path(context: ParseContext, node: Node) -> tuple[str, ...]:
    """Return the segments of ``A.B.C``, without comments and white space.

    Raises:
        IncompleteSyntaxError: the name is missing.
    """
    text = context.name(node)
    if "/" in text:
        text = context.source_between(node.start_byte, node.end_byte)
    return tuple([segment.strip() for segment in text.split(".")])


def _path(context: ParseContext, node: Node) -> Type:
    text = context.source(node)
    if text.startswith("import") and "(" in text:
        return import_type(context, text, node.start_byte)
    return Named(dotted_path(context, node))


def _generic(context: ParseContext, node: Node) -> Type:
    parts = context.named_children(node)
    head = pick(parts, 0)
    arguments = lower_arguments(context, parts[-1])
    if context.kinds[head.kind_id] == "type_identifier":
        return _named_type(context, context.name(head), head.start_byte, arguments)
    plain = _path(context, head)
    return Named(plain.path, arguments, plain.module) if isinstance(plain, Named) else plain


def _inner(context: ParseContext, node: Node) -> Type:
    parts = context.named_children(node)
    return lower_type(context, parts[0]) if parts else UNREADABLE


def _array(context: ParseContext, node: Node) -> Type:
    readonly = _take_readonly(context, node)
    return Array(_inner(context, node), readonly)


def _take_readonly(context: ParseContext, node: Node) -> bool:
    """Whether ``readonly`` precedes an array or tuple; it applies to the outermost one."""
    if node.start_byte not in context.readonly_offsets:
        return False
    context.readonly_offsets.discard(node.start_byte)
    return True


def _readonly(context: ParseContext, node: Node) -> Type:
    # The grammar gives `readonly` the lowest precedence: `readonly (A[] | B)`.
    parts = context.named_children(node)
    if not parts:
        return UNREADABLE
    context.readonly_offsets.add(parts[0].start_byte)
    return lower_type(context, parts[0])


def _literal(context: ParseContext, node: Node) -> Type:
    text = context.name(node)
    first = text[0]
    if first in "\"'":
        return Literal("string", string_value(text))
    constant = _CONSTANTS.get(text)
    return constant if constant is not None else numeric_literal(text)


_CONSTANTS: Mapping[str, Type] = {
    "true": TRUE,
    "false": FALSE,
    "null": NULL,
    "undefined": UNDEFINED,
}


def numeric_literal(text: str) -> Literal:
    """Return the literal type of a number or bigint literal, with or without a sign."""
    sign = "-" if text[0] == "-" else ""
    digits = text.lstrip("-+ \t\r\n")
    if digits.endswith("n"):
        value = bigint_text(digits[:-1])
        return Literal("bigint", value if value == "0" else sign + value)
    value = number_text(digits)
    return Literal("number", value if value == "0" else sign + value)


def _this(_context: ParseContext, _node: Node) -> Type:
    return THIS


def _tuple(context: ParseContext, node: Node) -> Type:
    readonly = _take_readonly(context, node)
    return Tuple(
        tuple([_element(context, part) for part in context.named_children(node)]), readonly
    )


def _element(context: ParseContext, node: Node) -> Element:
    kind = context.kinds[node.kind_id]
    if kind == "rest_type":
        return _rest(_inner(context, node), "")
    if kind == "optional_type":
        return Element(_inner(context, node), "optional")
    if kind not in ("required_parameter", "optional_parameter"):
        return Element(lower_type(context, node))
    parts = context.named_children(node)
    label = context.source(pick(parts, 0))
    element = lower_annotation(context, parts[-1]) if len(parts) > 1 else UNREADABLE
    if label.startswith("..."):
        return _rest(element, label[3:].strip())
    return Element(element, "optional" if kind == "optional_parameter" else "required", label)


def _rest(element: Type, label: str) -> Element:
    if isinstance(element, Array):
        return Element(element.element, "rest", label)
    return Element(element, "variadic", label)


def _template(context: ParseContext, node: Node) -> Type:
    texts: list[str] = []
    types: list[Type] = []
    start = node.start_byte + 1
    for part in node.named_children:
        if context.kinds[part.kind_id] == "template_type":
            texts.append(_fragment(context, start, part.start_byte))
            types.append(_inner(context, part))
            start = part.end_byte
    texts.append(_fragment(context, start, node.end_byte - 1))
    return Template(tuple(texts), tuple(types)) if types else Literal("string", texts[0])


def _fragment(context: ParseContext, start: int, end: int) -> str:
    return unescape(context.text[start:end].decode("utf-8", "replace"))


def _typeof(context: ParseContext, node: Node) -> Type:
    parts = context.named_children(node)
    if not parts:
        return UNREADABLE
    target = parts[0]
    arguments: tuple[Type, ...] = ()
    if context.kinds[target.kind_id] == "instantiation_expression":
        arguments = lower_arguments(context, context.child(target, -1))
        target = context.child(target, 0)
    return type_query(context, target, arguments)


def type_query(context: ParseContext, node: Node, arguments: tuple[Type, ...] = ()) -> Type:
    """Return ``typeof a.b.c`` for a dotted name, ``this["a"]`` for ``typeof this.a``."""
    text = context.source(node)
    if text.startswith("import") and "(" in text:
        return TypeOf(import_type(context, text, node.start_byte), (), arguments)
    path = dotted_path(context, node)
    if path[0] == "this":
        return type_of_this(path[1:], arguments)
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


def member_name(context: ParseContext, node: Node, kind: str) -> str | None:
    """Return a member's name as ``ir.types.Property`` spells it; None for a computed expression."""
    if kind == "string":
        return string_value(context.source(node))
    if kind == "number":
        return number_text(context.source(node))
    if kind != "computed_property_name":
        return context.name(node)
    parts = context.named_children(node)
    inner = context.kinds[parts[0].kind_id] if parts else ""
    if inner in ("string", "number"):
        return member_name(context, parts[0], inner)
    if inner not in ("identifier", "member_expression"):
        return None
    path = dotted_path(context, parts[0])
    return f"@@{path[1]}" if path[0] == "Symbol" and len(path) == 2 else f"@?{'.'.join(path)}"
