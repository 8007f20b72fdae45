"""Tell at a glance that one type cannot fit another: heads are looked at, nothing is inferred.

Thousands of found types are held against a query, and nearly all of them are of quite another
kind than what was asked for.  ``Glance.may_fit`` says no only where the strict relation would say
no for whatever the variables in the two stand for; it is asked first because it costs a hundredth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
from typematch.match.variance import Variance
from typematch.program.limits import LimitReached, Limits
from typematch.program.reduce import Reducer

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
_PLAIN = frozenset((STRING, NUMBER, BOOLEAN, SYMBOL, Intrinsic("bigint")))
_NOTHING = frozenset((UNDEFINED, NULL, VOID))
_CLEAR = frozenset((Intrinsic, Literal, Template, UniqueSymbol, Array, Tuple, Object))


@dataclass(frozen=True, slots=True)
class _Members:
    """What is known of all types of one declaration."""

    names: frozenset[str]
    required: frozenset[str]
    callable: bool


class Heads:
    """What types are at their heads, over one set of declarations; good for many queries.

    Attributes:
        variances: of the declarations, as the relations of those queries find them out.
    """

    def __init__(self, declarations: Declarations) -> None:
        # Without a judge, and with little patience: what needs thought is not seen at a glance.
        self._reducer = Reducer(declarations, limits=_LIMITS)
        self.variances: dict[str, Variance] = {}
        self._mark = declarations.get(_MARK)
        self._heads: dict[Type, Type | None] = {}
        self._members: dict[str, _Members | None] = {}

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
            return t
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
            try:
                self._reducer.steps = 0
                found = self._reducer.normal(closed(t, ANY))
            except (LimitReached, RecursionError):
                self._reducer.depth = 0
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

    def _declared_members(self, key: str) -> _Members | None:
        """Return what the types of a class or interface have; None where a base is computed."""
        declared = self._reducer.declaration(key)
        if declared is None or not isinstance(declared.type, Object) or declared.type.indexes:
            return None
        own = _written_members(declared.type)
        names, required, callable_ = set(own.names), set(own.required), own.callable
        for base in declared.extends:
            known = self.members_of(base) if isinstance(base, Array | Reference) else None
            if known is None:
                return None
            required |= known.required - own.names
            names |= known.names
            callable_ = callable_ or known.callable
        return _Members(frozenset(names), frozenset(required), callable_)


class Glance:
    """Quick refusals within one query; what is known of a pair is kept."""

    def __init__(self, heads: Heads, constraints: Mapping[Type, Type | None]) -> None:
        self.head = heads.head
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
        if s is None or t is None or s is t:
            return True
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
        if s.__class__ in _SCALAR:
            return self._from_scalar(s, t)
        if t.__class__ in _SCALAR:
            return t is OBJECT
        return self._between_objects(s, t, depth)

    def _with_variables(self, s: Type, t: Type, depth: int) -> bool:
        if s.__class__ is Free:
            bound = self._constraints.get(s)
            return bound is not None and self.may_fit(bound, t, depth)
        return False

    def _from_scalar(self, s: Type, t: Type) -> bool:
        if t.__class__ in _SCALAR:
            return _scalars(s, t)
        if s in _NOTHING or s is UNKNOWN:
            return False
        if s is OBJECT:
            return True
        if t.__class__ is Array or t.__class__ is Tuple:
            return False
        if t.__class__ is Object:
            return not t.calls and not t.constructs
        known = self._members_of(t)
        return known is None or not known.callable

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
        return self._by_names(s, t)

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
        return self._by_names(s, t)

    def _to_tuple(self, s: Type, t: Tuple, depth: int) -> bool:
        if s.__class__ is Array:
            return any(element.kind in ("rest", "variadic") for element in t.elements) or all(
                element.kind == "optional" for element in t.elements
            )
        if s.__class__ is not Tuple:
            return self._by_names(s, t)
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
        return True

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
        return head is not None and head.__class__ in (Literal, Array, Tuple, Object, Reference)

    def _by_names(self, s: Type, t: Type) -> bool:
        wanted, given = self._members_of(t), self._members_of(s)
        if wanted is None or given is None:
            return True
        if t.__class__ is Object and t.indexes and s.__class__ is Reference:
            # Only type literals have implicit index signatures.
            return all(self.head(index.type) in (None, ANY) for index in t.indexes)
        if wanted.callable and not given.callable:
            return False
        if given.callable:
            return True
        return wanted.required <= given.names | _OF_EVERY_OBJECT


def _written_members(t: Object) -> _Members:
    return _Members(
        frozenset(p.name for p in t.properties),
        frozenset(p.name for p in t.properties if not p.optional),
        bool(t.calls or t.constructs),
    )


_COMPUTED = frozenset((Conditional, IndexedAccess, Mapped, KeyOf))
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
