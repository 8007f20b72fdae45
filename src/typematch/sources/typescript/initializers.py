"""Read what an initialiser shows: a function, an object literal, a simple expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from typematch.ir.constructors import object_type
from typematch.ir.module import Doc, Member, Overload
from typematch.ir.types import UNANNOTATED, Object, Property, Type
from typematch.sources.typescript.comments import doc_of, documented
from typematch.sources.typescript.expressions import (
    array_type,
    constant_type,
    expression_type,
    named_value,
    widened,
)
from typematch.sources.typescript.lower import type_of
from typematch.sources.typescript.names import member_name
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext
from typematch.sources.typescript.signatures import overload

MAX_TEXT = 2000  # characters of a member or statement that are kept

_FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function"))
_ASSERTIONS = frozenset(("as_expression", "satisfies_expression", "type_assertion"))


@dataclass(frozen=True, slots=True)
class InitializerType:
    """What an annotation or initialiser says of a value."""

    type: Type
    overloads: tuple[Overload, ...] = ()
    members: tuple[Member, ...] = ()
    inferred: bool = False


def written_text(reading: ParseContext, node: Node) -> str:
    """Return a member or statement as written, without the body of a function, folded."""
    end = node.end_byte
    children = node.children
    if children and reading.kinds[children[-1].kind_id] == "statement_block":
        end = children[-1].start_byte
    # Folding shortens a text, and a comment in it even more; twice the length is plenty.
    end = min(end, node.start_byte + 4 * MAX_TEXT)
    return reading.between(node.start_byte, end).rstrip(" ;,")[:MAX_TEXT]


def value_of(
    reading: ParseContext,
    node: Node,
    doc: Doc | None,
    line: int,
    *,
    constant: bool,
    frozen: bool = False,
) -> InitializerType:
    """Return what ``node`` shows as the initialiser of a variable or property.

    ``constant``: literals keep their own types (``const``, ``readonly``); else they are widened.
    ``frozen``: it stands inside ``as const``.
    """
    kind = reading.kinds[node.kind_id]
    if kind in _FUNCTIONS:
        found = overload(reading, node, doc, line=line)
        return InitializerType(Object(calls=(found.signature,)), (found,), (), found.inferred)
    if kind == "object":
        return _object(reading, node, frozen)
    if kind == "parenthesized_expression":
        parts = reading.parts(node)
        if len(parts) == 1 and reading.nesting < MAX_NESTING:
            reading.nesting += 1
            shown = value_of(reading, parts[0], doc, line, constant=constant, frozen=frozen)
            reading.nesting -= 1
            return shown
    if kind in _ASSERTIONS:
        asserted = _asserted_object(reading, node, kind)
        if asserted is not None:
            return asserted
        return _plain(expression_type(reading, node))
    if kind == "array":
        return _plain(constant_type(reading, node) if frozen else array_type(reading, node))
    if kind in ("identifier", "member_expression"):
        return _plain(named_value(reading, node))
    shown_type = expression_type(reading, node)
    return _plain(shown_type if constant or frozen else widened(shown_type))


def _plain(shown: Type) -> InitializerType:
    return InitializerType(shown, inferred=shown is not UNANNOTATED)


def _asserted_object(reading: ParseContext, node: Node, kind: str) -> InitializerType | None:
    """Return an object literal before ``as const`` or ``satisfies``; None for anything else."""
    if reading.nesting >= MAX_NESTING:
        return None
    parts = reading.parts(node)
    if kind == "type_assertion":
        constant, value = reading.slice(parts[0])[1:-1].strip() == "const", parts[-1]
    else:
        constant, value = len(parts) == 1, parts[0]
    inner = reading.kinds[value.kind_id]
    if inner in _ASSERTIONS and kind == "satisfies_expression":
        reading.nesting += 1
        asserted = _asserted_object(reading, value, inner)
        reading.nesting -= 1
        return asserted
    if inner != "object" or not (constant or kind == "satisfies_expression"):
        return None
    return _object(reading, value, constant)


def _object(reading: ParseContext, node: Node, frozen: bool) -> InitializerType:
    """Return the type and the members of an object literal."""
    if reading.nesting >= MAX_NESTING:
        return InitializerType(UNANNOTATED)
    reading.nesting += 1
    members: list[Member] = []
    open_ended = False
    for child, comment in documented(reading, node.children):
        kind = reading.kinds[child.kind_id]
        if kind == "spread_element":
            open_ended = True
            continue
        member = _member(reading, child, kind, doc_of(reading, comment), frozen)
        if member is not None:
            _put(members, member)
    reading.nesting -= 1
    shown = UNANNOTATED if open_ended else object_type([_property(member) for member in members])
    return InitializerType(shown, (), tuple(members), True)


def _put(members: list[Member], new: Member) -> None:
    """Add a member in place of an earlier one of its name, as an object literal does."""
    for index, old in enumerate(members):
        if old.name == new.name:
            if old.kind == new.kind == "accessor":
                new = old if new.readonly is False else new
            members[index] = new
            return
    members.append(new)


def _property(member: Member) -> Property:
    return Property(member.name, member.type, False, member.readonly, member.kind == "method")


def _member(
    reading: ParseContext, node: Node, kind: str, doc: Doc | None, frozen: bool
) -> Member | None:
    line = reading.line(node.start_byte)
    if kind == "shorthand_property_identifier":
        shown = _plain(type_of(reading, node))
        return Member("property", reading.slice(node), shown.type, line, "", (), doc, inferred=True)
    if kind not in ("pair", "method_definition"):
        return None
    key = node.child_by_field_name("key" if kind == "pair" else "name")
    name = None if key is None else member_name(reading, key, reading.kinds[key.kind_id])
    if name is None:
        return None
    if kind == "method_definition":
        return _method(reading, node, name, doc, line)
    value = node.child_by_field_name("value")
    if value is None:
        return None
    shown = value_of(reading, value, doc, line, constant=False, frozen=frozen)
    return Member(
        "property", name, shown.type, line, "" if shown.overloads else written_text(reading, node),
        shown.overloads, doc, readonly=frozen, inferred=shown.inferred, members=shown.members,
    )  # fmt: skip


def _method(reading: ParseContext, node: Node, name: str, doc: Doc | None, line: int) -> Member:
    found = overload(reading, node, doc)
    kinds: Sequence[str] = [reading.kinds[child.kind_id] for child in node.children]
    if "get" in kinds or "set" in kinds:
        getter = "get" in kinds
        parameters = found.signature.parameters
        shown = (
            found.signature.returns if getter else parameters[0].type if parameters else UNANNOTATED
        )
        text = written_text(reading, node)
        return Member("accessor", name, shown, line, text, (), doc, readonly=getter, inferred=True)
    return Member(
        "method", name, Object(calls=(found.signature,)), line, "", (found,), doc,
        inferred=found.inferred,
    )  # fmt: skip
