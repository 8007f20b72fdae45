"""Mapped types whose keys are known: resolveMappedTypeMembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, object_type, union
from typematch.ir.literals import is_numeric_name
from typematch.ir.type_parts import IndexSignature, Property
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
    IndexedAccess,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    Var,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.indexed_access import key_name, key_type
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.members import (
    applicable_index_signature,
    base_constraint,
    property_of,
)
from typematch.program.reduction.resolved_members import ResolvedMembers
from typematch.program.reduction.unions import primitive_of

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def reduce_mapped(r: Reducer, t: Mapped) -> Type:
    """Return the object type of ``t``; ``t`` with reduced keys if they depend on a variable."""
    source = _modifiers_type(t)
    if source is not None and isinstance(t.keys, KeyOf):
        source_type = r.normal(source)
        if source_type is UNKNOWN:
            return Object()
        if is_generic(source_type):
            return t
        if isinstance(source_type, Reference) and primitive_of(r, source_type) is not None:
            return source_type  # enum members are primitives, which stay themselves
        return _resolve_members(r, t, _source_keys(r, source_type), r.members_of(source))
    keys = r.normal(t.keys)
    if is_generic(keys):
        return t if keys is t.keys else Mapped(keys, t.type, t.rename, t.readonly, t.optional)
    return _resolve_members(
        r, t, constituents(keys), None if source is None else r.members_of(source)
    )


def with_known_keys(r: Reducer, t: Mapped) -> Type | None:
    """Return ``t`` resolved for the keys of its variable's constraint.

    None if the constraint has no known keys.
    """
    if not isinstance(t.keys, KeyOf) or t.rename is not None:
        return None
    constraint = base_constraint(r, r.normal(t.keys.type))
    if constraint is None or isinstance(constraint, (Array, Tuple, Mapped)):
        return None
    return _resolve_members(r, t, _source_keys(r, constraint), r.members_of(constraint))


def _source_keys(r: Reducer, source_type: Type) -> tuple[Type, ...]:
    """Return the keys of each property and index signature.

    A union of them would drop literals in the presence of ``string``.
    """
    if isinstance(source_type, Union):
        return _union_keys(r, source_type)
    if source_type is NEVER:
        return ()
    if source_type is ANY:
        return (STRING,)  # forEachMappedTypePropertyKeyTypeAndSignatureKeyType
    if isinstance(source_type, Intrinsic):
        return constituents(r.normal(KeyOf(source_type)))
    members = r.members_of(source_type)
    properties = [p for p in members if p.visibility == "public" and not p.name.startswith("#")]
    return (*(key_type(p) for p in properties), *(index.key for index in members.indexes))


def _union_keys(r: Reducer, union_type: Union) -> tuple[Type, ...]:
    """Return the keys common to all members of a union, in the checker's order.

    Candidates are the properties of the first member, and of the next ones as long as the member
    has an index signature; properties of ``Object`` count for the other members.
    """
    if not _WITHOUT_MEMBERS.isdisjoint(union_type.members):
        return ()
    members = sorted(union_type.members, key=lambda member: primitive_of(r, member) is None)
    keys: dict[Type, None] = {}
    for member in members:
        candidates = r.members_of(member)
        for p in candidates:
            if all(_has_property(r, member, p) for member in members):
                keys[key_type(p)] = None
        if not candidates.indexes:
            break
    if all(r.members_of(member).indexes for member in members):
        keys |= dict.fromkeys(constituents(r.normal(KeyOf(union_type))))
    return tuple(keys)


def _has_property(r: Reducer, t: Type, property_: Property) -> bool:
    if property_of(r, t, property_.name) is not None:
        return True
    return applicable_index_signature(r, r.members_of(t), key_type(property_)) is not None


_WITHOUT_MEMBERS = frozenset((UNDEFINED, NULL, VOID, UNKNOWN, NEVER))
_UNDEFINED = frozenset((UNDEFINED, VOID))


def _modifiers_type(t: Mapped) -> Type | None:
    """Return the type whose modifiers carry over: getModifiersTypeFromMappedType.

    ``T`` of ``keyof T``, or of ``T[K]`` in ``Pick``.
    """
    if isinstance(t.keys, KeyOf):
        return t.keys.type
    if (
        isinstance(t.type, IndexedAccess)
        and t.type.index is _KEY_VARIABLE
        and t.type.object.loose_depth == 0
    ):
        return t.type.object
    return None


_KEY_VARIABLE = Var(0, 0)


def _resolve_members(
    r: Reducer, t: Mapped, keys: tuple[Type, ...], source: ResolvedMembers | None
) -> Type:
    properties: list[Property] = []
    indexes: dict[Type, IndexSignature] = {}
    names: set[str] = set()
    if len(keys) > r.limits.product:
        raise LimitReached("a mapped type has too many keys")
    r.steps += len(keys) // 8
    for key in keys:
        for key_part in _key_names(r, t, key):
            name_key = STRING if key_part is ANY else key_part
            name = key_name(r, name_key)
            if name is not None:
                if name not in names:
                    names.add(name)
                    properties.append(_property(r, t, key, name, source))
            elif name_key in (STRING, NUMBER, SYMBOL) or isinstance(name_key, Template):
                value = r.instantiate(t.type, (key,))
                previous = indexes.get(name_key)
                if previous is not None:
                    value = union((previous.type, value))
                if t.optional == "+":
                    value = union((value, UNDEFINED))
                indexes[name_key] = IndexSignature(name_key, value, t.readonly == "+")
    if (
        STRING in indexes
        and NUMBER in indexes
        and t.rename is None
        and (source is None or all(i.key is not NUMBER for i in source.indexes))
    ):
        # keyof { [k: string]: X } includes number, which the string signature covers.
        del indexes[NUMBER]
    return object_type(properties, indexes=indexes.values())


def _key_names(r: Reducer, t: Mapped, key: Type) -> tuple[Type, ...]:
    if t.rename is None:
        return (key,)
    renamed = r.normal(r.instantiate(t.rename, (key,)))
    return () if renamed is NEVER else constituents(renamed)


def _property(
    r: Reducer, t: Mapped, key: Type, name: str, source: ResolvedMembers | None
) -> Property:
    source_property = None
    if source is not None:
        source_name = key_name(r, key)
        source_property = None if source_name is None else source.get(source_name)
    was_optional = source_property is not None and source_property.optional
    optional = t.optional == "+" or (was_optional and t.optional != "-")
    readonly = t.readonly == "+" or (
        source_property is not None and source_property.readonly and t.readonly != "-"
    )
    value: Type = r.instantiate(t.type, (key,))
    if t.optional == "-" and was_optional:
        value = union([m for m in constituents(r.normal(value)) if m not in _UNDEFINED])
    elif (
        was_optional
        and optional
        and isinstance(value, IndexedAccess)
        and source_property is not None
        and r.normal(value) is r.normal(union((source_property.type, UNDEFINED)))
    ):
        # T[P] of an optional property includes undefined; keep the declared type.
        value = source_property.type
    quoted = isinstance(key, Literal) and key.kind == "string" and is_numeric_name(name)
    return Property(name, value, optional, readonly, quoted=quoted)
