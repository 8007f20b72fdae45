"""Edits for two types that differ although one is assignable to the other."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.constructors import (
    promise_value_type,
    replace_bound_variables,
    without_parameter_names,
)
from typematch.ir.intern import InternedNode, children
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    EMPTY_OBJECT,
    NEVER,
    OBJECT,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Conditional,
    IndexedAccess,
    Intersection,
    Object,
    Reference,
    Type,
    Union,
)
from typematch.match.edit_kinds import (
    ALIAS_FOLLOWED,
    CONTAINS_ANY,
    IS_ANY,
    NARROWER_RESULT,
    NO_VALUE,
    NOT_ANNOTATED,
    WIDER_PARAMETER,
    Edit,
)
from typematch.match.edits.query_signature import result_type
from typematch.match.edits.strict_relation import StrictRelation

_MAX_EXTRA = 20
_MAX_ALIAS_DEPTH = 3  # levels of aliases searched for `any`
_COMPUTED = (Conditional, IndexedAccess)  # compared in the form that they reduce to
_WITHOUT_MEMBERS = (OBJECT, EMPTY_OBJECT)
_WITH_MEMBERS = (Object, Reference, Intersection)


def subtyping_edits(
    strict: StrictRelation,
    actual: Type,
    expected: Type,
    *,
    path: str,
    name: str,
    is_result: bool = False,
) -> list[Edit]:
    """Return the edits for a position of type ``actual`` where the query expects ``expected``.

    The types are already assignable in the direction that the position needs.  ``any`` in the query
    accepts everything for free, but for a result that is no value.

    Args:
        name: what the edit's sentence calls the position.
        is_result: the position is a result; else it is a parameter.
    """
    if is_result and _is_void_for_any(actual, expected):
        return [Edit(NO_VALUE, path, actual)]
    if expected is ANY or without_parameter_names(actual) is without_parameter_names(expected):
        return []
    if actual is UNANNOTATED:
        return [Edit(NOT_ANNOTATED, path, name)]
    expanded = strict.expand(actual)
    if expected is UNKNOWN and expanded is ANY and not is_result:
        return []  # it accepts everything, as the query does
    if (
        expanded is ANY
        or expanded is UNKNOWN
        or (is_result and expanded is NEVER and expected is not NEVER)
    ):
        # A result `never` is assignable to every type but is no value.
        return [Edit(IS_ANY, path, name)]
    if is_result and (expected is VOID or expected is UNDEFINED) and actual is not VOID:
        return [Edit(NARROWER_RESULT, path, name, actual)]
    if is_result and _assignable_only_as_overload_set(strict, expanded, expected):
        return [Edit(CONTAINS_ANY, path, name)]
    reverse_pair = (expected, actual) if is_result else (actual, expected)
    shown = expanded if isinstance(actual, _COMPUTED) else actual
    if strict.is_assignable(*reverse_pair):
        # `object` and `{}` state no type that an `any` inside would stand for.
        states_none = strict.expand(expected) in _WITHOUT_MEMBERS
        if states_none or _has_any(strict, expected) or strict.is_identical(actual, expected):
            return [Edit(ALIAS_FOLLOWED, path, shown, expected)]
        if _expands_to_any(strict, actual) and not strict.derives_from(expected, actual):
            return [Edit(CONTAINS_ANY, path, name)]
        # A result without `any` is more specific than a declared type with it.
        if not is_result or not _expands_to_any(strict, expected):
            return [Edit(ALIAS_FOLLOWED, path, shown, expected)]
    kind = NARROWER_RESULT if is_result else WIDER_PARAMETER
    wide, narrow = (expected, actual) if is_result else (actual, expected)
    extra_units = _member_difference(strict, wide, narrow)
    return [Edit(kind, path, name, shown, extra_units, expected)]


def _is_void_for_any(actual: Type, expected: Type) -> bool:
    """Whether nothing, or a promise of nothing, is returned where a value is expected."""
    value, expected_value = promise_value_type(actual), promise_value_type(expected)
    is_any = expected is ANY or (expected_value is ANY and value is not None)
    return is_any and (actual if value is None else value) in (VOID, UNDEFINED)


def _assignable_only_as_overload_set(strict: StrictRelation, actual: Type, expected: Type) -> bool:
    """Whether overloads are assignable together although none of them is by itself.

    Overload sets are compared with ``any`` for their type parameters (signaturesRelatedTo).
    """
    if not isinstance(actual, Object) or len(actual.calls) < 2:
        return False
    expanded = strict.expand(expected)
    if not isinstance(expanded, Object) or len(expanded.calls) != 1:
        return False
    return not any(
        strict.is_assignable(Object(calls=(signature,)), expanded) for signature in actual.calls
    )


def _expands_to_any(strict: StrictRelation, t: InternedNode, depth: int = _MAX_ALIAS_DEPTH) -> bool:
    """Whether a type mentions ``any``, its aliases expanded."""
    if isinstance(t, Type):
        # Whether `any` appears does not depend on the values of bound variables.
        t = strict.expand(replace_bound_variables(t, UNKNOWN))
        depth -= 1
    if t is ANY:
        return True
    if isinstance(t, Reference) and any(index is ANY for index in strict.index_types(t)):
        return True
    return depth > 0 and any(_expands_to_any(strict, part, depth) for part in children(t))


def _has_any(strict: StrictRelation, t: InternedNode, depth: int = _MAX_ALIAS_DEPTH) -> bool:
    """Whether a type mentions ``any``, the defaults of omitted type arguments included.

    Defaults may mention their own declaration: they are filled in ``depth`` times.
    """
    if isinstance(t, Reference) and depth > 0:
        filled = strict.with_defaults(t)
        depth -= filled is not t
        t = filled
    return t is ANY or any(_has_any(strict, part, depth) for part in children(t))


def mentions_any(t: InternedNode) -> bool:
    """Whether a type mentions ``any``, aliases not expanded."""
    return t is ANY or any(mentions_any(part) for part in children(t))


def _member_difference(strict: StrictRelation, wide: Type, narrow: Type) -> int:
    """Count the additional union members or properties of one of two types, up to a maximum."""
    wide, narrow = strict.expand(wide), strict.expand(narrow)
    if isinstance(wide, Union) or isinstance(narrow, Union):
        return min(_MAX_EXTRA, abs(len(_members(wide)) - len(_members(narrow))))
    if isinstance(narrow, Intersection) and not isinstance(wide, Intersection):
        return min(_MAX_EXTRA, 5 * len(narrow.members))
    if wide is OBJECT:
        wide = EMPTY_OBJECT
    if not isinstance(wide, _WITH_MEMBERS) or not isinstance(narrow, _WITH_MEMBERS):
        return 0
    wide_count, narrow_count = strict.member_count(wide), strict.member_count(narrow)
    return (
        0
        if wide_count is None or narrow_count is None
        else min(_MAX_EXTRA, abs(narrow_count - wide_count))
    )


def _members(t: Type) -> tuple[Type, ...]:
    if isinstance(t, Union):
        return t.members
    return (t, t) if t is BOOLEAN else (t,)


def alias_edits(actual: Signature, expected: Signature) -> Iterator[Edit]:
    """Yield an edit for each position at which the same type is written with two names."""
    for position, (actual_parameter, expected_parameter) in enumerate(
        zip(actual.parameters, expected.parameters, strict=True)
    ):
        if without_parameter_names(actual_parameter.type) is not without_parameter_names(
            expected_parameter.type
        ):
            yield Edit(
                ALIAS_FOLLOWED,
                f"$.parameters[{position}]",
                actual_parameter.type,
                expected_parameter.type,
            )
    if without_parameter_names(result_type(actual)) is not without_parameter_names(
        result_type(expected)
    ):
        yield Edit(ALIAS_FOLLOWED, "$.returns", result_type(actual), result_type(expected))
