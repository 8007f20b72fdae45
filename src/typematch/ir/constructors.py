"""Put types together in normal form: unions flattened and ordered, object types sorted by name.

And take unions apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar, cast

from typematch.ir.intern import InternedNode, children, rebuild
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    EMPTY_OBJECT,
    FALSE,
    NEVER,
    NULL,
    TRUE,
    UNDEFINED,
    UNKNOWN,
    Free,
    IndexSignature,
    Intersection,
    Intrinsic,
    Literal,
    Object,
    Parameter,
    Property,
    Reference,
    Signature,
    Type,
    TypeParameter,
    Union,
    Var,
)

N = TypeVar("N", bound=InternedNode)
PROMISES = frozenset(("global#Promise", "global#PromiseLike"))
# A union of these takes everything, as `unknown` does.
UNKNOWN_LIKE = frozenset((EMPTY_OBJECT, NULL, UNDEFINED))
_RANKS = {
    name: rank
    for rank, name in enumerate(
        ("string", "number", "bigint", "boolean", "symbol", "object", "this", "_", "unannotated")
    )
}


class _Variables:
    """The free variables in a type, in order: what sets two types apart that are else alike."""

    __slots__ = ("_type",)

    def __init__(self, t: Type) -> None:
        self._type = t

    def __lt__(self, other: _Variables) -> bool:
        return list(_serials(self._type)) < list(_serials(other._type))


def _serials(node: InternedNode) -> Iterator[int]:
    if isinstance(node, Free):
        yield node.serial
    for part in children(node):
        if part.free:
            yield from _serials(part)


def _order(member: Type) -> tuple[int, str, bytes] | tuple[int, str, bytes, _Variables]:
    """Order union members as a reader expects: keywords, literals, the rest, null, undefined."""
    match member:
        case Literal(kind, text):
            if kind == "number":
                return 100, "", f"{float(text):030.10f}".encode()
            return {"string": 99, "bigint": 101, "boolean": 98}[kind], text, b""
        case Intrinsic("null"):
            return 900, "", b""
        case Intrinsic("undefined"):
            return 901, "", b""
        case Intrinsic(name):
            return _RANKS.get(name, 50), name, b""
        case Var(depth, index):
            return 200 - depth, f"{index:06}", b""
        case Reference(target):
            return 300, target, member.digest, _Variables(member)
        case _:
            return 400, "", member.digest, _Variables(member)


def union(members: Iterable[Type]) -> Type:
    """Return the union of ``members``: flattened, each once, in a fixed order.

    ``never`` drops out, ``any`` and ``unknown`` swallow the rest, ``true | false`` is
    ``boolean``.  Literals beside their own keyword stay (``program.reduce`` knows more); no
    members at all give ``never``.
    """
    flat: dict[Type, None] = {}
    for member in members:
        parts = member.members if isinstance(member, Union) else (member,)
        for part in parts:
            if part is not NEVER:
                flat[part] = None
    if ANY in flat:
        return ANY
    if UNKNOWN in flat:
        return UNKNOWN
    if TRUE in flat and FALSE in flat:
        flat[BOOLEAN] = None
    if BOOLEAN in flat:
        flat.pop(TRUE, None)
        flat.pop(FALSE, None)
    if len(flat) < 2:
        return next(iter(flat), NEVER)
    return Union(tuple(sorted(flat, key=_order)))


def constituents(t: Type) -> tuple[Type, ...]:
    """Return the members of a union, ``true`` and ``false`` for ``boolean``.

    Else the type itself.
    """
    if t.__class__ is Union:
        members = t.members
        if BOOLEAN in members:
            return (*(m for m in members if m is not BOOLEAN), FALSE, TRUE)
        return members
    if t is BOOLEAN:
        return FALSE, TRUE
    if t is NEVER:
        return ()
    return (t,)


def intersection(members: Iterable[Type]) -> Type:
    """Return the intersection of ``members``: flattened, each once, in the order given.

    ``unknown`` drops out, ``never`` and then ``any`` swallow the rest; none at all give
    ``unknown``.  Which intersections are impossible is decided in ``program.reduce``.
    """
    flat: dict[Type, None] = {}
    for member in members:
        parts = member.members if isinstance(member, Intersection) else (member,)
        for part in parts:
            if part is not UNKNOWN:
                flat[part] = None
    if NEVER in flat:
        return NEVER
    if ANY in flat:
        return ANY
    if len(flat) < 2:
        return next(iter(flat), UNKNOWN)
    return Intersection(tuple(flat))


def object_type(
    properties: Iterable[Property] = (),
    calls: Iterable[Signature] = (),
    constructs: Iterable[Signature] = (),
    indexes: Iterable[IndexSignature] = (),
) -> Object:
    """Return an object type with its properties in order of name.

    Methods of one name are overloads and become one property; of other doubles the last one counts.
    """
    by_name: dict[str, Property] = {}
    for new in properties:
        old = by_name.get(new.name)
        if (
            old is not None
            and old.method
            and new.method
            and isinstance(old.type, Object)
            and isinstance(new.type, Object)
        ):
            overloads = Object(calls=(*old.type.calls, *new.type.calls))
            new = Property(
                new.name, overloads, old.optional, old.readonly, True, old.visibility, old.owner
            )
        by_name[new.name] = new
    ordered = tuple(by_name[name] for name in sorted(by_name))
    return Object(ordered, tuple(calls), tuple(constructs), tuple(indexes))


def function(
    parameters: Iterable[Parameter],
    returns: Type,
    type_parameters: Iterable[TypeParameter] = (),
) -> Object:
    """Return a function type with one call signature."""
    return Object(calls=(Signature(tuple(parameters), returns, tuple(type_parameters)),))


def restore(node: InternedNode) -> InternedNode:
    """Put a rebuilt union or intersection back into normal form; other nodes stay as they are."""
    match node:
        case Union(members):
            return union(members)
        case Intersection(members):
            return intersection(members)
        case _:
            return node


def promised(t: Type) -> Type | None:
    """Return what a promise is a promise of; None of what is none, or does not say."""
    if isinstance(t, Reference) and t.target in PROMISES and len(t.arguments) == 1:
        return t.arguments[0]
    return None


def closed(node: N, stand_in: Type, depth: int = 0) -> N:
    """Return ``node`` with ``stand_in`` for every variable of the binders around it.

    ``stand_in`` is closed; ``depth`` counts the binders entered on the way.
    """
    if node.loose <= depth:
        return node
    if isinstance(node, Var):
        return cast(N, stand_in)
    return cast(N, restore(rebuild(node, lambda part, over: closed(part, stand_in, depth + over))))


@lru_cache(maxsize=65_536)
def nameless(node: N) -> N:
    """Return ``node`` without the names of parameters in it, which say nothing of types."""
    if isinstance(node, Parameter):
        bare = Parameter("", nameless(node.type), node.optional, node.rest)
        return cast(N, bare)
    return cast(N, restore(rebuild(node, lambda part, _: nameless(part))))
