"""Work out what a type has as a source and needs as a target: the masks behind the pre-filter.

The law: if ``source`` is assignable to ``target``, then ``needs(target)`` is contained in
``has(source)``.  What cannot be reduced has everything and needs nothing, so it passes.  The *soft*
masks are for the edits of search, which change the source before they ask (``match.bridges``): what
a source has there is all that it or anything it may be turned into has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from typematch.index import features as f
from typematch.index.masks import HAS_ALL, NEEDS_NONE, Masks, both, name_bits
from typematch.index.members import Declared, Members, members_of_object
from typematch.index.opening import OPEN, body_of, closed
from typematch.ir.declaration import Declarations
from typematch.ir.intern import Node, children
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
    Property,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    UniqueSymbol,
)
from typematch.match.bridges import ITERABLES, PROMISES
from typematch.program.limits import LimitReached, Limits
from typematch.program.reduce import Reducer, is_generic

_MAX_DEPTH = 12  # types looked into inside each other
# A mask that takes much work is not worth it: letting the type pass costs one comparison.
_LIMITS = Limits(steps=500, expansion=8, tail=20, product=64)

# Every mask hangs on these; instead of recording it, their change recomputes everything.
FOUNDATIONS = frozenset(
    f"global#{name}"
    for name in (
        "Array",
        "BigInt",
        "Boolean",
        "CallableFunction",
        "Function",
        "NewableFunction",
        "Number",
        "Object",
        "Promise",
        "PromiseLike",
        "ReadonlyArray",
        "String",
        "Symbol",
    )
)
_WRAPPERS = {
    "string": "global#String",
    "number": "global#Number",
    "boolean": "global#Boolean",
    "bigint": "global#BigInt",
    "symbol": "global#Symbol",
}
_KEYWORDS = frozenset((*_WRAPPERS, "null", "undefined"))
_NULLISH = frozenset(map(Intrinsic, ("null", "undefined", "void")))
_REDUCIBLE = (KeyOf, IndexedAccess, Mapped, Conditional, TypeOf)


class Facets:
    """Computes masks against one set of declarations, and remembers them.

    Args:
        rigid: variables of the query, with their constraints; all others are open.
    """

    def __init__(
        self, declarations: Declarations, rigid: dict[Free, Type | None] | None = None
    ) -> None:
        self._declared = Declared(declarations)
        self._rigid = rigid or {}
        self._has: dict[Type, tuple[Masks, frozenset[str]]] = {}
        self._needs: dict[Type, tuple[Masks, frozenset[str]]] = {}
        self._depth = 0
        self._cut = False

    # Public -----------------------------------------------------------------------------------

    def has(self, t: Type) -> Masks:
        """Return what a value of type ``t`` has."""
        return self._remembered(self._has, closed(t), self._work_out_has, HAS_ALL)

    def needs(self, t: Type) -> Masks:
        """Return what a value must have to be assignable to ``t``."""
        return self._remembered(self._needs, closed(t), self._work_out_needs, NEEDS_NONE)

    def dependencies(self) -> set[str]:
        """Return the keys consulted since last asked, without ``FOUNDATIONS``."""
        used = self._declared.used - FOUNDATIONS
        self._declared.used = set()
        return used

    def properties(self, t: Type) -> Iterator[Property]:
        """Yield the properties of ``t`` with their types, so far as they are known."""
        reducer = Reducer(self._declared, limits=_LIMITS)
        try:
            # What hangs on a variable is not worked out: only its constraint would answer.
            normal = reducer.normal(closed(t))
            if not is_generic(normal):
                yield from reducer.shape(normal)
        except (LimitReached, RecursionError):
            return

    def _remembered(
        self,
        table: dict[Type, tuple[Masks, frozenset[str]]],
        t: Type,
        work_out: Callable[[Type], Masks],
        at_the_end: Masks,
    ) -> Masks:
        declared = self._declared
        known = table.get(t)
        if known is not None:
            declared.used |= known[1]
            return known[0]
        if self._depth >= _MAX_DEPTH:
            self._cut = True
            return at_the_end
        outer, declared.used = declared.used, set()
        outer_cut, self._cut = self._cut, False
        self._depth += 1
        try:
            masks = work_out(t)
        except (LimitReached, RecursionError):
            masks = at_the_end
        finally:
            self._depth -= 1
            used, declared.used = declared.used, outer
            declared.used |= used
        if not self._cut or not self._depth:
            table[t] = (masks, frozenset(used))
        self._cut = self._cut or outer_cut
        return masks

    def _reduced(self, t: Type) -> Type | None:
        """Return what a computed type is; None if that hangs on something unknown."""
        try:
            # A new one each time, so that all it asks for is recorded.
            found = Reducer(self._declared, limits=_LIMITS).normal(t)
        except (LimitReached, RecursionError):
            return None
        return None if isinstance(found, _REDUCIBLE) or found is t else found

    # Sources ----------------------------------------------------------------------------------

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
                computed = isinstance(t, _REDUCIBLE) and not _hangs_on_open(t)
                reduced = self._reduced(t) if computed else None
                return HAS_ALL if reduced is None else self.has(reduced)

    def _keyword_has(self, name: str) -> Masks:
        if name == "boolean":
            literals = f.literal_bit("boolean", "true") | f.literal_bit("boolean", "false")
            bits = self._primitive_has(name)
            return Masks(bits, bits | literals)
        if name in _WRAPPERS:
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
        members = self._declared.members(_WRAPPERS[kind])
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
        inside = f.HEAD
        for element in elements:
            inside &= self.has(element).strict & f.HEAD
        bits = f.none_of(("object",)) | f.AWAITED | inside << f.ELEMENT_SHIFT
        bits |= name_bits(members.properties, optional_too=True) | name_bits(places)
        if not readonly:
            return both(bits)
        # It may be copied.
        copy = Array(t.element) if isinstance(t, Array) else Tuple(t.elements)
        return Masks(bits, bits | self.has(copy).soft)

    def _union_has(self, members: Sequence[Type]) -> Masks:
        strict, soft = f.EVERYTHING, f.NOTHING
        for member in members:
            has = self.has(member)
            strict &= has.strict
            if member is not NULL and member is not UNDEFINED:
                # It may be meant for this member only.
                soft |= has.soft
        return Masks(strict, strict | soft)

    def _intersection_has(self, t: Intersection) -> Masks:
        if OPEN in t.members:
            return HAS_ALL
        # It may turn out to be never, which fits everything.
        try:
            normal = Reducer(self._declared, limits=_LIMITS).normal(t)
        except (LimitReached, RecursionError):
            return HAS_ALL
        if not isinstance(normal, Intersection):
            return self.has(normal)
        masks = NEEDS_NONE
        for member in normal.members:
            masks |= self.has(member)
        return masks

    def _members_have(self, members: Members) -> int:
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

    # Targets ----------------------------------------------------------------------------------

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
                return both(_members_need(members_of_object(t, self._declared.get)))
            case Reference():
                return self._reference_needs(t)
            case Free():
                return both(f.RIGID) if t in self._rigid else NEEDS_NONE
            case _:
                reduced = self._reduced(t) if isinstance(t, _REDUCIBLE) else None
                return NEEDS_NONE if reduced is None else self.needs(reduced)

    def _array_needs(self, readonly: bool, places: Iterable[str]) -> int:
        members = self._declared.array_members(readonly=readonly)
        names = name_bits(members.properties) | name_bits(dict.fromkeys(places, False))
        return f.none_of(("object",)) | names

    def _union_needs(self, members: Sequence[Type]) -> Masks:
        """A value fits one of the members; what is nothing but nullish decides on kinds alone."""
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
                return NEEDS_NONE if body is None else self.needs(body)
            case "class" | "interface":
                return self._instance_needs(t)
            case "enum" | "enum-member":
                return both(f.none_of(("string", "number")))
            case _:
                return NEEDS_NONE

    def _instance_needs(self, t: Reference) -> Masks:
        bits = _members_need(self._declared.members(t.target))
        if t.arguments and t.target in PROMISES:
            given = self.needs(t.arguments[0])
            bits |= (given.strict & f.HEAD) << f.AWAITED_SHIFT
            # What it gives may be wrapped.
            return Masks(bits, bits & given.soft)
        return both(bits)


def _hangs_on_open(t: Type) -> bool:
    """Whether a computed type may come to never, which fits everything, for some open variable."""
    match t:
        case KeyOf(hanging) | IndexedAccess(_, hanging) | Conditional(hanging):
            return _mentions_open(hanging)
        case _:
            return False


@lru_cache(maxsize=65_536)
def _mentions_open(node: Node) -> bool:
    return node is OPEN or any(map(_mentions_open, children(node)))


def _keyword_needs(name: str) -> int:
    if name == "void":
        return f.none_of(("void", "undefined"))
    if name == "object" or name in _KEYWORDS:
        return f.none_of((name,))
    if name == "never":
        return f.ALL_KINDS | f.LITERALS | f.NAMES
    return f.NOTHING


def _members_need(members: Members) -> int:
    """A member of unknown heritage is needed all the same."""
    accepted = tuple(kind for kind in f.KINDS if kind not in ("null", "undefined", "void"))
    return f.none_of(accepted) | members.heads | name_bits(members.properties)
