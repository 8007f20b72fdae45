"""Work out what a value must have to be assignable to a type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.index.masks import bits as f
from typematch.index.masks.declared_members import DeclaredMembers, members_of_object
from typematch.index.masks.mask import NEEDS_NONE, Masks, both, name_bits
from typematch.index.masks.memo import REDUCIBLE, MaskMemo
from typematch.index.masks.placeholders import OPEN, body_of, closed
from typematch.ir.constructors import PROMISES, UNKNOWN_LIKE
from typematch.ir.declaration import Declaration, Declarations
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


class TargetMasks(MaskMemo):
    """The masks of types as targets."""

    def __init__(
        self, declarations: Declarations, rigid: dict[Free, Type | None] | None = None
    ) -> None:
        super().__init__(declarations, rigid)
        self._needs: dict[Type, tuple[Masks, frozenset[str]]] = {}

    def needs(self, t: Type) -> Masks:
        """Return what a value must have to be assignable to ``t``."""
        return self._remembered(self._needs, closed(t), self._work_out_needs, NEEDS_NONE)

    def _work_out_needs(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return both(_keyword_needs(name))
            case Literal(kind, text):
                return both(f.none_of((kind,)) | f.literal_bit(kind, text))
            case Template():
                return both(f.none_of(("string",)))
            case UniqueSymbol():
                return both(f.none_of(("symbol",)))
            case Array(element, readonly):
                inside = (self.needs(element).strict & f.HEAD) << f.ELEMENT_SHIFT
                return both(self._array_needs(readonly, ()) | inside)
            case Tuple(elements, readonly):
                names = [
                    str(place)
                    for place, element in enumerate(elements)
                    if element.kind == "required"
                    and all(one.kind == "required" for one in elements[:place])
                ]
                return both(self._array_needs(readonly, names))
            case Union(members):
                return self._union_needs(members)
            case Intersection(members):
                masks = NEEDS_NONE
                for member in members if OPEN not in members else ():
                    masks |= self.needs(member)
                return masks
            case Object():
                own = members_of_object(t, self._declared.get)
                bits = _members_need(own)
                # A function may be given that returns what there is.
                given = self.needs(t.calls[0].returns).soft if own.deferring else bits
                return Masks(bits, bits & given)
            case Reference():
                return self._reference_needs(t)
            case Free():
                return both(f.RIGID) if t in self._rigid else NEEDS_NONE
            case _:
                reduced = self._reduced(t) if isinstance(t, REDUCIBLE) else None
                return NEEDS_NONE if reduced is None else self.needs(reduced)

    def _array_needs(self, readonly: bool, places: Iterable[str]) -> int:
        members = self._declared.array_members(readonly=readonly)
        names = name_bits(members.properties) | name_bits(dict.fromkeys(places, False))
        return f.none_of(("object",)) | names

    def _union_needs(self, members: Sequence[Type]) -> Masks:
        """A value fits one of the members; what is nothing but nullish decides on kinds alone."""
        if UNKNOWN_LIKE.issubset(members):
            return NEEDS_NONE
        kinds = soft_kinds = f.ALL_KINDS
        strict = soft = f.EVERYTHING
        for member in members:
            needs = self.needs(member)
            kinds &= needs.strict
            soft_kinds &= needs.soft
            if member not in _NULLISH:
                strict &= needs.strict
                soft &= needs.soft
        if all(member in _NULLISH for member in members):
            return Masks(kinds, soft_kinds)
        return Masks(strict & ~f.ALL_KINDS | kinds, soft & ~f.ALL_KINDS | soft_kinds)

    def _reference_needs(self, t: Reference) -> Masks:
        declaration = self._declared.get(t.target)
        if declaration is None:
            return NEEDS_NONE
        match declaration.kind:
            case "alias":
                body = body_of(declaration, t.arguments)
                needs = NEEDS_NONE if body is None else self.needs(body)
                return _without_names(needs) if _has_keys_given(declaration) else needs
            case "class" | "interface":
                return self._instance_needs(t)
            case "enum" | "enum-member":
                return both(f.none_of(("string", "number")))
            case _:
                return NEEDS_NONE

    def _instance_needs(self, t: Reference) -> Masks:
        members = self._declared.members(t.target)
        bits = _members_need(members)
        if members.deferring:
            return Masks(bits, f.NOTHING)
        if t.arguments and t.target in PROMISES:
            given = self.needs(t.arguments[0])
            bits |= (given.strict & f.HEAD) << f.AWAITED_SHIFT
            # What it gives may be wrapped.
            return Masks(bits, bits & given.soft)
        return both(bits)


def _has_keys_given(alias: Declaration) -> bool:
    """Whether an alias maps over one of its parameters: two uses are compared by their arguments.

    So the compiler lets ``Record<string, T>`` stand for ``Record<"a", T>``, which has no ``a``.
    """
    return isinstance(alias.type, Mapped) and isinstance(alias.type.keys, Var)


def _without_names(needs: Masks) -> Masks:
    return Masks(needs.strict & ~f.NAMES, needs.soft & ~f.NAMES)


def _keyword_needs(name: str) -> int:
    if name == "void":
        return f.none_of(("void", "undefined"))
    if name == "object" or name in _KEYWORDS:
        return f.none_of((name,))
    if name == "never":
        return f.ALL_KINDS | f.LITERALS | f.NAMES
    return f.NOTHING


def _members_need(members: DeclaredMembers) -> int:
    """A member of unknown heritage is needed all the same."""
    accepted = tuple(kind for kind in f.KINDS if kind not in ("null", "undefined", "void"))
    return f.none_of(accepted) | members.heads | name_bits(members.properties)
