"""Rest parameters of tuple types, as the parameters that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Element, Parameter, Signature
from typematch.ir.types import Array, Tuple, Type


def with_positional_parameters(signature: Signature) -> Signature:
    """Return ``signature`` with a rest parameter of a tuple type taken apart (getTypeAtPosition).

    ``(...args: [key: K, n?: N, ...rest: R[]])`` becomes ``(key: K, n?: N, ...rest: R[])``.  Of
    elements that follow a rest element the positions are not known: they stay a tuple.
    """
    last = signature.parameters[-1] if signature.parameters else None
    if last is None or not last.rest or not isinstance(last.type, Tuple):
        return signature
    parameters = (*signature.parameters[:-1], *_parameters(last, last.type))
    return replace_fields(signature, parameters=parameters)


def required_rest_types(signature: Signature) -> tuple[Type, ...]:
    """Return the types of the arguments that a rest parameter of a tuple type requires.

    Required elements after others do not count (getMinArgumentCount).
    """
    last = signature.parameters[-1] if signature.parameters else None
    if last is None or not last.rest or not isinstance(last.type, Tuple):
        return ()
    required = takewhile(lambda element: element.kind == "required", last.type.elements)
    return tuple(element.type for element in required)


def _parameters(rest: Parameter, t: Tuple) -> Iterator[Parameter]:
    elements = t.elements
    positional = 0
    while positional < len(elements) and elements[positional].kind in ("required", "optional"):
        element = elements[positional]
        name = element.label or f"{rest.name}_{positional}"
        yield Parameter(name, element.type, element.kind == "optional")
        positional += 1
    match elements[positional:]:
        case ():
            return
        case (Element(element_type, "rest", label),):
            yield Parameter(label or rest.name, Array(element_type), rest=True)
        case remaining:
            yield replace_fields(rest, type=replace_fields(t, elements=remaining))
