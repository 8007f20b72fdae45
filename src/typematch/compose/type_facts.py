"""The operations on types that a search for pipelines uses."""

from __future__ import annotations

from typematch.ir.constructors import PROMISES, constituents, promise_value_type, union
from typematch.ir.type_parts import Property, Signature
from typematch.ir.types import (
    ANY,
    BIGINT,
    BOOLEAN,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    UNREADABLE,
    VOID,
    WILDCARD,
    Array,
    Free,
    IndexedAccess,
    Intersection,
    Literal,
    Object,
    Reference,
    Template,
    Type,
    Union,
    Var,
)
from typematch.match.edits.conversions import Conversion
from typematch.match.edits.instantiation_edits import matched_type_arguments
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Verdict
from typematch.program.reduction.bounded import expanded, known_members
from typematch.program.reduction.instantiate import instantiate
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.type_scorer import TypeScorer

_PRIMITIVES = frozenset((STRING, NUMBER, BOOLEAN, BIGINT, SYMBOL, OBJECT))
_WRAPPERS = frozenset(
    f"global#{name}" for name in ("String", "Number", "Boolean", "BigInt", "Symbol", "Object")
)
_ANY_OR_UNKNOWN = frozenset((ANY, UNKNOWN, WILDCARD, UNANNOTATED, UNREADABLE))
_WRAPPED_PARAMETERS = PROMISES | {
    f"global#{name}" for name in ("Awaited", "NonNullable", "Partial", "Readonly", "Required")
}
_MAX_PROPERTIES = 80


class TypeFacts:
    """Answers questions about types; answers are memoized."""

    def __init__(self, scorers: TypeScorers) -> None:
        self._scorers = scorers
        self._reducer = scorers.relation(Strictness.WITH_EDITS).reducer
        self._conversions: dict[tuple[Type, Type], Conversion | None] = {}
        self._function_scorers: dict[Object, TypeScorer] = {}
        self._properties: dict[Type, tuple[Property, ...]] = {}

    def constrain(self, variable: Free, constraint: Type) -> None:
        self._reducer.constraints[variable] = constraint

    def verdict(self, target: Object, function: Object, ceiling: int) -> Verdict:
        return self._scorer(target).verdict(function, ceiling)

    def lower_bound(self, target: Object, function: Type) -> int | None:
        return self._scorer(target).lower_bound(function, None)

    def _scorer(self, target: Object) -> TypeScorer:
        scorer = self._function_scorers.get(target)
        if scorer is None:
            scorer = self._function_scorers[target] = self._scorers.function_scorer(target, ())
        return scorer

    def conversion(self, source: Type, target: Type) -> Conversion | None:
        """Return the cheapest conversion of a value; None if there is none."""
        key = (source, target)
        if key not in self._conversions:
            self._conversions[key] = self._scorers.conversion(source, target)
        return self._conversions[key]

    def is_assignable(self, source: Type, target: Type) -> bool:
        return self._scorers.is_assignable(source, target)

    def is_known(self, source: Type, target: Type) -> bool:
        """Return whether the conversion is known already."""
        return (source, target) in self._conversions

    def expand(self, t: Type) -> Type:
        return expanded(self._reducer, t)

    def awaited(self, t: Type) -> tuple[Type, bool]:
        """Return the type of an awaited value, and whether it is a promise."""
        value = promise_value_type(t) or promise_value_type(self.expand(t))
        return (t, False) if value is None else (value, True)

    def has_bare_result(self, signature: Signature) -> bool:
        """Return whether the result is one of the type parameters."""
        return _is_parameter(signature.returns)

    def is_weak(self, t: Type) -> bool:
        """Return whether ``t`` is an object type all of whose properties are optional."""
        properties = self.properties(self.without_nullish(t)[0])
        return bool(properties) and all(item.optional for item in properties)

    def is_callable(self, t: Type) -> bool:
        """Return whether ``t`` is a declared type with call signatures."""
        if not isinstance(t, Reference):
            return False
        members = known_members(self._reducer, t)
        return members is not None and bool(members.calls)

    def without_nullish(self, t: Type) -> tuple[Type, bool]:
        """Return the type without ``undefined`` and ``null``, and whether it had them."""
        parts = constituents(t) if isinstance(t, Union) else constituents(self.expand(t))
        kept = [part for part in parts if part not in (UNDEFINED, NULL, VOID)]
        return (union(kept), True) if 0 < len(kept) < len(parts) else (t, False)

    def properties(self, t: Type) -> tuple[Property, ...]:
        """Return the public properties of an object type that are no methods, by name."""
        if t not in self._properties:
            self._properties[t] = self._find_properties(t)
        return self._properties[t]

    def _find_properties(self, t: Type) -> tuple[Property, ...]:
        if is_common_type(t) or isinstance(t, Array | Union | Var):
            return ()
        members = self._reducer.with_own_budget(
            lambda: tuple(p for p in self._reducer.members_of(t) if not p.method)
        )
        if members is None:
            return ()
        public = [p for p in members if p.visibility == "public" and not p.name.startswith("@")]
        return tuple(sorted(public[:_MAX_PROPERTIES], key=lambda p: p.name))


def is_common_type(t: Type) -> bool:
    """Return whether many functions take or return values of this type: strings, numbers ..."""
    if isinstance(t, Union):
        return all(is_common_type(member) for member in t.members)
    if isinstance(t, Array):
        return is_common_type(t.element)
    if isinstance(t, Reference):
        return t.target in _WRAPPERS
    return (
        t in _PRIMITIVES
        or t in _ANY_OR_UNKNOWN
        or isinstance(t, Literal | Template)
        or (t in (UNDEFINED, NULL, VOID))
    )


def _is_parameter(t: Type) -> bool:
    """Return whether ``t`` is a type parameter, in a union, a promise or another wrapper."""
    match t:
        case Var() | IndexedAccess():
            return True
        case Union(members):
            return any(map(_is_parameter, members))
        case Intersection(members):
            return all(map(_is_parameter, members))
        case Reference(name, (argument, *_)) if name in _WRAPPED_PARAMETERS:
            return _is_parameter(argument)
        case _:
            return False


def is_any_or_unknown(t: Type) -> bool:
    """Return whether nothing is known of a value of type ``t``."""
    return t in _ANY_OR_UNKNOWN


def result_of(signature: Signature, fit: Fit) -> Type:
    """Return the result of a call with the type arguments of its match."""
    return instantiate(signature.returns, matched_type_arguments(signature, fit.edits))
