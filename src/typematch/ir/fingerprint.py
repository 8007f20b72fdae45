"""Hash function types so that those which read alike, or nearly so, are found without comparing."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from typematch.ir.constructors import closed, nameless, promised, union
from typematch.ir.lift import standing_alone
from typematch.ir.types import (
    BOOLEAN,
    UNDEFINED,
    WILDCARD,
    Array,
    Object,
    Signature,
    Type,
    Union,
)


def spelling(function: Type) -> int:
    """Return a hash, a signed 64-bit number, that function types have in common that read alike.

    The names of parameters do not count, nor do those of type parameters, nor whether these are
    the function's own or the class's around it.
    """
    if isinstance(function, Object):
        function, _ = standing_alone(function)
    return _number(nameless(function).digest)


def outlines(function: Type) -> frozenset[int]:
    """Return hashes, one of which functions have in common that differ in little.

    In the order of arguments, in those that may be left out, in a promise, a possible ``undefined``
    or a read-only array, and in what their type parameters are.  There is one with the optional
    parameters and one without them, for the first overload.
    """
    if not isinstance(function, Object) or not function.calls:
        return frozenset()
    alone, _ = standing_alone(function)
    signature = alone.calls[0]
    return frozenset(_outline(signature, optional) for optional in (True, False))


def _outline(signature: Signature, optional: bool) -> int:
    hasher = blake2b(digest_size=8)
    parameters = [
        _plain(one.type).digest
        for one in signature.parameters
        if optional or not (one.optional or one.rest)
    ]
    for digest in sorted(parameters):
        hasher.update(digest)
    hasher.update(b"=>")
    returns = BOOLEAN if signature.predicate is not None else _plain(signature.returns)
    hasher.update(returns.digest)
    return _number(hasher.digest())


@lru_cache(maxsize=65_536)
def _plain(t: Type) -> Type:
    if isinstance(t, Union) and UNDEFINED in t.members:
        t = union([member for member in t.members if member is not UNDEFINED])
    inner = promised(t)
    if inner is not None:
        return _plain(inner)
    written: Type = Array(t.element) if isinstance(t, Array) else t
    plain: Type = nameless(closed(written, WILDCARD))
    return plain


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big", signed=True)
