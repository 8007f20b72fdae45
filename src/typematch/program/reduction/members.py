"""Say which members a type in normal form has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from typematch.ir.constructors import intersection, union
from typematch.ir.declaration import Declaration
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    THIS,
    UNDEFINED,
    UNKNOWN,
    Array,
    Free,
    IndexedAccess,
    IndexSignature,
    Intersection,
    Literal,
    Mapped,
    Object,
    Property,
    Reference,
    Signature,
    Tuple,
    Type,
    Union,
)
from typematch.program.reduction.resolved_members import (
    NO_MEMBERS,
    ResolvedMembers,
    merge,
    read_type,
)
from typematch.program.reduction.skolemize import opener
from typematch.program.reduction.unions import keyword_of, literal_of

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer

WRAPPERS = {
    "string": "global#String",
    "number": "global#Number",
    "boolean": "global#Boolean",
    "bigint": "global#BigInt",
    "symbol": "global#Symbol",
}


def shape_of(r: Reducer, t: Type, this: Type) -> ResolvedMembers:
    """Return the members of ``t`` with ``this`` for the polymorphic this type."""
    match t:
        case Object():
            return _written(r, t, this)
        case Reference():
            return _declared(r, t, this)
        case Array():
            return _array(r, t.element, t.readonly, this)
        case Tuple():
            return _tuple(r, t, this)
        case Intersection(members):
            return _intersection(r, members, t if this is t else this)
        case Union(members):
            return _union(r, members)
        case Mapped():
            return _open_mapped(r, t)
        case _:
            base = apparent(r, t)
            return NO_MEMBERS if base is t else r.shape(base, t if t.__class__ is Free else base)


def apparent(r: Reducer, t: Type) -> Type:
    """Return the object type behind a primitive or a variable; any other type as it is."""
    keyword = keyword_of(r, t)
    if keyword is not None:
        wrapper = WRAPPERS.get(keyword.name)
        return t if wrapper is None else Reference(wrapper)
    constraint = base_constraint(r, t)
    if constraint is None or constraint is t:
        return t
    return apparent(r, constraint)


def base_constraint(r: Reducer, t: Type) -> Type | None:
    """Return the closest type that surely holds ``t`` and hangs on no variable at its head.

    None: no variable.
    """
    from typematch.program.reduction.constraints import constraint_of

    seen: set[Type] = set()
    current = t
    while current not in seen:
        seen.add(current)
        above = constraint_of(r, current)
        if above is None:
            return None if current is t else current
        current = r.normal(above)
    return UNKNOWN


def _open_mapped(r: Reducer, t: Mapped) -> ResolvedMembers:
    """Return the members that a mapped type has for the keys that its variable surely has."""
    from typematch.program.reduction.mapped_types import with_known_keys

    known = with_known_keys(r, t)
    return NO_MEMBERS if known is None else r.shape(known)


def _written(r: Reducer, t: Object, this: Type) -> ResolvedMembers:
    if this is not t and THIS in t.free:
        opened = opener(r, (), this).apply(t)
        return _written(r, opened, opened)
    own = r.by_name(t)
    implicit = not t.calls and not t.constructs
    return ResolvedMembers(
        own, calls=t.calls, constructs=t.constructs, indexes=t.indexes, implicit=implicit
    )


def _declared(r: Reducer, t: Reference, this: Type) -> ResolvedMembers:
    declaration = r.declaration(t.target)
    if declaration is None:
        return NO_MEMBERS
    if keyword_of(r, t) is not None:
        base = apparent(r, t)
        return NO_MEMBERS if base is t else r.shape(base)
    body = declaration.type
    if not isinstance(body, Object):
        return NO_MEMBERS
    return _opened(r, declaration, body, t.arguments, this)


def _opened(
    r: Reducer, declaration: Declaration, body: Object, arguments: tuple[Type, ...], this: Type
) -> ResolvedMembers:
    opening = opener(r, arguments, this)
    bases = tuple([r.shape(opening.apply(base), this) for base in declaration.extends])
    plain = body.loose == 0 and THIS not in body.free
    calls = body.calls if plain else opening.all(body.calls, 0)
    constructs = body.constructs if plain else opening.all(body.constructs, 0)
    indexes = body.indexes if plain else opening.all(body.indexes, 0)
    for base in bases:
        calls += base.calls
        constructs += base.constructs
        indexes += tuple(i for i in base.indexes if all(i.key is not mine.key for mine in indexes))
    return ResolvedMembers(
        r.by_name(body),
        calls=calls,
        constructs=constructs,
        indexes=indexes,
        bases=bases,
        opener=None if plain else opening.apply,
    )


def _array(r: Reducer, element: Type, readonly: bool, this: Type) -> ResolvedMembers:
    declaration = r.declaration("global#ReadonlyArray" if readonly else "global#Array")
    if declaration is not None and isinstance(declaration.type, Object):
        return _opened(r, declaration, declaration.type, (element,), this)
    length = Property("length", NUMBER)
    return ResolvedMembers({"length": length}, indexes=(IndexSignature(NUMBER, element, readonly),))


def _tuple(r: Reducer, t: Tuple, this: Type) -> ResolvedMembers:
    own: dict[str, Property] = {}
    lengths: list[Type] = []
    for position, element in enumerate(t.elements):
        if element.kind in ("rest", "variadic"):
            break
        name = str(position)
        optional = element.kind == "optional"
        own[name] = Property(name, element.type, optional, t.readonly)
        if optional:
            lengths.append(Literal("number", name))
    fixed = len(own) == len(t.elements)
    lengths.append(Literal("number", str(len(own))))
    length: Type = union(lengths) if fixed else NUMBER
    own["length"] = Property("length", length, False, t.readonly)
    base = _array(r, element_type(t), t.readonly, this)
    return ResolvedMembers(own, indexes=base.indexes, bases=(base,))


def element_type(t: Tuple) -> Type:
    """Return the union of everything that reading ``t[number]`` may give."""
    parts: list[Type] = []
    for element in t.elements:
        if element.kind == "variadic":
            parts.append(IndexedAccess(element.type, NUMBER))
        else:
            parts.append(element.type)
            if element.kind == "optional":
                parts.append(UNDEFINED)
    return union(parts)


def _intersection(r: Reducer, members: Iterable[Type], this: Type) -> ResolvedMembers:
    shapes = [r.shape(member, this) for member in members]
    return merged(shapes, all(s.implicit for s in shapes))


def merged(shapes: list[ResolvedMembers], implicit: bool) -> ResolvedMembers:
    """Return the members of an intersection of what has ``shapes``."""
    by_name: dict[str, list[Property]] = {}
    for shape in shapes:
        for member in shape:
            by_name.setdefault(member.name, []).append(member)
    calls: list[Signature] = []
    constructs: list[Signature] = []
    indexes: dict[Type, IndexSignature] = {}
    for shape in shapes:
        calls += [s for s in shape.calls if s not in calls]
        constructs += [s for s in shape.constructs if s not in constructs]
        for index in shape.indexes:
            old = indexes.get(index.key)
            indexes[index.key] = index if old is None else _both(old, index)
    return ResolvedMembers(
        {name: merge(name, parts) for name, parts in by_name.items()},
        calls=tuple(calls),
        constructs=tuple(constructs),
        indexes=tuple(indexes.values()),
        implicit=implicit,
    )


def _both(a: IndexSignature, b: IndexSignature) -> IndexSignature:
    return IndexSignature(a.key, intersection((a.type, b.type)), a.readonly and b.readonly)


def _union(r: Reducer, members: tuple[Type, ...]) -> ResolvedMembers:
    """Return what every member of a union has: properties of the union of types."""
    shapes = [r.shape(member) for member in members]
    own: dict[str, Property] = {}
    for name in shapes[0].names:
        parts = [p for shape in shapes if (p := shape.get(name)) is not None]
        if len(parts) == len(shapes):
            optional = any(p.optional for p in parts)
            kind = union([p.type if optional else read_type(p) for p in parts])
            hidden = next((p for p in parts if p.visibility != "public"), parts[0])
            own[name] = Property(
                name, kind, optional, False, False, hidden.visibility, hidden.owner
            )
    indexes = []
    for index in shapes[0].indexes:
        every = [i for shape in shapes for i in shape.indexes if i.key is index.key]
        if len(every) == len(shapes):
            indexes.append(IndexSignature(index.key, union([i.type for i in every])))
    return ResolvedMembers(own, indexes=tuple(indexes))


def property_of(r: Reducer, t: Type, name: str) -> Property | None:
    """Return a property that reading ``t.name`` finds.

    Those of all functions and objects included.
    """
    shape = r.shape(t)
    found = shape.get(name)
    if found is not None:
        return found
    if t.__class__ is Union:
        return None
    if shape.calls or shape.constructs:
        for key in ("global#CallableFunction", "global#Function"):
            found = r.shape(Reference(key)).get(name)
            if found is not None:
                return found
    return r.shape(Reference("global#Object")).get(name)


def applicable_index(r: Reducer, shape: ResolvedMembers, key: Type) -> IndexSignature | None:
    """Return the index signature that reading with ``key`` falls on, the most specific first."""
    fitting = [i for i in shape.indexes if index_applies(r, key, i.key)]
    if len(fitting) > 1:
        narrow = [i for i in fitting if i.key is not STRING]
        if len(narrow) == 1:
            return narrow[0]
        return IndexSignature(UNKNOWN, intersection([i.type for i in narrow]))
    return fitting[0] if fitting else None


def index_applies(r: Reducer, key: Type, index: Type) -> bool:
    """Return whether a key of type ``key`` is read through an index signature over ``index``."""
    if key is index or key is ANY or key is NEVER:
        return True
    keyword = keyword_of(r, key)
    if index is STRING:
        return keyword is STRING or keyword is NUMBER
    if index is NUMBER:
        literal = literal_of(r, key)
        if literal is not None and literal.kind == "string":
            return is_numeric(literal.text)
        return keyword is NUMBER
    if keyword is index:
        return True
    return keyword is STRING and r.judge is not None and r.judge.assignable(key, index)


def is_numeric(text: str) -> bool:
    """Return whether a property name is a number in its own spelling."""
    if text.isdecimal() and text.isascii():
        return text == "0" or text[0] != "0"
    if text in ("NaN", "Infinity", "-Infinity"):
        return True
    try:
        value = float(text)
    except ValueError:
        return False
    return number_text(value) == text


def number_text(value: float) -> str:
    """Return a number as JavaScript spells it (common cases; exponents as Python writes them)."""
    if abs(value) < 1e21 and value == int(value):
        return str(int(value))
    return repr(value)
