"""Hashes of function types, for finding equal signatures by index lookup."""

from __future__ import annotations

from typematch.ir.constructors import without_parameter_names
from typematch.ir.lift import close_over_container
from typematch.ir.types import Object, Type


def exact_fingerprint(function: Type) -> int:
    """Hash of a function type, a signed 64-bit number.

    Equal for functions that differ only in the names of parameters and type parameters, and in
    whether type parameters belong to the function or to its container.
    """
    if isinstance(function, Object):
        function, _ = close_over_container(function)
    return _signed_64_bit(without_parameter_names(function).digest)


def _signed_64_bit(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big", signed=True)
