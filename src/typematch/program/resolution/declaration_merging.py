"""Put the parts of a declaration together.

Overloads, merged interfaces, a function and its namespace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from typematch.ir.constructors import object_type
from typematch.ir.declaration import Declaration, DeclarationKind
from typematch.ir.types import Object, Type, TypeParameter

_KINDS: tuple[DeclarationKind, ...] = (
    "class",
    "interface",
    "alias",
    "enum",
    "enum-member",
    "function",
    "const",
    "namespace",
)


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one statement contributes to the declaration ``key``; fields as in ``Declaration``.

    ``file`` and ``position`` (counted from 0 in that file) say where it stands.
    """

    key: str
    name: str
    kind: DeclarationKind
    file: str
    position: int
    type_parameters: tuple[TypeParameter, ...] = ()
    type_parameter_names: tuple[str, ...] = ()
    type: Type | None = None
    extends: tuple[Type, ...] = ()
    value: Type | None = None
    members: tuple[tuple[str, str], ...] = ()
    abstract: bool = False


def merge(key: str, fragments: Iterable[Fragment]) -> Declaration | None:
    """Return the declaration that ``fragments`` make together; None if there are none.

    The result does not depend on their order: they are taken in the order of the file that the key
    names, then of the others by name.  Overloads stay in that order, as the compiler compares them
    (only a call looks at later interfaces first).
    """
    parts = sorted(fragments, key=lambda part: (not _at_home(key, part), part.file, part.position))
    if not parts:
        return None
    kind = min((part.kind for part in parts), key=_KINDS.index)
    generic = next((part for part in parts if part.type_parameters), parts[0])
    heritage: dict[Type, None] = {}
    members: dict[str, str] = {}
    for part in parts:
        heritage.update(dict.fromkeys(part.extends))
        members.update(part.members)
    return Declaration(
        key=key,
        name=parts[0].name,
        kind=kind,
        type_parameters=generic.type_parameters,
        type_parameter_names=generic.type_parameter_names,
        type=_together([part.type for part in parts if part.type is not None]),
        extends=tuple(heritage),
        value=_value(parts),
        members=tuple(sorted(members.items())),
        abstract=any(part.abstract for part in parts),
    )


def _at_home(key: str, part: Fragment) -> bool:
    return key.startswith(f"{part.file}#")


def _value(parts: Sequence[Fragment]) -> Type | None:
    """Return the value of the leading kind.

    A class before functions, functions before constants.
    """
    for kind in ("class", "function"):
        values = [part.value for part in parts if part.kind == kind and part.value is not None]
        if values:
            return _together(values)
    return next((part.value for part in parts if part.value is not None), None)


def _together(types: Sequence[Type]) -> Type | None:
    """Return one object type with the members of all; of types that are no objects the first."""
    if len(types) < 2:
        return types[0] if types else None
    objects = [one for one in types if isinstance(one, Object)]
    if len(objects) < len(types):
        return next(one for one in types if not isinstance(one, Object))
    return object_type(
        [property_ for one in objects for property_ in one.properties],
        dict.fromkeys(call for one in objects for call in one.calls),
        dict.fromkeys(made for one in objects for made in one.constructs),
        dict.fromkeys(index for one in objects for index in one.indexes),
    )
