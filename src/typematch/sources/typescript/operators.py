"""Reads operator types: ``A | B``, ``A & B``, ``keyof A``, ``A[B]`` and conditional types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tree_sitter import Node

from typematch.ir.constructors import intersection, union
from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import UNREADABLE, Conditional, IndexedAccess, KeyOf, Named, Type, Var
from typematch.sources.typescript.lower import lower_type
from typematch.sources.typescript.parse_context import (
    IncompleteSyntaxError,
    ParseContext,
    TypeReader,
)


def lower_chain(context: ParseContext, chain: list[tuple[str, Node]]) -> Type:
    """Return the union of intersections of a chain of operands.

    A ``conditional_type`` at the end of the chain has the rest of the chain as its check type.

    Raises:
        IncompleteSyntaxError: there are no operands.
    """
    if not chain:
        raise IncompleteSyntaxError
    constructs = any(context.kinds[operand.kind_id] == "constructor_type" for _, operand in chain)
    if chain[-1][0] == "conditional_type" and not constructs:
        return _conditional_type(
            context, chain[-1][1], lower_chain(context, chain[:-1]), chain[:-1]
        )
    alternatives: list[list[Type]] = []
    for place, (operator, operand) in enumerate(chain):
        last = place == len(chain) - 1
        if not last and context.kinds[operand.kind_id] == "constructor_type":
            context.misplaced_operands = chain[place + 1 :]
            last = True
        lowered = lower_type(context, operand)
        if operator == "intersection_type" and alternatives:
            alternatives[-1].append(lowered)
        else:
            alternatives.append([lowered])
        if last:
            break
    return union([intersection(parts) if len(parts) > 1 else parts[0] for parts in alternatives])


def _operator_type(context: ParseContext, node: Node) -> Type:
    return lower_chain(context, _chain(context, node))


def _chain(context: ParseContext, node: Node) -> list[tuple[str, Node]]:
    """Return the operands of ``A | B & C`` in order, each with the operator before it.

    Corrects two precedence errors of the grammar: ``readonly`` takes in what follows it, and the
    result of ``new () => A`` ends too early.
    """
    kinds = context.kinds
    found: list[tuple[str, Node]] = []
    pending = [("", node)]
    while pending:
        operator, current = pending.pop()
        kind = kinds[current.kind_id]
        if kind == "readonly_type":
            context.readonly_offsets.update(
                [part.start_byte for part in context.named_children(current)[:1]]
            )
        elif kind == "conditional_type" and operator not in ("", kind):
            # After `readonly` its check type is the whole chain before it.
            pending.append((kind, current))
            pending.extend([(operator, part) for part in context.named_children(current)[:1]])
            continue
        elif kind not in ("union_type", "intersection_type"):
            found.append((operator, current))
            continue
        parts = context.named_children(current)
        pending.extend([(kind, part) for part in reversed(parts[1:])])
        pending.extend([(operator, part) for part in parts[:1]])
    return found


def _conditional(context: ParseContext, node: Node) -> Type:
    parts = context.named_children(node)
    if len(parts) != 4:
        return UNREADABLE
    chain = _chain(context, parts[0])
    if any(context.kinds[operand.kind_id] == "constructor_type" for _, operand in chain):
        # The grammar ends the result of `new () => A` before `extends`.
        return lower_chain(context, [*chain, ("conditional_type", node)])
    return _conditional_type(context, node, lower_type(context, parts[0]), chain)


def _conditional_type(
    context: ParseContext, node: Node, check_type: Type, chain: Sequence[tuple[str, Node]]
) -> Type:
    """Return the conditional type of ``node``; its check type was read from ``chain``."""
    extends, yes, no = (context.child(node, index) for index in (1, 2, 3))
    declared = _infer_variables(context, extends)
    otherwise = lower_type(context, no)
    outer = context.enter_binder(declared) if declared else None
    infer = tuple(
        [TypeParameter(None if c is None else lower_type(context, c)) for c in declared.values()]
    )
    is_name = len(chain) == 1 and context.kinds[chain[0][1].kind_id] == "type_identifier"
    conditional = Conditional(
        check_type,
        lower_type(context, extends),
        lower_type(context, yes),
        otherwise,
        infer,
        is_name and isinstance(check_type, Var),
    )
    if outer is not None:
        context.leave_binder(outer)
    return conditional


def _infer_variables(context: ParseContext, extends: Node) -> dict[str, Node | None]:
    """Return the variables that ``infer`` declares in an extends type, with their constraints.

    Variables in the extends type of a nested conditional type belong to that one.
    """
    if b"infer" not in context.text[extends.start_byte : extends.end_byte]:
        return {}
    found: dict[str, Node | None] = {}
    pending = [extends]
    while pending:
        node = pending.pop()
        kind = context.kinds[node.kind_id]
        if kind == "infer_type":
            parts = context.named_children(node)
            name = context.name(context.child(node, 0))
            constraint = parts[1] if len(parts) > 1 else None
            found[name] = found.get(name) or constraint
            pending.extend(parts[1:])
        elif kind == "conditional_type":
            parts = context.named_children(node)
            pending.extend(reversed([part for i, part in enumerate(parts) if i != 1]))
        else:
            pending.extend(reversed(node.named_children))
    return found


def _infer(context: ParseContext, node: Node) -> Type:
    name = context.name(context.child(node, 0))
    return context.variable(name) or Named((name,))


def _keyof(context: ParseContext, node: Node) -> Type:
    parts = context.named_children(node)
    if not parts:
        return UNREADABLE
    start = parts[0].start_byte
    # The grammar cannot read `keyof readonly X[]`, so `normalize` has blanked the modifier.
    if context.text[node.start_byte + len("keyof") : start].strip() == b"readonly":
        context.readonly_offsets.add(start)
    return KeyOf(lower_type(context, parts[0]))


def _indexed_access(context: ParseContext, node: Node) -> Type:
    parts = context.named_children(node)
    if len(parts) != 2:
        return UNREADABLE
    return IndexedAccess(lower_type(context, parts[0]), lower_type(context, parts[1]))


READERS: Mapping[str, TypeReader] = {
    "union_type": _operator_type,
    "intersection_type": _operator_type,
    "conditional_type": _conditional,
    "infer_type": _infer,
    "index_type_query": _keyof,
    "lookup_type": _indexed_access,
}
