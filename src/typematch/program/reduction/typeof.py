"""Say the type of a value that ``typeof`` names.

A constant, a function, a class's static side, an enum, a namespace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import object_type
from typematch.ir.declaration import Declaration
from typematch.ir.types import (
    ANY,
    NUMBER,
    STRING,
    THIS,
    IndexSignature,
    Literal,
    Object,
    Property,
    Reference,
    Signature,
    Type,
    TypeOf,
    UniqueSymbol,
    Var,
)
from typematch.program.reduction.members import property_of
from typematch.program.reduction.resolved_members import mark, read_type
from typematch.program.reduction.skolemize import with_arguments

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def type_of_value(r: Reducer, t: TypeOf) -> Type:
    """Return the type of the value that ``t`` names; ``t`` itself if nothing is known of it."""
    if not isinstance(t.target, Reference):
        return t
    if t.target.target == "global#Symbol" and len(t.path) == 1:
        return UniqueSymbol(t.path[0])
    key, path = t.target.target, t.path
    declaration = r.declaration(key)
    while declaration is not None and path:
        inner = dict(declaration.members).get(path[0])
        if inner is None:
            break
        key, path = inner, path[1:]
        declaration = r.declaration(key)
    if declaration is None:
        return t
    value = declared_value(r, declaration)
    if value is None:
        return t
    for name in path:
        found = property_of(r, r.normal(value), name)
        if found is None:
            return ANY
        value = read_type(found)
    if t.arguments:
        return _instantiation(r, value, t.arguments)
    return value


def _instantiation(r: Reducer, value: Type, arguments: tuple[Type, ...]) -> Type:
    """Return what ``f<A>`` is.

    The signatures that take that many type arguments, with them filled in.
    """
    shape = r.shape(value)
    count = len(arguments)
    calls = [
        with_arguments(r, s, arguments) for s in shape.calls if len(s.type_parameters) == count
    ]
    constructs = [
        with_arguments(r, s, arguments) for s in shape.constructs if len(s.type_parameters) == count
    ]
    return Object(calls=tuple(calls), constructs=tuple(constructs))


def declared_value(r: Reducer, declaration: Declaration) -> Type | None:
    """Return the type of a declaration as a value, what it exports as a namespace included.

    None: no value.
    """
    match declaration.kind:
        case "class":
            return _class_side(r, declaration)
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
    exports = _exports(r, declaration)
    if value is None:
        return object_type(exports) if exports else None
    if isinstance(value, Object):
        return object_type(
            (*value.properties, *exports), value.calls, value.constructs, value.indexes
        )
    return value


def _exports(r: Reducer, declaration: Declaration) -> list[Property]:
    """Return a property for each value that a namespace exports, by reference.

    So that it stays lazy.
    """
    found = []
    for name, key in declaration.members:
        member = r.declaration(key)
        if member is None:
            continue
        is_value = member.value is not None or member.kind in ("class", "enum", "enum-member")
        if is_value or (member.kind == "namespace" and member.members):
            found.append(Property(name, TypeOf(Reference(key))))
    return found


def _enum_object(r: Reducer, declaration: Declaration) -> Type:
    members = [Property(name, Reference(key), readonly=True) for name, key in declaration.members]
    numeric = False
    for _, key in declaration.members:
        member = r.declaration(key)
        value = None if member is None else member.type
        numeric = numeric or not (isinstance(value, Literal) and value.kind == "string")
    indexes = (IndexSignature(NUMBER, STRING, True),) if numeric else ()
    return object_type(members, indexes=indexes)


def _class_side(r: Reducer, declaration: Declaration) -> Type:
    """Return the static side.

    Own statics, the base class's, construct signatures and ``prototype``.
    """
    own = declaration.value if isinstance(declaration.value, Object) else Object()
    base = _base_side(r, declaration)
    properties = {p.name: p for p in (base.properties if base is not None else ())}
    properties.update({p.name: p for p in own.properties})
    properties.update({p.name: p for p in _exports(r, declaration)})
    anys: tuple[Type, ...] = (ANY,) * len(declaration.type_parameters)
    properties["prototype"] = Property("prototype", Reference(declaration.key, anys))
    constructs = _constructs(declaration, own, base)
    return object_type(properties.values(), own.calls, constructs, own.indexes)


def _constructs(declaration: Declaration, own: Object, base: Object | None) -> list[Signature]:
    parameters = declaration.type_parameters
    instance = Reference(declaration.key, tuple(Var(0, i) for i in range(len(parameters))))
    declared = own.constructs
    if not declared and base is not None:
        declared = tuple(s for s in base.constructs if not s.type_parameters)
    if not declared:
        declared = (Signature((), THIS),)
    found = []
    for s in declared:
        made = Signature(s.parameters, instance, parameters, s.this, s.predicate, s.modifier)
        if declaration.abstract:
            made = mark(made, "abstract")
        found.append(mark(made, "method"))
    return found


def _base_side(r: Reducer, declaration: Declaration) -> Object | None:
    for base in declaration.extends:
        if not isinstance(base, Reference) or base.target == declaration.key:
            continue
        above = r.declaration(base.target)
        if above is not None and above.kind == "class":
            r.count()
            side = r.normal(TypeOf(Reference(base.target)))
            if isinstance(side, Object):
                return _filled(r, side, base)
    return None


def _filled(r: Reducer, side: Object, base: Reference) -> Object:
    """Return a base class's static side with the heritage clause's arguments filled in."""
    if any(argument.loose for argument in base.arguments):
        return side
    constructs = tuple(
        with_arguments(r, s, base.arguments) if len(s.type_parameters) == len(base.arguments) else s
        for s in side.constructs
    )
    constructs = tuple(_plain(s) for s in constructs)
    return Object(side.properties, side.calls, constructs, side.indexes)


def _plain(s: Signature) -> Signature:
    """Return a base's construct signature without its own ``abstract``.

    A derived class says that itself.
    """
    words = " ".join(word for word in s.modifier.split() if word != "abstract")
    return Signature(s.parameters, s.returns, s.type_parameters, s.this, s.predicate, words)
