"""Make equal nodes one object, and give each a digest that is the same on every machine.

Each class has a table from fields to node, which holds nodes weakly: a long-running server does not
keep the types of yesterday's queries.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from hashlib import blake2b
from typing import Any, ClassVar, TypeVar, cast

N = TypeVar("N", bound="InternedNode")

# Reentrant, because a node may die (and be forgotten) while its own thread creates another.
_creation = threading.RLock()


# Fields of these types, as they are written, hold no nodes.
_PLAIN = frozenset(
    (
        *("str", "bool", "int", "str | None", "tuple[str, ...]"),
        *("LiteralKind", "ElementKind", "Modifier", "Visibility"),
    )
)
# Which fields of a binder lie inside it; all fields of a signature do.
_INSIDE: dict[str, frozenset[str]] = {
    "Signature": frozenset(("parameters", "returns", "type_parameters", "this", "predicate")),
    "Mapped": frozenset(("type", "rename")),
    "Conditional": frozenset(("infer", "extends", "yes")),
}
_NO_FIELDS: frozenset[str] = frozenset()


class InternedNode:
    """A hash-consed value: its fields are its slots, and equal fields mean the same object.

    Attributes:
        loose: how many binders around this node its variables still reach; 0 means closed.
        free: the ``Free`` variables that it holds, and ``this`` if it does.
        parts: the names of the fields that hold nodes: one, a tuple of them, or None.
    """

    __slots__ = ("__weakref__", "_digest", "free", "loose")
    __match_args__: tuple[str, ...] = ()
    parts: ClassVar[tuple[str, ...]] = ()
    loose: int
    free: frozenset[Any]
    _digest: bytes | None
    _digested: ClassVar[tuple[str, ...]]  # the fields that a digest is made of
    _table: ClassVar[dict[tuple[Any, ...], _Entry]]
    _puts: ClassVar[tuple[Callable[[Any, Any], None], ...]]  # what sets each field, once
    _places: ClassVar[tuple[tuple[str, int], ...]]  # where ``parts`` stand among the fields
    _inside: ClassVar[frozenset[str]]  # the fields that lie inside it where it is a binder

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._table = {}
        cls._digested = vars(cls).get("_digested", cls.__match_args__)
        cls._puts = tuple(getattr(cls, name).__set__ for name in cls.__match_args__)
        plain = {name for name, written in cls.__annotations__.items() if written in _PLAIN}
        cls.parts = tuple(name for name in cls.__match_args__ if name not in plain)
        cls._places = tuple((name, cls.__match_args__.index(name)) for name in cls.parts)
        cls._inside = _INSIDE.get(cls.__name__, frozenset())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def __copy__(self) -> InternedNode:
        return self

    def __deepcopy__(self, memo: object) -> InternedNode:
        return self

    def __repr__(self) -> str:
        fields = ", ".join(repr(getattr(self, name)) for name in self.__match_args__)
        return f"{type(self).__name__}({fields})"

    @property
    def digest(self) -> bytes:
        """16 bytes of the structure alone.

        Equal nodes have equal ones, and only they, free variables of one name being alike.
        """
        if self._digest is None:
            hasher = blake2b(type(self).__name__.encode(), digest_size=16)
            for name in self._digested:
                _feed(hasher.update, getattr(self, name))
            _put_digest(self, hasher.digest())
        return cast(bytes, self._digest)


# What sets the fields that all nodes have.
_put_digest, _put_loose, _put_free = (
    cast(Any, vars(InternedNode)[name]).__set__ for name in ("_digest", "loose", "free")
)


def _feed(update: Callable[[bytes], object], value: object) -> None:
    """Add one field to a digest; each form has a tag and a length, so that no two run together."""
    if isinstance(value, InternedNode):
        update(b"\x01")
        update(value.digest)
    elif isinstance(value, tuple):
        update(b"\x02%d;" % len(value))
        for item in value:
            _feed(update, item)
    else:
        data = repr(value).encode("utf-8", "surrogatepass")
        update(b"\x03%d;" % len(data))
        update(data)


class _Entry(weakref.ref[InternedNode]):
    """A weak reference that knows under which fields its node is found."""

    __slots__ = ("fields", "table")
    fields: tuple[Any, ...]
    table: dict[tuple[Any, ...], _Entry]


def _forget(
    entry: weakref.ref[InternedNode],
    kind: type[_Entry] = _Entry,
    lock: AbstractContextManager[bool] = _creation,
) -> None:
    """Take a dead node out of its table, unless another has taken its place.

    What it needs comes as defaults: nodes die after this module's names are gone, too.
    """
    assert isinstance(entry, kind)
    with lock:
        if entry.table.get(entry.fields) is entry:
            del entry.table[entry.fields]


def intern(cls: type[N], fields: tuple[Any, ...]) -> N:
    """Return the one node of class ``cls`` with these fields (in the order of its slots)."""
    entry: Any = cls._table.get(fields)
    if entry is not None:
        found: N | None = entry()
        if found is not None:
            return found
    return _create(cls, fields)


def _create(cls: type[N], fields: tuple[Any, ...]) -> N:
    table = cls._table
    with _creation:
        entry = table.get(fields)
        found = None if entry is None else entry()
        if found is not None:
            return cast(N, found)
        created = object.__new__(cls)
        for put, value in zip(cls._puts, fields, strict=True):
            put(created, value)
        loose, free = _open(created, fields)
        _put_digest(created, None)
        _put_loose(created, loose)
        _put_free(created, free)
        entry = _Entry(created, _forget)
        entry.fields = fields
        entry.table = table
        table[fields] = entry
    return created


def replaced(node: N, **fields: Any) -> N:
    """Return ``node`` with some of its fields changed, as ``dataclasses.replace`` does."""
    names = node.__match_args__
    return intern(
        type(node), tuple([fields[n] if n in fields else getattr(node, n) for n in names])
    )


def binds(node: InternedNode) -> bool:
    """Whether ``node`` itself is a binder."""
    match type(node).__name__:
        case "Signature":
            return bool(cast(Any, node).type_parameters)
        case "Conditional":
            return bool(cast(Any, node).infer)
        case name:
            return name == "Mapped"


def inside(node: InternedNode) -> frozenset[str]:
    """Return which fields of ``node`` lie inside the binder that it is; none where it is none."""
    return node._inside if node._inside and binds(node) else _NO_FIELDS


def _open(node: InternedNode, fields: tuple[Any, ...]) -> tuple[int, frozenset[InternedNode]]:
    """Return what is open in a node: ``loose`` and ``free``.

    A variable is in a set of its own, so it dies when the collector finds the two.
    """
    cls = type(node)
    if not cls.parts:
        kind = cls.__name__
        if kind == "Var":
            return cast(int, fields[0]) + 1, _NONE
        is_free = kind == "Free" or (kind == "Intrinsic" and fields[0] == "this")
        return 0, frozenset((node,)) if is_free else _NONE
    reach, free = 0, _NONE
    within = inside(node)
    for name, place in cls._places:
        value = fields[place]
        if value is None:
            continue
        crossed = 1 if name in within else 0
        for part in value if value.__class__ is tuple else (value,):
            if part.loose - crossed > reach:
                reach = part.loose - crossed
            own = part.free
            if not free:
                free = own
            elif own is not free and not own <= free:
                free = free | own
    return reach, free


_NONE: frozenset[InternedNode] = frozenset()


def children(node: InternedNode) -> Iterator[InternedNode]:
    """Yield the direct parts of ``node``, in the order of its fields."""
    for name in node.parts:
        value = getattr(node, name)
        if value.__class__ is tuple:
            yield from value
        elif value is not None:
            yield value


def rebuild(node: N, change: Callable[[InternedNode, int], InternedNode]) -> N:
    """Return ``node`` with each direct part put through ``change(part, crossed)``.

    ``crossed`` is 1 for a part that lies inside the binder that ``node`` is, else 0.  The node
    itself comes back if nothing changed.  Unions and intersections are put together anew by the
    caller (``ir.build``), because a changed member can make them collapse.
    """
    within = inside(node)
    fields: dict[str, Any] = {}
    for name in node.parts:
        value = getattr(node, name)
        crossed = 1 if name in within else 0
        if value.__class__ is tuple:
            new: Any = tuple([change(item, crossed) for item in value])
            if new != value:
                fields[name] = new
        elif value is not None:
            new = change(value, crossed)
            if new is not value:
                fields[name] = new
    return replaced(node, **fields) if fields else node
