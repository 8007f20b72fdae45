"""Tell at a glance that one type cannot fit another: heads are looked at, nothing is inferred.

Thousands of found types are held against a query, and nearly all of them are of quite another
kind than what was asked for.  ``Glance.may_fit`` says no only where the strict relation would say
no for whatever the variables in the two stand for; it is asked first because it costs a hundredth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from typematch.ir.build import closed
from typematch.ir.declaration import Declarations
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match.relation import Relation
from typematch.match.variance import Variance
from typematch.match.verdict import Undecided
from typematch.program.constraints import constraint_of
from typematch.program.instantiate import constituents, instantiate
from typematch.program.limits import Limits
from typematch.program.reduce import THIS_TYPE

_LIMITS = Limits(steps=100, depth=12, expansion=8, tail=8, product=40)
_MOST_HEADS = 60_000
_MARK = "global#Array"
_DEPTH = 6  # levels; below, everything may fit
_COVARIANT = frozenset(
    f"global#{name}"
    for name in (
        *("Promise", "PromiseLike", "Iterable", "IterableIterator", "Iterator", "ArrayLike"),
        *("Set", "ReadonlySet", "ReadonlyMap", "Map", "AsyncIterable", "AsyncIterableIterator"),
    )
)
# What arrays are without saying so: of these the only argument is the element.
_OVER_ARRAYS = frozenset(f"global#{name}" for name in ("Iterable", "ArrayLike", "ConcatArray"))
_KEYWORDS = {"string": STRING, "number": NUMBER, "boolean": BOOLEAN, "bigint": Intrinsic("bigint")}
_WRAPPERS = {
    "string": "global#String",
    "number": "global#Number",
    "boolean": "global#Boolean",
    "bigint": "global#BigInt",
    "symbol": "global#Symbol",
}
_FUNCTION = Reference("global#Function")
_PLAIN = frozenset((STRING, NUMBER, BOOLEAN, SYMBOL, Intrinsic("bigint")))
_NOTHING = frozenset((UNDEFINED, NULL, VOID))
_CLEAR = frozenset((Intrinsic, Literal, Template, UniqueSymbol, Array, Tuple, Object))
# Stand-ins for a found signature's type parameters have serials from here down: they meet neither
# the relation's variables nor the rigid ones of a class around a method.
STAND_INS = -100_000
ANY_TYPE = Free(STAND_INS, "any type")
# What a type fits of which nothing is known: itself, and what everything fits.
_NOTHING_KNOWN = Free(-1, "nothing known")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Members:
    """What is known of all types of one declaration.

    Attributes:
        names: of its properties.
        required: those that are not optional.
        callable: whether it has call or construct signatures.
        indexed: whether it has index signatures.
        keyed: whether one of these is for strings.
        complete: whether this is all; else a base is computed, and may add to it.
    """

    names: frozenset[str]
    required: frozenset[str]
    callable: bool
    indexed: bool
    keyed: bool
    complete: bool = True

    @property
    def weak(self) -> bool:
        """Whether all that it asks for is optional: what shares none of it does not fit."""
        plain = not (self.required or self.callable or self.indexed)
        return plain and self.complete and bool(self.names)


class Heads:
    """What types are at their heads, over one set of declarations; good for many queries.

    Attributes:
        variances: of the declarations, as the relations of those queries find them out.
    """

    def __init__(self, declarations: Declarations) -> None:
        self.variances: dict[str, Variance] = {}
        # With little patience: what needs thought is not seen at a glance.
        self._relation = Relation(declarations, limits=_LIMITS, variances=self.variances)
        self._reducer = self._relation.reducer
        self._mark = declarations.get(_MARK)
        self._heads: dict[Type, Type | None] = {}
        self._calls: dict[Type, tuple[Signature, ...]] = {}
        self._possible: dict[Type, tuple[Type, ...] | None] = {}
        self._members: dict[str, _Members | None] = {}
        self._stood_for: dict[tuple[Type, ...], Free] = {}
        self._values: dict[Type, tuple[Type, ...]] = {}
        self._bounded: dict[Signature, Signature] = {}

    def is_good(self, declarations: Declarations) -> bool:
        """Return whether the declarations are still those, and what is kept is not too much."""
        # Who has declarations anew has this one anew too.
        mark = declarations.get(_MARK)
        return mark is not None and mark is self._mark and len(self._heads) < _MOST_HEADS

    def head(self, t: Type) -> Type | None:
        """Return ``t`` with the alias at its top followed; None where that needs thought.

        Variables of the binders around it stay where ``t`` itself is no alias.
        """
        cls = t.__class__
        if cls in _CLEAR:
            return t if t is not UNANNOTATED else None
        if cls is Free:
            return t if t is not ANY_TYPE else None
        if cls is Union:
            return t
        if cls is not Reference:
            return self._reduced(t) if t.loose == 0 else None
        found = self._heads.get(t, t)
        if found is t:
            found = self._followed(t)
            if found is not t:
                self._heads[t] = found
        return found

    def _followed(self, t: Type) -> Type | None:
        declared = self._reducer.declaration(t.target)  # type: ignore[attr-defined]
        if declared is None or declared.kind.startswith("enum"):
            return None
        if declared.kind in ("interface", "class"):
            return t
        if t.loose and declared.type.__class__ in _COMPUTED:
            return None
        return self._reduced(t)

    def _reduced(self, t: Type) -> Type | None:
        found = self._heads.get(t)
        if found is None:
            if any(
                free.serial > 0 for free in self._reducer.variables(t) if isinstance(free, Free)
            ):
                return None  # a query's own variable: what it is another query does not know
            whole = closed(t, ANY)
            found = self._seen(lambda: self._reducer.normal(whole))
            if found is None:
                return None
            if found.__class__ is Reference:
                declared = self._reducer.declaration(found.target)
                if declared is None or declared.kind not in ("interface", "class"):
                    return None
            elif found.__class__ not in _CLEAR and found.__class__ is not Union:
                return None
            if found is ANY and t.loose:
                return None
            self._heads[t] = found
        return found

    def possible(self, t: Type) -> tuple[Type, ...] | None:
        """Return heads of which one fits what ``t`` fits; None where that needs thought.

        Asked of a type without a head.  What a condition on a found function's own type parameters
        comes to is one of its branches; a condition or access that hangs on the type parameters of
        the class around it stays open for good, and fits what its constraint fits.
        """
        found = self._possible.get(t, ())
        if found == ():
            found = self._possible[t] = self._possible_heads(t)
        return found

    def _possible_heads(self, t: Type) -> tuple[Type, ...] | None:
        if t.__class__ not in _COMPUTED and t.__class__ is not Reference:
            return None
        heads = self._seen(lambda: self._branches(t))
        return (
            None if heads is None or any(map(_says_little, heads)) else tuple(filter(None, heads))
        )

    def _branches(self, t: Type) -> Sequence[Type | None]:
        whole = closed(t, ANY)
        stand_ins = [one for one in self._reducer.variables(whole) if is_stand_in(one)]
        if stand_ins:
            whole = self._reducer.replace(whole, dict.fromkeys(stand_ins, ANY))
        found = self._reducer.normal(whole)
        if self._is_open_for_good(found):
            found = self._outermost(found)
            if found is UNKNOWN:
                return (_NOTHING_KNOWN,)
        return [self.head(one) for one in constituents(found)]

    def _seen(self, question: Callable[[], T]) -> T | None:
        """Answer a question, or None if that takes more than a glance."""
        found = self._relation.within_budget(question)
        return None if isinstance(found, Undecided) else found

    def _outermost(self, t: Type) -> Type:
        """Return the constraint of the constraint, and so on, to one that hangs on nothing."""
        for _ in range(_DEPTH):
            constraint = constraint_of(self._reducer, t)
            if constraint is None:
                break
            t = self._reducer.normal(constraint)
        return t

    def _is_open_for_good(self, t: Type) -> bool:
        match t:
            case Conditional():
                hanging = self._reducer.variables(t.check)
            case IndexedAccess(Reference() | Object(), index):
                hanging = self._reducer.variables(index)
            case IndexedAccess(Free() as object_, _):
                hanging = frozenset((object_,))
            case _:
                return False
        return bool(hanging) and all(
            isinstance(free, Free) and STAND_INS < free.serial < 0 for free in hanging
        )

    def bounded(self, signature: Signature) -> Signature:
        """Return a signature with stand-ins for its type parameters: some type within these bounds.

        What a stand-in may be, ``values`` tells.
        """
        if not signature.type_parameters:
            return signature
        found = self._bounded.get(signature)
        if found is None:
            found = self._bounded[signature] = self._with_stand_ins(signature)
        return found

    def _with_stand_ins(self, signature: Signature) -> Signature:
        stand_ins: list[Type] = [ANY_TYPE] * len(signature.type_parameters)
        for i, parameter in enumerate(signature.type_parameters):
            if parameter.constraint is None or parameter.constraint is UNKNOWN:
                continue
            limits = [parameter.constraint]
            if parameter.default is not None:
                limits.append(parameter.default)
            stand_ins[i] = self._stand_in(tuple(instantiate(one, stand_ins) for one in limits))
        seen = self._seen(lambda: self._reducer.with_arguments(signature, stand_ins))
        return signature if seen is None else seen

    def _stand_in(self, limits: tuple[Type, ...]) -> Free:
        found = self._stood_for.get(limits)
        if found is None:
            serial = STAND_INS - 1 - len(self._stood_for)
            found = self._stood_for[limits] = Free(serial, "some type")
            self._values[found] = limits
        return found

    def values(self, variable: Type) -> tuple[Type, ...] | None:
        """Return the constraint of a stand-in, and its default if it has one; else None."""
        return self._values.get(variable)

    def members_of(self, t: Type) -> _Members | None:
        """Return what all types of ``t``'s declaration have; None where that is not plain."""
        match t:
            case Reference(target):
                key = target
            case Array(_, readonly):
                key = "global#ReadonlyArray" if readonly else "global#Array"
            case Tuple(_, readonly):
                key = "global#ReadonlyArray" if readonly else "global#Array"
            case Object():
                return _written_members(t)
            case _:
                return None
        if key not in self._members:
            self._members[key] = None  # a declaration that is its own base says nothing
            self._members[key] = self._declared_members(key)
        return self._members[key]

    def call(self, t: Type) -> Signature | None:
        """Return the call signature of a type that has just one; else None."""
        if t.__class__ is Object:
            calls = t.calls
        elif t.__class__ is Reference:
            if t not in self._calls:
                shape = self._seen(lambda: self._reducer.shape(t))
                self._calls[t] = () if shape is None else tuple(shape.calls)
            calls = self._calls[t]
        else:
            return None
        return calls[0] if len(calls) == 1 else None

    def wrapper(self, t: Type) -> _Members | None:
        """Return what values of a keyword or literal have; None where that is not known."""
        match t:
            case Intrinsic(name) | Literal(name):
                wrapper = _WRAPPERS.get(name)
                return None if wrapper is None else self.members_of(Reference(wrapper))
            case Template():
                return self.members_of(Reference(_WRAPPERS["string"]))
            case _:
                return None

    def _declared_members(self, key: str) -> _Members | None:
        """Return what the types of a class or interface have."""
        declared = self._reducer.declaration(key)
        if declared is None or not isinstance(declared.type, Object):
            return None
        own = _written_members(declared.type)
        names, required = set(own.names), set(own.required)
        callable_, indexed, keyed, complete = own.callable, own.indexed, own.keyed, True
        for base in declared.extends:
            head = base if isinstance(base, Array) else self.head(base)
            known = None if head is None else self.members_of(head)
            if known is None:
                complete = False
                continue
            required |= known.required - own.names
            names |= known.names
            callable_ = callable_ or known.callable
            indexed = indexed or known.indexed
            keyed = keyed or known.keyed
            complete = complete and known.complete
        required_names = frozenset(required)
        return _Members(frozenset(names), required_names, callable_, indexed, keyed, complete)


class Glance:
    """Quick refusals within one query; what is known of a pair is kept."""

    def __init__(self, heads: Heads, constraints: Mapping[Type, Type | None]) -> None:
        self.head = heads.head
        self._heads = heads
        self._members_of = heads.members_of
        self._constraints = constraints
        self._known: dict[tuple[Type, Type], bool] = {}

    def may_fit(self, source: Type, target: Type, depth: int = 0) -> bool:
        """Return False only if ``source`` fits ``target`` for no value of their variables."""
        if source is target or depth > _DEPTH:
            return True
        key = (source, target)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._may(source, target, depth + 1)
        return known

    def _may(self, source: Type, target: Type, depth: int) -> bool:
        s, t = self.head(source), self.head(target)
        if t is None or s is t:
            return True
        if s is None:
            possible = self._heads.possible(source)
            return possible is None or any(self.may_fit(one, t, depth) for one in possible)
        if t is ANY or t is UNKNOWN or s is ANY or s is NEVER:
            return True
        if s.__class__ is Union:
            return all(self.may_fit(member, t, depth) for member in s.members)
        if t.__class__ is Union:
            if s is BOOLEAN:
                return True
            return any(self.may_fit(s, member, depth) for member in t.members)
        if s.__class__ is Free or t.__class__ is Free:
            return self._with_variables(s, t, depth)
        if s is THIS_TYPE:
            return t.__class__ not in _SCALAR or t is OBJECT
        if s.__class__ in _SCALAR:
            return self._from_scalar(s, t)
        if t.__class__ in _SCALAR:
            return t is OBJECT
        return self._between_objects(s, t, depth)

    def _with_variables(self, s: Type, t: Type, depth: int) -> bool:
        one, other = self._heads.values(s), self._heads.values(t)
        if one is not None:
            return other is not None or any(self._overlaps(limit, t, depth) for limit in one)
        if other is not None:
            return self.may_fit(s, other[0], depth)
        if s.__class__ is Free:
            bound = self._constraints.get(s)
            return bound is not None and self.may_fit(bound, t, depth)
        return False

    def _overlaps(self, limit: Type, t: Type, depth: int) -> bool:
        """Return False only if nothing that fits ``limit`` fits ``t``, save ``any`` and ``never``.

        Two sorts of objects may have one below both; an object is no keyword.
        """
        if self.may_fit(limit, t, depth) or self.may_fit(t, limit, depth):
            return True
        head = self.head(limit)
        if head is None or head.__class__ is Free:
            return self._heads.values(limit) is None
        if head.__class__ is Union:
            return any(self._overlaps(member, t, depth) for member in head.members)
        if t.__class__ is Union:
            return any(self._overlaps(limit, member, depth) for member in t.members)
        return head.__class__ not in _SCALAR and t.__class__ not in _SCALAR

    def _from_scalar(self, s: Type, t: Type) -> bool:
        if t.__class__ in _SCALAR:
            return _scalars(s, t)
        if s in _NOTHING or s is UNKNOWN:
            return False
        if s is OBJECT:
            return True
        if t.__class__ is Array or t.__class__ is Tuple:
            return False
        known = self._members_of(t)
        if known is None:
            return True
        if known.callable or (t.__class__ is Object and self._asks_for_keys(t)):
            return False
        wrapper = self._heads.wrapper(s)
        if wrapper is None or not wrapper.complete:
            return True
        if known.weak:
            return not known.names.isdisjoint(wrapper.names)
        return known.required <= wrapper.names | _OF_EVERY_OBJECT

    def _between_objects(self, s: Type, t: Type, depth: int) -> bool:
        if t.__class__ is Array:
            return self._to_array(s, t, depth)
        if t.__class__ is Tuple:
            return self._to_tuple(s, t, depth)
        if s.__class__ is Reference and t.__class__ is Reference:
            if s.target == t.target:
                return self._arguments(s, t, depth)
        elif t.__class__ is Reference and t.target in _OVER_ARRAYS and t.arguments:
            if s.__class__ is Array:
                return self.may_fit(s.element, t.arguments[0], depth)
            return True
        elif s.__class__ is Object and t.__class__ is Object:
            return self._objects(s, t, depth)
        return self._by_names(s, t, depth)

    def _arguments(self, s: Reference, t: Reference, depth: int) -> bool:
        if s.target not in _COVARIANT:
            return True
        pairs = zip(s.arguments[:1], t.arguments[:1], strict=False)
        return all(self.may_fit(one, other, depth) for one, other in pairs)

    def _to_array(self, s: Type, t: Array, depth: int) -> bool:
        if s.__class__ is Array:
            return not (s.readonly and not t.readonly) and self.may_fit(s.element, t.element, depth)
        if s.__class__ is Tuple:
            return not (s.readonly and not t.readonly) and all(
                element.kind == "variadic" or self.may_fit(element.type, t.element, depth)
                for element in s.elements
            )
        return self._by_names(s, t, depth)

    def _to_tuple(self, s: Type, t: Tuple, depth: int) -> bool:
        if s.__class__ is Array:
            return any(element.kind in ("rest", "variadic") for element in t.elements) or all(
                element.kind == "optional" for element in t.elements
            )
        if s.__class__ is not Tuple:
            return self._by_names(s, t, depth)
        if any(element.kind != "required" for element in (*s.elements, *t.elements)):
            return True
        return len(s.elements) == len(t.elements) and all(
            self.may_fit(one.type, other.type, depth)
            for one, other in zip(s.elements, t.elements, strict=True)
        )

    def _objects(self, s: Object, t: Object, depth: int) -> bool:
        if t.calls and not s.calls:
            return False
        if t.constructs and not s.constructs:
            return False
        if (s.calls or s.constructs) and not s.indexes and self._asks_for_keys(t):
            return False
        for wanted in t.properties:
            given = next((p for p in s.properties if p.name == wanted.name), None)
            if given is None:
                # What functions have anyway (`name`, `length`) is no property of their own.
                if not wanted.optional and not s.calls and not s.constructs:
                    return wanted.name in _OF_EVERY_OBJECT
            elif not wanted.optional and not self.may_fit(given.type, wanted.type, depth):
                return False
        if len(s.calls) == 1 and len(t.calls) == 1:
            return self.signatures(s.calls[0], t.calls[0], depth)
        if s.properties and _written_members(t).weak:
            return any(t_.name == s_.name for t_ in t.properties for s_ in s.properties)
        return all(
            self.may_fit(given.type, index.type, depth)
            for index in t.indexes
            if index.key is STRING
            for given in s.properties
            if not given.optional
        )

    def signatures(self, s: Signature, t: Signature, depth: int = 0) -> bool:
        """Return False only if no function with ``s`` can stand for one with ``t``."""
        rest = bool(t.parameters) and t.parameters[-1].rest
        if not rest:
            least = sum(1 for p in s.parameters if not p.optional and not p.rest)
            # A trailing `void` may be left out, so only what is surely too much counts.
            extra = s.parameters[len(t.parameters) : least]
            if any(self._never_left_out(p.type) for p in extra):
                return False
        if t.predicate is not None and s.predicate is None:
            return False
        if t.returns is not VOID and not self.may_fit(s.returns, t.returns, depth):
            return False
        for one, other in zip(s.parameters, t.parameters, strict=False):
            if one.rest or other.rest:
                break
            if one.optional or other.optional:
                continue
            if not self.may_fit(other.type, one.type, depth) and not self.may_fit(
                one.type, other.type, depth
            ):
                return False
        return True

    def _never_left_out(self, t: Type) -> bool:
        head = self.head(t)
        if head is None or head.__class__ is Free:
            return False
        return VOID not in constituents(head)

    def _by_names(self, s: Type, t: Type, depth: int) -> bool:
        wanted, given = self._members_of(t), self._members_of(s)
        if wanted is None or given is None or not given.complete:
            return True
        implicit = given.keyed or s.__class__ not in _WITHOUT_KEYS
        if t.__class__ is Object and not implicit and self._asks_for_keys(t):
            return False
        if wanted.callable and not given.callable:
            return False
        names = given.names
        if given.callable:
            one, other = self._heads.call(s), self._heads.call(t)
            if one is not None and other is not None:
                return self.signatures(one, other, depth)
            functions = self._heads.members_of(_FUNCTION)
            if functions is None:
                return True
            names |= functions.names
        if wanted.weak:
            return not names or not wanted.names.isdisjoint(names)
        return wanted.required <= names | _OF_EVERY_OBJECT

    def _asks_for_keys(self, t: Object) -> bool:
        """Whether only type literals, and what has an index signature, can fit.

        Types that are declared have none that is implicit.
        """
        return any(
            index.key is STRING and self.head(index.type) not in (None, ANY) for index in t.indexes
        )


def is_stand_in(variable: Type) -> bool:
    return isinstance(variable, Free) and variable.serial <= STAND_INS


def _says_little(head: Type | None) -> bool:
    """Whether a computed type may be much else for other values of its variables."""
    if head is None or head is ANY or head is UNKNOWN or head is NEVER:
        return True
    return head.__class__ is Object and bool(head.indexes)


def _written_members(t: Object) -> _Members:
    return _Members(
        frozenset(p.name for p in t.properties),
        frozenset(p.name for p in t.properties if not p.optional),
        bool(t.calls or t.constructs),
        bool(t.indexes),
        any(index.key is STRING for index in t.indexes),
    )


_COMPUTED = frozenset((Conditional, IndexedAccess, Mapped, KeyOf))
_WITHOUT_KEYS = (Reference, Array, Tuple)
_SCALAR = frozenset((Intrinsic, Literal, Template, UniqueSymbol))
_OF_EVERY_OBJECT = frozenset(
    (
        *("constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty"),
        *("isPrototypeOf", "propertyIsEnumerable"),
    )
)


def _scalars(s: Type, t: Type) -> bool:
    """Whether one keyword, literal or template may fit another."""
    if t.__class__ is Intrinsic:
        if s.__class__ is Intrinsic:
            return _keywords(s, t)
        if s.__class__ is Literal:
            return _KEYWORDS.get(s.kind) is t
        if s.__class__ is Template:
            return t is STRING
        return t is SYMBOL
    if s.__class__ is Intrinsic:
        # `boolean` is true or false; a template may hold nothing but `string`.
        return (s not in _PLAIN and s not in _NOTHING) or (t.__class__ is Template and s is STRING)
    return s.__class__ is t.__class__ or t.__class__ is Template


def _keywords(s: Type, t: Type) -> bool:
    if s in _PLAIN or s in _NOTHING or s is OBJECT:
        if t in _PLAIN or t in _NOTHING or t is OBJECT or t is NEVER:
            return s is t or (s is UNDEFINED and t is VOID)
        return True
    return s is not UNKNOWN or t not in _PLAIN
