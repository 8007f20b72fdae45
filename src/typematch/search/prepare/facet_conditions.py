"""Turn the facets of a query into conditions of a selection.

A type behind a facet (``returns:Promise<_>``) becomes a list of type numbers: those types at that
position that the relation accepts.  The store then only compares numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias, cast

from typematch.errors import UsageError
from typematch.index.entries.selection import (
    Condition,
    ConditionKey,
    ConditionValue,
    GlobCondition,
    InNumbers,
    RangeCondition,
    Selection,
)
from typematch.index.store import Store, TypePosition
from typematch.ir.constructors import replace_bound_variables
from typematch.ir.types import (
    ANY,
    NEVER,
    STRING,
    THIS,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    WILDCARD,
    Array,
    Conditional,
    IndexedAccess,
    Intrinsic,
    Named,
    Reference,
    Type,
    Var,
)
from typematch.query.model import (
    Constraint,
    Flag,
    Glob,
    HasValue,
    Range,
    TextValue,
    TypeValue,
    Value,
)
from typematch.query.read_as import constraint_text
from typematch.search.prepare.like_entry import entry_number

# Types that fit everything: they meet a type facet only if the facet is one of them.
_UNINFORMATIVE = frozenset((ANY, UNKNOWN, UNANNOTATED, WILDCARD))

# Types that are compared in the form that they reduce to.
_COMPUTED = (Conditional, IndexedAccess)

_NO_ENTRY = Condition("entry", (InNumbers(()),))

# From source and target type to whether the source is assignable.
IsAssignable: TypeAlias = Callable[[Type, Type], bool]


def facet_conditions(
    constraints: Sequence[Constraint],
    store: Store,
    is_assignable: IsAssignable,
    expired: Callable[[], bool] = lambda: False,
) -> tuple[Condition, ...]:
    """Return one condition for each constraint, in the same order.

    Those without types come first: only types of entries that meet them are compared.

    Args:
        expired: whether the time is over.  Entries whose types were not compared by then do not
            meet the condition.

    Raises:
        UsageError: ``like:`` names no entry, or several; ``returns:`` has ``this`` and more.
    """

    def within_time(source: Type, target: Type, *, constraint: Constraint) -> bool:
        if expired():
            return constraint.negated
        found = (t for t in (source, target) if t not in constraint.types)
        if any(_reduces_to_any(t, is_assignable) for t in found):
            return False
        return is_assignable(source, target)

    conditions: dict[Constraint, Condition] = {}
    for constraint in sorted(constraints, key=lambda constraint: bool(constraint.types)):
        if constraint.types and expired():
            conditions[constraint] = _NO_ENTRY
        else:
            compared = partial(within_time, constraint=constraint)
            selection = tuple(conditions.values())
            conditions[constraint] = _condition(constraint, store, compared, selection)
    return tuple(conditions[constraint] for constraint in constraints)


def _condition(
    constraint: Constraint, store: Store, is_assignable: IsAssignable, selection: Selection
) -> Condition:
    if constraint.key == "returns" and THIS in constraint.types:
        return _fluent(constraint)
    # A ``like:`` that stands for the signature only excludes its entry (``prepared_query``).
    if constraint.key == "like" and constraint.required:
        numbers = [_like(value, store) for value in constraint.values]
        return Condition("entry", (InNumbers(tuple(numbers)),), negated=True)
    values = tuple(
        _condition_value(constraint.key, value, store, is_assignable, selection)
        for value in constraint.values
    )
    facet = "type" if constraint.key == "like" else constraint.key
    return Condition(cast(ConditionKey, facet), values, constraint.negated)


def _like(value: Value, store: Store) -> int:
    assert isinstance(value, TextValue)
    return entry_number(value.text, store)


def exact_type_conditions(constraints: Sequence[Constraint], store: Store) -> Selection:
    """Return conditions that results and parameters have the very types of ``returns``, ``param``.

    The facets also match types that are only assignable.
    """
    positions: Mapping[str, TypePosition] = {"returns": "returns", "param": "parameter"}
    return tuple(
        Condition(
            cast(ConditionKey, constraint.key),
            tuple(
                InNumbers(
                    tuple(
                        number
                        for number, found in store.types_at(position, type_)
                        if found == type_
                    )
                )
                for type_ in constraint.types
            ),
        )
        for constraint in constraints
        if (position := positions.get(constraint.key)) is not None
        and not constraint.negated
        and THIS not in constraint.types
    )


def _fluent(constraint: Constraint) -> Condition:
    """Return the condition of ``returns:this``: a method that returns its receiver's class."""
    if len(constraint.values) > 1:
        raise UsageError(
            f"{constraint_text(constraint)}: 'this' stands alone",
            hint="Search twice: with returns:this and with the other types.",
        )
    return Condition("is", (GlobCondition("fluent"),), constraint.negated)


def id_conditions(words: Sequence[str]) -> Selection:
    """Return conditions that an entry's id contains all of ``words``."""
    return tuple(Condition("id", (GlobCondition(f"*{word}*"),)) for word in words)


def _condition_value(
    key: str, value: Value, store: Store, is_assignable: IsAssignable, selection: Selection
) -> ConditionValue:
    match value:
        case Glob(pattern):
            return GlobCondition(pattern)
        case Flag(name):
            return GlobCondition(name)
        case Range(low, high):
            return RangeCondition(low, high)
        case TextValue(text):
            if key != "like":
                return GlobCondition(text)
            return InNumbers(store.signatures_of(entry_number(text, store)))
        case HasValue(name, None):
            return GlobCondition(name)
        case HasValue(name, type_) if type_ is not None:
            properties = store.types_at("property", type_, name=name, selection=selection)
            return InNumbers(_assignable_to(type_, properties, is_assignable), name)
        case TypeValue(type_, text):
            return _type_condition(key, type_, text, store, is_assignable, selection)
        case _:
            raise AssertionError(f"no condition for {value}")


def _type_condition(
    key: str,
    type_: Type,
    text: str,
    store: Store,
    is_assignable: IsAssignable,
    selection: Selection,
) -> ConditionValue:
    if key == "mentions":
        return GlobCondition(_mention_pattern(type_, text))
    if key == "param":
        types = store.types_at("parameter", type_, selection=selection)
        return InNumbers(
            tuple(
                number
                for number, parameter in _closest_first(types, type_)
                if _is_informative(parameter)
                and is_assignable(type_, replace_bound_variables(parameter, ANY))
            )
        )
    types = store.types_at("returns", type_, selection=selection)
    return InNumbers(_assignable_to(type_, types, is_assignable))


def _assignable_to(
    target: Type, sources: Iterable[tuple[int, Type]], is_assignable: IsAssignable
) -> tuple[int, ...]:
    accepts_all = target in _UNINFORMATIVE
    return tuple(
        number
        for number, source in _closest_first(sources, target)
        if accepts_all
        or (
            _is_informative(source)
            and (source is not NEVER or target is NEVER)
            and is_assignable(replace_bound_variables(source, ANY), target)
        )
    )


def _closest_first(types: Iterable[tuple[int, Type]], given: Type) -> list[tuple[int, Type]]:
    """Order types for a comparison that may end early: the same type, the same declaration, others.

    In a project with many computed types, comparing all of them can take longer than a search has.
    """

    def order(numbered: tuple[int, Type]) -> int:
        type_ = numbered[1]
        if type_ == given:
            return 0
        match type_, given:
            case Reference(declaration), Reference(wanted) if declaration == wanted:
                return 1
            case _:
                return 2

    return sorted(types, key=order)


def _is_informative(type_: Type) -> bool:
    return type_ not in _UNINFORMATIVE and not isinstance(type_, Var)


def _reduces_to_any(type_: Type, is_assignable: IsAssignable) -> bool:
    """Whether a computed type is ``any``: ``T[K]`` with ``any`` for its variables.

    Only ``any`` is assignable to ``undefined`` and accepts ``string``.
    """
    return (
        isinstance(type_, _COMPUTED)
        and is_assignable(type_, UNDEFINED)
        and is_assignable(STRING, type_)
    )


def _mention_pattern(type_: Type, text: str) -> str:
    """Return the name or key by which signatures mention a type."""
    match type_:
        case Reference(target):
            return target
        case Intrinsic(name):
            return name
        case Named(path):
            return ".".join(path)
        case Array():
            return "Array"
        case _:
            return text
