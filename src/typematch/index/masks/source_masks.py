"""Masks of types as sources: the kinds, members and literals that every value has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.index.masks import bits
from typematch.index.masks.declared_members import LIMITS, DeclaredMembers, object_members
from typematch.index.masks.mask import EMPTY_MASKS, FULL_MASKS, Masks, property_bits, symmetric
from typematch.index.masks.memo import REDUCIBLE, MaskMemo
from typematch.index.masks.placeholders import OPEN, alias_body, depends_on_open, with_placeholders
from typematch.ir.constructors import PROMISES
from typematch.ir.type_parts import Element
from typematch.ir.types import (
    NULL,
    UNDEFINED,
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
)
from typematch.match.edits.conversions import ITERABLES
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.members import WRAPPERS
from typematch.program.reduction.reduce import Reducer

_FIRST_ELEMENT = {"0": False}


class SourceMasks:
    """The masks of types as sources."""

    def __init__(self, memo: MaskMemo) -> None:
        self._memo = memo
        self._masks: dict[Type, tuple[Masks, frozenset[str]]] = {}

    def mask(self, t: Type) -> Masks:
        """Return the bits that every value of type ``t`` has."""
        return self._memo.memoized(self._masks, with_placeholders(t), self._compute, FULL_MASKS)

    def _compute(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return self._keyword(name)
            case Literal(kind, text):
                return symmetric(self._primitive(kind) | bits.literal_bit(kind, text))
            case Template():
                return symmetric(self._primitive("string"))
            case UniqueSymbol():
                return symmetric(self._primitive("symbol"))
            case Array(element, readonly):
                return self._array(t, readonly, {}, (element,))
            case Tuple(elements, readonly):
                return self._tuple(t, elements, readonly)
            case Union(members):
                return self._union(members)
            case Intersection():
                return self._intersection(t)
            case Object():
                return symmetric(self._members(object_members(t, self._memo.declarations.get)))
            case Reference():
                return self._reference(t)
            case Free():
                return self._variable(t)
            case _:
                may_reduce = isinstance(t, REDUCIBLE) and not depends_on_open(t)
                reduced = self._memo.reduced(t) if may_reduce else None
                if reduced is None:
                    return FULL_MASKS
                mask = self.mask(reduced)
                return mask | symmetric(bits.RIGID) if self._may_fit_type_parameter(t) else mask

    def _may_fit_type_parameter(self, t: Type) -> bool:
        """Whether a mapped type has all keys, as ``Record<PropertyKey, any>`` does."""
        if not isinstance(t, Mapped) or t.rename is not None or t.optional == "+":
            return False
        return not self.mask(t.keys).strict & bits.NO_SYMBOL

    def _keyword(self, name: str) -> Masks:
        if name == "boolean":
            literal_bits = bits.literal_bit("boolean", "true") | bits.literal_bit(
                "boolean", "false"
            )
            mask = self._primitive(name)
            return Masks(mask, mask | literal_bits)
        if name in WRAPPERS:
            return symmetric(self._primitive(name))
        if name in ("null", "undefined", "void"):
            # All other bits are set, so that in a union the other members decide.
            return symmetric(bits.ALL_BITS & ~bits.ALL_ABSENT | bits.absent_kinds((name,)))
        if name == "object":
            return symmetric(bits.absent_kinds(("object",)) | bits.NESTED)
        if name == "unknown":
            return EMPTY_MASKS
        return FULL_MASKS

    def _primitive(self, kind: str) -> int:
        members = self._memo.declarations.members(WRAPPERS[kind])
        return (
            bits.absent_kinds((kind,))
            | bits.NESTED
            | property_bits(members.properties, include_optional=True)
        )

    def _tuple(self, t: Tuple, elements: Sequence[Element], readonly: bool) -> Masks:
        if any(element.kind == "variadic" for element in elements):
            return FULL_MASKS
        optional_by_index = {
            str(index): element.kind == "optional"
            for index, element in enumerate(elements)
            if element.kind in ("required", "optional")
        }
        return self._array(t, readonly, optional_by_index, [element.type for element in elements])

    def _array(
        self,
        t: Array | Tuple,
        readonly: bool,
        optional_by_index: dict[str, bool],
        element_types: Sequence[Type],
    ) -> Masks:
        members = self._memo.declarations.array_members(readonly=readonly)
        if not members.complete:
            return FULL_MASKS
        element_head = bits.HEAD & _common_bits(
            [(element, self.mask(element).strict) for element in element_types]
        )
        strict = bits.absent_kinds(("object",)) | bits.AWAITED | element_head << bits.ELEMENT_SHIFT
        strict |= property_bits(members.properties, include_optional=True)
        strict |= property_bits(optional_by_index)
        # Conversion: it may be checked to have a first element.
        soft = strict | property_bits(_FIRST_ELEMENT)
        if readonly:
            # Conversion: it may be copied.
            copy = Array(t.element) if isinstance(t, Array) else Tuple(t.elements)
            soft |= self.mask(copy).soft
        return Masks(strict, soft)

    def _union(self, members: Sequence[Type]) -> Masks:
        soft = bits.NO_BITS
        member_masks: list[tuple[Type, int]] = []
        for member in members:
            masks = self.mask(member)
            member_masks.append((member, masks.strict))
            if member is not NULL and member is not UNDEFINED:
                # Conversion: the value may be passed as this member only.
                soft |= masks.soft
        strict = _common_bits(member_masks)
        return Masks(strict, strict | soft)

    def _intersection(self, t: Intersection) -> Masks:
        if OPEN in t.members:
            return FULL_MASKS
        # An intersection may reduce to never, which is assignable to every type.
        try:
            reduced = Reducer(self._memo.declarations, limits=LIMITS).normal(t)
        except (LimitReached, RecursionError):
            return FULL_MASKS
        if not isinstance(reduced, Intersection):
            return self.mask(reduced)
        masks = EMPTY_MASKS
        for member in reduced.members:
            masks |= self.mask(member)
        return masks

    def _members(self, members: DeclaredMembers) -> int:
        if not members.complete:
            return bits.ALL_BITS
        mask = bits.absent_kinds(("object",)) | bits.NESTED | members.signature_bits
        if members.signature_bits:
            functions = self._memo.declarations.members("global#Function")
            mask |= property_bits(functions.properties, include_optional=True)
        return mask | property_bits(members.properties)

    def _reference(self, t: Reference) -> Masks:
        declaration = self._memo.declarations.get(t.target)
        if declaration is None:
            return FULL_MASKS
        match declaration.kind:
            case "alias":
                body = alias_body(declaration, t.arguments)
                return FULL_MASKS if body is None else self.mask(body)
            case "class" | "interface":
                return self._instance(t)
            case "enum" | "enum-member":
                kinds = self._primitive("string") | self._primitive("number")
                return symmetric(kinds | bits.LITERALS)
            case _:
                return FULL_MASKS

    def _instance(self, t: Reference) -> Masks:
        mask = self._members(self._memo.declarations.members(t.target))
        if t.arguments and t.target in PROMISES:
            awaited = self.mask(t.arguments[0])
            awaited_head = (awaited.strict & bits.HEAD) << bits.AWAITED_SHIFT
            mask = mask & ~bits.AWAITED | awaited_head
            # Conversion: it may be awaited.
            return Masks(mask, mask | awaited.soft)
        if t.arguments and t.target in ITERABLES:
            # Conversion: it may be collected into an array.
            return Masks(mask, mask | self.mask(Array(t.arguments[0])).soft)
        return symmetric(mask)

    def _variable(self, t: Free) -> Masks:
        if t not in self._memo.skolems:
            return FULL_MASKS
        constraint = self._memo.skolems[t]
        masks = EMPTY_MASKS if constraint is None else self.mask(constraint)
        return masks | symmetric(bits.RIGID)


def _common_bits(member_masks: Iterable[tuple[Type, int]]) -> int:
    """Return the bits common to the members of a union; all bits if one of them is ``any``.

    Args:
        member_masks: (member, its source mask).
    """
    common = bits.ALL_BITS
    for member, mask in member_masks:
        if mask == bits.ALL_BITS and OPEN not in member.free:
            return mask
        common &= mask
    return common
