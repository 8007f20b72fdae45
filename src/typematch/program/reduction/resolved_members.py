"""The members of a type, instantiated on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from typematch.ir.constructors import intersection, union
from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import IndexSignature, Property, Signature
from typematch.ir.types import UNDEFINED, Object, Type

InstantiateProperty = Callable[[Property], Property]
METHOD = "method"


class ResolvedMembers:
    """Members of one type; its own properties hide inherited ones.

    Attributes:
        calls, constructs, indexes: inherited ones included.
        container: key of the class or interface that declares the own properties, empty for
            other types.
        implicit_index: the type is anonymous (not an interface), so it has implicit index
            signatures over its properties.
    """

    __slots__ = (
        "_bases",
        "_instantiate",
        "_memo",
        "_names",
        "_own",
        "calls",
        "constructs",
        "container",
        "implicit_index",
        "indexes",
    )

    def __init__(
        self,
        own_properties: Mapping[str, Property],
        *,
        calls: tuple[Signature, ...] = (),
        constructs: tuple[Signature, ...] = (),
        indexes: tuple[IndexSignature, ...] = (),
        bases: tuple[ResolvedMembers, ...] = (),
        instantiate: InstantiateProperty | None = None,
        implicit_index: bool = False,
        container: str = "",
    ) -> None:
        self._own = own_properties
        self._instantiate = instantiate
        self._bases = bases
        self._memo: dict[str, Property | None] = {}
        self._names: tuple[str, ...] | None = None
        self.calls = calls
        self.constructs = constructs
        self.indexes = indexes
        self.implicit_index = implicit_index
        self.container = container

    def get(self, name: str) -> Property | None:
        """Return the property of that name, or None."""
        memo = self._memo
        if name in memo:
            return memo[name]
        property_ = self._own.get(name)
        if property_ is not None:
            if self._instantiate is not None:
                property_ = self._instantiate(property_)
            if property_.method:
                property_ = as_method(property_)
        else:
            for base in self._bases:
                property_ = base.get(name)
                if property_ is not None:
                    break
        memo[name] = property_
        return property_

    @property
    def own_names(self) -> Iterable[str]:
        """Names of the properties that are not inherited."""
        return self._own.keys()

    def declared(self, name: str) -> tuple[str, Property] | None:
        """Return the class or interface that declares a property, and the property as declared.

        The property mentions the type parameters of that declaration.  None if no class or
        interface declares it.
        """
        property_ = self._own.get(name)
        if property_ is not None:
            return (self.container, property_) if self.container else None
        for base in self._bases:
            if base.get(name) is not None:
                return base.declared(name)
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all properties, sorted."""
        if self._names is None:
            names = set(self._own)
            for base in self._bases:
                names.update(base.names)
            self._names = tuple(sorted(names))
        return self._names

    def __iter__(self) -> Iterator[Property]:
        for name in self.names:
            property_ = self.get(name)
            if property_ is not None:
                yield property_

    def __bool__(self) -> bool:
        return bool(self.names or self.calls or self.constructs or self.indexes)


NO_MEMBERS = ResolvedMembers({})


@lru_cache(maxsize=4_096)
def as_method(property_: Property) -> Property:
    """Return a method with its signatures marked: their parameters are compared bivariantly."""
    if not isinstance(property_.type, Object) or not property_.type.calls:
        return property_
    type_ = Object(
        property_.type.properties,
        tuple(add_modifier(signature, METHOD) for signature in property_.type.calls),
        property_.type.constructs,
        property_.type.indexes,
    )
    return Property(
        property_.name,
        type_,
        property_.optional,
        property_.readonly,
        True,
        property_.visibility,
        property_.owner,
        property_.write,
        property_.quoted,
    )


def add_modifier(signature: Signature, modifier: str) -> Signature:
    """Return the signature with another word in its modifier."""
    if modifier in signature.modifier:
        return signature
    return replace_fields(signature, modifier=f"{signature.modifier} {modifier}".strip())


def read_type(property_: Property) -> Type:
    """Return the type of reading the property: with ``undefined`` if it is optional."""
    return union((property_.type, UNDEFINED)) if property_.optional else property_.type


def merge_properties(name: str, properties: Iterable[Property]) -> Property:
    """Return the property of an intersection: createUnionOrIntersectionProperty."""
    all_properties = list(properties)
    if len(all_properties) == 1:
        return all_properties[0]
    optional = all(property_.optional for property_ in all_properties)
    types = [property_.type if optional else read_type(property_) for property_ in all_properties]
    nonpublic = next(
        (property_ for property_ in all_properties if property_.visibility != "public"),
        all_properties[0],
    )
    return Property(
        name,
        intersection(types),
        optional,
        all(property_.readonly for property_ in all_properties),
        all(property_.method for property_ in all_properties),
        nonpublic.visibility,
        nonpublic.owner,
    )
