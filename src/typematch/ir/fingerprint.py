"""Hashes of function types, for finding equal and similar signatures by index lookup."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from typematch.ir.constructors import (
    promise_value_type,
    replace_bound_variables,
    union,
    without_parameter_names,
)
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Signature
from typematch.ir.types import BOOLEAN, UNDEFINED, WILDCARD, Array, Object, Type, Union


def exact_fingerprint(function: Type) -> int:
    """Hash of a function type, a signed 64-bit number.

    Equal for functions that differ only in the names of parameters and type parameters, and in
    whether type parameters belong to the function or to its container.
    """
    if isinstance(function, Object):
        function, _ = close_over_container(function)
    return _signed_64_bit(without_parameter_names(function).digest)


def loose_fingerprints(function: Type) -> frozenset[int]:
    """Hashes of a function's first overload; similar functions have at least one in common.

    They ignore the order of parameters, ``Promise``, ``undefined``, ``readonly`` on arrays, and
    which type variable is meant.  One counts the optional parameters, the other does not.
    """
    if not isinstance(function, Object) or not function.calls:
        return frozenset()
    lifted, _ = close_over_container(function)
    signature = lifted.calls[0]
    return frozenset(_loose_fingerprint(signature, optional) for optional in (True, False))


def _loose_fingerprint(signature: Signature, with_optional: bool) -> int:
    hasher = blake2b(digest_size=8)
    parameters = [
        _without_details(parameter.type).digest
        for parameter in signature.parameters
        if with_optional or not (parameter.optional or parameter.rest)
    ]
    for digest in sorted(parameters):
        hasher.update(digest)
    hasher.update(b"=>")
    returns = BOOLEAN if signature.predicate is not None else _without_details(signature.returns)
    hasher.update(returns.digest)
    return _signed_64_bit(hasher.digest())


@lru_cache(maxsize=65_536)
def _without_details(t: Type) -> Type:
    if isinstance(t, Union) and UNDEFINED in t.members:
        t = union([member for member in t.members if member is not UNDEFINED])
    value_type = promise_value_type(t)
    if value_type is not None:
        return _without_details(value_type)
    simplified: Type = Array(t.element) if isinstance(t, Array) else t
    nameless: Type = without_parameter_names(replace_bound_variables(simplified, WILDCARD))
    return nameless


def _signed_64_bit(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big", signed=True)
