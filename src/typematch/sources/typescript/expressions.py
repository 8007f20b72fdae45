"""Read the type off a simple expression: a literal, ``new X()``, an assertion, a plain name."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from typematch.ir.constructors import union
from typematch.ir.literals import string_value
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
    Element,
    Literal,
    Named,
    Tuple,
    Type,
)
from typematch.sources.typescript.lower import (
    dotted,
    lower_arguments,
    lower_type,
    numeric,
    type_of,
)
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext

_WIDE = {"string": STRING, "number": NUMBER, "boolean": BOOLEAN, "bigint": BIGINT}
_LITERALS = frozenset(("string", "number", "true", "false"))
_FUNCTIONS = frozenset(
    (
        "function_expression", "generator_function", "arrow_function", "function_declaration",
        "generator_function_declaration", "method_definition", "class", "class_declaration",
    )
)  # fmt: skip
_TRUTHS = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"))


def widened(literal: Type) -> Type:
    """Return what a mutable variable initialised with ``literal`` holds."""
    return _WIDE[literal.kind] if isinstance(literal, Literal) else literal


def expression_type(reading: ParseContext, node: Node) -> Type:
    """Return the type of a simple expression, literals as such; ``unannotated`` for any other."""
    if reading.nesting >= MAX_NESTING:
        return UNANNOTATED
    reading.nesting += 1
    shown = _expression(reading, node)
    reading.nesting -= 1
    return shown


def _expression(reading: ParseContext, node: Node) -> Type:
    kind = reading.kinds[node.kind_id]
    if kind in _LITERALS:
        return _literal(reading, node, kind)
    match kind:
        case "null":
            return NULL
        case "undefined":
            return UNDEFINED
        case "template_string":
            return STRING
        case "array":
            return array_type(reading, node)
        case "unary_expression":
            return _unary(reading, node)
        case "binary_expression":
            operator = node.child_by_field_name("operator")
            truth = operator is not None and reading.slice(operator) in _TRUTHS
            return BOOLEAN if truth else UNANNOTATED
        case "new_expression":
            return _new(reading, node)
        case "as_expression" | "satisfies_expression":
            return _asserted(reading, node, kind)
        case "type_assertion":
            parts = reading.parts(node)
            types = reading.parts(parts[0])
            if reading.slice(types[0]) == "const":
                return constant_type(reading, parts[-1])
            return lower_type(reading, types[0])
        case "parenthesized_expression" | "non_null_expression":
            parts = reading.parts(node)
            return expression_type(reading, parts[0]) if len(parts) == 1 else UNANNOTATED
        case _:
            return UNANNOTATED


def named_value(reading: ParseContext, node: Node) -> Type:
    """Return ``typeof a.b`` for a plain or dotted name, else ``unannotated``."""
    current: Node | None = node
    while current is not None and reading.kinds[current.kind_id] == "member_expression":
        if reading.slice(current).count("?.") or current.child_by_field_name("object") is None:
            return UNANNOTATED
        current = current.child_by_field_name("object")
    if current is None or reading.kinds[current.kind_id] != "identifier":
        return UNANNOTATED
    return type_of(reading, node)


def constant_type(reading: ParseContext, node: Node) -> Type:
    """Return the type of ``node as const``; object literals are read in ``values``."""
    if reading.kinds[node.kind_id] != "array":
        return expression_type(reading, node)
    parts = reading.parts(node)
    spread = any(reading.kinds[part.kind_id] == "spread_element" for part in parts)
    if spread or reading.nesting >= MAX_NESTING:
        return UNANNOTATED
    reading.nesting += 1
    elements = [Element(constant_type(reading, part)) for part in parts]
    reading.nesting -= 1
    return Tuple(tuple(elements), True)


def _literal(reading: ParseContext, node: Node, kind: str) -> Type:
    text = reading.slice(node)
    if kind == "string":
        return Literal("string", string_value(text))
    return numeric(text) if kind == "number" else Literal("boolean", text)


def _unary(reading: ParseContext, node: Node) -> Type:
    text = reading.slice(node)
    parts = reading.parts(node)
    if text[0] == "!":
        return BOOLEAN
    if text[0] in "+-" and parts and reading.kinds[parts[-1].kind_id] == "number":
        return numeric(text)
    if text.startswith("typeof"):
        return STRING
    return UNDEFINED if text.startswith("void ") else UNANNOTATED


def _new(reading: ParseContext, node: Node) -> Type:
    name = node.child_by_field_name("constructor")
    if name is None or reading.kinds[name.kind_id] not in ("identifier", "member_expression"):
        return UNANNOTATED
    path = dotted(reading, name)
    if not all(segment.isidentifier() or "$" in segment for segment in path):
        return UNANNOTATED
    arguments = node.child_by_field_name("type_arguments")
    return Named(path, () if arguments is None else lower_arguments(reading, arguments))


def _asserted(reading: ParseContext, node: Node, kind: str) -> Type:
    parts = reading.parts(node)
    if len(parts) == 1:  # `as const`: the keyword has no name
        return constant_type(reading, parts[0])
    if kind == "satisfies_expression":
        return expression_type(reading, parts[0])
    return lower_type(reading, parts[1])


def result_type(reading: ParseContext, body: Node, *, expression_never: bool) -> Type:
    """Return what a function body returns where that is simple, else ``unannotated``.

    ``expression_never``: a body that only throws makes a function expression return ``never``, and
    a function declaration ``void``.
    """
    if reading.kinds[body.kind_id] != "statement_block":
        shown = expression_type(reading, body)
        asserted = reading.kinds[body.kind_id] in ("as_expression", "satisfies_expression")
        return shown if asserted else widened(shown)
    statements = reading.parts(body)
    last = reading.kinds[statements[-1].kind_id] if statements else ""
    results = {_returned(reading, node) for node in _returns(reading, body)}
    if not results:
        return NEVER if last == "throw_statement" and expression_never else VOID
    if len(results) > 1 or last != "return_statement":
        return VOID if results == {VOID} else UNANNOTATED
    return results.pop()


def _returned(reading: ParseContext, statement: Node) -> Type:
    parts = reading.parts(statement)
    return widened(expression_type(reading, parts[0])) if parts else VOID


def _returns(reading: ParseContext, body: Node) -> Iterator[Node]:
    """Yield the return statements of a function body, not those of functions inside it."""
    pending = [body]
    while pending:
        for child in pending.pop().named_children:
            kind = reading.kinds[child.kind_id]
            if kind == "return_statement":
                yield child
            elif kind not in _FUNCTIONS and child.named_child_count:
                pending.append(child)


def array_type(reading: ParseContext, node: Node) -> Type:
    """Return the type of an array literal of simple values: ``(number | string)[]``."""
    elements = reading.parts(node)
    if reading.nesting >= MAX_NESTING:
        return UNANNOTATED
    reading.nesting += 1
    kinds = dict.fromkeys([widened(expression_type(reading, part)) for part in elements])
    reading.nesting -= 1
    # What an empty one holds depends on what is put in later.
    return UNANNOTATED if not kinds or UNANNOTATED in kinds else Array(union(kinds))
