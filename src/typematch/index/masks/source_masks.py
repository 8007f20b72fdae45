"""Work out what a value of a type has: its kind, properties, heads and what is inside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.index.masks import bits as f
from typematch.index.masks.declared_members import DeclaredMembers, members_of_object
from typematch.index.masks.mask import HAS_ALL, NEEDS_NONE, Masks, both, name_bits
from typematch.index.masks.memo import LIMITS, REDUCIBLE, MaskMemo
from typematch.index.masks.placeholders import OPEN, body_of, closed
from typematch.ir.constructors import PROMISES
from typematch.ir.declaration import Declarations
from typematch.ir.types import (
    NULL,
    UNDEFINED,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match.edits.conversions import ITERABLES
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.members import WRAPPERS
from typematch.program.reduction.reduce import Reducer

_FIRST = {"0": False}


class SourceMasks(MaskMemo):
    """The masks of types as sources."""

    def __init__(
        self, declarations: Declarations, rigid: dict[Free, Type | None] | None = None
    ) -> None:
        super().__init__(declarations, rigid)
        self._has: dict[Type, tuple[Masks, frozenset[str]]] = {}

    def has(self, t: Type) -> Masks:
        """Return what a value of type ``t`` has."""
        return self._remembered(self._has, closed(t), self._work_out_has, HAS_ALL)

    def _work_out_has(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return self._keyword_has(name)
            case Literal(kind, text):
                return both(self._primitive_has(kind) | f.literal_bit(kind, text))
            case Template():
                return both(self._primitive_has("string"))
            case UniqueSymbol():
                return both(self._primitive_has("symbol"))
            case Array(element, readonly):
                return self._array_has(t, readonly, {}, (element,))
            case Tuple(elements, readonly):
                if any(one.kind == "variadic" for one in elements):
                    return HAS_ALL
                places = {
                    str(place): element.kind == "optional"
                    for place, element in enumerate(elements)
                    if element.kind in ("required", "optional")
                }
                return self._array_has(t, readonly, places, [one.type for one in elements])
            case Union(members):
                return self._union_has(members)
            case Intersection():
                return self._intersection_has(t)
            case Object():
                return both(self._members_have(members_of_object(t, self._declared.get)))
            case Reference():
                return self._reference_has(t)
            case Free():
                return self._variable_has(t)
            case _:
                computed = isinstance(t, REDUCIBLE) and not _hangs_on_open(t)
                reduced = self._reduced(t) if computed else None
                if reduced is None:
                    return HAS_ALL
                has = self.has(reduced)
                return has | both(f.RIGID) if self._may_fit_a_variable(t) else has

    def _may_fit_a_variable(self, t: Type) -> bool:
        """Whether a mapped type has all keys that there may be: ``Record<PropertyKey, any>``."""
        if not isinstance(t, Mapped) or t.rename is not None or t.optional == "+":
            return False
        return not self.has(t.keys).strict & f.NO_SYMBOL

    def _keyword_has(self, name: str) -> Masks:
        if name == "boolean":
            literals = f.literal_bit("boolean", "true") | f.literal_bit("boolean", "false")
            bits = self._primitive_has(name)
            return Masks(bits, bits | literals)
        if name in WRAPPERS:
            return both(self._primitive_has(name))
        if name in ("null", "undefined", "void"):
            # In a union the others decide what there is; see ``features``.
            return both(f.EVERYTHING & ~f.ALL_KINDS | f.none_of((name,)))
        if name == "object":
            return both(f.none_of(("object",)) | f.NESTED)
        if name == "unknown":
            return NEEDS_NONE
        return HAS_ALL

    def _primitive_has(self, kind: str) -> int:
        members = self._declared.members(WRAPPERS[kind])
        return f.none_of((kind,)) | f.NESTED | name_bits(members.properties, optional_too=True)

    def _array_has(
        self,
        t: Array | Tuple,
        readonly: bool,
        places: dict[str, bool],
        elements: Sequence[Type],
    ) -> Masks:
        members = self._declared.array_members(readonly=readonly)
        if not members.known:
            return HAS_ALL
        inside = f.HEAD & _shared([(one, self.has(one).strict) for one in elements])
        bits = f.none_of(("object",)) | f.AWAITED | inside << f.ELEMENT_SHIFT
        bits |= name_bits(members.properties, optional_too=True) | name_bits(places)
        # It may have a first element.
        soft = bits | name_bits(_FIRST)
        if readonly:
            # It may be copied.
            copy = Array(t.element) if isinstance(t, Array) else Tuple(t.elements)
            soft |= self.has(copy).soft
        return Masks(bits, soft)

    def _union_has(self, members: Sequence[Type]) -> Masks:
        soft = f.NOTHING
        seen: list[tuple[Type, int]] = []
        for member in members:
            has = self.has(member)
            seen.append((member, has.strict))
            if member is not NULL and member is not UNDEFINED:
                # It may be meant for this member only.
                soft |= has.soft
        strict = _shared(seen)
        return Masks(strict, strict | soft)

    def _intersection_has(self, t: Intersection) -> Masks:
        if OPEN in t.members:
            return HAS_ALL
        # It may turn out to be never, which fits everything.
        try:
            normal = Reducer(self._declared, limits=LIMITS).normal(t)
        except (LimitReached, RecursionError):
            return HAS_ALL
        if not isinstance(normal, Intersection):
            return self.has(normal)
        masks = NEEDS_NONE
        for member in normal.members:
            masks |= self.has(member)
        return masks

    def _members_have(self, members: DeclaredMembers) -> int:
        if not members.known:
            return f.EVERYTHING
        bits = f.none_of(("object",)) | f.NESTED | members.heads
        if members.heads:
            functions = self._declared.members("global#Function")
            bits |= name_bits(functions.properties, optional_too=True)
        return bits | name_bits(members.properties)

    def _reference_has(self, t: Reference) -> Masks:
        declaration = self._declared.get(t.target)
        if declaration is None:
            return HAS_ALL
        match declaration.kind:
            case "alias":
                body = body_of(declaration, t.arguments)
                return HAS_ALL if body is None else self.has(body)
            case "class" | "interface":
                return self._instance_has(t)
            case "enum" | "enum-member":
                kinds = self._primitive_has("string") | self._primitive_has("number")
                return both(kinds | f.LITERALS)
            case _:
                return HAS_ALL

    def _instance_has(self, t: Reference) -> Masks:
        bits = self._members_have(self._declared.members(t.target))
        if t.arguments and t.target in PROMISES:
            given = self.has(t.arguments[0])
            inside = (given.strict & f.HEAD) << f.AWAITED_SHIFT
            bits = bits & ~f.AWAITED | inside
            # It may be awaited.
            return Masks(bits, bits | given.soft)
        if t.arguments and t.target in ITERABLES:
            # It may be collected.
            return Masks(bits, bits | self.has(Array(t.arguments[0])).soft)
        return both(bits)

    def _variable_has(self, t: Free) -> Masks:
        if t not in self._rigid:
            return HAS_ALL
        constraint = self._rigid[t]
        has = NEEDS_NONE if constraint is None else self.has(constraint)
        return has | both(f.RIGID)


def _shared(seen: Iterable[tuple[Type, int]]) -> int:
    """Return what all of several types have, of which each is given with what it has.

    Beside one that is any, all of them together are any.
    """
    shared = f.EVERYTHING
    for member, has in seen:
        if has == f.EVERYTHING and OPEN not in member.free:
            return has
        shared &= has
    return shared


def _hangs_on_open(t: Type) -> bool:
    """Whether a computed type may come to never, which fits everything, for some open variable."""
    match t:
        case KeyOf(hanging) | IndexedAccess(_, hanging) | Conditional(hanging):
            return OPEN in hanging.free
        case _:
            return False
