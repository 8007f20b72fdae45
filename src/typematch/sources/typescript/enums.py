"""Reads enums and evaluates their constant members, as the compiler's ``evaluate`` does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

from tree_sitter import Node

from typematch.ir.literals import number_text, number_to_string, string_value
from typematch.ir.module import EnumMember
from typematch.ir.types import Literal, Type
from typematch.sources.typescript.comments import doc_comment, with_doc_comments
from typematch.sources.typescript.lower import member_name
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext

Value: TypeAlias = float | str

_CONSTANTS: Mapping[str, float] = {"NaN": math.nan, "Infinity": math.inf}


def enum_members(
    context: ParseContext, node: Node, enum: str, *, auto_increment: bool = True
) -> tuple[EnumMember, ...]:
    """Return the members of an ``enum_body``.

    Args:
        enum: name of the enum, for members that refer to earlier ones.
        auto_increment: whether a member without initializer has the value after the one before it.
            False in a ``declare enum``, whose members without initializer are computed.
    """
    known: dict[str, Value] = {}
    found: list[EnumMember] = []
    following: float | None = 0.0 if auto_increment else None
    for child, comment in with_doc_comments(context, node.children):
        kind = context.kinds[child.kind_id]
        name_node = child.child_by_field_name("name") if kind == "enum_assignment" else child
        if name_node is None or name_node.start_byte == name_node.end_byte:
            continue
        name = member_name(context, name_node, context.kinds[name_node.kind_id])
        if name is None:
            continue
        value: Value | None = following
        if kind == "enum_assignment":
            initialiser = child.child_by_field_name("value")
            value = None if initialiser is None else _value(context, initialiser, enum, known, 0)
        following = value + 1 if auto_increment and isinstance(value, float) else None
        if value is not None:
            known[name] = value
        line = context.line(child.start_byte)
        found.append(EnumMember(name, _literal(value), line, doc_comment(context, comment)))
    return tuple(found)


def _literal(value: Value | None) -> Type | None:
    if isinstance(value, str):
        return Literal("string", value)
    return None if value is None else Literal("number", number_to_string(value))


def _value(
    context: ParseContext, node: Node, enum: str, known: Mapping[str, Value], nesting: int
) -> Value | None:
    if nesting > MAX_NESTING:
        return None
    text = context.source(node)
    parts = context.named_children(node)
    match context.kinds[node.kind_id]:
        case "number":
            return None if text.endswith("n") else float(number_text(text))
        case "string":
            return string_value(text)
        case "template_string" if "${" not in text:
            return string_value(text)
        case "identifier":
            return known.get(text, _CONSTANTS.get(text))
        case "member_expression" if text.startswith(f"{enum}."):
            return known.get(text[len(enum) + 1 :])
        case "subscript_expression" if text.startswith(f"{enum}[") and len(parts) == 2:
            name = _value(context, parts[1], enum, known, nesting + 1)
            return known.get(name) if isinstance(name, str) else None
        case "parenthesized_expression" if len(parts) == 1:
            return _value(context, parts[0], enum, known, nesting + 1)
        case "unary_expression" if parts:
            operand = _value(context, parts[-1], enum, known, nesting + 1)
            unary = _UNARY.get(text[0])
            return unary(operand) if unary is not None and isinstance(operand, float) else None
        case "binary_expression" if len(parts) == 2:
            left = _value(context, parts[0], enum, known, nesting + 1)
            right = _value(context, parts[1], enum, known, nesting + 1)
            operator = node.child_by_field_name("operator")
            return _binary("" if operator is None else context.source(operator), left, right)
        case _:
            return None


def _int32(value: float) -> int:
    """Return ``value | 0``."""
    if not math.isfinite(value):
        return 0
    bits = int(value) & 0xFFFFFFFF
    return bits - 0x100000000 if bits & 0x80000000 else bits


_UNARY: Mapping[str, Callable[[float], float]] = {
    "-": lambda x: -x,
    "+": lambda x: x,
    "~": lambda x: float(~_int32(x)),
}
_BINARY: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y if y else math.nan if not x else math.copysign(math.inf, x),
    "%": lambda x, y: math.fmod(x, y) if y else math.nan,
    "**": lambda x, y: float(x**y) if abs(y) < 1024 else math.inf,
    "|": lambda x, y: float(_int32(x) | _int32(y)),
    "&": lambda x, y: float(_int32(x) & _int32(y)),
    "^": lambda x, y: float(_int32(x) ^ _int32(y)),
    "<<": lambda x, y: float(_int32(float(_int32(x) << (_int32(y) & 31)))),
    ">>": lambda x, y: float(_int32(x) >> (_int32(y) & 31)),
    ">>>": lambda x, y: float((_int32(x) & 0xFFFFFFFF) >> (_int32(y) & 31)),
}


def _binary(operator: str, left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str):
        if operator != "+":
            return None
        return _spelled(left) + _spelled(right)
    compute = _BINARY.get(operator)
    if compute is None:
        return None
    try:
        return compute(left, right)
    except (OverflowError, ValueError, TypeError, ZeroDivisionError):
        return math.nan


def _spelled(value: Value) -> str:
    return value if isinstance(value, str) else number_to_string(value)
