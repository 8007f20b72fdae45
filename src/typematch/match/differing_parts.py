"""The parts in which two types differ, for sentences about them."""

from __future__ import annotations

from typematch.ir.constructors import object_type, union, without_parameter_names
from typematch.ir.intern import InternedNode, children, is_binder, rebuild
from typematch.ir.types import ANY, UNKNOWN, IndexedAccess, Object, Type
from typematch.ir.types import Union as UnionType

_TOP_TYPES = (ANY, UNKNOWN)  # "string is any" does not say more than the types around


def differing_parts(a: Type, b: Type) -> tuple[Type, Type]:
    """Return the smallest parts in which two types differ, names of parameters aside.

    ``Id`` and ``string`` for ``Promise<Id[]>`` and ``Promise<string[]>``.  Both types, if more than
    one part differs; no part that is ``any`` or ``unknown``, or inside a binder.
    """
    a_part: InternedNode = a
    b_part: InternedNode = b
    smallest = (a, b)
    while a_part.__class__ is b_part.__class__ and not (is_binder(a_part) or is_binder(b_part)):
        different = _single_difference(a_part, b_part)
        if different is None:
            break
        a_part, b_part = different
        if a_part in _TOP_TYPES or b_part in _TOP_TYPES:
            break
        if isinstance(a_part, Type) and isinstance(b_part, Type):
            smallest = (a_part, b_part)
    return smallest


def _single_difference(
    a: InternedNode, b: InternedNode
) -> tuple[InternedNode, InternedNode] | None:
    """Return the children in which two nodes differ, if it is one and all else is equal."""
    pairs = list(zip(children(a), children(b), strict=False))
    different = [pair for pair in pairs if len(set(map(without_parameter_names, pair))) > 1]
    if len(different) != 1:
        return None
    bare_a, bare_b = map(without_parameter_names, different[0])
    replaced = {bare_a: bare_b}
    rebuilt = rebuild(without_parameter_names(a), lambda part, _: replaced.get(part, part))
    return different[0] if rebuilt is without_parameter_names(b) else None


def additional_members(wide: Type, narrow: Type) -> Type | None:
    """Return the members of a union that another type lacks; None if it has not all of its own."""
    if not isinstance(wide, UnionType):
        return None
    own = {without_parameter_names(member): member for member in wide.members}
    others = narrow.members if isinstance(narrow, UnionType) else (narrow,)
    shared = set(map(without_parameter_names, others))
    if not shared <= own.keys() or len(shared) == len(own):
        return None
    return union([member for key, member in own.items() if key not in shared])


def additional_properties(narrow: Type, wide: Type) -> Object | None:
    """Return the properties of an object type that another lacks, if the rest is equal."""
    if not isinstance(narrow, Object) or not isinstance(wide, Object):
        return None
    shared = set(wide.properties)
    extra = [part for part in narrow.properties if part not in shared]
    if not shared or not extra or not shared <= set(narrow.properties):
        return None
    others = (narrow.calls, narrow.constructs, narrow.indexes)
    equal = others == (wide.calls, wide.constructs, wide.indexes)
    found = object_type(extra)
    return found if equal and isinstance(found, Object) else None


def without_access_to_any(node: InternedNode) -> InternedNode:
    """Return a type with ``any`` for ``any[K]``, and ``unknown`` for ``unknown[K]``."""
    if isinstance(node, IndexedAccess) and node.object in (ANY, UNKNOWN):
        return node.object
    return rebuild(node, lambda part, _: without_access_to_any(part))
