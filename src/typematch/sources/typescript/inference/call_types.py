"""Types of calls in initializers: ``const User = object({ name: string() })``.

The types of what is called and of its arguments are read here; the type of the call is computed
where all declarations are known: ``match.inference.call_results``.  An argument whose type depends
on more than its own text is ``unannotated``.
"""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from typematch.ir.constructors import call_result_type, is_call_result, object_type
from typematch.ir.intern import nodes_of
from typematch.ir.module import Member
from typematch.ir.type_parts import Element, Property
from typematch.ir.types import (
    NULL,
    UNANNOTATED,
    UNDEFINED,
    VOID,
    Array,
    IndexedAccess,
    Intrinsic,
    Literal,
    Named,
    Object,
    Tuple,
    Type,
    TypeOf,
)
from typematch.sources.typescript.inference.computed_types import RETURN_TYPE
from typematch.sources.typescript.inference.expressions import expression_type, named_value
from typematch.sources.typescript.inference.function_scope import SHORT_CIRCUITS
from typematch.sources.typescript.lower import lower_arguments, lower_type, member_name, type_query
from typematch.sources.typescript.parse_context import ParseContext

_MAX_PARTS = 200  # properties or elements of one literal
_MAX_DEPTH = 16  # calls, literals and accesses around each other
_FUNCTIONS = frozenset(("arrow_function", "function_expression"))
_NAMES = frozenset(("identifier", "member_expression"))
_LITERALS = frozenset(("string", "number", "true", "false", "unary_expression"))
_WRITTEN = frozenset(("as_expression", "type_assertion", "new_expression"))
# A parameter of these kinds has a type annotation, or takes its type from the context.
_PARAMETERS = frozenset(("required_parameter", "optional_parameter"))
# `require` and `import` load modules; a constant that `Symbol` makes has a type of its own.
_SPECIAL = frozenset(("require", "import", "super", "Symbol"))


def call_type(context: ParseContext, node: Node, use: str) -> Type:
    """Return the type of a call outside of functions; ``unannotated`` if it cannot be read.

    Args:
        use: what becomes of the result, as ``ir.constructors.call_result_type`` says.
    """
    return _call_type(context, node, use, _MAX_DEPTH)


def without_calls(member: Member) -> Member:
    """Return a member with ``unannotated`` for the types of calls.

    For those inside ``satisfies``, which takes part in their inference.
    """
    nested = tuple(map(without_calls, member.members))
    has_call = any(map(is_call_result, nodes_of(member.type)))
    return replace(member, type=UNANNOTATED if has_call else member.type, members=nested)


def _call_type(context: ParseContext, node: Node, use: str, depth: int) -> Type:
    callee = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if callee is None or arguments is None or not depth:
        return UNANNOTATED
    if context.kinds[arguments.kind_id] != "arguments" or _is_optional(context, node):
        return UNANNOTATED
    if context.source(callee) in _SPECIAL:
        return UNANNOTATED
    type_arguments = node.child_by_field_name("type_arguments")
    callee_type = _callee_type(context, callee, type_arguments, depth - 1)
    if callee_type is UNANNOTATED:
        return UNANNOTATED
    parts = _parts(context, arguments)
    if parts is None:
        return UNANNOTATED
    types = [_argument_type(context, part, depth - 1) for part in parts]
    return call_result_type(callee_type, types, use)


def _is_optional(context: ParseContext, node: Node) -> bool:
    return any(context.kinds[child.kind_id] == "optional_chain" for child in node.children)


def _parts(context: ParseContext, node: Node) -> list[Node] | None:
    """Return arguments, elements or properties; None if one is a spread, or if they are many."""
    kinds = context.kinds
    parts = [part for part in context.named_children(node) if kinds[part.kind_id] != "comment"]
    spread = any(kinds[part.kind_id] == "spread_element" for part in parts)
    return None if spread or len(parts) > _MAX_PARTS else parts


def _callee_type(
    context: ParseContext, node: Node, type_arguments: Node | None, depth: int
) -> Type:
    named = named_value(context, node) if context.kinds[node.kind_id] in _NAMES else UNANNOTATED
    if type_arguments is not None:
        if not isinstance(named, TypeOf) or named.arguments:
            return UNANNOTATED
        return TypeOf(named.target, named.path, lower_arguments(context, type_arguments))
    if named is not UNANNOTATED or context.kinds[node.kind_id] != "member_expression" or not depth:
        return named
    value, key = node.child_by_field_name("object"), node.child_by_field_name("property")
    if value is None or key is None or _is_optional(context, node):
        return UNANNOTATED
    receiver_type, name = _receiver_type(context, value, depth - 1), context.source(key)
    if receiver_type is UNANNOTATED or name.startswith("#"):
        return UNANNOTATED
    return IndexedAccess(receiver_type, Literal("string", name))


def _receiver_type(context: ParseContext, node: Node, depth: int) -> Type:
    """Return the type of an expression that a method is called on."""
    match context.kinds[node.kind_id]:
        case "call_expression":
            return _call_type(context, node, "constant", depth)
        case "new_expression":
            return _written(expression_type(context, node))
        case "member_expression":
            return _callee_type(context, node, None, depth)
        case _:
            return UNANNOTATED


def _argument_type(context: ParseContext, node: Node, depth: int) -> Type:
    """Return the type of an argument, or of a part of an object or array literal."""
    kind = context.kinds[node.kind_id]
    if not depth:
        return UNANNOTATED
    if kind == "call_expression":
        return _call_type(context, node, "argument", depth)
    if kind in _NAMES:
        return _callee_type(context, node, None, depth)
    if kind in _FUNCTIONS:
        return _function_type(context, node)
    if kind == "object":
        return _object_type(context, node, depth)
    if kind == "array":
        parts = _parts(context, node)
        if not parts:
            return UNANNOTATED
        return Tuple(tuple([Element(_argument_type(context, part, depth - 1)) for part in parts]))
    if kind == "parenthesized_expression":
        inner = context.named_children(node)
        return _argument_type(context, inner[0], depth - 1) if len(inner) == 1 else UNANNOTATED
    if kind in _LITERALS:
        literal = expression_type(context, node)
        return literal if isinstance(literal, Literal) else UNANNOTATED  # `!x` may be `false`
    if kind == "binary_expression" and _is_operation(context, node):
        return expression_type(context, node)
    if kind in _WRITTEN:
        return _written(expression_type(context, node))
    return {"null": NULL, "undefined": UNDEFINED}.get(kind, UNANNOTATED)


def _is_operation(context: ParseContext, node: Node) -> bool:
    """Whether an operator makes a new value, whose type no context changes."""
    operator = node.child_by_field_name("operator")
    return operator is not None and context.source(operator) not in SHORT_CIRCUITS


def _written(type_: Type) -> Type:
    """Return a type that is written out, unless it could be taken for that of a literal."""
    is_written = all(isinstance(part, Named | Intrinsic | Array) for part in nodes_of(type_))
    return type_ if is_written else UNANNOTATED


def _function_type(context: ParseContext, node: Node) -> Type:
    """Return the type of a function; ``unannotated`` if its context may decide a part of it."""
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    if parameters is None or body is None:
        return UNANNOTATED
    kinds = context.kinds
    for part in context.named_children(parameters):
        typed = part.child_by_field_name("type") is not None
        if kinds[part.kind_id] != "comment" and not (kinds[part.kind_id] in _PARAMETERS and typed):
            return UNANNOTATED
    function = lower_type(context, node)
    if node.child_by_field_name("return_type") is None:
        body_kind = kinds[body.kind_id]
        known = body_kind == "binary_expression" and _is_operation(context, body)
        is_void = isinstance(function, Object) and function.calls[0].returns is VOID
        if not known and not is_void:
            return UNANNOTATED
    is_known = not any(
        part is UNANNOTATED or (isinstance(part, Named) and part.path == RETURN_TYPE)
        for part in nodes_of(function)
    )
    return function if is_known else UNANNOTATED


def _object_type(context: ParseContext, node: Node, depth: int) -> Type:
    """Return the type of an object literal, literals as they are."""
    properties: dict[str, Property] = {}
    parts = _parts(context, node)
    for part in [] if parts is None else parts:
        kind = context.kinds[part.kind_id]
        if kind == "shorthand_property_identifier":
            name: str | None = context.source(part)
            type_ = type_query(context, part)
        elif kind == "pair":
            key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
            name = None if key is None else member_name(context, key, context.kinds[key.kind_id])
            type_ = UNANNOTATED if value is None else _argument_type(context, value, depth - 1)
        else:
            return UNANNOTATED
        if name is None or name.startswith("@"):
            return UNANNOTATED
        properties[name] = Property(name, type_)
    return UNANNOTATED if parts is None else object_type(list(properties.values()))
