"""Read function types: parameters, results, predicates, type parameters."""

from __future__ import annotations

from typematch.ir.types import (
    BOOLEAN,
    FURTHER,
    UNANNOTATED,
    VOID,
    Object,
    Parameter,
    Predicate,
    Signature,
    Type,
    TypeParameter,
)
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import Token
from typematch.query.signature.syntax import TypeReader, node_of, rule_of


def function_of(reader: TypeReader, children: tuple[Syntax, ...], modifier: str = "") -> Signature:
    """Return the signature of [type_parameters] group [result], entering its binder."""
    parts = [node_of(child) for child in children]
    declared = parts.pop(0) if parts[0].rule == "type_parameters" else None
    outer = reader.binders.enter(parameter_names(declared)) if declared is not None else None
    type_parameters = type_parameters_of(reader, declared) if declared is not None else ()
    result = parts[1] if len(parts) > 1 else None
    if result is not None and result.rule == "result":
        result = node_of(result.children[0])
    made = signature_of(reader, parts[0], result)
    if outer is not None:
        reader.binders.leave(outer)
    return Signature(
        made.parameters, made.returns, type_parameters, made.this, made.predicate, modifier
    )


def signature_of(
    reader: TypeReader, group: SyntaxNode, result: SyntaxNode | None, missing: Type = UNANNOTATED
) -> Signature:
    read = [_parameter(reader, node_of(child)) for child in group.children]
    this = next((parameter.type for parameter in read if parameter.name == "this"), None)
    parameters = tuple([parameter for parameter in read if parameter.name != "this"])
    if result is None:
        return Signature(parameters, missing, (), this)
    returns, predicate = returns_of(reader, result, parameters)
    return Signature(parameters, returns, (), this, predicate)


def type_parameters_of(reader: TypeReader, node: SyntaxNode) -> tuple[TypeParameter, ...]:
    read = []
    for child in node.children:
        parts = {rule_of(part): part for part in node_of(child).children}
        bounds = [
            reader.type(node_of(parts[part]).children[0]) if part in parts else None
            for part in ("constraint", "default")
        ]
        read.append(TypeParameter(bounds[0], bounds[1], "CONST" in parts))
    return tuple(read)


def _parameter(reader: TypeReader, node: SyntaxNode) -> Parameter:
    children = node.children
    match node.rule:
        case "further":
            return Parameter("", FURTHER, False, True)
        case "item":
            return Parameter("", reader.type(children[0]), len(children) > 1)
        case "rest":
            name = _parameter_name(children[0]) if len(children) > 1 else ""
            return Parameter(name, reader.type(children[-1]), False, True)
        case _:
            name = _parameter_name(children[0])
            return Parameter(name, reader.type(children[-1]), len(children) > 2)


def returns_of(
    reader: TypeReader, node: SyntaxNode, parameters: tuple[Parameter, ...]
) -> tuple[Type, Predicate | None]:
    if node.rule not in ("predicate", "assertion"):
        return reader.type(node), None
    asserts = node.rule == "assertion"
    names = [child.text for child in node.children if isinstance(child, Token)]
    about = next((i for i, p in enumerate(parameters) if p.name == names[-1]), -1)
    last = node.children[-1]
    narrowed = reader.type(last) if isinstance(last, SyntaxNode) else None
    return (VOID if asserts else BOOLEAN), Predicate(about, narrowed, asserts)


def constructor_of(reader: TypeReader, children: tuple[Syntax, ...]) -> Object:
    abstract = not isinstance(children[0], SyntaxNode)
    signature = function_of(
        reader, children[1:] if abstract else children, "abstract" if abstract else ""
    )
    return Object(constructs=(signature,))


def parameter_names(node: SyntaxNode) -> list[str]:
    return [
        next(
            part.text
            for part in node_of(child).children
            if rule_of(part) == "NAME" and isinstance(part, Token)
        )
        for child in node.children
    ]


def _parameter_name(syntax: Syntax) -> str:
    if isinstance(syntax, Token):
        return syntax.text
    return "{}" if syntax.rule == "object" else "[]"
