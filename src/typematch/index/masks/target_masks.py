"""Masks of types as targets: the kinds, members and literals that a value must have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.index.masks import bits
from typematch.index.masks.declared_members import DeclaredMembers, object_members
from typematch.index.masks.mask import EMPTY_MASKS, Masks, property_bits, symmetric
from typematch.index.masks.memo import REDUCIBLE, MaskMemo
from typematch.index.masks.placeholders import OPEN, alias_body, with_placeholders
from typematch.ir.constructors import PROMISES, UNKNOWN_LIKE
from typematch.ir.declaration import Declaration
from typematch.ir.types import (
    Array,
    Free,
    Intersection,
    Intrinsic,
    Literal,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
    Var,
)

_KEYWORDS = frozenset(("string", "number", "boolean", "bigint", "symbol", "null", "undefined"))
_NULLISH = frozenset(map(Intrinsic, ("null", "undefined", "void")))


class TargetMasks:
    """The masks of types as targets."""

    def __init__(self, memo: MaskMemo) -> None:
        self._memo = memo
        self._masks: dict[Type, tuple[Masks, frozenset[str]]] = {}

    def mask(self, t: Type) -> Masks:
        """Return the bits that every value assignable to ``t`` has."""
        return self._memo.memoized(self._masks, with_placeholders(t), self._compute, EMPTY_MASKS)

    def _compute(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return symmetric(_keyword_mask(name))
            case Literal(kind, text):
                return symmetric(bits.absent_kinds((kind,)) | bits.literal_bit(kind, text))
            case Template():
                return symmetric(bits.absent_kinds(("string",)))
            case UniqueSymbol():
                return symmetric(bits.absent_kinds(("symbol",)))
            case Array(element, readonly):
                element_head = (self.mask(element).strict & bits.HEAD) << bits.ELEMENT_SHIFT
                return symmetric(self._array(readonly, ()) | element_head)
            case Tuple(elements, readonly):
                names = [
                    str(index)
                    for index, element in enumerate(elements)
                    if element.kind == "required"
                    and all(preceding.kind == "required" for preceding in elements[:index])
                ]
                return symmetric(self._array(readonly, names))
            case Union(members):
                return self._union(members)
            case Intersection(members):
                masks = EMPTY_MASKS
                for member in members if OPEN not in members else ():
                    masks |= self.mask(member)
                return masks
            case Object():
                return self._type_literal(t)
            case Reference():
                return self._reference(t)
            case Free():
                return symmetric(bits.RIGID) if t in self._memo.skolems else EMPTY_MASKS
            case _:
                reduced = self._memo.reduced(t) if isinstance(t, REDUCIBLE) else None
                return EMPTY_MASKS if reduced is None else self.mask(reduced)

    def _type_literal(self, t: Object) -> Masks:
        members = object_members(t, self._memo.declarations.get)
        mask = _members_mask(members)
        if not members.is_thunk:
            return symmetric(mask)
        # Conversion: a value may be passed as a thunk that returns it.
        return Masks(mask, mask & self.mask(t.calls[0].returns).soft)

    def _array(self, readonly: bool, indices: Iterable[str]) -> int:
        members = self._memo.declarations.array_members(readonly=readonly)
        names = property_bits(members.properties) | property_bits(dict.fromkeys(indices, False))
        return bits.absent_kinds(("object",)) | names

    def _union(self, members: Sequence[Type]) -> Masks:
        """Return the bits common to the members; nullish members count for the kinds only."""
        if UNKNOWN_LIKE.issubset(members):
            return EMPTY_MASKS
        kinds = soft_kinds = bits.ALL_ABSENT
        strict = soft = bits.ALL_BITS
        for member in members:
            mask = self.mask(member)
            kinds &= mask.strict
            soft_kinds &= mask.soft
            if member not in _NULLISH:
                strict &= mask.strict
                soft &= mask.soft
        if all(member in _NULLISH for member in members):
            return Masks(kinds, soft_kinds)
        return Masks(strict & ~bits.ALL_ABSENT | kinds, soft & ~bits.ALL_ABSENT | soft_kinds)

    def _reference(self, t: Reference) -> Masks:
        declaration = self._memo.declarations.get(t.target)
        if declaration is None:
            return EMPTY_MASKS
        match declaration.kind:
            case "alias":
                body = alias_body(declaration, t.arguments)
                masks = EMPTY_MASKS if body is None else self.mask(body)
                return _without_names(masks) if _maps_over_parameter(declaration) else masks
            case "class" | "interface":
                return self._instance(t)
            case "enum" | "enum-member":
                return symmetric(bits.absent_kinds(("string", "number")))
            case _:
                return EMPTY_MASKS

    def _instance(self, t: Reference) -> Masks:
        members = self._memo.declarations.members(t.target)
        mask = _members_mask(members)
        if members.is_thunk:
            return Masks(mask, bits.NO_BITS)
        if t.arguments and t.target in PROMISES:
            awaited = self.mask(t.arguments[0])
            mask |= (awaited.strict & bits.HEAD) << bits.AWAITED_SHIFT
            # Conversion: the awaited value may be wrapped in a promise.
            return Masks(mask, mask & awaited.soft)
        return symmetric(mask)


def _maps_over_parameter(alias: Declaration) -> bool:
    """Whether an alias is a mapped type over one of its type parameters.

    Two instantiations are compared by their type arguments, so ``Record<string, T>`` is assignable
    to ``Record<"a", T>`` although it has no property ``a``.
    """
    return isinstance(alias.type, Mapped) and isinstance(alias.type.keys, Var)


def _without_names(masks: Masks) -> Masks:
    return Masks(masks.strict & ~bits.NAMES, masks.soft & ~bits.NAMES)


def _keyword_mask(name: str) -> int:
    if name == "void":
        return bits.absent_kinds(("void", "undefined"))
    if name == "object" or name in _KEYWORDS:
        return bits.absent_kinds((name,))
    if name == "never":
        return bits.ALL_ABSENT | bits.LITERALS | bits.NAMES
    return bits.NO_BITS


def _members_mask(members: DeclaredMembers) -> int:
    """Own members are required even if a base type cannot be resolved."""
    accepted = tuple(kind for kind in bits.KINDS if kind not in ("null", "undefined", "void"))
    return bits.absent_kinds(accepted) | members.signature_bits | property_bits(members.properties)
