"""Masks of types as sources: the kinds, members and literals that every value has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from typematch.index.masks import bits
from typematch.index.masks.declared_members import LIMITS, DeclaredMembers, object_members
from typematch.index.masks.mask import (
    EMPTY_MASKS,
    FULL_MASKS,
    ConvertedMask,
    Masks,
    converted_by,
    distinct_conversions,
    property_bits,
)
from typematch.index.masks.memo import REDUCIBLE, MaskMemo, MaskTable
from typematch.index.masks.placeholders import (
    OPEN,
    alias_body,
    depends_on_open,
    open_reducer,
    with_placeholders,
)
from typematch.index.masks.possible_values import possible_values
from typematch.ir.constructors import OBJECT_INTERFACE, PROMISES
from typematch.ir.type_parts import Element, Signature
from typematch.ir.types import (
    BOOLEAN,
    NULL,
    UNDEFINED,
    VOID,
    Array,
    Free,
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
from typematch.match.edit_kinds import (
    AWAITED,
    CONTENT_NARROWED,
    ITERABLE_COLLECTED,
    NOT_EMPTY,
    READONLY_COPIED,
    UNDEFINED_CHECKED,
    UNION_MEMBER,
)
from typematch.match.edits.content_narrowing import ITERABLES
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.members import WRAPPERS
from typematch.program.reduction.reduce import Reducer

_FIRST_ELEMENT = {"0": False}
# A mapped type over unknown keys is an object that may have any property.  Only one over the keys
# of a type variable, ``keyof T``, may be an array or a primitive (instantiateMappedType).
_MAPPED_MASKS = Masks(
    bits.ALL_BITS & ~(bits.MAY_BE_ANY | bits.CALL | bits.CONSTRUCT | bits.CALLABLE | bits.NO_OBJECT)
)


class SourceMasks:
    """The masks of types as sources."""

    def __init__(self, memo: MaskMemo) -> None:
        self._memo = memo
        self._masks = MaskTable()

    def mask(self, t: Type) -> Masks:
        """Return the bits that every value of type ``t`` has."""
        return self._memo.memoized(self._masks, with_placeholders(t), self._compute, FULL_MASKS)

    def _compute(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return self._keyword(name)
            case Literal(kind, text):
                return self._primitive(kind, bits.literal_bit(kind, text))
            case Template():
                return self._primitive("string")
            case UniqueSymbol():
                return self._primitive("symbol")
            case Array(element, readonly):
                return self._array(t, readonly, {}, (element,))
            case Tuple(elements, readonly):
                return self._tuple(t, elements, readonly)
            case Union(members):
                return self._union(members)
            case Intersection():
                return self._intersection(t)
            case Object():
                return self._type_literal(t)
            case Reference():
                return self._reference(t)
            case Free():
                return self._variable(t)
            case _:
                may_reduce = isinstance(t, REDUCIBLE) and not depends_on_open(t)
                reduced = self._memo.reduced(t) if may_reduce else None
                if reduced is None:
                    return self._computed(t)
                masks = self.mask(reduced)
                return _with_bits(masks, bits.SKOLEM) if self._may_fit_type_parameter(t) else masks

    def _computed(self, t: Type) -> Masks:
        """Return the bits of a type that is not reduced: those of each value that it may have."""
        if isinstance(t, Mapped) and not isinstance(t.keys, KeyOf):
            return _MAPPED_MASKS
        values = possible_values(t, self._memo)
        if values is None:
            return FULL_MASKS
        strict = bits.MAY_BE_ANY
        converted: list[ConvertedMask] = []
        for value in values:
            masks = self.mask(value)
            strict |= masks.strict
            if strict == bits.ALL_BITS:
                return FULL_MASKS
            converted += masks.converted
        return Masks(strict, _distinct(converted))

    def _may_fit_type_parameter(self, t: Type) -> bool:
        """Whether a mapped type has all keys, as ``Record<PropertyKey, any>`` does."""
        if not isinstance(t, Mapped) or t.rename is not None or t.optional == "+":
            return False
        return not self.mask(t.keys).strict & bits.NO_SYMBOL

    def _keyword(self, name: str) -> Masks:
        if name == "boolean":
            masks = self._primitive(name)
            literals = [bits.literal_bit(name, text) for text in ("true", "false")]
            converted = [ConvertedMask(UNION_MEMBER.cost, masks.strict | bit) for bit in literals]
            return replace(masks, converted=tuple(converted))
        if name in WRAPPERS:
            return self._primitive(name)
        if name in ("null", "undefined", "void"):
            # All other bits are set, so that in a union the other members decide.
            others = bits.ALL_BITS & ~(bits.ALL_ABSENT | bits.MAY_BE_ANY)
            return Masks(others | bits.absent_kinds((name,)))
        if name == "object":
            return Masks(bits.absent_kinds(("object",)) | bits.NESTED)
        if name == "unknown":
            return EMPTY_MASKS
        return FULL_MASKS

    def _primitive(self, kind: str, extra: int = bits.NO_BITS) -> Masks:
        members = self._memo.declarations.members(WRAPPERS[kind])
        names = property_bits(members.properties, include_optional=True)
        mask = bits.absent_kinds((kind,)) | bits.NESTED | names | extra
        return Masks(mask, names=names if members.complete else None)

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
        element_head = _head(
            _common_bits([(element, self.mask(element).strict) for element in element_types])
        )
        strict = bits.absent_kinds(("object",)) | bits.RESULT | element_head << bits.ELEMENT_SHIFT
        strict |= property_bits(members.properties, include_optional=True)
        strict |= property_bits(optional_by_index)
        converted = [ConvertedMask(NOT_EMPTY.cost, strict | property_bits(_FIRST_ELEMENT))]
        narrowed = _narrowed_heads(self.mask(element) for element in element_types)
        if narrowed:
            mask = strict | narrowed << bits.ELEMENT_SHIFT
            converted.append(ConvertedMask(CONTENT_NARROWED.cost, mask))
        if readonly:
            copy = Array(t.element) if isinstance(t, Array) else Tuple(t.elements)
            converted += converted_by(READONLY_COPIED.cost, self.mask(copy))
        names = property_bits(members.properties, include_optional=True)
        is_array = isinstance(t, Array)
        return Masks(strict, _distinct(converted), names if is_array else None)

    def _union(self, members: Sequence[Type]) -> Masks:
        by_member = [(member, self.mask(member)) for member in members]
        strict = _common_bits([(member, masks.strict) for member, masks in by_member])
        present = [(m, masks) for m, masks in by_member if m is not NULL and m is not UNDEFINED]
        converted: list[ConvertedMask] = []
        for member, masks in present:
            # The only member that is not nullish takes a check, if it is no union itself.
            is_checked = len(present) == 1 and not self._may_be_union(member)
            step = UNDEFINED_CHECKED.cost if is_checked else UNION_MEMBER.cost
            converted.append(ConvertedMask(step, masks.strict))
            # A member that is a union may count as its members, which are one step away.
            before = 0 if self._may_be_union(member) else step
            converted += [ConvertedMask(before + c.cost, c.mask) for c in masks.converted]
        if present and len(present) < len(members):
            common = _common_bits([(member, masks.strict) for member, masks in present])
            converted.append(ConvertedMask(UNDEFINED_CHECKED.cost, common))
        names = bits.NO_BITS
        for member, masks in present:
            if member is not VOID and masks.names is None:
                return Masks(strict, _distinct(converted))
            names |= masks.names or bits.NO_BITS
        return Masks(strict, _distinct(converted), names or None)

    def _may_be_union(self, t: Type) -> bool:
        """Whether the members of a union may take the place of its member ``t``."""
        if isinstance(t, Reference):
            declaration = self._memo.declarations.get(t.target)
            return declaration is None or not declaration.is_class_or_interface
        return not isinstance(t, (Array, Tuple, Object, Literal, Intrinsic)) or t is BOOLEAN

    def _intersection(self, t: Intersection) -> Masks:
        if OPEN in t.members:
            return FULL_MASKS
        # An intersection may reduce to never, which is assignable to every type.
        reduced: Type = t
        try:
            reducer = Reducer(self._memo.declarations, limits=LIMITS)
            reduced = open_reducer(reducer).normal(t)
            may_be_never = OPEN in t.free
        except (LimitReached, RecursionError):
            may_be_never = True
        if not isinstance(reduced, Intersection):
            return self.mask(reduced)
        masks = [self.mask(member) for member in reduced.members]
        strict = reduce(or_, (member.strict for member in masks))
        strict |= bits.MAY_BE_ANY * may_be_never
        converted = [ConvertedMask(c.cost, strict | c.mask) for m in masks for c in m.converted]
        return Masks(strict, _distinct(converted))

    def _members(self, members: DeclaredMembers) -> Masks:
        if not members.complete:
            return FULL_MASKS
        mask = bits.absent_kinds(("object",)) | bits.NESTED | members.signature_bits
        if members.has_indexes:
            mask |= bits.INDEX
        if members.signature_bits:
            mask |= bits.CALLABLE
            functions = self._memo.declarations.members("global#Function")
            mask |= property_bits(functions.properties, include_optional=True)
        names = property_bits(members.properties, include_optional=True)
        return Masks(mask | property_bits(members.properties), names=names or None)

    def _type_literal(self, t: Object) -> Masks:
        masks = self._members(object_members(t, self._memo.declarations.get))
        if not (t.calls or t.constructs):
            return replace(masks, strict=masks.strict | bits.INDEX)
        if len(t.calls) != 1 or masks is FULL_MASKS:
            return masks
        call = t.calls[0]
        result_head = _head(self.mask(call.returns).strict) << bits.RESULT_SHIFT
        strict = masks.strict & ~(bits.RESULT | bits.CALLABLE) | result_head
        return replace(masks, strict=strict | bits.callable_from(self._min_arity(call)))

    def _min_arity(self, call: Signature) -> int:
        """Return how many arguments are required (getMinArgumentCount)."""
        required = 0
        for position, parameter in enumerate(call.parameters):
            if parameter.optional or parameter.rest:
                break
            if not self._may_be_void(parameter.type):
                required = position + 1
        return required

    def _may_be_void(self, t: Type) -> bool:
        match t:
            case Union(members):
                return any(map(self._may_be_void, members))
            case Reference(target):
                declaration = self._memo.declarations.get(target)
                return declaration is None or declaration.kind == "alias"
            case Array() | Tuple() | Object() | Literal():
                return False
            case _:
                return not isinstance(t, Intrinsic) or t is VOID

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
                kinds = self._primitive("string").strict | self._primitive("number").strict
                return Masks(kinds | bits.LITERALS)
            case _:
                return FULL_MASKS

    def _instance(self, t: Reference) -> Masks:
        masks = self._members(self._memo.declarations.members(t.target))
        if t is OBJECT_INTERFACE:
            masks = replace(masks, names=None)  # exempt from the weak type check
        if t.arguments and t.target in PROMISES:
            awaited = self.mask(t.arguments[0])
            awaited_head = _head(awaited.strict) << bits.RESULT_SHIFT
            strict = masks.strict & ~bits.RESULT | awaited_head
            converted = converted_by(AWAITED.cost, awaited)
            narrowed = _narrowed_heads((awaited,))
            if narrowed:
                mask = strict | narrowed << bits.RESULT_SHIFT
                converted.append(ConvertedMask(CONTENT_NARROWED.cost, mask))
            return Masks(strict, _distinct(converted), masks.names)
        if t.arguments and t.target in ITERABLES:
            array = self.mask(Array(t.arguments[0]))
            collected = _distinct(converted_by(ITERABLE_COLLECTED.cost, array))
            return replace(masks, converted=collected)
        return masks

    def _variable(self, t: Free) -> Masks:
        if t not in self._memo.skolems:
            return FULL_MASKS
        constraint = self._memo.skolems[t]
        masks = EMPTY_MASKS if constraint is None else self.mask(constraint)
        return replace(_with_bits(masks, bits.SKOLEM), names=None)


def _with_bits(masks: Masks, extra: int) -> Masks:
    converted = tuple(ConvertedMask(c.cost, c.mask | extra) for c in masks.converted)
    return replace(masks, strict=masks.strict | extra, converted=converted)


def _head(mask: int) -> int:
    """Return the head bits of what a container holds; all if it may be ``any`` or ``never``."""
    return bits.HEAD if mask & bits.MAY_BE_ANY else mask & bits.HEAD


def _narrowed_heads(contents: Iterable[Masks]) -> int:
    """Return the head bits of what a container holds without some members of its unions."""
    converted = (c.mask for masks in contents for c in masks.converted)
    return bits.HEAD & reduce(or_, converted, bits.NO_BITS)


def _distinct(converted: Iterable[ConvertedMask]) -> tuple[ConvertedMask, ...]:
    return distinct_conversions(converted, or_)


def _common_bits(member_masks: Iterable[tuple[Type, int]]) -> int:
    """Return the bits common to the members of a union; all bits if one of them is ``any``.

    Args:
        member_masks: (member, its source mask).
    """
    common, computed = bits.ALL_BITS, bits.NO_BITS
    is_open = False
    for member, mask in member_masks:
        if mask == bits.ALL_BITS:
            if OPEN not in member.free:
                return mask
            is_open = True
        elif mask & bits.MAY_BE_ANY:
            computed |= mask  # if it is never, the union is that of the others
        else:
            common &= mask
    if not computed:
        return common
    if common == bits.ALL_BITS:
        return common if is_open else computed
    return common | bits.MAY_BE_ANY
