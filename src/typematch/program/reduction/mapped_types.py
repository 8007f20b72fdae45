"""Work out mapped types whose keys are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, object_type, union
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
    IndexSignature,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Property,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    Var,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.indexed_access import ANY_KEY, key_name, key_type
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.members import (
    applicable_index,
    base_constraint,
    is_numeric,
    property_of,
)
from typematch.program.reduction.resolved_members import ResolvedMembers
from typematch.program.reduction.unions import keyword_of

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def mapped(r: Reducer, t: Mapped) -> Type:
    """Return the object type that ``t`` describes.

    ``t`` with its keys reduced where they hang on a variable.
    """
    source = _modifiers_from(t)
    if source is not None and isinstance(t.keys, KeyOf):
        of = r.normal(source)
        if of is UNKNOWN:
            return Object()
        if is_generic(of):
            return t
        if isinstance(of, Reference) and keyword_of(r, of) is not None:
            return of  # a member of an enum stays what it is, as any primitive does
        return _build(r, t, _own_keys(r, of), r.shape(source))
    keys = r.normal(t.keys)
    if is_generic(keys):
        return t if keys is t.keys else Mapped(keys, t.type, t.rename, t.readonly, t.optional)
    return _build(r, t, constituents(keys), None if source is None else r.shape(source))


def with_known_keys(r: Reducer, t: Mapped) -> Type | None:
    """Return what ``t`` is for those keys that the constraint of its variable lists.

    None if it lists none.
    """
    if not isinstance(t.keys, KeyOf) or t.rename is not None:
        return None
    base = base_constraint(r, r.normal(t.keys.type))
    if base is None or isinstance(base, (Array, Tuple, Mapped)):
        return None
    return _build(r, t, _own_keys(r, base), r.shape(base))


def _own_keys(r: Reducer, of: Type) -> tuple[Type, ...]:
    """Return each property's key and each index signature's.

    A union would swallow names beside ``string``.
    """
    if isinstance(of, Union):
        return _shared_keys(r, of)
    if of is NEVER:
        return ()
    if isinstance(of, Intrinsic):
        return constituents(ANY_KEY if of is ANY else r.normal(KeyOf(of)))
    shape = r.shape(of)
    named = [p for p in shape if p.visibility == "public" and not p.name.startswith("#")]
    return (*(key_type(p) for p in named), *(index.key for index in shape.indexes))


def _shared_keys(r: Reducer, of: Union) -> tuple[Type, ...]:
    """Return the keys that all members of a union have, as the compiler lists them.

    It looks for them in the first member (and the next where that one has an index signature); what
    every object has counts for the others.
    """
    if not _NOTHING.isdisjoint(of.members):
        return ()
    members = sorted(of.members, key=lambda member: keyword_of(r, member) is None)
    keys: dict[Type, None] = {}
    for member in members:
        shape = r.shape(member)
        for p in shape:
            if all(_gives(r, other, p) for other in members):
                keys[key_type(p)] = None
        if not shape.indexes:
            break
    if all(r.shape(member).indexes for member in members):
        keys |= dict.fromkeys(constituents(r.normal(KeyOf(of))))
    return tuple(keys)


def _gives(r: Reducer, t: Type, p: Property) -> bool:
    if property_of(r, t, p.name) is not None:
        return True
    return applicable_index(r, r.shape(t), key_type(p)) is not None


_NOTHING = frozenset((UNDEFINED, NULL, VOID, UNKNOWN, NEVER))
_UNDEFINED = frozenset((UNDEFINED, VOID))


def _modifiers_from(t: Mapped) -> Type | None:
    """Return the type whose modifiers carry over.

    ``T`` of ``keyof T``, or of ``T[K]`` in ``Pick``.
    """
    if isinstance(t.keys, KeyOf):
        return t.keys.type
    if isinstance(t.type, IndexedAccess) and t.type.index is _KEY and t.type.object.loose == 0:
        return t.type.object
    return None


_KEY = Var(0, 0)


def _build(r: Reducer, t: Mapped, keys: tuple[Type, ...], source: ResolvedMembers | None) -> Type:
    properties: list[Property] = []
    indexes: dict[Type, IndexSignature] = {}
    seen: set[str] = set()
    if len(keys) > r.limits.product:
        raise LimitReached("a mapped type has too many keys")
    r.steps += len(keys) // 8
    for key in keys:
        for written in _names(r, t, key):
            name_key = STRING if written is ANY else written
            name = key_name(r, name_key)
            if name is not None:
                if name not in seen:
                    seen.add(name)
                    properties.append(_property(r, t, key, name, source))
            elif name_key in (STRING, NUMBER, SYMBOL) or isinstance(name_key, Template):
                value = instantiate(t.type, (key,), normal=r.normal)
                old = indexes.get(name_key)
                if old is not None:
                    value = union((old.type, value))
                if t.optional == "+":
                    value = union((value, UNDEFINED))
                indexes[name_key] = IndexSignature(name_key, value, t.readonly == "+")
    if (
        STRING in indexes
        and NUMBER in indexes
        and t.rename is None
        and (source is None or all(i.key is not NUMBER for i in source.indexes))
    ):
        # keyof { [k: string]: X } lists number too, which the string signature already covers.
        del indexes[NUMBER]
    return object_type(properties, indexes=indexes.values())


def _names(r: Reducer, t: Mapped, key: Type) -> tuple[Type, ...]:
    if t.rename is None:
        return (key,)
    renamed = r.normal(instantiate(t.rename, (key,), normal=r.normal))
    return () if renamed is NEVER else constituents(renamed)


def _property(
    r: Reducer, t: Mapped, key: Type, name: str, source: ResolvedMembers | None
) -> Property:
    original = None
    if source is not None:
        read = key_name(r, key)
        original = None if read is None else source.get(read)
    was_optional = original is not None and original.optional
    optional = t.optional == "+" or (was_optional and t.optional != "-")
    readonly = t.readonly == "+" or (
        original is not None and original.readonly and t.readonly != "-"
    )
    value: Type = instantiate(t.type, (key,), normal=r.normal)
    if t.optional == "-" and was_optional:
        value = union([m for m in constituents(r.normal(value)) if m not in _UNDEFINED])
    elif (
        was_optional
        and optional
        and isinstance(value, IndexedAccess)
        and original is not None
        and r.normal(value) is r.normal(union((original.type, UNDEFINED)))
    ):
        # T[P] of an optional property holds undefined already; the property stays as it was.
        value = original.type
    quoted = isinstance(key, Literal) and key.kind == "string" and is_numeric(name)
    return Property(name, value, optional, readonly, quoted=quoted)
