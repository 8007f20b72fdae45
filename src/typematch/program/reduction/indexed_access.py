"""``keyof T`` and ``T[K]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.literals import is_numeric_name
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    ANY,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    SYMBOL,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.program.reduction.alias_bodies import mapped_declaration
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.members import (
    applicable_index_signature,
    property_of,
)
from typematch.program.reduction.resolved_members import read_type
from typematch.program.reduction.tuple_properties import tuple_element_type
from typematch.program.reduction.unions import is_enum_member, literal_of, primitive_of

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer

ANY_KEY = union((STRING, NUMBER, SYMBOL))


def reduce_keyof(r: Reducer, t: KeyOf) -> Type:
    """Return the keys of ``t.type`` as a union, or a deferred ``keyof``; getIndexType."""
    declared = mapped_declaration(r, t.type)
    if declared is not None and declared.rename is None and not isinstance(declared.keys, KeyOf):
        # keyof { [k: string]: X } includes number; keyof Record<string, X> is only string.
        return r.normal(declared.keys)
    object_type = r.normal(t.type)
    match object_type:
        case Union(members):
            return intersection([KeyOf(member) for member in members])
        case Intersection(members):
            return union([KeyOf(member) for member in members])
        case Mapped(keys, _, rename):
            return renamed_keys(r, object_type) if rename is not None else keys
        case Intrinsic(name) if name in ("any", "never"):
            return ANY_KEY
        case Intrinsic(name) if name in ("unknown", "undefined", "null", "void", "object"):
            return NEVER
        case Free() | IndexedAccess() | Conditional() | KeyOf():
            return t if object_type is t.type else KeyOf(object_type)
        case Intrinsic("this"):
            return t if object_type is t.type else KeyOf(object_type)
        case Tuple(elements) if any(e.kind == "variadic" for e in elements):
            return t if object_type is t.type else KeyOf(object_type)
        case _:
            return known_keys(r, object_type)


def renamed_keys(r: Reducer, t: Mapped) -> Type:
    """Return the names that an ``as`` clause gives to the known keys."""
    keys = r.normal(t.keys)
    if t.rename is None:
        return keys
    return union([r.instantiate(t.rename, (key,)) for key in constituents(keys)])


def known_keys(r: Reducer, t: Type, *, index_signatures: bool = True) -> Type:
    """Return the public keys of a type that depends on no variable, as a union."""
    members = r.members_of(t)
    keys: list[Type] = []
    for name in members.names:
        member = members.get(name)
        if member is not None and member.visibility == "public" and not name.startswith("#"):
            keys.append(key_type(member, isinstance(t, Tuple)))
    if index_signatures and not _is_enum_object(r, t):
        for index in members.indexes:
            keys.append(index.key)
            if index.key is STRING:
                keys.append(NUMBER)
    return union(keys)


def _is_enum_object(r: Reducer, t: Type) -> bool:
    """Whether ``t`` is ``typeof E``: its reverse mapping is not a key."""
    if not isinstance(t, Object) or not t.properties:
        return False
    return all(is_enum_member(r, p.type) for p in t.properties)


def key_type(property_: Property, of_tuple: bool = False) -> Type:
    """Return the type of a property's name: getLiteralTypeFromProperty."""
    name = property_.name
    if name.startswith("@@"):
        return UniqueSymbol(name[2:])
    if not of_tuple and not property_.quoted and is_numeric_name(name):
        return Literal("number", name)
    return Literal("string", name)


def key_name(r: Reducer, key: Type) -> str | None:
    """Return the property name that a key selects; None if it is not a single one."""
    if isinstance(key, UniqueSymbol):
        return f"@@{key.declaration}"
    literal = literal_of(r, key)
    if literal is None or literal.kind not in ("string", "number"):
        return None
    return literal.text


def reduce_indexed_access(r: Reducer, t: IndexedAccess, *, writing: bool = False) -> Type:
    """Return the type of a property access, or a deferred access; getIndexedAccessType.

    Args:
        writing: intersect, rather than unite, over the members of a union.
    """
    object_type = r.normal(t.object)
    index = r.normal(t.index)
    if object_type is ANY:
        return ANY
    if object_type is NEVER:
        return NEVER
    if isinstance(index, Union):
        results = [r.normal(IndexedAccess(object_type, member)) for member in index.members]
        return intersection(results) if writing else union(results)
    if object_type.__class__ is Mapped:
        return _mapped_access(r, object_type, index)
    if _is_deferred_index(index) or _is_deferred_object(object_type, index):
        return _defer_access(r, t, object_type, index)
    if isinstance(object_type, Union):
        results = [r.normal(IndexedAccess(member, index)) for member in object_type.members]
        if index is NEVER and NEVER in results:
            return NEVER
        return intersection(results) if writing else union(results)
    return _property_access(r, object_type, index)


def _is_deferred_index(index: Type) -> bool:
    return is_generic(index)


def _is_deferred_object(object_type: Type, index: Type) -> bool:
    if isinstance(object_type, Tuple) and index is not NUMBER:
        # Elements before the first variadic one have known positions.
        fixed_count = 0
        for element in object_type.elements:
            if element.kind == "variadic":
                break
            fixed_count += 1
        else:
            return False
        return not (
            isinstance(index, Literal) and index.text.isdecimal() and int(index.text) < fixed_count
        )
    return is_generic(object_type)


def _defer_access(r: Reducer, t: IndexedAccess, object_type: Type, index: Type) -> Type:
    if isinstance(object_type, (Union, Intersection)) and not _is_deferred_index(index):
        results = [
            r.normal(IndexedAccess(member, index))
            for member in object_type.members
            if _has_key(r, member, index)
        ]
        return union(results) if isinstance(object_type, Union) else intersection(results)
    if object_type is t.object and index is t.index:
        return t
    return IndexedAccess(object_type, index)


def _has_key(r: Reducer, member: Type, index: Type) -> bool:
    if is_generic(member):
        return True
    name = key_name(r, index)
    members = r.members_of(member)
    if name is not None and property_of(r, member, name) is not None:
        return True
    return applicable_index_signature(r, members, index) is not None


def _mapped_access(r: Reducer, mapped: Mapped, index: Type) -> Type:
    """Return the template of a deferred mapped type for one key: substituteIndexedMappedType."""
    if mapped.rename is not None or not r.undetermined.isdisjoint(mapped.keys.free):
        return IndexedAccess(mapped, index)
    value = r.instantiate(mapped.type, (index,))
    return union((value, UNDEFINED)) if mapped.optional == "+" else value


def _property_access(r: Reducer, object_type: Type, index: Type) -> Type:
    if object_type in (UNKNOWN, UNDEFINED, NULL, VOID):
        return NEVER if index is NEVER else ANY
    name = key_name(r, index)
    if name is not None:
        property_ = property_of(r, object_type, name)
        if property_ is not None:
            return read_type(property_)
        if isinstance(object_type, Tuple) and is_numeric_name(name):
            return _type_past_end(object_type, float(name))
    members = r.members_of(object_type)
    signature = applicable_index_signature(r, members, index)
    if signature is None and primitive_of(r, index) is SYMBOL:
        # getPropertyTypeForIndexType takes the string index signature for symbols as well.
        signature = next((other for other in members.indexes if other.key is STRING), None)
    if signature is not None:
        return signature.type
    if isinstance(object_type, Array) and (index is ANY or index is NEVER):
        return object_type.element
    if index is NEVER:
        return NEVER
    return ANY if index is ANY else UNKNOWN


def _type_past_end(tuple_type: Tuple, position: float) -> Type:
    """Return the type of a tuple position without a fixed element: the rest, or undefined."""
    fixed = sum(1 for e in tuple_type.elements if e.kind in ("required", "optional"))
    rest = [e for e in tuple_type.elements if e.kind == "rest"]
    if not rest:
        return UNDEFINED if position >= fixed else tuple_element_type(tuple_type)
    start = next(i for i, e in enumerate(tuple_type.elements) if e.kind == "rest")
    return union([e.type for e in tuple_type.elements[start:]])
