"""Types of values in type queries: constants, functions, classes, enums, namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import is_base_value, object_type
from typematch.ir.declaration import Declaration, declared_member
from typematch.ir.type_parts import IndexSignature, Property
from typematch.ir.types import (
    ANY,
    NUMBER,
    STRING,
    Literal,
    Object,
    Reference,
    Type,
    TypeOf,
    UniqueSymbol,
)
from typematch.program.reduction.class_constructors import (
    base_constructor,
    construct_signatures,
    with_type_arguments,
)
from typematch.program.reduction.members import property_of
from typematch.program.reduction.resolved_members import read_type

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def type_of_value(r: Reducer, t: TypeOf) -> Type:
    """Return the type of the value that ``t`` names; ``t`` itself if it is unknown."""
    if not isinstance(t.target, Reference):
        return t
    if t.target.target == "global#Symbol" and len(t.path) == 1:
        return UniqueSymbol(t.path[0])
    declaration, path = declared_member(r.declaration, t.target.target, t.path)
    if declaration is None:
        return t
    value = declared_value(r, declaration)
    if value is None:
        return t
    for name in path:
        property_ = property_of(r, r.normal(value), name)
        if property_ is None:
            return ANY
        value = read_type(property_)
    if t.arguments:
        return _instantiation(r, value, t.arguments)
    return value


def base_type(r: Reducer, base: Type) -> Type:
    """Return the type that a class inherits members from: resolveBaseTypesOfClass.

    For a value with construct signatures it is what the first of them returns.
    """
    if not is_base_value(base):
        return base
    value = r.normal(base)
    for signature in r.members_of(value).constructs:
        instantiated = with_type_arguments(r, signature, ())
        if instantiated is not None:
            return instantiated.returns
    return ANY


def _instantiation(r: Reducer, value: Type, arguments: tuple[Type, ...]) -> Type:
    """Return the type of ``f<A>``: the signatures that take so many type arguments."""
    members = r.members_of(value)
    calls = (with_type_arguments(r, signature, arguments) for signature in members.calls)
    constructs = (with_type_arguments(r, signature, arguments) for signature in members.constructs)
    return Object(
        calls=tuple([call for call in calls if call is not None]),
        constructs=tuple([construct for construct in constructs if construct is not None]),
    )


def declared_value(r: Reducer, declaration: Declaration) -> Type | None:
    """Return the type of a declaration as a value, with its exports if it is a namespace.

    None if it has no value.
    """
    match declaration.kind:
        case "class":
            return _static_side(r, declaration)
        case "enum":
            return _enum_object(r, declaration)
        case "enum-member":
            return Reference(declaration.key)
        case _:
            pass
    value = declaration.value
    if isinstance(value, UniqueSymbol) and not value.declaration:
        return UniqueSymbol(declaration.key)
    if not declaration.members:
        return value
    exports = _namespace_properties(r, declaration)
    if value is None:
        return object_type(exports) if exports else None
    if isinstance(value, Object):
        return object_type(
            (*value.properties, *exports), value.calls, value.constructs, value.indexes
        )
    return value


def _namespace_properties(r: Reducer, declaration: Declaration) -> list[Property]:
    """Return a property for each exported value, as a type query, which stays lazy."""
    properties = []
    for name, key in declaration.members:
        member = r.declaration(key)
        if member is not None and member.has_value:
            properties.append(Property(name, TypeOf(Reference(key))))
    return properties


def _enum_object(r: Reducer, declaration: Declaration) -> Type:
    members = [Property(name, Reference(key), readonly=True) for name, key in declaration.members]
    numeric = False
    for _, key in declaration.members:
        member = r.declaration(key)
        value = None if member is None else member.type
        numeric = numeric or not (isinstance(value, Literal) and value.kind == "string")
    indexes = (IndexSignature(NUMBER, STRING, True),) if numeric else ()
    return object_type(members, indexes=indexes)


def _static_side(r: Reducer, declaration: Declaration) -> Type:
    """Return the static side of a class: statics, construct signatures and ``prototype``."""
    own_side = declaration.value if isinstance(declaration.value, Object) else Object()
    base = base_constructor(r, declaration)
    properties = {p.name: p for p in (base.side.properties if base is not None else ())}
    properties.update({p.name: p for p in own_side.properties})
    properties.update({p.name: p for p in _namespace_properties(r, declaration)})
    any_arguments: tuple[Type, ...] = (ANY,) * len(declaration.type_parameters)
    properties["prototype"] = Property("prototype", Reference(declaration.key, any_arguments))
    constructs = construct_signatures(r, declaration, own_side.constructs, base)
    return object_type(properties.values(), own_side.calls, constructs, own_side.indexes)
