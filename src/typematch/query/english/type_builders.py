"""Builds the tuple and promise types that English names; recognizes promises."""

from __future__ import annotations

from collections.abc import Iterable

from typematch.ir.type_parts import Element
from typematch.ir.types import Named, Tuple, Type

_PROMISES = ("Promise", "PromiseLike")


def tuple_of(types: Iterable[Type]) -> Tuple:
    return Tuple(tuple([Element(type_) for type_ in types]))


def promise_of(type_: Type) -> Named:
    return Named(("Promise",), (type_,))


def is_promise(type_: Type) -> bool:
    return isinstance(type_, Named) and type_.path[0] in _PROMISES
