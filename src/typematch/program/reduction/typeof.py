"""Types of values in type queries: constants, functions, classes, enums, namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import is_base_value, object_type
from typematch.ir.declaration import Declaration, declared_member
from typematch.ir.type_parts import IndexSignature, Property, Signature
from typematch.ir.types import (
    ANY,
    NUMBER,
    STRING,
    THIS,
    Literal,
    Object,
    Reference,
    Type,
    TypeOf,
    UniqueSymbol,
    Var,
)
from typematch.program.reduction.instantiate import fill_missing_type_arguments
from typematch.program.reduction.members import property_of
from typematch.program.reduction.resolved_members import add_modifier, read_type
from typematch.program.reduction.skolemize import instantiate_signature

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
        parameters = signature.type_parameters
        if all(parameter.default is not None for parameter in parameters):
            arguments = fill_missing_type_arguments(parameters, (), r.normal)
            return instantiate_signature(r, signature, arguments).returns
    return ANY


def _instantiation(r: Reducer, value: Type, arguments: tuple[Type, ...]) -> Type:
    """Return the type of ``f<A>``: the signatures with that many type parameters, instantiated."""
    members = r.members_of(value)
    count = len(arguments)
    calls = [
        instantiate_signature(r, signature, arguments)
        for signature in members.calls
        if len(signature.type_parameters) == count
    ]
    constructs = [
        instantiate_signature(r, signature, arguments)
        for signature in members.constructs
        if len(signature.type_parameters) == count
    ]
    return Object(calls=tuple(calls), constructs=tuple(constructs))


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
    base_side = _base_static_side(r, declaration)
    properties = {p.name: p for p in (base_side.properties if base_side is not None else ())}
    properties.update({p.name: p for p in own_side.properties})
    properties.update({p.name: p for p in _namespace_properties(r, declaration)})
    any_arguments: tuple[Type, ...] = (ANY,) * len(declaration.type_parameters)
    properties["prototype"] = Property("prototype", Reference(declaration.key, any_arguments))
    constructs = _construct_signatures(declaration, own_side, base_side)
    return object_type(properties.values(), own_side.calls, constructs, own_side.indexes)


def _construct_signatures(
    declaration: Declaration, own_side: Object, base_side: Object | None
) -> list[Signature]:
    parameters = declaration.type_parameters
    instance = Reference(declaration.key, tuple(Var(0, i) for i in range(len(parameters))))
    declared = own_side.constructs
    if not declared and base_side is not None:
        declared = tuple(
            signature for signature in base_side.constructs if not signature.type_parameters
        )
    if not declared:
        declared = (Signature((), THIS),)
    signatures = []
    for signature in declared:
        construct = Signature(
            signature.parameters,
            instance,
            parameters,
            signature.this,
            signature.predicate,
            signature.modifier,
        )
        if declaration.abstract:
            construct = add_modifier(construct, "abstract")
        signatures.append(add_modifier(construct, "method"))
    return signatures


def _base_static_side(r: Reducer, declaration: Declaration) -> Object | None:
    for base in declaration.extends:
        if is_base_value(base) and not base.loose_depth:
            r.count_step()
            members = r.members_of(r.normal(base))
            return Object(tuple(members), members.calls, members.constructs, members.indexes)
        if not isinstance(base, Reference) or base.target == declaration.key:
            continue
        base_declaration = r.declaration(base.target)
        if base_declaration is not None and base_declaration.kind == "class":
            r.count_step()
            static_side = r.normal(TypeOf(Reference(base.target)))
            if isinstance(static_side, Object):
                return _with_base_arguments(r, static_side, base)
    return None


def _with_base_arguments(r: Reducer, static_side: Object, base: Reference) -> Object:
    """Return a base class's static side with the type arguments of the heritage clause."""
    if any(argument.loose_depth for argument in base.arguments):
        return static_side
    constructs = tuple(
        instantiate_signature(r, signature, base.arguments)
        if len(signature.type_parameters) == len(base.arguments)
        else signature
        for signature in static_side.constructs
    )
    constructs = tuple(_without_abstract(signature) for signature in constructs)
    return Object(static_side.properties, static_side.calls, constructs, static_side.indexes)


def _without_abstract(signature: Signature) -> Signature:
    """Return a base class's construct signature without ``abstract``: it is not inherited."""
    modifiers = " ".join(word for word in signature.modifier.split() if word != "abstract")
    return Signature(
        signature.parameters,
        signature.returns,
        signature.type_parameters,
        signature.this,
        signature.predicate,
        modifiers,
    )
