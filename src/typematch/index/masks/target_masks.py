"""Masks of types as targets: the kinds, members and literals that a value must have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_, or_

from typematch.index.masks import bits
from typematch.index.masks.declared_members import DeclaredMembers, object_members
from typematch.index.masks.mask import (
    EMPTY_MASKS,
    ConvertedMask,
    Masks,
    converted_by,
    distinct_conversions,
    property_bits,
)
from typematch.index.masks.memo import REDUCIBLE, MaskMemo, MaskTable
from typematch.index.masks.placeholders import OPEN, alias_body, with_placeholders
from typematch.ir.constructors import PROMISES, UNKNOWN_LIKE
from typematch.ir.declaration import Declaration
from typematch.ir.types import (
    ANY,
    STRING,
    VOID,
    Array,
    Conditional,
    Free,
    IndexedAccess,
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
from typematch.match.edit_kinds import PASSED_AS_THUNK, WRAPPED
from typematch.match.prefilter.primitives import NULLISH_OR_VOID, UNIVERSAL_PROPERTIES

_MAX_ALIASES = 8
_KEYWORDS = frozenset(("string", "number", "boolean", "bigint", "symbol", "null", "undefined"))


class TargetMasks:
    """The masks of types as targets."""

    def __init__(self, memo: MaskMemo) -> None:
        self._memo = memo
        self._masks = MaskTable()

    def mask(self, t: Type) -> Masks:
        """Return the bits that every value assignable to ``t`` has."""
        return self._memo.memoized(self._masks, with_placeholders(t), self._compute, EMPTY_MASKS)

    def _compute(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return Masks(_keyword_mask(name))
            case Literal(kind, text):
                return Masks(bits.absent_kinds((kind,)) | bits.literal_bit(kind, text))
            case Template():
                return Masks(bits.absent_kinds(("string",)))
            case UniqueSymbol():
                return Masks(bits.absent_kinds(("symbol",)))
            case Array(element, readonly):
                element_head = (self.mask(element).strict & bits.HEAD) << bits.ELEMENT_SHIFT
                return Masks(self._array(readonly, ()) | element_head)
            case Tuple(elements, readonly):
                names = [
                    str(index)
                    for index, element in enumerate(elements)
                    if element.kind == "required"
                    and all(preceding.kind == "required" for preceding in elements[:index])
                ]
                return Masks(self._array(readonly, names))
            case Union(members):
                return self._union(members)
            case Intersection(members):
                if any(self._may_be_any(member) for member in members):
                    return EMPTY_MASKS
                masks = [self.mask(member) for member in members]
                strict = reduce(or_, (member.strict for member in masks))
                return Masks(strict, _distinct(c for member in masks for c in member.converted))
            case Object():
                return self._type_literal(t)
            case Reference():
                return self._reference(t)
            case Free():
                return Masks(bits.SKOLEM) if t in self._memo.skolems else EMPTY_MASKS
            case _:
                reduced = self._memo.reduced(t) if isinstance(t, REDUCIBLE) else None
                return EMPTY_MASKS if reduced is None else self.mask(reduced)

    def _may_be_any(self, t: Type, levels: int = _MAX_ALIASES) -> bool:
        """Whether a type may reduce to ``any``, so that an intersection with it does, too."""
        if self.mask(t) != EMPTY_MASKS:
            return False
        match t:
            case IndexedAccess() | Conditional():
                reduced = self._memo.reduced(t)
                return reduced is None or self._may_be_any(reduced, levels)
            case Union(members) | Intersection(members):
                return any(self._may_be_any(member, levels) for member in members)
            case Reference(target, arguments):
                declaration = self._memo.declarations.get(target)
                if declaration is None or not levels:
                    return True
                body = alias_body(declaration, arguments) if declaration.kind == "alias" else None
                return body is not None and self._may_be_any(body, levels - 1)
            case _:
                return t is OPEN or t is ANY

    def _type_literal(self, t: Object) -> Masks:
        members = object_members(t, self._memo.declarations.get)
        masks = _members_masks(members)
        masks = replace(masks, strict=masks.strict | self._call_bits(t) | self._index_bit(t))
        if not members.is_thunk:
            return masks
        returned = self.mask(t.calls[0].returns)
        return replace(masks, converted=_distinct(converted_by(PASSED_AS_THUNK.cost, returned)))

    def _call_bits(self, t: Object) -> int:
        """Return what the only call signature requires of the source's."""
        if len(t.calls) != 1:
            return bits.NO_BITS
        [call] = t.calls
        has_rest = bool(call.parameters) and call.parameters[-1].rest
        arity = bits.NO_BITS if has_rest else bits.callable_with(len(call.parameters))
        result = self.mask(call.returns).strict
        if result == self.mask(VOID).strict:
            return arity  # a result that reduces to void accepts every result
        return arity | (result & bits.HEAD) << bits.RESULT_SHIFT

    def _index_bit(self, t: Object) -> int:
        """Return the bit of an index signature, if only sources with one are assignable."""
        is_required = any(
            index.key is STRING and self.mask(index.type).strict for index in t.indexes
        )
        return bits.INDEX if is_required else bits.NO_BITS

    def _array(self, readonly: bool, indices: Iterable[str]) -> int:
        members = self._memo.declarations.array_members(readonly=readonly)
        names = property_bits(members.properties) | property_bits(dict.fromkeys(indices, False))
        return bits.absent_kinds(("object",)) | names

    def _union(self, members: Sequence[Type]) -> Masks:
        """Return the bits common to the members; nullish members count for the kinds only."""
        if UNKNOWN_LIKE.issubset(members):
            return EMPTY_MASKS
        masks = [self.mask(member) for member in members]
        kinds = bits.ALL_ABSENT & reduce(and_, (member.strict for member in masks))
        present = [
            m for member, m in zip(members, masks, strict=True) if member not in NULLISH_OR_VOID
        ]
        if not present:
            return Masks(kinds)
        common = reduce(and_, (member.strict for member in present))
        # A union itself is no target of a conversion, but an optional parameter's type is.
        converted = _distinct(c for member in present for c in member.converted)
        names = bits.NO_BITS
        for member in present:
            if member.names is None:
                return Masks(common & ~bits.ALL_ABSENT | kinds, converted)
            names |= member.names
        return Masks(common & ~bits.ALL_ABSENT | kinds, converted, names)

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
                return Masks(bits.absent_kinds(("string", "number")))
            case _:
                return EMPTY_MASKS

    def _instance(self, t: Reference) -> Masks:
        members = self._memo.declarations.members(t.target)
        masks = _members_masks(members)
        if members.is_thunk:
            any_thunk = ConvertedMask(PASSED_AS_THUNK.cost, bits.NO_BITS)
            return replace(masks, converted=(any_thunk,))
        if t.arguments and t.target in PROMISES:
            awaited = self.mask(t.arguments[0])
            strict = masks.strict | (awaited.strict & bits.HEAD) << bits.RESULT_SHIFT
            return Masks(strict, _distinct(converted_by(WRAPPED.cost, awaited)))
        return masks


def _maps_over_parameter(alias: Declaration) -> bool:
    """Whether an alias is a mapped type over one of its type parameters.

    Two instantiations are compared by their type arguments, so ``Record<string, T>`` is assignable
    to ``Record<"a", T>`` although it has no property ``a``.
    """
    return isinstance(alias.type, Mapped) and isinstance(alias.type.keys, Var)


def _without_names(masks: Masks) -> Masks:
    converted = (ConvertedMask(c.cost, c.mask & ~bits.NAMES) for c in masks.converted)
    return Masks(masks.strict & ~bits.NAMES, tuple(converted))


def _distinct(converted: Iterable[ConvertedMask]) -> tuple[ConvertedMask, ...]:
    return distinct_conversions(converted, and_)


def _keyword_mask(name: str) -> int:
    if name == "void":
        return bits.absent_kinds(("void", "undefined"))
    if name == "object" or name in _KEYWORDS:
        return bits.absent_kinds((name,))
    if name == "never":
        return bits.ALL_ABSENT | bits.LITERALS | bits.NAMES
    return bits.NO_BITS


def _members_masks(members: DeclaredMembers) -> Masks:
    """Own members are required even if a base type cannot be resolved."""
    accepted = tuple(kind for kind in bits.KINDS if kind not in ("null", "undefined", "void"))
    strict = (
        bits.absent_kinds(accepted) | members.signature_bits | property_bits(members.properties)
    )
    return Masks(strict, names=_weak_names(members))


def _weak_names(members: DeclaredMembers) -> int | None:
    """Return the names of a weak type, whose members are all optional properties; else None."""
    if members.signature_bits or members.has_indexes or not members.complete:
        return None
    if not members.properties or not all(members.properties.values()):
        return None
    if not UNIVERSAL_PROPERTIES.isdisjoint(members.properties):
        return None
    return property_bits(members.properties, include_optional=True)
