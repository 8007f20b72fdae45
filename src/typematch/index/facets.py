"""Work out what a type has as a source and needs as a target: the masks behind the pre-filter.

The law: if ``source`` is assignable to ``target``, then ``need(target)`` is contained in
``has(source)``.  What cannot be reduced has everything and needs nothing, so it passes.  The *soft*
masks are for the edits of search: there a union has what any member has, a promise also what it
gives, an optional property counts, and an array needs no more than to be iterable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

from typematch.index import features as f
from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.intern import Node
from typematch.ir.types import (
    ANY,
    VOID,
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
    Signature,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    UniqueSymbol,
)
from typematch.program.instantiate import instantiate
from typematch.program.limits import LimitReached, Limits
from typematch.program.reduce import Reducer, is_generic

N = TypeVar("N", bound=Node)

_MAX_DEPTH = 12  # aliases and heritage followed inside each other
_MAX_BINDERS = 3
# A mask that takes much work is not worth it: letting the type pass costs one comparison.
_LIMITS = Limits(steps=500, expansion=8, tail=20, product=64)
# A variable of a found signature: it becomes whatever fits.
OPEN = Free(-1, "open")

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
_PROMISES = frozenset(("global#Promise", "global#PromiseLike"))
_WRAPPERS = {
    "string": "global#String",
    "number": "global#Number",
    "boolean": "global#Boolean",
    "bigint": "global#BigInt",
    "symbol": "global#Symbol",
}
_KEYWORDS = frozenset((*_WRAPPERS, "null", "undefined"))
_REDUCIBLE = (KeyOf, IndexedAccess, Mapped, Conditional, TypeOf)


@dataclass(frozen=True, slots=True)
class Masks:
    """What a type has, or needs: for the compiler's relation, and for search's softer one."""

    strict: int
    soft: int

    def __or__(self, other: Masks) -> Masks:
        return Masks(self.strict | other.strict, self.soft | other.soft)

    def __and__(self, other: Masks) -> Masks:
        return Masks(self.strict & other.strict, self.soft & other.soft)


HAS_ALL = Masks(f.EVERYTHING, f.EVERYTHING)
NEEDS_NONE = Masks(f.NOTHING, f.NOTHING)


@dataclass(frozen=True, slots=True)
class _Members:
    """The properties of a declared type: name -> optional; None if not all are known."""

    properties: dict[str, bool]
    heads: int
    known: bool = True


class Facets:
    """Computes masks against one set of declarations, and remembers them.

    Args:
        rigid: variables of the query, with their constraints; all others are open.
    """

    def __init__(
        self, declarations: Declarations, rigid: dict[Free, Type | None] | None = None
    ) -> None:
        self._declarations = declarations
        self._rigid = rigid or {}
        self._declared: dict[str, Declaration | None] = {}
        self._members: dict[str, tuple[_Members, frozenset[str]]] = {}
        self._has: dict[Type, tuple[Masks, frozenset[str]]] = {}
        self._needs: dict[Type, tuple[Masks, frozenset[str]]] = {}
        self._used: set[str] = set()
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
        used = self._used - FOUNDATIONS
        self._used = set()
        return used

    def properties(self, t: Type) -> Iterator[Property]:
        """Yield the properties of ``t`` with their types, so far as they are known."""
        reducer = Reducer(self, limits=_LIMITS)
        try:
            # What hangs on a variable is not worked out: only its constraint would answer.
            normal = reducer.normal(closed(t))
            if not is_generic(normal):
                yield from reducer.shape(normal)
        except (LimitReached, RecursionError):
            return

    # Declarations, and what was asked of them ---------------------------------------------------

    def get(self, key: str, /) -> Declaration | None:
        self._used.add(key)
        if key not in self._declared:
            self._declared[key] = self._declarations.get(key)
        return self._declared[key]

    def _remembered(
        self,
        table: dict[Type, tuple[Masks, frozenset[str]]],
        t: Type,
        work_out: Callable[[Type], Masks],
        at_the_end: Masks,
    ) -> Masks:
        known = table.get(t)
        if known is not None:
            self._used |= known[1]
            return known[0]
        if self._depth >= _MAX_DEPTH:
            self._cut = True
            return at_the_end
        outer, self._used = self._used, set()
        outer_cut, self._cut = self._cut, False
        self._depth += 1
        try:
            masks = work_out(t)
        except (LimitReached, RecursionError):
            masks = at_the_end
        finally:
            self._depth -= 1
            used, self._used = self._used, outer
            self._used |= used
        if not self._cut or not self._depth:
            table[t] = (masks, frozenset(used))
        self._cut = self._cut or outer_cut
        return masks

    def _reduced(self, t: Type) -> Type | None:
        """Return what a computed type is; None if that hangs on something unknown."""
        try:
            # A new one each time, so that all it asks for is recorded.
            found = Reducer(self, limits=_LIMITS).normal(t)
        except (LimitReached, RecursionError):
            return None
        return None if isinstance(found, _REDUCIBLE) or found is t else found

    # Sources ----------------------------------------------------------------------------------

    def _work_out_has(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return self._keyword_has(name)
            case Literal(kind, text):
                return self._primitive_has(kind, f.literal_bit(kind, text))
            case Template():
                return self._primitive_has("string", 0)
            case UniqueSymbol():
                return self._primitive_has("symbol", 0)
            case Array(element, readonly):
                return self._array_has(readonly, (), (element,))
            case Tuple(elements, readonly):
                names = [
                    (str(place), element.kind == "optional")
                    for place, element in enumerate(elements)
                    if element.kind in ("required", "optional")
                ]
                if any(one.kind == "variadic" for one in elements):
                    return HAS_ALL
                return self._array_has(readonly, names, [one.type for one in elements])
            case Union(members):
                return self._union_has(members)
            case Intersection(members):
                return self._intersection_has(members)
            case Object():
                return self._object_has(t)
            case Reference():
                return self._reference_has(t)
            case Free():
                return self._variable_has(t)
            case _:
                reduced = self._reduced(t) if isinstance(t, _REDUCIBLE) else None
                return HAS_ALL if reduced is None else self.has(reduced)

    def _keyword_has(self, name: str) -> Masks:
        if name == "boolean":
            literals = f.literal_bit("boolean", "true") | f.literal_bit("boolean", "false")
            has = self._primitive_has(name, 0)
            return Masks(has.strict, has.soft | literals)
        if name in _WRAPPERS:
            return self._primitive_has(name, 0)
        if name in ("null", "undefined", "void"):
            # In a union the others decide what there is; see ``features``.
            return _both(f.EVERYTHING & ~f.ALL_KINDS | f.none_of((name,)))
        if name == "object":
            return _both(f.none_of(("object",)) | f.NESTED)
        if name == "unknown":
            return NEEDS_NONE
        return HAS_ALL

    def _primitive_has(self, kind: str, literal: int) -> Masks:
        members = self._members_of(_WRAPPERS[kind])
        return _both(f.none_of((kind,)) | literal | f.NESTED | _names(members.properties, True))

    def _array_has(
        self, readonly: bool, places: Iterable[tuple[str, bool]], elements: Sequence[Type]
    ) -> Masks:
        members = self._array_members(readonly)
        if not members.known:
            return HAS_ALL
        bits = f.none_of(("object",)) | f.AWAITED | _names(members.properties, True)
        inside = f.HEAD
        for element in elements:
            inside &= self.has(element).strict & f.HEAD
        places = list(places)
        certain = _names(dict(places), False)
        every = _names(dict(places), True)
        return Masks(
            bits | certain | inside << f.ELEMENT_SHIFT,
            bits | every | f.ELEMENT,
        )

    def _union_has(self, members: Sequence[Type]) -> Masks:
        strict, soft = f.EVERYTHING, f.NOTHING
        for member in members:
            has = self.has(member)
            strict &= has.strict
            if member not in _NULLISH:
                soft |= has.soft
        return Masks(strict, soft or f.EVERYTHING)

    def _intersection_has(self, members: Sequence[Type]) -> Masks:
        # It may turn out to be never, which fits everything.
        reduced = Intersection(tuple(members))
        try:
            normal = Reducer(self, limits=_LIMITS).normal(reduced)
        except (LimitReached, RecursionError):
            return HAS_ALL
        if not isinstance(normal, Intersection):
            return self.has(normal)
        masks = NEEDS_NONE
        for member in normal.members:
            masks |= self.has(member)
        return masks

    def _object_has(self, t: Object) -> Masks:
        optional = {one.name: one.optional for one in t.properties}
        heads = f.CALL * bool(t.calls) | f.CONSTRUCT * bool(t.constructs)
        return self._members_have(_Members(optional, heads))

    def _members_have(self, members: _Members) -> Masks:
        if not members.known:
            return HAS_ALL
        bits = f.none_of(("object",)) | f.NESTED | members.heads
        if members.heads:
            bits |= _names(self._members_of("global#Function").properties, True)
        return Masks(
            bits | _names(members.properties, False), bits | _names(members.properties, True)
        )

    def _reference_has(self, t: Reference) -> Masks:
        declaration = self.get(t.target)
        if declaration is None:
            return HAS_ALL
        match declaration.kind:
            case "alias":
                body = self._body(declaration, t)
                return HAS_ALL if body is None else self.has(body)
            case "class" | "interface":
                has = self._members_have(self._members_of(t.target))
                if t.target in _PROMISES and t.arguments:
                    given = self.has(t.arguments[0])
                    inside = (given.strict & f.HEAD) << f.AWAITED_SHIFT
                    return Masks(has.strict & ~f.AWAITED | inside, has.soft | given.soft)
                return has
            case "enum" | "enum-member":
                either = self._primitive_has("string", f.LITERALS)
                return either | self._primitive_has("number", f.LITERALS)
            case _:
                return HAS_ALL

    def _variable_has(self, t: Free) -> Masks:
        if t not in self._rigid:
            return HAS_ALL
        constraint = self._rigid[t]
        has = NEEDS_NONE if constraint is None else self.has(constraint)
        return has | _both(f.RIGID)

    # Targets ----------------------------------------------------------------------------------

    def _work_out_needs(self, t: Type) -> Masks:
        match t:
            case Intrinsic(name):
                return _keyword_needs(name)
            case Literal(kind, text):
                return _both(f.none_of((kind,)) | f.literal_bit(kind, text))
            case Template():
                return _both(f.none_of(("string",)))
            case UniqueSymbol():
                return _both(f.none_of(("symbol",)))
            case Array(element, readonly):
                return self._array_needs(readonly, (), element)
            case Tuple(elements, readonly):
                names = [
                    str(place)
                    for place, element in enumerate(elements)
                    if element.kind == "required"
                    and all(one.kind == "required" for one in elements[:place])
                ]
                return self._array_needs(readonly, names, None)
            case Union(members):
                return self._union_needs(members)
            case Intersection(members):
                masks = NEEDS_NONE
                for member in members:
                    masks |= self.needs(member)
                return masks
            case Object():
                optional = {one.name: one.optional for one in t.properties}
                heads = f.CALL * bool(t.calls) | f.CONSTRUCT * bool(t.constructs)
                return _members_need(_Members(optional, heads))
            case Reference():
                return self._reference_needs(t)
            case Free():
                return _both(f.RIGID) if t in self._rigid else NEEDS_NONE
            case _:
                reduced = self._reduced(t) if isinstance(t, _REDUCIBLE) else None
                return NEEDS_NONE if reduced is None else self.needs(reduced)

    def _array_needs(self, readonly: bool, places: Iterable[str], element: Type | None) -> Masks:
        members = self._array_members(readonly)
        bits = f.none_of(("object",)) | _names(members.properties, False)
        bits |= _names(dict.fromkeys(places, False), False)
        if element is not None:
            bits |= (self.needs(element).strict & f.HEAD) << f.ELEMENT_SHIFT
        return Masks(bits, f.name_bit("@@iterator") if members.properties else 0)

    def _union_needs(self, members: Sequence[Type]) -> Masks:
        """A value fits one of the members; what is nothing but nullish decides on kinds alone."""
        kinds = f.ALL_KINDS
        strict = soft = f.EVERYTHING
        for member in members:
            needs = self.needs(member)
            kinds &= needs.strict
            if member not in _NULLISH:
                strict &= needs.strict
                soft &= needs.soft
        if all(member in _NULLISH for member in members):
            return Masks(kinds, f.NOTHING)
        return Masks(strict & ~f.ALL_KINDS | kinds, soft)

    def _reference_needs(self, t: Reference) -> Masks:
        declaration = self.get(t.target)
        if declaration is None:
            return NEEDS_NONE
        match declaration.kind:
            case "alias":
                body = self._body(declaration, t)
                return NEEDS_NONE if body is None else self.needs(body)
            case "class" | "interface":
                needs = _members_need(self._members_of(t.target))
                if t.target in _PROMISES and t.arguments:
                    given = self.needs(t.arguments[0])
                    inside = (given.strict & f.HEAD) << f.AWAITED_SHIFT
                    return Masks(needs.strict | inside, needs.soft & given.soft)
                return needs
            case "enum" | "enum-member":
                return _both(f.none_of(("string", "number")))
            case _:
                return NEEDS_NONE

    # Declared types ---------------------------------------------------------------------------

    def _body(self, declaration: Declaration, t: Reference) -> Type | None:
        """Return what an alias stands for; None for the intrinsic ones and the unknown."""
        body = declaration.type
        if body is None or (isinstance(body, Intrinsic) and body.name == "intrinsic"):
            return None
        given = list(t.arguments)
        for parameter in declaration.type_parameters[len(given) :]:
            default = parameter.default
            given.append(OPEN if default is None else instantiate(default, [*given, *_OPENS]))
        return instantiate(body, [*given, *_OPENS])

    def _array_members(self, readonly: bool) -> _Members:
        return self._members_of("global#ReadonlyArray" if readonly else "global#Array")

    def _members_of(self, key: str) -> _Members:
        known = self._members.get(key)
        if known is None:
            outer, self._used = self._used, set()
            try:
                members = self._gather(key, ())
                known = (members, frozenset(self._used))
            finally:
                self._used = outer
            self._members[key] = known
        self._used |= known[1]
        return known[0]

    def _gather(self, key: str, above: tuple[str, ...]) -> _Members:
        """Return the members of a class or interface, heritage included; its own come first."""
        declaration = self.get(key)
        if declaration is None or declaration.type is None or len(above) > _MAX_DEPTH:
            return _Members({}, 0, known=False)
        own = declaration.type
        if not isinstance(own, Object):
            return _Members({}, 0, known=False)
        properties: dict[str, bool] = {}
        heads = f.CALL * bool(own.calls) | f.CONSTRUCT * bool(own.constructs)
        known = True
        for base in declaration.extends:
            inherited = self._inherited(base, (*above, key))
            properties.update(inherited.properties)
            heads |= inherited.heads
            known = known and inherited.known
        properties.update({one.name: one.optional for one in own.properties})
        return _Members(properties, heads, known)

    def _inherited(self, base: Type, above: tuple[str, ...]) -> _Members:
        match base:
            case Array(_, readonly):
                return self._gather("global#ReadonlyArray" if readonly else "global#Array", above)
            case Reference(target) if target not in above:
                declaration = self.get(target)
                if declaration is not None and declaration.kind in ("class", "interface"):
                    return self._gather(target, above)
                if declaration is not None and declaration.kind == "alias":
                    body = self._body(declaration, base)
                    if body is not None:
                        return self._inherited(body, (*above, target))
            case Object(properties, calls, constructs):
                heads = f.CALL * bool(calls) | f.CONSTRUCT * bool(constructs)
                return _Members({one.name: one.optional for one in properties}, heads)
            case _:
                pass
        return _Members({}, 0, known=False)


def _keyword_needs(name: str) -> Masks:
    if name == "void":
        return _both(f.none_of(("void", "undefined")))
    if name == "object" or name in _KEYWORDS:
        return _both(f.none_of((name,)))
    if name == "never":
        return Masks(f.ALL_KINDS | f.LITERALS | f.NAMES, f.NOTHING)
    return NEEDS_NONE


def _members_need(members: _Members) -> Masks:
    """A member of unknown heritage is needed all the same."""
    accepted = tuple(kind for kind in f.KINDS if kind not in ("null", "undefined", "void"))
    return _both(f.none_of(accepted) | members.heads | _names(members.properties, False))


def _names(properties: dict[str, bool], optional_too: bool) -> int:
    bits = 0
    for name, optional in properties.items():
        if optional_too or not optional:
            bits |= f.name_bit(name)
    return bits


def _both(bits: int) -> Masks:
    """The softer mask says nothing of what stands one level down: soft edits may change that."""
    return Masks(bits, bits)


_NULLISH = frozenset(map(Intrinsic, ("null", "undefined", "void")))


class _Opens(Sequence[Type]):
    """As many open variables as anybody wants."""

    def __len__(self) -> int:
        return 64

    @overload
    def __getitem__(self, index: int) -> Type: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Type]: ...
    def __getitem__(self, index: int | slice) -> Type | Sequence[Type]:
        if isinstance(index, slice):
            return (OPEN,) * 64
        if index >= len(self):
            raise IndexError(index)
        return OPEN


_OPENS = tuple(_Opens())


def closed(t: N) -> N:
    """Return ``t`` with the variables of the binders around it left open."""
    for _ in range(_MAX_BINDERS):
        if not t.loose:
            break
        t = instantiate(t, _OPENS)
    return t


@dataclass(frozen=True, slots=True)
class Asked:
    """What a query's signature asks, for one reading of its variables.

    Attributes:
        needs: of its result.
        has: of its arguments, in order; of a rest parameter the element, ``open_ended`` being true.
        spread: what properties of arguments have, which an options object may hand over.
    """

    needs: Masks
    has: tuple[Masks, ...]
    open_ended: bool
    spread: tuple[Masks, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedMasks:
    """``rigid``: variables fit only themselves; ``erased``: they are any, as beside overloads."""

    rigid: Asked
    erased: Asked
    generic: bool


def asked_masks(asked: Object, declarations: Declarations) -> AskedMasks:
    """Return what the filter must know of a query; ``asked`` is a function type with one call."""
    signature = asked.calls[0]
    variables = tuple(Free(-2 - n, "T") for n in range(len(signature.type_parameters)))
    rigid: dict[Free, Type | None] = {}
    for variable, parameter in zip(variables, signature.type_parameters, strict=True):
        bound = parameter.constraint
        rigid[variable] = None if bound is None else instantiate(bound, variables)
    return AskedMasks(
        _asked(_opened(signature, variables), Facets(declarations, rigid)),
        _asked(_opened(signature, (ANY,) * len(variables)), Facets(declarations)),
        bool(variables),
    )


def _opened(signature: Signature, arguments: Sequence[Type]) -> Signature:
    if not signature.type_parameters:
        return signature
    return Signature(
        tuple(instantiate(one, arguments) for one in signature.parameters),
        instantiate(signature.returns, arguments),
    )


def _asked(signature: Signature, facets: Facets) -> Asked:
    has: list[Masks] = []
    spread: list[Masks] = []
    open_ended = False
    for parameter in signature.parameters:
        t = parameter.type
        if parameter.rest:
            open_ended = True
            t = t.element if isinstance(t, Array) else ANY
        has.append(facets.has(t))
        properties = list(facets.properties(t))
        if len(properties) <= _MOST_SPREAD and not isinstance(t, (Array, Tuple, Intrinsic)):
            spread += [facets.has(one.type) for one in properties]
    needs = NEEDS_NONE if signature.returns is VOID else facets.needs(signature.returns)
    return Asked(needs, tuple(has), open_ended, tuple(spread))


_MOST_SPREAD = 12
