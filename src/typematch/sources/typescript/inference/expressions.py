"""Infers the types of expressions: literals, ``new X()``, names, properties, calls, objects.

The result of a call is ``ReturnType<typeof f>``.  Only where all declarations are known it shows
whether that is a type: ``program.inferred_results``.
"""

from __future__ import annotations

from typing import cast

from tree_sitter import Node

from typematch.ir.constructors import object_type, union, widened
from typematch.ir.literals import string_value
from typematch.ir.type_parts import Element, Property
from typematch.ir.types import (
    BOOLEAN,
    FALSE,
    NULL,
    NUMBER,
    STRING,
    TRUE,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    Array,
    Literal,
    Named,
    Object,
    Tuple,
    Type,
    TypeOf,
    Union,
)
from typematch.sources.typescript.inference.computed_types import (
    RETURN_TYPE,
    awaited,
    without_null,
)
from typematch.sources.typescript.inference.function_scope import (
    declared_property,
    property_access,
    shifted,
)
from typematch.sources.typescript.inference.jsx import jsx_element_type
from typematch.sources.typescript.lower import (
    dotted_path,
    lower_annotation,
    lower_arguments,
    lower_type,
    member_name,
    numeric_literal,
    type_query,
)
from typematch.sources.typescript.parse_context import (
    MAX_NESTING,
    IncompleteSyntaxError,
    ParseContext,
)

_LITERALS = frozenset(("string", "number", "true", "false"))
_CONSTANTS = _LITERALS | {"null", "undefined", "unary_expression", "parenthesized_expression"}
ASSERTIONS = frozenset(("as_expression", "satisfies_expression", "type_assertion"))
_ARITHMETIC = frozenset(("-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^"))
_COMPARISONS = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"))


def expression_type(context: ParseContext, node: Node) -> Type:
    """Return the type of a simple expression, literals unwidened; ``unannotated`` for any other."""
    if context.nesting >= MAX_NESTING:
        return UNANNOTATED
    state = context.state()
    context.nesting += 1
    try:
        type_ = _expression(context, node)
    except IncompleteSyntaxError:
        context.recover(state)
        return UNANNOTATED
    context.nesting -= 1
    return type_


def _expression(context: ParseContext, node: Node) -> Type:
    kind = context.kinds[node.kind_id]
    if kind in _LITERALS:
        return _literal(context, node, kind)
    match kind:
        case "null":
            return NULL
        case "undefined":
            return UNDEFINED
        case "template_string":
            return STRING
        case "array":
            return array_literal_type(context, node)
        case "unary_expression":
            return _unary(context, node)
        case "ternary_expression":
            return conditional_result(context, node) if context.function_scope else UNANNOTATED
        case "update_expression":
            return NUMBER if context.function_scope else UNANNOTATED
        case "binary_expression":
            return _binary(context, node)
        case "jsx_element" | "jsx_self_closing_element" | "jsx_fragment":
            return jsx_element_type(context, node)
        case "identifier" | "member_expression" | "this" | "subscript_expression":
            return value_type(context, node) if context.function_scope else UNANNOTATED
        case "call_expression":
            return _call(context, node) if context.function_scope else UNANNOTATED
        case "await_expression":
            return awaited(expression_type(context, context.child(node, 0)))
        case "object":
            return _object_literal(context, node) if context.function_scope else UNANNOTATED
        case "arrow_function" | "function_expression":
            return lower_type(context, node) if context.function_scope else UNANNOTATED
        case "new_expression":
            return _new(context, node)
        case "as_expression" | "satisfies_expression":
            return _asserted(context, node, kind)
        case "type_assertion":
            asserted = context.child(context.child(node, 0), 0)
            if context.source(asserted) == "const":
                return const_assertion_type(context, context.child(node, -1))
            return lower_type(context, asserted)
        case "parenthesized_expression" | "non_null_expression":
            parts = context.named_children(node)
            inner = expression_type(context, parts[0]) if len(parts) == 1 else UNANNOTATED
            return without_null(inner) if kind == "non_null_expression" else inner
        case _:
            return UNANNOTATED


def named_value(context: ParseContext, node: Node) -> Type:
    """Return ``typeof a.b`` for a dotted name, ``unannotated`` for other expressions."""
    current: Node | None = node
    while current is not None and context.kinds[current.kind_id] == "member_expression":
        if context.source(current).count("?.") or current.child_by_field_name("object") is None:
            return UNANNOTATED
        current = current.child_by_field_name("object")
    if current is None or context.kinds[current.kind_id] != "identifier":
        return UNANNOTATED
    return type_query(context, node)


def value_type(context: ParseContext, node: Node) -> Type:
    """Return the type of a name or a property in a function body."""
    if context.nesting >= MAX_NESTING:
        return UNANNOTATED
    kind = context.kinds[node.kind_id]
    scope = context.function_scope
    if kind == "this":
        return _narrowable(context, "this", node.start_byte, scope.this if scope else UNANNOTATED)
    if kind == "identifier":
        name = context.name(node)
        local = _local(context, name, node.start_byte)
        named = type_query(context, node) if local is None else local
        return _narrowable(context, name, node.start_byte, named)
    if kind != "member_expression":
        return (
            expression_type(context, node) if kind not in ("subscript_expression",) else UNANNOTATED
        )
    value, key = node.child_by_field_name("object"), node.child_by_field_name("property")
    is_optional = any(context.kinds[child.kind_id] == "optional_chain" for child in node.children)
    if value is None or key is None or is_optional or context.source(key).startswith("#"):
        return UNANNOTATED
    context.nesting += 1
    inner = value_type(context, value)
    context.nesting -= 1
    if isinstance(inner, TypeOf) and not inner.arguments:
        return type_query(context, node)
    return property_access(inner, context.source(key))


def _narrowable(context: ParseContext, name: str, offset: int, type_: Type) -> Type:
    """Return the type of a name; ``unannotated`` if code before ``offset`` may narrow it."""
    scope = context.function_scope
    while scope is not None:
        if scope.may_narrow(name, offset) and type_ not in (STRING, NUMBER):
            return UNANNOTATED
        scope = scope.outer
    return type_


def _local(context: ParseContext, name: str, offset: int) -> Type | None:
    """Return the type of a local name; None if no function around declares it."""
    current = scope = context.function_scope
    while scope is not None and not scope.declares(name):
        scope = scope.outer
    if scope is None:
        return None
    if name in scope.values:
        declarator = scope.values[name]
        if declarator is None or name in scope.pending or declarator.end_byte > offset:
            return UNANNOTATED
        state, variables = context.level, context.variables
        scope.pending.add(name)
        context.level, context.variables, context.function_scope = (
            scope.level,
            scope.variables,
            scope,
        )
        declared = _variable(context, declarator, name)
        context.level, context.variables, context.function_scope = state, variables, current
        scope.pending.discard(name)
    else:
        declared = scope.parameters[name]
    return cast(Type, shifted(declared, context.level - scope.level))


def _variable(context: ParseContext, node: Node, name: str) -> Type:
    """Return the type of a local variable by its annotation or initializer."""
    annotation, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    pattern = node.child_by_field_name("name")
    is_plain = pattern is not None and context.kinds[pattern.kind_id] == "identifier"
    if annotation is not None:
        # The initializer narrows a union.
        declared = lower_annotation(context, annotation)
        known = is_plain and not isinstance(declared, Union) and declared is not UNKNOWN
        return declared if known and declared is not BOOLEAN else UNANNOTATED
    if value is None:
        return UNANNOTATED
    inferred = expression_type(context, value)
    if not is_plain:
        key = declared_property(context, node, name)
        return UNANNOTATED if key is None else property_access(inferred, key)
    holder = node.parent
    keyword = holder.children[0] if holder is not None and holder.children else None
    if keyword is not None and context.source(keyword) == "const":
        asserted = context.kinds[value.kind_id] in ASSERTIONS
        return UNANNOTATED if asserted and isinstance(inferred, Literal | Union) else inferred
    # An assignment narrows a variable to the type assigned, unless its type is no union.
    return widened(inferred) if widened(inferred) in (NUMBER, STRING) else UNANNOTATED


def _call(context: ParseContext, node: Node) -> Type:
    """Return ``ReturnType`` of the type of what is called."""
    callee = node.child_by_field_name("function")
    if callee is None or any(context.kinds[c.kind_id] == "optional_chain" for c in node.children):
        return UNANNOTATED
    if context.kinds[callee.kind_id] not in ("identifier", "member_expression"):
        return UNANNOTATED
    arguments = node.child_by_field_name("type_arguments")
    callee_type = value_type(context, callee)
    if arguments is not None:
        if not isinstance(callee_type, TypeOf):
            return UNANNOTATED
        callee_type = TypeOf(
            callee_type.target, callee_type.path, lower_arguments(context, arguments)
        )
    if isinstance(callee_type, Object):
        return _local_result(callee_type)
    return UNANNOTATED if callee_type is UNANNOTATED else Named(RETURN_TYPE, (callee_type,))


def _local_result(function: Object) -> Type:
    """Return the result of a local function without type parameters of its own."""
    calls = function.calls
    known = len(calls) == 1 and not calls[0].type_parameters
    return calls[0].returns if known else UNANNOTATED


def _object_literal(context: ParseContext, node: Node) -> Type:
    """Return the type of an object literal; ``unannotated`` if it has a spread or computed name."""
    properties: dict[str, Property] = {}
    for part in context.named_children(node):
        kind = context.kinds[part.kind_id]
        if kind == "shorthand_property_identifier":
            name: str | None = context.name(part)
            local = _local(context, context.name(part), part.start_byte)
            name_type = type_query(context, part) if local is None else local
            type_ = _narrowable(context, context.name(part), part.start_byte, name_type)
        elif kind in ("pair", "method_definition"):
            key = part.child_by_field_name("key" if kind == "pair" else "name")
            name = None if key is None else member_name(context, key, context.kinds[key.kind_id])
            value = part.child_by_field_name("value") if kind == "pair" else part
            if value is None or any(
                context.kinds[c.kind_id] in ("get", "set") for c in part.children
            ):
                return UNANNOTATED
            is_method = kind == "method_definition"
            type_ = lower_type(context, part) if is_method else expression_type(context, value)
        else:
            return UNANNOTATED
        if name is None or name.startswith("@"):
            return UNANNOTATED
        properties[name] = Property(name, widened(type_))
    return object_type(list(properties.values()))


def const_assertion_type(context: ParseContext, node: Node) -> Type:
    """Return the type of ``node as const``; ``initializers`` reads object literals."""
    kind = context.kinds[node.kind_id]
    if kind != "array":
        return expression_type(context, node) if kind in _CONSTANTS else UNANNOTATED
    parts = context.named_children(node)
    spread = any(context.kinds[part.kind_id] == "spread_element" for part in parts)
    if spread or context.nesting >= MAX_NESTING:
        return UNANNOTATED
    context.nesting += 1
    elements = [Element(const_assertion_type(context, part)) for part in parts]
    context.nesting -= 1
    return Tuple(tuple(elements), True)


def _literal(context: ParseContext, node: Node, kind: str) -> Type:
    text = context.name(node)
    if kind == "string":
        return Literal("string", string_value(text))
    return numeric_literal(text) if kind == "number" else Literal("boolean", text)


def _unary(context: ParseContext, node: Node) -> Type:
    text = context.name(node)
    parts = context.named_children(node)
    if text[0] == "!":
        return BOOLEAN
    if text[0] in "+-" and parts and context.kinds[parts[-1].kind_id] == "number":
        return numeric_literal(text)
    if text.startswith("typeof"):
        return STRING
    return UNDEFINED if text.startswith("void ") else UNANNOTATED


def _binary(context: ParseContext, node: Node) -> Type:
    """Return the type of an operation; one operand that is no bigint makes it a number."""
    sides = [node.child_by_field_name(name) for name in ("left", "operator", "right")]
    left, operator, right = sides
    if left is None or operator is None or right is None:
        return UNANNOTATED
    sign = context.source(operator)
    if sign in _COMPARISONS:
        return BOOLEAN
    if sign in ("&&", "||", "??"):
        return _short_circuit(context, sign, left, right)
    if sign == ">>>":
        return NUMBER
    if sign != "+" and sign not in _ARITHMETIC:
        return UNANNOTATED
    types = {widened(expression_type(context, side)) for side in (left, right)}
    if sign == "+":
        return STRING if STRING in types else NUMBER if types == {NUMBER} else UNANNOTATED
    return NUMBER if NUMBER in types else UNANNOTATED


def _short_circuit(context: ParseContext, sign: str, left: Node, right: Node) -> Type:
    first, second = expression_type(context, left), expression_type(context, right)
    if UNANNOTATED in (first, second):
        return UNANNOTATED
    if sign == "??":
        return union((without_null(first), widened(second)))
    if first is not BOOLEAN:
        return UNANNOTATED
    return union((FALSE if sign == "&&" else TRUE, second))


def conditional_result(context: ParseContext, node: Node) -> Type:
    """Return the union of both branches; as a result its literals are not widened, unless alone."""
    branches = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
    types = [
        UNANNOTATED if branch is None else expression_type(context, branch) for branch in branches
    ]
    return UNANNOTATED if UNANNOTATED in types else widened(union(types))


def _new(context: ParseContext, node: Node) -> Type:
    name = node.child_by_field_name("constructor")
    if name is None or context.kinds[name.kind_id] not in ("identifier", "member_expression"):
        return UNANNOTATED
    path = dotted_path(context, name)
    if not all(segment.isidentifier() or "$" in segment for segment in path):
        return UNANNOTATED
    if _local(context, path[0], node.start_byte) is not None:
        return UNANNOTATED
    arguments = node.child_by_field_name("type_arguments")
    return Named(path, () if arguments is None else lower_arguments(context, arguments))


def _asserted(context: ParseContext, node: Node, kind: str) -> Type:
    parts = context.named_children(node)
    if len(parts) == 1:  # `as const`: the keyword has no name
        return const_assertion_type(context, parts[0])
    if kind == "satisfies_expression":
        return expression_type(context, context.child(node, 0))
    return lower_type(context, context.child(node, 1))


def array_literal_type(context: ParseContext, node: Node) -> Type:
    """Return the type of an array literal: ``(number | string)[]``; that of ``[]`` evolves."""
    elements = context.named_children(node)
    if context.nesting >= MAX_NESTING:
        return UNANNOTATED
    context.nesting += 1
    kinds = {widened(expression_type(context, part)): None for part in elements}
    context.nesting -= 1
    return UNANNOTATED if not kinds or UNANNOTATED in kinds else Array(union(kinds))
