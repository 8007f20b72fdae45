"""How the outermost layer of each class of types is reduced.

A handler returns the type itself if it is in normal form, or one that is reduced further.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from typematch.ir.constructors import ARRAYS, CALL_RESULT
from typematch.ir.types import (
    ANY,
    ELLIPSIS,
    UNANNOTATED,
    UNREADABLE,
    WILDCARD,
    Array,
    Conditional,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
)
from typematch.program.reduction.conditional_types import reduce_conditional
from typematch.program.reduction.indexed_access import reduce_indexed_access, reduce_keyof
from typematch.program.reduction.mapped_types import reduce_mapped
from typematch.program.reduction.template_literals import reduce_template, string_mapping
from typematch.program.reduction.typeof import type_of_value
from typematch.program.reduction.unions import INTRINSIC_BODIES, intersection_of, union_of
from typematch.program.reduction.variadic_tuples import normalize_tuple

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def _reduce_intrinsic(_: Reducer, t: Intrinsic) -> Type:
    return ANY if t in _TREATED_AS_ANY else t


# Types of which nothing is known are ``any``, like parameters without annotation.
_TREATED_AS_ANY = frozenset((UNANNOTATED, UNREADABLE, WILDCARD, ELLIPSIS))


def _reduce_reference(r: Reducer, t: Reference) -> Type:
    if t.target in ARRAYS:
        return Array(t.arguments[0] if t.arguments else ANY, ARRAYS[t.target])
    if t.target == CALL_RESULT:
        return _reduce_call(r, t)
    declaration = r.declaration(t.target)
    if declaration is None:
        return t
    if declaration.kind == "enum":
        if not declaration.members:
            return t
        return union_of(r, [Reference(key) for _, key in declaration.members])
    arguments = r.type_arguments(declaration, t.arguments)
    if declaration.kind != "alias" or declaration.type is None:
        return t if arguments == t.arguments else Reference(t.target, arguments)
    if declaration.type in INTRINSIC_BODIES:
        return string_mapping(r, t, declaration.name)
    body = declaration.type
    if body.loose_depth == 0:
        return body
    reduced = tuple([r.normal(argument) for argument in arguments])
    parameters = declaration.type_parameters
    return r.instantiate(body, reduced, parameters=parameters)


def _reduce_call(r: Reducer, t: Reference) -> Type:
    """Return the type of a call, within limits of its own: it depends on the declarations alone."""
    callee, arguments, use = t.arguments
    oracle = r.oracle
    if oracle is None or not isinstance(arguments, Tuple) or not isinstance(use, Literal):
        return UNANNOTATED
    types, name = [element.type for element in arguments.elements], use.text
    return r.with_own_budget(lambda: oracle.call_result(callee, types, name)) or UNANNOTATED


def _reduce_union(r: Reducer, t: Union) -> Type:
    return union_of(r, t.members)


def _reduce_tuple(r: Reducer, t: Tuple) -> Type:
    if len(t.elements) == 1 and t.elements[0].kind == "rest":
        return Array(t.elements[0].type, t.readonly)
    if all(element.kind != "variadic" for element in t.elements):
        return t
    return normalize_tuple(t.elements, t.readonly, r.normal)


HANDLERS: dict[type, Callable[[Reducer, Any], Type]] = {
    Intrinsic: _reduce_intrinsic,
    Reference: _reduce_reference,
    Union: _reduce_union,
    Intersection: lambda r, t: intersection_of(r, t.members),
    Tuple: _reduce_tuple,
    Template: reduce_template,
    TypeOf: type_of_value,
    KeyOf: reduce_keyof,
    IndexedAccess: reduce_indexed_access,
    Mapped: reduce_mapped,
    Conditional: reduce_conditional,
}
