"""Members of types: resolveStructuredTypeMembers, property and index signature lookup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import OBJECT_INTERFACE, constituents, intersection, union
from typematch.ir.declaration import GLOBAL_SCOPE, Declaration
from typematch.ir.intern import replace_fields
from typematch.ir.literals import is_numeric_name
from typematch.ir.type_parts import IndexSignature, Property, Signature
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    THIS,
    UNKNOWN,
    Array,
    Free,
    Intersection,
    Intrinsic,
    Mapped,
    Object,
    Reference,
    Tuple,
    Type,
    TypeOf,
    Union,
)
from typematch.program.reduction.resolved_members import (
    NO_MEMBERS,
    ResolvedMembers,
    merge_properties,
    read_type,
)
from typematch.program.reduction.skolemize import member_substitution
from typematch.program.reduction.tuple_properties import (
    tuple_element_type,
    tuple_properties,
    tuple_property,
)
from typematch.program.reduction.unions import literal_of, primitive_of

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer

WRAPPERS = {
    "string": "global#String",
    "number": "global#Number",
    "boolean": "global#Boolean",
    "bigint": "global#BigInt",
    "symbol": "global#Symbol",
}


def resolve_members(r: Reducer, t: Type, this: Type) -> ResolvedMembers:
    """Return the members of ``t``, with ``this`` as the polymorphic this type."""
    match t:
        case Object():
            return _object_members(r, t, this)
        case Reference():
            return _declared_members(r, t, this)
        case Array():
            return _array_members(r, t.element, t.readonly, this)
        case Tuple():
            return _tuple_members(r, t, this)
        case Intersection(members):
            return _intersection_members(r, members, t if this is t else this)
        case Union(members):
            return _union_members(r, members)
        case Mapped():
            return _mapped_members(r, t)
        case _:
            base = apparent_type(r, t)
            return (
                NO_MEMBERS if base is t else r.members_of(base, t if t.__class__ is Free else base)
            )


def apparent_type(r: Reducer, t: Type) -> Type:
    """Return the object type of a primitive or variable, otherwise ``t``: getApparentType."""
    primitive = primitive_of(r, t)
    if primitive is not None:
        wrapper = WRAPPERS.get(primitive.name)
        return t if wrapper is None else Reference(wrapper)
    constraint = base_constraint(r, t)
    if constraint is None or constraint is t:
        return t
    return apparent_type(r, constraint)


def base_constraint(r: Reducer, t: Type) -> Type | None:
    """Return the closest supertype that depends on no variable: getBaseConstraintOfType.

    None if ``t`` depends on no variable.
    """
    from typematch.program.reduction.constraints import constraint_of

    seen: set[Type] = set()
    reduced = t
    while reduced not in seen:
        seen.add(reduced)
        constraint = constraint_of(r, reduced)
        if constraint is None:
            return None if reduced is t else reduced
        reduced = r.normal(constraint)
    return UNKNOWN


def _mapped_members(r: Reducer, t: Mapped) -> ResolvedMembers:
    """Return the members of a deferred mapped type for the known keys of its constraint."""
    from typematch.program.reduction.mapped_types import with_known_keys

    object_type = with_known_keys(r, t)
    return NO_MEMBERS if object_type is None else r.members_of(object_type)


def _object_members(r: Reducer, t: Object, this: Type) -> ResolvedMembers:
    if this is not t and THIS in t.free:
        instantiated = member_substitution(r, (), this).apply(t)
        return _object_members(r, instantiated, instantiated)
    properties = r.properties_of(t)
    is_type_literal = not t.calls and not t.constructs
    return ResolvedMembers(
        properties,
        calls=t.calls,
        constructs=t.constructs,
        indexes=_with_resolved_keys(r, t.indexes),
        implicit_index=is_type_literal,
    )


def _with_resolved_keys(
    r: Reducer, indexes: tuple[IndexSignature, ...]
) -> tuple[IndexSignature, ...]:
    """Return index signatures whose keys are no aliases or unions: getIndexInfosOfSymbol."""
    if all(index.key.__class__ is Intrinsic for index in indexes):
        return indexes
    resolved: dict[Type, IndexSignature] = {}
    for index in indexes:
        for key in constituents(r.normal(index.key)):
            resolved.setdefault(key, IndexSignature(key, index.type, index.readonly))
    return tuple(resolved.values())


def _declared_members(r: Reducer, t: Reference, this: Type) -> ResolvedMembers:
    declaration = r.declaration(t.target)
    if declaration is None:
        return NO_MEMBERS
    if primitive_of(r, t) is not None:
        base = apparent_type(r, t)
        return NO_MEMBERS if base is t else r.members_of(base)
    body = declaration.type
    if not isinstance(body, Object):
        return NO_MEMBERS
    return _instantiated_members(r, declaration, body, t.arguments, this)


def _instantiated_members(
    r: Reducer, declaration: Declaration, body: Object, arguments: tuple[Type, ...], this: Type
) -> ResolvedMembers:
    from typematch.program.reduction.typeof import base_type

    r.count_bases(len(declaration.extends))
    substitution = member_substitution(r, arguments, this)
    bases = tuple(
        [r.members_of(base_type(r, substitution.apply(base)), this) for base in declaration.extends]
    )
    is_closed = body.loose_depth == 0 and THIS not in body.free
    calls = body.calls if is_closed else substitution.apply_all(body.calls, 0)
    constructs = body.constructs if is_closed else substitution.apply_all(body.constructs, 0)
    indexes = body.indexes if is_closed else substitution.apply_all(body.indexes, 0)
    indexes = _with_resolved_keys(r, indexes)
    for base in bases:
        calls = _with_inherited(calls, base.calls)
        constructs = _with_inherited(constructs, base.constructs)
        indexes += tuple(i for i in base.indexes if all(i.key is not own.key for own in indexes))
    return ResolvedMembers(
        r.properties_of(body),
        calls=calls,
        constructs=constructs,
        indexes=indexes,
        bases=bases,
        instantiate=None if is_closed else substitution.apply,
        container=declaration.key,
    )


def _with_inherited(
    own: tuple[Signature, ...], inherited: tuple[Signature, ...]
) -> tuple[Signature, ...]:
    """Return inherited signatures after the own ones, as resolveObjectTypeMembers does.

    The checker keeps duplicates, which double at each level of a diamond of heritage.
    """
    signatures = own + inherited
    if len(signatures) > _MAX_SIGNATURES:
        return tuple(dict.fromkeys(signatures))
    return signatures


_MAX_SIGNATURES = 64  # with more, duplicates are dropped


def _array_members(r: Reducer, element: Type, readonly: bool, this: Type) -> ResolvedMembers:
    declaration = r.declaration("global#ReadonlyArray" if readonly else "global#Array")
    if declaration is not None and isinstance(declaration.type, Object):
        return _instantiated_members(r, declaration, declaration.type, (element,), this)
    length = Property("length", NUMBER)
    return ResolvedMembers({"length": length}, indexes=(IndexSignature(NUMBER, element, readonly),))


def _tuple_members(r: Reducer, t: Tuple, this: Type) -> ResolvedMembers:
    properties = {property_.name: property_ for property_ in tuple_properties(t)}
    base = _array_members(r, tuple_element_type(t), t.readonly, this)
    return ResolvedMembers(properties, indexes=base.indexes, bases=(base,))


def _intersection_members(r: Reducer, members: Iterable[Type], this: Type) -> ResolvedMembers:
    resolved = [r.members_of(member, this) for member in members]
    return merge_members(resolved, all(s.implicit_index for s in resolved))


def merge_members(resolved: list[ResolvedMembers], implicit_index: bool) -> ResolvedMembers:
    """Return the members of an intersection of types with these members."""
    by_name: dict[str, list[Property]] = {}
    for members in resolved:
        for member in members:
            by_name.setdefault(member.name, []).append(member)
    calls: dict[Signature, None] = {}
    indexes: dict[Type, IndexSignature] = {}
    for members in resolved:
        calls.update(dict.fromkeys(members.calls))
        for index in members.indexes:
            previous = indexes.get(index.key)
            indexes[index.key] = (
                index if previous is None else _merge_index_signatures(previous, index)
            )
    return ResolvedMembers(
        {name: merge_properties(name, parts) for name, parts in by_name.items()},
        calls=tuple(calls),
        constructs=tuple(dict.fromkeys(_intersection_constructs(resolved))),
        indexes=tuple(indexes.values()),
        implicit_index=implicit_index,
    )


def _intersection_constructs(resolved: Sequence[ResolvedMembers]) -> Iterator[Signature]:
    """Yield the construct signatures of an intersection: resolveIntersectionTypeMembers.

    Mixin constructors ``new (...args: any[]) => T`` add T to what the others construct.
    """
    constructors = [members for members in resolved if members.constructs]
    mixins = [members for members in constructors if _is_mixin_constructor(members)]
    if len(mixins) == len(constructors):
        mixins = mixins[1:]
    if not mixins:
        yield from (signature for members in constructors for signature in members.constructs)
        return
    for members in constructors:
        if members in mixins:
            continue
        for signature in members.constructs:
            parts = [
                signature.returns if other is members else other.constructs[0].returns
                for other in constructors
                if other is members or other in mixins
            ]
            yield replace_fields(signature, returns=intersection(parts))


def _is_mixin_constructor(members: ResolvedMembers) -> bool:
    """Whether a type has one construct signature, ``(...args: any[])``: isMixinConstructorType."""
    if len(members.constructs) != 1:
        return False
    [signature] = members.constructs
    if signature.type_parameters or len(signature.parameters) != 1:
        return False
    [parameter] = signature.parameters
    return parameter.rest and (parameter.type is ANY or parameter.type in _ANY_ARRAYS)


# ``typeof globalThis``: its properties are looked up by name.
GLOBAL_THIS = TypeOf(Reference(GLOBAL_SCOPE))
_ANY_ARRAYS = (Array(ANY), Array(ANY, readonly=True))


def _merge_index_signatures(a: IndexSignature, b: IndexSignature) -> IndexSignature:
    return IndexSignature(a.key, intersection((a.type, b.type)), a.readonly and b.readonly)


def _union_members(r: Reducer, members: tuple[Type, ...]) -> ResolvedMembers:
    """Return the members common to all types of a union, with united types."""
    resolved = [r.members_of(member) for member in members]
    properties: dict[str, Property] = {}
    for name in resolved[0].names:
        parts = [p for members in resolved if (p := members.get(name)) is not None]
        if len(parts) == len(resolved):
            optional = any(p.optional for p in parts)
            type_ = union([p.type if optional else read_type(p) for p in parts])
            hidden = next((p for p in parts if p.visibility != "public"), parts[0])
            properties[name] = Property(
                name, type_, optional, False, False, hidden.visibility, hidden.owner
            )
    indexes = []
    for index in resolved[0].indexes:
        signatures = [i for members in resolved for i in members.indexes if i.key is index.key]
        if len(signatures) == len(resolved):
            indexes.append(IndexSignature(index.key, union([i.type for i in signatures])))
    return ResolvedMembers(properties, indexes=tuple(indexes))


def property_of(r: Reducer, t: Type, name: str) -> Property | None:
    """Return the property ``name`` of a type: getPropertyOfType.

    Includes the properties of ``Function``, for callable types, and of ``Object``.
    """
    if t is GLOBAL_THIS:
        # Its properties are the global values, which are not listed (resolveAnonymousTypeMembers).
        declaration = r.declaration(f"global#{name}")
        if declaration is None or not declaration.has_value:
            return None
        return Property(name, TypeOf(Reference(declaration.key)))
    if t.__class__ is Tuple and (element := tuple_property(t, name)) is not None:
        return element
    members = r.members_of(t)
    property_ = members.get(name)
    if property_ is not None:
        return property_
    if t.__class__ is Union:
        return None
    if members.calls or members.constructs:
        for key in ("global#CallableFunction", "global#Function"):
            property_ = r.members_of(Reference(key)).get(name)
            if property_ is not None:
                return property_
    return r.members_of(OBJECT_INTERFACE).get(name)


def applicable_index_signature(
    r: Reducer, members: ResolvedMembers, key: Type
) -> IndexSignature | None:
    """Return the index signature for a key, the most specific first: getApplicableIndexInfo.

    Signatures of equal rank are intersected.
    """
    applicable = [i for i in members.indexes if index_applies(r, key, i.key)]
    if len(applicable) > 1:
        specific = [i for i in applicable if i.key is not STRING]
        if len(specific) == 1:
            return specific[0]
        return IndexSignature(UNKNOWN, intersection([i.type for i in specific]))
    return applicable[0] if applicable else None


def index_applies(r: Reducer, key: Type, index_type: Type) -> bool:
    """Whether an index signature over ``index_type`` applies to ``key``: isApplicableIndexType."""
    if key is index_type or key is ANY or key is NEVER:
        return True
    primitive = primitive_of(r, key)
    if index_type is STRING:
        return primitive is STRING or primitive is NUMBER
    if index_type is NUMBER:
        literal = literal_of(r, key)
        if literal is not None and literal.kind == "string":
            return is_numeric_name(literal.text)
        return primitive is NUMBER
    if primitive is index_type:
        return True
    return primitive is STRING and r.oracle is not None and r.oracle.assignable(key, index_type)
