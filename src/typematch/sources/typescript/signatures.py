"""Read signatures: type parameters, parameters, results and predicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from typematch.ir.module import Doc, Overload
from typematch.ir.render import render
from typematch.ir.types import (
    BOOLEAN,
    UNANNOTATED,
    UNREADABLE,
    VOID,
    Named,
    Object,
    Parameter,
    Predicate,
    Signature,
    Type,
    TypeParameter,
)
from typematch.sources.typescript.expressions import expression_type, result_type, widened
from typematch.sources.typescript.lower import lower_annotation, lower_type
from typematch.sources.typescript.operators import lower_chain
from typematch.sources.typescript.parse_context import ParseContext, TypeReader

_RESULTS = frozenset(("type_annotation", "asserts_annotation", "type_predicate_annotation"))
_PREDICATES = frozenset(("asserts", "type_predicate"))
_PATTERNS = frozenset(
    ("identifier", "this", "rest_pattern", "object_pattern", "array_pattern", "undefined")
)


@dataclass(slots=True)
class Parts:
    """The pieces of a function-like node."""

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
class WrittenSignature:
    """A signature with the texts that an overload keeps beside it."""

    signature: Signature
    names: tuple[str, ...]
    texts: tuple[str, ...]
    inferred: bool


def function_parts(reading: ParseContext, node: Node) -> Parts:
    """Return the pieces of any function-like node."""
    parts = Parts()
    kinds = reading.kinds
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
        parts.result = reading.parts(node)[-1]
    elif kind == "arrow_function":
        parts.body = node.child_by_field_name("body")
        parts.single = node.child_by_field_name("parameter")
    elif kind in _GENERATORS:
        parts.is_generator = True
    return parts


_GENERATORS = frozenset(("generator_function", "generator_function_declaration"))


def bind_parameters(
    reading: ParseContext, node: Node | None
) -> tuple[tuple[str, ...], tuple[TypeParameter, ...], dict[str, tuple[int, int]] | None]:
    """Enter the binder of type parameters: their names, they, and what ``release`` takes.

    The last is None if there is nothing to bind and so nothing to leave.
    """
    nodes = [] if node is None else reading.parts(node)
    kinds = reading.kinds
    read = [
        (part, reading.parts(part)) for part in nodes if kinds[part.kind_id] == "type_parameter"
    ]
    if not read:
        return (), (), None
    names = tuple([reading.slice(parts[0]) for _, parts in read])
    outer = reading.bind(names)
    parameters = []
    for part, parts in read:
        constraint: Type | None = None
        default: Type | None = None
        for piece in parts[1:]:
            kind = kinds[piece.kind_id]
            if kind == "constraint":
                constraint = lower_type(reading, reading.parts(piece)[-1])
            elif kind == "default_type":
                default = lower_type(reading, reading.parts(piece)[-1])
        const = (
            part.start_byte != parts[0].start_byte and kinds[part.children[0].kind_id] == "const"
        )
        parameters.append(TypeParameter(constraint, default, const))
    return names, tuple(parameters), outer


def lower_signature(
    reading: ParseContext,
    parts: Parts,
    *,
    modifier: str = "",
    returns: Type | None = None,
    texts: bool = True,
) -> WrittenSignature:
    """Return the signature of ``parts``; ``returns`` is its result where none is written."""
    names, type_parameters, outer = bind_parameters(reading, parts.type_parameters)
    parameters: list[Parameter] = []
    written: list[str] = []
    this: Type | None = None
    if parts.parameters is not None:
        kinds = reading.kinds
        for node in parts.parameters.named_children:
            kind = kinds[node.kind_id]
            if kind not in ("required_parameter", "optional_parameter"):
                continue
            parameter, text = _parameter(reading, node, kind == "optional_parameter", texts)
            if parameter.name == "this":
                this = parameter.type
            else:
                parameters.append(parameter)
                written.append(text)
    elif parts.single is not None:
        parameters.append(Parameter(reading.slice(parts.single), UNANNOTATED))
        written.append("")
    result: Type = UNANNOTATED
    predicate: Predicate | None = None
    inferred = False
    if parts.result is not None and parts.tail:
        result = lower_chain(reading, [("", parts.result), *parts.tail])
    elif parts.result is not None:
        result, predicate = _result(reading, parts.result, parameters)
    elif returns is not None:
        result = returns
    else:
        result, inferred = _inferred_result(reading, parts)
    if outer is not None:
        reading.release(outer)
    signature = Signature(tuple(parameters), result, type_parameters, this, predicate, modifier)
    return WrittenSignature(signature, names, tuple(written), inferred)


def _parameter(
    reading: ParseContext, node: Node, optional: bool, texts: bool
) -> tuple[Parameter, str]:
    name, kind, text = "", "", ""
    lowered: Type | None = None
    rest = False
    kinds = reading.kinds
    default = False
    for child in node.children:
        part = kinds[child.kind_id]
        if part == "type_annotation":
            lowered = lower_annotation(reading, child)
            if texts:
                text = reading.between(child.start_byte + 1, child.end_byte)
        elif part == "=":
            optional = default = True
        elif default:
            if lowered is None:
                lowered = widened(expression_type(reading, child))
        elif part in _PATTERNS and not kind:
            kind = part
            rest = part == "rest_pattern"
            name = _PATTERN_NAMES.get(part) or reading.slice(child)
    if rest:
        name = name[3:].strip()
        name = _PATTERN_STARTS.get(name[:1], name)
    return Parameter(name, UNANNOTATED if lowered is None else lowered, optional, rest), text


_PATTERN_NAMES = {"object_pattern": "{}", "array_pattern": "[]"}
_PATTERN_STARTS = {"{": "{}", "[": "[]"}


def _result(
    reading: ParseContext, node: Node, parameters: Sequence[Parameter]
) -> tuple[Type, Predicate | None]:
    kind = reading.kinds[node.kind_id]
    if kind == "type_annotation":
        return lower_annotation(reading, node), None
    if kind in _RESULTS:
        parts = reading.parts(node)
        if not parts:
            return UNREADABLE, None
        node = parts[-1]
        kind = reading.kinds[node.kind_id]
    if kind not in _PREDICATES:
        return lower_type(reading, node), None
    asserts = kind == "asserts"
    if asserts:
        parts = reading.parts(node)
        if reading.kinds[parts[0].kind_id] != "type_predicate":
            return VOID, Predicate(_position(reading, parts[0], parameters), None, True)
        node = parts[0]
    parts = reading.parts(node)
    position = _position(reading, parts[0], parameters)
    predicate = Predicate(position, lower_type(reading, parts[-1]), asserts)
    return (VOID if asserts else BOOLEAN), predicate


def _position(reading: ParseContext, node: Node, parameters: Sequence[Parameter]) -> int:
    name = reading.slice(node)
    for position, parameter in enumerate(parameters):
        if parameter.name == name:
            return position
    return -1


def _inferred_result(reading: ParseContext, parts: Parts) -> tuple[Type, bool]:
    if parts.body is None or parts.is_generator:
        return UNANNOTATED, False
    shown = result_type(reading, parts.body, expression_never=False)
    if parts.is_async:
        return Named(("Promise",), (shown,)), True
    return shown, shown is not UNANNOTATED


def overload(
    reading: ParseContext,
    node: Node,
    doc: Doc | None = None,
    *,
    modifier: str = "",
    returns: Type | None = None,
    shown: str = "",
    line: int = 0,
) -> Overload:
    """Return the overload that a function-like node writes.

    ``returns`` and ``shown`` are the result and its text where the node writes none (constructors).
    """
    parts = function_parts(reading, node)
    if modifier == "" and parts.abstract and reading.kinds[node.kind_id] == "constructor_type":
        modifier = "abstract"
    written = lower_signature(reading, parts, modifier=modifier, returns=returns)
    result = "" if parts.result is None else _written_result(reading, parts.result)
    return Overload(
        written.signature,
        f"{_head(reading, parts)} => {result or shown or _shown(written)}",
        written.names,
        written.texts,
        result,
        line or reading.line(node.start_byte),
        doc,
        parts.is_async,
        parts.is_generator,
        written.inferred,
    )


def _written_result(reading: ParseContext, node: Node) -> str:
    colon = reading.kinds[node.kind_id] in _RESULTS
    return reading.between(node.start_byte + colon, node.end_byte)


def _head(reading: ParseContext, parts: Parts) -> str:
    end = parts.parameters or parts.single
    if end is None:
        return "()"
    start = (parts.type_parameters or end).start_byte
    text = reading.between(start, end.end_byte)
    return f"({text})" if parts.parameters is None else text


def _shown(written: WrittenSignature) -> str:
    """Return the text of an inferred result; ``_`` where it is not known."""
    return render(written.signature.returns, names=(written.names,) if written.names else ())


def _function_type(reading: ParseContext, node: Node) -> Type:
    written = lower_signature(reading, function_parts(reading, node), texts=False)
    return Object(calls=(written.signature,))


def _constructor_type(reading: ParseContext, node: Node) -> Type:
    parts = function_parts(reading, node)
    parts.tail, reading.tail = reading.tail, []
    modifier = "abstract" if parts.abstract else ""
    written = lower_signature(reading, parts, modifier=modifier, texts=False)
    return Object(constructs=(written.signature,))


READERS: Mapping[str, TypeReader] = {
    "function_type": _function_type,
    "constructor_type": _constructor_type,
}
