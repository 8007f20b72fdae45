"""Lowers function types: parameters, results, predicates, type parameters."""

from __future__ import annotations

from typematch.ir.destructured_names import array_pattern_name, object_pattern_name
from typematch.ir.type_parts import Parameter, Predicate, Signature, TypeParameter
from typematch.ir.types import BOOLEAN, ELLIPSIS, UNANNOTATED, VOID, Object, Type
from typematch.query.signature.grammar import Syntax, SyntaxNode
from typematch.query.signature.lexer import MAX_PARAMETERS, Token, too_many_error
from typematch.query.signature.syntax import TypeLowering, as_node, rule_name


def lower_function(
    lowering: TypeLowering, children: tuple[Syntax, ...], modifier: str = ""
) -> Signature:
    """Lower ``[type_parameters] group [result]``."""
    parts = [as_node(child) for child in children]
    declared = parts.pop(0) if parts[0].rule == "type_parameters" else None
    outer = lowering.binders.enter(parameter_names(declared)) if declared is not None else None
    type_parameters = lower_type_parameters(lowering, declared) if declared is not None else ()
    result = parts[1] if len(parts) > 1 else None
    if result is not None and result.rule == "result":
        result = as_node(result.children[0])
    signature = lower_signature(lowering, parts[0], result)
    if outer is not None:
        lowering.binders.leave(outer)
    return Signature(
        signature.parameters,
        signature.returns,
        type_parameters,
        signature.this,
        signature.predicate,
        modifier,
    )


def lower_signature(
    lowering: TypeLowering,
    group: SyntaxNode,
    result: SyntaxNode | None,
    missing: Type = UNANNOTATED,
) -> Signature:
    if len(group.children) > MAX_PARAMETERS:
        raise too_many_error(
            lowering.text,
            group.column,
            len(group.children),
            "parameters",
            MAX_PARAMETERS,
            "End the list with ... for any further parameters.",
        )
    lowered = [_parameter(lowering, as_node(child)) for child in group.children]
    this = next((parameter.type for parameter in lowered if parameter.name == "this"), None)
    parameters = tuple([parameter for parameter in lowered if parameter.name != "this"])
    if result is None:
        return Signature(parameters, missing, (), this)
    returns, predicate = lower_result(lowering, result, parameters)
    return Signature(parameters, returns, (), this, predicate)


def lower_type_parameters(lowering: TypeLowering, node: SyntaxNode) -> tuple[TypeParameter, ...]:
    type_parameters = []
    for child in node.children:
        parts = {rule_name(part): part for part in as_node(child).children}
        bounds = [
            lowering.type(as_node(parts[part]).children[0]) if part in parts else None
            for part in ("constraint", "default")
        ]
        type_parameters.append(TypeParameter(bounds[0], bounds[1], "CONST" in parts))
    return tuple(type_parameters)


def _parameter(lowering: TypeLowering, node: SyntaxNode) -> Parameter:
    children = node.children
    match node.rule:
        case "ellipsis":
            return Parameter("", ELLIPSIS, False, True)
        case "item":
            return Parameter("", lowering.type(children[0]), len(children) > 1)
        case "rest":
            name = _parameter_name(children[0]) if len(children) > 1 else ""
            return Parameter(name, lowering.type(children[-1]), False, True)
        case _:
            name = _parameter_name(children[0])
            return Parameter(name, lowering.type(children[-1]), len(children) > 2)


def lower_result(
    lowering: TypeLowering, node: SyntaxNode, parameters: tuple[Parameter, ...]
) -> tuple[Type, Predicate | None]:
    if node.rule not in ("predicate", "assertion"):
        return lowering.type(node), None
    asserts = node.rule == "assertion"
    names = [child.text for child in node.children if isinstance(child, Token)]
    subject = next((i for i, p in enumerate(parameters) if p.name == names[-1]), -1)
    last = node.children[-1]
    narrowed = lowering.type(last) if isinstance(last, SyntaxNode) else None
    return (VOID if asserts else BOOLEAN), Predicate(subject, narrowed, asserts)


def lower_constructor(lowering: TypeLowering, children: tuple[Syntax, ...]) -> Object:
    abstract = not isinstance(children[0], SyntaxNode)
    signature = lower_function(
        lowering, children[1:] if abstract else children, "abstract" if abstract else ""
    )
    return Object(constructs=(signature,))


def parameter_names(node: SyntaxNode) -> list[str]:
    return [
        next(
            part.text
            for part in as_node(child).children
            if rule_name(part) == "NAME" and isinstance(part, Token)
        )
        for child in node.children
    ]


def _parameter_name(syntax: Syntax) -> str:
    """Return the name of a parameter; a destructuring pattern is read as an object or a tuple."""
    if isinstance(syntax, Token):
        return syntax.text
    if syntax.rule == "object":
        return object_pattern_name(map(_property_part, syntax.children))
    return array_pattern_name(map(_declared_name, syntax.children))


def _property_part(member: Syntax) -> str:
    """Return what a property of an object pattern declares, if that is one name."""
    parts = {rule_name(part): part for part in as_node(member).children}
    key = _declared_name(parts["property_name"]) if "property_name" in parts else ""
    annotation = parts.get("annotation")
    if annotation is None or not key:
        return key
    declared = _declared_name(as_node(annotation).children[-1])
    return f"{key}: {declared}" if declared else ""


def _declared_name(syntax: Syntax) -> str:
    """Return the name that a part of a pattern is, read as a type."""
    while rule_name(syntax) not in ("object", "tuple"):
        if not isinstance(syntax, SyntaxNode) or len(syntax.children) != 1:
            break
        syntax = syntax.children[0]
    if isinstance(syntax, Token) and syntax.kind in ("NAME", "VARIABLE"):
        return syntax.text
    return ""
