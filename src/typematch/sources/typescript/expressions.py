"""Infers the types of simple expressions: literals, ``new X()``, assertions and names."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from typematch.ir.constructors import union
from typematch.ir.literals import string_value
from typematch.ir.type_parts import Element
from typematch.ir.types import (
    BIGINT,
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    UNANNOTATED,
    UNDEFINED,
    VOID,
    Array,
    Literal,
    Named,
    Tuple,
    Type,
)
from typematch.sources.typescript.lower import (
    dotted_path,
    lower_arguments,
    lower_type,
    numeric_literal,
    type_query,
)
from typematch.sources.typescript.parse_context import (
    MAX_NESTING,
    IncompleteSyntaxError,
    ParseContext,
)

_WIDE = {"string": STRING, "number": NUMBER, "boolean": BOOLEAN, "bigint": BIGINT}
_LITERALS = frozenset(("string", "number", "true", "false"))
_FUNCTIONS = frozenset(
    (
        "function_expression", "generator_function", "arrow_function", "function_declaration",
        "generator_function_declaration", "method_definition", "class", "class_declaration",
    )
)  # fmt: skip
JSX_ELEMENT = Named(("JSX", "Element"))
_ARITHMETIC = frozenset(("-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^"))
_COMPARISONS = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"))


def widened(literal: Type) -> Type:
    """Return the widened type of a literal type (the compiler's ``getWidenedLiteralType``)."""
    return _WIDE[literal.kind] if isinstance(literal, Literal) else literal


def expression_type(context: ParseContext, node: Node) -> Type:
    """Return the type of a simple expression, literals unwidened; ``unannotated`` for any other."""
    if context.nesting >= MAX_NESTING:
        return UNANNOTATED
    state = context.state()
    context.nesting += 1
    try:
        shown = _expression(context, node)
    except IncompleteSyntaxError:
        context.recover(state)
        return UNANNOTATED
    context.nesting -= 1
    return shown


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
        case "binary_expression":
            return _binary(context, node)
        case "jsx_element" | "jsx_self_closing_element" | "jsx_fragment":
            return JSX_ELEMENT
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
            return expression_type(context, parts[0]) if len(parts) == 1 else UNANNOTATED
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


def const_assertion_type(context: ParseContext, node: Node) -> Type:
    """Return the type of ``node as const``; ``initializers`` reads object literals."""
    if context.kinds[node.kind_id] != "array":
        return expression_type(context, node)
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
    if sign == ">>>":
        return NUMBER
    if sign != "+" and sign not in _ARITHMETIC:
        return UNANNOTATED
    types = {widened(expression_type(context, side)) for side in (left, right)}
    if sign == "+":
        return STRING if STRING in types else NUMBER if types == {NUMBER} else UNANNOTATED
    return NUMBER if NUMBER in types else UNANNOTATED


def _conditional_result(context: ParseContext, node: Node) -> Type:
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
    arguments = node.child_by_field_name("type_arguments")
    return Named(path, () if arguments is None else lower_arguments(context, arguments))


def _asserted(context: ParseContext, node: Node, kind: str) -> Type:
    parts = context.named_children(node)
    if len(parts) == 1:  # `as const`: the keyword has no name
        return const_assertion_type(context, parts[0])
    if kind == "satisfies_expression":
        return expression_type(context, context.child(node, 0))
    return lower_type(context, context.child(node, 1))


def result_type(context: ParseContext, body: Node, *, expression_never: bool) -> Type:
    """Return the result type of a function body if it is simple, ``unannotated`` otherwise.

    Args:
        expression_never: whether a body that only throws returns ``never`` (a function expression);
            a function declaration then returns ``void``.
    """
    if context.kinds[body.kind_id] != "statement_block":
        if context.kinds[body.kind_id] == "ternary_expression":
            return _conditional_result(context, body)
        shown = expression_type(context, body)
        asserted = context.kinds[body.kind_id] in ("as_expression", "satisfies_expression")
        return shown if asserted else widened(shown)
    statements = context.named_children(body)
    last = context.kinds[statements[-1].kind_id] if statements else ""
    results = {_returned(context, node) for node in _returns(context, body)}
    if not results:
        return NEVER if last == "throw_statement" and expression_never else VOID
    if len(results) > 1 or last != "return_statement":
        return VOID if results == {VOID} else UNANNOTATED
    return results.pop()


def _returned(context: ParseContext, statement: Node) -> Type:
    parts = context.named_children(statement)
    if parts and context.kinds[parts[0].kind_id] == "ternary_expression":
        return _conditional_result(context, parts[0])
    return widened(expression_type(context, parts[0])) if parts else VOID


def _returns(context: ParseContext, body: Node) -> Iterator[Node]:
    """Yield the return statements of a function body, except those of nested functions."""
    pending = [body]
    while pending:
        for child in pending.pop().named_children:
            kind = context.kinds[child.kind_id]
            if kind == "return_statement":
                yield child
            elif kind not in _FUNCTIONS and child.named_child_count:
                pending.append(child)


def array_literal_type(context: ParseContext, node: Node) -> Type:
    """Return the type of an array literal of simple values: ``(number | string)[]``."""
    elements = context.named_children(node)
    if context.nesting >= MAX_NESTING:
        return UNANNOTATED
    context.nesting += 1
    kinds = dict.fromkeys([widened(expression_type(context, part)) for part in elements])
    context.nesting -= 1
    # The element type of `[]` evolves with later assignments.
    return UNANNOTATED if not kinds or UNANNOTATED in kinds else Array(union(kinds))
