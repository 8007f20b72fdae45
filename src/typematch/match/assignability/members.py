"""Compare the members of object types: properties, then call, construct and index signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, union
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
    IndexSignature,
    Intersection,
    Mapped,
    Object,
    Property,
    Reference,
    Tuple,
    Type,
)
from typematch.match.assignability.inference_variables import key_variable
from typematch.match.assignability.signatures import pairwise_erased, signatures_related
from typematch.match.assignability.tuples import tuple_related
from typematch.match.verdict import Misfit
from typematch.program.reduction.indexed_access import key_type
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.members import applicable_index, index_applies, property_of
from typematch.program.reduction.resolved_members import ResolvedMembers, read_type

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

NONE: frozenset[str] = frozenset()


def structural(
    rel: Relation,
    s: Type,
    t: Type,
    state: int,
    excluded: frozenset[str] = NONE,
    primitive: bool = False,
) -> Misfit | None:
    """Return None if every member of ``t`` finds its match in ``s``."""
    broken = properties_related(rel, s, t, excluded, state=state)
    if broken is not None:
        return broken
    target = rel.reducer.shape(t)
    source = rel.reducer.shape(s)
    if target.calls:
        broken = signatures_related(rel, s, t, source.calls, target.calls, "call", state)
        if broken is not None:
            return broken
    if target.constructs:
        broken = signatures_related(
            rel, s, t, source.constructs, target.constructs, "construct", state
        )
        if broken is not None:
            return broken
    if target.indexes and not (isinstance(s, Tuple) and isinstance(t, Tuple)):
        return indexes_related(rel, s, source, target, state, primitive)
    return None


def properties_related(
    rel: Relation,
    s: Type,
    t: Type,
    excluded: frozenset[str] = NONE,
    optionals_only: bool = False,
    state: int = 0,
) -> Misfit | None:
    """Return None if every property of ``t`` (only the optional ones if wanted) fits."""
    if isinstance(t, Tuple):
        if isinstance(s, (Array, Tuple)):
            return tuple_related(rel, s, t, excluded, state)
        if any(e.kind in ("rest", "variadic") for e in t.elements):
            return Misfit("type", s, t)
    reducer = rel.reducer
    target = reducer.shape(t)
    source = reducer.shape(s)
    same = s.__class__ is Reference and t.__class__ is Reference and s.target == t.target
    names = target.names
    numeric_only = isinstance(s, Tuple)
    # A missing property is the cheapest difference, so it is looked for first.
    if not optionals_only:
        for name in names:
            if name in excluded or source.get(name) is not None:
                continue
            wanted = target.get(name)
            if wanted is not None and not wanted.optional and property_of(reducer, s, name) is None:
                return Misfit("missing", s, name)
    for name in names:
        if name in excluded:
            continue
        if numeric_only and isinstance(t, Array) and not name.isdecimal() and name != "length":
            continue
        wanted = target.get(name)
        if wanted is None or (optionals_only and not wanted.optional):
            continue
        found = source.get(name) or property_of(reducer, s, name)
        if found is None or found is wanted:
            continue
        if same and found.method and wanted.method:
            answer = pairwise_erased(rel, found, wanted, state)
            if answer is None:
                continue
            if isinstance(answer, Misfit):
                return answer.at(f".{name}")
        broken = property_related(rel, found, wanted, None, optionals_only, state)
        if broken is not None:
            return broken.at(f".{name}")
    return None


def property_related(
    rel: Relation,
    s: Property,
    t: Property,
    kind: Type | None,
    skip_optional: bool = False,
    state: int = 0,
) -> Misfit | None:
    """Return None if one property fits another.

    ``kind`` stands in for the source's type if given.
    """
    if s.owner or t.owner:
        broken = _hidden_related(rel, s, t)
        if broken is not None:
            return broken
    if t.type is not ANY and t.type is not UNKNOWN:
        given = kind if kind is not None else (read_type(s) if s.optional else s.type)
        broken = rel.related(given, read_type(t) if t.optional else t.type, state)
        if broken is not None:
            return broken
    if s.optional and not t.optional and not skip_optional:
        return Misfit("optional", "the source", t.name)
    return None


def _hidden_related(rel: Relation, s: Property, t: Property) -> Misfit | None:
    """Private members must be the same declaration's; protected ones may be a derived class's."""
    misfit = Misfit("private", s.name, t.name)
    if "private" in (s.visibility, t.visibility) or s.name.startswith("#"):
        return None if s.owner == t.owner else misfit
    if t.visibility == "protected":
        return None if s.visibility == "protected" and derives(rel, s.owner, t.owner) else misfit
    return misfit if s.visibility == "protected" else None


def derives(rel: Relation, key: str, base: str) -> bool:
    """Return whether the class ``key`` is ``base`` or derives from it."""
    seen: set[str] = set()
    open_keys = [key]
    while open_keys:
        current = open_keys.pop()
        if current == base:
            return True
        if current in seen:
            continue
        seen.add(current)
        declaration = rel.reducer.declaration(current)
        if declaration is not None:
            open_keys += [b.target for b in declaration.extends if isinstance(b, Reference)]
    return False


def indexes_related(
    rel: Relation,
    s: Type,
    source: ResolvedMembers,
    target: ResolvedMembers,
    state: int,
    primitive: bool = False,
) -> Misfit | None:
    """Return None if the source's index signatures or properties meet those of the target."""
    anything = any(i.key is STRING for i in target.indexes)
    for wanted in target.indexes:
        if anything and not primitive and rel.reducer.normal(wanted.type) is ANY:
            continue
        if anything and isinstance(s, Mapped):
            value = instantiate(s.type, (key_variable(rel, s),), normal=rel.reducer.normal)
            broken = rel.related(value, wanted.type, state)
            if broken is not None:
                return broken.at("[]")
            continue
        found = applicable_index(rel.reducer, source, wanted.key)
        if found is not None:
            broken = rel.related(found.type, wanted.type, state)
        elif state != 1 and _implicit(rel, s, source):
            broken = _members_related(rel, source, wanted, state)
        else:
            return Misfit("index", s, wanted.key)
        if broken is not None:
            return broken.at("[]")
    return None


def _implicit(rel: Relation, s: Type, source: ResolvedMembers) -> bool:
    if source.calls or source.constructs:
        return False
    if isinstance(s, Intersection):
        return all(_implicit(rel, m, rel.reducer.shape(m)) for m in s.members)
    return isinstance(s, Object)


def _members_related(
    rel: Relation, source: ResolvedMembers, wanted: IndexSignature, state: int
) -> Misfit | None:
    for p in source:
        if not index_applies(rel.reducer, key_type(p), wanted.key):
            continue
        kind = p.type
        if p.optional and wanted.key is NUMBER:
            kind = read_type(p)
        elif p.optional:
            reduced = rel.reducer.normal(kind)
            if reduced is NEVER:
                kind = UNDEFINED  # all that it may be
            elif reduced is not UNDEFINED and UNDEFINED in constituents(reduced):
                kind = union([m for m in constituents(reduced) if m is not UNDEFINED])
        broken = rel.related(kind, wanted.type, state)
        if broken is not None:
            return broken.at(f".{p.name}")
    for index in source.indexes:
        if index_applies(rel.reducer, index.key, wanted.key):
            broken = rel.related(index.type, wanted.type, state)
            if broken is not None:
                return broken
    return None


def has_members(rel: Relation, t: Reference) -> bool:
    """Return whether a name is that of a class or an interface."""
    declaration = rel.reducer.declaration(t.target)
    return declaration is not None and declaration.kind in ("class", "interface")


def is_empty(rel: Relation, t: Type) -> bool:
    """Return whether an object type says nothing of its members: ``{}``, ``object``."""
    if isinstance(t, Intersection):
        return all(is_empty(rel, member) for member in t.members)
    if t is OBJECT or t is EMPTY_OBJECT:
        return True
    return isinstance(t, Reference) and has_members(rel, t) and not rel.reducer.shape(t)


def is_weak(rel: Relation, t: Type) -> bool:
    """Return whether all that ``t`` asks for is optional: nearly everything would fit it."""
    found = rel.weak.get(t)
    if found is None:
        found = rel.weak[t] = _is_weak(rel, t)
    return found


def _is_weak(rel: Relation, t: Type) -> bool:
    if isinstance(t, Intersection):
        return all(is_weak(rel, member) for member in t.members)
    if not isinstance(t, (Object, Reference)):
        return False
    shape = rel.reducer.shape(t)
    if shape.calls or shape.constructs or shape.indexes or not shape.names:
        return False
    if isinstance(t, Reference):
        declaration = rel.reducer.declaration(t.target)
        if declaration is None or declaration.kind not in ("class", "interface"):
            return False
    return all(p.optional for p in shape)


def shares_a_property(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether ``s`` has a property that the weak type ``t`` knows, or nothing at all."""
    if isinstance(s, Reference) and s.target == "global#Object":
        return True
    source = rel.reducer.shape(s)
    if not source.names and not source.calls and not source.constructs:
        return True
    target = rel.reducer.shape(t)
    return any(target.get(name) is not None for name in source.names)
