"""Quick reject for object types: arrays, tuples, type literals, declared types and signatures.

Sources and targets are head types, neither unions nor variables.  ``check`` is the query's
``QuickReject``.  Every function returns False only if no values of the variables involved make
the source assignable to the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import OBJECT_INTERFACE, constituents
from typematch.ir.rest_parameters import required_rest_types
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NEVER,
    OBJECT,
    STRING,
    UNKNOWN,
    VOID,
    Array,
    Free,
    Object,
    Reference,
    Tuple,
    Type,
    Union,
    Var,
)
from typematch.match.parameter_lists import parameter_at
from typematch.match.prefilter.member_summary import MemberSummary
from typematch.match.prefilter.primitives import NULLISH_OR_VOID, UNIVERSAL_PROPERTIES

if TYPE_CHECKING:
    from typematch.match.prefilter.quick_reject import QuickReject

# Declarations whose first type argument is covariant.
_COVARIANT = frozenset(
    f"global#{name}"
    for name in (
        *("Promise", "PromiseLike", "Iterable", "IterableIterator", "Iterator", "ArrayLike"),
        *("Set", "ReadonlySet", "ReadonlyMap", "Map", "AsyncIterable", "AsyncIterableIterator"),
    )
)
# Interfaces that arrays implement structurally; their type argument is the element.
_IMPLEMENTED_BY_ARRAYS = frozenset(
    f"global#{name}" for name in ("Iterable", "ArrayLike", "ConcatArray")
)
_FUNCTION = Reference("global#Function")
_MAY_INCLUDE_UNDEFINED = NULLISH_OR_VOID | {ANY, NEVER, UNKNOWN}
_NEVER_ARGUMENTS = frozenset((NEVER, Array(NEVER)))
_WITHOUT_IMPLICIT_INDEX = (Reference, Array, Tuple)


def objects_may_be_assignable(check: QuickReject, s: Type, t: Type, depth: int) -> bool:
    """Compare two object types by their structure, as far as head types show it."""
    if t.__class__ is Array:
        return _to_array(check, s, t, depth)
    if t.__class__ is Tuple:
        return _to_tuple(check, s, t, depth)
    if s.__class__ is Reference and t.__class__ is Reference:
        if s.target == t.target:
            return _type_arguments(check, s, t, depth)
    elif t.__class__ is Reference and t.target in _IMPLEMENTED_BY_ARRAYS and t.arguments:
        if s.__class__ is Array:
            return check.may_be_assignable(s.element, t.arguments[0], depth)
        return True
    elif s.__class__ is Object and t.__class__ is Object:
        return _type_literals(check, s, t, depth)
    return _by_member_names(check, s, t, depth)


def may_be_split(check: QuickReject, s: Type, t: Union) -> bool:
    """Whether a union may accept the parts of an object type (typeRelatedToDiscriminatedType).

    Each part has one member of the union types among the properties of ``s``.  Property types of
    declared types and intersections are not compared, so these need no parts.
    """
    if s.__class__ is Tuple:
        types = [(element.type, element.kind == "optional") for element in s.elements]
    elif s.__class__ is Object and not s.calls and not s.constructs:
        types = [(item.type, item.optional) for item in check.properties(s).values()]
    else:
        return False
    likely = sum(member.__class__ is s.__class__ for member in map(check.head, t.members))
    return likely > 1 and any(optional or _may_be_union(check, u) for u, optional in types)


def _may_be_union(check: QuickReject, t: Type) -> bool:
    head = check.head(t)
    return head is None or head is BOOLEAN or head.__class__ is Union


def primitive_to_object(check: QuickReject, s: Type, t: Type) -> bool:
    """Compare a keyword, literal or template with an object type, by its wrapper's members."""
    if s in NULLISH_OR_VOID or s is UNKNOWN:
        return False
    if s is OBJECT:
        return True
    if t.__class__ is Array or t.__class__ is Tuple:
        return False
    target = check.summary_of(t)
    if target is None:
        return True
    if target.callable or (t.__class__ is Object and _requires_index_signature(check, t)):
        return False
    wrapper = check.wrapper_summary(s)
    if wrapper is None or not wrapper.complete:
        return True
    if target.weak:
        return not target.names.isdisjoint(wrapper.names)
    return target.required <= wrapper.names | UNIVERSAL_PROPERTIES


def signature_may_be_assignable(
    check: QuickReject, s: Signature, t: Signature, depth: int, *, strict_variance: bool
) -> bool:
    """Compare two signatures: arity, result, then the parameters (compareSignaturesRelated).

    Args:
        strict_variance: parameters are compared contravariantly; else bivariantly, as those of
            methods are.
    """
    if s.type_parameters:
        s = check.with_placeholders(s)
    if t.type_parameters:
        t = check.skolemized(t, s)
    return (
        _arity_may_fit(check, s, t)
        and _result_may_be_assignable(check, s, t, depth)
        and _parameters_may_be_assignable(check, s, t, depth, strict_variance=strict_variance)
    )


def _arity_may_fit(check: QuickReject, s: Signature, t: Signature) -> bool:
    if t.parameters and t.parameters[-1].rest:
        return True
    required = sum(1 for p in s.parameters if not p.optional and not p.rest)
    # A trailing `void` parameter may be omitted, so it does not count as required.
    rest = required_rest_types(s)
    if rest and len(s.parameters) - 1 + len(rest) > len(t.parameters):
        return not _cannot_be_omitted(check, rest[-1])
    extra = s.parameters[len(t.parameters) : required]
    return not any(_cannot_be_omitted(check, p.type) for p in extra)


def _result_may_be_assignable(check: QuickReject, s: Signature, t: Signature, depth: int) -> bool:
    if check.head(t.returns) is VOID:
        return True
    if t.predicate is not None and s.predicate is None:
        return False
    return check.may_be_assignable(s.returns, t.returns, depth) or _result_may_be_never(check, s, t)


def _parameters_may_be_assignable(
    check: QuickReject, s: Signature, t: Signature, depth: int, *, strict_variance: bool
) -> bool:
    for position, target in enumerate(t.parameters):
        if target.rest:
            break
        source = parameter_at(s, position)
        if source is None:
            break
        if (source.optional or target.optional) and not _excludes_undefined(check, target.type):
            continue
        if not check.may_be_assignable(target.type, source.type, depth) and (
            strict_variance
            or not (
                check.may_be_assignable(source.type, target.type, depth)
                or _is_generic_callback(check, source.type)
                or _is_generic_callback(check, target.type)
            )
        ):
            return False
    return True


def _is_generic_callback(check: QuickReject, t: Type) -> bool:
    """Whether ``t`` is a generic function type, or a union with one.

    Results of callbacks are compared in both directions, but always the same one is instantiated in
    the context of the other (compareSignaturesRelated).
    """
    head = check.head(t)
    heads = () if head is None else map(check.head, constituents(head))
    calls = [check.single_call(member) for member in heads if member is not None]
    return any(call is not None and call.type_parameters for call in calls)


def _result_may_be_never(check: QuickReject, s: Signature, t: Signature) -> bool:
    """Whether the result of ``s`` is computed and an argument of ``t`` is ``never``."""
    has_never = any(parameter.type in _NEVER_ARGUMENTS for parameter in t.parameters)
    return has_never and check.head(s.returns) is None


def _cannot_be_omitted(check: QuickReject, t: Type) -> bool:
    head = check.head(t)
    if head is None or head is ANY or head.__class__ is Free:
        return False  # any may stand for void, as a variable of the query does
    return VOID not in constituents(head)


def _excludes_undefined(check: QuickReject, t: Type) -> bool:
    """Whether ``t`` is known to be assignable to the same types as ``t | undefined``."""
    head = check.head(t)
    heads = () if head is None else [check.head(member) for member in constituents(head)]
    return bool(heads) and all(
        member is not None and member.__class__ is not Free and member not in _MAY_INCLUDE_UNDEFINED
        for member in heads
    )


def _type_arguments(check: QuickReject, s: Reference, t: Reference, depth: int) -> bool:
    if s.target not in _COVARIANT:
        return True
    pairs = zip(s.arguments[:1], t.arguments[:1], strict=False)
    return all(check.may_be_assignable(source, target, depth) for source, target in pairs)


def _to_array(check: QuickReject, s: Type, t: Array, depth: int) -> bool:
    if s.__class__ is Array:
        writable = not s.readonly or t.readonly
        return writable and check.may_be_assignable(s.element, t.element, depth)
    if s.__class__ is Tuple:
        if s.readonly and not t.readonly:
            return False
        elements = [element.type for element in s.elements if element.kind != "variadic"]
        # The element type of a tuple is the union of its elements: `any` if one of them is.
        return all(check.may_be_assignable(e, t.element, depth) for e in elements) or any(
            e.__class__ is Var or check.may_be_any(e) for e in elements
        )
    return _by_member_names(check, s, t, depth)


def _to_tuple(check: QuickReject, s: Type, t: Tuple, depth: int) -> bool:
    if s.__class__ is Array:
        return any(element.kind in ("rest", "variadic") for element in t.elements) or all(
            element.kind == "optional" for element in t.elements
        )
    if s.__class__ is not Tuple:
        return _by_member_names(check, s, t, depth)
    if any(element.kind != "required" for element in (*s.elements, *t.elements)):
        return True
    return len(s.elements) == len(t.elements) and all(
        check.may_be_assignable(source.type, target.type, depth)
        for source, target in zip(s.elements, t.elements, strict=True)
    )


def _type_literals(check: QuickReject, s: Object, t: Object, depth: int) -> bool:
    if t.calls and not s.calls:
        return False
    if t.constructs and not s.constructs:
        return False
    if (s.calls or s.constructs) and not s.indexes and _requires_index_signature(check, t):
        return False
    source_properties, target_properties = check.properties(s), check.properties(t)
    for name, target in target_properties.items():
        source = source_properties.get(name)
        if source is None:
            if not (
                target.optional or name in UNIVERSAL_PROPERTIES or _is_inherited(check, s, name)
            ):
                return False
        elif not target.optional and not check.may_be_assignable(source.type, target.type, depth):
            return False
    if len(s.calls) == 1 and len(t.calls) == 1:
        return signature_may_be_assignable(
            check, s.calls[0], t.calls[0], depth, strict_variance=False
        )
    if source_properties and check.is_weak(t):
        return not source_properties.keys().isdisjoint(target_properties)
    return _properties_may_fit_index(check, s, t, depth)


def _is_inherited(check: QuickReject, s: Object, name: str) -> bool:
    """Whether a type literal has a property of ``Function`` (``name``, ``length``) undeclared."""
    if not s.calls and not s.constructs:
        return False
    functions = check.summary_of(_FUNCTION)
    return functions is None or not functions.complete or name in functions.names


def _properties_may_fit_index(check: QuickReject, s: Object, t: Object, depth: int) -> bool:
    return all(
        check.may_be_assignable(prop.type, index.type, depth)
        for index in t.indexes
        if index.key is STRING
        for prop in s.properties
        if not prop.optional and not prop.name.startswith("@@")  # a symbol (isApplicableIndexType)
    )


def _by_member_names(check: QuickReject, s: Type, t: Type, depth: int) -> bool:
    """Compare the declared member names; property types are not compared."""
    if s is OBJECT_INTERFACE:
        return True  # assignable to weak types (isRelatedTo)
    target, source = check.summary_of(t), check.summary_of(s)
    if target is None or source is None or not source.complete:
        return True
    implicit_index = source.string_indexed or s.__class__ not in _WITHOUT_IMPLICIT_INDEX
    if (
        t.__class__ is Object
        and not implicit_index
        and source.names
        and _requires_index_signature(check, t)
    ):
        return False
    if target.callable and not source.callable:
        return False
    names = source.names
    if s.__class__ is Tuple:
        names |= {str(index) for index in range(len(s.elements))}
    if source.callable:
        source_call, target_call = check.single_call(s), check.single_call(t)
        if source_call is not None and target_call is not None:
            return signature_may_be_assignable(
                check, source_call, target_call, depth, strict_variance=False
            )
        functions = check.summary_of(_FUNCTION)
        if functions is None:
            return True
        names |= functions.names
    return _has_required_names(names, target)


def intersection_may_be_assignable(check: QuickReject, members: Sequence[Type], t: Type) -> bool:
    """Compare the member names of all members of an intersection with an object type."""
    target = check.summary_of(t)
    if target is None:
        return True
    names = frozenset[str]()
    for source in map(check.summary_of, members):
        if source is None or not source.complete or source.callable:
            return True
        names |= source.names
    return not target.callable and _has_required_names(names, target)


def _has_required_names(names: frozenset[str], target: MemberSummary) -> bool:
    if target.weak:
        return not names or not target.names.isdisjoint(names)
    return target.required <= names | UNIVERSAL_PROPERTIES


def _requires_index_signature(check: QuickReject, t: Object) -> bool:
    """Whether only type literals and types with an index signature can be assigned to ``t``.

    Declared types have no implicit index signature (membersRelatedToIndexer).
    """
    return any(
        check.head(index.type) not in (None, ANY)
        and not (check.computed_may_be_any and check.may_be_any(index.type))
        for index in t.indexes
        if index.key is STRING
    )
