"""Types that the declarations of names decide, as the library's utility types."""

from __future__ import annotations

from typematch.ir.constructors import union
from typematch.ir.types import NULL, UNDEFINED, IndexedAccess, Named, Type, TypeOf, Union

RETURN_TYPE = ("ReturnType",)


def without_null(type_: Type) -> Type:
    """Return the type of ``value!``."""
    if isinstance(type_, Union):
        return union([part for part in type_.members if part not in (NULL, UNDEFINED)])
    is_computed = isinstance(type_, TypeOf | IndexedAccess | Named)
    return Named(("NonNullable",), (type_,)) if is_computed else type_


def awaited(type_: Type) -> Type:
    """Return the type of ``await value``."""
    if isinstance(type_, Named) and type_.path == ("Promise",) and len(type_.arguments) == 1:
        return awaited(type_.arguments[0])
    is_computed = isinstance(type_, TypeOf | IndexedAccess | Union) or (
        isinstance(type_, Named) and type_.path == RETURN_TYPE
    )
    return Named(("Awaited",), (type_,)) if is_computed else type_
