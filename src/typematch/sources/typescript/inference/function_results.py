"""Infers the results of functions from their bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from typematch.ir.constructors import constituents, union, widened
from typematch.ir.intern import nodes_of
from typematch.ir.types import (
    BOOLEAN,
    NEVER,
    UNANNOTATED,
    VOID,
    Intrinsic,
    Literal,
    Named,
    Type,
)
from typematch.sources.typescript.inference.expressions import (
    ASSERTIONS,
    conditional_result,
    expression_type,
)
from typematch.sources.typescript.inference.function_scope import NESTED
from typematch.sources.typescript.parse_context import ParseContext

_ENDS = frozenset(("return_statement", "throw_statement"))
_EQUALITY = frozenset(("==", "===", "!=", "!==", "in", "instanceof"))


def result_type(context: ParseContext, body: Node, *, expression_never: bool) -> Type:
    """Return the result type of a function body if it is simple, ``unannotated`` otherwise.

    Args:
        expression_never: whether a body that only throws returns ``never`` (a function expression);
            a function declaration then returns ``void``.
    """
    if context.kinds[body.kind_id] != "statement_block":
        result = _expression_result(context, body)
        return UNANNOTATED if _may_be_predicate(context, body, result) else result
    statements = context.named_children(body)
    last = context.kinds[statements[-1].kind_id] if statements else ""
    returned = list(_returns(context, body))
    if not returned:
        return NEVER if last == "throw_statement" and expression_never else VOID
    parts = [context.named_children(statement) for statement in returned]
    if not any(parts):
        return VOID
    if last not in _ENDS or not all(parts):
        return UNANNOTATED
    if len(parts) > 1:
        return _joined([expression_type(context, part[0]) for part in parts])
    result = _expression_result(context, parts[0][0])
    return UNANNOTATED if _may_be_predicate(context, parts[0][0], result) else result


def _expression_result(context: ParseContext, node: Node) -> Type:
    kind = context.kinds[node.kind_id]
    if kind == "ternary_expression":
        return conditional_result(context, node)
    type_ = expression_type(context, node)
    return type_ if kind in ASSERTIONS else widened(type_)


def _joined(results: Sequence[Type]) -> Type:
    """Return the union of several results, of which at most one is no primitive.

    Of several object types the compiler drops the subtypes.
    """
    if UNANNOTATED in results:
        return UNANNOTATED
    joined = widened(union(results))
    others = [part for part in constituents(joined) if not isinstance(part, Literal | Intrinsic)]
    return joined if len(others) < 2 else UNANNOTATED


def _may_be_predicate(context: ParseContext, node: Node, result: Type) -> bool:
    """Whether the compiler may infer a type predicate: every part of the test narrows a parameter.

    A function has none if a part of the test says nothing about a parameter, as ``size > 0``.
    """
    scope = context.function_scope
    parts = constituents(result)
    is_test = result is BOOLEAN or any(
        part is BOOLEAN or (isinstance(part, Literal) and part.kind == "boolean") for part in parts
    )
    if scope is None or not is_test or not scope.parameters:
        return False
    return all(_may_narrow(context, atom, scope.parameters) for atom in _atoms(context, node))


def _atoms(context: ParseContext, node: Node) -> Iterator[Node]:
    """Yield the operands of ``&&``, ``||`` and ``!`` in a test."""
    pending = [node]
    while pending:
        part = pending.pop()
        kind = context.kinds[part.kind_id]
        operator = part.child_by_field_name("operator")
        sign = "" if operator is None else context.source(operator)
        if kind == "parenthesized_expression" or sign in ("!", "&&", "||"):
            pending.extend(context.named_children(part))
        else:
            yield part


def _may_narrow(context: ParseContext, node: Node, parameters: dict[str, Type]) -> bool:
    kind = context.kinds[node.kind_id]
    operator = node.child_by_field_name("operator")
    if kind == "binary_expression":
        if operator is None or context.source(operator) not in _EQUALITY:
            return False
    elif kind not in ("call_expression", "identifier", "member_expression"):
        return False
    pending = [node]
    while pending:
        part = pending.pop()
        if context.kinds[part.kind_id] == "identifier" and context.source(part) in parameters:
            return True
        pending.extend(part.named_children)
    return False


def mentions_local_type(context: ParseContext, result: Type) -> bool:
    """Whether a type names a type that a function around declares."""
    scope = context.function_scope
    names: set[str] = set()
    while scope is not None:
        names |= scope.types
        scope = scope.outer
    return bool(names) and any(
        isinstance(node, Named) and bool(node.path) and node.path[0] in names
        for node in nodes_of(result)
    )


def _returns(context: ParseContext, body: Node) -> Iterator[Node]:
    """Yield the return statements of a function body, except those of nested functions."""
    pending = [body]
    while pending:
        for child in pending.pop().named_children:
            kind = context.kinds[child.kind_id]
            if kind == "return_statement":
                yield child
            elif kind not in NESTED and child.named_child_count:
                pending.append(child)
