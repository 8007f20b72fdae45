"""Tell at a glance that one type cannot fit another: heads are looked at, nothing is inferred.

Thousands of found types are held against a query, and nearly all of them are of quite another
kind than what was asked for.  ``QuickReject.may_fit`` says no only where the strict relation would say
no for whatever the variables in the two stand for; it is asked first because it costs a hundredth.
"""

from __future__ import annotations

from typematch.ir.constructors import UNKNOWN_LIKE, constituents
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NEVER,
    OBJECT,
    STRING,
    THIS,
    UNANNOTATED,
    UNKNOWN,
    VOID,
    Array,
    Free,
    Intrinsic,
    Literal,
    Object,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
    Var,
)
from typematch.match.assignability.parameter_lists import taken_at
from typematch.match.prefilter.deferred_types import is_of_a_query, is_stand_in
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.primitives import NOTHING, scalar_may_fit
from typematch.program.reduction.reduce import Reducer

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
_FUNCTION = Reference("global#Function")
_MAYBE_UNDEFINED = NOTHING | {ANY, NEVER, UNKNOWN}
_OF_NEVER = frozenset((NEVER, Array(NEVER)))
_WITHOUT_KEYS = (Reference, Array, Tuple)
_SCALAR = frozenset((Intrinsic, Literal, Template, UniqueSymbol))
_OF_EVERY_OBJECT = frozenset(
    (
        *("constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty"),
        *("isPrototypeOf", "propertyIsEnumerable"),
    )
)


class QuickReject:
    """Quick refusals within one query; what is known of a pair is kept."""

    def __init__(
        self, heads: HeadCache, reducer: Reducer, *, wary: bool = False, vague: bool = False
    ) -> None:
        """Start; ``reducer`` knows the query's own variables.

        Args:
            wary: what is worked out may come to ``any``, which fits everything.  A search by
                likeness takes it that it does not, and so has fewer types to look at.
            vague: stand-ins may come to ``any``, whatever their constraints.
        """
        self._vague = vague
        self._wary = wary
        self._heads = heads
        self._reducer = reducer
        self._rigid = heads.rigid
        self._members_of = heads.declared.members_of
        self._constraints = reducer.constraints
        self._known: dict[tuple[Type, Type], bool] = {}
        self._tops: dict[Type, Type | None] = {}

    def head(self, t: Type) -> Type | None:
        """Return ``t`` with the alias at its top followed; None where that needs thought."""
        head = self._tops.get(t, UNANNOTATED)
        if head is UNANNOTATED:  # which is nobody's head
            head = self._heads.head(t)
            if head is None and t.__class__ is Reference and not t.loose:
                head = self._of_this_query(t)
            self._tops[t] = head
        return head

    def _of_this_query(self, t: Type) -> Type | None:
        """Return the head of a type in which the query's variables stand."""
        if not any(map(is_of_a_query, t.free)):
            return None
        found = self._reducer.apart(lambda: self._reducer.normal(t))
        return found if found is not None and self._heads.is_clear(found) else None

    def fields(self, head: Type) -> frozenset[str] | None:
        """Return the names of the properties that an object may have; None where not all is known.

        ``head`` is one; what is no object has none.
        """
        if head.__class__ not in (Object, Reference):
            return None if head.__class__ in (Free, Union) else frozenset()
        known = self._members_of(head)
        return known.names if known is not None and known.complete else None

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
        if t is None:
            return s is None or not _is_closed(s) or not self._rigid.takes_only_itself(target)
        if s is t:
            return True
        if source is not s and target is not t and _of_one_alias(source, target):
            return True  # their arguments decide, whatever they stand for
        if s is None:
            groups = self._rigid.limits(source)
            if groups is not None and not self._is_vague(source):
                return any(all(self.may_fit(one, t, depth) for one in group) for group in groups)
            possible = self._heads.possible(source)
            return possible is None or any(self.may_fit(one, t, depth) for one in possible)
        if t is ANY or t is UNKNOWN or s is ANY or s is NEVER:
            return True
        if s.__class__ is Union:
            fits = all(self.may_fit(member, t, depth) for member in s.members)
            return fits or self._may_be_any(s)
        if t.__class__ is Union:
            if s is BOOLEAN or UNKNOWN_LIKE.issubset(t.members):
                return True
            if any(self.may_fit(source, member, depth) for member in t.members):
                return True
            # Two members together may hold what a variable's constraint holds, and neither alone.
            bound = self._constraints.get(s) if s.__class__ is Free else None
            return bound is not None and self.may_fit(bound, target, depth)
        if s.__class__ is Free or t.__class__ is Free:
            if s.__class__ is Object and s is not source and s.indexes:
                return True  # what is written as a mapped type may fit a variable
            return self._with_variables(s, t, target, depth)
        if s is THIS:
            return t.__class__ not in _SCALAR or t is OBJECT
        if s.__class__ in _SCALAR:
            return self._from_scalar(s, t)
        if t.__class__ in _SCALAR:
            return t is OBJECT
        return self._between_objects(s, t, depth)

    def _is_vague(self, t: Type) -> bool:
        """Whether something in ``t`` may be ``any``."""
        return self._vague and any(map(is_stand_in, t.free))

    def _may_be_any(self, t: Type) -> bool:
        """Whether a type may come to ``any``, as a union does of which one member does."""
        if t.__class__ is Union:
            return any(map(self._may_be_any, t.members))
        if t.__class__ is Free:
            return ANY in (self._heads.values(t) or ()) or self._is_vague(t)
        if t.__class__ in _SCALAR:
            return t is ANY
        head = self.head(t)
        if head is not None:
            return head is ANY
        return self._wary and self._heads.possible(t) is None

    def _with_variables(self, s: Type, t: Type, target: Type, depth: int) -> bool:
        """Tell of a variable on either side; ``target`` is ``t`` as written, by an alias maybe."""
        one, other = self._heads.values(s), self._heads.values(t)
        if self._vague and (one is not None or other is not None):
            return True
        if one is not None:
            return other is not None or any(self._overlaps(limit, t, depth) for limit in one)
        if other is not None:
            return self.may_fit(s, other[0], depth)
        if s.__class__ is Free:
            bound = self._constraints.get(s)
            return bound is not None and self.may_fit(bound, target, depth)
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
            return scalar_may_fit(s, t)
        if s in NOTHING or s is UNKNOWN:
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
        wrapper = self._heads.declared.wrapper(s)
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
            if s.readonly and not t.readonly:
                return False
            inside = [element.type for element in s.elements if element.kind != "variadic"]
            # Beside one that is any, all elements together are any.
            fits = all(self.may_fit(one, t.element, depth) for one in inside)
            return fits or any(one.__class__ is Var or self._may_be_any(one) for one in inside)
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
        own, asked = self._reducer.by_name(s), self._reducer.by_name(t)
        for name, wanted in asked.items():
            given = own.get(name)
            if given is None:
                # What functions have anyway (`name`, `length`) is no property of their own.
                if not wanted.optional and not s.calls and not s.constructs:
                    return name in _OF_EVERY_OBJECT
            elif not wanted.optional and not self.may_fit(given.type, wanted.type, depth):
                return False
        if len(s.calls) == 1 and len(t.calls) == 1:
            return self.signatures(s.calls[0], t.calls[0], depth)
        if own and self._heads.declared.written(t).weak:
            return not own.keys().isdisjoint(asked)
        return all(
            self.may_fit(given.type, index.type, depth)
            for index in t.indexes
            if index.key is STRING
            for given in s.properties
            if not given.optional
        )

    def signatures(
        self, s: Signature, t: Signature, depth: int = 0, *, one_way: bool = False
    ) -> bool:
        """Return False only if no function with ``s`` can stand for one with ``t``.

        Args:
            one_way: parameters are compared as those of functions are, not of methods.
        """
        rest = bool(t.parameters) and t.parameters[-1].rest
        if not rest:
            least = sum(1 for p in s.parameters if not p.optional and not p.rest)
            # A trailing `void` may be left out, so only what is surely too much counts.
            extra = s.parameters[len(t.parameters) : least]
            if any(self._never_left_out(p.type) for p in extra):
                return False
        if self.head(t.returns) is not VOID:
            if t.predicate is not None and s.predicate is None:
                return False
            if not self.may_fit(s.returns, t.returns, depth) and not self._may_be_never(s, t):
                return False
        for place, given in enumerate(t.parameters):
            if given.rest:
                break
            taken = taken_at(s, place)
            if taken is None:
                break
            if (taken.optional or given.optional) and not self._never_undefined(given.type):
                continue
            if not self.may_fit(given.type, taken.type, depth) and (
                one_way or not self.may_fit(taken.type, given.type, depth)
            ):
                return False
        return True

    def _may_be_never(self, s: Signature, t: Signature) -> bool:
        """Whether the result of ``s`` is worked out of ``never``, maybe: it may come to that."""
        given = any(one.type in _OF_NEVER for one in t.parameters)
        return given and self.head(s.returns) is None

    def _never_left_out(self, t: Type) -> bool:
        head = self.head(t)
        if head is None or head.__class__ is Free:
            return False
        return VOID not in constituents(head)

    def _never_undefined(self, t: Type) -> bool:
        """Whether what ``t`` fits is the same with ``undefined`` beside it."""
        head = self.head(t)
        heads = () if head is None else [self.head(one) for one in constituents(head)]
        return bool(heads) and all(
            one is not None and one.__class__ is not Free and one not in _MAYBE_UNDEFINED
            for one in heads
        )

    def _by_names(self, s: Type, t: Type, depth: int) -> bool:
        wanted, given = self._members_of(t), self._members_of(s)
        if wanted is None or given is None or not given.complete:
            return True
        implicit = given.keyed or s.__class__ not in _WITHOUT_KEYS
        if t.__class__ is Object and not implicit and given.names and self._asks_for_keys(t):
            return False
        if wanted.callable and not given.callable:
            return False
        names = given.names
        if s.__class__ is Tuple:
            names |= {str(place) for place in range(len(s.elements))}
        if given.callable:
            one, other = self._heads.call(s), self._heads.call(t)
            if one is not None and other is not None:
                return self.signatures(one, other, depth)
            functions = self._members_of(_FUNCTION)
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
        asked = [index.type for index in t.indexes if index.key is STRING]
        return any(
            self.head(one) not in (None, ANY) and not (self._wary and self._may_be_any(one))
            for one in asked
        )


def _is_closed(head: Type) -> bool:
    """Whether nothing but what is written says what a type fits."""
    return head.__class__ not in (Free, Union) and head is not ANY and head is not NEVER


def _of_one_alias(s: Type, t: Type) -> bool:
    return s.__class__ is Reference and t.__class__ is Reference and s.target == t.target
