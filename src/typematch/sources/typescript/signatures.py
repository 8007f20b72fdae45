"""Reads signatures: type parameters, parameters, results and predicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from typematch.ir.constructors import widened
from typematch.ir.destructured_names import array_pattern_name, object_pattern_name
from typematch.ir.module import Doc, Overload
from typematch.ir.render import render
from typematch.ir.type_parts import Parameter, Predicate, Signature, TypeParameter
from typematch.ir.types import BOOLEAN, UNANNOTATED, UNREADABLE, VOID, Named, Object, Type
from typematch.sources.typescript.inference.computed_types import awaited
from typematch.sources.typescript.inference.expressions import expression_type
from typematch.sources.typescript.inference.function_results import (
    mentions_local_type,
    result_type,
)
from typematch.sources.typescript.inference.function_scope import read_function_scope
from typematch.sources.typescript.lower import lower_annotation, lower_type
from typematch.sources.typescript.operators import lower_chain
from typematch.sources.typescript.parse_context import ParseContext, TypeReader, pick

_RESULTS = frozenset(("type_annotation", "asserts_annotation", "type_predicate_annotation"))
_PREDICATES = frozenset(("asserts", "type_predicate"))
_PATTERNS = frozenset(
    ("identifier", "this", "rest_pattern", "object_pattern", "array_pattern", "undefined")
)


@dataclass(slots=True)
class FunctionNode:
    """Child nodes and modifiers of a function-like node.

    Attributes:
        single: the parameter of an arrow function without parentheses.
        tail: (operator, operand) pairs that the grammar misplaced behind a constructor type.
    """

    type_parameters: Node | None = None
    parameters: Node | None = None
    single: Node | None = None
    result: Node | None = None
    body: Node | None = None
    is_async: bool = False
    is_generator: bool = False
    abstract: bool = False
    tail: list[tuple[str, Node]] = field(default_factory=list)


@dataclass(slots=True)
class LoweredSignature:
    """A signature, with the names of its type parameters and the texts of its parameters' types."""

    signature: Signature
    names: tuple[str, ...]
    texts: tuple[str, ...]
    inferred: bool


def function_parts(context: ParseContext, node: Node) -> FunctionNode:
    """Return the parts of any function-like node."""
    parts = FunctionNode()
    kinds = context.kinds
    for child in node.children:
        kind = kinds[child.kind_id]
        if kind == "formal_parameters":
            parts.parameters = child
        elif kind == "type_parameters":
            parts.type_parameters = child
        elif kind in _RESULTS:
            parts.result = child
        elif kind == "statement_block":
            parts.body = child
        elif kind == "async":
            parts.is_async = True
        elif kind == "*":
            parts.is_generator = True
        elif kind == "abstract":
            parts.abstract = True
    kind = kinds[node.kind_id]
    if kind in ("function_type", "constructor_type"):
        parts.result = context.child(node, -1)
    elif kind == "arrow_function":
        parts.body = node.child_by_field_name("body")
        parts.single = node.child_by_field_name("parameter")
    elif kind in _GENERATORS:
        parts.is_generator = True
    return parts


_GENERATORS = frozenset(("generator_function", "generator_function_declaration"))


def bind_type_parameters(
    context: ParseContext, node: Node | None
) -> tuple[tuple[str, ...], tuple[TypeParameter, ...], dict[str, tuple[int, int]] | None]:
    """Enter the binder of a ``type_parameters`` node.

    Returns:
        The names, the type parameters, and the argument of ``leave_binder``; None as the last if
        the node has no type parameters and no binder was entered.
    """
    nodes = [] if node is None else context.named_children(node)
    kinds = context.kinds
    type_parameter_nodes = [
        (part, context.named_children(part))
        for part in nodes
        if kinds[part.kind_id] == "type_parameter"
    ]
    if not type_parameter_nodes:
        return (), (), None
    names = tuple([context.name(pick(parts, 0)) for _, parts in type_parameter_nodes])
    outer = context.enter_binder(names)
    parameters = []
    for part, parts in type_parameter_nodes:
        constraint: Type | None = None
        default: Type | None = None
        for piece in parts[1:]:
            kind = kinds[piece.kind_id]
            if kind == "constraint":
                constraint = lower_type(context, context.child(piece, -1))
            elif kind == "default_type":
                default = lower_type(context, context.child(piece, -1))
        const = (
            part.start_byte != parts[0].start_byte and kinds[part.children[0].kind_id] == "const"
        )
        parameters.append(TypeParameter(constraint, default, const))
    return names, tuple(parameters), outer


def lower_signature(
    context: ParseContext,
    parts: FunctionNode,
    *,
    modifier: str = "",
    returns: Type | None = None,
    texts: bool = True,
) -> LoweredSignature:
    """Return the signature of ``parts``; ``returns`` is the result of a node without annotation."""
    names, type_parameters, outer = bind_type_parameters(context, parts.type_parameters)
    parameters: list[Parameter] = []
    type_texts: list[str] = []
    this: Type | None = None
    if parts.parameters is not None:
        kinds = context.kinds
        for node in parts.parameters.named_children:
            kind = kinds[node.kind_id]
            if kind not in ("required_parameter", "optional_parameter"):
                continue
            parameter, text = _parameter(context, node, kind == "optional_parameter", texts)
            if parameter.name == "this":
                this = parameter.type
            else:
                parameters.append(parameter)
                type_texts.append(text)
    elif parts.single is not None:
        parameters.append(Parameter(context.source(parts.single), UNANNOTATED))
        type_texts.append("")
    result: Type = UNANNOTATED
    predicate: Predicate | None = None
    inferred = False
    if parts.result is not None and parts.tail:
        result = lower_chain(context, [("", parts.result), *parts.tail])
    elif parts.result is not None:
        result, predicate = _result(context, parts.result, parameters)
    elif returns is not None:
        result = returns
    else:
        result, inferred = _inferred_result(context, parts)
    if outer is not None:
        context.leave_binder(outer)
    signature = Signature(tuple(parameters), result, type_parameters, this, predicate, modifier)
    return LoweredSignature(signature, names, tuple(type_texts), inferred)


def _parameter(
    context: ParseContext, node: Node, optional: bool, texts: bool
) -> tuple[Parameter, str]:
    name, kind, text = "", "", ""
    lowered: Type | None = None
    rest = False
    kinds = context.kinds
    default = False
    for child in node.children:
        part = kinds[child.kind_id]
        if part == "type_annotation":
            lowered = lower_annotation(context, child)
            if texts:
                text = context.source_between(child.start_byte + 1, child.end_byte)
        elif part == "=":
            optional = default = True
        elif default:
            if lowered is None:
                lowered = widened(expression_type(context, child))
        elif part in _PATTERNS and not kind:
            kind = part
            rest = part == "rest_pattern"
            name = _parameter_name(context, child)
    return Parameter(name, UNANNOTATED if lowered is None else lowered, optional, rest), text


def _parameter_name(context: ParseContext, node: Node) -> str:
    """Return the name of a parameter; of a destructured one the pattern: ``{ host, port }``."""
    kind = context.kinds[node.kind_id]
    if kind == "rest_pattern":
        return _parameter_name(context, context.named_children(node)[-1])
    name_of = _PATTERN_NAMES.get(kind)
    if name_of is None:
        return context.source(node)
    return name_of(_pattern_part(context, part) for part in context.named_children(node))


def _pattern_part(context: ParseContext, node: Node) -> str:
    """Return what one part of a destructuring pattern declares, if that is one name."""
    kind = context.kinds[node.kind_id]
    if kind in ("identifier", "shorthand_property_identifier_pattern"):
        return context.source(node)
    parts = context.named_children(node)
    if kind in ("assignment_pattern", "object_assignment_pattern"):
        return _pattern_part(context, parts[0])
    if kind == "pair_pattern" and context.kinds[parts[0].kind_id] == "property_identifier":
        declared = _pattern_part(context, parts[-1])
        return f"{context.source(parts[0])}: {declared}" if declared else ""
    return ""


_PATTERN_NAMES = {"object_pattern": object_pattern_name, "array_pattern": array_pattern_name}


def _result(
    context: ParseContext, node: Node, parameters: Sequence[Parameter]
) -> tuple[Type, Predicate | None]:
    kind = context.kinds[node.kind_id]
    if kind == "type_annotation":
        return lower_annotation(context, node), None
    if kind in _RESULTS:
        parts = context.named_children(node)
        if not parts:
            return UNREADABLE, None
        node = parts[-1]
        kind = context.kinds[node.kind_id]
    if kind not in _PREDICATES:
        return lower_type(context, node), None
    asserts = kind == "asserts"
    if asserts:
        node = context.child(node, 0)
        if context.kinds[node.kind_id] != "type_predicate":
            return VOID, Predicate(_position(context, node, parameters), None, True)
    position = _position(context, context.child(node, 0), parameters)
    predicate = Predicate(position, lower_type(context, context.child(node, -1)), asserts)
    return (VOID if asserts else BOOLEAN), predicate


def _position(context: ParseContext, node: Node, parameters: Sequence[Parameter]) -> int:
    name = context.source(node)
    for position, parameter in enumerate(parameters):
        if parameter.name == name:
            return position
    return -1


def _inferred_result(context: ParseContext, parts: FunctionNode) -> tuple[Type, bool]:
    if parts.body is None or parts.is_generator:
        return UNANNOTATED, False
    outer = context.function_scope
    context.function_scope = read_function_scope(
        context, parts.body, parts.parameters, parts.single
    )
    try:
        type_ = result_type(context, parts.body, expression_never=False)
        if mentions_local_type(context, type_):
            type_ = UNANNOTATED
    finally:
        context.function_scope = outer
    if parts.is_async:
        return Named(("Promise",), (awaited(type_),)), True
    return type_, type_ is not UNANNOTATED


def read_overload(
    context: ParseContext,
    node: Node,
    doc: Doc | None = None,
    *,
    modifier: str = "",
    returns: Type | None = None,
    result_text: str = "",
    line: int = 0,
) -> Overload:
    """Return the overload of a function-like node.

    Args:
        returns: result type of a node without annotation (a constructor).
        result_text: text of that result.
    """
    parts = function_parts(context, node)
    if modifier == "" and parts.abstract and context.kinds[node.kind_id] == "constructor_type":
        modifier = "abstract"
    lowered = lower_signature(context, parts, modifier=modifier, returns=returns)
    result = "" if parts.result is None else _written_result(context, parts.result)
    return Overload(
        lowered.signature,
        f"{_head(context, parts)} => {result or result_text or _inferred_result_text(lowered)}",
        lowered.names,
        lowered.texts,
        result,
        line or context.line(node.start_byte),
        doc,
        parts.is_async,
        parts.is_generator,
        lowered.inferred,
    )


def _written_result(context: ParseContext, node: Node) -> str:
    colon = context.kinds[node.kind_id] in _RESULTS
    return context.source_between(node.start_byte + colon, node.end_byte)


def _head(context: ParseContext, parts: FunctionNode) -> str:
    end = parts.parameters or parts.single
    if end is None:
        return "()"
    start = (parts.type_parameters or end).start_byte
    text = context.source_between(start, end.end_byte)
    return f"({text})" if parts.parameters is None else text


def _inferred_result_text(lowered: LoweredSignature) -> str:
    """Return the text of an inferred result; ``_`` if it is unknown."""
    return render(lowered.signature.returns, names=(lowered.names,) if lowered.names else ())


def _function_type(context: ParseContext, node: Node) -> Type:
    lowered = lower_signature(context, function_parts(context, node), texts=False)
    return Object(calls=(lowered.signature,))


def _constructor_type(context: ParseContext, node: Node) -> Type:
    parts = function_parts(context, node)
    parts.tail, context.misplaced_operands = context.misplaced_operands, []
    modifier = "abstract" if parts.abstract else ""
    lowered = lower_signature(context, parts, modifier=modifier, texts=False)
    return Object(constructs=(lowered.signature,))


READERS: Mapping[str, TypeReader] = {
    "function_type": _function_type,
    "constructor_type": _constructor_type,
    "arrow_function": _function_type,
    "function_expression": _function_type,
    "method_definition": _function_type,
}
