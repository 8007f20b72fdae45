"""Functions in constants whose types are computed: by mapped and conditional types.

``const screen: BoundFunctions<typeof queries>`` has the methods that the conditional type
``BoundFunctions`` results in.  No other declaration has them.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.module import DeclarationStatement, Member
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    Conditional,
    IndexedAccess,
    Intersection,
    Mapped,
    Object,
    Reference,
    Type,
    Var,
)
from typematch.program.call_signatures import call_signatures_of
from typematch.program.mixed_in_members import member_of_property, object_parts
from typematch.program.type_expansion import DeclaredTypes

_MAX_EXPANSIONS = 8  # of nested aliases
# A constant with more, such as one for each HTML element, is a table.
_MAX_MEMBERS = 100


def computed_members(
    type_: Type, statement: DeclarationStatement, declared: DeclaredTypes
) -> Iterator[Member]:
    """Yield the callable members that mapped and conditional types in a constant's type result in.

    Args:
        type_: of the constant.
        statement: that declares it.
    """
    properties: dict[str, Property] = {}
    for part in _computed_parts(type_, declared, _MAX_EXPANSIONS):
        for object_type in object_parts(declared.reduced(part) or part):
            for property_ in object_type.properties:
                if call_signatures_of(property_.type, declared):
                    properties.setdefault(property_.name, property_)
    if len(properties) <= _MAX_MEMBERS:
        for property_ in properties.values():
            yield member_of_property(property_, statement)


def _computed_parts(
    t: Type, declared: DeclaredTypes, expansions: int, arguments: frozenset[Type] = frozenset()
) -> Iterator[Type]:
    """Yield the parts of a type, its aliases expanded, that no declaration has the members of.

    They are the types that have to be reduced, and the object types among the type ``arguments``
    of aliases: ``{ each: Each }`` in ``Chainable<Test, { each: Each }>``.
    """
    if isinstance(t, Intersection):
        for member in t.members:
            yield from _computed_parts(member, declared, expansions, arguments)
    elif _is_computed(t) or (isinstance(t, Object) and t in arguments):
        yield t
    elif expansions and (expanded := declared.expand_once(t)) is not None:
        if isinstance(t, Reference):
            arguments = arguments.union(t.arguments)
        yield from _computed_parts(expanded, declared, expansions - 1, arguments)


def _is_computed(t: Type) -> bool:
    """Whether a type has properties of its own only once it is reduced.

    The properties of ``Pick<T, K>`` are those of another type.
    """
    if isinstance(t, Mapped):
        return not (isinstance(t.type, IndexedAccess) and t.type.index is Var(0, 0))
    return isinstance(t, Conditional)
