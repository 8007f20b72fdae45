"""Smart constructors, which build types in normal form, and rewriting that keeps the normal form.

Unions are flattened and ordered, object types have their properties sorted by name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeGuard, TypeVar, cast

from typematch.ir.intern import InternedNode, children, rebuild, scoped_children
from typematch.ir.type_parts import (
    Element,
    IndexSignature,
    Parameter,
    Property,
    Signature,
    TypeParameter,
)
from typematch.ir.types import (
    ANY,
    BIGINT,
    BOOLEAN,
    EMPTY_OBJECT,
    FALSE,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    THIS,
    TRUE,
    UNDEFINED,
    UNKNOWN,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    Literal,
    Object,
    Reference,
    Tuple,
    Type,
    TypeOf,
    Union,
    Var,
    VariableKind,
)

N = TypeVar("N", bound=InternedNode)
OBJECT_INTERFACE = Reference("global#Object")
PROMISES = frozenset(("global#Promise", "global#PromiseLike"))
# The declarations that ``Array`` represents, and whether they are readonly.
ARRAYS: Mapping[str, bool] = {"global#Array": False, "global#ReadonlyArray": True}
# The union of these three accepts every value, like `unknown`.
UNKNOWN_LIKE = frozenset((EMPTY_OBJECT, NULL, UNDEFINED))
# By the kind of a literal type.
LITERAL_PRIMITIVES: Mapping[str, Intrinsic] = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "bigint": BIGINT,
}
_LITERAL_RANKS = {"boolean": 98, "string": 99, "bigint": 101}
_NULLISH = (NULL, UNDEFINED)  # in the order in which a union ends
_INTRINSIC_RANKS = {
    name: rank
    for rank, name in enumerate(
        ("string", "number", "bigint", "boolean", "symbol", "object", "this", "_", "unannotated")
    )
}


class _StructureOrder:
    """The order of types by digest, then by their free variables; digests are made on demand."""

    __slots__ = ("_type",)

    def __init__(self, t: Type) -> None:
        self._type = t

    def __lt__(self, other: _StructureOrder) -> bool:
        digest, other_digest = self._type.digest, other._type.digest
        if digest != other_digest:
            return digest < other_digest
        return list(_variable_keys(self._type)) < list(_variable_keys(other._type))


def _variable_keys(node: InternedNode) -> Iterator[tuple[VariableKind, int]]:
    """Yield the sort key of each free variable: by kind, local ones oldest first, others newest."""
    if isinstance(node, Free):
        yield node.kind, node.serial if node.kind is VariableKind.LOCAL else -node.serial
    for part in children(node):
        if part.free:
            yield from _variable_keys(part)


def _sort_key(member: Type) -> tuple[int, str, bytes] | tuple[int, str, _StructureOrder]:
    """Return the sort key of a union member that is not nullish."""
    fields: Any = member  # hundreds of thousands of calls: Any instead of casts, which are calls
    cls = member.__class__
    if cls is Literal:
        if fields.kind == "number":
            # The text breaks ties between numbers that differ by less than 1e-10.
            return 100, "", f"{float(fields.text):030.10f} {fields.text}".encode()
        return _LITERAL_RANKS[fields.kind], fields.text, b""
    if cls is Intrinsic:
        return _INTRINSIC_RANKS.get(fields.name, 50), fields.name, b""
    if cls is Var:
        return 200 - fields.depth, f"{fields.index:06}", b""
    if cls is Reference:
        return 300, fields.target, _StructureOrder(member)
    return 400, "", _StructureOrder(member)


def union(members: Iterable[Type]) -> Type:
    """Return the union of ``members``: flattened, without duplicates, in a fixed order.

    ``never`` is dropped, ``any`` and ``unknown`` absorb the other members, ``true | false`` is
    ``boolean``.  Literals beside their keyword stay (see ``program.reduction.unions``).  Without
    members: ``never``.
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
    # Nullish members come last; most unions have one other member, which needs no order.
    nullish = tuple([member for member in _NULLISH if member in flat])
    others = [member for member in flat if member not in _NULLISH] if nullish else list(flat)
    if len(others) > 1:
        others.sort(key=_sort_key)
    return Union((*others, *nullish))


def constituents(t: Type) -> tuple[Type, ...]:
    """Return the members of a union, with ``true`` and ``false`` for ``boolean``.

    ``never`` has none; any other type is its own only constituent.
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
    """Return the intersection of ``members``: flattened, without duplicates, in the given order.

    ``unknown`` is dropped, ``never``, then ``any``, absorb the other members.  Empty intersections
    are detected in ``program.reduction.unions``.  Without members: ``unknown``.
    """
    flat: dict[Type, None] = {}
    for member in members:
        for part in intersection_members(member):
            if part is not UNKNOWN:
                flat[part] = None
    if NEVER in flat:
        return NEVER
    if ANY in flat:
        return ANY
    if len(flat) < 2:
        return next(iter(flat), UNKNOWN)
    return Intersection(tuple(flat))


def intersection_members(t: Type) -> tuple[Type, ...]:
    """Return the members of an intersection; any other type is its own only member."""
    return t.members if isinstance(t, Intersection) else (t,)


def object_type(
    properties: Iterable[Property] = (),
    calls: Iterable[Signature] = (),
    constructs: Iterable[Signature] = (),
    indexes: Iterable[IndexSignature] = (),
) -> Object:
    """Return an object type with its properties sorted by name.

    Methods of one name become one property with overloads; otherwise the last property of a name
    wins.
    """
    by_name: dict[str, Property] = {}
    overloads: dict[str, list[Signature]] = {}
    for new in properties:
        name = new.name
        old = by_name.get(name)
        if (
            old is not None
            and old.method
            and new.method
            and isinstance(old.type, Object)
            and isinstance(new.type, Object)
        ):
            # Collected and joined once: a type for each addition would copy those before it.
            overloads.setdefault(name, [*old.type.calls]).extend(new.type.calls)
        else:
            by_name[name] = new
            overloads.pop(name, None)
    for name, signatures in overloads.items():
        first = by_name[name]
        shown = Object(calls=tuple(signatures))
        by_name[name] = Property(
            name, shown, first.optional, first.readonly, True, first.visibility, first.owner
        )
    ordered = tuple(by_name[name] for name in sorted(by_name))
    return Object(ordered, tuple(calls), tuple(constructs), tuple(indexes))


def own_property(object_type: Object, name: str) -> Property | None:
    """Return the property ``name`` of an object type; its properties are sorted by name."""
    properties = object_type.properties
    position = bisect_left(properties, name, key=lambda property_: property_.name)
    if position < len(properties) and properties[position].name == name:
        return properties[position]
    return None


def function(
    parameters: Iterable[Parameter],
    returns: Type,
    type_parameters: Iterable[TypeParameter] = (),
) -> Object:
    """Return a function type with one call signature."""
    return Object(calls=(Signature(tuple(parameters), returns, tuple(type_parameters)),))


def renormalize(node: InternedNode) -> InternedNode:
    """Return a rebuilt union or intersection in normal form; other nodes unchanged."""
    match node:
        case Union(members):
            return union(members)
        case Intersection(members):
            return intersection(members)
        case _:
            return node


def type_of_this(path: Sequence[str], arguments: tuple[Type, ...] = ()) -> Type:
    """Return ``typeof this.a.b``, which is ``this["a"]["b"]`` without type arguments."""
    if not path or arguments:
        return TypeOf(THIS, tuple(path), arguments)
    queried: Type = THIS
    for name in path:
        queried = IndexedAccess(queried, Literal("string", name))
    return queried


def widened(t: Type) -> Type:
    """Return the primitive of a literal type, any other as it is (getWidenedLiteralType)."""
    return LITERAL_PRIMITIVES[t.kind] if isinstance(t, Literal) else t


# An intrinsic alias: the type of a call, by the types of what is called and of its arguments.
CALL_RESULT = "intrinsic#CallResult"


def call_result_type(callee: Type, arguments: Sequence[Type], use: str) -> Type:
    """Return the type of a call, which is computed when it is reduced.

    Args:
        arguments: their types; a literal has its literal type, an array literal is a tuple, and
            ``unannotated`` stands for what is unknown.
        use: what becomes of the result: ``constant`` for the value of a ``const`` or ``readonly``
            name, ``variable`` for that of another, ``argument`` for an argument of a call,
            ``widened`` for one whose parameter keeps no literal types.
    """
    elements = tuple([Element(argument) for argument in arguments])
    return Reference(CALL_RESULT, (callee, Tuple(elements), Literal("string", use)))


def is_call_result(node: InternedNode) -> TypeGuard[Reference]:
    """Whether a type is that of a call, as ``call_result_type`` writes it."""
    return isinstance(node, Reference) and node.target == CALL_RESULT


def is_base_value(base: Type) -> bool:
    """Whether a heritage type is that of a value, whose instances have the base type."""
    return isinstance(base, TypeOf) or is_call_result(base)


def promise_value_type(t: Type) -> Type | None:
    """Return ``T`` of ``Promise<T>`` or ``PromiseLike<T>``; None for any other type."""
    if isinstance(t, Reference) and t.target in PROMISES and len(t.arguments) == 1:
        return t.arguments[0]
    return None


def replace_bound_variables(node: N, replacement: Type, depth: int = 0) -> N:
    """Return ``node`` with ``replacement`` for every variable bound outside it.

    ``replacement`` is closed; ``depth`` is the number of binders entered.
    """
    if node.loose_depth <= depth:
        return node
    if isinstance(node, Var):
        return cast(N, replacement)
    return cast(
        N,
        renormalize(
            rebuild(
                node,
                lambda part, crossed: replace_bound_variables(part, replacement, depth + crossed),
            )
        ),
    )


@lru_cache(maxsize=8_192)
def without_parameter_names(node: N) -> N:
    """Return ``node`` with all parameter names empty: they do not affect types."""
    if isinstance(node, Parameter):
        bare = Parameter("", without_parameter_names(node.type), node.optional, node.rest)
        return cast(N, bare)
    return cast(N, renormalize(rebuild(node, lambda part, _: without_parameter_names(part))))


@lru_cache(maxsize=8_192)
def bound_indices(node: InternedNode, depth: int = 0) -> frozenset[int]:
    """Return the indices of the variables in ``node`` that its immediate binder binds."""
    if node.loose_depth <= depth:
        return frozenset()
    if isinstance(node, Var):
        return frozenset((node.index,)) if node.depth == depth else frozenset()
    parts = (bound_indices(part, depth + crossed) for part, crossed in scoped_children(node))
    return frozenset[int]().union(*parts)
