"""Late-bound names: properties named by a constant, ``[URI]: X`` with ``const URI = "Reader"``.

They are stored under the constant's key, because its value may be declared in another file.  If the
constant is a unique symbol or unknown, the key stays the property's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from typematch.ir.constructors import own_property
from typematch.ir.declaration import Declaration
from typematch.ir.type_parts import Property
from typematch.ir.types import Literal, Object, Reference, Type, TypeOf

FindDeclaration: TypeAlias = Callable[[str], Declaration | None]
_MAX_HOPS = 16  # length of a chain of constants


def properties_by_name(find: FindDeclaration, t: Object) -> Mapping[str, Property]:
    """Return the properties of ``t`` by name, late-bound ones by the value of their constant."""
    declared, late_bound = _declared_properties(t)
    if not late_bound:
        return declared
    by_name = dict(declared)
    for declared_name in late_bound:
        name = late_bound_name(find, declared_name)
        if name != declared_name:
            property_ = by_name.pop(declared_name)
            by_name.setdefault(name, with_name(property_, name))
    return by_name


# Shared: each of a thousand types that read one property of a large type has a reducer of its own.
@lru_cache(maxsize=4_096)
def _declared_properties(t: Object) -> tuple[Mapping[str, Property], Sequence[str]]:
    """Return the properties of ``t`` by declared name, and the names that are late-bound."""
    by_name = {property_.name: property_ for property_ in t.properties}
    return by_name, [name for name in by_name if name.startswith("@@") and "#" in name]


def late_bound_name(find: FindDeclaration, name: str) -> str:
    """Return the name of a property that is declared under a constant's key (``@@KEY``)."""
    if not name.startswith("@@") or "#" not in name:
        return name
    text = _constant_text(find, name[2:])
    return name if text is None else text


def with_name(property_: Property, name: str) -> Property:
    """Return a property with another name."""
    return Property(
        name,
        property_.type,
        property_.optional,
        property_.readonly,
        property_.method,
        property_.visibility,
        property_.owner,
        property_.write,
        property_.quoted,
    )


def _constant_text(find: FindDeclaration, path: str) -> str | None:
    """Return the string or number that a constant holds, as text; None for any other value."""
    key, names = _split_path(find, path)
    current: Type | None = TypeOf(Reference(key), names)
    for _ in range(_MAX_HOPS):
        match current:
            case Literal(kind, text):
                return text if kind in ("string", "number") else None
            case TypeOf(Reference(target), steps):
                current = _value_type(find, target, steps)
            case Reference(target, ()):
                declaration = find(target)
                kinds = ("alias", "enum-member")
                is_type = declaration is not None and declaration.kind in kinds
                current = declaration.type if declaration is not None and is_type else None
            case _:
                return None
    return None


def _split_path(find: FindDeclaration, path: str) -> tuple[str, tuple[str, ...]]:
    """Split a dotted path into the key of a declaration and the properties read from it."""
    key = path
    rest: tuple[str, ...] = ()
    while find(key) is None:
        shorter, separator, last = key.rpartition(".")
        if not separator or "#" not in shorter:
            return path, ()
        key, rest = shorter, (last, *rest)
    return key, rest


def _value_type(find: FindDeclaration, key: str, steps: tuple[str, ...]) -> Type | None:
    """Return the type of a constant, or of the properties read from it."""
    declaration = find(key)
    for position, step in enumerate(steps):
        member_key = None if declaration is None else declaration.member_key(step)
        if member_key is None:
            value = None if declaration is None else declaration.value
            return _property_type(value, steps[position:])
        declaration = find(member_key)
    if declaration is None:
        return None
    return declaration.type if declaration.kind == "enum-member" else declaration.value


def _property_type(value: Type | None, steps: tuple[str, ...]) -> Type | None:
    for step in steps:
        if not isinstance(value, Object):
            return None
        property_ = own_property(value, step)
        value = None if property_ is None else property_.type
    return value
