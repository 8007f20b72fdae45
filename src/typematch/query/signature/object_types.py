"""Read object types and mapped types."""

from __future__ import annotations

from typematch.errors import TypeSyntaxError
from typematch.ir.constructors import object_type
from typematch.ir.types import UNANNOTATED, Mapped, Modifier, Object, Type
from typematch.query.signature.function_types import function_of
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import Token
from typematch.query.signature.object_members import ObjectMembers, index_signatures, property_name
from typematch.query.signature.syntax import TypeReader, node_of, rule_of


def object_of(reader: TypeReader, node: SyntaxNode) -> Type:
    if len(node.children) == 1 and rule_of(node.children[0]) == "mapped":
        return _mapped(reader, node_of(node.children[0]))
    members = ObjectMembers()
    for child in node.children:
        _member(reader, node_of(child), members)
    return object_type(members.settled(), members.calls, members.constructs, members.indexes)


def _member(reader: TypeReader, node: SyntaxNode, members: ObjectMembers) -> None:
    children = node.children
    match node.rule:
        case "property":
            readonly = rule_of(children[0]) == "READONLY"
            shown, optional = _annotation(reader, children[2 if readonly else 1 :])
            name = property_name(node_of(children[1 if readonly else 0]))
            members.add(name, shown, optional=optional, readonly=readonly)
        case "method":
            parts = tuple([child for child in children[1:] if isinstance(child, SyntaxNode)])
            call = Object(calls=(function_of(reader, parts),))
            optional = len(parts) < len(children) - 1
            members.add(property_name(node_of(children[0])), call, optional=optional, method=True)
        case "call":
            members.calls.append(function_of(reader, children))
        case "construct":
            members.constructs.append(function_of(reader, children))
        case "getter":
            signature = function_of(reader, children[1:])
            members.get(property_name(node_of(children[0])), signature.returns)
        case "setter":
            parameters = function_of(reader, children[1:]).parameters
            written = parameters[0].type if parameters else UNANNOTATED
            members.set(property_name(node_of(children[0])), written)
        case "index":
            readonly = rule_of(children[0]) == "READONLY"
            shown = reader.type(node_of(children[-1]).children[0])
            members.indexes += index_signatures(reader.type(children[-2]), shown, readonly)
        case "mapped":
            raise TypeSyntaxError(
                reader.text, node.column, problem="a mapped type has no other members"
            )
        case _:
            raise TypeSyntaxError(
                reader.text, node.column, ("a member",), "An object type has no '...' of a name."
            )


def _annotation(reader: TypeReader, children: tuple[Syntax, ...]) -> tuple[Type, bool]:
    """Return the type behind a property's name, and whether the property is optional."""
    parts = node_of(children[0]).children if children else ()
    shown = reader.type(parts[-1]) if parts and isinstance(parts[-1], SyntaxNode) else UNANNOTATED
    return shown, bool(parts) and not isinstance(parts[0], SyntaxNode)


def _mapped(reader: TypeReader, node: SyntaxNode) -> Type:
    readonly: Modifier = ""
    optional: Modifier = ""
    rename: SyntaxNode | None = None
    body: SyntaxNode | None = None
    keys: Type | None = None
    name = ""
    for child in node.children:
        match child:
            case Token("READONLY"):
                readonly = "+"
            case Token("NAME", text):
                name = text
            case SyntaxNode("mapped_readonly", parts):
                readonly = _sign(parts)
            case SyntaxNode("rename", parts):
                rename = node_of(parts[0])
            case SyntaxNode("mapped_optional", parts):
                body = parts[-1] if isinstance(parts[-1], SyntaxNode) else None
                optional = _sign(parts) if not isinstance(parts[0], SyntaxNode) else ""
            case _:
                keys = reader.type(child)
    assert keys is not None
    outer = reader.binders.enter((name,))
    made = Mapped(
        keys,
        UNANNOTATED if body is None else reader.type(body),
        None if rename is None else reader.type(rename),
        readonly,
        optional,
    )
    reader.binders.leave(outer)
    return made


def _sign(parts: tuple[Syntax, ...]) -> Modifier:
    return "-" if rule_of(parts[0]) == "MINUS" else "+"
