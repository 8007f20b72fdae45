"""Declaration merging: overloads, interfaces of one name, a function and its namespace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from typematch.ir.constructors import object_type
from typematch.ir.declaration import Declaration, DeclarationKind
from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import Object, Type
from typematch.package_names import is_library_file

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

    ``position`` is counted from 0 within ``file``.
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


def merge_fragments(key: str, fragments: Iterable[Fragment]) -> Declaration | None:
    """Return the declaration made of ``fragments``; None if there are none.

    The result does not depend on their order: the fragments of the file that the key names come
    first, then the others by file name.  Overloads keep that order, in which the checker compares
    them.
    """
    parts = sorted(
        fragments, key=lambda part: (not _is_in_own_file(key, part), part.file, part.position)
    )
    if not parts:
        return None
    kind = min((part.kind for part in parts), key=_KINDS.index)
    generic = next((part for part in parts if part.type_parameters), parts[0])
    heritage: dict[Type, None] = {}
    members: dict[str, str] = {}
    bases = [base for part in parts if part.kind == "class" for base in part.extends]
    heritage.update(dict.fromkeys(bases))
    for part in parts:
        heritage.update(dict.fromkeys(part.extends))
        members.update(part.members)
    return Declaration(
        key=key,
        name=parts[0].name,
        kind=kind,
        type_parameters=generic.type_parameters,
        type_parameter_names=generic.type_parameter_names,
        type=_merge_types([part.type for part in parts if part.type is not None]),
        extends=tuple(heritage),
        value=_merged_value(parts),
        members=tuple(sorted(members.items())),
        abstract=any(part.abstract for part in parts),
        base=next(iter(bases), None),
    )


def _is_in_own_file(key: str, part: Fragment) -> bool:
    return key.startswith(f"{part.file}#")


def _merged_value(parts: Sequence[Fragment]) -> Type | None:
    """Return the value of the leading kind: class, then function, then any other.

    Of constants the first counts, those of the standard library before others: the compiler reads
    its files first, and takes the type of a variable from its first declaration.
    """
    for kind in ("class", "function"):
        values = [part.value for part in parts if part.kind == kind and part.value is not None]
        if values:
            return _merge_types(values)
    others = [part for part in parts if part.value is not None]
    first = min(others, key=lambda part: not is_library_file(part.file), default=None)
    return None if first is None else first.value


def _merge_types(types: Sequence[Type]) -> Type | None:
    """Return one object type with all members, or the first type that is not an object type."""
    if len(types) < 2:
        return types[0] if types else None
    objects = [type_ for type_ in types if isinstance(type_, Object)]
    if len(objects) < len(types):
        return next(type_ for type_ in types if not isinstance(type_, Object))
    return object_type(
        [property_ for object_ in objects for property_ in object_.properties],
        dict.fromkeys(call for object_ in objects for call in object_.calls),
        dict.fromkeys(construct for object_ in objects for construct in object_.constructs),
        dict.fromkeys(index for object_ in objects for index in object_.indexes),
    )
