"""Hash-consing of nodes, and traversal of interned nodes.

Equal nodes are one object.  Each node has a digest of its structure that is the same in every
process.  The tables hold nodes weakly, so a long-running server frees the types of past queries.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from hashlib import blake2b
from typing import Any, ClassVar, TypeVar, cast

N = TypeVar("N", bound="InternedNode")

# Reentrant: a node may die, and be removed, while its own thread creates another.
_creation_lock = threading.RLock()


# Source text of the annotations of fields that hold no nodes.
_PLAIN_ANNOTATIONS = frozenset(
    (
        *("str", "bool", "int", "str | None", "tuple[str, ...]"),
        *("LiteralKind", "ElementKind", "Modifier", "Visibility", "VariableKind"),
    )
)
# The fields inside each binder.
_BINDER_FIELDS: dict[str, frozenset[str]] = {
    "Signature": frozenset(("parameters", "returns", "type_parameters", "this", "predicate")),
    "Mapped": frozenset(("type", "rename")),
    "Conditional": frozenset(("infer", "extends", "yes")),
}
_NO_FIELDS: frozenset[str] = frozenset()


class InternedNode:
    """A hash-consed value: its fields are its slots, and equal fields mean the same object.

    Attributes:
        loose_depth: number of enclosing binders that its unbound variables reach; 0 means closed.
        free: the ``Free`` variables inside it, and ``this`` if it occurs.
        child_fields: names of the fields that hold nodes: one node, a tuple of nodes, or None.
    """

    __slots__ = ("__weakref__", "_digest", "free", "loose_depth")
    __match_args__: tuple[str, ...] = ()
    child_fields: ClassVar[tuple[str, ...]] = ()
    loose_depth: int
    free: frozenset[Any]
    _digest: bytes | None
    _digest_fields: ClassVar[tuple[str, ...]]
    _table: ClassVar[dict[tuple[Any, ...], _TableEntry]]
    _field_setters: ClassVar[tuple[Callable[[Any, Any], None], ...]]
    _child_positions: ClassVar[tuple[tuple[str, int], ...]]  # child field, index in the fields
    _binder_fields: ClassVar[frozenset[str]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._table = {}
        cls._digest_fields = vars(cls).get("_digest_fields", cls.__match_args__)
        cls._field_setters = tuple(getattr(cls, name).__set__ for name in cls.__match_args__)
        plain_fields = {
            name
            for name, annotation in cls.__annotations__.items()
            if annotation in _PLAIN_ANNOTATIONS
        }
        cls.child_fields = tuple(name for name in cls.__match_args__ if name not in plain_fields)
        cls._child_positions = tuple(
            (name, cls.__match_args__.index(name)) for name in cls.child_fields
        )
        cls._binder_fields = _BINDER_FIELDS.get(cls.__name__, frozenset())

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
        """16 bytes of hash of the structure.

        Equal nodes have equal digests.  Nodes that differ only in free variables of the same name
        share a digest; all other different nodes have different ones.
        """
        if self._digest is None:
            hasher = blake2b(type(self).__name__.encode(), digest_size=16)
            for name in self._digest_fields:
                _update_digest(hasher.update, getattr(self, name))
            _put_digest(self, hasher.digest())
        return cast(bytes, self._digest)


# Setters of the fields that every node has; ``__setattr__`` is disabled.
_put_digest, _put_loose, _put_free = (
    cast(Any, vars(InternedNode)[name]).__set__ for name in ("_digest", "loose_depth", "free")
)


def _update_digest(update: Callable[[bytes], object], value: object) -> None:
    """Add one field; each form has a tag and a length, so that the encoding is unambiguous."""
    if isinstance(value, InternedNode):
        update(b"\x01")
        update(value.digest)
    elif isinstance(value, tuple):
        update(b"\x02%d;" % len(value))
        for item in value:
            _update_digest(update, item)
    else:
        data = repr(value).encode("utf-8", "surrogatepass")
        update(b"\x03%d;" % len(data))
        update(data)


class _TableEntry(weakref.ref[InternedNode]):
    """A weak reference to a node, with the table and the key of its entry."""

    __slots__ = ("fields", "table")
    fields: tuple[Any, ...]
    table: dict[tuple[Any, ...], _TableEntry]


def _remove_dead(
    dead: weakref.ref[InternedNode],
    kind: type[_TableEntry] = _TableEntry,
    creation_lock: AbstractContextManager[bool] = _creation_lock,
) -> None:
    """Remove the entry of a dead node, unless it was replaced by a new node's.

    Globals come in as defaults: nodes may die after the module was torn down.
    """
    assert isinstance(dead, kind)
    with creation_lock:
        if dead.table.get(dead.fields) is dead:
            del dead.table[dead.fields]


def intern(cls: type[N], fields: tuple[Any, ...]) -> N:
    """Return the only node of class ``cls`` with these field values, in the order of its slots."""
    entry: Any = cls._table.get(fields)
    if entry is not None:
        node: N | None = entry()
        if node is not None:
            return node
    return _create(cls, fields)


def _create(cls: type[N], fields: tuple[Any, ...]) -> N:
    table = cls._table
    with _creation_lock:
        entry = table.get(fields)
        node = None if entry is None else entry()
        if node is not None:
            return cast(N, node)
        created = object.__new__(cls)
        for set_field, value in zip(cls._field_setters, fields, strict=True):
            set_field(created, value)
        loose, free = _loose_depth_and_free(created, fields)
        _put_digest(created, None)
        _put_loose(created, loose)
        _put_free(created, free)
        entry = _TableEntry(created, _remove_dead)
        entry.fields = fields
        entry.table = table
        table[fields] = entry
    return created


def replace_fields(node: N, **fields: Any) -> N:
    """Return ``node`` with some fields changed, like ``dataclasses.replace``."""
    names = node.__match_args__
    return intern(
        type(node), tuple([fields[n] if n in fields else getattr(node, n) for n in names])
    )


def is_binder(node: InternedNode) -> bool:
    """Whether ``node`` binds variables itself."""
    match type(node).__name__:
        case "Signature":
            return bool(cast(Any, node).type_parameters)
        case "Conditional":
            return bool(cast(Any, node).infer)
        case name:
            return name == "Mapped"


def binder_fields(node: InternedNode) -> frozenset[str]:
    """Return the fields inside the binder that ``node`` is; empty if it is not a binder."""
    return node._binder_fields if node._binder_fields and is_binder(node) else _NO_FIELDS


def _loose_depth_and_free(
    node: InternedNode, fields: tuple[Any, ...]
) -> tuple[int, frozenset[InternedNode]]:
    """Return the ``loose_depth`` and ``free`` of a node.

    A free variable holds a set with itself in it; the garbage collector frees that cycle.
    """
    cls = type(node)
    if not cls.child_fields:
        kind = cls.__name__
        if kind == "Var":
            return cast(int, fields[0]) + 1, _NO_VARIABLES
        is_free = kind == "Free" or (kind == "Intrinsic" and fields[0] == "this")
        return 0, frozenset((node,)) if is_free else _NO_VARIABLES
    loose_depth, free = 0, _NO_VARIABLES
    fields_inside = binder_fields(node)
    for name, position in cls._child_positions:
        value = fields[position]
        if value is None:
            continue
        crossed = 1 if name in fields_inside else 0
        for child in value if value.__class__ is tuple else (value,):
            if child.loose_depth - crossed > loose_depth:
                loose_depth = child.loose_depth - crossed
            child_free = child.free
            if not free:
                free = child_free
            elif child_free is not free and not child_free <= free:
                free = free | child_free
    return loose_depth, free


_NO_VARIABLES: frozenset[InternedNode] = frozenset()


def children(node: InternedNode) -> Iterator[InternedNode]:
    """Yield the direct children of ``node``, in field order."""
    for name in node.child_fields:
        value = getattr(node, name)
        if value.__class__ is tuple:
            yield from value
        elif value is not None:
            yield value


def scoped_children(node: InternedNode) -> Iterator[tuple[InternedNode, int]]:
    """Yield the direct children of ``node``, each with 1 if it is inside the binder, else 0."""
    fields_inside = binder_fields(node)
    for name in node.child_fields:
        value = getattr(node, name)
        crossed = 1 if name in fields_inside else 0
        if value.__class__ is tuple:
            for child in value:
                yield child, crossed
        elif value is not None:
            yield value, crossed


def nodes_of(root: InternedNode) -> Iterator[InternedNode]:
    """Yield ``root`` and every node below it, each once, in no particular order."""
    pending = [root]
    seen: set[InternedNode] = set()
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            yield node
            pending.extend(children(node))


def rebuild(node: N, change: Callable[[InternedNode, int], InternedNode]) -> N:
    """Return ``node`` with ``change(child, crossed)`` in place of each direct child.

    ``crossed`` is 1 for a child inside the binder that ``node`` is, otherwise 0.  The result is
    ``node`` itself if no child changed.  A changed union or intersection may be out of normal form:
    see ``ir.constructors.renormalize``.
    """
    fields_inside = binder_fields(node)
    fields: dict[str, Any] = {}
    for name in node.child_fields:
        value = getattr(node, name)
        crossed = 1 if name in fields_inside else 0
        if value.__class__ is tuple:
            new: Any = tuple([change(item, crossed) for item in value])
            if new != value:
                fields[name] = new
        elif value is not None:
            new = change(value, crossed)
            if new is not value:
                fields[name] = new
    return replace_fields(node, **fields) if fields else node
