"""Read types made by operators: ``A | B``, ``A & B``, ``keyof A``, ``A[B]``, conditional types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tree_sitter import Node

from typematch.ir.constructors import intersection, union
from typematch.ir.types import (
    UNREADABLE,
    Conditional,
    IndexedAccess,
    KeyOf,
    Named,
    Type,
    TypeParameter,
    Var,
)
from typematch.sources.typescript.lower import lower_type
from typematch.sources.typescript.parse_context import ParseContext, TypeReader


def lower_chain(reading: ParseContext, chain: list[tuple[str, Node]]) -> Type:
    """Return the union of intersections that ``chain`` writes.

    A ``conditional_type`` at its end checks what stands before.
    """
    constructs = any(reading.kinds[operand.kind_id] == "constructor_type" for _, operand in chain)
    if chain[-1][0] == "conditional_type" and not constructs:
        return _decided(reading, chain[-1][1], lower_chain(reading, chain[:-1]), chain[:-1])
    alternatives: list[list[Type]] = []
    for place, (operator, operand) in enumerate(chain):
        last = place == len(chain) - 1
        if not last and reading.kinds[operand.kind_id] == "constructor_type":
            reading.tail = chain[place + 1 :]
            last = True
        lowered = lower_type(reading, operand)
        if operator == "intersection_type":
            alternatives[-1].append(lowered)
        else:
            alternatives.append([lowered])
        if last:
            break
    return union([intersection(parts) if len(parts) > 1 else parts[0] for parts in alternatives])


def _operators(reading: ParseContext, node: Node) -> Type:
    return lower_chain(reading, _chain(reading, node))


def _chain(reading: ParseContext, node: Node) -> list[tuple[str, Node]]:
    """Return the operands of ``A | B & C`` in order, each with the operator before it.

    What the grammar nests wrongly is undone: ``readonly`` reaches over what follows, and the result
    of ``new () => A`` ends too early.
    """
    kinds = reading.kinds
    found: list[tuple[str, Node]] = []
    pending = [("", node)]
    while pending:
        operator, current = pending.pop()
        kind = kinds[current.kind_id]
        if kind == "readonly_type":
            reading.readonlys.update([part.start_byte for part in reading.parts(current)[:1]])
        elif kind == "conditional_type" and operator not in ("", kind):
            # After `readonly` it checks all that stands before, not its own left side alone.
            pending.append((kind, current))
            pending.extend([(operator, part) for part in reading.parts(current)[:1]])
            continue
        elif kind not in ("union_type", "intersection_type"):
            found.append((operator, current))
            continue
        parts = reading.parts(current)
        pending.extend([(kind, part) for part in reversed(parts[1:])])
        pending.extend([(operator, part) for part in parts[:1]])
    return found


def _conditional(reading: ParseContext, node: Node) -> Type:
    parts = reading.parts(node)
    if len(parts) != 4:
        return UNREADABLE
    chain = _chain(reading, parts[0])
    if any(reading.kinds[operand.kind_id] == "constructor_type" for _, operand in chain):
        # The grammar ends the result of `new () => A` before `extends`.
        return lower_chain(reading, [*chain, ("conditional_type", node)])
    return _decided(reading, node, lower_type(reading, parts[0]), chain)


def _decided(
    reading: ParseContext, node: Node, checked: Type, chain: Sequence[tuple[str, Node]]
) -> Type:
    """Return the condition of ``node`` on ``checked``, which ``chain`` writes."""
    _, extends, yes, no = reading.parts(node)
    declared = _inferred(reading, extends)
    otherwise = lower_type(reading, no)
    outer = reading.bind(declared) if declared else None
    infer = tuple(
        [TypeParameter(None if c is None else lower_type(reading, c)) for c in declared.values()]
    )
    named = len(chain) == 1 and reading.kinds[chain[0][1].kind_id] == "type_identifier"
    conditional = Conditional(
        checked,
        lower_type(reading, extends),
        lower_type(reading, yes),
        otherwise,
        infer,
        named and isinstance(checked, Var),
    )
    if outer is not None:
        reading.release(outer)
    return conditional


def _inferred(reading: ParseContext, extends: Node) -> dict[str, Node | None]:
    """Return the variables that ``infer`` declares in ``extends``, with their constraints.

    Those of a conditional type in the place of ``extends`` are its own.
    """
    if b"infer" not in reading.text[extends.start_byte : extends.end_byte]:
        return {}
    found: dict[str, Node | None] = {}
    pending = [extends]
    while pending:
        node = pending.pop()
        kind = reading.kinds[node.kind_id]
        if kind == "infer_type":
            parts = reading.parts(node)
            name = reading.slice(parts[0])
            constraint = parts[1] if len(parts) > 1 else None
            found[name] = found.get(name) or constraint
            pending.extend(parts[1:])
        elif kind == "conditional_type":
            parts = reading.parts(node)
            pending.extend(reversed([part for i, part in enumerate(parts) if i != 1]))
        else:
            pending.extend(reversed(node.named_children))
    return found


def _infer(reading: ParseContext, node: Node) -> Type:
    name = reading.slice(reading.parts(node)[0])
    return reading.variable(name) or Named((name,))


def _keyof(reading: ParseContext, node: Node) -> Type:
    parts = reading.parts(node)
    if not parts:
        return UNREADABLE
    start = parts[0].start_byte
    # The grammar cannot read `keyof readonly X[]`, so `normalize` has blanked the modifier.
    if reading.text[node.start_byte + len("keyof") : start].strip() == b"readonly":
        reading.readonlys.add(start)
    return KeyOf(lower_type(reading, parts[0]))


def _lookup(reading: ParseContext, node: Node) -> Type:
    parts = reading.parts(node)
    if len(parts) != 2:
        return UNREADABLE
    return IndexedAccess(lower_type(reading, parts[0]), lower_type(reading, parts[1]))


READERS: Mapping[str, TypeReader] = {
    "union_type": _operators,
    "intersection_type": _operators,
    "conditional_type": _conditional,
    "infer_type": _infer,
    "index_type_query": _keyof,
    "lookup_type": _lookup,
}
