"""Infers types from initializers: functions, object literals and simple expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from typematch.ir.constructors import object_type, widened
from typematch.ir.module import Doc, Member, Overload
from typematch.ir.type_parts import Property
from typematch.ir.types import UNANNOTATED, Object, Type
from typematch.sources.typescript.comments import doc_comment, with_doc_comments
from typematch.sources.typescript.inference.call_types import call_type, without_calls
from typematch.sources.typescript.inference.expressions import (
    ASSERTIONS,
    array_literal_type,
    const_assertion_type,
    expression_type,
    named_value,
)
from typematch.sources.typescript.lower import member_name, type_query
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext
from typematch.sources.typescript.signatures import read_overload

MAX_TEXT = 2000  # characters kept of a member's or statement's source text

_FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function"))


@dataclass(frozen=True, slots=True)
class InitializerType:
    """Type of a value, from its annotation or its initializer.

    Attributes:
        overloads: its call signatures, with their texts, where they are written out.
        members: its members, with docs and texts, where they are written out.
        inferred: whether the type comes from an initializer.
    """

    type: Type
    overloads: tuple[Overload, ...] = ()
    members: tuple[Member, ...] = ()
    inferred: bool = False


def source_text(context: ParseContext, node: Node) -> str:
    """Return the source text of a member or statement, folded, without a function's body."""
    end = node.end_byte
    children = node.children
    if children and context.kinds[children[-1].kind_id] == "statement_block":
        end = children[-1].start_byte
    # Folding only shortens: four times the limit covers white space and comments.
    end = min(end, node.start_byte + 4 * MAX_TEXT)
    return context.source_between(node.start_byte, end).rstrip(" ;,")[:MAX_TEXT]


def initializer_type(
    context: ParseContext,
    node: Node,
    doc: Doc | None,
    line: int,
    *,
    constant: bool,
    const_assertion: bool = False,
) -> InitializerType:
    """Return the type of an initializer.

    Args:
        constant: whether literals keep their literal types (``const``, ``readonly``); otherwise
            they are widened, as the compiler's ``getWidenedLiteralType`` does.
        const_assertion: whether the expression is inside ``as const``.
    """
    kind = context.kinds[node.kind_id]
    if kind in _FUNCTIONS:
        overload = read_overload(context, node, doc, line=line)
        return InitializerType(
            Object(calls=(overload.signature,)), (overload,), (), overload.inferred
        )
    if kind == "object":
        return _object(context, node, const_assertion)
    if kind == "parenthesized_expression":
        parts = context.named_children(node)
        if len(parts) == 1 and context.nesting < MAX_NESTING:
            context.nesting += 1
            initializer = initializer_type(
                context, parts[0], doc, line, constant=constant, const_assertion=const_assertion
            )
            context.nesting -= 1
            return initializer
    if kind in ASSERTIONS:
        asserted = _asserted_object(context, node, kind)
        if asserted is not None:
            return asserted
        return _inferred_type(expression_type(context, node))
    if kind == "array":
        return _inferred_type(
            const_assertion_type(context, node)
            if const_assertion
            else array_literal_type(context, node)
        )
    if kind == "call_expression" and context.function_scope is None:
        use = "constant" if constant or const_assertion else "variable"
        return _inferred_type(call_type(context, node, use))
    if kind in ("identifier", "member_expression"):
        return _inferred_type(named_value(context, node))
    type_ = expression_type(context, node)
    return _inferred_type(type_ if constant or const_assertion else widened(type_))


def _inferred_type(type_: Type) -> InitializerType:
    return InitializerType(type_, inferred=type_ is not UNANNOTATED)


def _asserted_object(context: ParseContext, node: Node, kind: str) -> InitializerType | None:
    """Return the type of an object literal before ``as const`` or ``satisfies``; None otherwise."""
    if context.nesting >= MAX_NESTING:
        return None
    parts = context.named_children(node)
    if not parts:
        return None
    if kind == "type_assertion":
        constant, value = context.source(parts[0])[1:-1].strip() == "const", parts[-1]
    else:
        constant, value = len(parts) == 1, parts[0]
    inner = context.kinds[value.kind_id]
    if inner in ASSERTIONS and kind == "satisfies_expression":
        context.nesting += 1
        asserted = _asserted_object(context, value, inner)
        context.nesting -= 1
        return None if asserted is None else _without_calls(asserted)
    if inner != "object" or not (constant or kind == "satisfies_expression"):
        return None
    initializer = _object(context, value, constant)
    return _without_calls(initializer) if kind == "satisfies_expression" else initializer


def _without_calls(initializer: InitializerType) -> InitializerType:
    """Return the type of an object literal with ``unannotated`` for the types of calls."""
    members = tuple(map(without_calls, initializer.members))
    type_ = UNANNOTATED if initializer.type is UNANNOTATED else _members_type(members)
    return replace(initializer, type=type_, members=members)


def _object(context: ParseContext, node: Node, const_assertion: bool) -> InitializerType:
    """Return the type and the members of an object literal; ``unannotated`` if it has a spread."""
    if context.nesting >= MAX_NESTING:
        return InitializerType(UNANNOTATED)
    context.nesting += 1
    members: list[Member] = []
    open_ended = False
    for child, comment in with_doc_comments(context, node.children):
        kind = context.kinds[child.kind_id]
        if kind == "spread_element":
            open_ended = True
            continue
        member = _member(context, child, kind, doc_comment(context, comment), const_assertion)
        if member is not None:
            _add_member(members, member)
    context.nesting -= 1
    type_ = UNANNOTATED if open_ended else _members_type(members)
    return InitializerType(type_, (), tuple(members), True)


def _members_type(members: Iterable[Member]) -> Type:
    return object_type([_property(member) for member in members])


def _add_member(members: list[Member], new: Member) -> None:
    """Append a member, or replace the earlier one of the same name."""
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
    context: ParseContext, node: Node, kind: str, doc: Doc | None, const_assertion: bool
) -> Member | None:
    line = context.line(node.start_byte)
    if kind == "shorthand_property_identifier":
        initializer = _inferred_type(type_query(context, node))
        return Member(
            "property", context.source(node), initializer.type, line, "", (), doc, inferred=True
        )
    if kind not in ("pair", "method_definition"):
        return None
    key = node.child_by_field_name("key" if kind == "pair" else "name")
    name = None if key is None else member_name(context, key, context.kinds[key.kind_id])
    if name is None:
        return None
    if kind == "method_definition":
        return _method(context, node, name, doc, line)
    value = node.child_by_field_name("value")
    if value is None:
        return None
    initializer = initializer_type(
        context, value, doc, line, constant=False, const_assertion=const_assertion
    )
    text = "" if initializer.overloads else source_text(context, node)
    return Member(
        "property", name, initializer.type, line, text, initializer.overloads, doc,
        readonly=const_assertion, inferred=initializer.inferred, members=initializer.members,
    )  # fmt: skip


def _method(context: ParseContext, node: Node, name: str, doc: Doc | None, line: int) -> Member:
    overload = read_overload(context, node, doc)
    kinds: Sequence[str] = [context.kinds[child.kind_id] for child in node.children]
    if "get" in kinds or "set" in kinds:
        getter = "get" in kinds
        parameters = overload.signature.parameters
        type_ = (
            overload.signature.returns
            if getter
            else parameters[0].type
            if parameters
            else UNANNOTATED
        )
        text = source_text(context, node)
        return Member("accessor", name, type_, line, text, (), doc, readonly=getter, inferred=True)
    return Member(
        "method", name, Object(calls=(overload.signature,)), line, "", (overload,), doc,
        inferred=overload.inferred,
    )  # fmt: skip
