"""Members of declared types, with a record of the declarations consulted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from typematch.index.masks import bits
from typematch.index.masks.placeholders import (
    alias_body,
    depends_on_open,
    open_reducer,
    with_placeholders,
)
from typematch.ir.constructors import CALL_RESULT
from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.types import (
    Array,
    Conditional,
    IndexedAccess,
    Intersection,
    Mapped,
    Named,
    Object,
    Reference,
    Type,
    TypeOf,
)
from typematch.match.assignability.relation import Relation
from typematch.match.edits.conversions import is_thunk
from typematch.program.reduction.late_bound_names import FindDeclaration, properties_by_name
from typematch.program.reduction.limits import LimitReached, Limits
from typematch.program.reduction.typeof import base_type

_MAX_DEPTH = 12  # levels of inheritance
MAX_BASES = 1_000  # heritage types of a type and its ancestors; beyond, no properties are listed
# Expensive masks do not pay off: without one, a type costs one comparison per query.
LIMITS = Limits(steps=500, expansion=8, tail=20, product=64, bases=MAX_BASES)


@dataclass(frozen=True, slots=True)
class DeclaredMembers:
    """The members of a type that masks need.

    Attributes:
        properties: name -> whether it is optional.
        signature_bits: ``CALL`` and ``CONSTRUCT`` if it has such signatures.
        complete: false if a base type cannot be resolved.
        is_thunk: a function ``() => T``.
        has_indexes: it has an index signature.
    """

    properties: dict[str, bool]
    signature_bits: int
    complete: bool = True
    is_thunk: bool = False
    has_indexes: bool = False


_UNRESOLVED = DeclaredMembers({}, 0, complete=False)


@dataclass(frozen=True, slots=True)
class _Collected:
    """Members collected for a number of subtypes that led here.

    Attributes:
        deepest: the greatest number of subtypes that led to a visited type.
        is_relative: a cycle of heritage was cut, at a place that depends on the subtypes.
    """

    members: DeclaredMembers
    consulted: frozenset[str]
    deepest: int
    is_relative: bool


def object_members(t: Object, find: FindDeclaration) -> DeclaredMembers:
    signature_bits = bits.CALL * bool(t.calls) | bits.CONSTRUCT * bool(t.constructs)
    properties = properties_by_name(find, t)
    deferring = len(t.calls) == 1 and is_thunk(t.calls[0])
    optional = {name: property_.optional for name, property_ in properties.items()}
    return DeclaredMembers(
        optional, signature_bits, is_thunk=deferring, has_indexes=bool(t.indexes)
    )


class RecordingDeclarations:
    """Declarations and their members; ``consulted`` collects the keys looked up."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._known: dict[str, Declaration | None] = {}
        self._members: dict[str, tuple[DeclaredMembers, frozenset[str]]] = {}
        # Of the outermost call of ``members``, by key and number of subtypes: each supertype of a
        # diamond is visited once per level.
        self._collected: dict[tuple[str, int], _Collected] = {}
        # Those that do not depend on the subtypes, with their height as ``deepest``.
        self._resolved: dict[str, _Collected] = {}
        self._deepest = 0  # the greatest number of subtypes in the present computation
        self._is_relative = False
        self.consulted: set[str] = set()

    def get(self, key: str, /) -> Declaration | None:
        self.consulted.add(key)
        if key not in self._known:
            self._known[key] = self._declarations.get(key)
        return self._known[key]

    def members(self, key: str) -> DeclaredMembers:
        """Return the members of a class or interface, inherited ones included."""
        known = self._members.get(key)
        if known is None:
            outer, self.consulted = self.consulted, set()
            self._collected = {}
            try:
                known = (self._collect(key, ()), frozenset(self.consulted))
            finally:
                self.consulted = outer
            self._members[key] = known
        self.consulted |= known[1]
        return known[0]

    def array_members(self, *, readonly: bool) -> DeclaredMembers:
        return self.members("global#ReadonlyArray" if readonly else "global#Array")

    def _collect(self, key: str, subtypes: tuple[str, ...]) -> DeclaredMembers:
        depth = len(subtypes)
        resolved = self._resolved.get(key)
        if resolved is not None and depth + resolved.deepest <= _MAX_DEPTH:
            found, deepest = resolved, depth + resolved.deepest
        else:
            known = self._collected.get((key, depth))
            found = self._visit(key, subtypes) if known is None else known
            deepest = found.deepest
        self.consulted |= found.consulted
        self._deepest = max(self._deepest, deepest)
        self._is_relative = self._is_relative or found.is_relative
        return found.members

    def _visit(self, key: str, subtypes: tuple[str, ...]) -> _Collected:
        depth = len(subtypes)
        outer = self.consulted, self._deepest, self._is_relative
        self.consulted, self._deepest, self._is_relative = set(), depth, False
        try:
            members = self._merge_inherited(key, subtypes)
            consulted = frozenset(self.consulted)
            found = _Collected(members, consulted, self._deepest, self._is_relative)
        finally:
            self.consulted, self._deepest, self._is_relative = outer
        self._collected[key, depth] = found
        if found.deepest <= _MAX_DEPTH and not found.is_relative:
            self._resolved[key] = replace(found, deepest=found.deepest - depth)
        return found

    def _merge_inherited(self, key: str, subtypes: tuple[str, ...]) -> DeclaredMembers:
        declaration = self.get(key)
        if declaration is None or declaration.type is None or len(subtypes) > _MAX_DEPTH:
            return _UNRESOLVED
        if not isinstance(declaration.type, Object):
            return _UNRESOLVED
        own = object_members(declaration.type, self.get)
        properties: dict[str, bool] = {}
        signature_bits, complete, thunk = own.signature_bits, True, own.is_thunk
        has_indexes = own.has_indexes
        for base in declaration.extends:
            inherited = self._inherited(base, (*subtypes, key))
            properties.update(inherited.properties)
            signature_bits |= inherited.signature_bits
            complete = complete and inherited.complete
            thunk = thunk or inherited.is_thunk
            has_indexes = has_indexes or inherited.has_indexes
            if self._deepest > _MAX_DEPTH:
                break  # the other bases cannot make the members complete
        # Own properties override inherited ones.
        properties.update(own.properties)
        return DeclaredMembers(properties, signature_bits, complete, thunk, has_indexes)

    def _inherited(self, base: Type, subtypes: tuple[str, ...]) -> DeclaredMembers:
        self._deepest = max(self._deepest, len(subtypes))
        if len(subtypes) > _MAX_DEPTH:
            return _UNRESOLVED
        match base:
            case Array(_, readonly):
                return self._collect(
                    "global#ReadonlyArray" if readonly else "global#Array", subtypes
                )
            case Reference(target) if target in subtypes:
                self._is_relative = True
            case Reference(target) if target != CALL_RESULT:
                declaration = self.get(target)
                if declaration is not None and declaration.is_class_or_interface:
                    return self._collect(target, subtypes)
                if declaration is not None and declaration.kind == "alias":
                    body = alias_body(declaration, base.arguments)
                    if body is not None:
                        return self._inherited(body, (*subtypes, target))
            case Object():
                return object_members(base, self.get)
            case Named():
                return DeclaredMembers({}, 0)  # an unknown name adds no members to the relation
            case Intersection(members):
                return _merged([self._inherited(member, subtypes) for member in members])
            case Conditional() | IndexedAccess() | Mapped() | Reference() | TypeOf():
                reduced = self._reduced(with_placeholders(base))
                if reduced is not None:
                    return self._inherited(reduced, (*subtypes, ""))
            case _:
                pass
        return _UNRESOLVED

    def _reduced(self, base: Type) -> Type | None:
        """Return the reduced base type; None if it stays deferred or a limit is reached."""
        if depends_on_open(base):
            return None
        reducer = open_reducer(Relation(self, limits=LIMITS).reducer)
        try:
            reduced = reducer.normal(base_type(reducer, base))
        except (LimitReached, RecursionError):
            return None
        return None if reduced is base else reduced


def _merged(parts: Sequence[DeclaredMembers]) -> DeclaredMembers:
    """Return the members of an intersection: a property is optional if it is in all parts."""
    properties: dict[str, bool] = {}
    signature_bits = 0
    for part in parts:
        for name, optional in part.properties.items():
            properties[name] = optional and properties.get(name, True)
        signature_bits |= part.signature_bits
    complete = all(part.complete for part in parts)
    is_thunk, has_indexes = (any(p.is_thunk for p in parts), any(p.has_indexes for p in parts))
    return DeclaredMembers(properties, signature_bits, complete, is_thunk, has_indexes)
