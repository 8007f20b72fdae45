"""Gather the members of declared types, and note every declaration that was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from typematch.index.masks import bits as f
from typematch.index.masks.placeholders import body_of
from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.types import Array, Object, Reference, Type
from typematch.match.edits.conversions import gives_a_value
from typematch.program.reduction.late_bound_names import Find, by_name

_MAX_DEPTH = 12  # heritage followed inside each other


@dataclass(frozen=True, slots=True)
class DeclaredMembers:
    """The properties of a type: name -> optional; ``known`` is false if that is not all.

    ``deferring`` is a function that is called for what it gives: ``() => T``.
    """

    properties: dict[str, bool]
    heads: int
    known: bool = True
    deferring: bool = False


_UNKNOWN = DeclaredMembers({}, 0, known=False)


def members_of_object(t: Object, find: Find) -> DeclaredMembers:
    heads = f.CALL * bool(t.calls) | f.CONSTRUCT * bool(t.constructs)
    properties = by_name(find, t.properties)
    deferring = len(t.calls) == 1 and gives_a_value(t.calls[0])
    optional = {name: one.optional for name, one in properties.items()}
    return DeclaredMembers(optional, heads, deferring=deferring)


class RecordingDeclarations:
    """Declarations, with a record of the keys that were asked for, and the members they have."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._known: dict[str, Declaration | None] = {}
        self._members: dict[str, tuple[DeclaredMembers, frozenset[str]]] = {}
        self.used: set[str] = set()

    def get(self, key: str, /) -> Declaration | None:
        self.used.add(key)
        if key not in self._known:
            self._known[key] = self._declarations.get(key)
        return self._known[key]

    def members(self, key: str) -> DeclaredMembers:
        """Return the members of a class or interface, inherited ones included."""
        known = self._members.get(key)
        if known is None:
            outer, self.used = self.used, set()
            try:
                known = (self._gather(key, ()), frozenset(self.used))
            finally:
                self.used = outer
            self._members[key] = known
        self.used |= known[1]
        return known[0]

    def array_members(self, *, readonly: bool) -> DeclaredMembers:
        return self.members("global#ReadonlyArray" if readonly else "global#Array")

    def _gather(self, key: str, above: tuple[str, ...]) -> DeclaredMembers:
        declaration = self.get(key)
        if declaration is None or declaration.type is None or len(above) > _MAX_DEPTH:
            return _UNKNOWN
        if not isinstance(declaration.type, Object):
            return _UNKNOWN
        own = members_of_object(declaration.type, self.get)
        properties: dict[str, bool] = {}
        heads, known, deferring = own.heads, True, own.deferring
        for base in declaration.extends:
            inherited = self._inherited(base, (*above, key))
            properties.update(inherited.properties)
            heads |= inherited.heads
            known = known and inherited.known
            deferring = deferring or inherited.deferring
        # What a type declares itself overrides what it inherits.
        properties.update(own.properties)
        return DeclaredMembers(properties, heads, known, deferring)

    def _inherited(self, base: Type, above: tuple[str, ...]) -> DeclaredMembers:
        match base:
            case Array(_, readonly):
                return self._gather("global#ReadonlyArray" if readonly else "global#Array", above)
            case Reference(target) if target not in above:
                declaration = self.get(target)
                if declaration is not None and declaration.kind in ("class", "interface"):
                    return self._gather(target, above)
                if declaration is not None and declaration.kind == "alias":
                    body = body_of(declaration, base.arguments)
                    if body is not None:
                        return self._inherited(body, (*above, target))
            case Object():
                return members_of_object(base, self.get)
            case _:
                pass
        return _UNKNOWN
