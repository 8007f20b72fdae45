"""Name the properties whose name is a constant's value: ``[URI]: X`` with ``const URI = "Reader"``.

Their declarations are stored under the constant's key, because its value may stand in another file.
A constant that is a unique symbol, or that nobody knows, keeps the key as the property's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from typematch.ir.declaration import Declaration
from typematch.ir.types import Literal, Object, Property, Reference, Type, TypeOf

Find: TypeAlias = Callable[[str], Declaration | None]
_HOPS = 16  # constants that stand for each other


def by_name(find: Find, properties: Iterable[Property]) -> Mapping[str, Property]:
    """Return ``properties`` by name, those with the value of a constant for a name under that."""
    found = {p.name: p for p in properties}
    late = [name for name in found if name.startswith("@@") and "#" in name]
    for written in late:
        name = late_name(find, written)
        if name != written:
            p = found.pop(written)
            found.setdefault(name, renamed(p, name))
    return found


def late_name(find: Find, name: str) -> str:
    """Return the name of a property that is declared under a constant's key (``@@KEY``)."""
    if not name.startswith("@@") or "#" not in name:
        return name
    value = _value(find, name[2:])
    return name if value is None else value


def renamed(p: Property, name: str) -> Property:
    """Return a property under another name."""
    return Property(
        name, p.type, p.optional, p.readonly, p.method, p.visibility, p.owner, p.write, p.quoted
    )


def _value(find: Find, path: str) -> str | None:
    """Return the text that a constant stands for; None if it is no string or number."""
    key, names = _declared(find, path)
    current: Type | None = TypeOf(Reference(key), names)
    for _ in range(_HOPS):
        match current:
            case Literal(kind, text):
                return text if kind in ("string", "number") else None
            case TypeOf(Reference(target), steps):
                current = _read(find, target, steps)
            case Reference(target, ()):
                declaration = find(target)
                typed = ("alias", "enum-member")
                named = declaration is not None and declaration.kind in typed
                current = declaration.type if declaration is not None and named else None
            case _:
                return None
    return None


def _declared(find: Find, path: str) -> tuple[str, tuple[str, ...]]:
    """Split a dotted path into the key of a declaration and what is read from its value."""
    key = path
    rest: tuple[str, ...] = ()
    while find(key) is None:
        shorter, dot, last = key.rpartition(".")
        if not dot or "#" not in shorter:
            return path, ()
        key, rest = shorter, (last, *rest)
    return key, rest


def _read(find: Find, key: str, steps: tuple[str, ...]) -> Type | None:
    """Return the type of a constant, or of what ``steps`` read from it."""
    declaration = find(key)
    for position, step in enumerate(steps):
        inner = None if declaration is None else dict(declaration.members).get(step)
        if inner is None:
            value = None if declaration is None else declaration.value
            return _property(value, steps[position:])
        declaration = find(inner)
    if declaration is None:
        return None
    return declaration.type if declaration.kind == "enum-member" else declaration.value


def _property(value: Type | None, steps: tuple[str, ...]) -> Type | None:
    for step in steps:
        if not isinstance(value, Object):
            return None
        value = next((p.type for p in value.properties if p.name == step), None)
    return value
