"""Compare members of object types: properties, call, construct and index signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import OBJECT_INTERFACE, constituents, union
from typematch.ir.type_parts import IndexSignature, Property
from typematch.ir.types import (
    ANY,
    EMPTY_OBJECT,
    NEVER,
    NUMBER,
    OBJECT,
    STRING,
    UNDEFINED,
    UNKNOWN,
    Array,
    Intersection,
    Mapped,
    Object,
    Reference,
    Tuple,
    Type,
)
from typematch.match.assignability.intersection_state import IntersectionState
from typematch.match.assignability.signatures import erased_methods_related, signatures_related
from typematch.match.assignability.tuples import tuple_types_related
from typematch.match.inference.inference_variables import key_variable
from typematch.match.verdict import Misfit
from typematch.program.reduction.indexed_access import key_type
from typematch.program.reduction.members import (
    applicable_index_signature,
    index_applies,
    property_of,
)
from typematch.program.reduction.resolved_members import ResolvedMembers, read_type

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

NO_NAMES: frozenset[str] = frozenset()


def members_related(
    rel: Relation,
    s: Type,
    t: Type,
    state: IntersectionState = IntersectionState.NONE,
    excluded: frozenset[str] = NO_NAMES,
    primitive: bool = False,
) -> Misfit | None:
    """Return None if ``s`` has every member of ``t`` with a related type.

    Args:
        excluded: names of properties that are not compared.
        primitive: whether ``s`` is the wrapper interface of a primitive source.
    """
    misfit = properties_related(rel, s, t, excluded, state=state)
    if misfit is not None:
        return misfit
    target = rel.reducer.members_of(t)
    source = rel.reducer.members_of(s)
    if target.calls:
        misfit = signatures_related(rel, s, t, source.calls, target.calls, "call", state)
        if misfit is not None:
            return misfit
    if target.constructs:
        misfit = signatures_related(
            rel, s, t, source.constructs, target.constructs, "construct", state
        )
        if misfit is not None:
            return misfit
    if target.indexes and not (isinstance(s, Tuple) and isinstance(t, Tuple)):
        return index_signatures_related(rel, s, source, target, state, primitive)
    return None


def properties_related(
    rel: Relation,
    s: Type,
    t: Type,
    excluded: frozenset[str] = NO_NAMES,
    optionals_only: bool = False,
    state: IntersectionState = IntersectionState.NONE,
) -> Misfit | None:
    """Compare properties (propertiesRelatedTo).

    Args:
        optionals_only: compare only properties that are optional in ``t``.
    """
    if isinstance(t, Tuple):
        if isinstance(s, (Array, Tuple)):
            return tuple_types_related(rel, s, t, excluded, state)
        if any(e.kind in ("rest", "variadic") for e in t.elements):
            return Misfit("type", s, t)
    reducer = rel.reducer
    target = reducer.members_of(t)
    source = reducer.members_of(s)
    if not optionals_only:
        # A missing property is the cheapest misfit to detect.
        missing = _missing_property(rel, s, source, target, excluded)
        if missing is not None:
            return Misfit("missing", s, missing)
    elements_only = isinstance(s, Tuple) and isinstance(t, Array)
    for name in target.names:
        if name in excluded:
            continue
        if elements_only and not name.isdecimal() and name != "length":
            continue
        target_property = target.get(name)
        if target_property is None or (optionals_only and not target_property.optional):
            continue
        source_property = source.get(name) or property_of(reducer, s, name)
        if source_property is None or source_property is target_property:
            continue
        if _have_one_declaration(source, target, name, target_property):
            decided, misfit = erased_methods_related(rel, source_property, target_property, state)
            if misfit is not None:
                return misfit.at(f".{name}")
            if decided:
                continue
        misfit = property_related(
            rel, source_property, target_property, None, optionals_only, state
        )
        if misfit is not None:
            return misfit.at(f".{name}")
    return None


def _have_one_declaration(
    source: ResolvedMembers, target: ResolvedMembers, name: str, target_property: Property
) -> bool:
    """Return whether one declaration of a function gives both types their property ``name``.

    The property is a method, or its type is written as a function type.
    """
    if target_property.type.__class__ is not Object:
        return False
    declared = target.declared(name)
    if declared is None or declared != source.declared(name):
        return False
    return declared[1].type.__class__ is Object


def _missing_property(
    rel: Relation,
    s: Type,
    source: ResolvedMembers,
    target: ResolvedMembers,
    excluded: frozenset[str],
) -> str | None:
    """Return the first required property of ``target`` that ``s`` does not have."""
    for name in target.names:
        if name in excluded or source.get(name) is not None:
            continue
        required = target.get(name)
        if (
            required is not None
            and not required.optional
            and property_of(rel.reducer, s, name) is None
        ):
            return name
    return None


def property_related(
    rel: Relation,
    s: Property,
    t: Property,
    source_type: Type | None,
    skip_optional: bool = False,
    state: IntersectionState = IntersectionState.NONE,
) -> Misfit | None:
    """Compare two properties (propertyRelatedTo).

    Args:
        source_type: compare this type instead of that of ``s``.
        skip_optional: accept an optional source for a required target.
    """
    if s.owner or t.owner:
        misfit = _visibility_related(rel, s, t)
        if misfit is not None:
            return misfit
    if t.type is not ANY and t.type is not UNKNOWN:
        read_source = (
            source_type if source_type is not None else (read_type(s) if s.optional else s.type)
        )
        misfit = rel.related(read_source, read_type(t) if t.optional else t.type, state)
        if misfit is not None:
            return misfit
    if s.optional and not t.optional and not skip_optional:
        return Misfit("optional", "the source", t.name)
    return None


def _visibility_related(rel: Relation, s: Property, t: Property) -> Misfit | None:
    """Private members must have one declaration; protected ones may come from a derived class."""
    misfit = Misfit("private", s.name, t.name)
    if "private" in (s.visibility, t.visibility) or s.name.startswith("#"):
        return None if s.owner == t.owner else misfit
    if t.visibility == "protected":
        return (
            None if s.visibility == "protected" and derives_from(rel, s.owner, t.owner) else misfit
        )
    return misfit if s.visibility == "protected" else None


def derives_from(rel: Relation, key: str, base: str) -> bool:
    """Return whether the class ``key`` is ``base`` or derives from it."""
    seen: set[str] = set()
    queue = [key]
    while queue:
        current = queue.pop()
        if current == base:
            return True
        if current in seen:
            continue
        seen.add(current)
        declaration = rel.reducer.declaration(current)
        if declaration is not None:
            queue += [b.target for b in declaration.extends if isinstance(b, Reference)]
    return False


def index_signatures_related(
    rel: Relation,
    s: Type,
    source: ResolvedMembers,
    target: ResolvedMembers,
    state: IntersectionState,
    primitive: bool = False,
) -> Misfit | None:
    """Compare index signatures (indexSignaturesRelatedTo)."""
    has_string_index = any(i.key is STRING for i in target.indexes)
    for target_index in target.indexes:
        if has_string_index and not primitive and rel.reducer.normal(target_index.type) is ANY:
            continue
        if has_string_index and isinstance(s, Mapped):
            value = rel.reducer.instantiate(s.type, (key_variable(rel, s),))
            misfit = rel.related(value, target_index.type, state)
            if misfit is not None:
                return misfit.at("[]")
            continue
        source_index = applicable_index_signature(rel.reducer, source, target_index.key)
        if source_index is not None:
            misfit = rel.related(source_index.type, target_index.type, state)
        elif state is not IntersectionState.SOURCE and _has_implicit_index(rel, s, source):
            misfit = _members_to_index_related(rel, source, target_index, state)
        else:
            return Misfit("index", s, target_index.key)
        if misfit is not None:
            return misfit.at("[]")
    return None


def _has_implicit_index(rel: Relation, s: Type, source: ResolvedMembers) -> bool:
    if source.calls or source.constructs:
        return False
    if isinstance(s, Intersection):
        return all(_has_implicit_index(rel, m, rel.reducer.members_of(m)) for m in s.members)
    return isinstance(s, Object)


def _members_to_index_related(
    rel: Relation, source: ResolvedMembers, target_index: IndexSignature, state: IntersectionState
) -> Misfit | None:
    for p in source:
        if not index_applies(rel.reducer, key_type(p), target_index.key):
            continue
        property_type = p.type
        if p.optional and target_index.key is NUMBER:
            property_type = read_type(p)
        elif p.optional:
            reduced = rel.reducer.normal(property_type)
            if reduced is NEVER:
                property_type = UNDEFINED  # the only value an optional never property holds
            elif reduced is not UNDEFINED and UNDEFINED in constituents(reduced):
                property_type = union([m for m in constituents(reduced) if m is not UNDEFINED])
        misfit = rel.related(property_type, target_index.type, state)
        if misfit is not None:
            return misfit.at(f".{p.name}")
    for index in source.indexes:
        if index_applies(rel.reducer, index.key, target_index.key):
            misfit = rel.related(index.type, target_index.type, state)
            if misfit is not None:
                return misfit
    return None


def is_class_or_interface(rel: Relation, t: Reference) -> bool:
    """Return whether a reference is to a class or an interface."""
    declaration = rel.reducer.declaration(t.target)
    return declaration is not None and declaration.is_class_or_interface


def is_empty_object(rel: Relation, t: Type) -> bool:
    """Return whether an object type has no members: ``{}``, ``object`` (isEmptyObjectType)."""
    if isinstance(t, Intersection):
        return all(is_empty_object(rel, member) for member in t.members)
    if t is OBJECT or t is EMPTY_OBJECT:
        return True
    return (
        isinstance(t, Reference) and is_class_or_interface(rel, t) and not rel.reducer.members_of(t)
    )


def is_weak(rel: Relation, t: Type) -> bool:
    """Return whether ``t`` has optional properties and no other members (isWeakType)."""
    weak = rel.weak_types.get(t)
    if weak is None:
        weak = rel.weak_types[t] = _is_weak(rel, t)
    return weak


def _is_weak(rel: Relation, t: Type) -> bool:
    if isinstance(t, Intersection):
        return all(is_weak(rel, member) for member in t.members)
    if not isinstance(t, (Object, Reference)):
        return False
    members = rel.reducer.members_of(t)
    if members.calls or members.constructs or members.indexes or not members.names:
        return False
    if isinstance(t, Reference) and not is_class_or_interface(rel, t):
        return False
    return all(p.optional for p in members)


def has_common_property(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether ``s`` shares a property with the weak type ``t``, or has no members."""
    if s is OBJECT_INTERFACE:
        return True
    source = rel.reducer.members_of(s)
    if not source.names and not source.calls and not source.constructs:
        return True
    target = rel.reducer.members_of(t)
    return any(target.get(name) is not None for name in source.names)
