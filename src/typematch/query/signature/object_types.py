"""Lowers object types and mapped types."""

from __future__ import annotations

from dataclasses import dataclass, field

from typematch.errors import TypeSyntaxError
from typematch.ir.constructors import object_type
from typematch.ir.literals import number_text, string_value
from typematch.ir.type_parts import IndexSignature, Property, Signature
from typematch.ir.types import (
    NUMBER,
    STRING,
    SYMBOL,
    UNANNOTATED,
    Literal,
    Mapped,
    Modifier,
    Named,
    Object,
    Template,
    Type,
    Union,
)
from typematch.query.signature.function_types import lower_function
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import Token
from typematch.query.signature.syntax import TypeLowering, as_node, rule_name


def lower_object(lowering: TypeLowering, node: SyntaxNode) -> Type:
    if len(node.children) == 1 and rule_name(node.children[0]) == "mapped":
        return _mapped(lowering, as_node(node.children[0]))
    members = _Members()
    for child in node.children:
        _member(lowering, as_node(child), members)
    return object_type(members.properties(), members.calls, members.constructs, members.indexes)


@dataclass(slots=True)
class _Members:
    """The members of one object type, in source order."""

    calls: list[Signature] = field(default_factory=list)
    constructs: list[Signature] = field(default_factory=list)
    indexes: list[IndexSignature] = field(default_factory=list)
    _properties: list[Property] = field(default_factory=list)
    _getters: dict[str, Type] = field(default_factory=dict)
    _setters: dict[str, Type] = field(default_factory=dict)

    def add(
        self,
        name: str,
        type_: Type,
        *,
        optional: bool = False,
        readonly: bool = False,
        method: bool = False,
    ) -> None:
        self._properties.append(Property(name, type_, optional, readonly, method))

    def add_getter(self, name: str, returned: Type) -> None:
        self._getters[name] = returned

    def add_setter(self, name: str, parameter: Type) -> None:
        self._setters[name] = parameter

    def properties(self) -> list[Property]:
        """Return the properties; a getter and a setter of the same name are one of them."""
        properties = list(self._properties)
        for name in self._getters | self._setters:
            write_type = self._setters.get(name)
            read_type = self._getters.get(name, write_type)
            assert read_type is not None
            readonly = write_type is None
            if write_type is read_type and name in self._getters:
                write_type = None
            properties.append(Property(name, read_type, False, readonly, write=write_type))
        return properties


def _member(lowering: TypeLowering, node: SyntaxNode, members: _Members) -> None:
    children = node.children
    match node.rule:
        case "property":
            readonly = rule_name(children[0]) == "READONLY"
            type_, optional = _annotation(lowering, children[2 if readonly else 1 :])
            name = _property_name(as_node(children[1 if readonly else 0]))
            members.add(name, type_, optional=optional, readonly=readonly)
        case "method":
            parts = tuple([child for child in children[1:] if isinstance(child, SyntaxNode)])
            call = Object(calls=(lower_function(lowering, parts),))
            optional = len(parts) < len(children) - 1
            members.add(_property_name(as_node(children[0])), call, optional=optional, method=True)
        case "call":
            members.calls.append(lower_function(lowering, children))
        case "construct":
            members.constructs.append(lower_function(lowering, children))
        case "getter":
            signature = lower_function(lowering, children[1:])
            members.add_getter(_property_name(as_node(children[0])), signature.returns)
        case "setter":
            parameters = lower_function(lowering, children[1:]).parameters
            type_ = parameters[0].type if parameters else UNANNOTATED
            members.add_setter(_property_name(as_node(children[0])), type_)
        case "index":
            readonly = rule_name(children[0]) == "READONLY"
            type_ = lowering.type(as_node(children[-1]).children[0])
            members.indexes += _index_signatures(lowering.type(children[-2]), type_, readonly)
        case "mapped":
            raise TypeSyntaxError(
                lowering.text, node.column, problem="a mapped type has no other members"
            )
        case _:
            raise TypeSyntaxError(
                lowering.text, node.column, ("a member",), "An object type has no rest element."
            )


def _annotation(lowering: TypeLowering, children: tuple[Syntax, ...]) -> tuple[Type, bool]:
    """Return the type of a property, and whether the property is optional."""
    parts = as_node(children[0]).children if children else ()
    type_ = lowering.type(parts[-1]) if parts and isinstance(parts[-1], SyntaxNode) else UNANNOTATED
    return type_, bool(parts) and not isinstance(parts[0], SyntaxNode)


def _mapped(lowering: TypeLowering, node: SyntaxNode) -> Type:
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
                rename = as_node(parts[0])
            case SyntaxNode("mapped_optional", parts):
                body = parts[-1] if isinstance(parts[-1], SyntaxNode) else None
                optional = _sign(parts) if not isinstance(parts[0], SyntaxNode) else ""
            case _:
                keys = lowering.type(child)
    assert keys is not None
    outer = lowering.binders.enter((name,))
    mapped = Mapped(
        keys,
        UNANNOTATED if body is None else lowering.type(body),
        None if rename is None else lowering.type(rename),
        readonly,
        optional,
    )
    lowering.binders.leave(outer)
    return mapped


def _sign(parts: tuple[Syntax, ...]) -> Modifier:
    return "-" if rule_name(parts[0]) == "MINUS" else "+"


# -- names and index signatures --------------------------------------------------------------------


def _property_name(node: SyntaxNode) -> str:
    """Return a property name in the normal form of ``ir.type_parts.Property``."""
    tokens = [child for child in node.children if isinstance(child, Token)]
    if node.rule == "computed":
        [path] = [child for child in node.children if isinstance(child, SyntaxNode)]
        names = [child.text for child in path.children if isinstance(child, Token)]
        if len(names) == 2 and names[0] == "Symbol":
            return f"@@{names[1]}"
        return f"@?{'.'.join(names)}"
    last = tokens[-1]
    if last.kind == "STRING":
        return string_value(last.text)
    if last.kind == "NUMBER":
        return ("-" if len(tokens) > 1 else "") + number_text(last.text)
    return last.text


def _index_signatures(key: Type, type_: Type, readonly: bool) -> list[IndexSignature]:
    """Return one index signature for each member of the key type."""
    return [
        IndexSignature(member, type_, readonly)
        for member in (key.members if isinstance(key, Union) else (key,))
        if member in (STRING, NUMBER, SYMBOL) or isinstance(member, Template | Named | Literal)
    ]
