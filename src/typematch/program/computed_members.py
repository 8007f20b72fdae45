"""Functions in constants whose types are computed: by mapped and conditional types.

``const screen: BoundFunctions<typeof queries>`` has the methods that the conditional type
``BoundFunctions`` results in.  No other declaration has them.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.declaration import Declarations
from typematch.ir.module import DeclarationStatement, Member
from typematch.ir.type_parts import Property
from typematch.ir.types import Conditional, IndexedAccess, Intersection, Mapped, Object, Type, Var
from typematch.program.call_signatures import CallSignatures
from typematch.program.mixed_in_members import member_of_property, object_parts
from typematch.program.reduction.reduce import Reducer

_MAX_EXPANSIONS = 8  # of nested aliases
# A constant with more, such as one for each HTML element, is a table.
_MAX_MEMBERS = 100


def computed_members(
    type_: Type, statement: DeclarationStatement, signatures: CallSignatures
) -> Iterator[Member]:
    """Yield the callable members that mapped and conditional types in a constant's type result in.

    Args:
        type_: of the constant.
        statement: that declares it.
    """
    properties: dict[str, Property] = {}
    for part in _computed_parts(type_, signatures, _MAX_EXPANSIONS):
        for object_type in _object_types(part, signatures.declarations):
            for property_ in object_type.properties:
                if signatures.of_type(property_.type):
                    properties.setdefault(property_.name, property_)
    if len(properties) <= _MAX_MEMBERS:
        for property_ in properties.values():
            yield member_of_property(property_, statement)


def _computed_parts(t: Type, signatures: CallSignatures, expansions: int) -> Iterator[Type]:
    """Yield the parts of a type, its aliases expanded, that have to be reduced."""
    if isinstance(t, Intersection):
        for member in t.members:
            yield from _computed_parts(member, signatures, expansions)
    elif isinstance(t, Conditional) or (isinstance(t, Mapped) and not _is_homomorphic(t)):
        yield t
    elif expansions and (expanded := signatures.expand_once(t)) is not None:
        yield from _computed_parts(expanded, signatures, expansions - 1)


def _is_homomorphic(t: Mapped) -> bool:
    """Whether the properties are those of another type, as of ``Pick<T, K>``."""
    return isinstance(t.type, IndexedAccess) and t.type.index is Var(0, 0)


def _object_types(t: Type, declarations: Declarations) -> Iterator[Object]:
    """Return the object types without a name that a type reduces to."""
    reducer = Reducer(declarations)
    reduced = reducer.with_own_budget(lambda: reducer.normal(t))
    return iter(()) if reduced is None else object_parts(reduced)
