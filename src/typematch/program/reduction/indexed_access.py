"""Work out ``keyof T`` and ``T[K]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
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
    Property,
    Reference,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
    Var,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.members import (
    applicable_index,
    is_numeric,
    property_of,
)
from typematch.program.reduction.resolved_members import read_type
from typematch.program.reduction.unions import is_enum_member, literal_of

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer

ANY_KEY = union((STRING, NUMBER, SYMBOL))


def keys_of(r: Reducer, t: KeyOf) -> Type:
    """Return the keys of ``t.type`` as a union; ``keyof`` itself where they hang on a variable."""
    written = written_mapped(r, t.type)
    if written is not None and written.rename is None and not isinstance(written.keys, KeyOf):
        # Of { [k: string]: X } the keys are numbers too, of Record<string, X> only what it maps.
        return r.normal(written.keys)
    of = r.normal(t.type)
    match of:
        case Union(members):
            return intersection([KeyOf(member) for member in members])
        case Intersection(members):
            return union([KeyOf(member) for member in members])
        case Mapped(keys, _, rename):
            return rename_union(r, of) if rename is not None else keys
        case Intrinsic(name) if name in ("any", "never"):
            return ANY_KEY
        case Intrinsic(name) if name in ("unknown", "undefined", "null", "void", "object"):
            return NEVER
        case Free() | IndexedAccess() | Conditional() | KeyOf():
            return t if of is t.type else KeyOf(of)
        case Intrinsic("this"):
            return t if of is t.type else KeyOf(of)
        case Tuple(elements) if any(e.kind == "variadic" for e in elements):
            return t if of is t.type else KeyOf(of)
        case _:
            return known_keys(r, of)


def written_mapped(r: Reducer, t: Type) -> Mapped | None:
    """Return the mapped type that ``t`` is, or is an alias of; None for any other type."""
    use = mapping_alias(r, t)
    written = t if use is None else _one_step(r, use)
    return written if isinstance(written, Mapped) else None


def mapping_alias(r: Reducer, t: Type) -> Reference | None:
    """Return the use of the alias that writes a mapped type: ``t``, or what it leads to.

    None if it leads to anything else.
    """
    for _ in range(r.limits.expansion):
        if not isinstance(t, Reference) or t.target in (_ARRAY, _READONLY_ARRAY):
            return None
        declaration = r.declaration(t.target)
        if declaration is None or declaration.kind != "alias":
            return None
        if isinstance(declaration.type, Mapped):
            return t
        if not isinstance(declaration.type, Reference):
            return None
        t = _one_step(r, t)
    return None


def homomorphic_alias(r: Reducer, t: Type) -> Reference | None:
    """Return the use of the alias that writes a mapped type over ``keyof T``, as above."""
    use = mapping_alias(r, t)
    declaration = None if use is None else r.declaration(use.target)
    body = None if declaration is None else declaration.type
    over = body.keys if isinstance(body, Mapped) else None
    return use if isinstance(over, KeyOf) and isinstance(over.type, Var) else None


def _one_step(r: Reducer, use: Reference) -> Type:
    """Return what a use of an alias stands for, as it is written there."""
    declaration = r.declaration(use.target)
    if declaration is None or declaration.type is None:
        return use
    arguments = r.arguments(declaration, use.arguments)
    return instantiate(declaration.type, arguments, normal=r.normal)


_ARRAY, _READONLY_ARRAY = "global#Array", "global#ReadonlyArray"


def rename_union(r: Reducer, t: Mapped) -> Type:
    """Return the names that an ``as`` clause gives, as far as its keys are known."""
    keys = r.normal(t.keys)
    if t.rename is None:
        return keys
    return union([instantiate(t.rename, (key,), normal=r.normal) for key in constituents(keys)])


def known_keys(r: Reducer, t: Type, *, indexes: bool = True) -> Type:
    """Return the public keys of a type that hangs on no variable.

    Index signatures included if wanted.
    """
    shape = r.shape(t)
    keys: list[Type] = []
    for name in shape.names:
        member = shape.get(name)
        if member is not None and member.visibility == "public" and not name.startswith("#"):
            keys.append(key_type(member, isinstance(t, Tuple)))
    if indexes and not _is_enum_object(r, t):
        for index in shape.indexes:
            keys.append(index.key)
            if index.key is STRING:
                keys.append(NUMBER)
    return union(keys)


def _is_enum_object(r: Reducer, t: Type) -> bool:
    """Return whether ``t`` is ``typeof E``: reading a name by number is no key of it."""
    if not isinstance(t, Object) or not t.properties:
        return False
    return all(is_enum_member(r, p.type) for p in t.properties)


def key_type(p: Property, of_tuple: bool = False) -> Type:
    """Return the type of a property's name: a literal or a unique symbol."""
    name = p.name
    if name.startswith("@@"):
        return UniqueSymbol(name[2:])
    if not of_tuple and not p.quoted and is_numeric(name):
        return Literal("number", name)
    return Literal("string", name)


def key_name(r: Reducer, key: Type) -> str | None:
    """Return the name of the property that a key reads, None if it is no single one."""
    if isinstance(key, UniqueSymbol):
        return f"@@{key.declaration}"
    literal = literal_of(r, key)
    if literal is None or literal.kind not in ("string", "number"):
        return None
    return literal.text


def indexed_access(r: Reducer, t: IndexedAccess, *, writing: bool = False) -> Type:
    """Return what reading gives; the access itself where it hangs on a variable."""
    receiver = r.normal(t.object)
    index = r.normal(t.index)
    if receiver is ANY:
        return ANY
    if receiver is NEVER:
        return NEVER
    if isinstance(index, Union):
        read = [r.normal(IndexedAccess(receiver, member)) for member in index.members]
        return intersection(read) if writing else union(read)
    if receiver.__class__ is Mapped:
        return _through_mapped(r, receiver, index)
    if _open_index(index) or _open_receiver(receiver, index):
        return _open_access(r, t, receiver, index)
    if isinstance(receiver, Union):
        read = [r.normal(IndexedAccess(member, index)) for member in receiver.members]
        if index is NEVER and NEVER in read:
            return NEVER
        return intersection(read) if writing else union(read)
    return _read(r, receiver, index)


def _open_index(index: Type) -> bool:
    return is_generic(index)


def _open_receiver(receiver: Type, index: Type) -> bool:
    if isinstance(receiver, Tuple) and index is not NUMBER:
        # Elements before a variadic one are known.
        before = 0
        for element in receiver.elements:
            if element.kind == "variadic":
                break
            before += 1
        else:
            return False
        return not (
            isinstance(index, Literal) and index.text.isdecimal() and int(index.text) < before
        )
    return is_generic(receiver)


def _open_access(r: Reducer, t: IndexedAccess, receiver: Type, index: Type) -> Type:
    if isinstance(receiver, (Union, Intersection)) and not _open_index(index):
        read = [
            r.normal(IndexedAccess(member, index))
            for member in receiver.members
            if _has(r, member, index)
        ]
        return union(read) if isinstance(receiver, Union) else intersection(read)
    if receiver is t.object and index is t.index:
        return t
    return IndexedAccess(receiver, index)


def _has(r: Reducer, member: Type, index: Type) -> bool:
    if is_generic(member):
        return True
    name = key_name(r, index)
    shape = r.shape(member)
    if name is not None and property_of(r, member, name) is not None:
        return True
    return applicable_index(r, shape, index) is not None


def _through_mapped(r: Reducer, receiver: Mapped, index: Type) -> Type:
    """Return what a deferred mapped type gives to one key: its template with the key put in."""
    if receiver.rename is not None:
        return IndexedAccess(receiver, index)
    value = instantiate(receiver.type, (index,), normal=r.normal)
    return union((value, UNDEFINED)) if receiver.optional == "+" else value


def _read(r: Reducer, receiver: Type, index: Type) -> Type:
    if receiver in (UNKNOWN, UNDEFINED, NULL, VOID):
        return NEVER if index is NEVER else ANY
    name = key_name(r, index)
    if name is not None:
        found = property_of(r, receiver, name)
        if found is not None:
            return read_type(found)
        if isinstance(receiver, Tuple) and is_numeric(name):
            return _beyond(receiver, int(float(name)))
    found_index = applicable_index(r, r.shape(receiver), index)
    if found_index is not None:
        return found_index.type
    if isinstance(receiver, Array) and (index is ANY or index is NEVER):
        return receiver.element
    if index is NEVER:
        return NEVER
    return ANY if index is ANY else UNKNOWN


def _beyond(receiver: Tuple, position: int) -> Type:
    """Return what a tuple holds at a position where no fixed element stands.

    Its rest, or undefined.
    """
    from typematch.program.reduction.members import element_type

    fixed = sum(1 for e in receiver.elements if e.kind in ("required", "optional"))
    rest = [e for e in receiver.elements if e.kind == "rest"]
    if not rest:
        return UNDEFINED if position >= fixed else element_type(receiver)
    start = next(i for i, e in enumerate(receiver.elements) if e.kind == "rest")
    return union([e.type for e in receiver.elements[start:]])
